"""The oracle's counts of perft_deep.txt; those of perft.txt are tested with those of all games."""

from __future__ import annotations

from pathlib import Path

import pytest

import watermeet as wm
from watermeet.testing import perft

ROWS = (Path(__file__).parent / "perft_deep.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("row", ROWS)
def test_deep_counts_agree_with_the_oracle(row: str) -> None:
    options, text, counts = (part.strip() for part in row.split(" | "))
    values = dict(pair.split("=") for pair in options.split())
    game = wm.game("flow").at_version(1).with_option_texts(values)
    state = game.start() if text == "start" else game.parse(text)
    for depth, count in (map(int, pair.split(":")) for pair in counts.split()):
        assert perft(state, depth) == count, depth
