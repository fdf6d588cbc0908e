"""Games with known answers, small enough to be solved by plain recursion."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.core.game import load_game

TOYS = Path(__file__).parents[1] / "cli" / "toys"


@pytest.fixture
def pile() -> Iterator[wm.Game]:
    """Take one, two or three; taking the last wins, so a multiple of four is lost."""
    sys.path.insert(0, str(TOYS))
    try:
        yield load_game("pile")
    finally:
        sys.path.remove(str(TOYS))
