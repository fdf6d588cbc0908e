"""PyTorch on Gymnasium's vector environment; here on the CPU, and on a small board."""

from __future__ import annotations

import pytest
from tests.recipes.programs import recipe


@pytest.mark.slow
def test_ppo_learns_flume_as_it_does_on_a_gpu() -> None:
    assert recipe("torch_flume").train(matches=256, size=5, rounds=30, device="cpu") > 0.75
