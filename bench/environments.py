"""Environments for learning: batches, PettingZoo, Gymnasium; each step with mask and features."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import watermeet as wm
from bench.peers import BATCH, aec_worker, batch_worker
from bench.report import Row, is_installed, label, progress, unit_rates
from watermeet.testing.speed import Task, Worker, time_in_turns

TITLE = "Environments"
ABOUT = (
    "Steps a second, each with a random legal action, the next mask and features: batches of "
    "matches, and single ones through PettingZoo and Gymnasium (there against random moves)."
)
COLUMNS = {
    "": "game",
    "batch of 1": "batch of 1",
    "batch of 128": "of 128",
    f"batch of {BATCH}": f"of {BATCH:,}",
    "two threads": "two threads, times one",
    "PettingZoo": "PettingZoo",
    "Gymnasium": "Gymnasium",
}


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """All games, in turns."""
    tasks: dict[tuple[str, str], Task] = {}
    is_complete = is_installed("gymnasium", "pettingzoo")
    for name in games or wm.games():
        game = wm.game(name)
        progress(f"{name}: compiling")
        workers = {f"batch of {size}": batch_worker(game, size) for size in (1, 128, BATCH)}
        workers["two threads"] = batch_worker(game, BATCH, threads=2)
        if is_complete:
            workers |= {"PettingZoo": _pettingzoo(game), "Gymnasium": _gymnasium(game)}
        for what, worker in workers.items():
            task = Task(f"{name}, {what}", worker, cpu_clock=time.process_time)
            tasks[label(game), what] = task
    samples = time_in_turns([*tasks.values()], seconds=seconds, progress=progress)
    taken = dict(zip(tasks, samples, strict=True))
    rows = []
    for (name, what), found in taken.items():
        if what == "two threads":
            alone = taken[name, f"batch of {BATCH}"]
            gains = [
                two.units / two.wall_seconds * one.wall_seconds / one.units
                for one, two in zip(alone, found, strict=False)
            ]
            cores = statistics.median(two.cpu_seconds / two.wall_seconds for two in found)
            note = f"by the wall clock; got {cores:.2f} of 2 cores"
            rows.append(Row(name, what, statistics.median(gains), "times", note))
        else:
            rates = unit_rates(found)
            note = f"best {max(rates):,.0f}"
            rows.append(Row(name, what, statistics.median(rates), "steps/s", note))
    return rows


def _pettingzoo(game: wm.Game) -> Worker:
    from watermeet.envs.pettingzoo import GameAECEnv

    return aec_worker(GameAECEnv(game))


def _gymnasium(game: wm.Game) -> Worker:
    import gymnasium

    from watermeet.envs.gymnasium import env_id

    env: Any = gymnasium.make(env_id(game), disable_env_checker=True)
    rng = np.random.default_rng(1)
    carried = [env.reset(seed=1)[1]]

    def run(count: int) -> int:
        for _ in range(count):
            action = int(rng.choice(np.flatnonzero(carried[0]["action_mask"])))
            _, _, terminated, truncated, carried[0] = env.step(action)
            if terminated or truncated:
                carried[0] = env.reset()[1]
        return count

    return run
