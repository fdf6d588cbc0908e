"""The rules of Flows as kernels. Paragraphs (R2.1 ...) are those of RULES.md.

The state's layout and the numbering of actions are in layout.py, tables of tiles and board in
tiles.py and board.py, sides and turn order in sides.py, the ends of strands in strand_ends.py, the
solver of the legality rule in routes.py, route_search.py and detours.py, its use in placements.py,
the supermove in exchanges.py, and hidden information in hidden.py.
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
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES
from watermeet.games.flows.exchanges import list_exchanges, mover_axis, rebuild_ends
from watermeet.games.flows.hidden import conceal, resample
from watermeet.games.flows.placements import (
    is_legal_placement,
    mark_placements,
    orientations_in_hand,
    update_witness,
)
from watermeet.games.flows.route_buffer import MARKS, SEARCH_SIZE
from watermeet.games.flows.sides import (
    advance_turn,
    assign_default_sides,
    axes_taken,
    list_sides,
    start_turns,
    take_side,
)
from watermeet.games.flows.strand_ends import axes_connected_by, join_ends
from watermeet.games.flows.tiles import FIRST_ORIENTATION, TYPE_OF_ORIENTATION, TYPES

__all__ = [
    "apply", "chance", "conceal", "legal", "rebuild_cache", "resample", "sample_action", "score",
    "setup", "to_move",
]  # fmt: skip

_TRIES = 24
"""How many placements ``sample_action`` tries at random before it lists all legal ones."""


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
    """An empty board before it is decided who moves first."""
    state[layout.SEATS] = options.seats
    state[layout.SIDES_OPTION] = options.sides
    state[layout.OPEN_TILE] = options.open_tile
    state[layout.HOLD_TILE] = options.hold_tile
    state[layout.LEGALITY] = options.legality
    state[layout.SUPERMOVE] = options.supermove
    state[layout.SUPERMOVE_ANY] = options.supermove_any
    state[layout.RADIUS] = options.radius
    state[layout.MIX] = options.mix0
    state[layout.MIX + 1] = options.mix1
    state[layout.MIX + 2] = options.mix2
    state[layout.MIX + 3] = options.mix3
    ratio = 0
    for kind in range(TYPES):
        ratio += int(state[layout.MIX + kind])
    parts = (layout.board_size(state) + ratio - 1) // ratio
    for kind in range(TYPES):
        state[layout.BAG + kind] = int(state[layout.MIX + kind]) * parts  # R1.7, R7.11
    if state[layout.SIDES_OPTION] != layout.CHOSEN:
        assign_default_sides(state)
    state[layout.STAGE] = layout.LOT
    rebuild_cache(state)


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Computes the table of ends and a witness from the tiles on the board."""
    rebuild_ends(state, -1, state, layout.ends_at(state))
    _clear_witness(state)
    update_witness(state, -1, 0)


@kernel
def to_move(state: StateArray) -> int:
    """The seat that takes a side or places a tile; CHANCE for draws."""
    stage = state[layout.STAGE]
    if stage in (layout.CHOOSE, layout.PLACE, layout.FOLLOW):
        return int(state[layout.MOVER])
    return OVER if stage == layout.FINISHED else CHANCE


# ---- legal actions ----------------------------------------------------------------------------


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """Placements and exchanges, sides to take, or the outcomes of chance."""
    stage = state[layout.STAGE]
    if stage == layout.FINISHED:
        return 0
    if stage == layout.LOT:
        for seat in range(int(state[layout.SEATS])):
            out[seat] = layout.first_base(state) + seat  # R3.1
        return int(state[layout.SEATS])
    if stage == layout.CHOOSE:
        return list_sides(state, out)
    if stage in (layout.DEAL, layout.DRAW):
        return _list_draws(state, out)
    orientations = orientations_in_hand(state)
    count = _list_placements(state, orientations, out)
    if stage == layout.PLACE and state[layout.SUPERMOVE] != layout.OFF:
        return list_exchanges(state, orientations, out, count)
    return count


@kernel
def _list_draws(state: StateArray, out: ActionArray) -> int:
    count = 0
    for kind in range(TYPES):
        if state[layout.BAG + kind] > 0:
            out[count] = layout.draw_base(state) + kind
            count += 1
    return count


@kernel
def _list_placements(state: StateArray, orientations: int, out: ActionArray) -> int:
    search = scratch(SEARCH_SIZE)
    mark_placements(state, orientations, False, search)
    count = 0
    for cell in range(layout.board_size(state)):
        action, marks = layout.placement(cell, 0), int(search[MARKS + cell])
        while marks != 0:
            if marks & 1:
                out[count] = action
                count += 1
            action, marks = action + 1, marks >> 1
    return count


@kernel
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A legal action at random. Rejection sampling usually finds a placement within a few tries."""
    if (
        state[layout.STAGE] == layout.PLACE
        and state[layout.SUPERMOVE] == layout.OFF
        and state[layout.TILE] != layout.UNKNOWN
    ):
        empty = 0
        for cell in range(layout.board_size(state)):
            if state[layout.CELLS + cell] == 0:
                actions[empty] = cell
                empty += 1
        kind = int(state[layout.TILE]) - 1
        turns = int(FIRST_ORIENTATION[kind + 1]) - int(FIRST_ORIENTATION[kind])
        for _ in range(_TRIES):
            number = next_below(rng, empty * turns)
            cell, orientation = (
                int(actions[number // turns]),
                int(FIRST_ORIENTATION[kind]) + number % turns,
            )
            if is_legal_placement(state, cell, orientation):
                return layout.placement(cell, orientation)
    return int(actions[next_below(rng, legal(state, actions))])


# ---- playing ----------------------------------------------------------------------------------


@kernel
def apply(state: StateArray, action: int) -> None:
    """Places or exchanges a tile, takes a side, or draws."""
    if action < layout.exchange_base(state):
        _place_tile(state, layout.placement_cell(action), layout.placement_orientation(action))
    elif action < layout.draw_base(state):
        number = action - layout.exchange_base(state)
        _exchange_tile(state, layout.placement_cell(number), layout.placement_orientation(number))
    elif action < layout.first_base(state):
        _draw_tile(state, action - layout.draw_base(state))
    elif action < layout.side_base(state):
        state[layout.FIRST] = action - layout.first_base(state)
        state[layout.MOVER] = state[layout.FIRST]
        if state[layout.SIDES_OPTION] == layout.CHOSEN:
            state[layout.STAGE] = layout.CHOOSE
        else:
            _start_play(state)
    elif not take_side(state, action - layout.side_base(state)):
        update_witness(state, -1, 0)
        _start_play(state)


@kernel
def _start_play(state: StateArray) -> None:
    start_turns(state)
    if state[layout.HOLD_TILE]:
        state[layout.STAGE] = layout.DEAL  # R7.3
    else:
        state[layout.STAGE] = layout.DRAW  # R4.1


@kernel
def _draw_tile(state: StateArray, kind: int) -> None:
    state[layout.BAG + kind] -= 1
    mover = int(state[layout.MOVER])
    if not state[layout.HOLD_TILE]:
        state[layout.TILE] = 1 + kind
        _start_placement(state)
        return
    state[layout.HELD + mover] = 1 + kind
    if state[layout.STAGE] == layout.DEAL:
        state[layout.MOVER] = (mover + 1) % int(state[layout.SEATS])
        if state[layout.MOVER] == state[layout.FIRST]:
            _start_turn(state)
    else:
        advance_turn(state)
        _start_turn(state)


@kernel
def _start_turn(state: StateArray) -> None:
    """Starts the mover's turn: with a draw, or with the tile held."""
    if state[layout.HOLD_TILE]:
        while state[layout.HELD + int(state[layout.MOVER])] == layout.NO_TILE and _somebody_holds(
            state
        ):
            advance_turn(state)
    if state[layout.SUPERMOVE] != layout.OFF and _is_full(state):
        _end_by_tile(state)  # R7.9
        return
    if not state[layout.HOLD_TILE]:
        state[layout.STAGE] = layout.DRAW
        return
    mover = int(state[layout.MOVER])
    state[layout.TILE], state[layout.TILE_OPEN] = (
        state[layout.HELD + mover],
        state[layout.HELD_OPEN + mover],
    )
    state[layout.HELD + mover], state[layout.HELD_OPEN + mover] = layout.NO_TILE, 0
    _start_placement(state)


@kernel
def _somebody_holds(state: StateArray) -> bool:
    held = 0
    for seat in range(int(state[layout.SEATS])):
        held += int(state[layout.HELD + seat] != layout.NO_TILE)
    return held > 0


@kernel
def _is_full(state: StateArray) -> bool:
    occupied = 0
    for cell in range(layout.board_size(state)):
        occupied += int(state[layout.CELLS + cell] != 0)
    return occupied == layout.board_size(state)


@kernel
def _start_placement(state: StateArray) -> None:
    """Lets the mover place the tile, or ends the match if it can't be placed."""
    search = scratch(SEARCH_SIZE)
    if mark_placements(state, orientations_in_hand(state), True, search):
        state[layout.STAGE] = layout.PLACE
    else:
        _end_by_tile(state)


@kernel
def _end_by_tile(state: StateArray) -> None:
    state[layout.STAGE] = layout.FINISHED  # R4.3
    state[layout.WINNERS] = mover_axis(state)


@kernel
def _place_tile(state: StateArray, cell: int, orientation: int) -> None:
    """Places the mover's tile, and ends the turn or the match."""
    radius = int(state[layout.RADIUS])
    if axes_connected_by(state, layout.ends_at(state), radius, cell, orientation) & axes_taken(
        state
    ):
        _clear_witness(state)
    else:
        update_witness(state, cell, orientation)
    connected = join_ends(state, layout.ends_at(state), radius, cell, orientation)
    _reveal_tile(state, orientation)
    state[layout.CELLS + cell] = 1 + orientation
    state[layout.TILE], state[layout.TILE_OPEN] = layout.NO_TILE, 0
    if not _end_by_route(state, connected):
        _end_turn(state)


@kernel
def _reveal_tile(state: StateArray, orientation: int) -> None:
    """Removes a concealed tile from the unseen ones, now that everyone sees it."""
    if state[layout.TILE] == layout.UNKNOWN:
        state[layout.BAG + TYPE_OF_ORIENTATION[orientation]] -= 1


@kernel
def _clear_witness(state: StateArray) -> None:
    witness, count = layout.routes_at(state), layout.board_size(state)
    for place in range(AXES * count + 1):
        state[witness + place] = 0


@kernel
def _end_by_route(state: StateArray, connected: int) -> bool:
    """Ends the match if someone is connected (R6.2)."""
    winners = connected & axes_taken(state)
    if winners == 0:
        return False
    state[layout.STAGE] = layout.FINISHED
    state[layout.WINNERS] = winners
    state[layout.BY_ROUTE] = 1
    return True


@kernel
def _end_turn(state: StateArray) -> None:
    """Ends the turn: the mover draws a tile to hold, or the next turn starts."""
    if state[layout.HOLD_TILE] and _bag_size(state) > 0 and not _is_full(state):
        state[layout.STAGE] = layout.DRAW
        return
    advance_turn(state)
    _start_turn(state)


@kernel
def _bag_size(state: StateArray) -> int:
    size = 0
    for kind in range(TYPES):
        size += int(state[layout.BAG + kind])
    return size


@kernel
def _exchange_tile(state: StateArray, cell: int, orientation: int) -> None:
    """Exchanges a tile on the board for the mover's (R7.5 to R7.7)."""
    kind = int(TYPE_OF_ORIENTATION[int(state[layout.CELLS + cell]) - 1])
    _reveal_tile(state, orientation)
    state[layout.CELLS + cell] = 1 + orientation
    connected = rebuild_ends(state, -1, state, layout.ends_at(state))
    state[layout.TILE], state[layout.TILE_OPEN] = 1 + kind, 1
    if _end_by_route(state, connected):
        return
    if state[layout.SUPERMOVE] == layout.FULL:
        state[layout.STAGE] = layout.FOLLOW
        return
    state[layout.TILE], state[layout.TILE_OPEN] = layout.NO_TILE, 0
    state[layout.EXCHANGES] += 1
    if state[layout.HOLD_TILE]:
        mover = int(state[layout.MOVER])
        state[layout.HELD + mover], state[layout.HELD_OPEN + mover] = 1 + kind, 1
    else:
        state[layout.BAG + kind] += 1
    advance_turn(state)
    _start_turn(state)


# ---- chance and scores ------------------------------------------------------------------------


@kernel
def chance(state: StateArray, out: FloatArray) -> None:
    """Every seat is equally likely to move first, and every face-down tile to be drawn."""
    if state[layout.STAGE] == layout.LOT:
        for seat in range(int(state[layout.SEATS])):
            out[seat] = 1.0 / int(state[layout.SEATS])
        return
    size, count = _bag_size(state), 0
    for kind in range(TYPES):
        if state[layout.BAG + kind] > 0:
            out[count] = int(state[layout.BAG + kind]) / size
            count += 1


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """The losers pay equal shares, which the winners split equally (R6.5)."""
    teams, winners, winning_seats = 0, 0, 0
    taken = axes_taken(state)
    for axis in range(AXES):
        teams += (taken >> axis) & 1
        winners += (int(state[layout.WINNERS]) >> axis) & 1
    seats = int(state[layout.SEATS])
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
    axis = (int(state[layout.SIDE_OF + seat]) - 1) % AXES
    return (int(state[layout.WINNERS]) >> axis) & 1
