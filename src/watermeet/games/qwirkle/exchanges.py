"""Which tiles of a hand are kept in an exchange, and which are set aside next."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle.choices import aside_count, is_new_tile
from watermeet.games.qwirkle.layout import ASIDE, BAG_LEFT, HAND, HANDS, MOVER
from watermeet.games.qwirkle.tiles import colour_set, hand_kinds, shape_set, size_of

NO_PLACE = -1


@kernel
def worth_keeping(kinds: int) -> int:
    """The largest part of some kinds that has one colour or one shape."""
    kept, largest = 0, 0
    for index in range(6):
        for group in (colour_set(6 * index), shape_set(index)):
            size = size_of(kinds & group)
            if size > largest:
                kept, largest = kinds & group, size
    return kept


@kernel
def place_to_trade(state: StateArray) -> int:
    """The place in the mover's hand of the tile to set aside next, or NO_PLACE if it is enough.

    What does not belong to the largest set goes, and so do second copies; if that is nothing, the
    first tile does.
    """
    hand = HANDS + HAND * int(state[MOVER])
    aside = aside_count(state)
    if aside >= state[BAG_LEFT]:
        return NO_PLACE
    least = int(state[ASIDE + aside - 1]) if aside > 0 else 0
    kept = worth_keeping(hand_kinds(state, int(state[MOVER])))
    for place in range(HAND):
        tile = int(state[hand + place])
        if tile <= 0 or tile < least or not is_new_tile(state, hand, place):
            continue
        is_double = place + 1 < HAND and state[hand + place + 1] == tile
        if is_double or (kept >> (tile - 1)) & 1 == 0:
            return place
    return 0 if aside == 0 else NO_PLACE
