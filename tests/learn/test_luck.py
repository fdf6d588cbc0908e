"""Luck: it is zero on average, and its standard error is what it should be."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import watermeet as wm
from watermeet.bots.players import choose_any, players_of
from watermeet.learn.luck import Valuer, lead_of, measure_luck

MATCHES, ROUNDS = 16, 8
Player = Callable[[wm.State, random.Random], int]


def matches(game: wm.Game, player: Player, count: int) -> Iterator[list[wm.State]]:
    for seed in range(count):
        rng, states = random.Random(seed), [game.start()]
        while (state := states[-1]).to_move != wm.OVER:
            outcomes, chances = zip(*state.chance_outcomes or [(0, 1)], strict=True)
            is_chance = state.to_move == wm.CHANCE
            action = rng.choices(outcomes, chances)[0] if is_chance else player(state, rng)
            states.append(state.play(action))
        yield states


def skill_of(states: list[wm.State], rounds: int) -> tuple[float, float]:
    """What decisions changed for seat 0, measured on its own; and its standard error."""
    value = Valuer(states[0].game, "skill")
    decisions = [number for number, state in enumerate(states) if state.to_move >= 0]
    sums = [
        sum(
            value(states[at + 1], (at, number, 1))[0] - value(states[at], (at, number))[0]
            for at in decisions
        )
        for number in range(rounds)
    ]
    return float(np.mean(sums)), float(np.std(sums, ddof=1) / rounds**0.5)


def check_luck(found: list[list[wm.State]], rounds: int) -> None:
    lucks, gaps = [], []
    for states in found:
        outcome = states[-1].outcome
        assert outcome is not None
        each = measure_luck(states, rounds=rounds)
        lucks.append(each.luck[0])
        skill, error = skill_of(states, rounds)
        lead = lead_of(states[-1])
        result = outcome.returns[0] if lead is None else lead[0]
        missing = result - (each.start[0] + each.luck[0] + skill)
        gaps.append(missing / np.hypot(each.skill_error[0], error))
    assert abs(np.mean(lucks)) < 3 * np.std(lucks, ddof=1) / len(lucks) ** 0.5, lucks
    assert np.std(lucks) > 0.1
    assert 0.5 < np.sqrt(np.mean(np.square(gaps))) < 1.6, gaps


def test_start_luck_and_skill_are_the_result_without_an_evaluation() -> None:
    check_luck(list(matches(wm.game("kuhn_poker"), choose_any, 60)), rounds=24)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", ["flow", "flows", "qwirkle"])
@pytest.mark.parametrize("is_random", [True, False])
def test_start_luck_and_skill_are_the_result(game: str, is_random: bool) -> None:
    """However anybody plays; what searches lose sight of isn't called luck."""
    found = wm.game(game)
    player = choose_any if is_random else next(iter(players_of(found).values()))
    check_luck(list(matches(found, player, MATCHES)), ROUNDS)
