"""TorchRL on Gymnasium's vector environment, with three seats."""

from __future__ import annotations

import pytest
from tests.recipes.programs import recipe

pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings("ignore")]


def test_ppo_learns_flows_with_three_seats() -> None:
    assert recipe("torchrl_flows").train() > 0.05
