"""How Flume judges its states, for search: see ``watermeet.core.evaluation``.

All of it follows from the theorem of the core (docs/concepts/flume-solved.md). Whoever can hand
over the last loose points has control, and gets more of the rest than the other. So a state is as
good as decided when somebody has control, and before that it is a fight about the last safe stone.
Stones that another one surely equals weigh nothing: a search may leave them out.

There is no ``rollout_policy``: rollouts, even sensible ones, say far less than ``evaluate``.
"""

from __future__ import annotations

from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flume.contest import play_contests
from watermeet.games.flume.cores import NO_CONTROL
from watermeet.games.flume.rests import (
    CORE_COUNT,
    COST,
    FACTS_SIZE,
    LEAD,
    LIST_SIZE,
    LOOSE_COUNT,
    MAP_SIZE,
    TAKEN,
    is_mirrored,
    map_rest,
)
from watermeet.games.flume.rules import CELLS, FREE_LIST, SIZE, may_swap, to_move
from watermeet.games.flume.stones import weigh_core_stones, weigh_loose_stones

CONTESTS = 2
"""How often a state is played on to be judged."""

_SURE = 0.95
"""The value of what is as good as won."""
_MIRRORED = 0.8
"""The value, to the other, of a core that can be mirrored: nearly always right, see the docs."""


@kernel
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """1 if it is proven who wins, if that player makes no mistake; else 0."""
    if may_swap(state):
        return 0
    near, loose, facts = scratch(MAP_SIZE), scratch(LIST_SIZE), scratch(FACTS_SIZE)
    map_rest(state, near, loose, facts)
    lead, core = int(facts[LEAD]), int(facts[CORE_COUNT])
    least = most = int(facts[LOOSE_COUNT])
    if core > 0:  # Each player gets one point of a core at least.
        least -= core - 2
        most += core - 2
        if facts[COST] < NO_CONTROL:
            least = max(least, int(facts[LOOSE_COUNT] - facts[COST]))
    if lead + least < 1 and lead + most > -1:
        return 0
    mover = to_move(state)
    out[mover] = 1.0 if lead + least > 0 else -1.0
    out[1 - mover] = -out[mover]
    return 1


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """By control, by symmetry, or by playing on until the safe stones are used up."""
    near, loose, facts = scratch(MAP_SIZE), scratch(LIST_SIZE), scratch(FACTS_SIZE)
    map_rest(state, near, loose, facts)
    for place in range(int(facts[LOOSE_COUNT])):
        near[int(loose[place])] = TAKEN
    value = _expect(state, near, facts)
    if may_swap(state):
        value = abs(value)
    mover = to_move(state)
    out[mover] = _SURE * value
    out[1 - mover] = -_SURE * value


@kernel
def _expect(state: StateArray, near: Scratch, facts: Scratch) -> float:
    """From -1 to 1, for the mover, who takes what is loose."""
    lead, core, taken = int(facts[LEAD]), int(facts[CORE_COUNT]), int(facts[LOOSE_COUNT])
    end = int(state[FREE_LIST])
    if facts[COST] < NO_CONTROL:
        return 1.0 if lead + taken - facts[COST] + core // 2 > 0 else -1.0
    lead += taken
    if lead < 0 and core % 2 == 0 and is_mirrored(near, end):
        return -_MIRRORED
    seed = 1
    for cell in range(CELLS, end):
        seed = (seed * 1000003 + int(near[cell])) & 0x7FFFFFFF
    return play_contests(near, CELLS, end, lead, int(state[SIZE]) + 1, seed, CONTESTS)


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Stones that give nothing first; 0 for those that another one surely equals."""
    near, loose, facts = scratch(MAP_SIZE), scratch(LIST_SIZE), scratch(FACTS_SIZE)
    map_rest(state, near, loose, facts)
    stones = count - int(may_swap(state))
    if facts[LOOSE_COUNT] > 0:
        weigh_loose_stones(state, near, loose, facts, actions, stones, out)
    else:
        weigh_core_stones(state, near, facts, actions, stones, out)
    if stones < count:
        total = 0.0
        for place in range(stones):
            total += out[place]
        out[stones] = total
