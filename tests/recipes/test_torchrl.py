"""TorchRL on Gymnasium's vector environment, with three seats."""

from __future__ import annotations

import pytest
from tests.recipes.programs import recipe

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.slow
def test_ppo_trains_on_flows_with_three_seats() -> None:
    """From end to end; what it returns is a mean of returns."""
    assert -1 <= recipe("torchrl_flows").train(batches=2) <= 1
