"""Measures other libraries, those that are installed, with the same clock as our own games.

They come with ``pip install watermeet[bench]``. Their games are not ours: what can be compared is
the price of an action and of a random match of about the same length.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from watermeet.bench.runner import Measurement, Progress, rate
from watermeet.bench.timing import Sample, Task, Worker, time_in_turns

OPEN_SPIEL_GAMES = (
    "hex(board_size=7)",
    "hex(board_size=11)",
    "tic_tac_toe",
    "connect_four",
    "havannah",
)
PGX_GAMES = ("hex", "othello")
BATCHES = (1, 128, 1024)
STEPS_IN_A_CALL = 16
"""How many steps pgx makes within one compiled call, at least, so that the call costs little."""

MODULES = {"OpenSpiel": ("pyspiel",), "pgx": ("pgx", "jax")}
PACKAGES = {"pyspiel": "open_spiel", "pgx": "pgx", "jax": "jax"}
"""What each module is called where packages are installed from."""


def missing_peers() -> list[str]:
    """The libraries that could be measured but are not installed."""
    return [peer for peer in MODULES if not _is_installed(peer)]


def measure_peers(*, seconds: float, progress: Progress | None = None) -> list[Measurement]:
    """The figures of the libraries that are installed; ``missing_peers`` names the others."""
    measurements: list[Measurement] = []
    if _is_installed("OpenSpiel"):
        measurements += _measure_open_spiel(seconds, progress)
    if _is_installed("pgx"):
        measurements += _measure_pgx(seconds, progress)
    return measurements


def peer_versions() -> list[str]:
    """The packages of the peers that are installed, each with its version."""
    modules = [module for peer in MODULES if _is_installed(peer) for module in MODULES[peer]]
    return [f"{PACKAGES[module]} {version(PACKAGES[module])}" for module in modules]


def _is_installed(peer: str) -> bool:
    return all(importlib.util.find_spec(module) is not None for module in MODULES[peer])


# ---- OpenSpiel: C++ games, driven from Python ----------------------------------------------------


def _measure_open_spiel(seconds: float, progress: Progress | None) -> list[Measurement]:
    import pyspiel

    names = [f"OpenSpiel {game}" for game in OPEN_SPIEL_GAMES]
    tasks = [
        Task(name, _open_spiel_worker(pyspiel.load_game(game)))
        for name, game in zip(names, OPEN_SPIEL_GAMES, strict=True)
    ]
    timed = time_in_turns(tasks, seconds=seconds, progress=progress)
    what = "random playouts"
    measurements = []
    for name, samples in zip(names, timed, strict=True):
        measurements += [
            rate(name, what, "playouts/s", [s.rate for s in samples], "C++ driven from Python"),
            rate(name, what, "actions/s", [s.unit_rate for s in samples]),
        ]
    return measurements


def _open_spiel_worker(game: Any) -> Worker:
    """Random matches by the library's own Python face; its units are actions."""
    choose = random.Random(1).choice

    def run(count: int) -> int:
        played = 0
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))
                played += 1
        return played

    return run


# ---- pgx: batches of matches, compiled by JAX for this machine's processor -----------------------


@dataclass(frozen=True)
class Compiled:
    """A batch of random matches of one pgx game; the worker's units are actions."""

    name: str
    batch: int
    compile_seconds: float
    worker: Worker


def _measure_pgx(seconds: float, progress: Progress | None) -> list[Measurement]:
    import jax

    with jax.default_device(jax.devices("cpu")[0]):
        compiled = []
        for game in PGX_GAMES:
            for batch in BATCHES:
                if progress is not None:
                    progress(f"pgx {game}: compiling for batches of {batch}")
                compiled.append(compile_pgx(game, batch))
        tasks = [
            # JAX works in threads of its own, so their time counts too.
            Task(f"{each.name}, batch {each.batch}", each.worker, cpu_clock=time.process_time)
            for each in compiled
        ]
        timed = time_in_turns(tasks, seconds=seconds, progress=progress)
    measurements = []
    for each, samples in zip(compiled, timed, strict=True):
        measurements += _pgx_measurements(each, samples)
    return measurements


def _pgx_measurements(compiled: Compiled, samples: list[Sample]) -> list[Measurement]:
    name, batch = compiled.name, compiled.batch
    rates = [sample.unit_rate for sample in samples]
    return [
        rate(name, f"random playouts, batch {batch}", "actions/s", rates),
        Measurement(name, f"compiling, batch {batch}", compiled.compile_seconds, "s"),
    ]


def compile_pgx(game: str, batch: int) -> Compiled:
    """Compiles a batch of random matches, each step with masks and observations."""
    import jax
    import pgx

    rules = pgx.make(game)
    steps = max(STEPS_IN_A_CALL, max(BATCHES) // batch)
    key, start_key = jax.random.split(jax.random.PRNGKey(1))
    states = jax.jit(jax.vmap(rules.init))(jax.random.split(start_key, batch))
    begin = time.perf_counter()
    advance = jax.jit(_pgx_advance(rules, batch, steps)).lower(states, key).compile()
    compile_seconds = time.perf_counter() - begin
    carried: list[Any] = [states, key]

    def run(count: int) -> int:
        for _ in range(count):
            carried[:] = advance(*carried)
        carried[1].block_until_ready()
        return count * steps * batch

    return Compiled(f"pgx {game}", batch, compile_seconds, run)


def _pgx_advance(rules: Any, batch: int, steps: int) -> Callable[[Any, Any], Any]:
    """The function that plays random legal actions; a match that ends is followed by the next."""
    import jax
    import jax.numpy as jnp
    from pgx.experimental import auto_reset

    step = jax.vmap(auto_reset(rules.step, rules.init))

    def play_once(_: Any, carried: Any) -> Any:
        states, key = carried
        key, action_key, step_key = jax.random.split(key, 3)
        weights = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(action_key, weights, axis=-1)
        states = step(states, actions, jax.random.split(step_key, batch))
        return states, key

    def advance(states: Any, key: Any) -> Any:
        return jax.lax.fori_loop(0, steps, play_once, (states, key))

    return advance
