"""Measures a game, whichever it is: through the kernels and the face that everything else uses."""

from __future__ import annotations

import importlib
import importlib.util
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from watermeet.bench.startup import measure_starts
from watermeet.bench.timing import Sample, Task, time_in_turns, together
from watermeet.bench.workload import (
    Matches,
    apply_worker,
    copy_worker,
    legal_worker,
    plain_playout_worker,
    playout_worker,
    record_matches,
    step_worker,
)
from watermeet.core.game import Game

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Measurement:
    """One figure: whose (a game with its options, or a peer), of what work, and how to read it."""

    name: str
    what: str
    value: float
    unit: str
    note: str = ""


def measure_game(
    game: Game, *, seconds: float = 1.0, progress: Progress | None = None
) -> list[Measurement]:
    """Every figure of one game; each is measured for about ``seconds``, and compiling comes on top.

    Figures are per second of one core's CPU time, those of two threads by the clock on the wall.
    A game may have more to measure: a module ``benchmarks`` in its folder with a function
    ``measure(game, seconds)`` that returns rows of what, value, unit and note.
    """
    name = game.describe()
    tell = (lambda text: progress(f"{name}: {text}")) if progress is not None else _keep_silent
    tell("recording random matches")
    matches = record_matches(game)
    samples = _time_all(matches, seconds, tell)
    measurements = [
        *_playout_measurements(name, samples["random playouts"]),
        *_thread_measurements(
            name, samples["random playouts"], samples["random playouts, two threads"]
        ),
        *_kernel_measurements(name, matches, samples),
    ]
    measurements += _own_measurements(game, seconds, tell)
    tell("starting fresh processes")
    return measurements + _start_measurements(game)


def _own_measurements(game: Game, seconds: float, tell: Progress) -> list[Measurement]:
    """What the game's folder measures of its own accord."""
    module = f"{game.package}.benchmarks"
    if importlib.util.find_spec(module) is None:
        return []
    tell("what is the game's own")
    rows = importlib.import_module(module).measure(game, seconds)
    return [Measurement(game.describe(), *row) for row in rows]


def rate(name: str, what: str, unit: str, rates: Sequence[float], note: str = "") -> Measurement:
    """A measurement from the rates of several rounds: their median, with the best in the note."""
    best = f"best {max(rates):,.0f}"
    return Measurement(
        name, what, statistics.median(rates), unit, f"{best}; {note}" if note else best
    )


def ratio(name: str, what: str, ratios: Sequence[float], note: str = "") -> Measurement:
    """A measurement from ratios that were each taken within a round: median, least and greatest."""
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return Measurement(
        name, what, statistics.median(ratios), "times", f"{spread}; {note}" if note else spread
    )


def _keep_silent(text: str) -> None:
    pass


def _time_all(matches: Matches, seconds: float, tell: Progress) -> dict[str, list[Sample]]:
    game = matches.game
    two = together([playout_worker(game, seed="first"), playout_worker(game, seed="second")])
    tasks = [
        Task("random playouts", playout_worker(game)),
        Task("random playouts, two threads", two, threads=2, cpu_clock=time.process_time),
        Task("legal lists", legal_worker(matches)),
        Task("apply", apply_worker(matches)),
        Task("copies", copy_worker(matches)),
        Task("State.play", step_worker(matches)),
        Task("random playouts, plain Python", plain_playout_worker(game), warm_up=False),
    ]
    samples = time_in_turns(tasks, seconds=seconds, progress=tell)
    return {task.label: taken for task, taken in zip(tasks, samples, strict=True)}


def _playout_measurements(name: str, samples: list[Sample]) -> list[Measurement]:
    what = "random playouts"
    return [
        rate(name, what, "playouts/s", [sample.rate for sample in samples]),
        rate(name, what, "actions/s", [sample.unit_rate for sample in samples]),
    ]


def _thread_measurements(name: str, one: list[Sample], two: list[Sample]) -> list[Measurement]:
    rounds = list(zip(one, two, strict=False))
    gains = [pair.wall_rate / alone.wall_rate for alone, pair in rounds]
    # Where others keep the cores busy, two threads cannot show what they could do; what a second
    # of CPU time yields shows at least whether they hold each other up.
    cores = statistics.median(pair.cpu_seconds / pair.wall_seconds for pair in two)
    kept = statistics.median(pair.rate / alone.rate for alone, pair in rounds)
    note = f"got {cores:.1f} of {os.cpu_count()} cores{_load()}; {kept:.0%} per CPU second"
    what = "random playouts, two threads"
    return [
        rate(name, what, "playouts/s", [sample.wall_rate for sample in two], "by the wall clock"),
        ratio(name, "two threads against one", gains, note),
    ]


def _load() -> str:
    """How busy the machine is, where it tells."""
    return f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""


def _kernel_measurements(
    name: str, matches: Matches, samples: dict[str, list[Sample]]
) -> list[Measurement]:
    listed = samples["legal lists"]
    mean = sum(sample.units for sample in listed) / sum(sample.count for sample in listed)
    size = f"{matches.states[0].nbytes} bytes"
    plain = samples["random playouts, plain Python"]
    return [
        rate(name, "legal lists", "lists/s", [s.rate for s in listed], f"of {mean:.0f} on average"),
        rate(name, "apply", "actions/s", [s.unit_rate for s in samples["apply"]]),
        rate(name, "copies", "states/s", [s.rate for s in samples["copies"]], size),
        rate(name, "State.play", "actions/s", [s.unit_rate for s in samples["State.play"]]),
        rate(name, "random playouts, plain Python", "playouts/s", [s.rate for s in plain]),
    ]


def _start_measurements(game: Game) -> list[Measurement]:
    starts = measure_starts(game)
    whats = {"cold": starts.cold, "warm": starts.warm}
    return [
        Measurement(
            game.describe(),
            f"{what} start to first playout",
            start.seconds,
            "s",
            f"{start.cpu_seconds:.2f} s of CPU, {start.game_cpu_seconds:.2f} s for the game",
        )
        for what, start in whats.items()
    ]
