"""The levels of Flow as partners."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.bots.levels import NAMES
from watermeet.bots.specs import make_bot
from watermeet.games.flow.tests.positions import ALMOST, position

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", NAMES)
def test_a_level_lays_the_winning_tile(name: str) -> None:
    state = position("hand=0 lay=straight", ALMOST)
    bot = make_bot(state.game, f"{name}:nodes=60:temperature=0")
    assert state.format(bot.play(state.conceal(0)).action) == "NS@d3"


@pytest.mark.parametrize("clock", ["minute", "free"])
def test_no_level_calls_time(clock: str) -> None:
    """However bad the position: the clock is kept outside."""
    game = wm.game("flow", clock=clock)
    bot = make_bot(game, "river:nodes=30:temperature=0.5")
    rng = random.Random(3)
    state, chosen = game.start().sample(rng), []
    for _ in range(40):
        if state.to_move == wm.OVER:
            break
        action = bot.play(state.conceal(state.to_move)).action
        chosen.append(state.format(action))
        state = state.play(action).sample(rng)
    assert len(chosen) > 20
    assert "time" not in chosen
