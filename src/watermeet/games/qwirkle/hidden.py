"""What seats may not see of each other: ``conceal``, and its counterpart ``resample``.

Hidden are the tiles in other hands, those that another seat has set aside, and what is in the bag.
How many they are is public, and so is, for everybody who counts, how many of each kind are unseen.
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
"""How many deals ``resample`` tries for one that makes the right seat begin."""


@kernel
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Makes hidden tiles UNKNOWN, and counts them to those in the bag."""
    copy_state(state, out)
    for slot in range(layout.HANDS, layout.ASIDE + layout.HAND):
        if out[slot] > 0 and not _is_seen(state, seat, slot):
            out[layout.BAG + int(out[slot]) - 1] += 1
            out[slot] = layout.UNKNOWN


@kernel
def _is_seen(state: StateArray, seat: int, slot: int) -> bool:
    """Whether a seat sees what lies in a place of the hands, or among what is set aside."""
    if slot >= layout.ASIDE:
        return bool(state[layout.MOVER] == seat)
    return (slot - layout.HANDS) // layout.HAND == seat


@kernel
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Deals the unseen tiles anew to the hidden places; the rest is in the bag.

    Every deal is as likely: it is a matter of what lies open and of counts. What may be guessed
    from how others play is left to those who guess. During the first turn only deals count that
    make this seat begin (R3.1), for everybody knows that it did; such deals are found by trying.
    After MOST_DEALS tries any deal is taken. That takes a hand of six in one colour or shape, which
    comes up once in some 200,000 hands, at a seat that did not begin.
    """
    for _ in range(MAX_DEALS):
        _deal_hidden(concealed, rng, out)
        if is_first_player_consistent(out):
            return


@kernel
def _deal_hidden(concealed: StateArray, rng: RandomArray, out: StateArray) -> None:
    """Fills each hidden place with one of the unseen tiles, each as likely."""
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
    """Whether the hands let the mover begin, as long as this is the first turn; else true."""
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
