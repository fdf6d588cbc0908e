"""How one plays sensibly without looking ahead: ``rollout_policy``, by which search plays on.

Tiles are laid where the animals then lack the fewest in all; cards are played when they help at
once, or as late before the wave as the seat's turns allow.
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
"""More than is ever lacking: what cannot be done."""
_ENDGAME = 4  # So few tiles lacking that cards are not kept for a better use.
_MIN_TILES_FOR_CALM = 5  # Tiles on the board that a wave may take.


@kernel
def rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """What one does by habit; ``actions`` is room to list the legal ones."""
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
    """How many tiles the animals lack if the boat has this way only."""
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
    """Lays what is in hand where it helps most; what helps nobody is swapped."""
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
    """How many turns are left in the round, this one included; many if nobody counts them."""
    if state[layout.CLOCK] != layout.BY_TURNS:
        return int(state[layout.TURNS])
    return int(state[layout.TURNS]) - int(state[layout.TURNS_DONE])


@kernel
def best_distance(state: StateArray, kind: int, lifted: int, needs_water: bool) -> int:
    """The fewest tiles lacking after a tile of a kind was laid somewhere."""
    best = IMPOSSIBLE
    for shape in range(int(FIRST_SHAPE[kind]), int(FIRST_SHAPE[kind + 1])):
        cells = cells_for(state, shape, needs_water, lifted)
        for cell in range(CELL_COUNT):
            if (cells >> cell) & 1:
                best = min(best, total_distance_after(state, SHAPE_COUNT * cell + shape, lifted))
    return best


@kernel
def _best_distance_by_current(state: StateArray, cell: int) -> int:
    """The fewest tiles lacking after Current was played on a cell."""
    tile = int(state[layout.CELLS + cell]) % layout.BIRD_ON
    if tile == layout.SCENARIO_TILE:
        fits = cells_for_scenario(state, 1 << cell) != 0
        return total_distance_without(state, 1 << cell) if fits else IMPOSSIBLE
    return best_distance(state, int(SHAPE_KIND[tile - 1]), 1 << cell, False)


@kernel
def best_distance_by(state: StateArray, action: int, before: int) -> int:
    """The fewest tiles lacking after an action of a turn, and what follows at once."""
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
    """Lists what is legal only if nothing else is left to do: that takes longest by far."""
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
    """Which tile to draw: one that is turned up if it helps, or if none is face down; or -1."""
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
    """A card by which fewer tiles are lacking at once, if that is worth it; or -1."""
    is_urgent = before <= _ENDGAME or tiles_down(state) == 0
    wanted = before - 1 if is_urgent else before - 2
    chosen = _helping_return(state, wanted)
    if chosen < 0 and holds(state, layout.SUPPORT):
        chosen = _helping_support(state, before - 2)
    # Looking for a use of Current takes long, so one looks near the end, where it may win.
    if chosen < 0 and before < _ENDGAME and holds(state, layout.CURRENT):
        chosen = _helping_current(state, wanted)
    return chosen


@kernel
def _helping_return(state: StateArray, most: int) -> int:
    """Return for the kind after which the fewest tiles are lacking, if so many at most; or -1."""
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
    """As ``_helping_return``, for Support and the cell to play it on."""
    chosen = -1
    for cell in range(CELL_COUNT):
        if _has_movable_tile(state, cell):
            found = total_distance_without(state, 1 << cell)
            if found <= most:
                most, chosen = found - 1, layout.PLAY_SUPPORT + cell
    return chosen


@kernel
def _helping_current(state: StateArray, most: int) -> int:
    """As ``_helping_support``, for Current."""
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
    """A card against the wave that is worth its turn, or -1."""
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
