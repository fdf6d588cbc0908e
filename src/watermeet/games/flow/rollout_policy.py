"""The rollout policy of Flow: sensible play without looking ahead.

Tiles are placed where the animals then need the fewest in total; cards are played when they help
immediately, or as late before the wave as the seat's turns allow.
"""

from __future__ import annotations

from watermeet.core.contract import ActionArray, RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_below
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMALS, BOAT, CELL_COUNT, count_cells
from watermeet.games.flow.cards import cells_for_scenario, holds, is_movable, tiles_down
from watermeet.games.flow.connectivity import cells_for
from watermeet.games.flow.legal_actions import may_swap
from watermeet.games.flow.rules import legal
from watermeet.games.flow.shapes import EDGES, FIRST_SHAPE, OBSTACLE, SHAPE_COUNT, SHAPE_KIND
from watermeet.games.flow.total_distance import (
    total_distance,
    total_distance_after,
    total_distance_on,
    total_distance_without,
)
from watermeet.games.flow.wave_costs import column_costs, exposed_cells, row_costs

IMPOSSIBLE = 1 << 20
"""More than any distance: the value of what can't be done."""
_ENDGAME = 4  # With so few tiles missing, cards aren't saved for later.
_MIN_TILES_FOR_CALM = 5  # Tiles on the board that a wave may wash away.


@kernel
def rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Choose an action; ``actions`` is a buffer for the legal ones."""
    stage = int(state[layout.STAGE])
    if stage == layout.TURN:
        return _turn(state, actions, rng)
    if stage == layout.CHOOSE_DIE:
        before = total_distance(state)
        rows, columns = row_costs(state, before), column_costs(state, before)
        return layout.CHOOSE_WHITE if rows < columns else layout.CHOOSE_BLACK
    if stage == layout.CHOOSE_BOAT_EDGE:
        return _aim(state, rng)
    return _lay(state, actions, rng)


@kernel
def _aim(state: StateArray, rng: RandomArray) -> int:
    best, chosen, equals = IMPOSSIBLE, layout.BOAT_EDGE, 0
    for edge in range(EDGES):
        found = total_distance_aimed(state, edge)
        if found < best:
            best, equals = found, 0
        if found == best:
            equals += 1
            if next_below(rng, equals) == 0:
                chosen = layout.BOAT_EDGE + edge
    return chosen


@kernel
def total_distance_aimed(state: StateArray, edge: int) -> int:
    """The total distance if the boat is open at this edge only."""
    return total_distance_on(
        int(state[layout.OPEN]) if edge == 0 else int(state[layout.OPEN]) & ~BOAT,
        int(state[layout.OPEN + 1]) if edge == 1 else int(state[layout.OPEN + 1]) & ~BOAT,
        int(state[layout.OPEN + 2]) if edge == 2 else int(state[layout.OPEN + 2]) & ~BOAT,
        int(state[layout.OPEN + 3]) if edge == 3 else int(state[layout.OPEN + 3]) & ~BOAT,
        int(state[layout.EMPTY]),
        int(state[layout.DEAD_ENDS]) | (ANIMALS if state[layout.BOAT_STOPS] else 0),
    )


@kernel
def _lay(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Place the tile in hand where it helps most; swap it if it doesn't help."""
    count = legal(state, actions)
    best, chosen, equals = IMPOSSIBLE, int(actions[0]), 0
    for place in range(count):
        action = int(actions[place])
        if action >= layout.PLAY_SUPPORT:
            break
        found = total_distance_after(state, action, 0)
        if found < best:
            best, equals = found, 0
        if found == best:
            equals += 1
            if equals == 1 or next_below(rng, equals) == 0:
                chosen = action
    if state[layout.STAGE] == layout.HAND and best >= total_distance(state) and may_swap(state):
        return layout.SWAP
    return chosen


# ---- turns --------------------------------------------------------------------------------------


@kernel
def turns_left(state: StateArray) -> int:
    """The turns left in the round, including this one; many if turns aren't counted."""
    if state[layout.CLOCK] != layout.BY_TURNS:
        return int(state[layout.TURNS])
    return int(state[layout.TURNS]) - int(state[layout.TURNS_DONE])


@kernel
def best_distance(state: StateArray, kind: int, lifted: int, needs_water: bool) -> int:
    """The smallest total distance after placing a tile of a kind."""
    best = IMPOSSIBLE
    for shape in range(int(FIRST_SHAPE[kind]), int(FIRST_SHAPE[kind + 1])):
        cells = cells_for(state, shape, needs_water, lifted)
        for cell in range(CELL_COUNT):
            if (cells >> cell) & 1:
                best = min(best, total_distance_after(state, SHAPE_COUNT * cell + shape, lifted))
    return best


@kernel
def _best_distance_by_current(state: StateArray, cell: int) -> int:
    """The smallest total distance after playing Current on a cell."""
    tile = int(state[layout.CELLS + cell]) % layout.BIRD_ON
    if tile == layout.SCENARIO_TILE:
        fits = cells_for_scenario(state, 1 << cell) != 0
        return total_distance_without(state, 1 << cell) if fits else IMPOSSIBLE
    return best_distance(state, int(SHAPE_KIND[tile - 1]), 1 << cell, False)


@kernel
def best_distance_by(state: StateArray, action: int, before: int) -> int:
    """The smallest total distance after an action of a turn and its immediate follow-up."""
    if layout.PLAY_SUPPORT <= action < layout.PLAY_BIRD:
        return total_distance_without(state, 1 << (action - layout.PLAY_SUPPORT))
    if layout.PLAY_CURRENT <= action < layout.DRAW_FACE_DOWN:
        return _best_distance_by_current(state, action - layout.PLAY_CURRENT)
    if layout.TAKE_FACE_UP <= action < layout.PLAY_FISHING:
        return best_distance(state, action - layout.TAKE_FACE_UP, 0, True)
    if layout.PLAY_RETURN <= action < layout.SWAP:
        return best_distance(state, action - layout.PLAY_RETURN, 0, True)
    return before


@kernel
def _turn(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Choose a card or a draw; list the legal actions, which is slow, only as a last resort."""
    before = total_distance(state)
    chosen = _helping_card(state, before)
    if chosen < 0 and turns_left(state) <= int(state[layout.SEATS]):
        chosen = _guard(state, before)
    if chosen < 0:
        chosen = _draw(state, before)
    if chosen >= 0:
        return chosen
    count = legal(state, actions)
    if count > 1 and actions[count - 1] == layout.TIME:
        count -= 1
    return int(actions[next_below(rng, count)])


@kernel
def _draw(state: StateArray, before: int) -> int:
    """Draw a face-up tile if it helps or no tile is face down; return -1 if there is none."""
    chosen = -1
    for kind in range(layout.KIND_COUNT):
        if state[layout.FACE_UP + kind] > 0:
            if best_distance(state, kind, 0, True) < before:
                return layout.TAKE_FACE_UP + kind
            if chosen < 0 or kind != OBSTACLE:
                chosen = layout.TAKE_FACE_UP + kind
    return layout.DRAW_FACE_DOWN if tiles_down(state) > 0 else chosen


@kernel
def _helping_card(state: StateArray, before: int) -> int:
    """A card that reduces the distance immediately, if that is worth it; or -1."""
    is_urgent = before <= _ENDGAME or tiles_down(state) == 0
    wanted = before - 1 if is_urgent else before - 2
    chosen = _helping_return(state, wanted)
    if chosen < 0 and holds(state, layout.SUPPORT):
        chosen = _helping_support(state, before - 2)
    # Searching for a use of Current is slow, so do it only near the end, where it may win.
    if chosen < 0 and before < _ENDGAME and holds(state, layout.CURRENT):
        chosen = _helping_current(state, wanted)
    return chosen


@kernel
def _helping_return(state: StateArray, most: int) -> int:
    """Return for the kind that leaves the smallest distance, if at most ``most``; or -1."""
    chosen = -1
    if holds(state, layout.RETURN):
        for kind in range(layout.KIND_COUNT):
            if kind != OBSTACLE and state[layout.DISCARDED + kind] > 0:
                found = best_distance(state, kind, 0, True)
                if found <= most:
                    most, chosen = found - 1, layout.PLAY_RETURN + kind
    return chosen


@kernel
def _helping_support(state: StateArray, most: int) -> int:
    """Like ``_helping_return``, for Support and the cell to play it on."""
    chosen = -1
    for cell in range(CELL_COUNT):
        if _has_movable_tile(state, cell):
            found = total_distance_without(state, 1 << cell)
            if found <= most:
                most, chosen = found - 1, layout.PLAY_SUPPORT + cell
    return chosen


@kernel
def _helping_current(state: StateArray, most: int) -> int:
    """Like ``_helping_support``, for Current."""
    chosen = -1
    for cell in range(CELL_COUNT):
        if _has_movable_tile(state, cell):
            found = _best_distance_by_current(state, cell)
            if found <= most:
                most, chosen = found - 1, layout.PLAY_CURRENT + cell
    return chosen


@kernel
def _has_movable_tile(state: StateArray, cell: int) -> bool:
    return state[layout.CELLS + cell] != 0 and is_movable(state, cell)


@kernel
def _guard(state: StateArray, before: int) -> int:
    """A card that protects against the wave and is worth the turn, or -1."""
    exposed = exposed_cells(state)
    if (
        holds(state, layout.CALM)
        and not state[layout.CALM_PLAYED]
        and count_cells(exposed) >= _MIN_TILES_FOR_CALM
    ):
        return layout.PLAY_CALM
    best, chosen = 1, -1
    if holds(state, layout.BIRD) and state[layout.BIRDS_LEFT] > 0:
        for cell in range(CELL_COUNT):
            if 0 < state[layout.CELLS + cell] < layout.BIRD_ON:
                cost = total_distance_without(state, 1 << cell) - before
                if cost > best:
                    best, chosen = cost, layout.PLAY_BIRD + cell
    return chosen
