"""The levels, and the player that they are measured against."""

from __future__ import annotations

import random

import pytest

from watermeet.bots.levels import NAMES, levels_of
from watermeet.bots.specs import make_bot
from watermeet.core.state import State
from watermeet.games.flows.players import one_ply
from watermeet.games.flows.tests.boards import STRAIGHT_DOWN, in_hand, laid
from watermeet.games.flows.tests.helpers import flows

pytestmark = pytest.mark.slow


def gap() -> State:
    return laid({name: tile for name, tile in STRAIGHT_DOWN.items() if name != "d4"})


def test_levels_are_declared_from_gentle_to_strong() -> None:
    levels = levels_of(flows())
    nodes = [level.nodes or 0 for level in levels[:-1]]
    assert nodes == sorted(nodes)
    assert all(level.seconds is None for level in levels[:-1])  # The same on every machine.
    assert levels[-1].seconds == 2.0
    for alike in (levels[:2], levels[2:]):  # Priors and values can't be compared.
        temperature = [level.temperature for level in alike]
        assert temperature == sorted(temperature, reverse=True)


def test_one_ply_takes_a_win_and_gives_none_away() -> None:
    rng = random.Random(1)
    own, other = in_hand(gap(), 0), in_hand(gap(), 0, seat=1)
    assert own.format(one_ply(own, rng)) == "T0.0@d4"
    assert all(other.format(one_ply(other, rng)) != "T0.0@d4" for _ in range(3))


def test_one_ply_takes_a_win_for_its_team() -> None:
    tiles = {name: tile for name, tile in STRAIGHT_DOWN.items() if name != "d4"}
    for seat in (0, 2):
        state = in_hand(laid(tiles, seats=4), 0, seat=seat)
        assert state.format(one_ply(state, random.Random(2))) == "T0.0@d4"


@pytest.mark.parametrize("name", NAMES[:-1])
def test_levels_see_a_win_in_one(name: str) -> None:
    state = in_hand(gap(), 0)
    assert state.format(
        make_bot(state.game, f"{name}:nodes=5:temperature=0").play(state).action
    ) == ("T0.0@d4")


@pytest.mark.parametrize("seats", [2, 4])
def test_a_short_search_beats_one_ply(seats: int) -> None:
    """Teams of partners alternate, so the seats of one bot are a team."""
    game = flows(seats=seats)
    bots = [make_bot(game, "river:nodes=100", seed=1), make_bot(game, "one_ply", seed=2)]
    won = 0.0
    for match in range(12):
        rng = random.Random(match // 2)
        state = game.start().sample(rng)
        while state.to_move >= 0:
            bot = bots[(state.to_move + match) % 2]
            state = state.play(bot.play(state.conceal(state.to_move)).action).sample(rng)
        assert state.outcome is not None
        won += state.outcome.returns[match % 2]
    assert won > 0
