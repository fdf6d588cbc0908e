"""Flat Monte Carlo over whole turns: every candidate in the same worlds, by sequential halving.

A turn is what a seat does until somebody else, or chance, is to move. Where turns are made of many
actions, a tree of single actions spreads a search thin; this one compares whole turns:

- The candidates are the turns that the game proposes (``propose_turns``), or else those with the
  best priors, found action by action. Turns that lead to the same state are one turn.
- All of them are tried in the same *worlds*: what the seat can't know is sampled once for all, and
  chance then gives every seat the same random numbers, whatever the others do. So luck is mostly
  the same for all candidates, and their difference is not lost in it.
- After the candidate, the game's ``rollout_turn`` plays some turns, and ``evaluate`` values where
  that leads. If the end is near, it plays to the end.
- Sequential halving: in each round all candidates that are left share an equal part of the time,
  and then the worse half is dropped.

The rest of the chosen turn is remembered, so it costs no further search.
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    resample,
    score,
    to_move,
)
from watermeet.core.evaluation import NO_ACTION, Lines, evaluate, rollout_turn
from watermeet.core.game import Game
from watermeet.core.kernel import kernel, runs_plain_python
from watermeet.core.playout import copy_state, sample_chance
from watermeet.core.rng import seeded, seeded_many
from watermeet.core.state import State
from watermeet.search.binding import bind
from watermeet.search.limits import Limits, require_search, run_in_chunks
from watermeet.search.result import Candidate, SearchResult
from watermeet.search.tree import Ints

CANDIDATES = 32
HORIZON = 2
"""How many turns are played after a candidate, unless the end is near."""
END_TURNS = 12
"""The end is near if the match is over within this many turns, on average."""
MAX_LENGTH = 24
"""How many actions of a turn are looked for; rollouts play the rest."""
_MAX_STATES = 1000
"""How many states are visited to find turns that the game doesn't propose."""
_SAMPLE = 2
"""How many matches are played to find out whether the end is near."""
_LEAST_WORLDS = 8
"""In how many worlds a candidate is tried at least before it is dropped: there are fewer
candidates, those with the best priors, if the limits don't allow that."""
_PRIOR_WORLDS = 6
"""How many worlds the priors count for when candidates are compared ..."""
_FEWEST_FITTED = 4
"""... while there are at least this many."""
_TIMED = 4
"""How many rollouts are timed to estimate how many the time allows."""
_SEEDS = 512
"""How many worlds get their seeds at once, which is faster than one by one."""
_UNTIL_OVER = 1 << 30


class Workspace(NamedTuple):
    """The working arrays of one thread."""

    world: StateArray  # [state size]: a sampled state
    state: StateArray  # [state size]: the state that a rollout has reached
    actions: ActionArray  # [actions]
    weights: FloatArray  # [actions]
    returns: FloatArray  # [seats]
    rng: RandomArray  # [1]: for the sampling, and for what players do
    draws: npt.NDArray[np.uint64]  # [seats, 1]: for what chance does after each seat's turn
    sums: FloatArray  # [candidates]: of the mover's returns


def make_workspace(game: Game) -> Workspace:
    """Working arrays for a game."""
    return Workspace(
        np.zeros(game.sizes.state, dtype=game.dtype),
        np.zeros(game.sizes.state, dtype=game.dtype),
        np.zeros(game.sizes.actions, dtype=np.int32),
        np.zeros(game.sizes.actions),
        np.zeros(game.seats),
        seeded(0),
        np.zeros((game.seats, 1), dtype=np.uint64),
        np.zeros(CANDIDATES),
    )


@kernel
def judge_turns(
    work: Workspace,
    lines: Lines,
    chosen: Ints,
    count: int,
    known: StateArray,
    seat: int,
    seeds: npt.NDArray[np.uint64],
    horizon: int,
) -> int:
    """Try the first ``count`` of the ``chosen`` candidates in the same worlds, and add to the sums.

    A row of ``seeds`` is a world: a number for each seat's chance, and one for everything else.
    Return how many turns the rollouts took.
    """
    turns = 0
    for index in range(len(seeds)):
        work.rng[0] = seeds[index, len(work.draws)]
        resample(known, seat, work.rng, work.world)
        after = work.rng[0]
        for place in range(count):
            line = int(chosen[place])
            work.rng[0] = after
            for each in range(len(work.draws)):
                work.draws[each, 0] = seeds[index, each]
            copy_state(work.world, work.state)
            turns += _try_turn(work, lines[line], seat, horizon)
            work.sums[line] += work.returns[seat]
    return turns


@kernel
def _try_turn(work: Workspace, line: ActionArray, seat: int, horizon: int) -> int:
    """Play a turn and what follows it, and write the returns; return the number of turns."""
    state, length = work.state, 0
    while length < len(line) and line[length] != NO_ACTION:
        apply(state, int(line[length]))
        length += 1
    mover, last, turns = to_move(state), seat, 0
    while mover != OVER:
        if mover == CHANCE:
            apply(state, sample_chance(state, work.actions, work.weights, work.draws[last]))
        elif turns == horizon:
            evaluate(state, work.returns)
            return turns
        else:
            last = mover
            rollout_turn(state, work.actions, work.rng)
            turns += 1
        mover = to_move(state)
    score(state, work.returns)
    return turns


class TurnSearch:
    """A search for one game that chooses among whole turns."""

    def __init__(
        self,
        game: Game,
        *,
        candidates: int = CANDIDATES,
        horizon: int = HORIZON,
        end_turns: int = END_TURNS,
        threads: int = 1,
        seed: object = 0,
        use_evaluation: bool = True,
        sees_hidden: bool = False,
    ) -> None:
        self.game, self.seed, self.sees_hidden = game, seed, sees_hidden
        self.candidates, self.horizon, self.end_turns = candidates, horizon, end_turns
        if runs_plain_python():
            threads = 1  # There is one interpreter.
        self._workspaces = [make_workspace(game) for _ in range(threads)]
        for index, work in enumerate(self._workspaces):
            self._workspaces[index] = work._replace(sums=np.zeros(candidates))
        self._judge: Any = bind(game, judge_turns, use_evaluation=use_evaluation)
        self._lock = threading.Lock()
        self._seeds = np.zeros((0, game.seats + 1), dtype=np.uint64)
        self._used, self._blocks = 0, 0
        self._is_loaded = False
        self._planned: dict[State, SearchResult] = {}
        """What was found for the states within the turn that was chosen last."""

    def search(self, state: State, limits: Limits) -> SearchResult:
        """Search from a state in which a seat is to move, using only what that seat knows.

        With ``sees_hidden``, use the whole state, to find out what that would be worth.
        """
        state = require_search(self.game, state, limits)
        known = state if self.sees_hidden else state.conceal(state.to_move)
        planned = self._planned.get(known)
        if planned is not None and _suffices(planned, limits):
            return planned
        if not self._is_loaded:
            self._load(known)
        started = time.perf_counter()
        turns = find_turns(known, self.candidates)
        contest = _Contest(self, known, turns, limits, started)
        nodes = contest.run()
        seconds = time.perf_counter() - started
        self._planned = {}
        result = SearchResult(contest.ranking(), contest.best, nodes, seconds)
        self._plan(known, result)
        return result

    def _load(self, known: State) -> None:
        """Compile or load whatever the search calls, which must not count as its time."""
        turns = find_turns(known, self.candidates)
        contest = _Contest(self, known, turns, Limits(nodes=1), time.perf_counter())
        contest.judge(self._workspaces[0], 1, self.new_seeds(0), 0)
        self._is_loaded = True

    def _plan(self, known: State, result: SearchResult) -> None:
        """Remember the result for the rest of the turn."""
        value, visits = result.candidates[0].value, result.candidates[0].visits
        for index, action in enumerate(result.pv[:-1]):
            known = known.play(action)
            rest = result.pv[index + 1 :]
            others = (each for each in known.legal_actions if each != rest[0])
            candidates = (
                Candidate(rest[0], value, visits, 1.0),
                *(Candidate(each, 0.0, 0, 0.0) for each in others),
            )
            self._planned[known] = replace(result, candidates=candidates, pv=rest)

    def new_seeds(self, count: int) -> npt.NDArray[np.uint64]:
        """Seeds for worlds that no search has seen: the same ones, however many are asked for."""
        with self._lock:
            while self._used + count > len(self._seeds):
                self._blocks += 1
                columns = self.game.seats + 1
                made = seeded_many(_SEEDS * columns, (self.seed, self._blocks))
                left = self._seeds[self._used :]
                self._seeds = np.concatenate((left, made.reshape(_SEEDS, columns)))
                self._used = 0
            self._used += count
            return self._seeds[self._used - count : self._used]


class _Contest:
    """One search: candidates, and how they do."""

    def __init__(
        self, search: TurnSearch, known: State, turns: list[Turn], limits: Limits, started: float
    ) -> None:
        self.search, self.known, self.turns = search, known, turns
        self.limits, self.started = limits, started
        self.lines: Lines = np.full((len(turns), MAX_LENGTH), NO_ACTION, dtype=np.int32)
        for index, turn in enumerate(turns):
            self.lines[index, : len(turn.actions)] = turn.actions
        self.order = np.arange(len(turns), dtype=np.int32)
        """The candidates from best to worst; the first ones are still in the contest."""
        self.sums, self.worlds = np.zeros(len(turns)), np.zeros(len(turns), dtype=np.int64)
        self.gaps = np.zeros(len(turns))
        """How much worse those that were dropped are than the best one, in the same worlds."""
        self.horizon = search.horizon

    @property
    def best(self) -> tuple[int, ...]:
        return self.turns[int(self.order[0])].actions

    def run(self) -> int:
        """Hold all rounds; return the number of rollouts."""
        search, limits = self.search, self.limits
        nodes = 0
        if search.horizon < _UNTIL_OVER:
            turns = self.judge(
                self.search._workspaces[0], 1, search.new_seeds(_SAMPLE), _UNTIL_OVER
            )
            if turns <= search.end_turns * _SAMPLE:
                self.horizon = _UNTIL_OVER
        left = _most_candidates(len(self.turns), self._expected_nodes())
        for work in search._workspaces:
            work.sums[:] = 0.0
        rounds = _rounds(left)
        for number in range(1, rounds + 1):
            share = number / rounds
            nodes += self._hold_round(left, share, nodes)
            means = self.sums[self.order[:left]] / self.worlds[self.order[:left]]
            ranked = np.argsort(-self._shrunk(means), kind="stable")
            self.order[:left] = self.order[:left][ranked]
            self.gaps[self.order[:left]] = np.maximum(0.0, means[ranked][0] - means[ranked])
            left = (left + 1) // 2
            if limits.stop.is_set():
                break
        return nodes

    def _shrunk(self, means: FloatArray) -> FloatArray:
        """Mean returns, shrunk towards what the priors of the candidates suggest.

        A few worlds say little, and priors something: a line through all candidates says how much.
        """
        if len(means) < _FEWEST_FITTED:
            return means
        chosen = self.order[: len(means)]
        weights = np.log([max(self.turns[index].weight, 1e-9) for index in chosen])
        offsets = weights - weights.mean()
        spread = float(offsets @ offsets)
        slope = max(0.0, float(offsets @ means) / spread) if spread > 0.0 else 0.0
        share = _PRIOR_WORLDS / (_PRIOR_WORLDS + self.worlds[chosen])
        shrunk: FloatArray = (1.0 - share) * means + share * (means.mean() + slope * offsets)
        return shrunk

    def _expected_nodes(self) -> float:
        """How many rollouts the limits allow, by the time that the likeliest turn takes."""
        limits = self.limits
        expected = math.inf if limits.nodes is None else limits.nodes
        if limits.seconds is not None:
            before = time.perf_counter()
            self.judge(self.search._workspaces[0], 1, self.search.new_seeds(_TIMED), self.horizon)
            now = time.perf_counter()
            left = max(0.0, self.started + limits.seconds - now)
            expected = min(expected, left * _TIMED / max(now - before, 1e-7))
        return expected

    def _hold_round(self, left: int, share: float, before: int) -> int:
        """Try those that are left until the round's share of the limits is used up."""
        limits, workspaces = self.limits, self.search._workspaces
        count = len(workspaces)
        nodes = None
        if limits.nodes is not None:
            nodes = max(left, int(limits.nodes * share) - before) // count
        seconds = None if limits.seconds is None else limits.seconds * share
        part = Limits(seconds, nodes, limits.stop)
        if count == 1:
            worlds = [self._run(workspaces[0], left, part)]
        else:
            with ThreadPoolExecutor(count) as pool:
                tasks = [pool.submit(self._run, each, left, part) for each in workspaces]
                worlds = [task.result() for task in tasks]
        chosen = self.order[:left]
        for work in workspaces:
            self.sums[chosen] += work.sums[chosen]
            work.sums[:] = 0.0
        self.worlds[chosen] += sum(worlds)
        return sum(worlds) * left

    def _run(self, work: Workspace, left: int, limits: Limits) -> int:
        """Try those that are left, in one thread; return the number of worlds."""

        def work_on(nodes: int) -> tuple[int, bool]:
            seeds = self.search.new_seeds(max(1, nodes // left))
            self.judge(work, left, seeds, self.horizon)
            return len(seeds) * left, False

        return run_in_chunks(work_on, limits, self.started)[0] // left

    def judge(self, work: Workspace, left: int, seeds: npt.NDArray[np.uint64], horizon: int) -> int:
        """Try those that are left in the worlds of some seeds; return the number of turns."""
        known = self.known
        array = known.array.copy()
        turns: int = self.search._judge(
            work, self.lines, self.order, left, array, known.to_move, seeds, horizon
        )
        return turns

    def ranking(self) -> tuple[Candidate, ...]:
        """Every legal action, by the best turn that starts with it; those without one come last."""
        first = int(self.order[0])
        value = float(self.sums[first]) / max(1, int(self.worlds[first]))
        found: dict[int, Candidate] = {}
        for index in self.order.tolist():
            turn, visits = self.turns[index], int(self.worlds[index])
            action = turn.actions[0]
            if action in found:
                other = found[action]
                visits += other.visits
                prior = other.prior + turn.weight
                found[action] = replace(other, visits=visits, prior=prior)
            else:
                found[action] = Candidate(
                    action, value - float(self.gaps[index]), visits, turn.weight
                )
        for action in self.known.legal_actions:
            found.setdefault(action, Candidate(action, 0.0, 0, 0.0))
        return tuple(found.values())


def _most_candidates(most: int, nodes: float) -> int:
    """How many candidates a number of rollouts suffices for; two at least, if there are two."""
    while most > 2 and most * _rounds(most) * _LEAST_WORLDS > nodes:
        most -= 1
    return most


def _rounds(candidates: int) -> int:
    return max(1, (candidates - 1).bit_length())


def _suffices(planned: SearchResult, limits: Limits) -> bool:
    """Whether a search took as long as the limits ask for."""
    enough_nodes = limits.nodes is not None and planned.nodes >= 0.9 * limits.nodes
    enough_time = limits.seconds is not None and planned.seconds >= 0.9 * limits.seconds
    return enough_nodes or enough_time


# ---- candidates ---------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A whole turn of the mover."""

    actions: tuple[int, ...]
    weight: float
    """How promising it is; the weights of all candidates sum to 1."""


def find_turns(known: State, most: int) -> list[Turn]:
    """The most promising turns of the mover, best first: the game's, or else those of a search."""
    lines = np.full((most, MAX_LENGTH), NO_ACTION, dtype=np.int32)
    weights = np.zeros(most)
    propose: Any = known.game.evaluation.by_name["propose_turns"]
    count = propose(known.array.copy(), lines, weights)
    if count:
        rows = zip(lines[:count].tolist(), weights[:count].tolist(), strict=True)
        found = [Turn(tuple(each for each in row if each != NO_ACTION), w) for row, w in rows]
    else:
        found = _look_for_turns(known, most)
    total = sum(turn.weight for turn in found)
    return [Turn(turn.actions, turn.weight / total) for turn in found]


def _look_for_turns(known: State, most: int) -> list[Turn]:
    """Turns by the product of their actions' priors, best first, each final state once."""
    seat, found, seen = known.to_move, list[Turn](), {known}
    queue: list[tuple[float, tuple[int, ...], State]] = [(-1.0, (), known)]
    while queue and len(found) < most:
        negated, actions, state = heapq.heappop(queue)
        if state.to_move != seat or len(actions) == MAX_LENGTH or len(seen) >= _MAX_STATES:
            found.append(Turn(actions, -negated))  # Rollouts end it, if that is still to be done.
            continue
        for action, weight in _priors(state):
            after = state.play(action)
            if after not in seen:
                seen.add(after)
                heapq.heappush(queue, (negated * weight, (*actions, action), after))
    return found


def _priors(state: State) -> list[tuple[int, float]]:
    """The legal actions and their priors, which sum to 1 and are more than 0."""
    game, count = state.game, len(state.legal_actions)
    actions, weights = np.zeros(game.sizes.actions, dtype=np.int32), np.zeros(game.sizes.actions)
    actions[:count] = state.legal_actions
    game.evaluation.by_name["priors"](state.array.copy(), actions, count, weights)
    total = float(weights[:count].sum())
    floor = 1e-6
    return [
        (action, max(float(weight) / total, floor))
        for action, weight in zip(state.legal_actions, weights[:count], strict=True)
    ]
