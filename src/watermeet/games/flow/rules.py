"""The rules of Flow as kernels. Paragraph numbers (R2.1 ...) refer to RULES.md.

layout.py describes the state array and the actions; tile_sets.py and shapes.py the tiles; board.py
bitboards; connectivity.py where water runs and tiles fit; cards.py the action cards; setup_phase.py
the setup; turns.py turns, rounds and waves; legal_actions.py what players and chance may do; and
hidden.py what seats can't see of each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from watermeet.core.contract import CHANCE, OVER, ActionArray, FloatArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import count_cells
from watermeet.games.flow.cards import FISHING_TILES
from watermeet.games.flow.connectivity import add_tile, clear_cells, rebuild_sets, update_water
from watermeet.games.flow.hidden import conceal, resample
from watermeet.games.flow.legal_actions import PIPS, list_carry, list_chance, list_hand, list_turn
from watermeet.games.flow.setup_phase import (
    deal_card,
    draw_next_scenario,
    obstacle_cells,
    put_obstacle,
    take_card,
    take_scenario,
)
from watermeet.games.flow.shapes import EDGES, SHAPE_COUNT, SHAPE_KIND
from watermeet.games.flow.tile_sets import KINDS, TILE_SETS
from watermeet.games.flow.turns import (
    apply_wave,
    begin_turn,
    call_time,
    discard_cells,
    end_turn,
    roll,
)

__all__ = [
    "apply", "chance", "conceal", "legal", "rebuild_cache", "resample", "score", "setup", "to_move",
]  # fmt: skip

_TILES = np.array([[tiles[kind] for kind in KINDS] for tiles in TILE_SETS.values()])
_CARDS = np.array(layout.CARD_COUNTS)
_SCENARIOS = np.array(layout.SCENARIO_COUNTS)
_ALL_EDGES = 15


class Options(NamedTuple):
    """The declared options, as integers, and the version of the rules."""

    seats: int
    scenarios: int
    obstacles: int
    no_communication: int
    one_card: int
    no_new_cards: int
    not_for_obstacles: int
    single_path: int
    obstacles_remain: int
    clock: int
    turns: int
    tiles: int
    boat_stops: int
    version: int


@kernel
def setup(state: StateArray, options: Options) -> None:
    """Set up the empty board with all tiles and cards in their piles."""
    state[layout.SEATS] = options.seats
    state[layout.SCENARIOS] = options.scenarios
    state[layout.IN_PLAY + layout.OBSTACLES] = options.obstacles
    state[layout.IN_PLAY + layout.NO_COMMUNICATION] = options.no_communication
    state[layout.IN_PLAY + layout.ONE_CARD] = options.one_card
    state[layout.IN_PLAY + layout.NO_NEW_CARDS] = options.no_new_cards
    state[layout.IN_PLAY + layout.NOT_FOR_OBSTACLES] = options.not_for_obstacles
    state[layout.IN_PLAY + layout.SINGLE_PATH] = options.single_path
    state[layout.IN_PLAY + layout.OBSTACLES_REMAIN] = options.obstacles_remain
    for scenario in range(layout.SCENARIO_KINDS):
        state[layout.SCENARIO_PILE + scenario] = (
            _SCENARIOS[scenario] - state[layout.IN_PLAY + scenario]
        )
    if state[layout.IN_PLAY + layout.NO_COMMUNICATION]:
        state[layout.SCENARIO_PILE + layout.NO_COMMUNICATION] = 0  # R8.2
    state[layout.CLOCK] = options.clock
    state[layout.TURNS] = options.turns
    state[layout.TILE_SET] = options.tiles
    state[layout.BOAT_STOPS] = options.boat_stops
    state[layout.VERSION] = options.version
    for kind in range(layout.KIND_COUNT):
        state[layout.FACE_DOWN + kind] = _TILES[int(state[layout.TILE_SET]), kind]
    for card in range(layout.CARD_KINDS):
        state[layout.PILE + card] = _CARDS[card]
    state[layout.BIRDS_LEFT] = layout.BIRD_COUNT
    state[layout.BOAT_EDGES] = _ALL_EDGES
    rebuild_sets(state)
    draw_next_scenario(state)


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Rebuild the bitboards from the cells."""
    rebuild_sets(state)


@kernel
def to_move(state: StateArray) -> int:
    """The seat to move; CHANCE for draws and dice."""
    if state[layout.STAGE] == layout.FINISHED:
        return OVER
    return int(state[layout.MOVER]) if state[layout.STAGE] >= layout.CHOOSE_BOAT_EDGE else CHANCE


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """List the legal actions, ascending; at CHANCE the possible outcomes."""
    stage = int(state[layout.STAGE])
    if stage == layout.FINISHED:
        return 0
    if stage < layout.CHOOSE_BOAT_EDGE:
        return list_chance(state, stage, out)
    if stage == layout.TURN:
        return list_turn(state, out)
    if stage == layout.HAND:
        return list_hand(state, out)
    if stage == layout.CARRY:
        return list_carry(state, out)
    count = 2 if stage == layout.CHOOSE_DIE else EDGES
    for place in range(count):
        out[place] = (
            layout.CHOOSE_WHITE if stage == layout.CHOOSE_DIE else layout.BOAT_EDGE
        ) + place
    return count


@kernel
def apply(state: StateArray, action: int) -> None:
    """Apply an action of a seat, of chance or of the clock."""
    if action < layout.PLAY_SUPPORT:
        _lay(state, action)
    elif action < layout.DRAW_FACE_DOWN:
        _play_on_cell(state, action)
    elif action < layout.TIME:
        _play_other(state, action)
    elif action == layout.TIME:
        call_time(state)
    elif action < layout.CHANCE_TILE:
        if action >= layout.BOAT_EDGE:
            state[layout.BOAT_EDGES] = 1 << (action - layout.BOAT_EDGE)
            rebuild_sets(state)
            begin_turn(state)
        else:
            roll(state, layout.WHITE_DIE if action == layout.CHOOSE_WHITE else layout.BLACK_DIE)
    else:
        _apply_chance(state, action)


@kernel
def _apply_chance(state: StateArray, action: int) -> None:
    if action < layout.CHANCE_CARD:
        _draw_tile(state, action - layout.CHANCE_TILE)
    elif action < layout.CHANCE_WHITE:
        if state[layout.STAGE] == layout.DEAL:
            deal_card(state, action - layout.CHANCE_CARD)
        else:
            take_card(state, action - layout.CHANCE_CARD)
            end_turn(state)
    elif action < layout.CHANCE_BLACK:
        state[layout.WHITE] = 1 + action - layout.CHANCE_WHITE
        if state[layout.DICE] == layout.BOTH_DICE:
            state[layout.STAGE] = layout.ROLL_BLACK
        else:
            apply_wave(state, 0)
    elif action < layout.CHANCE_SCENARIO:
        apply_wave(state, 1 + action - layout.CHANCE_BLACK)
    elif action < layout.CHANCE_OBSTACLE:
        take_scenario(state, action - layout.CHANCE_SCENARIO)
    else:
        put_obstacle(state, action - layout.CHANCE_OBSTACLE)


@kernel
def _draw_tile(state: StateArray, kind: int) -> None:
    """Take a face-down tile into the hand, or turn it face up for Fishing."""
    state[layout.FACE_DOWN + kind] -= 1
    if state[layout.STAGE] == layout.DRAW_TILE:
        state[layout.TILE] = 1 + kind
        state[layout.STAGE] = layout.HAND
        return
    state[layout.FACE_UP + kind] += 1
    state[layout.PENDING] -= 1
    if state[layout.PENDING] == 0:
        end_turn(state)


@kernel
def _lay(state: StateArray, action: int) -> None:
    """Place the tile in hand and end the turn."""
    if action < layout.LAY_SCENARIO:
        cell, tile = action // SHAPE_COUNT, 1 + action % SHAPE_COUNT
    else:
        cell, tile = action - layout.LAY_SCENARIO, layout.SCENARIO_TILE
    if state[layout.STAGE] == layout.CARRY and not state[layout.LIFTED_FROM]:
        state[layout.DISCARDED + int(state[layout.TILE]) - 1] -= 1  # Return
    state[layout.CELLS + cell] = tile + layout.BIRD_ON * int(state[layout.LIFTED_BIRD])
    add_tile(state, cell)
    update_water(state)
    state[layout.TILE] = 0
    state[layout.LIFTED_FROM] = 0
    state[layout.LIFTED_BIRD] = 0
    end_turn(state)


@kernel
def _use_card(state: StateArray, card: int) -> None:
    place = int(state[layout.MOVER]) * layout.CARD_KINDS + card
    state[layout.HANDS + place] -= 1
    if state[layout.SHOWN + place] > 0:
        state[layout.SHOWN + place] -= 1  # R8.1: if only one of two was shown, that one.
    state[layout.CARD_PLAYED] = 1


@kernel
def _play_on_cell(state: StateArray, action: int) -> None:
    """Play Support, Bird or Current on a cell."""
    if action < layout.PLAY_BIRD:
        _use_card(state, layout.SUPPORT)
        cell = action - layout.PLAY_SUPPORT
        discard_cells(state, 1 << cell)
        update_water(state)
        end_turn(state)
    elif action < layout.PLAY_CURRENT:
        _use_card(state, layout.BIRD)
        state[layout.CELLS + action - layout.PLAY_BIRD] += layout.BIRD_ON
        state[layout.BIRDS_LEFT] -= 1
        end_turn(state)
    else:
        _use_card(state, layout.CURRENT)
        cell = action - layout.PLAY_CURRENT
        tile = int(state[layout.CELLS + cell])
        state[layout.LIFTED_FROM] = 1 + cell
        state[layout.LIFTED_BIRD] = tile // layout.BIRD_ON
        tile %= layout.BIRD_ON
        state[layout.TILE] = tile if tile == layout.SCENARIO_TILE else 1 + int(SHAPE_KIND[tile - 1])
        clear_cells(state, 1 << cell)
        update_water(state)
        state[layout.STAGE] = layout.CARRY


@kernel
def _play_other(state: StateArray, action: int) -> None:
    """Draw, play a card without a cell, or swap or discard the drawn tile."""
    if action == layout.DRAW_FACE_DOWN:
        state[layout.STAGE] = layout.DRAW_TILE
    elif action < layout.PLAY_FISHING:
        state[layout.FACE_UP + action - layout.TAKE_FACE_UP] -= 1
        state[layout.TILE] = 1 + action - layout.TAKE_FACE_UP
        state[layout.STAGE] = layout.HAND
    elif action == layout.PLAY_FISHING:
        _use_card(state, layout.FISHING)
        state[layout.PENDING] = FISHING_TILES
        state[layout.STAGE] = layout.FISH
    elif action == layout.PLAY_CALM:
        _use_card(state, layout.CALM)
        state[layout.CALM_PLAYED] = 1
        end_turn(state)
    elif action < layout.SWAP:
        _use_card(state, layout.RETURN)
        state[layout.TILE] = 1 + action - layout.PLAY_RETURN
        state[layout.STAGE] = layout.CARRY
    else:
        state[layout.DISCARDED + int(state[layout.TILE]) - 1] += 1
        state[layout.TILE] = 0
        if action == layout.SWAP:
            state[layout.STAGE] = layout.DRAW_CARD
        else:
            end_turn(state)


@kernel
def chance(state: StateArray, out: FloatArray) -> None:
    """Every card, tile, cell and number is equally likely."""
    stage = int(state[layout.STAGE])
    if stage == layout.LAY_OBSTACLE:
        _write_uniform(out, count_cells(obstacle_cells(state)))
    elif stage in (layout.ROLL_WHITE, layout.ROLL_BLACK):
        _write_uniform(out, PIPS)
    elif stage == layout.DRAW_SCENARIO:
        _write_proportional(state, layout.SCENARIO_PILE, layout.SCENARIO_KINDS, out)
    elif stage in (layout.DRAW_TILE, layout.FISH):
        _write_proportional(state, layout.FACE_DOWN, layout.KIND_COUNT, out)
    else:
        _write_proportional(state, layout.PILE, layout.CARD_KINDS, out)


@kernel
def _write_uniform(out: FloatArray, count: int) -> None:
    for place in range(count):
        out[place] = 1.0 / count


@kernel
def _write_proportional(state: StateArray, first: int, count: int, out: FloatArray) -> None:
    total, listed = 0, 0
    for place in range(count):
        total += int(state[first + place])
    for place in range(count):
        if state[first + place] > 0:
            out[listed] = int(state[first + place]) / total
            listed += 1


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """Everybody wins or everybody loses (R7.1)."""
    for seat in range(int(state[layout.SEATS])):
        out[seat] = 1.0 if state[layout.WON] else -1.0
