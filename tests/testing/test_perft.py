"""Known perft counts of every game, from the text files in their folders."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.testing import divide, perft
from watermeet.testing.perft import PerftRow, perft_rows

ROWS = [row for name in wm.games() for row in perft_rows(wm.game(name))]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.state.game.name}-{row.line}")
def test_counts_match_the_file(row: PerftRow) -> None:
    """Every count in perft.txt."""
    for depth, count in row.counts.items():
        assert perft(row.state, depth) == count, depth


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
