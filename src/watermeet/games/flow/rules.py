"""The rules of Flow as kernels. Paragraphs (R2.1 ...) are those of RULES.md beside this file.

The state's layout and the numbers of actions are in layout.py; tiles in tile_sets.py and shapes.py;
the board as bits in board.py; where water leads and tiles may be laid in water.py; the action cards
in cards.py; how a match begins in beginning.py; turns, rounds and waves in turns.py; what can be
chosen in choices.py; what seats may not see of each other in hidden.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from watermeet.core.contract import CHANCE, OVER, ActionArray, FloatArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow.beginning import (
    deal_card,
    draw_next_scenario,
    obstacle_cells,
    put_obstacle,
    take_card,
    take_scenario,
)
from watermeet.games.flow.board import count_cells
from watermeet.games.flow.cards import FISHED
from watermeet.games.flow.choices import PIPS, list_carry, list_chance, list_hand, list_turn
from watermeet.games.flow.hidden import conceal, resample
from watermeet.games.flow.layout import (
    AIM,
    AIM_BOAT,
    BIRD,
    BIRD_COUNT,
    BIRD_ON,
    BIRDS_LEFT,
    BLACK_DIE,
    BOAT_EDGES,
    BOAT_STOPS,
    BOTH_DICE,
    CALM,
    CALM_PLAYED,
    CARD_COUNTS,
    CARD_KINDS,
    CARD_PLAYED,
    CARRY,
    CELLS,
    CHANCE_BLACK,
    CHANCE_CARD,
    CHANCE_OBSTACLE,
    CHANCE_SCENARIO,
    CHANCE_TILE,
    CHANCE_WHITE,
    CHOOSE_DIE,
    CHOOSE_WHITE,
    CLOCK,
    CURRENT,
    DEAL,
    DICE,
    DISCARDED,
    DOWN,
    DRAW_CARD,
    DRAW_DOWN,
    DRAW_SCENARIO,
    DRAW_TILE,
    FINISHED,
    FISH,
    FISHING,
    HAND,
    HANDS,
    IN_PLAY,
    KIND_COUNT,
    LAY_OBSTACLE,
    LAY_SCENARIO,
    LIFTED_BIRD,
    LIFTED_FROM,
    MOVER,
    NO_NEW_CARDS,
    NOT_FOR_OBSTACLES,
    OBSTACLES,
    ONE_CARD,
    PILE,
    PLAY_BIRD,
    PLAY_CALM,
    PLAY_CURRENT,
    PLAY_FISHING,
    PLAY_RETURN,
    PLAY_SUPPORT,
    REMAIN,
    RETURN,
    ROLL_BLACK,
    ROLL_WHITE,
    SCENARIO_COUNTS,
    SCENARIO_KINDS,
    SCENARIO_PILE,
    SCENARIO_TILE,
    SCENARIOS,
    SEATS,
    SILENCE,
    SINGLE_PATH,
    STAGE,
    SUPPORT,
    SWAP,
    TAKE_UP,
    TILE,
    TILE_SET,
    TIME,
    TO_COME,
    TURN,
    TURNS,
    UP,
    WHITE,
    WHITE_DIE,
    WON,
)
from watermeet.games.flow.shapes import EDGES, SHAPE_COUNT, SHAPE_KIND
from watermeet.games.flow.tile_sets import KINDS, TILE_SETS
from watermeet.games.flow.turns import begin_turn, discard_cells, end_turn, roll, say_time, wash
from watermeet.games.flow.water import clear_cells, note_tile, rebuild, renew_water

__all__ = [
    "apply", "chance", "conceal", "legal", "rebuild_cache", "resample", "score", "setup", "to_move",
]  # fmt: skip

_TILES = np.array([[tiles[kind] for kind in KINDS] for tiles in TILE_SETS.values()])
_CARDS = np.array(CARD_COUNTS)
_SCENARIOS = np.array(SCENARIO_COUNTS)
_FOUR_WAYS = 15


class Options(NamedTuple):
    """The declared options, as integers."""

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


@kernel
def setup(state: StateArray, options: Options) -> None:
    """The empty board."""
    state[SEATS] = options.seats
    state[SCENARIOS] = options.scenarios
    state[IN_PLAY + OBSTACLES] = options.obstacles
    state[IN_PLAY + SILENCE] = options.no_communication
    state[IN_PLAY + ONE_CARD] = options.one_card
    state[IN_PLAY + NO_NEW_CARDS] = options.no_new_cards
    state[IN_PLAY + NOT_FOR_OBSTACLES] = options.not_for_obstacles
    state[IN_PLAY + SINGLE_PATH] = options.single_path
    state[IN_PLAY + REMAIN] = options.obstacles_remain
    for scenario in range(SCENARIO_KINDS):
        state[SCENARIO_PILE + scenario] = _SCENARIOS[scenario] - state[IN_PLAY + scenario]
    if state[IN_PLAY + SILENCE]:
        state[SCENARIO_PILE + SILENCE] = 0  # R8.2
    state[CLOCK] = options.clock
    state[TURNS] = options.turns
    state[TILE_SET] = options.tiles
    state[BOAT_STOPS] = options.boat_stops
    for kind in range(KIND_COUNT):
        state[DOWN + kind] = _TILES[int(state[TILE_SET]), kind]
    for card in range(CARD_KINDS):
        state[PILE + card] = _CARDS[card]
    state[BIRDS_LEFT] = BIRD_COUNT
    state[BOAT_EDGES] = _FOUR_WAYS
    rebuild(state)
    draw_next_scenario(state)


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Writes the sets of cells from what lies on the board."""
    rebuild(state)


@kernel
def to_move(state: StateArray) -> int:
    """The seat whose turn it is; CHANCE for draws and dice."""
    if state[STAGE] == FINISHED:
        return OVER
    return int(state[MOVER]) if state[STAGE] >= AIM_BOAT else CHANCE


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """What the mover may do, or what chance may bring."""
    stage = int(state[STAGE])
    if stage == FINISHED:
        return 0
    if stage < AIM_BOAT:
        return list_chance(state, stage, out)
    if stage == TURN:
        return list_turn(state, out)
    if stage == HAND:
        return list_hand(state, out)
    if stage == CARRY:
        return list_carry(state, out)
    count = 2 if stage == CHOOSE_DIE else EDGES
    for place in range(count):
        out[place] = (CHOOSE_WHITE if stage == CHOOSE_DIE else AIM) + place
    return count


@kernel
def apply(state: StateArray, action: int) -> None:
    """Plays what a seat, chance or the clock does."""
    if action < PLAY_SUPPORT:
        _lay(state, action)
    elif action < DRAW_DOWN:
        _play_on_cell(state, action)
    elif action < TIME:
        _play_other(state, action)
    elif action == TIME:
        say_time(state)
    elif action < CHANCE_TILE:
        if action >= AIM:
            state[BOAT_EDGES] = 1 << (action - AIM)
            rebuild(state)
            begin_turn(state)
        else:
            roll(state, WHITE_DIE if action == CHOOSE_WHITE else BLACK_DIE)
    else:
        _apply_chance(state, action)


@kernel
def _apply_chance(state: StateArray, action: int) -> None:
    if action < CHANCE_CARD:
        _draw_tile(state, action - CHANCE_TILE)
    elif action < CHANCE_WHITE:
        if state[STAGE] == DEAL:
            deal_card(state, action - CHANCE_CARD)
        else:
            take_card(state, action - CHANCE_CARD)
            end_turn(state)
    elif action < CHANCE_BLACK:
        state[WHITE] = 1 + action - CHANCE_WHITE
        if state[DICE] == BOTH_DICE:
            state[STAGE] = ROLL_BLACK
        else:
            wash(state, 0)
    elif action < CHANCE_SCENARIO:
        wash(state, 1 + action - CHANCE_BLACK)
    elif action < CHANCE_OBSTACLE:
        take_scenario(state, action - CHANCE_SCENARIO)
    else:
        put_obstacle(state, action - CHANCE_OBSTACLE)


@kernel
def _draw_tile(state: StateArray, kind: int) -> None:
    """A tile comes from those that are face down: into the hand, or turned up by Fishing."""
    state[DOWN + kind] -= 1
    if state[STAGE] == DRAW_TILE:
        state[TILE] = 1 + kind
        state[STAGE] = HAND
        return
    state[UP + kind] += 1
    state[TO_COME] -= 1
    if state[TO_COME] == 0:
        end_turn(state)


@kernel
def _lay(state: StateArray, action: int) -> None:
    """Lays the tile in hand, and ends the turn."""
    if action < LAY_SCENARIO:
        cell, tile = action // SHAPE_COUNT, 1 + action % SHAPE_COUNT
    else:
        cell, tile = action - LAY_SCENARIO, SCENARIO_TILE
    if state[STAGE] == CARRY and not state[LIFTED_FROM]:
        state[DISCARDED + int(state[TILE]) - 1] -= 1  # Return
    state[CELLS + cell] = tile + BIRD_ON * int(state[LIFTED_BIRD])
    note_tile(state, cell)
    renew_water(state)
    state[TILE] = 0
    state[LIFTED_FROM] = 0
    state[LIFTED_BIRD] = 0
    end_turn(state)


@kernel
def _use_card(state: StateArray, card: int) -> None:
    state[HANDS + int(state[MOVER]) * CARD_KINDS + card] -= 1
    state[CARD_PLAYED] = 1


@kernel
def _play_on_cell(state: StateArray, action: int) -> None:
    """Support, Bird and Current."""
    if action < PLAY_BIRD:
        _use_card(state, SUPPORT)
        cell = action - PLAY_SUPPORT
        discard_cells(state, 1 << cell)
        renew_water(state)
        end_turn(state)
    elif action < PLAY_CURRENT:
        _use_card(state, BIRD)
        state[CELLS + action - PLAY_BIRD] += BIRD_ON
        state[BIRDS_LEFT] -= 1
        end_turn(state)
    else:
        _use_card(state, CURRENT)
        cell = action - PLAY_CURRENT
        tile = int(state[CELLS + cell])
        state[LIFTED_FROM] = 1 + cell
        state[LIFTED_BIRD] = tile // BIRD_ON
        tile %= BIRD_ON
        state[TILE] = tile if tile == SCENARIO_TILE else 1 + int(SHAPE_KIND[tile - 1])
        clear_cells(state, 1 << cell)
        renew_water(state)
        state[STAGE] = CARRY


@kernel
def _play_other(state: StateArray, action: int) -> None:
    """Draws, cards without a cell, and what is done with a drawn tile instead of laying it."""
    if action == DRAW_DOWN:
        state[STAGE] = DRAW_TILE
    elif action < PLAY_FISHING:
        state[UP + action - TAKE_UP] -= 1
        state[TILE] = 1 + action - TAKE_UP
        state[STAGE] = HAND
    elif action == PLAY_FISHING:
        _use_card(state, FISHING)
        state[TO_COME] = FISHED
        state[STAGE] = FISH
    elif action == PLAY_CALM:
        _use_card(state, CALM)
        state[CALM_PLAYED] = 1
        end_turn(state)
    elif action < SWAP:
        _use_card(state, RETURN)
        state[TILE] = 1 + action - PLAY_RETURN
        state[STAGE] = CARRY
    else:
        state[DISCARDED + int(state[TILE]) - 1] += 1
        state[TILE] = 0
        if action == SWAP:
            state[STAGE] = DRAW_CARD
        else:
            end_turn(state)


@kernel
def chance(state: StateArray, out: FloatArray) -> None:
    """Each card, tile, cell and number is as likely as any other of its sort."""
    stage = int(state[STAGE])
    if stage == LAY_OBSTACLE:
        _weigh_alike(out, count_cells(obstacle_cells(state)))
    elif stage in (ROLL_WHITE, ROLL_BLACK):
        _weigh_alike(out, PIPS)
    elif stage == DRAW_SCENARIO:
        _weigh_counts(state, SCENARIO_PILE, SCENARIO_KINDS, out)
    elif stage in (DRAW_TILE, FISH):
        _weigh_counts(state, DOWN, KIND_COUNT, out)
    else:
        _weigh_counts(state, PILE, CARD_KINDS, out)


@kernel
def _weigh_alike(out: FloatArray, count: int) -> None:
    for place in range(count):
        out[place] = 1.0 / count


@kernel
def _weigh_counts(state: StateArray, first: int, count: int, out: FloatArray) -> None:
    total, listed = 0, 0
    for place in range(count):
        total += int(state[first + place])
    for place in range(count):
        if state[first + place] > 0:
            out[listed] = int(state[first + place]) / total
            listed += 1


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """Everybody wins or loses (R7.1)."""
    for seat in range(int(state[SEATS])):
        out[seat] = 1.0 if state[WON] else -1.0
