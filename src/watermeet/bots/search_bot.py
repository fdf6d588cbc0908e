"""The bot that plays a level: it searches, asks the game's solver, or follows priors."""

from __future__ import annotations

import random
import time
from functools import partial
from typing import Any

import numpy as np

from watermeet.bots.bot import Bot, PlayResult
from watermeet.bots.levels import ALPHA_BETA, NETWORK, PRIORS, TURNS, Level
from watermeet.bots.native_network import NativeNetworkSearch, native_network
from watermeet.bots.players import follow_priors
from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.nets.onnx import OnnxNetwork, network_file
from watermeet.search.alphabeta import MAX_DEPTH, AlphaBeta
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.network_search import NetworkSearch
from watermeet.search.result import Candidate, SearchResult
from watermeet.search.settings import Settings
from watermeet.search.tree import NONE, PROVEN_NOW
from watermeet.search.turns import CANDIDATES, END_TURNS, HORIZON, TurnSearch
from watermeet.search.wins import WinFinder

SOLVER_SHARE = 0.7
"""The solver gives up after this share of a move's time; the rest is for the search."""
_NOT_PICKLED = ("_search", "_hidden_search", "_solve", "_wins")


class SearchBot(Bot):
    """Plays a level."""

    def __init__(self, game: Game, level: Level, *, seed: object = 0) -> None:
        super().__init__(game, level.name)
        self.level = level
        self._solve = solver_of(game) if level.solver_nodes else None
        self._wins = WinFinder(game)
        self.new_match(seed)

    def new_match(self, seed: object) -> None:
        """Start a match with empty trees."""
        self.reseed(seed)
        self._search = self._make_search(seed)
        # Made when needed: a level may choose MCTS, but a state may hide something all the same.
        self._hidden_search: MonteCarlo | None = None
        self._seed = seed

    def __getstate__(self) -> dict[str, Any]:
        """All but the trees and compiled code: a copy starts with empty trees."""
        kept = vars(self).items()
        return {name: value for name, value in kept if name not in _NOT_PICKLED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._solve = solver_of(self.game) if self.level.solver_nodes else None
        self._wins = WinFinder(self.game)
        self._search, self._hidden_search = self._make_search(self._seed), None

    def reseed(self, seed: object) -> None:
        """Choose by temperature from another seed; keep the trees."""
        self._rng = random.Random(repr(seed))

    def _make_search(self, seed: object) -> MonteCarlo | AlphaBeta | TurnSearch | None:
        level, settings = self.level, dict(self.level.settings)
        use_evaluation = bool(settings.pop("use_evaluation", True))
        if level.method == PRIORS:
            return None
        if level.method == ALPHA_BETA:
            return AlphaBeta(
                self.game,
                margin=3.0 * level.temperature,
                max_depth=int(settings.get("max_depth", MAX_DEPTH)),
                use_evaluation=use_evaluation,
            )
        if level.method == TURNS:
            return TurnSearch(
                self.game,
                candidates=int(settings.get("candidates", CANDIDATES)),
                horizon=int(settings.get("horizon", HORIZON)),
                end_turns=int(settings.get("end_turns", END_TURNS)),
                threads=level.threads,
                seed=seed,
                use_evaluation=use_evaluation,
            )
        ismcts = settings.pop("ismcts", None)
        is_hidden = None if ismcts is None else bool(ismcts)
        if level.method == NETWORK:
            return self._make_network_search(Settings.of(settings), seed, is_hidden)
        return MonteCarlo(
            self.game,
            Settings.of(settings),
            threads=level.threads,
            seed=seed,
            ismcts=is_hidden,
            use_evaluation=use_evaluation,
        )

    def _make_network_search(
        self, settings: Settings, seed: object, ismcts: bool | None
    ) -> MonteCarlo:
        """Natively if that is fast here, else with onnxruntime."""
        game, file = self.game, network_file(self.game, self.level.network)
        content = native_network(game, file)
        if content is not None:
            return NativeNetworkSearch(game, content, settings, seed=seed, ismcts=ismcts)
        network, leaves = OnnxNetwork(game, file), self.level.leaves
        return NetworkSearch(game, network, settings, leaves=leaves, seed=seed, ismcts=ismcts)

    def _search_for(self, state: State) -> MonteCarlo | AlphaBeta | TurnSearch | None:
        """The search for a state: ISMCTS if it hides something from the mover."""
        search = self._search
        if not isinstance(search, MonteCarlo) or search.ismcts or not hides_something(state):
            return search
        if self._hidden_search is None:
            self._hidden_search = MonteCarlo(
                self.game,
                search.settings,
                threads=self.level.threads,
                seed=self._seed,
                ismcts=True,
                use_evaluation=search.use_evaluation,
            )
        return self._hidden_search

    def choose(self, state: State, limits: Limits | None) -> PlayResult:
        """Win at once if possible; else search, unless the solver knows the best action."""
        win = self._wins.find(state)
        if win != NONE:
            best = Candidate(win, self.game.returns_range[1], 1, 1.0, PROVEN_NOW)
            return PlayResult(win, SearchResult((best,), (win,), 0, 0.0, proven=True))
        result = self.analyse(state, limits)
        return PlayResult(result.choose(self.level.temperature, self._rng), result)

    def default_timeout(self, limits: Limits | None) -> float:
        """The timeout that follows from the limits, or from the level's."""
        return super().default_timeout(limits or self._level_limits())

    def _level_limits(self) -> Limits | None:
        level = self.level
        if level.seconds is None and level.nodes is None:
            return None
        return Limits(seconds=level.seconds, nodes=level.nodes)

    def analyse(self, state: State, limits: Limits | None = None) -> SearchResult:
        """Search without choosing an action."""
        actions = self.game.require_turn(state).legal_actions
        if len(actions) == 1:
            return SearchResult((Candidate(actions[0], 0.0, 1, 1.0),), actions[:1], 0, 0.0)
        search = self._search_for(state)
        if search is None:
            return follow_priors(state)
        limits = limits or self._level_limits()
        assert limits is not None, "a level that searches has a limit"
        if self._solve is not None:
            started = time.perf_counter()
            solved = _solved(self._solve, state, self.level.solver_nodes, limits)
            if solved is not None:
                return solved
            limits = _remaining(limits, time.perf_counter() - started)
        return search.search(state, limits)


def hides_something(state: State) -> bool:
    """Whether the mover doesn't know the whole state: whether resampling changes it."""
    game = state.game
    if not game.hidden:
        return False
    known = state.conceal(state.to_move).array
    sampled = known.copy()
    game.kernels.resample(known.copy(), state.to_move, seeded(0), sampled)
    size = game.sizes.identity
    return bool((sampled[:size] != known[:size]).any())


def solver_of(game: Game) -> Any:
    """A game's solver: ``find_win`` of its solver.py, else ``solve``; None if it has none.

    If the module has a ``warm_up``, that compiles and loads what the solver calls.
    """
    module = import_optional(game.package, "solver")
    if module is None:
        return None
    warm_up = getattr(module, "warm_up", None)
    if warm_up is not None:
        warm_up()  # Otherwise the first move that needs it would take too long.
    return getattr(module, "find_win", None) or partial(module.solve, every_move=False)


class _TimeIsUp(WatermeetError):
    """The solver has used its share of the time."""


def _solved(solve: Any, state: State, nodes: int, limits: Limits) -> SearchResult | None:
    """The solver's result, or None if it gives up, finds no win, or takes too long.

    Where every move loses, a search finds where the opponent is likeliest to err.
    """
    started = time.perf_counter()

    def check_time(_: int) -> None:
        spent = time.perf_counter() - started
        is_late = limits.seconds is not None and spent > SOLVER_SHARE * limits.seconds
        if is_late or limits.stop.is_set():
            raise _TimeIsUp("the solver's time is up", "search instead")

    try:
        found = solve(state, node_limit=nodes, progress=check_time)
    except WatermeetError:
        return None
    seconds = time.perf_counter() - started
    if hasattr(found, "best_actions"):
        value = float(found.value) if found.is_expected else float(np.sign(found.value))
        if found.is_expected and value <= state.game.returns_range[0]:
            return None
        best = tuple(found.best_actions)
    elif found.action is None:
        return None
    else:
        value, best = 1.0, (found.action,)
    candidates = tuple(Candidate(action, value, 1, 1.0, int(value)) for action in best)
    return SearchResult(candidates, best[:1], found.nodes, seconds, proven=True)


def _remaining(limits: Limits, spent: float) -> Limits:
    if limits.seconds is None:
        return limits
    return Limits(max(limits.seconds - spent, 0.001), limits.nodes, limits.stop)
