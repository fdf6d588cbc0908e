"""Known perft counts of every game, from the text files in their folders."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.testing import divide, perft
from watermeet.testing.perft import parse_row, perft_lines

FILES = ["perft.txt", pytest.param("perft_deep.txt", marks=pytest.mark.nightly)]


@pytest.mark.compiled
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", wm.games())
def test_counts_match_the_file(name: str, file: str) -> None:
    """Most were counted by the game's oracle."""
    for line in perft_lines(wm.game(name), file):
        row = parse_row(wm.game(name), line)
        for depth, count in row.counts.items():
            assert perft(row.state, depth) == count, (line, depth)


@pytest.mark.compiled
def test_divide_splits_the_count() -> None:
    """The parts sum to the whole, one part per first move; nothing is deeper than the end."""
    for name in wm.games():
        state = wm.game(name).start()
        parts = divide(state, 3)
        assert set(parts) == set(state.legal_moves)
        assert sum(parts.values()) == perft(state, 3)
        assert perft(state, 0) == 1
        assert divide(state, 0) == {}
