"""A heuristic for trades: which tiles to keep, and which to set aside next."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.legal_actions import aside_count, is_new_tile
from watermeet.games.qwirkle.tiles import colour_set, hand_kinds, shape_set, size_of

NO_SLOT = -1


@kernel
def worth_keeping(kinds: int) -> int:
    """The largest subset of kinds that shares a colour or a shape."""
    kept, largest = 0, 0
    for index in range(6):
        for group in (colour_set(6 * index), shape_set(index)):
            size = size_of(kinds & group)
            if size > largest:
                kept, largest = kinds & group, size
    return kept


@kernel
def slot_to_trade(state: StateArray) -> int:
    """The slot of the tile to set aside next, or NO_SLOT to stop.

    Tiles outside the largest set go, and so do duplicates; if there are none, the first tile goes.
    """
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    aside = aside_count(state)
    if aside >= state[layout.BAG_LEFT]:
        return NO_SLOT
    least = int(state[layout.ASIDE + aside - 1]) if aside > 0 else 0
    kept = worth_keeping(hand_kinds(state, int(state[layout.MOVER])))
    for slot in range(layout.HAND):
        tile = int(state[hand + slot])
        if tile <= 0 or tile < least or not is_new_tile(state, hand, slot):
            continue
        is_double = slot + 1 < layout.HAND and state[hand + slot + 1] == tile
        if is_double or (kept >> (tile - 1)) & 1 == 0:
            return slot
    return 0 if aside == 0 else NO_SLOT
