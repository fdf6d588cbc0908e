"""Tiles and sets of tiles: which fit together, and which hand may begin.

A set of kinds is a number of 36 bits, kind k being bit k. Nothing here knows where tiles lie.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout

EVERY_KIND = (1 << 36) - 1
_ONE_COLOUR = 0b111111  # The six kinds of the first colour,
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
    """The kinds that can join a line of these different kinds, of which ``kind`` is one (R5.2).

    None if the line is neither of one colour nor of one shape.
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
    """How many kinds a set holds."""
    size = 0
    while kinds != 0:
        kinds &= kinds - 1
        size += 1
    return size


@kernel
def largest_set(kinds: int) -> int:
    """The most of these kinds that share a colour or a shape (R3.1)."""
    largest = 0
    for index in range(6):
        largest = max(largest, size_of(kinds & colour_set(6 * index)))
        largest = max(largest, size_of(kinds & shape_set(index)))
    return largest


@kernel
def is_part_of_largest(part: int, kinds: int) -> bool:
    """Whether some largest set among these kinds holds the whole part (R9.1)."""
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
    """How many tiles a seat holds, known or not."""
    size = 0
    for slot in range(
        layout.HANDS + layout.HAND * seat, layout.HANDS + layout.HAND * seat + layout.HAND
    ):
        size += int(state[slot] != 0)
    return size


@kernel
def hand_kinds(state: StateArray, seat: int) -> int:
    """The kinds in a seat's hand, as a set: what is twice there counts once."""
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
    """Puts a tile in its order among the six places from ``first`` on, which have room for it."""
    slot = first + layout.HAND - 1
    while slot > first and (state[slot - 1] == 0 or state[slot - 1] > tile):
        state[slot] = state[slot - 1]
        slot -= 1
    state[slot] = tile


@kernel
def take_tile(state: StateArray, first: int, slot: int) -> int:
    """Takes the tile at a place, counted from ``first``, out of six; those behind it move up."""
    tile = int(state[first + slot])
    for index in range(first + slot, first + layout.HAND - 1):
        state[index] = state[index + 1]
    state[first + layout.HAND - 1] = 0
    return tile


@kernel
def seats_with_largest_set(state: StateArray, laid: int, mover: int) -> int:
    """The seats with the largest set, as bits (R3.1); the mover's hand had the laid kinds too."""
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
