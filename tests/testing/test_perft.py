"""Known perft counts of every game, from the text files in their folders."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.core.kernel import runs_plain_python
from watermeet.testing import divide, perft
from watermeet.testing.perft import parse_row, perft_lines

SMALL = 3000
LINES = [(name, line) for name in wm.games() for line in perft_lines(wm.game(name))]


@pytest.mark.parametrize(("name", "line"), LINES, ids=[f"{name}-{line}" for name, line in LINES])
def test_counts_match_the_file(name: str, line: str) -> None:
    """Every count in perft.txt; in plain Python only the small ones."""
    row = parse_row(wm.game(name), line)
    for depth, count in row.counts.items():
        if count > SMALL and runs_plain_python():
            break
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
