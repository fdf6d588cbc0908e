"""Priors of stones in a Flume state.

Most stones are dominated by another one and get a prior of 0 (proofs in
docs/concepts/flume-solved.md): loose points are taken in one fixed order before any stone is placed
in the core, and a chain is opened at only one point.
"""

from __future__ import annotations

from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flume import layout
from watermeet.games.flume import two_core_mailbox as mailbox
from watermeet.games.flume.two_core_mailbox import LIST_SIZE

QUIET, GIVING, DARING, HOPELESS = 1.0, 0.5, 0.1, 0.001
"""Priors of stones that give nothing, points without control, control, and the match."""

_CHAIN_SIZE = 3
_STEPS, _LOWEST, _END = range(_CHAIN_SIZE)


# ---- with loose points --------------------------------------------------------------------------


@kernel
def write_loose_priors(
    state: StateArray,
    degrees: Scratch,
    loose: Scratch,
    summary: Scratch,
    actions: ActionArray,
    count: int,
    out: FloatArray,
) -> None:
    """One stone that keeps control as it is; if there is none, to take a point or to hand over."""
    size = int(state[layout.SIZE])
    first = -1
    for place in range(count):  # All of them: the loop below may return early.
        out[place] = 0.0
    for place in range(count):
        cell = int(layout.CELL_OF[size, int(actions[place])])
        if degrees[cell] != mailbox.LOOSE or _free_neighbours(degrees, cell, size + 1) > 1:
            continue
        if first < 0:
            first = place
        degrees[cell] = mailbox.TAKEN
        cost = mailbox.control_cost(degrees, loose, int(summary[mailbox.LOOSE_COUNT]), size + 1)
        degrees[cell] = mailbox.LOOSE
        if cost == summary[mailbox.COST]:
            out[place] = 1.0
            return
    out[first] = 1.0
    for place in range(count):
        cell = int(layout.CELL_OF[size, int(actions[place])])
        if degrees[cell] == mailbox.LOOSE and _free_neighbours(degrees, cell, size + 1) > 1:
            out[place] = 1.0


@kernel
def _free_neighbours(degrees: Scratch, cell: int, stride: int) -> int:
    count = 0
    for side in range(4):
        count += int(degrees[mailbox.neighbour(cell, side, stride)] != mailbox.TAKEN)
    return count


# ---- without loose points -----------------------------------------------------------------------


@kernel
def write_core_priors(
    state: StateArray,
    degrees: Scratch,
    summary: Scratch,
    actions: ActionArray,
    count: int,
    out: FloatArray,
) -> None:
    """By what a stone gives away; one that makes the core symmetric gets half of the total."""
    size = int(state[layout.SIZE])
    total = 0.0
    for place in range(count):
        cell = int(layout.CELL_OF[size, int(actions[place])])
        out[place] = 0.0
        if degrees[cell] != mailbox.LINK or _is_chain_opening(degrees, cell, size + 1):
            out[place] = _weight(degrees, cell, int(summary[mailbox.LEAD]), size + 1)
            total += out[place]
    mirror = (
        symmetrizing_cell(degrees, int(state[layout.FREE_LIST]))
        if summary[mailbox.LEAD] >= 0
        else -1
    )
    for place in range(count):
        if layout.CELL_OF[size, int(actions[place])] == mirror:
            out[place] += total


@kernel
def _weight(degrees: Scratch, cell: int, lead: int, stride: int) -> float:
    given = mailbox.points_given(degrees, cell, stride)
    if given >= 0:
        return GIVING if given > 0 else QUIET
    loose = scratch(LIST_SIZE)
    given = mailbox.place_in_core(degrees, loose, cell, stride)
    cost = mailbox.control_cost(degrees, loose, given, stride)
    mailbox.undo_placement(degrees, loose, given, cell, stride)
    return HOPELESS if given - cost - lead - 1 > 0 else DARING


@kernel
def symmetrizing_cell(degrees: Scratch, end: int) -> int:
    """The cell that makes the free points symmetric about the centre when taken; -1 if none."""
    odd = -1
    for cell in range(layout.CELLS, end):
        if (
            degrees[cell] != mailbox.TAKEN
            and degrees[layout.CELLS + end - 1 - cell] == mailbox.TAKEN
        ):
            if odd >= 0:
                return -1
            odd = cell
    centre = (layout.CELLS + end - 1) // 2
    if odd < 0:
        return centre if degrees[centre] != mailbox.TAKEN else -1
    return odd if degrees[centre] == mailbox.TAKEN else -1


@kernel
def _is_chain_opening(degrees: Scratch, cell: int, stride: int) -> bool:
    """Whether a link is where its chain is to be opened, as in ``two_core.chain_opening``."""
    there, back = scratch(_CHAIN_SIZE), scratch(_CHAIN_SIZE)
    _follow_chain(degrees, cell, 0, stride, there)
    if there[_END] == cell:  # A loop.
        return bool(there[_LOWEST] == cell)
    _follow_chain(degrees, cell, 1, stride, back)
    if there[_STEPS] + back[_STEPS] == 2:
        return bool(there[_STEPS] == 1)
    return bool(there[_LOWEST] == cell and back[_LOWEST] == cell)


@kernel
def _follow_chain(degrees: Scratch, cell: int, direction: int, stride: int, chain: Scratch) -> None:
    """Follows a chain from a link in one of its two directions, to the first point off it."""
    before, here = cell, cell
    lowest, steps, skipped = cell, 0, direction
    for side in range(4):
        other = mailbox.neighbour(cell, side, stride)
        if degrees[other] > mailbox.LOOSE:
            if skipped == 0:
                here = other
                break
            skipped -= 1
    while degrees[here] == mailbox.LINK and here != cell:
        steps += 1
        lowest = min(lowest, here)
        for side in range(4):
            other = mailbox.neighbour(here, side, stride)
            if degrees[other] > mailbox.LOOSE and other != before:
                before, here = here, other
                break
    chain[_STEPS], chain[_LOWEST], chain[_END] = steps, lowest, here
