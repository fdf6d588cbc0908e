"""How promising the stones are that can be added in a Flume state: weights for search.

Most stones are surely equalled by another one, and weigh nothing (proofs in
docs/concepts/flume-solved.md): loose points are taken in any one order, before anything is done in
the core, and a chain is opened at one place only.
"""

from __future__ import annotations

from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flume.rests import (
    COST,
    LEAD,
    LINK,
    LIST_SIZE,
    LOOSE,
    LOOSE_COUNT,
    TAKEN,
    beside,
    cost_of_control,
    gift_of,
    place_in_core,
    take_back,
)
from watermeet.games.flume.rules import CELL_OF, CELLS, FREE_LIST, SIZE

QUIET, GIVING, DARING, HOPELESS = 1.0, 0.5, 0.1, 0.001
"""Weights: gives nothing; gives points without control; gives control; loses by it for sure."""

_WALK_SIZE = 3
_STEPS, _LOWEST, _END = range(_WALK_SIZE)


# ---- loose points are there ---------------------------------------------------------------------


@kernel
def weigh_loose_stones(
    state: StateArray,
    near: Scratch,
    loose: Scratch,
    facts: Scratch,
    actions: ActionArray,
    count: int,
    out: FloatArray,
) -> None:
    """Takes one that leaves control as it is; if none does, it is to take or to hand over."""
    size = int(state[SIZE])
    first = -1
    for place in range(count):  # All of them: the loop below may be left early.
        out[place] = 0.0
    for place in range(count):
        cell = int(CELL_OF[size, int(actions[place])])
        if near[cell] != LOOSE or _free_beside(near, cell, size + 1) > 1:
            continue
        if first < 0:
            first = place
        near[cell] = TAKEN
        cost = cost_of_control(near, loose, int(facts[LOOSE_COUNT]), size + 1)
        near[cell] = LOOSE
        if cost == facts[COST]:
            out[place] = 1.0
            return
    out[first] = 1.0
    for place in range(count):
        cell = int(CELL_OF[size, int(actions[place])])
        if near[cell] == LOOSE and _free_beside(near, cell, size + 1) > 1:
            out[place] = 1.0


@kernel
def _free_beside(near: Scratch, cell: int, stride: int) -> int:
    count = 0
    for side in range(4):
        count += int(near[beside(cell, side, stride)] != TAKEN)
    return count


# ---- nothing is loose ---------------------------------------------------------------------------


@kernel
def weigh_core_stones(
    state: StateArray,
    near: Scratch,
    facts: Scratch,
    actions: ActionArray,
    count: int,
    out: FloatArray,
) -> None:
    """By what they give; and what leaves a core that can be mirrored counts for half of all."""
    size = int(state[SIZE])
    total = 0.0
    for place in range(count):
        cell = int(CELL_OF[size, int(actions[place])])
        out[place] = 0.0
        if near[cell] != LINK or _stands_for_chain(near, cell, size + 1):
            out[place] = _weight(near, cell, int(facts[LEAD]), size + 1)
            total += out[place]
    mirror = mirror_cell(near, int(state[FREE_LIST])) if facts[LEAD] >= 0 else -1
    for place in range(count):
        if CELL_OF[size, int(actions[place])] == mirror:
            out[place] += total


@kernel
def _weight(near: Scratch, cell: int, lead: int, stride: int) -> float:
    given = gift_of(near, cell, stride)
    if given >= 0:
        return GIVING if given > 0 else QUIET
    loose = scratch(LIST_SIZE)
    given = place_in_core(near, loose, cell, stride)
    cost = cost_of_control(near, loose, given, stride)
    take_back(near, loose, given, cell, stride)
    return HOPELESS if given - cost - lead - 1 > 0 else DARING


@kernel
def mirror_cell(near: Scratch, end: int) -> int:
    """The cell whose point makes the free ones symmetric by half a turn when taken; -1 if none."""
    odd = -1
    for cell in range(CELLS, end):
        if near[cell] != TAKEN and near[CELLS + end - 1 - cell] == TAKEN:
            if odd >= 0:
                return -1
            odd = cell
    centre = (CELLS + end - 1) // 2
    if odd < 0:
        return centre if near[centre] != TAKEN else -1
    return odd if near[centre] == TAKEN else -1


@kernel
def _stands_for_chain(near: Scratch, cell: int, stride: int) -> bool:
    """Whether a link is the place where its chain is opened, as in ``cores.opening_of``."""
    there, back = scratch(_WALK_SIZE), scratch(_WALK_SIZE)
    _walk(near, cell, 0, stride, there)
    if there[_END] == cell:  # A ring.
        return bool(there[_LOWEST] == cell)
    _walk(near, cell, 1, stride, back)
    if there[_STEPS] + back[_STEPS] == 2:
        return bool(there[_STEPS] == 1)
    return bool(there[_LOWEST] == cell and back[_LOWEST] == cell)


@kernel
def _walk(near: Scratch, cell: int, way: int, stride: int, walk: Scratch) -> None:
    """Goes along a chain from a link, by the first or second of its ways, to what is no link."""
    before, here = cell, cell
    lowest, steps, skipped = cell, 0, way
    for side in range(4):
        other = beside(cell, side, stride)
        if near[other] > LOOSE:
            if skipped == 0:
                here = other
                break
            skipped -= 1
    while near[here] == LINK and here != cell:
        steps += 1
        lowest = min(lowest, here)
        for side in range(4):
            other = beside(here, side, stride)
            if near[other] > LOOSE and other != before:
                before, here = here, other
                break
    walk[_STEPS], walk[_LOWEST], walk[_END] = steps, lowest, here
