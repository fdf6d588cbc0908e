"""Play batches on numba-cuda's simulator and on the CPU, and compare them step by step.

``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.core.simulated_gpu``: a program of its
own, because numba-cuda decides once for a process whether it simulates.
"""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import watermeet as wm
from watermeet.core.batch import VectorGame
from watermeet.core.errors import IllegalMove
from watermeet.envs import vector
from watermeet.search.batch import BatchSearch
from watermeet.testing import option_sets

ARRAYS = (
    "states", "masks", "returns", "to_move", "observers", "steps", "terminated", "truncated",
    "features", "rngs",
)  # fmt: skip
MATCHES, STEPS, SETS = 2, 8, 1


def main() -> None:
    for name in wm.games():
        game = wm.game(name)
        sets = option_sets(game)
        for options in random.Random(name).sample(sets, min(SETS, len(sets))):
            compare(game.with_options(**options))
        compare_searches(game)
    compare_environments(seat=1)
    compare_environments(seat="random", illegal="next")
    compare_environments(opponents="self", max_episode_steps=4)


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
    cpu = BatchSearch(game, MATCHES, seed=6, max_nodes=9)
    gpu = BatchSearch(game, MATCHES, seed=6, max_nodes=9, device="cuda")
    on_cpu = VectorGame(game, MATCHES, seed=5)
    many = VectorGame(game, MATCHES, seed=5, device="cuda")
    priors = np.random.default_rng(1).random((MATCHES, game.features.spec.codes))
    values = np.zeros((MATCHES, game.seats))
    on_gpu = gpu._device.upload(priors), gpu._device.upload(values)
    cpu.run(on_cpu, 8, lambda features, wanted: (priors, values))
    gpu.run(many, 8, lambda features, wanted: on_gpu)
    assert np.array_equal(cpu.visits, gpu.visits.numpy())
    assert cpu.visits.any()


def compare_environments(**settings: Any) -> None:
    """Environments on a GPU do what those on the CPU do, in every mode."""
    for mode in AutoresetMode:
        settings = settings | {"size": 3, "num_envs": MATCHES, "autoreset_mode": mode}
        made: Any = (vector.make("flume", device=device, **settings) for device in ("cpu", "cuda"))
        cpu, gpu = made
        require_same(cpu.reset(seed=4), gpu.reset(seed=4))
        ended = 0
        for step in range(12):
            actions = cpu.many.sample_actions().copy()
            assert np.array_equal(gpu.many.sample_actions().numpy(), actions)
            found = cpu.step(actions)
            require_same(found, gpu.step(actions if step % 2 else gpu.many._sampled))
            gpu.check()
            over = found[2] | found[3]
            ended += int(over.sum())
            if mode == AutoresetMode.DISABLED and over.any():
                if over.all():
                    gpu.step(actions)
                    with pytest.raises(IllegalMove):
                        gpu.check()
                options = {"reset_mask": over, "state": "3/3/rb1 r 0"}
                require_same(cpu.reset(options=options), gpu.reset(options=options))
        assert ended > MATCHES


def require_same(cpu: Any, gpu: Any) -> None:
    """What the GPU returns is what the CPU returns; final ones count only where there are any."""
    if isinstance(cpu, tuple):
        for pair in zip(cpu, gpu, strict=True):
            require_same(*pair)
    elif isinstance(cpu, dict):
        for key in cpu:
            if key in ("final_obs", "final_info"):
                for row in np.flatnonzero(cpu[f"_{key}"]):
                    for name, array in gpu[key].items():
                        by_row = key == "final_obs"
                        expected = cpu[key][row][name] if by_row else cpu[key][name][row]
                        assert np.array_equal(expected, np.asarray(array)[row])
            else:
                require_same(cpu[key], gpu[key])
    else:
        assert np.array_equal(cpu, gpu)


def require_equal(cpu: VectorGame, gpu: VectorGame) -> None:
    for array in ARRAYS:
        expected, found = getattr(cpu, array), getattr(gpu, array).numpy()
        assert np.array_equal(expected, found), (cpu.game, array)
    assert gpu.state(1) == cpu.state(1)


if __name__ == "__main__":
    main()
