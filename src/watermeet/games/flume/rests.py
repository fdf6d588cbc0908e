"""What is left of a Flume state: which points are loose, which are core, and who has control.

The same as ``cores``, for boards of any size and fast enough for the innermost loop of a search: a
map of the board, in a state's own cells, instead of sets of labels.

    near[cell]   TAKEN: a stone or the rim; LOOSE: free, and moves again now or once others are
                 taken; above that the point is in the core and has so many neighbours in it
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flume.cores import NO_CONTROL
from watermeet.games.flume.rules import BLUE, CELLS, COLOUR, FREE, FREE_LIST, RED, SIZE

TAKEN, LOOSE, LINK = range(3)
MAP_SIZE = 432  # Above the cells of the largest board, their rim, and what stands before them.
LIST_SIZE = 361  # The points of the largest board.

FACTS_SIZE = 4
LOOSE_COUNT, CORE_COUNT, COST, LEAD = range(FACTS_SIZE)
"""Loose points, points of the core, what handing over costs, and the mover's lead in stones."""


@kernel
def beside(cell: int, side: int, stride: int) -> int:
    """The cell on one of the four sides."""
    if side < 2:
        return cell + 2 * side - 1
    return cell + (2 * side - 5) * stride


@kernel
def map_rest(state: StateArray, near: Scratch, loose: Scratch, facts: Scratch) -> None:
    """Writes the map, the list of the loose points' cells, and the facts."""
    stride = int(state[SIZE]) + 1
    colour = int(state[COLOUR])
    end = int(state[FREE_LIST])
    lead, count, free = 0, 0, 0
    for cell in range(CELLS, end):
        stone = int(state[cell])
        near[cell] = TAKEN
        if stone == FREE:
            around = 0
            for side in range(4):
                around += int(state[beside(cell, side, stride)] == FREE)
            near[cell] = max(LOOSE, around)
            free += 1
            if around <= LOOSE:
                loose[count] = cell
                count += 1
        elif stone == colour:
            lead += 1
        elif stone == RED + BLUE - colour:
            lead -= 1
    count = loosen(near, loose, 0, count, stride)
    facts[LOOSE_COUNT] = count
    facts[CORE_COUNT] = free - count
    facts[COST] = cost_of_control(near, loose, count, stride)
    facts[LEAD] = lead


@kernel
def loosen(near: Scratch, loose: Scratch, begin: int, end: int, stride: int) -> int:
    """Adds to a list of loose points those that become loose by them; returns its new end."""
    place = begin
    while place < end:
        cell = int(loose[place])
        place += 1
        for side in range(4):
            other = beside(cell, side, stride)
            if near[other] > LOOSE:
                near[other] -= 1
                if near[other] == LOOSE:
                    loose[end] = other
                    end += 1
    return end


@kernel
def cost_of_control(near: Scratch, loose: Scratch, count: int, stride: int) -> int:
    """As ``cores.control_cost``: the stones it costs to let the other play in the core.

    Points of the list that were taken since do not count.
    """
    cost = NO_CONTROL
    for place in range(count):
        cell = int(loose[place])
        if near[cell] != LOOSE:
            continue
        others, joined = 0, False
        for side in range(4):
            kind = int(near[beside(cell, side, stride)])
            others += int(kind == LOOSE)
            joined = joined or kind > LOOSE
        if others > 0 and joined:
            return 1
        if others > 1:
            cost = 2
    return cost


@kernel
def place_in_core(near: Scratch, loose: Scratch, cell: int, stride: int) -> int:
    """A stone in the core: lists the points that become loose by it; returns how many."""
    near[cell] = TAKEN
    count = 0
    for side in range(4):
        other = beside(cell, side, stride)
        if near[other] > LOOSE:
            near[other] -= 1
            if near[other] == LOOSE:
                loose[count] = other
                count += 1
    return loosen(near, loose, 0, count, stride)


@kernel
def take_back(near: Scratch, loose: Scratch, count: int, cell: int, stride: int) -> None:
    """Undoes ``place_in_core``, where nothing was loose before."""
    near[cell] = LINK
    for place in range(count):
        near[int(loose[place])] = LINK
    _count_again(near, cell, stride)
    for place in range(count):
        _count_again(near, int(loose[place]), stride)


@kernel
def _count_again(near: Scratch, cell: int, stride: int) -> None:
    """Counts the neighbours in the core of a point that came back, and of those around it."""
    near[cell] = _neighbours_in_core(near, cell, stride)
    for side in range(4):
        other = beside(cell, side, stride)
        if near[other] > LOOSE:
            near[other] = _neighbours_in_core(near, other, stride)


@kernel
def _neighbours_in_core(near: Scratch, cell: int, stride: int) -> int:
    count = 0
    for side in range(4):
        count += int(near[beside(cell, side, stride)] > LOOSE)
    return count


@kernel
def gift_of(near: Scratch, cell: int, stride: int) -> int:
    """How many points a stone in the core makes loose, where nothing was; -1 if it gives control.

    Without control all of them are single links beside the stone. Two loose points are in a row if
    such a link has another one behind it, or if two of them share the joint of three behind them.
    """
    given = 0
    for side in range(4):
        other = beside(cell, side, stride)
        if near[other] != LINK:
            continue
        given += 1
        behind = behind_link(near, other, cell, stride)
        if near[behind] == LINK:
            return -1
        if near[behind] == LINK + 1:
            corner = cell + behind - other  # The fourth point of the square, unless in a line.
            if behind - other != other - cell and near[corner] == LINK:
                return -1
    return given


@kernel
def behind_link(near: Scratch, link: int, cell: int, stride: int) -> int:
    """The other neighbour in the core of a link beside a cell of the core."""
    for side in range(4):
        other = beside(link, side, stride)
        if near[other] > LOOSE and other != cell:
            return other
    return cell


@kernel
def place_safely(near: Scratch, cell: int, stride: int) -> None:
    """A stone in the core that does not give control; what it makes loose is taken at once."""
    near[cell] = TAKEN
    for side in range(4):
        other = beside(cell, side, stride)
        if near[other] == LINK:
            near[behind_link(near, other, cell, stride)] -= 1
            near[other] = TAKEN
        elif near[other] > LINK:
            near[other] -= 1


@kernel
def is_mirrored(near: Scratch, end: int) -> bool:
    """Whether the points that are not taken look the same after half a turn of the board.

    The first cell's image is the last one, for what is stored is symmetric.
    """
    for cell in range(CELLS, end):
        if (near[cell] == TAKEN) != (near[CELLS + end - 1 - cell] == TAKEN):
            return False
    return True
