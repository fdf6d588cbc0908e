"""The cells beside the tiles of earlier turns that can still take some tile: the list in the memo.

A cell's lines only grow, so what fits there only becomes less: a cell that nothing fits any more is
struck off for good. During a turn the list waits; when the turn ends, only the cells at the ends of
its lines are judged anew. The list is ordered by the cells' numbers.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle.grid import (
    cell_number,
    cell_x,
    cell_y,
    fitting_cell,
    is_column_turn,
    note_tile,
    reach,
)
from watermeet.games.qwirkle.layout import (
    COUNT,
    ENTRY,
    FRONTIER,
    LAID,
    LIVE,
    LOOKUP,
    STEP_X,
    STEP_Y,
    XS,
    YS,
)


@kernel
def live_count(state: StateArray) -> int:
    """How many cells are listed."""
    return 100 * int(state[LIVE]) + int(state[LIVE + 1])


@kernel
def _set_live_count(state: StateArray, count: int) -> None:
    state[LIVE] = count // 100
    state[LIVE + 1] = count % 100


@kernel
def entry_cell(state: StateArray, index: int) -> int:
    """The number of a listed cell."""
    entry = FRONTIER + ENTRY * index
    return 4 * int(state[entry]) + int(state[entry + 1])


@kernel
def entry_fits(state: StateArray, index: int, kind: int) -> bool:
    """Whether a listed cell can take a kind."""
    shapes = int(state[FRONTIER + ENTRY * index + 2 + kind // 6])
    return (shapes >> (kind % 6)) & 1 != 0


@kernel
def entry_kinds(state: StateArray, index: int) -> int:
    """All kinds that a listed cell can take, as a set."""
    entry = FRONTIER + ENTRY * index + 2
    kinds = 0
    for colour in range(6):
        kinds |= int(state[entry + colour]) << (6 * colour)
    return kinds


@kernel
def _write_entry(state: StateArray, index: int, number: int, fits: int) -> None:
    entry = FRONTIER + ENTRY * index
    state[entry] = number // 4
    state[entry + 1] = number % 4
    for colour in range(6):
        state[entry + 2 + colour] = (fits >> (6 * colour)) & 63


@kernel
def _find_entry(state: StateArray, number: int) -> int:
    """Where a cell is listed, or -1."""
    tile, direction = number // 4, number % 4
    for index in range(live_count(state)):
        entry = FRONTIER + ENTRY * index
        if state[entry] == tile and state[entry + 1] == direction:
            return index
    return -1


@kernel
def _strike_off(state: StateArray, index: int) -> None:
    count = live_count(state) - 1
    _set_live_count(state, count)
    for place in range(FRONTIER + ENTRY * index, FRONTIER + ENTRY * count):
        state[place] = state[place + ENTRY]


@kernel
def _judge_anew(state: StateArray, x: int, y: int) -> None:
    """Writes what fits a cell now, if it is listed."""
    number = cell_number(state, x, y)
    index = _find_entry(state, number)
    if index >= 0:
        fits = fitting_cell(state, x, y)
        if fits == 0:
            _strike_off(state, index)
        else:
            _write_entry(state, index, number, fits)


@kernel
def leave_cell(state: StateArray, number: int) -> None:
    """Strikes a cell off that a tile is about to be laid on."""
    index = _find_entry(state, number)
    if index >= 0:
        _strike_off(state, index)


@kernel
def _list_around(state: StateArray, tile: int) -> None:
    """Adds the cells that are numbered from a tile and can take something."""
    for number in range(4 * tile, 4 * tile + 4):
        x, y = cell_x(state, number), cell_y(state, number)
        if cell_number(state, x, y) == number:
            fits = fitting_cell(state, x, y)
            if fits != 0:
                count = live_count(state)
                _write_entry(state, count, number, fits)
                _set_live_count(state, count + 1)


@kernel
def grow(state: StateArray) -> None:
    """Takes up the tiles of this turn when it ends."""
    count, laid = int(state[COUNT]), int(state[LAID])
    down = int(laid > 1 and is_column_turn(state))
    for index in range(laid + 1):  # The crossing line of each tile, and the line of all of them.
        tile, direction = count - laid + index, 1 - down
        if index == laid:
            tile, direction = count - 1, down
        _judge_ends(state, tile, direction)
    for tile in range(count - laid, count):
        _list_around(state, tile)


@kernel
def _judge_ends(state: StateArray, tile: int, down: int) -> None:
    """Judges the cells at both ends of a tile's row or (1) column anew."""
    x, y = int(state[XS + tile]), int(state[YS + tile])
    for direction in range(down, 4, 2):
        step_x, step_y = STEP_X[direction], STEP_Y[direction]
        distance = reach(state, x, y, step_x, step_y) + 1
        _judge_anew(state, x + step_x * distance, y + step_y * distance)


@kernel
def rebuild(state: StateArray) -> None:
    """Writes the whole memo from the tiles on the grid."""
    state[LOOKUP:] = 0
    count, laid = int(state[COUNT]), int(state[LAID])
    for tile in range(count - laid):
        note_tile(state, tile)
    for tile in range(count - laid):
        _list_around(state, tile)
    for tile in range(count - laid, count):
        leave_cell(state, cell_number(state, int(state[XS + tile]), int(state[YS + tile])))
        note_tile(state, tile)
