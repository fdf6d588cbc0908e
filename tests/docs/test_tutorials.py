"""The program of the tutorial on training does what the page says, on a small scale."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.soak
@pytest.mark.slow
def test_a_policy_learns_and_the_curve_is_plotted() -> None:
    """Fifty of its 300 batches lead from one half to nearly nine tenths; any increase will do."""
    program: dict[str, Any] = runpy.run_path(str(ROOT / "examples" / "train_policy.py"))
    curve = program["train"](50, evaluate_every=25)
    assert curve.matches == [0, 25 * 512, 50 * 512]
    assert 0.4 < curve.win_rates[0] < 0.6
    assert curve.win_rates[-1] > curve.win_rates[0] + 0.15
    assert ElementTree.fromstring(program["plot"](curve)).tag.endswith("svg")


def test_the_page_shows_a_curve() -> None:
    picture = (ROOT / "docs" / "tutorials" / "train-a-policy.svg").read_text(encoding="utf-8")
    assert "Matches won against random moves" in picture
