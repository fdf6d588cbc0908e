"""The weakest level loses to a beginner who looks one action ahead."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import watermeet as wm
from watermeet.arena.sprt import Sprt
from watermeet.bots.bot import Bot
from watermeet.bots.levels import NAMES
from watermeet.bots.specs import BEGINNER, make_bot
from watermeet.testing.folders import built_in_games

pytestmark = [pytest.mark.slow, pytest.mark.compiled]
ROUNDS = 120


def play(game: wm.Game, bots: list[Bot], seed: int) -> tuple[float, ...]:
    """The returns of a match in which the bots take the seats in turn."""
    rng = random.Random(seed)
    for number, bot in enumerate(bots):
        bot.new_match((seed, number))
    state = game.start().sample(rng)
    while state.outcome is None:
        bot = bots[state.to_move % len(bots)]
        state = state.play(bot.play(state.conceal(state.to_move)).action).sample(rng)
    return state.outcome.returns


def rounds(game: wm.Game) -> Iterator[float]:
    """The beginner's scores: both sides of a match, or together with nobody but itself."""
    beginner, weakest = (make_bot(game, name) for name in (BEGINNER, NAMES[0]))
    for seed in range(ROUNDS):
        if len(game.teams) == 1:
            gain = play(game, [beginner], seed)[0] - play(game, [weakest], seed)[0]
        else:
            first, second = (
                play(game, [beginner, weakest], seed),
                play(game, [weakest, beginner], seed),
            )
            gain = (first[0] + second[1]) / 2
        yield (gain / 2 + 0.5) if len(game.teams) > 1 else (gain / 4 + 0.5)


@pytest.mark.parametrize("name", built_in_games())
def test_the_weakest_level_loses_to_a_beginner(name: str) -> None:
    verdict = Sprt(0.0, 80.0).run(rounds(wm.game(name)))
    assert verdict.is_stronger, verdict
