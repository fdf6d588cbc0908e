"""Moves in words, as the terminal says them."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.cli.wording import to_you
from watermeet.core.kernel import plain_python

OURS = [name for name in wm.games() if wm.game(name).package.startswith("watermeet.games.")]


@pytest.mark.parametrize("name", OURS)
def test_every_move_is_said_with_a_verb(name: str) -> None:
    rng = random.Random(name)
    with plain_python():
        state = wm.game(name).start()
        for _ in range(40):
            for action in rng.sample(state.legal_actions, min(4, len(state.legal_actions))):
                words = state.describe(action)
                assert words.split()[0] == to_you(words).split()[0] + "s"
                cell = state.format(action).partition("@")[2]
                assert cell in words, "the words name the cell"
            state = state.play(rng.choice(state.legal_actions))
