"""What the next wave may cost, counted in tiles that the animals would then lack."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow.board import CELL_COUNT, COLUMN_CELLS, FREE_CELLS, LINE_OF, ROW_CELLS
from watermeet.games.flow.choices import PIPS
from watermeet.games.flow.layout import BIRD_ON, CELLS, DEAD, EMPTY, FIXED, IN_PLAY, REMAIN
from watermeet.games.flow.routes import lacking_without

Lines = npt.NDArray[np.signedinteger[Any]]  # [SIZE]: sets of cells


@kernel
def loose_cells(state: StateArray) -> int:
    """The cells whose tiles a single die would take: no bird sits on them (R6.5)."""
    cells = FREE_CELLS & ~int(state[EMPTY])
    if state[IN_PLAY + REMAIN]:
        cells &= int(state[FIXED]) & ~int(state[DEAD])
    for cell in range(CELL_COUNT):
        if state[CELLS + cell] >= BIRD_ON:
            cells &= ~(1 << cell)
    return cells


@kernel
def row_costs(state: StateArray, before: int) -> int:
    """What each number of the white die costs, all added up; ``before`` tiles are lacking now."""
    return _line_costs(state, ROW_CELLS, before)


@kernel
def column_costs(state: StateArray, before: int) -> int:
    """As ``row_costs``, of the black die."""
    return _line_costs(state, COLUMN_CELLS, before)


@kernel
def _line_costs(state: StateArray, lines: Lines, before: int) -> int:
    loose, total = loose_cells(state), 0
    for pip in range(1, PIPS + 1):
        hit = loose & int(lines[LINE_OF[pip]])
        if hit:
            total += lacking_without(state, hit) - before
    return total
