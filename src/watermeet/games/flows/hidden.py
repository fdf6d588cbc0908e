"""Hidden information: ``conceal`` and its counterpart ``resample`` (R4.2, R7.2, R7.3)."""

from __future__ import annotations

from watermeet.core.contract import RandomArray, StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below
from watermeet.games.flows import layout
from watermeet.games.flows.placements import mark_placements
from watermeet.games.flows.route_buffer import SEARCH_SIZE
from watermeet.games.flows.tiles import ORIENTATIONS_OF_TYPE, TYPES

ANY_TYPE = (1 << TYPES) - 1


@kernel
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Makes hidden tiles UNKNOWN, and counts them among those that are face down."""
    copy_state(state, out)
    if state[layout.OPEN_TILE]:
        return
    if (
        state[layout.MOVER] != seat
        and state[layout.STAGE] != layout.FINISHED
        and not state[layout.TILE_OPEN]
    ):
        _hide(out, layout.TILE)
    for other in range(int(state[layout.SEATS])):
        if other != seat and not state[layout.HELD_OPEN + other]:
            _hide(out, layout.HELD + other)


@kernel
def _hide(state: StateArray, place: int) -> None:
    if state[place] not in (layout.NO_TILE, layout.UNKNOWN):
        state[layout.BAG + int(state[place]) - 1] += 1
        state[place] = layout.UNKNOWN


@kernel
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Draws every unknown tile from the unseen ones.

    The mover's tile is known to be playable: otherwise the match would be over (R4.3).
    """
    copy_state(concealed, out)
    if out[layout.TILE] == layout.UNKNOWN:
        _draw_unknown(out, layout.TILE, playable_types(concealed), rng)
    for other in range(int(out[layout.SEATS])):
        if out[layout.HELD + other] == layout.UNKNOWN:
            _draw_unknown(out, layout.HELD + other, ANY_TYPE, rng)


@kernel
def playable_types(state: StateArray) -> int:
    """The types of tiles that can be placed somewhere, as bits."""
    search = scratch(SEARCH_SIZE)
    types = 0
    for kind in range(TYPES):
        if state[layout.BAG + kind] > 0 and mark_placements(
            state, int(ORIENTATIONS_OF_TYPE[kind]), True, search
        ):
            types |= 1 << kind
    return types


@kernel
def _draw_unknown(state: StateArray, place: int, types: int, rng: RandomArray) -> None:
    """Writes a tile of one of the types to ``place``; each unseen tile is equally likely."""
    unseen = 0
    for kind in range(TYPES):
        if (types >> kind) & 1:
            unseen += int(state[layout.BAG + kind])
    left = next_below(rng, unseen)
    for kind in range(TYPES):
        if (types >> kind) & 1:
            if left < state[layout.BAG + kind]:
                state[place] = 1 + kind
                state[layout.BAG + kind] -= 1
                return
            left -= int(state[layout.BAG + kind])
