"""What seats may not see: ``conceal``, and its counterpart ``resample`` (R4.2, R7.2, R7.3)."""

from __future__ import annotations

from watermeet.core.contract import RandomArray, StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below
from watermeet.games.flows.layout import (
    BAG,
    FINISHED,
    HELD,
    HELD_OPEN,
    MOVER,
    NO_TILE,
    OPEN_TILE,
    SEATS,
    STAGE,
    TILE,
    TILE_OPEN,
    UNKNOWN,
)
from watermeet.games.flows.placements import mark_placements
from watermeet.games.flows.routes import ROOM
from watermeet.games.flows.tiles import ALL_FILLINGS, TYPES

ANY_TYPE = (1 << TYPES) - 1


@kernel
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Makes hidden tiles UNKNOWN, and counts them to those that are face down."""
    copy_state(state, out)
    if state[OPEN_TILE]:
        return
    if state[MOVER] != seat and state[STAGE] != FINISHED and not state[TILE_OPEN]:
        _hide(out, TILE)
    for other in range(int(state[SEATS])):
        if other != seat and not state[HELD_OPEN + other]:
            _hide(out, HELD + other)


@kernel
def _hide(state: StateArray, place: int) -> None:
    if state[place] not in (NO_TILE, UNKNOWN):
        state[BAG + int(state[place]) - 1] += 1
        state[place] = UNKNOWN


@kernel
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Draws every unknown tile from those that are unseen.

    Of the mover's tile it is known that it can be laid: otherwise the match would be over (R4.3).
    """
    copy_state(concealed, out)
    if out[TILE] == UNKNOWN:
        _draw_unknown(out, TILE, playable_types(concealed), rng)
    for other in range(int(out[SEATS])):
        if out[HELD + other] == UNKNOWN:
            _draw_unknown(out, HELD + other, ANY_TYPE, rng)


@kernel
def playable_types(state: StateArray) -> int:
    """The types of which a tile could be laid somewhere, as bits."""
    room = scratch(ROOM)
    types = 0
    for kind in range(TYPES):
        if state[BAG + kind] > 0 and mark_placements(state, int(ALL_FILLINGS[kind]), True, room):
            types |= 1 << kind
    return types


@kernel
def _draw_unknown(state: StateArray, place: int, types: int, rng: RandomArray) -> None:
    """Puts a tile of one of the types in a place, each unseen tile being equally likely."""
    unseen = 0
    for kind in range(TYPES):
        if (types >> kind) & 1:
            unseen += int(state[BAG + kind])
    left = next_below(rng, unseen)
    for kind in range(TYPES):
        if (types >> kind) & 1:
            if left < state[BAG + kind]:
                state[place] = 1 + kind
                state[BAG + kind] -= 1
                return
            left -= int(state[BAG + kind])
