"""What seats may not see of each other: ``conceal``, and its counterpart ``resample``.

Hidden are the tiles in other hands, those that another seat has set aside, and what is in the bag.
How many they are is public, and so is, for everybody who counts, how many of each kind are unseen.
"""

from __future__ import annotations

from watermeet.core.contract import RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below
from watermeet.games.qwirkle.layout import (
    ASIDE,
    BAG,
    COUNT,
    FULL,
    HAND,
    HANDS,
    KINDS,
    LAID,
    LOT,
    MOVER,
    RANDOM,
    STAGE,
    TIE,
    TIED,
    TILES,
    TURN,
    UNKNOWN,
    YOUNGEST,
)
from watermeet.games.qwirkle.tiles import (
    add_tile,
    hand_kinds,
    is_part_of_largest,
    strongest_seats,
)

MOST_DEALS = 1 << 17
"""How many deals ``resample`` tries for one that makes the right seat begin."""


@kernel
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Makes hidden tiles UNKNOWN, and counts them to those in the bag."""
    copy_state(state, out)
    for place in range(HANDS, ASIDE + HAND):
        if out[place] > 0 and not _is_seen(state, seat, place):
            out[BAG + int(out[place]) - 1] += 1
            out[place] = UNKNOWN


@kernel
def _is_seen(state: StateArray, seat: int, place: int) -> bool:
    """Whether a seat sees what lies in a place of the hands, or among what is set aside."""
    if place >= ASIDE:
        return bool(state[MOVER] == seat)
    return (place - HANDS) // HAND == seat


@kernel
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Deals the unseen tiles anew to the hidden places; the rest is in the bag.

    Every deal is as likely: it is a matter of what lies open and of counts. What may be guessed
    from how others play is left to those who guess. During the first turn only deals count that
    make this seat begin (R3.1), for everybody knows that it did; such deals are found by trying.
    After MOST_DEALS tries any deal is taken. That takes a hand of six in one colour or shape, which
    comes up once in some 200,000 hands, at a seat that did not begin.
    """
    for _ in range(MOST_DEALS):
        _deal_hidden(concealed, rng, out)
        if is_beginning_kept(out):
            return


@kernel
def _deal_hidden(concealed: StateArray, rng: RandomArray, out: StateArray) -> None:
    """Fills each hidden place with one of the unseen tiles, each as likely."""
    copy_state(concealed, out)
    unseen = 0
    for kind in range(KINDS):
        unseen += int(out[BAG + kind])
    for group in range(HANDS, ASIDE + HAND, HAND):
        hidden = 0
        for place in range(group, group + HAND):
            if out[place] == UNKNOWN:
                out[place] = 0
                hidden += 1
        for _ in range(hidden):
            drawn = next_below(rng, unseen)
            kind = 0
            while drawn >= out[BAG + kind]:
                drawn -= int(out[BAG + kind])
                kind += 1
            out[BAG + kind] -= 1
            unseen -= 1
            add_tile(out, group, kind + 1)


@kernel
def is_beginning_kept(state: StateArray) -> bool:
    """Whether the hands let the mover begin, as long as this is the first turn; else true."""
    stage = state[STAGE]
    if not (stage == LOT or (stage == TURN and state[COUNT] == state[LAID])):
        return True
    mover = int(state[MOVER])
    laid = 0
    for tile in range(int(state[COUNT])):
        laid |= 1 << (int(state[TILES + tile]) - 1)
    if state[FULL] != 0 and not is_part_of_largest(laid, hand_kinds(state, mover) | laid):
        return False
    tied = strongest_seats(state, laid, mover)
    if state[TIE] == RANDOM:
        expected = int(state[TIED]) if state[TIED] != 0 else 1 << mover
        return tied == expected
    is_among = (tied >> mover) & 1 != 0
    if state[TIE] == YOUNGEST:
        return is_among and tied >> (mover + 1) == 0
    return is_among and tied & ((1 << mover) - 1) == 0
