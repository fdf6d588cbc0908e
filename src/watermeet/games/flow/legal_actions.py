"""The legal actions of players and chance, by stage."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT
from watermeet.games.flow.cards import cells_for_scenario, list_cards, list_other_cards, tiles_down
from watermeet.games.flow.connectivity import cells_for
from watermeet.games.flow.setup_phase import obstacle_cells
from watermeet.games.flow.shapes import FIRST_SHAPE, OBSTACLE, SHAPE_COUNT

PIPS = 6


@kernel
def _list_counts(state: StateArray, first: int, count: int, action: int, out: ActionArray) -> int:
    """List an action for each counter that isn't zero."""
    listed = 0
    for place in range(count):
        if state[first + place] > 0:
            out[listed] = action + place
            listed += 1
    return listed


@kernel
def list_chance(state: StateArray, stage: int, out: ActionArray) -> int:
    """List the chance outcomes of a stage."""
    if stage == layout.DRAW_SCENARIO:
        return _list_counts(
            state, layout.SCENARIO_PILE, layout.SCENARIO_KINDS, layout.CHANCE_SCENARIO, out
        )
    if stage in (layout.DEAL, layout.DRAW_CARD):
        return _list_counts(state, layout.PILE, layout.CARD_KINDS, layout.CHANCE_CARD, out)
    if stage in (layout.DRAW_TILE, layout.FISH):
        return _list_counts(state, layout.FACE_DOWN, layout.KIND_COUNT, layout.CHANCE_TILE, out)
    if stage == layout.LAY_OBSTACLE:
        return _list_cells(obstacle_cells(state), layout.CHANCE_OBSTACLE, 1, out, 0)
    for place in range(PIPS):
        out[place] = (
            layout.CHANCE_WHITE if stage == layout.ROLL_WHITE else layout.CHANCE_BLACK
        ) + place
    return PIPS


@kernel
def _list_cells(cells: int, action: int, step: int, out: ActionArray, count: int) -> int:
    """Append an action for each cell of a set."""
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1:
            out[count] = action + step * cell
            count += 1
    return count


@kernel
def list_turn(state: StateArray, out: ActionArray) -> int:
    """List cards on cells, draws, other cards, and calling time."""
    count = list_cards(state, out, 0)
    if tiles_down(state) > 0:
        out[count] = layout.DRAW_FACE_DOWN
        count += 1
    for kind in range(layout.KIND_COUNT):
        if state[layout.FACE_UP + kind] > 0:
            out[count] = layout.TAKE_FACE_UP + kind
            count += 1
    count = list_other_cards(state, out, count)
    return _list_time(state, out, count)


@kernel
def _list_time(state: StateArray, out: ActionArray, count: int) -> int:
    if state[layout.CLOCK] != layout.BY_TURNS and not state[layout.TIME_UP]:
        out[count] = layout.TIME
        count += 1
    return count


@kernel
def _list_shapes(state: StateArray, kind: int, water: bool, lifted: int, out: ActionArray) -> int:
    """List the placements of a kind, by cell and shape."""
    first, end = int(FIRST_SHAPE[kind]), int(FIRST_SHAPE[kind + 1])
    north = cells_for(state, first, water, lifted)
    east = cells_for(state, first + 1, water, lifted) if end - first > 1 else 0
    south = cells_for(state, first + 2, water, lifted) if end - first > 2 else 0
    west = cells_for(state, first + 3, water, lifted) if end - first > 3 else 0
    count = 0
    for cell in range(CELL_COUNT):
        if ((north | east | south | west) >> cell) & 1:
            action = SHAPE_COUNT * cell + first
            for cells in (north, east, south, west):
                if (cells >> cell) & 1:
                    out[count] = action
                    count += 1
                action += 1
    return count


@kernel
def list_hand(state: StateArray, out: ActionArray) -> int:
    """List the placements of the drawn tile, swapping it, and discarding it."""
    kind = int(state[layout.TILE]) - 1
    laid = _list_shapes(state, kind, True, 0, out)
    count = laid
    if may_swap(state):
        out[count] = layout.SWAP
        count += 1
    if laid == 0:
        out[count] = layout.DISCARD  # R3.4
        count += 1
    return _list_time(state, out, count)


@kernel
def may_swap(state: StateArray) -> bool:
    """Whether the drawn tile may be swapped for a card (R3.3)."""
    if state[layout.TILE] == 1 + OBSTACLE or state[layout.IN_PLAY + layout.NO_NEW_CARDS]:
        return False
    return pile_size(state) > 0


@kernel
def pile_size(state: StateArray) -> int:
    """The number of action cards in the pile, which hidden hands are counted with (hidden.py)."""
    size = 0
    for card in range(layout.CARD_KINDS):
        size += int(state[layout.PILE + card])
    for seat in range(int(state[layout.SEATS])):
        size -= int(state[layout.HIDDEN_CARDS + seat])
    return size


@kernel
def list_carry(state: StateArray, out: ActionArray) -> int:
    """List where the tile of Current or Return may go."""
    lifted = 1 << (int(state[layout.LIFTED_FROM]) - 1) if state[layout.LIFTED_FROM] else 0
    if state[layout.TILE] == layout.SCENARIO_TILE:
        count = _list_cells(cells_for_scenario(state, lifted), layout.LAY_SCENARIO, 1, out, 0)
    else:
        kind = int(state[layout.TILE]) - 1
        count = _list_shapes(state, kind, not state[layout.LIFTED_FROM], lifted, out)
    return _list_time(state, out, count)
