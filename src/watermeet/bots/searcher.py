"""The bot that searches, as a level says."""

from __future__ import annotations

import random
import time
from functools import partial
from typing import Any

from watermeet.bots.bot import Answer, Bot
from watermeet.bots.players import think_by_weights
from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.levels import ALPHA_BETA, WEIGHTS, Level
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.search.alphabeta import AlphaBeta
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.result import Candidate, SearchResult
from watermeet.search.settings import Settings

_SOLVERS_PART = 0.5
"""Of the time for a choice: the solver gives up after it, and the rest is for searching."""


class Searcher(Bot):
    """Plays a level."""

    def __init__(self, game: Game, level: Level, *, seed: object = 0) -> None:
        super().__init__(game, level.name)
        self.level = level
        self._solve = solver_of(game) if level.solver_nodes else None
        self.begin(seed)

    def begin(self, seed: object) -> None:
        """A match begins: trees of others are forgotten."""
        self.reseed(seed)
        self._search = self._make_search(seed)
        # Made when it is needed: what a level says of seeing everything may not hold in a state.
        self._unseen_search: MonteCarlo | None = None
        self._seed = seed

    def reseed(self, seed: object) -> None:
        """Chooses softly from another seed; trees stay."""
        self._rng = random.Random(repr(seed))

    def _search_of(self, state: State) -> MonteCarlo | AlphaBeta | None:
        """The search for a state: if something is hidden from the mover, one that allows for it."""
        search = self._search
        if not isinstance(search, MonteCarlo) or search.ismcts or not hides_something(state):
            return search
        if self._unseen_search is None:
            self._unseen_search = MonteCarlo(
                self.game,
                search.settings,
                threads=self.level.threads,
                seed=self._seed,
                ismcts=True,
                use_evaluation=search.use_evaluation,
            )
        return self._unseen_search

    def _make_search(self, seed: object) -> MonteCarlo | AlphaBeta | None:
        settings = dict(self.level.settings)
        if self.level.method == WEIGHTS:
            return None
        if self.level.method == ALPHA_BETA:
            return AlphaBeta(
                self.game,
                margin=3.0 * self.level.softness,
                max_depth=int(settings.get("max_depth", 64)),
            )
        ismcts = settings.pop("ismcts", None)
        use_evaluation = bool(settings.pop("use_evaluation", True))
        return MonteCarlo(
            self.game,
            Settings.of(settings),
            threads=self.level.threads,
            seed=seed,
            ismcts=None if ismcts is None else bool(ismcts),
            use_evaluation=use_evaluation,
        )

    def answer(self, state: State, limits: Limits | None = None) -> Answer:
        """Searches, unless there is nothing to choose, or the solver knows."""
        thought = self.think(state, limits)
        return Answer(thought.choose(self.level.softness, self._rng), thought)

    def usual_patience(self, limits: Limits | None) -> float:
        """From the level's limits, if no others are given."""
        return super().usual_patience(limits or self._own_limits())

    def _own_limits(self) -> Limits | None:
        level = self.level
        if level.seconds is None and level.nodes is None:
            return None
        return Limits(seconds=level.seconds, nodes=level.nodes)

    def think(self, state: State, limits: Limits | None = None) -> SearchResult:
        """What it thinks of a state, without choosing."""
        actions = state.legal_actions
        if len(actions) == 1:
            return SearchResult((Candidate(actions[0], 0.0, 1, 1.0),), actions[:1], 0, 0.0)
        search = self._search_of(state)
        if search is None:
            return think_by_weights(state)
        limits = limits or self._own_limits()
        assert limits is not None, "a level that searches has a limit"
        if self._solve is not None:
            started = time.perf_counter()
            solved = _solved(self._solve, state, self.level.solver_nodes, limits)
            if solved is not None:
                return solved
            limits = _what_is_left(limits, time.perf_counter() - started)
        return search.search(state, limits)


def hides_something(state: State) -> bool:
    """Whether the mover does not know all of a state: then drawing the unknown changes it."""
    game = state.game
    if not game.hidden:
        return False
    known = state.conceal(state.to_move).array
    drawn = known.copy()
    game.kernels.resample(known.copy(), state.to_move, seeded(0), drawn)
    size = game.sizes.identity
    return bool((drawn[:size] != known[:size]).any())


def solver_of(game: Game) -> Any:
    """What a game's module ``solver`` offers to bots: ``find_win``, else ``solve``, or None.

    If it has a ``warm_up``, what it calls is compiled and loaded by that.
    """
    module = import_optional(game.package, "solver")
    if module is None:
        return None
    warm_up = getattr(module, "warm_up", None)
    if warm_up is not None:
        warm_up()  # Else the first choice that needs it would take longer than it may.
    return getattr(module, "find_win", None) or partial(module.solve, every_move=False)


class _TimeIsUp(WatermeetError):
    """The solver has used up its part of the time."""


def _solved(solve: Any, state: State, nodes: int, limits: Limits) -> SearchResult | None:
    """What the exact solver says, or None if it gives up, or finds no win, or takes too long."""
    started = time.perf_counter()

    def look_at_clock(_: int) -> None:
        spent = time.perf_counter() - started
        too_long = limits.seconds is not None and spent > _SOLVERS_PART * limits.seconds
        if too_long or limits.stop.is_set():
            raise _TimeIsUp("the solver has had its time", "search instead")

    try:
        found = solve(state.array.copy(), node_limit=nodes, progress=look_at_clock)
    except WatermeetError:
        return None
    seconds = time.perf_counter() - started
    if hasattr(found, "best_actions"):
        value = 1.0 if found.value > 0 else -1.0 if found.value < 0 else 0.0
        best = tuple(found.best_actions)
    elif found.action is None:
        return None  # All lose: the search finds out where the other can go wrong most easily.
    else:
        value, best = 1.0, (found.action,)
    candidates = tuple(Candidate(action, value, 1, 1.0) for action in best)
    return SearchResult(candidates, best[:1], found.nodes, seconds, proven=True)


def _what_is_left(limits: Limits, spent: float) -> Limits:
    if limits.seconds is None:
        return limits
    return Limits(max(limits.seconds - spent, 0.001), limits.nodes, limits.stop)
