"""Search: simulations per second beside OpenSpiel's, how limits are kept, what threads add."""

from __future__ import annotations

import dataclasses
import importlib.util
import itertools
import random
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import watermeet as wm
from bench.progress import progress
from watermeet.bots.levels import Level, hint_level
from watermeet.bots.search_bot import SearchBot
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.result import SearchResult
from watermeet.testing.matches import random_match
from watermeet.testing.speed import Measurement, Task, Worker, rate, ratio, time_in_turns

TITLE = "Search"
SIZES = (7, 9)
PEER_GAME = "hex(board_size=7)"
SIMULATIONS = 5_000
"""Per choice, ours and the peer's: larger trees are slower."""
LIMITS = (0.01, 0.1, 1.0)
"""Time limits to check, in seconds."""
STOP_AFTER_S, THREADS_S = 0.05, 0.3
POSITIONS = 20

Think = Callable[[wm.State, Limits], SearchResult]


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Plain UCT beside a peer's; each top level's limits, and its gain from a second thread."""
    found = []
    if "hex" in wm.games():  # examples/hex: the only game that we and OpenSpiel both have.
        for size in (7, 11):
            hex_game = wm.game("hex", size=size, pie=False)
            found += measure_simulations(hex_game, f"hex(board_size={size})", seconds)
    for size in SIZES:
        found += measure_simulations(wm.game("flume", size=size), PEER_GAME, seconds)
    for name in arguments or wm.games():
        game = wm.game(name)
        level = hint_level(game)
        progress(f"{name}: limits and threads")
        positions = _positions(game)
        found += measure_limits(game, level, positions)
        found += measure_threads(game, level, positions[:5])
    return found


def measure_simulations(game: wm.Game, peer_game: str, seconds: float) -> list[Measurement]:
    """Plain UCT with random rollouts, beside OpenSpiel's MCTS on Hex."""
    tasks = [Task("UCT", search_worker(game))]
    if importlib.util.find_spec("pyspiel") is not None:
        tasks.append(Task("OpenSpiel", _open_spiel_worker(peer_game)))
    ours, *peers = time_in_turns(tasks, seconds=seconds, progress=progress)
    name, peer, unit = game.describe(), f"OpenSpiel {peer_game}", "simulations/s"
    found = [rate(name, "UCT, random rollouts", unit, [s.unit_rate for s in ours])]
    for theirs in peers:
        ratios = [one.unit_rate / two.unit_rate for one, two in zip(ours, theirs, strict=False)]
        note = "" if game.name == "hex" else "another game of about as many moves"
        found += [
            rate(peer, "MCTS in C++, random rollouts", unit, [s.unit_rate for s in theirs]),
            ratio(name, f"simulations against {peer}", ratios, note),
        ]
    return found


def search_worker(game: wm.Game, simulations: int = SIMULATIONS) -> Worker:
    """Searches two states in turn, so that no tree is reused and all have the same size."""
    start = game.start().sample(random.Random(1))
    states = itertools.cycle([start.play(action) for action in start.legal_actions[:2]])
    search = MonteCarlo(game, use_evaluation=False)
    limits = Limits(nodes=simulations)
    return lambda count: sum(search.search(next(states), limits).nodes for _ in range(count))


def _open_spiel_worker(name: str) -> Worker:
    import pyspiel

    game: Any = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, SIMULATIONS, 1000, False, 1, False,
        pyspiel.ChildSelectionPolicy.UCT,
    )  # fmt: skip
    state = game.new_initial_state()

    def run(count: int) -> int:
        for _ in range(count):
            bot.step(state)
        return count * SIMULATIONS

    return run


def measure_threads(game: wm.Game, level: Level, states: list[wm.State]) -> list[Measurement]:
    """How many more simulations two threads do than one in the same time, state by state.

    The note says how much of two cores the machine gave. States that a solver answers don't count.
    """
    one, two = (_thinker(game, level, threads) for threads in (1, 2))
    ratios, cores = [], []
    for state in states:
        alone = one(state, Limits(seconds=THREADS_S))
        cpu, wall = time.process_time(), time.perf_counter()
        both = two(state, Limits(seconds=THREADS_S))
        if alone.nodes and both.nodes:
            cores.append((time.process_time() - cpu) / (time.perf_counter() - wall))
            ratios.append(both.nodes / both.seconds * alone.seconds / alone.nodes)
    if not ratios:
        return []
    note = f"{statistics.median(cores):.2f} of 2 cores"
    return [ratio(f"{game.describe()}, {level.name}", "simulations, two threads", ratios, note)]


def _thinker(game: wm.Game, level: Level, threads: int) -> Think:
    """A bot with this many threads, compiled, that starts a new tree every time."""
    bot = SearchBot(game, dataclasses.replace(level, threads=threads))

    def think(state: wm.State, limits: Limits) -> SearchResult:
        bot.new_match(0)
        return bot.analyse(state, limits)

    for state in (game.start().sample(random.Random(1)), _positions(game, 1)[0]):
        think(state, Limits(nodes=1))  # A solver may answer one of them, which compiles no search.
    return think


def measure_limits(game: wm.Game, level: Level, states: list[wm.State]) -> list[Measurement]:
    """How late a search returns, and how soon it stops when asked to."""
    think = _thinker(game, level, level.threads)
    late = [
        _seconds(think, state, Limits(seconds=limit)) - limit
        for limit in LIMITS
        for state in states[: len(states) if limit < 1 else 3]
    ]
    stops = [_seconds_to_stop(think, state) for state in states]
    name = f"{game.describe()}, {level.name}"
    return [
        Measurement(
            name, what, 1000 * max(times), "ms",
            f"worst of {len(times)}; median {1000 * statistics.median(times):.1f}",
        )
        for what, times in (("time limit exceeded by", late), ("stopped after", stops))
    ]  # fmt: skip


def _positions(game: wm.Game, count: int = POSITIONS) -> list[wm.State]:
    """States of random matches with a choice, as their movers know them."""
    found: list[wm.State] = []
    for seed in itertools.count():
        rng = random.Random(seed)
        state = random_match(game, rng, max_length=rng.randrange(30)).end.sample(rng)
        if state.to_move >= 0 and len(state.legal_actions) > 1:
            found.append(state.conceal(state.to_move))
        if len(found) == count:
            break
    return found


def _seconds(think: Think, state: wm.State, limits: Limits) -> float:
    begin = time.perf_counter()
    think(state, limits)
    return time.perf_counter() - begin


def _seconds_to_stop(think: Think, state: wm.State) -> float:
    stop, stopped_at = threading.Event(), [float("inf")]

    def ask() -> None:
        stopped_at[0] = time.perf_counter()
        stop.set()

    timer = threading.Timer(STOP_AFTER_S, ask)
    timer.start()
    think(state, Limits(seconds=5.0, stop=stop))
    ended = time.perf_counter()
    timer.cancel()
    return max(0.0, ended - stopped_at[0])
