"""The bots of Flume: their levels, their players, and their use of the solver."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.core.errors import TooLarge
from watermeet.core.state import State
from watermeet.games.flume.players import PLAYERS
from watermeet.games.flume.solver import find_win, solve

pytestmark = pytest.mark.compiled


def start(**options: int | bool) -> State:
    return wm.game("flume").with_options(**options).start()


def is_won(state: State, seat: int) -> bool:
    if state.to_move < 0:
        assert state.outcome is not None
        return state.outcome.returns[seat] > 0
    return (solve(state).value > 0) == (state.to_move == seat)


@pytest.mark.parametrize("no_centre_first", [False, True])
@pytest.mark.parametrize("pie", [False, True])
def test_exactly_the_wins_are_found(pie: bool, no_centre_first: bool) -> None:
    for number in range(3):
        rng = random.Random(number)
        state = start(size=5, pie=pie, no_centre_first=no_centre_first)
        while state.to_move >= 0:
            if len(state.legal_actions) <= 18:  # Plain Python takes seconds for more.
                found = find_win(state, node_limit=1_000_000).action
                assert (found is not None) == is_won(state, state.to_move)
                if found is not None:
                    assert is_won(state.play(found), state.to_move)
            state = state.play(rng.choice(state.legal_actions))


def test_the_first_player_does_not_win_with_the_pie_rule() -> None:
    assert find_win(start(size=7), node_limit=1).action is None


def test_a_hopeless_search_for_a_win_stops_at_once() -> None:
    state = start(size=7, pie=False)
    with pytest.raises(TooLarge):
        find_win(state, node_limit=10_000)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(25))
def test_sea_never_loses_a_won_position_on_5x5(first: int) -> None:
    game = wm.game("flume").with_options(size=5, pie=False)
    rng = random.Random(first)
    with make_bot(game, "sea:seconds=0.2") as bot:
        for seat in range(2):
            state = game.start().play(first)
            was_won = False
            while state.to_move >= 0:
                if state.to_move == seat:
                    was_won = was_won or is_won(state, seat)
                    state = state.play(bot.play(state).action)
                    assert not was_won or is_won(state, seat)
                else:
                    state = state.play(rng.choice(state.legal_actions))


def test_the_taker_prefers_extra_moves_and_gives_little_away() -> None:
    take = PLAYERS["taker"]
    rng = random.Random(1)
    state = start(size=5, pie=False)
    assert state.format(take(state, rng)) not in {"b1", "a2", "d1", "e2", "a4", "b5", "d5", "e4"}
    given = state.play("b1")
    assert given.format(take(given, rng)) == "a1"
