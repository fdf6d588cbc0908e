"""Play batches on numba-cuda's simulator and on the CPU, and compare them step by step.

``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.core.simulated_gpu``: a program of its
own, because numba-cuda decides once for a process whether it simulates.
"""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.batch import VectorGame
from watermeet.core.errors import IllegalMove
from watermeet.search.batch import BatchSearch
from watermeet.testing import option_sets

ARRAYS = (
    "states", "masks", "returns", "to_move", "observers", "steps", "terminated", "truncated",
    "features", "rngs",
)  # fmt: skip
MATCHES, STEPS, SETS = 3, 8, 2


def main() -> None:
    for name in wm.games():
        game = wm.game(name)
        sets = option_sets(game)
        for options in random.Random(name).sample(sets, min(SETS, len(sets))):
            compare(game.with_options(**options))
        compare_searches(game)


def compare(game: wm.Game) -> None:
    cpu = VectorGame(game, MATCHES, seed=5, max_steps=STEPS - 2)
    gpu = VectorGame(game, MATCHES, seed=5, max_steps=STEPS - 2, device="cuda")
    for step in range(STEPS):
        rows = [1] if step == 3 else None
        actions = cpu.sample_actions(rows).copy()
        assert np.array_equal(gpu.sample_actions(rows).numpy(), actions)  # type: ignore[attr-defined]
        cpu.step(actions, rows)
        gpu.step(actions if step % 2 else gpu._sampled, rows)
        if step == 5:
            cpu.reset(7, rows=[0])
            gpu.reset(7, rows=[0])
            gpu = pickle.loads(pickle.dumps(gpu))
        require_equal(cpu, gpu)
    seats = range(game.seats)
    for seat in seats:
        assert np.array_equal(cpu.observe(seat), gpu.observe(seat).numpy())  # type: ignore[attr-defined]
    wrong = gpu.masks.shape[1] + 7
    gpu.step([wrong] * MATCHES)
    require_equal(cpu, gpu)
    gpu.step(gpu.sample_actions())
    with pytest.raises(IllegalMove, match=f"action {wrong} "):
        gpu.check()
    gpu.check()


def compare_searches(game: wm.Game) -> None:
    """Trees on a GPU are those on the CPU; a function evaluates, as rollouts are too slow here."""
    states = VectorGame(game, MATCHES, seed=5).states
    cpu = BatchSearch(game, MATCHES, seed=6, max_nodes=9)
    gpu = BatchSearch(game, MATCHES, seed=6, max_nodes=9, device="cuda")
    uploaded = gpu._device.upload(states)
    priors = np.random.default_rng(1).random((MATCHES, game.features.spec.codes))
    values = np.zeros((MATCHES, game.seats))
    on_gpu = gpu._device.upload(priors), gpu._device.upload(values)
    cpu.run(states, 8, lambda features, wanted: (priors, values))
    gpu.run(uploaded, 8, lambda features, wanted: on_gpu)
    assert np.array_equal(cpu.visits, gpu.visits.numpy())
    assert cpu.visits.any()


def require_equal(cpu: VectorGame, gpu: VectorGame) -> None:
    for array in ARRAYS:
        expected, found = getattr(cpu, array), getattr(gpu, array).numpy()
        assert np.array_equal(expected, found), (cpu.game, array)
    assert gpu.state(1) == cpu.state(1)


if __name__ == "__main__":
    main()
