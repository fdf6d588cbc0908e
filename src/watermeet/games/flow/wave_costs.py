"""What the next wave may cost, in additional tiles that the animals would need."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT, COLUMN_CELLS, FREE_CELLS, LINE_OF, ROW_CELLS
from watermeet.games.flow.legal_actions import PIPS
from watermeet.games.flow.total_distance import total_distance_without

Lines = npt.NDArray[np.signedinteger[Any]]  # [SIZE]: bitboards


@kernel
def exposed_cells(state: StateArray) -> int:
    """The cells whose tiles a single die would wash away: those without a bird (R6.5)."""
    cells = FREE_CELLS & ~int(state[layout.EMPTY])
    if state[layout.IN_PLAY + layout.OBSTACLES_REMAIN]:
        cells &= int(state[layout.FIXED]) & ~int(state[layout.DEAD_ENDS])
    for cell in range(CELL_COUNT):
        if state[layout.CELLS + cell] >= layout.BIRD_ON:
            cells &= ~(1 << cell)
    return cells


@kernel
def row_costs(state: StateArray, before: int) -> int:
    """The sum of the costs of all numbers of the white die; ``before`` is the present distance."""
    return _line_costs(state, ROW_CELLS, before)


@kernel
def column_costs(state: StateArray, before: int) -> int:
    """Like ``row_costs``, for the black die."""
    return _line_costs(state, COLUMN_CELLS, before)


@kernel
def _line_costs(state: StateArray, lines: Lines, before: int) -> int:
    exposed, total = exposed_cells(state), 0
    for pip in range(1, PIPS + 1):
        hit = exposed & int(lines[LINE_OF[pip]])
        if hit:
            total += total_distance_without(state, hit) - before
    return total
