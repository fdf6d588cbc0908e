"""The action cards (R5): what they may be played on, if all of their effect can be done."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow.board import CELL_COUNT
from watermeet.games.flow.layout import (
    BIRD,
    BIRD_ON,
    BIRDS_LEFT,
    CALM,
    CALM_PLAYED,
    CARD_KINDS,
    CARD_PLAYED,
    CELLS,
    CURRENT,
    DISCARDED,
    DOWN,
    EMPTY,
    FISHING,
    HANDS,
    HIDDEN_CARDS,
    IN_PLAY,
    KIND_COUNT,
    MOVER,
    NOT_FOR_OBSTACLES,
    ONE_CARD,
    PILE,
    PLAY_BIRD,
    PLAY_CALM,
    PLAY_CURRENT,
    PLAY_FISHING,
    PLAY_RETURN,
    PLAY_SUPPORT,
    RETURN,
    SCENARIO_TILE,
    SUPPORT,
)
from watermeet.games.flow.shapes import FIRST_SHAPE, OBSTACLE, SHAPE_KIND
from watermeet.games.flow.water import all_can_reach, cells_for

FISHED = 2


@kernel
def holds(state: StateArray, card: int) -> bool:
    """Whether the mover has a card, or may have it in a hidden hand, and may play one (R8.1)."""
    if state[IN_PLAY + ONE_CARD] and state[CARD_PLAYED]:
        return False
    mover = int(state[MOVER])
    if state[HIDDEN_CARDS + mover] > 0 and state[PILE + card] > 0:
        return True
    return bool(state[HANDS + mover * CARD_KINDS + card] > 0)


@kernel
def list_cards(state: StateArray, out: ActionArray, count: int) -> int:
    """Lists the cards that the mover may play behind ``count`` actions; ascending but for draws."""
    for cell in range(CELL_COUNT):
        if state[CELLS + cell] != 0 and holds(state, SUPPORT) and may_be_moved(state, cell):
            out[count] = PLAY_SUPPORT + cell
            count += 1
    for cell in range(CELL_COUNT):
        if 0 < state[CELLS + cell] < BIRD_ON and holds(state, BIRD) and state[BIRDS_LEFT] > 0:
            out[count] = PLAY_BIRD + cell
            count += 1
    for cell in range(CELL_COUNT):
        if state[CELLS + cell] != 0 and holds(state, CURRENT) and _can_go_elsewhere(state, cell):
            out[count] = PLAY_CURRENT + cell
            count += 1
    return count


@kernel
def list_other_cards(state: StateArray, out: ActionArray, count: int) -> int:
    """The cards without a cell."""
    if holds(state, FISHING) and tiles_down(state) >= FISHED:
        out[count] = PLAY_FISHING
        count += 1
    if holds(state, CALM) and not state[CALM_PLAYED]:
        out[count] = PLAY_CALM
        count += 1
    for kind in range(KIND_COUNT):
        if state[DISCARDED + kind] > 0 and holds(state, RETURN) and fits(state, kind, True, 0):
            out[count] = PLAY_RETURN + kind
            count += 1
    return count


@kernel
def tiles_down(state: StateArray) -> int:
    """How many tiles are face down."""
    count = 0
    for kind in range(KIND_COUNT):
        count += int(state[DOWN + kind])
    return count


@kernel
def fits(state: StateArray, kind: int, needs_water: bool, lifted: int) -> bool:
    """Whether a tile of a kind may be laid anywhere."""
    cells = 0
    for shape in range(int(FIRST_SHAPE[kind]), int(FIRST_SHAPE[kind + 1])):
        if cells == 0:
            cells = cells_for(state, shape, needs_water, lifted)
    return cells != 0


@kernel
def may_be_moved(state: StateArray, cell: int) -> bool:
    """Whether Support and Current may be used on what lies in a cell."""
    if not state[IN_PLAY + NOT_FOR_OBSTACLES]:
        return True
    tile = int(state[CELLS + cell]) % BIRD_ON
    return tile != SCENARIO_TILE and SHAPE_KIND[tile - 1] != OBSTACLE


@kernel
def _can_go_elsewhere(state: StateArray, cell: int) -> bool:
    """Whether Current can move what lies in a cell (R5.5)."""
    if not may_be_moved(state, cell):
        return False
    tile = int(state[CELLS + cell]) % BIRD_ON
    if tile == SCENARIO_TILE:
        return cells_for_scenario(state, 1 << cell) != 0
    return fits(state, int(SHAPE_KIND[tile - 1]), False, 1 << cell)


@kernel
def cells_for_scenario(state: StateArray, lifted: int) -> int:
    """The empty cells where a scenario obstacle leaves every animal a way to the boat."""
    cells = int(state[EMPTY]) & ~lifted
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1 and not all_can_reach(state, 1 << cell, -1, 0, lifted):
            cells &= ~(1 << cell)
    return cells
