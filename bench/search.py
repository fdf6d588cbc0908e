"""The top level of each game: simulations a second, a second thread, and how limits are kept."""

from __future__ import annotations

import dataclasses
import itertools
import random
import statistics
import threading
import time
from collections.abc import Callable, Sequence

import watermeet as wm
from bench.report import Row, label, progress
from watermeet.bots.levels import Level, hint_level
from watermeet.bots.search_bot import SearchBot
from watermeet.search.limits import Limits
from watermeet.search.result import SearchResult
from watermeet.testing.matches import random_match

TITLE = "Search"
ABOUT = (
    "The strongest search of each game in positions of random matches, by the wall clock: how late "
    "it returns after limits of 10 and 100 ms, and how long it takes to stop when asked, at worst."
)
COLUMNS = {
    "": "game",
    "simulations": "simulations/s, median",
    "two threads": "two threads, times one",
    "late": "late by, ms",
    "stopped": "stops after, ms",
}
LIMITS = (0.01, 0.1)
STOP_AFTER_S, THREADS_S = 0.05, 0.3
POSITIONS = 20

Think = Callable[[wm.State, Limits], SearchResult]


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """Each game; fewer positions for less than a second."""
    rows = []
    for name in games or wm.games():
        progress(name)
        game = wm.game(name)
        positions = _positions(game, max(2, int(POSITIONS * min(1.0, seconds))))
        level = hint_level(game)
        rows += [*_threads(game, level, positions[:8]), *_limits(game, level, positions)]
    return rows


def _threads(game: wm.Game, level: Level, states: list[wm.State]) -> list[Row]:
    """What one thread does, and how much more two do in the same time, state by state.

    States that a solver answers don't count.
    """
    one, two = (_thinker(game, level, threads) for threads in (1, 2))
    rates, ratios, cores = [], [], []
    for state in states:
        alone = one(state, Limits(seconds=THREADS_S))
        cpu, wall = time.process_time(), time.perf_counter()
        both = two(state, Limits(seconds=THREADS_S))
        if alone.nodes and both.nodes:
            cores.append((time.process_time() - cpu) / (time.perf_counter() - wall))
            rates.append(alone.nodes / alone.seconds)
            ratios.append(both.nodes / both.seconds / rates[-1])
    if not ratios:
        return []
    note = f"got {statistics.median(cores):.2f} of 2 cores"
    return [
        Row(label(game), "simulations", statistics.median(rates), "simulations/s", level.name),
        Row(label(game), "two threads", statistics.median(ratios), "times", note),
    ]


def _limits(game: wm.Game, level: Level, states: list[wm.State]) -> list[Row]:
    think = _thinker(game, level, level.threads)
    late = [_seconds(think, state, limit) - limit for limit in LIMITS for state in states]
    stops = [_seconds_to_stop(think, state) for state in states]
    return [
        Row(label(game), what, max(0.0, 1000 * max(times)), "ms",
            f"worst of {len(times)}; median {1000 * statistics.median(times):.1f}")
        for what, times in (("late", late), ("stopped", stops))
    ]  # fmt: skip


def _thinker(game: wm.Game, level: Level, threads: int) -> Think:
    """A bot with this many threads, compiled, that starts a new tree every time."""
    bot = SearchBot(game, dataclasses.replace(level, threads=threads))

    def think(state: wm.State, limits: Limits) -> SearchResult:
        bot.new_match(0)
        return bot.analyse(state, limits)

    for state in (game.start().sample(random.Random(1)), _positions(game, 1)[0]):
        think(state, Limits(nodes=1))  # A solver may answer one of them, which compiles no search.
    return think


def _positions(game: wm.Game, count: int) -> list[wm.State]:
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


def _seconds(think: Think, state: wm.State, limit: float) -> float:
    begin = time.perf_counter()
    think(state, Limits(seconds=limit))
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
