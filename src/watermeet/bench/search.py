"""Measures search: simulations a second, how well limits are kept, what a second thread adds.

A peer's search is measured in the same rounds, if it is installed: OpenSpiel's, on Hex.
"""

from __future__ import annotations

import importlib.util
import itertools
import random
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

from watermeet.bench.runner import Measurement, Progress, rate, ratio
from watermeet.bench.timing import Task, Worker, time_in_turns
from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.thought import Thought

Think = Callable[[State, Limits], Thought]

PEER_GAME = "hex(board_size=7)"
LIMITS = (0.01, 0.1, 1.0)
"""Seconds that a search is given, to see when it comes back."""
STOP_AFTER = 0.05
TOGETHER_S = 0.3
SIMULATIONS = 5_000
"""For a choice, ours and the peer's: larger trees are slower. One choice is the piece of work."""


def measure_search(
    game: Game, *, seconds: float, progress: Progress | None = None
) -> list[Measurement]:
    """Plain Monte Carlo from the first state, with random rollouts, beside OpenSpiel's on Hex."""
    tasks = [Task("simulations", search_worker(game))]
    peer = _peer_worker()
    if peer is not None:
        tasks.append(Task("OpenSpiel", peer))
    one, *others = time_in_turns(tasks, seconds=seconds, progress=progress)
    name = game.describe()
    found = [
        rate(name, "simulations, plain UCT", "simulations/s", [s.unit_rate for s in one]),
    ]
    for samples in others:
        peer_name = f"OpenSpiel {PEER_GAME}"
        found += [
            rate(
                peer_name,
                "simulations, MCTS in C++",
                "simulations/s",
                [s.unit_rate for s in samples],
            ),
            ratio(
                name,
                f"simulations against {peer_name}",
                [
                    ours.unit_rate / theirs.unit_rate
                    for ours, theirs in zip(one, samples, strict=True)
                ],
                "another game, of about as many moves",
            ),
        ]
    return found


def search_worker(game: Game, simulations: int = SIMULATIONS) -> Worker:
    """Does simulations, so many for a choice, and each choice in another state than the last.

    So no tree is kept, all are of one size however long is measured, and their room is used again.
    """
    start = game.start().sample(random.Random(1))
    states = itertools.cycle([start.play(action) for action in start.legal_actions[:2]])
    search = MonteCarlo(game, plain=True)

    def work(count: int) -> int:
        return sum(
            search.think(next(states), Limits(nodes=simulations)).nodes for _ in range(count)
        )

    return work


def _peer_worker() -> Worker | None:
    """The simulations of OpenSpiel's search in C++, with random rollouts; None without it."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel

    game: Any = pyspiel.load_game(PEER_GAME)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(
        game, evaluator, 2.0, SIMULATIONS, 1000, False, 1, False,
        pyspiel.ChildSelectionPolicy.UCT,
    )  # fmt: skip
    state = game.new_initial_state()

    def work(count: int) -> int:
        for _ in range(count):
            bot.step(state)
        return count * SIMULATIONS

    return work


# ---- threads ------------------------------------------------------------------------------------


def measure_threads(
    game: Game, make_think: Callable[[int], Think], who: str, *, states: int = 5
) -> list[Measurement]:
    """How many more simulations two threads do than one in the same time, state by state.

    Beside it stands how much of two cores the machine gave: where it has other work, no more than
    that can be expected. States that a solver answers do not count.
    """
    one, two = make_think(1), make_think(2)
    positions = _positions(game, states)
    for think in (one, two):
        think(positions[0], Limits(nodes=1))
    ratios, cores = [], []
    for state in positions:
        alone = one(state, Limits(seconds=TOGETHER_S))
        cpu, wall = time.process_time(), time.perf_counter()
        both = two(state, Limits(seconds=TOGETHER_S))
        if alone.nodes and both.nodes:
            cores.append((time.process_time() - cpu) / (time.perf_counter() - wall))
            ratios.append(both.nodes / both.seconds * alone.seconds / alone.nodes)
    if not ratios:
        return []
    given = f"given {statistics.median(cores):.2f} of 2 cores"
    return [ratio(f"{game.describe()}, {who}", "simulations of two threads", ratios, given)]


# ---- limits -------------------------------------------------------------------------------------


def measure_limits(
    game: Game, think: Callable[[State, Limits], object], who: str, *, states: int = 20
) -> list[Measurement]:
    """By how much a search oversteps its time, and how soon it stops when it is told to."""
    positions = _positions(game, states)
    think(positions[0], Limits(nodes=1))
    late = [
        _seconds_of(lambda state=state, limit=limit: think(state, Limits(seconds=limit))) - limit  # type: ignore[misc]
        for limit in LIMITS
        for state in positions[: states if limit < 1 else 3]
    ]
    stops = [_seconds_to_stop(think, state) for state in positions]
    name = f"{game.describe()}, {who}"
    return [
        _worst(name, "time overstepped", late, f"{len(late)} choices of {LIMITS} s"),
        _worst(name, "stopped after", stops, f"{len(stops)} times"),
    ]


def _worst(name: str, what: str, seconds: list[float], note: str) -> Measurement:
    ordered = sorted(1000 * each for each in seconds)
    middle = ordered[len(ordered) // 2]
    return Measurement(name, what, ordered[-1], "ms", f"the worst; median {middle:.1f}; {note}")


def _positions(game: Game, count: int) -> list[State]:
    """States of random matches in which somebody has a choice."""
    found: list[State] = []
    seed = 0
    while len(found) < count:
        seed += 1
        rng = random.Random(seed)
        state = game.start().sample(rng)
        for _ in range(rng.randrange(30)):
            if state.to_move < 0:
                break
            state = state.play(rng.choice(state.legal_actions)).sample(rng)
        if state.to_move >= 0 and len(state.legal_actions) > 1:
            found.append(state.conceal(state.to_move))
    return found


def _seconds_of(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def _seconds_to_stop(think: Callable[[State, Limits], object], state: State) -> float:
    stop = threading.Event()
    told: list[float] = []

    def tell() -> None:
        told.append(time.perf_counter())
        stop.set()

    timer = threading.Timer(STOP_AFTER, tell)
    timer.start()
    think(state, Limits(seconds=5.0, stop=stop))
    ended = time.perf_counter()
    timer.cancel()
    return max(0.0, ended - told[0]) if told else 0.0
