"""Hidden information: ``conceal`` and its counterpart ``resample``.

Other hands, the tiles another seat has set aside, and the bag are hidden. How many tiles they hold
is public, and so is the number of unseen tiles of each kind.
"""

from __future__ import annotations

from watermeet.core.contract import RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.tiles import (
    add_tile,
    hand_kinds,
    is_part_of_largest,
    seats_with_largest_set,
)

MAX_DEALS = 1 << 17
"""How many deals ``resample`` tries to find one that makes the right seat begin."""


@kernel
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Replace hidden tiles by UNKNOWN, and count them with those in the bag."""
    copy_state(state, out)
    for slot in range(layout.HANDS, layout.ASIDE + layout.HAND):
        if out[slot] > 0 and not _is_seen(state, seat, slot):
            out[layout.BAG + int(out[slot]) - 1] += 1
            out[slot] = layout.UNKNOWN


@kernel
def _is_seen(state: StateArray, seat: int, slot: int) -> bool:
    """Whether a seat sees the tile in a slot of a hand, or of the tiles set aside."""
    if slot >= layout.ASIDE:
        return bool(state[layout.MOVER] == seat)
    return (slot - layout.HANDS) // layout.HAND == seat


@kernel
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Deal the unseen tiles to the hidden slots at random; the rest stay in the bag.

    Every deal that fits the public information is equally likely; nothing is inferred from how
    others play. During the first turn only deals that make the mover begin are kept (R3.1), by
    rejection sampling. After MAX_DEALS attempts any deal is accepted; that needs a hand of six in
    one colour or shape, one in some 200,000, at a seat that did not begin.
    """
    for _ in range(MAX_DEALS):
        _deal_hidden(concealed, rng, out)
        if is_first_player_consistent(out):
            return


@kernel
def _deal_hidden(concealed: StateArray, rng: RandomArray, out: StateArray) -> None:
    """Fill each hidden slot with an unseen tile, uniformly at random."""
    copy_state(concealed, out)
    unseen = 0
    for kind in range(layout.KINDS):
        unseen += int(out[layout.BAG + kind])
    for group in range(layout.HANDS, layout.ASIDE + layout.HAND, layout.HAND):
        hidden = 0
        for slot in range(group, group + layout.HAND):
            if out[slot] == layout.UNKNOWN:
                out[slot] = 0
                hidden += 1
        for _ in range(hidden):
            drawn = next_below(rng, unseen)
            kind = 0
            while drawn >= out[layout.BAG + kind]:
                drawn -= int(out[layout.BAG + kind])
                kind += 1
            out[layout.BAG + kind] -= 1
            unseen -= 1
            add_tile(out, group, kind + 1)


@kernel
def is_first_player_consistent(state: StateArray) -> bool:
    """Whether the hands make the mover begin; always true after the first turn."""
    stage = state[layout.STAGE]
    if not (
        stage == layout.TIEBREAK
        or (stage == layout.TURN and state[layout.COUNT] == state[layout.LAID])
    ):
        return True
    mover = int(state[layout.MOVER])
    laid = 0
    for tile in range(int(state[layout.COUNT])):
        laid |= 1 << (int(state[layout.TILES + tile]) - 1)
    if state[layout.FULL] != 0 and not is_part_of_largest(laid, hand_kinds(state, mover) | laid):
        return False
    tied = seats_with_largest_set(state, laid, mover)
    if state[layout.TIE] == layout.RANDOM:
        expected = int(state[layout.TIED]) if state[layout.TIED] != 0 else 1 << mover
        return tied == expected
    is_among = (tied >> mover) & 1 != 0
    if state[layout.TIE] == layout.YOUNGEST:
        return is_among and tied >> (mover + 1) == 0
    return is_among and tied & ((1 << mover) - 1) == 0
