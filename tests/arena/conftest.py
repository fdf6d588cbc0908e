"""Fixtures of the arena's tests: a toy game whose players are good, bad or broken."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from watermeet.core.game import Game, load_game
from watermeet.core.kernel import plain_python

TOYS = Path(__file__).parent / "toys"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run without compiling, also in child processes: the matches are short."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with plain_python():
        yield


@pytest.fixture(scope="session")
def dice() -> Game:
    """A dice game for 1 to 6 seats: solo, in pairs or cooperative."""
    if str(TOYS) not in sys.path:
        sys.path.append(str(TOYS))
    return load_game("dice")
