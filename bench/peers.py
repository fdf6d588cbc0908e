"""The same work in other libraries, in turns, per second of CPU time.

Hex is examples/hex, because OpenSpiel and pgx have it, too. PettingZoo hasn't; its Connect Four has
about as many cells as Hex 7x7.
"""

from __future__ import annotations

import importlib
import itertools
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import watermeet as wm
from bench.report import Missing, Row, is_installed, progress, unit_rates, versus
from watermeet.core.batch import VectorGame
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.testing.speed import Task, Worker, playout_worker, time_in_turns

TITLE = "Beside other libraries"
ABOUT = (
    "The same work, a second of one core each: OpenSpiel in C++, pgx compiled by JAX, and "
    "PettingZoo's Connect Four, which is about as large as Hex 7x7."
)
COLUMNS: dict[str, str] = {}
SIMULATIONS = 5_000
"""Of each search: larger trees are slower."""
BATCH = 1024
STEPS = 16
"""Steps of a batch for each repetition, so that a call itself costs little."""


@dataclass(frozen=True)
class Pair:
    """The same work, done by us and by a peer."""

    name: str
    what: str
    unit: str
    ours: Worker
    peer: str
    theirs: Worker


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """Hex beside OpenSpiel, pgx and PettingZoo."""
    if "hex" not in wm.games():
        raise Missing("examples/hex isn't installed")
    pairs: list[Pair] = []
    if is_installed("pyspiel"):
        pairs += _beside_open_spiel()
    if is_installed("pgx", "jax"):
        progress("pgx hex: compiling")
        theirs = compile_pgx("hex", BATCH)
        name = f"{BATCH:,} matches at a time, Hex 11x11"
        pairs.append(Pair(name, "steps", "steps/s", batch_worker(hex_of(11)), "pgx", theirs))
    if is_installed("pettingzoo", "pygame"):
        from watermeet.envs.pettingzoo import GameAECEnv

        four = importlib.import_module("pettingzoo.classic.connect_four_v3").raw_env()
        ours, theirs = aec_worker(GameAECEnv(hex_of(7))), aec_worker(four)
        name, peer = "PettingZoo turns, Hex 7x7", "Connect Four"
        pairs.append(Pair(name, "turns", "turns/s", ours, peer, theirs))
    tasks = [
        Task(f"{pair.name}, {who}", worker, cpu_clock=time.process_time)  # JAX has threads.
        for pair in pairs
        for who, worker in (("ours", pair.ours), (pair.peer, pair.theirs))
    ]
    taken = [*map(unit_rates, time_in_turns(tasks, seconds=seconds, progress=progress))]
    return [
        versus(pair.name, pair.what, pair.unit, ours, pair.peer, theirs)
        for pair, ours, theirs in zip(pairs, taken[::2], taken[1::2], strict=True)
    ]


def hex_of(size: int) -> wm.Game:
    """Hex without the pie rule, which the peers don't have."""
    return wm.game("hex", size=size, pie=False)


def _beside_open_spiel() -> list[Pair]:
    import pyspiel

    pairs = []
    for size in (7, 11):
        game: Any = pyspiel.load_game(f"hex(board_size={size})")
        board, peer = f"Hex {size}x{size}", "OpenSpiel"
        pairs += [
            Pair(f"Random matches, {board}", "playouts", "matches/s",
                 _playouts(hex_of(size)), peer, _spiel_playouts(game)),
            Pair(f"From Python, an action at a time, {board}", "actions", "actions/s",
                 _python_worker(hex_of(size)), peer, _spiel_from_python(game)),
            Pair(f"Tree search, {board}", "simulations", "simulations/s",
                 search_worker(hex_of(size)), peer, _spiel_search(game)),
        ]  # fmt: skip
    return pairs


# ---- random matches and searches -----------------------------------------------------------------


def _playouts(game: wm.Game) -> Worker:
    """Whole matches in compiled code; its units are matches."""
    play = playout_worker(game)

    def run(count: int) -> int:
        play(count)
        return count

    return run


def _spiel_playouts(game: Any) -> Worker:
    """Whole matches in C++."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in (0, 1)]

    def run(count: int) -> int:
        for number in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
        return count

    return run


def _spiel_from_python(game: Any) -> Worker:
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


def _python_worker(game: wm.Game) -> Worker:
    choose = random.Random(1).choice

    def run(count: int) -> int:
        played = 0
        for _ in range(count):
            state = game.start()
            while state.to_move != wm.OVER:
                state = state.play(choose(state.legal_actions))
                played += 1
        return played

    return run


def search_worker(game: wm.Game, simulations: int = SIMULATIONS) -> Worker:
    """Plain UCT with random rollouts, of two states in turn, so that no tree is used again."""
    start = game.start().sample(random.Random(1))
    states = itertools.cycle([start.play(action) for action in start.legal_actions[:2]])
    search = MonteCarlo(game, use_evaluation=False)
    limits = Limits(nodes=simulations)
    return lambda count: sum(search.search(next(states), limits).nodes for _ in range(count))


def _spiel_search(game: Any) -> Worker:
    import pyspiel

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


# ---- environments --------------------------------------------------------------------------------


def batch_worker(game: wm.Game, batch: int = BATCH, threads: int = 1) -> Worker:
    """Random steps of a batch, with masks and features."""
    many = VectorGame(game, batch, threads=threads)

    def run(count: int) -> int:
        for _ in range(count * STEPS):
            many.step(many.sample_actions())
            many.features  # noqa: B018 - they are computed when they are read
        return count * STEPS * batch

    return run


def compile_pgx(name: str, batch: int, device: str = "cpu") -> Worker:
    """Random steps of a batch of pgx, with masks, observations and auto-reset."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    rules: Any = pgx.make(name)
    step = jax.vmap(auto_reset(rules.step, rules.init))

    def play_once(_: Any, carried: Any) -> Any:
        states, key = carried
        key, action_key, step_key = jax.random.split(key, 3)
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(action_key, logits, axis=-1)
        return step(states, actions, jax.random.split(step_key, batch)), key

    def play(states: Any, key: Any) -> Any:
        return jax.lax.fori_loop(0, STEPS, play_once, (states, key))

    with jax.default_device(jax.devices(device)[0]):
        key, start_key = jax.random.split(jax.random.PRNGKey(1))
        states = jax.jit(jax.vmap(rules.init))(jax.random.split(start_key, batch))
        compiled = jax.jit(play).lower(states, key).compile()
    carried: list[Any] = [states, key]

    def run(count: int) -> int:
        for _ in range(count):
            carried[:] = compiled(*carried)
        carried[1].block_until_ready()
        return count * STEPS * batch

    return run


def aec_worker(env: Any) -> Worker:
    """Random turns of one match through PettingZoo, with observations and masks."""
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def run(count: int) -> int:
        for _ in range(count):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return count

    return run
