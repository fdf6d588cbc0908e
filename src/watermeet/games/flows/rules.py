"""The rules of Flows as kernels. Paragraphs (R2.1 ...) are those of RULES.md beside this file.

The state's layout and the numbers of actions are in layout.py; tiles and board as tables in
tiles.py and board.py; who sits where in seating.py; where strands lead in strands.py; the solver of
the legality rule in routes.py, and its use in placements.py; the supermove in exchanges.py; what
seats may not see of each other in hidden.py.
"""

from __future__ import annotations

from typing import NamedTuple

from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
)
from watermeet.core.kernel import kernel, scratch
from watermeet.core.rng import next_below
from watermeet.games.flows.board import AXES
from watermeet.games.flows.exchanges import lay_all_but, list_exchanges, mover_axis
from watermeet.games.flows.hidden import conceal, resample
from watermeet.games.flows.layout import (
    BAG,
    BY_ROUTE,
    CELLS,
    CHOOSE,
    CHOSEN,
    DEAL,
    DRAW,
    EXCHANGES,
    FINISHED,
    FIRST,
    FOLLOW,
    FULL,
    HELD,
    HELD_OPEN,
    HOLD_TILE,
    LEGALITY,
    LOT,
    MIX,
    MOVER,
    NO_TILE,
    OFF,
    OPEN_TILE,
    PLACE,
    RADIUS,
    SEATS,
    SIDE_OF,
    SIDES_OPTION,
    STAGE,
    SUPERMOVE,
    SUPERMOVE_ANY,
    TILE,
    TILE_OPEN,
    UNKNOWN,
    WINNERS,
    draw_base,
    ends_at,
    exchange_base,
    first_base,
    routes_at,
    side_base,
)
from watermeet.games.flows.placements import (
    cells_of,
    fillings_in_hand,
    mark_placements,
    may_be_laid,
    renew_witness,
)
from watermeet.games.flows.routes import MARKS, ROOM
from watermeet.games.flows.seating import (
    axes_taken,
    begin_turns,
    list_sides,
    pass_turn_on,
    take_set_sides,
    take_side,
)
from watermeet.games.flows.strands import axes_joined_by, lay_strands
from watermeet.games.flows.tiles import FILLINGS, FIRST_FILLING, KIND_OF_FILLING, TYPES

__all__ = [
    "apply", "chance", "conceal", "legal", "rebuild_cache", "resample", "sample_action", "score",
    "setup", "to_move",
]  # fmt: skip

_TRIES = 24
"""How many placements ``draw`` tries at random before it lists all legal ones."""


class Options(NamedTuple):
    """The declared options, as integers."""

    seats: int
    sides: int
    open_tile: int
    hold_tile: int
    legality: int
    supermove: int
    supermove_any: int
    radius: int
    mix0: int
    mix1: int
    mix2: int
    mix3: int


@kernel
def setup(state: StateArray, options: Options) -> None:
    """An empty board before the lot."""
    state[SEATS] = options.seats
    state[SIDES_OPTION] = options.sides
    state[OPEN_TILE] = options.open_tile
    state[HOLD_TILE] = options.hold_tile
    state[LEGALITY] = options.legality
    state[SUPERMOVE] = options.supermove
    state[SUPERMOVE_ANY] = options.supermove_any
    state[RADIUS] = options.radius
    state[MIX] = options.mix0
    state[MIX + 1] = options.mix1
    state[MIX + 2] = options.mix2
    state[MIX + 3] = options.mix3
    ratio = 0
    for kind in range(TYPES):
        ratio += int(state[MIX + kind])
    parts = (cells_of(state) + ratio - 1) // ratio
    for kind in range(TYPES):
        state[BAG + kind] = int(state[MIX + kind]) * parts  # R1.7, R7.11
    if state[SIDES_OPTION] != CHOSEN:
        take_set_sides(state)
    state[STAGE] = LOT
    rebuild_cache(state)


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Writes the strands and a witness from the tiles that lie."""
    lay_all_but(state, -1, state, ends_at(state))
    _forget_witness(state)
    renew_witness(state, -1, 0)


@kernel
def to_move(state: StateArray) -> int:
    """The seat that takes a side or lays a tile; CHANCE for lots and draws."""
    stage = state[STAGE]
    if stage in (CHOOSE, PLACE, FOLLOW):
        return int(state[MOVER])
    return OVER if stage == FINISHED else CHANCE


# ---- what can be played -----------------------------------------------------------------------


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """Placements and exchanges, sides to take, or what chance can draw."""
    stage = state[STAGE]
    if stage == FINISHED:
        return 0
    if stage == LOT:
        for seat in range(int(state[SEATS])):
            out[seat] = first_base(state) + seat  # R3.1
        return int(state[SEATS])
    if stage == CHOOSE:
        return list_sides(state, out)
    if stage in (DEAL, DRAW):
        return _list_draws(state, out)
    fillings = fillings_in_hand(state)
    count = _list_placements(state, fillings, out)
    if stage == PLACE and state[SUPERMOVE] != OFF:
        return list_exchanges(state, fillings, out, count)
    return count


@kernel
def _list_draws(state: StateArray, out: ActionArray) -> int:
    count = 0
    for kind in range(TYPES):
        if state[BAG + kind] > 0:
            out[count] = draw_base(state) + kind
            count += 1
    return count


@kernel
def _list_placements(state: StateArray, fillings: int, out: ActionArray) -> int:
    room = scratch(ROOM)
    mark_placements(state, fillings, False, room)
    count = 0
    for cell in range(cells_of(state)):
        for filling in range(FILLINGS):
            if (int(room[MARKS + cell]) >> filling) & 1:
                out[count] = FILLINGS * cell + filling
                count += 1
    return count


@kernel
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A legal action at random: usually one of the first placements that it tries is legal."""
    if state[STAGE] == PLACE and state[SUPERMOVE] == OFF and state[TILE] != UNKNOWN:
        empty = 0
        for cell in range(cells_of(state)):
            if state[CELLS + cell] == 0:
                actions[empty] = cell
                empty += 1
        kind = int(state[TILE]) - 1
        turns = int(FIRST_FILLING[kind + 1]) - int(FIRST_FILLING[kind])
        for _ in range(_TRIES):
            number = next_below(rng, empty * turns)
            cell, filling = int(actions[number // turns]), int(FIRST_FILLING[kind]) + number % turns
            if may_be_laid(state, cell, filling):
                return FILLINGS * cell + filling
    return int(actions[next_below(rng, legal(state, actions))])


# ---- playing ----------------------------------------------------------------------------------


@kernel
def apply(state: StateArray, action: int) -> None:
    """Lays or exchanges a tile, takes a side, draws."""
    if action < exchange_base(state):
        _lay_tile(state, action // FILLINGS, action % FILLINGS)
    elif action < draw_base(state):
        number = action - exchange_base(state)
        _exchange_tile(state, number // FILLINGS, number % FILLINGS)
    elif action < first_base(state):
        _draw_tile(state, action - draw_base(state))
    elif action < side_base(state):
        state[FIRST] = action - first_base(state)
        state[MOVER] = state[FIRST]
        if state[SIDES_OPTION] == CHOSEN:
            state[STAGE] = CHOOSE
        else:
            _begin_play(state)
    elif not take_side(state, action - side_base(state)):
        renew_witness(state, -1, 0)
        _begin_play(state)


@kernel
def _begin_play(state: StateArray) -> None:
    begin_turns(state)
    if state[HOLD_TILE]:
        state[STAGE] = DEAL  # R7.3
    else:
        state[STAGE] = DRAW  # R4.1


@kernel
def _draw_tile(state: StateArray, kind: int) -> None:
    state[BAG + kind] -= 1
    mover = int(state[MOVER])
    if not state[HOLD_TILE]:
        state[TILE] = 1 + kind
        _look_at_tile(state)
        return
    state[HELD + mover] = 1 + kind
    if state[STAGE] == DEAL:
        state[MOVER] = (mover + 1) % int(state[SEATS])
        if state[MOVER] == state[FIRST]:
            _begin_turn(state)
    else:
        pass_turn_on(state)
        _begin_turn(state)


@kernel
def _begin_turn(state: StateArray) -> None:
    """Has the mover draw, or take the tile held."""
    if state[HOLD_TILE]:
        while state[HELD + int(state[MOVER])] == NO_TILE and _somebody_holds(state):
            pass_turn_on(state)
    if state[SUPERMOVE] != OFF and _is_full(state):
        _end_by_tile(state)  # R7.9
        return
    if not state[HOLD_TILE]:
        state[STAGE] = DRAW
        return
    mover = int(state[MOVER])
    state[TILE], state[TILE_OPEN] = state[HELD + mover], state[HELD_OPEN + mover]
    state[HELD + mover], state[HELD_OPEN + mover] = NO_TILE, 0
    _look_at_tile(state)


@kernel
def _somebody_holds(state: StateArray) -> bool:
    held = 0
    for seat in range(int(state[SEATS])):
        held += int(state[HELD + seat] != NO_TILE)
    return held > 0


@kernel
def _is_full(state: StateArray) -> bool:
    laid = 0
    for cell in range(cells_of(state)):
        laid += int(state[CELLS + cell] != 0)
    return laid == cells_of(state)


@kernel
def _look_at_tile(state: StateArray) -> None:
    """The mover lays the tile, or wins by it."""
    room = scratch(ROOM)
    if mark_placements(state, fillings_in_hand(state), True, room):
        state[STAGE] = PLACE
    else:
        _end_by_tile(state)


@kernel
def _end_by_tile(state: StateArray) -> None:
    state[STAGE] = FINISHED  # R4.3
    state[WINNERS] = mover_axis(state)


@kernel
def _lay_tile(state: StateArray, cell: int, filling: int) -> None:
    """Lays the mover's tile, and ends the turn or the match."""
    radius = int(state[RADIUS])
    if axes_joined_by(state, ends_at(state), radius, cell, filling) & axes_taken(state):
        _forget_witness(state)
    else:
        renew_witness(state, cell, filling)
    connected = lay_strands(state, ends_at(state), radius, cell, filling)
    _show_tile(state, filling)
    state[CELLS + cell] = 1 + filling
    state[TILE], state[TILE_OPEN] = NO_TILE, 0
    if not _end_by_route(state, connected):
        _end_turn(state)


@kernel
def _show_tile(state: StateArray, filling: int) -> None:
    """Takes a concealed tile from those that are unseen, now that it is laid."""
    if state[TILE] == UNKNOWN:
        state[BAG + KIND_OF_FILLING[filling]] -= 1


@kernel
def _forget_witness(state: StateArray) -> None:
    routes, count = routes_at(state), cells_of(state)
    for place in range(AXES * count + 1):
        state[routes + place] = 0


@kernel
def _end_by_route(state: StateArray, connected: int) -> bool:
    """Ends the match if somebody is connected (R6.2)."""
    winners = connected & axes_taken(state)
    if winners == 0:
        return False
    state[STAGE] = FINISHED
    state[WINNERS] = winners
    state[BY_ROUTE] = 1
    return True


@kernel
def _end_turn(state: StateArray) -> None:
    """Has the mover draw a tile to hold, or the next one begin."""
    if state[HOLD_TILE] and _bag_size(state) > 0 and not _is_full(state):
        state[STAGE] = DRAW
        return
    pass_turn_on(state)
    _begin_turn(state)


@kernel
def _bag_size(state: StateArray) -> int:
    size = 0
    for kind in range(TYPES):
        size += int(state[BAG + kind])
    return size


@kernel
def _exchange_tile(state: StateArray, cell: int, filling: int) -> None:
    """Puts the mover's tile in the place of another one (R7.5 to R7.7)."""
    kind = int(KIND_OF_FILLING[int(state[CELLS + cell]) - 1])
    _show_tile(state, filling)
    state[CELLS + cell] = 1 + filling
    connected = lay_all_but(state, -1, state, ends_at(state))
    state[TILE], state[TILE_OPEN] = 1 + kind, 1
    if _end_by_route(state, connected):
        return
    if state[SUPERMOVE] == FULL:
        state[STAGE] = FOLLOW
        return
    state[TILE], state[TILE_OPEN] = NO_TILE, 0
    state[EXCHANGES] += 1
    if state[HOLD_TILE]:
        mover = int(state[MOVER])
        state[HELD + mover], state[HELD_OPEN + mover] = 1 + kind, 1
    else:
        state[BAG + kind] += 1
    pass_turn_on(state)
    _begin_turn(state)


# ---- chance and points ------------------------------------------------------------------------


@kernel
def chance(state: StateArray, out: FloatArray) -> None:
    """Every seat is as likely to begin, and every tile that is face down to be drawn."""
    if state[STAGE] == LOT:
        for seat in range(int(state[SEATS])):
            out[seat] = 1.0 / int(state[SEATS])
        return
    size, count = _bag_size(state), 0
    for kind in range(TYPES):
        if state[BAG + kind] > 0:
            out[count] = int(state[BAG + kind]) / size
            count += 1


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """The seats of winners share what the seats of the others pay in equal parts (R6.5)."""
    teams, winners, winning_seats = 0, 0, 0
    taken = axes_taken(state)
    for axis in range(AXES):
        teams += (taken >> axis) & 1
        winners += (int(state[WINNERS]) >> axis) & 1
    seats = int(state[SEATS])
    for seat in range(seats):
        winning_seats += _has_won(state, seat)
    won = (teams - winners) / (winners * (teams - 1))
    for seat in range(seats):
        if _has_won(state, seat):
            out[seat] = won
        else:
            out[seat] = -won * winning_seats / (seats - winning_seats)


@kernel
def _has_won(state: StateArray, seat: int) -> int:
    axis = (int(state[SIDE_OF + seat]) - 1) % AXES
    return (int(state[WINNERS]) >> axis) & 1
