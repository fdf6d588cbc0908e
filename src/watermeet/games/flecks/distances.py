"""How far each colour is from connecting its borders: the distance fields of the evaluation.

The distance of a cell from one of a colour's borders is the number of free cells on the shortest
path to it, the cell included; own stones cost nothing, and the other colour's stones block. The
distances from both borders give a cell's *detour*: how many more free cells a chain through it
needs than a shortest chain. A detour of 0 means that the cell is on a shortest chain.

The kernels work in a buffer of ``scratch(BUFFER_SIZE)``:

    0 ...              four distance fields, by colour and border, indexed by offset
    _QUEUE ...         two queues of offsets: the cells at the current distance, and the next ones
    SHORTEST ...       by colour: how many free cells its shortest chain needs
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import LARGEST_SIDE
from watermeet.core.hexgrid import cells as cells_of
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import (
    BLUE,
    EDGE,
    FAR,
    FREE,
    OFFSET_OF,
    QUARTERS,
    RED,
    SIDES,
    STEP,
    borders_of,
    offset_of,
    sides,
    stride,
    touched_borders,
)
from watermeet.games.flecks.rules import cell_count

_FIELD = layout.CELLS + stride(LARGEST_SIDE) ** 2
"""The length of a field, which is indexed by offset like a state."""
_QUEUE = 4 * _FIELD
_LIST = len(cells_of(LARGEST_SIDE))
SHORTEST = _QUEUE + 2 * _LIST
BUFFER_SIZE = SHORTEST + 3
UNREACHABLE = 1000
"""The distance of cells that no path leads to."""
_UNVISITED = 2 * UNREACHABLE


def _rim_table() -> npt.NDArray[np.int16]:
    table = np.zeros((2, LARGEST_SIDE + 1, 3, 2, stride(LARGEST_SIDE) + 1), dtype=np.int16)
    for border in (QUARTERS, SIDES):
        for side in sides():
            for colour, parts in borders_of(side, border).items():
                for far in range(len(parts)):
                    touching = [
                        offset_of(cell, side)
                        for cell in cells_of(side)
                        if touched_borders(cell, side, border, colour)[far]
                    ]
                    row = table[border, side, colour, far]
                    row[0] = len(touching)
                    row[1 : len(touching) + 1] = touching
    return table


RIM = _rim_table()
"""[border, side, colour, far]: the number of cells that touch the border, then their offsets."""


@kernel
def field_of(colour: int, far: int) -> int:
    """Where the field of a colour and its first or second border starts in the buffer."""
    return ((colour - RED) * 2 + far) * _FIELD


@kernel
def compute_distances(state: StateArray, buffer: Scratch) -> None:
    """Compute the distance fields of both colours and the lengths of their shortest chains."""
    for colour in range(RED, BLUE + 1):
        compute_colour_distances(state, buffer, colour)


@kernel
def compute_colour_distances(state: StateArray, buffer: Scratch, colour: int) -> None:
    """Compute the distance fields of one colour and the length of its shortest chain."""
    flood(state, buffer, colour, 0, UNREACHABLE)
    flood(state, buffer, colour, 1, UNREACHABLE)
    side = int(state[layout.SIDE])
    first, second = field_of(colour, 0), field_of(colour, 1)
    shortest = UNREACHABLE
    for number in range(cell_count(side)):
        offset = int(OFFSET_OF[side, number])
        through = int(buffer[first + offset]) + int(buffer[second + offset])
        shortest = min(shortest, through - int(state[offset] == FREE))
    buffer[SHORTEST + colour] = shortest


@kernel
def flood(state: StateArray, buffer: Scratch, colour: int, far: int, most: int) -> None:
    """Compute distances from one border, breadth first, up to ``most``.

    Cells farther away, or unreachable, are _UNVISITED.
    """
    side = int(state[layout.SIDE])
    field = field_of(colour, far)
    for number in range(cell_count(side)):
        buffer[field + int(OFFSET_OF[side, number])] = _UNVISITED
    now, after = _QUEUE, _QUEUE + _LIST
    distance, count, later = 0, 0, 0
    rim = RIM[int(state[layout.BORDER]), side, colour, far]
    for index in range(1, int(rim[0]) + 1):
        count, later = _visit(
            state, buffer, field, colour, int(rim[index]), 0, now, count, after, later
        )
    while count + later > 0 and distance <= most:
        looked = 0
        while looked < count:
            offset = int(buffer[now + looked])
            looked += 1
            for direction in range(6):
                near = offset + int(STEP[side, direction])
                count, later = _visit(
                    state, buffer, field, colour, near, distance, now, count, after, later
                )
        now, after = after, now
        count, later = later, 0
        distance += 1


@kernel
def _visit(
    state: StateArray,
    buffer: Scratch,
    field: int,
    colour: int,
    offset: int,
    distance: int,
    now: int,
    count: int,
    after: int,
    later: int,
) -> tuple[int, int]:
    """Record and queue a neighbour of a cell; return the lengths of the two queues."""
    content = int(state[offset])
    if content == FREE and buffer[field + offset] == _UNVISITED:
        buffer[field + offset] = distance + 1
        buffer[after + later] = offset
        later += 1
    elif content == colour and buffer[field + offset] == _UNVISITED:
        buffer[field + offset] = distance
        buffer[now + count] = offset
        count += 1
    return count, later


@kernel
def needs_at_most(state: StateArray, buffer: Scratch, colour: int, most: int) -> bool:
    """Whether a colour needs at most ``most`` free cells; overwrites its first field."""
    flood(state, buffer, colour, 0, most)
    rim = RIM[int(state[layout.BORDER]), int(state[layout.SIDE]), colour, 1]
    for index in range(1, int(rim[0]) + 1):
        if buffer[field_of(colour, 0) + int(rim[index])] <= most:
            return True
    return False


@kernel
def detour(state: StateArray, buffer: Scratch, colour: int, offset: int) -> int:
    """How many more free cells a colour's chain needs if it goes through this cell.

    A stone of the other colour counts as a free cell, so its detour may be negative.
    """
    content = int(state[offset])
    if content != RED + BLUE - colour:
        first, second = field_of(colour, 0) + offset, field_of(colour, 1) + offset
        through = int(buffer[first]) + int(buffer[second]) - int(content == FREE)
    else:
        through = 1 + _nearest(state, buffer, colour, 0, offset)
        through += _nearest(state, buffer, colour, 1, offset)
    return min(UNREACHABLE, through) - int(buffer[SHORTEST + colour])


@kernel
def _nearest(state: StateArray, buffer: Scratch, colour: int, far: int, offset: int) -> int:
    """The smallest distance of a cell's neighbours from a border of a colour."""
    side = int(state[layout.SIDE])
    field = field_of(colour, far)
    border = EDGE | far * FAR | colour
    nearest = UNREACHABLE
    for direction in range(6):
        near = offset + int(STEP[side, direction])
        content = int(state[near])
        if content == border:
            return 0
        if content & EDGE == 0:  # The other colour's stones are _UNVISITED.
            nearest = min(nearest, int(buffer[field + near]))
    return nearest
