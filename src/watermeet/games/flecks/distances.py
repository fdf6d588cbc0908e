"""How far each colour is from joining its borders: the fields of distances that judgement reads.

A colour's distance to a cell from one of its borders is the fewest free cells on a way there, the
cell itself included; own stones cost nothing, and stones of the other colour stop it. What two such
fields say together of a cell is the *detour*: how many free cells more than the fewest a chain
takes that goes through it. A detour of 0 lies on a shortest chain.

All work is done in a room, an array of ``scratch(ROOM)``:

    0 ...              four fields, by colour and border; places are their indices
    _QUEUE ...         two lists of places: those as far away as the one looked at, and the next
    SHORTEST ...       by colour: how many free cells its shortest chain takes
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import LARGEST_SIDE
from watermeet.core.hexgrid import cells as cells_of
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flecks.board import (
    BLUE,
    CELLS,
    EDGE,
    FAR,
    FREE,
    PLACE_OF,
    QUARTERS,
    RED,
    SIDES,
    STEP,
    borders_of,
    place_of,
    sides,
    stride,
    touched_borders,
)
from watermeet.games.flecks.rules import BORDER, SIDE, cell_count

_FIELD = CELLS + stride(LARGEST_SIDE) ** 2
"""A field's length: places are its indices, as they are a state's."""
_QUEUE = 4 * _FIELD
_LIST = len(cells_of(LARGEST_SIDE))
SHORTEST = _QUEUE + 2 * _LIST
ROOM = SHORTEST + 3
NEVER = 1000
"""The distance to where no way leads."""
_UNSEEN = 2 * NEVER


def _rim_table() -> npt.NDArray[np.int16]:
    table = np.zeros((2, LARGEST_SIDE + 1, 3, 2, stride(LARGEST_SIDE) + 1), dtype=np.int16)
    for border in (QUARTERS, SIDES):
        for side in sides():
            for colour, parts in borders_of(side, border).items():
                for far in range(len(parts)):
                    touching = [
                        place_of(cell, side)
                        for cell in cells_of(side)
                        if touched_borders(cell, side, border, colour)[far]
                    ]
                    row = table[border, side, colour, far]
                    row[0] = len(touching)
                    row[1 : len(touching) + 1] = touching
    return table


RIM = _rim_table()
"""[border, side, colour, far]: how many cells lie at that border, and their places."""


@kernel
def field_of(colour: int, far: int) -> int:
    """Where the distances of a colour from its first or its second border begin in a room."""
    return ((colour - RED) * 2 + far) * _FIELD


@kernel
def survey(state: StateArray, room: Scratch) -> None:
    """Writes the fields of both colours, and how short their shortest chains are."""
    for colour in range(RED, BLUE + 1):
        survey_colour(state, room, colour)


@kernel
def survey_colour(state: StateArray, room: Scratch, colour: int) -> None:
    """Writes the fields of one colour, and how short its shortest chain is."""
    spread(state, room, colour, 0, NEVER)
    spread(state, room, colour, 1, NEVER)
    side = int(state[SIDE])
    first, second = field_of(colour, 0), field_of(colour, 1)
    shortest = NEVER
    for number in range(cell_count(side)):
        place = int(PLACE_OF[side, number])
        through = int(room[first + place]) + int(room[second + place])
        shortest = min(shortest, through - int(state[place] == FREE))
    room[SHORTEST + colour] = shortest


@kernel
def spread(state: StateArray, room: Scratch, colour: int, far: int, most: int) -> None:
    """Writes the distances of a colour from one of its borders, as far as they are at most so long.

    Whatever is farther away, or out of reach, is _UNSEEN.
    """
    side = int(state[SIDE])
    field = field_of(colour, far)
    for number in range(cell_count(side)):
        room[field + int(PLACE_OF[side, number])] = _UNSEEN
    now, after = _QUEUE, _QUEUE + _LIST
    distance, count, later = 0, 0, 0
    rim = RIM[int(state[BORDER]), side, colour, far]
    for index in range(1, int(rim[0]) + 1):
        count, later = _see(
            state, room, field, colour, int(rim[index]), 0, now, count, after, later
        )
    while count + later > 0 and distance <= most:
        looked = 0
        while looked < count:
            place = int(room[now + looked])
            looked += 1
            for direction in range(6):
                near = place + int(STEP[side, direction])
                count, later = _see(
                    state, room, field, colour, near, distance, now, count, after, later
                )
        now, after = after, now
        count, later = later, 0
        distance += 1


@kernel
def _see(
    state: StateArray,
    room: Scratch,
    field: int,
    colour: int,
    place: int,
    distance: int,
    now: int,
    count: int,
    after: int,
    later: int,
) -> tuple[int, int]:
    """Notes and lists a cell beside one at a distance; returns how long the two lists are then."""
    content = int(state[place])
    if content == FREE and room[field + place] == _UNSEEN:
        room[field + place] = distance + 1
        room[after + later] = place
        later += 1
    elif content == colour and room[field + place] == _UNSEEN:
        room[field + place] = distance
        room[now + count] = place
        count += 1
    return count, later


@kernel
def lacks_at_most(state: StateArray, room: Scratch, colour: int, most: int) -> bool:
    """Whether a colour lacks no more than so many free cells; overwrites its first field."""
    spread(state, room, colour, 0, most)
    rim = RIM[int(state[BORDER]), int(state[SIDE]), colour, 1]
    for index in range(1, int(rim[0]) + 1):
        if room[field_of(colour, 0) + int(rim[index])] <= most:
            return True
    return False


@kernel
def detour(state: StateArray, room: Scratch, colour: int, place: int) -> int:
    """How many free cells more than the fewest a colour's chain takes through a cell.

    A stone of the other colour counts as if it were a free cell: then it may be less than 0.
    """
    content = int(state[place])
    if content != RED + BLUE - colour:
        first, second = field_of(colour, 0) + place, field_of(colour, 1) + place
        through = int(room[first]) + int(room[second]) - int(content == FREE)
    else:
        through = 1 + _nearest(state, room, colour, 0, place)
        through += _nearest(state, room, colour, 1, place)
    return min(NEVER, through) - int(room[SHORTEST + colour])


@kernel
def _nearest(state: StateArray, room: Scratch, colour: int, far: int, place: int) -> int:
    """The least distance of a cell's neighbours from a border of a colour."""
    side = int(state[SIDE])
    field = field_of(colour, far)
    border = EDGE | far * FAR | colour
    nearest = NEVER
    for direction in range(6):
        near = place + int(STEP[side, direction])
        content = int(state[near])
        if content == border:
            return 0
        if content & EDGE == 0:  # The other colour's stones are _UNSEEN.
            nearest = min(nearest, int(room[field + near]))
    return nearest
