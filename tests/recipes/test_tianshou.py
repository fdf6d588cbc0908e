"""Tianshou on Gymnasium's environments, with hidden hands."""

from __future__ import annotations

import pytest
from tests.recipes.programs import recipe

pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings("ignore")]


def test_ppo_learns_flows_with_hidden_hands() -> None:
    assert recipe("tianshou_flows").train() > 0.15
