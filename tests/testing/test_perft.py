"""Known counts of every game at home, from the text files in their folders."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.testing import divide, perft


def _folder(name: str) -> Path:
    module = importlib.import_module(wm.game(name).package)
    assert module.__file__ is not None
    return Path(module.__file__).parent / "tests"


def _rows() -> list[tuple[str, str]]:
    found = []
    for name in wm.games():
        file = _folder(name) / "perft.txt"
        if file.exists():
            lines = file.read_text(encoding="utf-8").splitlines()
            found += [(name, line) for line in lines if line and not line.startswith("#")]
    return found


@pytest.mark.parametrize(("name", "row"), _rows())
def test_counts_are_those_on_file(name: str, row: str) -> None:
    """Every count of perft.txt comes out."""
    options, text, counts = (part.strip() for part in row.split("|"))
    game = wm.game(name).with_option_texts(dict(word.split("=") for word in options.split()))
    state = game.start() if text == "start" else game.parse(text)
    for entry in counts.split():
        depth, count = map(int, entry.split(":"))
        assert perft(state, depth) == count, (row, depth)


def test_every_game_at_home_has_counts() -> None:
    """None is missing."""
    at_home = [name for name in wm.games() if wm.game(name).package.startswith("watermeet.")]
    assert at_home
    assert [name for name in at_home if not (_folder(name) / "perft.txt").exists()] == []


def test_divide_splits_the_count() -> None:
    """The parts sum to the whole, one part a first move; nothing is deeper than the end."""
    for name in wm.games():
        state = wm.game(name).start()
        parts = divide(state, 3)
        assert set(parts) == set(state.legal_moves)
        assert sum(parts.values()) == perft(state, 3)
        assert perft(state, 0) == 1
        assert divide(state, 0) == {}
