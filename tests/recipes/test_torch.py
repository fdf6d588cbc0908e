"""PyTorch on Gymnasium's vector environment; here on the CPU, and on a small board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from tests.recipes.programs import recipe

import watermeet as wm
from watermeet.nets.onnx import OnnxNetwork

pytestmark = pytest.mark.nightly


def test_ppo_learns_flume_as_it_does_on_a_gpu() -> None:
    assert recipe("torch_flume").train(matches=256, size=5, rounds=30, device="cpu") > 0.75


def test_advantages_are_those_of_each_seat() -> None:
    """Seat 0 moves twice, then seat 1, who loses; a match begins and is cut off."""
    ppo = recipe("ppo_self_play")
    rollout = ppo.Rollout(steps=4, matches=1, features=1, codes=1)
    rollout.values[:, 0] = torch.tensor([0.1, 0.3, 0.2, 0.5])
    rollout.seats[:, 0], rollout.ended[2, 0] = [0, 0, 1, 1], True
    rollout.returns[2] = np.array([[1.0, -1.0]])
    rollout.estimate(seats=2)
    last = 1.0 - 0.3
    wanted = [0.3 - 0.1 + ppo.LAMBDA * last, last, -1.0 - 0.2, 0.0]
    assert rollout.advantages[:, 0].tolist() == pytest.approx(wanted)


def test_networks_of_ppo_play_in_the_arena(tmp_path: Path) -> None:
    game = wm.game("flume", size=3)
    positions = recipe("ppo_self_play").train(game, tmp_path, minutes=0.01, width=16)
    assert positions > 0
    assert int(min((tmp_path / "earlier").iterdir()).stem) == 0
    state = game.start()
    features = game.features.of(state, state.to_move)[None]
    priors, values = OnnxNetwork(game, tmp_path / "network.onnx")(features)
    assert priors.shape == (1, game.features.spec.codes)
    assert values.shape == (1, 2)
