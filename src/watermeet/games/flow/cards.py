"""The action cards (R5): when and where they may be played."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT
from watermeet.games.flow.connectivity import animals_to_spare, cells_for, connectable_animals
from watermeet.games.flow.shapes import FIRST_SHAPE, OBSTACLE, SHAPE_KIND

FISHING_TILES = 2


@kernel
def holds(state: StateArray, card: int) -> bool:
    """Whether the mover holds a card, or may hold it in a hidden hand, and may play one (R8.1)."""
    if state[layout.IN_PLAY + layout.ONE_CARD] and state[layout.CARD_PLAYED]:
        return False
    mover = int(state[layout.MOVER])
    if state[layout.HIDDEN_CARDS + mover] > 0 and state[layout.PILE + card] > 0:
        return True
    return bool(state[layout.HANDS + mover * layout.CARD_KINDS + card] > 0)


@kernel
def list_cards(state: StateArray, out: ActionArray, count: int) -> int:
    """Append the cards that are played on a cell to the ``count`` actions in ``out``."""
    for cell in range(CELL_COUNT):
        if (
            state[layout.CELLS + cell] != 0
            and holds(state, layout.SUPPORT)
            and is_movable(state, cell)
        ):
            out[count] = layout.PLAY_SUPPORT + cell
            count += 1
    for cell in range(CELL_COUNT):
        if (
            0 < state[layout.CELLS + cell] < layout.BIRD_ON
            and holds(state, layout.BIRD)
            and state[layout.BIRDS_LEFT] > 0
        ):
            out[count] = layout.PLAY_BIRD + cell
            count += 1
    for cell in range(CELL_COUNT):
        if (
            state[layout.CELLS + cell] != 0
            and holds(state, layout.CURRENT)
            and _can_relocate(state, cell)
        ):
            out[count] = layout.PLAY_CURRENT + cell
            count += 1
    return count


@kernel
def list_other_cards(state: StateArray, out: ActionArray, count: int) -> int:
    """Append the cards without a cell."""
    if holds(state, layout.FISHING) and tiles_down(state) >= FISHING_TILES:
        out[count] = layout.PLAY_FISHING
        count += 1
    if holds(state, layout.CALM) and not state[layout.CALM_PLAYED]:
        out[count] = layout.PLAY_CALM
        count += 1
    for kind in range(layout.KIND_COUNT):
        if (
            state[layout.DISCARDED + kind] > 0
            and holds(state, layout.RETURN)
            and fits(state, kind, True, 0)
        ):
            out[count] = layout.PLAY_RETURN + kind
            count += 1
    return count


@kernel
def tiles_down(state: StateArray) -> int:
    """The number of face-down tiles."""
    count = 0
    for kind in range(layout.KIND_COUNT):
        count += int(state[layout.FACE_DOWN + kind])
    return count


@kernel
def fits(state: StateArray, kind: int, needs_water: bool, lifted: int) -> bool:
    """Whether a tile of a kind fits anywhere."""
    cells = 0
    for shape in range(int(FIRST_SHAPE[kind]), int(FIRST_SHAPE[kind + 1])):
        if cells == 0:
            cells = cells_for(state, shape, needs_water, lifted)
    return cells != 0


@kernel
def is_movable(state: StateArray, cell: int) -> bool:
    """Whether Support and Current may be used on the tile in a cell."""
    if not state[layout.IN_PLAY + layout.NOT_FOR_OBSTACLES]:
        return True
    tile = int(state[layout.CELLS + cell]) % layout.BIRD_ON
    return tile != layout.SCENARIO_TILE and SHAPE_KIND[tile - 1] != OBSTACLE


@kernel
def _can_relocate(state: StateArray, cell: int) -> bool:
    """Whether Current can move the tile in a cell (R5.5)."""
    if not is_movable(state, cell):
        return False
    tile = int(state[layout.CELLS + cell]) % layout.BIRD_ON
    if tile == layout.SCENARIO_TILE:
        return cells_for_scenario(state, 1 << cell) != 0
    return fits(state, int(SHAPE_KIND[tile - 1]), False, 1 << cell)


@kernel
def cells_for_scenario(state: StateArray, lifted: int) -> int:
    """The empty cells where a scenario obstacle doesn't cut off an animal from the boat."""
    cells = int(state[layout.EMPTY]) & ~lifted
    spared = animals_to_spare(state, lifted)
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1 and spared & ~connectable_animals(state, 1 << cell, -1, 0, lifted):
            cells &= ~(1 << cell)
    return cells
