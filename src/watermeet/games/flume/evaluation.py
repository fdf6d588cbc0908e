"""Evaluation for search: see ``watermeet.core.evaluation``.

It is based on the core theorem (docs/concepts/flume-solved.md). A player who can hand over the last
loose points has control, and gets more of the rest than the opponent. So a state is as good as
decided once someone has control; until then it is a fight for the last safe stone. Dominated stones
have a prior of 0, so a search may skip them.

There is no ``rollout_policy``: rollouts, even good ones, say far less than ``evaluate``.
"""

from __future__ import annotations

from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flume import layout
from watermeet.games.flume import two_core_mailbox as mailbox
from watermeet.games.flume.rules import may_swap, to_move
from watermeet.games.flume.safe_playouts import mean_result
from watermeet.games.flume.stone_priors import write_core_priors, write_loose_priors
from watermeet.games.flume.two_core import NO_CONTROL
from watermeet.games.flume.two_core_mailbox import LIST_SIZE, MAP_SIZE, SUMMARY_SIZE

PLAYOUTS = 2
"""How many playouts an evaluation takes."""

_SURE = 0.95
"""The value of a position that is as good as won."""
_MIRRORED = 0.8
"""The opponent's value of a symmetric core, which can be mirrored: nearly always right."""


@kernel
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """Returns 1 and writes the result if it is proven by bounds, otherwise 0."""
    if may_swap(state):
        return 0
    degrees, loose, summary = (
        scratch(MAP_SIZE),
        scratch(LIST_SIZE),
        scratch(SUMMARY_SIZE),
    )
    mailbox.decompose(state, degrees, loose, summary)
    lead, core = int(summary[mailbox.LEAD]), int(summary[mailbox.CORE_COUNT])
    least = most = int(summary[mailbox.LOOSE_COUNT])
    if core > 0:  # Each player gets at least one point of a core.
        least -= core - 2
        most += core - 2
        if summary[mailbox.COST] < NO_CONTROL:
            least = max(least, int(summary[mailbox.LOOSE_COUNT] - summary[mailbox.COST]))
    if lead + least < 1 and lead + most > -1:
        return 0
    mover = to_move(state)
    out[mover] = 1.0 if lead + least > 0 else -1.0
    out[1 - mover] = -out[mover]
    return 1


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """The expected result: by control, by symmetry, or by playouts of safe stones."""
    degrees, loose, summary = (
        scratch(MAP_SIZE),
        scratch(LIST_SIZE),
        scratch(SUMMARY_SIZE),
    )
    mailbox.decompose(state, degrees, loose, summary)
    for place in range(int(summary[mailbox.LOOSE_COUNT])):
        degrees[int(loose[place])] = mailbox.TAKEN
    value = _expect(state, degrees, summary)
    if may_swap(state):
        value = abs(value)
    mover = to_move(state)
    out[mover] = _SURE * value
    out[1 - mover] = -_SURE * value


@kernel
def _expect(state: StateArray, degrees: Scratch, summary: Scratch) -> float:
    """The expected result from -1 to 1 for the mover, who takes the loose points."""
    lead, core, taken = (
        int(summary[mailbox.LEAD]),
        int(summary[mailbox.CORE_COUNT]),
        int(summary[mailbox.LOOSE_COUNT]),
    )
    end = int(state[layout.FREE_LIST])
    if summary[mailbox.COST] < NO_CONTROL:
        return 1.0 if lead + taken - summary[mailbox.COST] + core // 2 > 0 else -1.0
    lead += taken
    if lead < 0 and core % 2 == 0 and mailbox.is_point_symmetric(degrees, end):
        return -_MIRRORED
    seed = 1
    for cell in range(layout.CELLS, end):
        seed = (seed * 1000003 + int(degrees[cell])) & 0x7FFFFFFF
    return mean_result(
        degrees, layout.CELLS, end, lead, int(state[layout.SIZE]) + 1, seed, PLAYOUTS
    )


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """High for stones that give nothing away, 0 for dominated ones."""
    degrees, loose, summary = (
        scratch(MAP_SIZE),
        scratch(LIST_SIZE),
        scratch(SUMMARY_SIZE),
    )
    mailbox.decompose(state, degrees, loose, summary)
    stones = count - int(may_swap(state))
    if summary[mailbox.LOOSE_COUNT] > 0:
        write_loose_priors(state, degrees, loose, summary, actions, stones, out)
    else:
        write_core_priors(state, degrees, summary, actions, stones, out)
    if stones < count:
        total = 0.0
        for place in range(stones):
            total += out[place]
        out[stones] = total
