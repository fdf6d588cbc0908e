"""Sets of tiles: which kinds fit together, and whose hand begins.

A set of kinds is a bit set of 36 bits. The grid is none of this module's business.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout

EVERY_KIND = (1 << 36) - 1
_ONE_COLOUR = 0b111111  # The kinds of the first colour,
_ONE_SHAPE = 0b000001_000001_000001_000001_000001_000001  # and those of the first shape.


@kernel
def colour_set(kind: int) -> int:
    """The six kinds that have this one's colour."""
    return _ONE_COLOUR << (kind // 6 * 6)


@kernel
def shape_set(kind: int) -> int:
    """The six kinds that have this one's shape."""
    return _ONE_SHAPE << (kind % 6)


@kernel
def fitting(line: int, kind: int) -> int:
    """The kinds that can join a line of distinct kinds that includes ``kind`` (R5.2).

    Empty if the line shares neither a colour nor a shape.
    """
    fits = 0
    colour, shape = colour_set(kind), shape_set(kind)
    if line & ~colour == 0:
        fits |= colour
    if line & ~shape == 0:
        fits |= shape
    return fits & ~line


@kernel
def size_of(kinds: int) -> int:
    """The number of kinds in a set."""
    size = 0
    while kinds != 0:
        kinds &= kinds - 1
        size += 1
    return size


@kernel
def largest_set(kinds: int) -> int:
    """The size of the largest subset that shares a colour or a shape (R3.1)."""
    largest = 0
    for index in range(6):
        largest = max(largest, size_of(kinds & colour_set(6 * index)))
        largest = max(largest, size_of(kinds & shape_set(index)))
    return largest


@kernel
def is_part_of_largest(part: int, kinds: int) -> bool:
    """Whether some largest set among these kinds includes all of ``part`` (R9.1)."""
    largest = largest_set(kinds)
    for index in range(6):
        colour, shape = colour_set(6 * index), shape_set(index)
        if part & ~colour == 0 and size_of(kinds & colour) == largest:
            return True
        if part & ~shape == 0 and size_of(kinds & shape) == largest:
            return True
    return False


@kernel
def hand_size(state: StateArray, seat: int) -> int:
    """The number of tiles a seat holds, known or not."""
    size = 0
    for slot in range(
        layout.HANDS + layout.HAND * seat, layout.HANDS + layout.HAND * seat + layout.HAND
    ):
        size += int(state[slot] != 0)
    return size


@kernel
def hand_kinds(state: StateArray, seat: int) -> int:
    """The kinds in a seat's hand, as a set; duplicates count once."""
    kinds = 0
    for slot in range(
        layout.HANDS + layout.HAND * seat, layout.HANDS + layout.HAND * seat + layout.HAND
    ):
        tile = int(state[slot])
        if tile > 0:
            kinds |= 1 << (tile - 1)
    return kinds


@kernel
def add_tile(state: StateArray, first: int, tile: int) -> None:
    """Insert a tile in order into the six slots from ``first``, one of which must be free."""
    slot = first + layout.HAND - 1
    while slot > first and (state[slot - 1] == 0 or state[slot - 1] > tile):
        state[slot] = state[slot - 1]
        slot -= 1
    state[slot] = tile


@kernel
def take_tile(state: StateArray, first: int, slot: int) -> int:
    """Remove and return the tile in a slot of the six from ``first``; later tiles move up."""
    tile = int(state[first + slot])
    for index in range(first + slot, first + layout.HAND - 1):
        state[index] = state[index + 1]
    state[first + layout.HAND - 1] = 0
    return tile


@kernel
def seats_with_largest_set(state: StateArray, laid: int, mover: int) -> int:
    """Bit mask of the seats with the largest set (R3.1); the mover held the ``laid`` kinds too."""
    best, seats = 0, 0
    for seat in range(int(state[layout.SEATS])):
        kinds = hand_kinds(state, seat)
        if seat == mover:
            kinds |= laid
        size = largest_set(kinds)
        if size > best:
            best, seats = size, 0
        if size == best:
            seats |= 1 << seat
    return seats
