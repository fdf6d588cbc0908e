"""How one plays sensibly without looking ahead: ``rollout_policy``, by which search plays on.

Tiles are laid where the animals then lack the fewest in all; cards are played when they help at
once, or as late before the wave as the seat's turns allow.
"""

from __future__ import annotations

from watermeet.core.contract import ActionArray, RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_below
from watermeet.games.flow.board import ANIMALS, BOAT, CELL_COUNT, count_cells
from watermeet.games.flow.cards import cells_for_scenario, holds, may_be_moved, tiles_down
from watermeet.games.flow.choices import may_swap
from watermeet.games.flow.layout import (
    AIM,
    AIM_BOAT,
    BIRD,
    BIRD_ON,
    BIRDS_LEFT,
    BOAT_STOPS,
    BY_TURNS,
    CALM,
    CALM_PLAYED,
    CELLS,
    CHOOSE_BLACK,
    CHOOSE_DIE,
    CHOOSE_WHITE,
    CLOCK,
    CURRENT,
    DEAD,
    DISCARDED,
    DRAW_DOWN,
    EMPTY,
    HAND,
    KIND_COUNT,
    OPEN,
    PLAY_BIRD,
    PLAY_CALM,
    PLAY_CURRENT,
    PLAY_FISHING,
    PLAY_RETURN,
    PLAY_SUPPORT,
    RETURN,
    SCENARIO_TILE,
    SEATS,
    STAGE,
    SUPPORT,
    SWAP,
    TAKE_UP,
    TIME,
    TURN,
    TURNS,
    TURNS_DONE,
    UP,
)
from watermeet.games.flow.routes import lacking, lacking_after, lacking_on, lacking_without
from watermeet.games.flow.rules import legal
from watermeet.games.flow.shapes import EDGES, FIRST_SHAPE, OBSTACLE, SHAPE_COUNT, SHAPE_KIND
from watermeet.games.flow.water import cells_for
from watermeet.games.flow.waves import column_costs, loose_cells, row_costs

NO_BOARD = 1 << 20
"""More than is ever lacking: what cannot be done."""
_ALMOST = 4  # So few tiles lacking that cards are not kept for a better use.
_WORTH_CALM = 5  # Tiles on the board that a wave may take.


@kernel
def habit(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """What one does by habit; ``actions`` is room to list the legal ones."""
    stage = int(state[STAGE])
    if stage == TURN:
        return _turn(state, actions, rng)
    if stage == CHOOSE_DIE:
        before = lacking(state)
        rows, columns = row_costs(state, before), column_costs(state, before)
        return CHOOSE_WHITE if rows < columns else CHOOSE_BLACK
    if stage == AIM_BOAT:
        return _aim(state, rng)
    return _lay(state, actions, rng)


@kernel
def _aim(state: StateArray, rng: RandomArray) -> int:
    best, chosen, equals = NO_BOARD, AIM, 0
    for edge in range(EDGES):
        found = lacking_aimed(state, edge)
        if found < best:
            best, equals = found, 0
        if found == best:
            equals += 1
            if next_below(rng, equals) == 0:
                chosen = AIM + edge
    return chosen


@kernel
def lacking_aimed(state: StateArray, edge: int) -> int:
    """How many tiles the animals lack if the boat has this way only."""
    return lacking_on(
        int(state[OPEN]) if edge == 0 else int(state[OPEN]) & ~BOAT,
        int(state[OPEN + 1]) if edge == 1 else int(state[OPEN + 1]) & ~BOAT,
        int(state[OPEN + 2]) if edge == 2 else int(state[OPEN + 2]) & ~BOAT,
        int(state[OPEN + 3]) if edge == 3 else int(state[OPEN + 3]) & ~BOAT,
        int(state[EMPTY]),
        int(state[DEAD]) | (ANIMALS if state[BOAT_STOPS] else 0),
    )


@kernel
def _lay(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Lays what is in hand where it helps most; what helps nobody is swapped."""
    count = legal(state, actions)
    best, chosen, equals = NO_BOARD, int(actions[0]), 0
    for place in range(count):
        action = int(actions[place])
        if action >= PLAY_SUPPORT:
            break
        found = lacking_after(state, action, 0)
        if found < best:
            best, equals = found, 0
        if found == best:
            equals += 1
            if equals == 1 or next_below(rng, equals) == 0:
                chosen = action
    if state[STAGE] == HAND and best >= lacking(state) and may_swap(state):
        return SWAP
    return chosen


# ---- turns --------------------------------------------------------------------------------------


@kernel
def turns_left(state: StateArray) -> int:
    """How many turns are left in the round, this one included; many if nobody counts them."""
    if state[CLOCK] != BY_TURNS:
        return int(state[TURNS])
    return int(state[TURNS]) - int(state[TURNS_DONE])


@kernel
def best_lacking(state: StateArray, kind: int, lifted: int, needs_water: bool) -> int:
    """The fewest tiles lacking after a tile of a kind was laid somewhere."""
    best = NO_BOARD
    for shape in range(int(FIRST_SHAPE[kind]), int(FIRST_SHAPE[kind + 1])):
        cells = cells_for(state, shape, needs_water, lifted)
        for cell in range(CELL_COUNT):
            if (cells >> cell) & 1:
                best = min(best, lacking_after(state, SHAPE_COUNT * cell + shape, lifted))
    return best


@kernel
def _lacking_by_current(state: StateArray, cell: int) -> int:
    """The fewest tiles lacking after Current was played on a cell."""
    tile = int(state[CELLS + cell]) % BIRD_ON
    if tile == SCENARIO_TILE:
        fits = cells_for_scenario(state, 1 << cell) != 0
        return lacking_without(state, 1 << cell) if fits else NO_BOARD
    return best_lacking(state, int(SHAPE_KIND[tile - 1]), 1 << cell, False)


@kernel
def lacking_by(state: StateArray, action: int, before: int) -> int:
    """The fewest tiles lacking after an action of a turn, and what follows at once."""
    if PLAY_SUPPORT <= action < PLAY_BIRD:
        return lacking_without(state, 1 << (action - PLAY_SUPPORT))
    if PLAY_CURRENT <= action < DRAW_DOWN:
        return _lacking_by_current(state, action - PLAY_CURRENT)
    if TAKE_UP <= action < PLAY_FISHING:
        return best_lacking(state, action - TAKE_UP, 0, True)
    if PLAY_RETURN <= action < SWAP:
        return best_lacking(state, action - PLAY_RETURN, 0, True)
    return before


@kernel
def _turn(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Lists what is legal only if nothing else is left to do: that takes longest by far."""
    before = lacking(state)
    chosen = _helping_card(state, before)
    if chosen < 0 and turns_left(state) <= int(state[SEATS]):
        chosen = _guard(state, before)
    if chosen < 0:
        chosen = _draw(state, before)
    if chosen >= 0:
        return chosen
    count = legal(state, actions)
    if count > 1 and actions[count - 1] == TIME:
        count -= 1
    return int(actions[next_below(rng, count)])


@kernel
def _draw(state: StateArray, before: int) -> int:
    """Which tile to draw: one that is turned up if it helps, or if none is face down; or -1."""
    chosen = -1
    for kind in range(KIND_COUNT):
        if state[UP + kind] > 0:
            if best_lacking(state, kind, 0, True) < before:
                return TAKE_UP + kind
            if chosen < 0 or kind != OBSTACLE:
                chosen = TAKE_UP + kind
    return DRAW_DOWN if tiles_down(state) > 0 else chosen


@kernel
def _helping_card(state: StateArray, before: int) -> int:
    """A card by which fewer tiles are lacking at once, if that is worth it; or -1."""
    is_urgent = before <= _ALMOST or tiles_down(state) == 0
    wanted = before - 1 if is_urgent else before - 2
    chosen = _helping_return(state, wanted)
    if chosen < 0 and holds(state, SUPPORT):
        chosen = _helping_support(state, before - 2)
    # Looking for a use of Current takes long, so one looks near the end, where it may win.
    if chosen < 0 and before < _ALMOST and holds(state, CURRENT):
        chosen = _helping_current(state, wanted)
    return chosen


@kernel
def _helping_return(state: StateArray, most: int) -> int:
    """Return for the kind after which the fewest tiles are lacking, if so many at most; or -1."""
    chosen = -1
    if holds(state, RETURN):
        for kind in range(KIND_COUNT):
            if kind != OBSTACLE and state[DISCARDED + kind] > 0:
                found = best_lacking(state, kind, 0, True)
                if found <= most:
                    most, chosen = found - 1, PLAY_RETURN + kind
    return chosen


@kernel
def _helping_support(state: StateArray, most: int) -> int:
    """As ``_helping_return``, for Support and the cell to play it on."""
    chosen = -1
    for cell in range(CELL_COUNT):
        if _is_movable(state, cell):
            found = lacking_without(state, 1 << cell)
            if found <= most:
                most, chosen = found - 1, PLAY_SUPPORT + cell
    return chosen


@kernel
def _helping_current(state: StateArray, most: int) -> int:
    """As ``_helping_support``, for Current."""
    chosen = -1
    for cell in range(CELL_COUNT):
        if _is_movable(state, cell):
            found = _lacking_by_current(state, cell)
            if found <= most:
                most, chosen = found - 1, PLAY_CURRENT + cell
    return chosen


@kernel
def _is_movable(state: StateArray, cell: int) -> bool:
    return state[CELLS + cell] != 0 and may_be_moved(state, cell)


@kernel
def _guard(state: StateArray, before: int) -> int:
    """A card against the wave that is worth its turn, or -1."""
    loose = loose_cells(state)
    if holds(state, CALM) and not state[CALM_PLAYED] and count_cells(loose) >= _WORTH_CALM:
        return PLAY_CALM
    best, chosen = 1, -1
    if holds(state, BIRD) and state[BIRDS_LEFT] > 0:
        for cell in range(CELL_COUNT):
            if 0 < state[CELLS + cell] < BIRD_ON:
                cost = lacking_without(state, 1 << cell) - before
                if cost > best:
                    best, chosen = cost, PLAY_BIRD + cell
    return chosen
