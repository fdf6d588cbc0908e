"""Other libraries, measured with our clock: random play, one match at a time or in batches.

Their games are not ours, except Hex (examples/hex), which is measured beside theirs. For the rest,
compare the price of an action and of a random match of about the same length.
"""

from __future__ import annotations

import importlib.util
import random
import time
from dataclasses import dataclass
from typing import Any

import watermeet as wm
from bench.progress import progress
from watermeet.testing.speed import (
    Measurement,
    Task,
    Worker,
    playout_worker,
    rate,
    ratio,
    time_in_turns,
)

TITLE = "Peers"
OPEN_SPIEL_GAMES = (
    "hex(board_size=7)",
    "hex(board_size=11)",
    "tic_tac_toe",
    "connect_four",
    "havannah",
)
PGX_GAMES = ("hex", "othello")
BATCHES = (1, 128, 1024)
MIN_STEPS = 16
"""Steps of pgx per compiled call, at least, so that the call itself costs little."""
PUBLISHED = {"Ludii": 4_000, "AbstractPlay": 490}
"""Random playouts per second of Flume 7x7 by other programs, on another machine (aarch64)."""


def is_installed(*modules: str) -> bool:
    """Whether all modules are there; reports those that aren't."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    for module in missing:
        progress(f"{module} isn't installed: skipped")
    return not missing


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """OpenSpiel and pgx, and Hex of ours beside theirs if it is registered."""
    tasks, found = [], []
    if "hex" in wm.games():
        games = [wm.game("hex", size=size, pie=False) for size in (7, 11)]
        tasks += [
            Task(f"watermeet hex(size={game.options['size']})", playout_worker(game))
            for game in games
        ]
    if is_installed("pyspiel"):
        tasks += [Task(f"OpenSpiel {name}", open_spiel_worker(name)) for name in OPEN_SPIEL_GAMES]
    if is_installed("pgx", "jax"):
        for name in PGX_GAMES:
            for batch in BATCHES:
                progress(f"pgx {name}: compiling for batches of {batch}")
                compiled = compile_pgx(name, batch)
                label = f"pgx {name}, batch {batch}"
                # JAX has its own threads, whose time counts too.
                tasks.append(Task(label, compiled.worker, cpu_clock=time.process_time))
                found.append(Measurement(label, "compiling", compiled.compile_seconds, "s"))
    samples = dict(
        zip(
            [task.label for task in tasks],
            time_in_turns(tasks, seconds=seconds, progress=progress),
            strict=True,
        )
    )
    for label, taken in samples.items():
        found.append(rate(label, "random play", "actions/s", [s.unit_rate for s in taken]))
    for label, taken in samples.items():
        for size in (7, 11):
            ours = samples.get(f"watermeet hex(size={size})")
            if ours and label in (f"OpenSpiel hex(board_size={size})", *_pgx_hex(size)):
                ratios = [
                    one.unit_rate / two.unit_rate for one, two in zip(ours, taken, strict=False)
                ]
                found.append(ratio(f"watermeet hex(size={size})", f"against {label}", ratios))
    return sorted(found, key=lambda each: each.name)


def _pgx_hex(size: int) -> list[str]:
    return [f"pgx hex, batch {batch}" for batch in BATCHES] if size == 11 else []


def open_spiel_worker(name: str) -> Worker:
    """Random matches of a C++ game through OpenSpiel's Python API; its units are actions."""
    import pyspiel

    game: Any = pyspiel.load_game(name)
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


@dataclass(frozen=True)
class Compiled:
    """A batch of random matches of a pgx game; the worker's units are actions."""

    compile_seconds: float
    worker: Worker


def compile_pgx(name: str, batch: int, device: str = "cpu") -> Compiled:
    """Compile random play of a batch, with masks, observations and auto-reset in every step."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    rules: Any = pgx.make(name)
    steps = max(MIN_STEPS, max(BATCHES) // batch)
    step = jax.vmap(auto_reset(rules.step, rules.init))

    def play_once(_: Any, carried: Any) -> Any:
        states, key = carried
        key, action_key, step_key = jax.random.split(key, 3)
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(action_key, logits, axis=-1)
        return step(states, actions, jax.random.split(step_key, batch)), key

    def play(states: Any, key: Any) -> Any:
        return jax.lax.fori_loop(0, steps, play_once, (states, key))

    with jax.default_device(jax.devices(device)[0]):
        key, start_key = jax.random.split(jax.random.PRNGKey(1))
        states = jax.jit(jax.vmap(rules.init))(jax.random.split(start_key, batch))
        begin = time.perf_counter()
        compiled = jax.jit(play).lower(states, key).compile()
        seconds = time.perf_counter() - begin
    carried: list[Any] = [states, key]

    def run(count: int) -> int:
        for _ in range(count):
            carried[:] = compiled(*carried)
        carried[1].block_until_ready()
        return count * steps * batch

    return Compiled(seconds, run)
