"""The 2-core of a Flume state, on the mailbox board, for evaluation.

The same as ``two_core``, but for boards of any size and fast enough for the inner loop of a search:
it works on an array indexed by the state's own cells instead of bitsets.

    degrees[cell]   TAKEN: a stone or the rim; LOOSE: free but not in the core; above that, the
                    degree of a point of the core
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flume import layout
from watermeet.games.flume.two_core import NO_CONTROL

TAKEN, LOOSE, LINK = range(3)
MAP_SIZE = 432  # More than the cells of the largest board with its rim, and the fields before them.
LIST_SIZE = 361  # The points of the largest board.

SUMMARY_SIZE = 4
LOOSE_COUNT, CORE_COUNT, COST, LEAD = range(SUMMARY_SIZE)
"""Loose points, points of the core, the cost of control, and the mover's lead in stones."""


@kernel
def neighbour(cell: int, side: int, stride: int) -> int:
    """The neighbour of a cell on one of its four sides."""
    if side < 2:
        return cell + 2 * side - 1
    return cell + (2 * side - 5) * stride


@kernel
def decompose(state: StateArray, degrees: Scratch, loose: Scratch, summary: Scratch) -> None:
    """Splits a state into loose points and core: writes degrees, loose cells and summary."""
    stride = int(state[layout.SIZE]) + 1
    colour = int(state[layout.COLOUR])
    end = int(state[layout.FREE_LIST])
    lead, count, free = 0, 0, 0
    for cell in range(layout.CELLS, end):
        stone = int(state[cell])
        degrees[cell] = TAKEN
        if stone == layout.FREE:
            around = 0
            for side in range(4):
                around += int(state[neighbour(cell, side, stride)] == layout.FREE)
            degrees[cell] = max(LOOSE, around)
            free += 1
            if around <= LOOSE:
                loose[count] = cell
                count += 1
        elif stone == colour:
            lead += 1
        elif stone == layout.RED + layout.BLUE - colour:
            lead -= 1
    count = peel_cells(degrees, loose, 0, count, stride)
    summary[LOOSE_COUNT] = count
    summary[CORE_COUNT] = free - count
    summary[COST] = control_cost(degrees, loose, count, stride)
    summary[LEAD] = lead


@kernel
def peel_cells(degrees: Scratch, loose: Scratch, begin: int, end: int, stride: int) -> int:
    """Peels off the points that become loose because of those in the list; returns its new end."""
    place = begin
    while place < end:
        cell = int(loose[place])
        place += 1
        for side in range(4):
            other = neighbour(cell, side, stride)
            if degrees[other] > LOOSE:
                degrees[other] -= 1
                if degrees[other] == LOOSE:
                    loose[end] = other
                    end += 1
    return end


@kernel
def control_cost(degrees: Scratch, loose: Scratch, count: int, stride: int) -> int:
    """The cost of control, as ``two_core.control_cost``; cells taken since don't count."""
    cost = NO_CONTROL
    for place in range(count):
        cell = int(loose[place])
        if degrees[cell] != LOOSE:
            continue
        others, joined = 0, False
        for side in range(4):
            kind = int(degrees[neighbour(cell, side, stride)])
            others += int(kind == LOOSE)
            joined = joined or kind > LOOSE
        if others > 0 and joined:
            return 1
        if others > 1:
            cost = 2
    return cost


@kernel
def place_in_core(degrees: Scratch, loose: Scratch, cell: int, stride: int) -> int:
    """Places a stone in the core; lists the points that become loose, and returns how many."""
    degrees[cell] = TAKEN
    count = 0
    for side in range(4):
        other = neighbour(cell, side, stride)
        if degrees[other] > LOOSE:
            degrees[other] -= 1
            if degrees[other] == LOOSE:
                loose[count] = other
                count += 1
    return peel_cells(degrees, loose, 0, count, stride)


@kernel
def undo_placement(degrees: Scratch, loose: Scratch, count: int, cell: int, stride: int) -> None:
    """Undoes ``place_in_core`` if nothing was loose before it."""
    degrees[cell] = LINK
    for place in range(count):
        degrees[int(loose[place])] = LINK
    _restore_degrees(degrees, cell, stride)
    for place in range(count):
        _restore_degrees(degrees, int(loose[place]), stride)


@kernel
def _restore_degrees(degrees: Scratch, cell: int, stride: int) -> None:
    """Recomputes the degrees of a point that is back in the core, and of its neighbours."""
    degrees[cell] = _degree(degrees, cell, stride)
    for side in range(4):
        other = neighbour(cell, side, stride)
        if degrees[other] > LOOSE:
            degrees[other] = _degree(degrees, other, stride)


@kernel
def _degree(degrees: Scratch, cell: int, stride: int) -> int:
    count = 0
    for side in range(4):
        count += int(degrees[neighbour(cell, side, stride)] > LOOSE)
    return count


@kernel
def points_given(degrees: Scratch, cell: int, stride: int) -> int:
    """How many points a stone in the core makes loose if none were; -1 if it gives control.

    It gives control if two of them are neighbours: if a link next to the stone has another link as
    its other neighbour, or if two such links share a joint of degree three.
    """
    given = 0
    for side in range(4):
        other = neighbour(cell, side, stride)
        if degrees[other] != LINK:
            continue
        given += 1
        beyond = next_of_link(degrees, other, cell, stride)
        if degrees[beyond] == LINK:
            return -1
        if degrees[beyond] == LINK + 1:
            corner = cell + beyond - other  # The fourth point of the square, unless in line.
            if beyond - other != other - cell and degrees[corner] == LINK:
                return -1
    return given


@kernel
def next_of_link(degrees: Scratch, link: int, cell: int, stride: int) -> int:
    """The other neighbour of a link next to a cell of the core."""
    for side in range(4):
        other = neighbour(link, side, stride)
        if degrees[other] > LOOSE and other != cell:
            return other
    return cell


@kernel
def place_safely(degrees: Scratch, cell: int, stride: int) -> None:
    """Places a stone that gives no control, and takes the points that it makes loose."""
    degrees[cell] = TAKEN
    for side in range(4):
        other = neighbour(cell, side, stride)
        if degrees[other] == LINK:
            degrees[next_of_link(degrees, other, cell, stride)] -= 1
            degrees[other] = TAKEN
        elif degrees[other] > LINK:
            degrees[other] -= 1


@kernel
def is_point_symmetric(degrees: Scratch, end: int) -> bool:
    """Whether the untaken points are symmetric about the centre of the board.

    The layout is symmetric as well, so the image of the first cell is the last one.
    """
    for cell in range(layout.CELLS, end):
        if (degrees[cell] == TAKEN) != (degrees[layout.CELLS + end - 1 - cell] == TAKEN):
            return False
    return True
