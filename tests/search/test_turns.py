"""The search of whole turns."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.evaluation import NO_ACTION
from watermeet.core.rng import seeded, seeded_many
from watermeet.games.qwirkle.tests.helpers import played
from watermeet.search.binding import bind
from watermeet.search.limits import Limits
from watermeet.search.turns import (
    MAX_LENGTH,
    TurnSearch,
    _look_for_turns,
    find_turns,
    judge_turns,
    make_workspace,
)

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


@pytest.fixture
def state() -> wm.State:
    """The start of a turn amid a match with hidden tiles, as the mover knows it."""
    found = played(3, 50)
    while found.to_move < 0 or "laid" in found.text or "aside" in found.text:
        found = found.sample(random.Random(1)).play(found.legal_actions[-1])
    return found.conceal(found.to_move)


@pytest.mark.parametrize("left", [1, 2, 3, 5, 6, 7])
def test_the_search_takes_the_rest_of_a_pile(pile: wm.Game, left: int) -> None:
    start = pile.with_options(size=left).start()
    result = TurnSearch(start.game, horizon=1 << 30).search(start, Limits(nodes=600))
    assert result.action == left % 4


def test_each_round_drops_the_worse_half_and_shares_its_nodes_evenly(pile: wm.Game) -> None:
    """Three candidates have two rounds of 30 rollouts: 10 each, then 15 for each of two."""
    start = pile.with_options(size=6).start()
    result = TurnSearch(start.game).search(start, Limits(nodes=60))
    assert [each.visits for each in result.candidates] == [25, 25, 10]
    assert result.nodes == 60


def test_equal_turns_get_equal_values_and_others_do_not(state: wm.State) -> None:
    """What is hidden, what is drawn and how others play is the same for all candidates."""
    game, turns = state.game, find_turns(state, 4)
    lines = np.full((3, MAX_LENGTH), NO_ACTION, dtype=np.int32)
    for row, turn in enumerate((turns[0], turns[-1], turns[0])):
        lines[row, : len(turn.actions)] = turn.actions
    work, order = make_workspace(game), np.arange(3, dtype=np.int32)
    seeds = seeded_many(20 * 3, 7).reshape(20, 3)
    judge = bind(game, judge_turns)
    judge(work, lines, order, 3, state.array.copy(), state.to_move, seeds, 4)
    assert work.sums[0] == work.sums[2] != work.sums[1]
    other = make_workspace(game)
    judge(other, lines, order[1:], 1, state.array.copy(), state.to_move, seeds, 4)
    assert other.sums[1] == work.sums[1], "a value doesn't depend on who else is tried"


def test_the_turns_that_the_game_proposes_are_those_that_a_search_finds(state: wm.State) -> None:
    """But for trades, of which the game proposes two."""

    def placed(turns: list[tuple[int, ...]]) -> set[wm.State]:
        after = (state.play_all(turn) for turn in turns)
        return {each for each in after if each.text.startswith("refill")}

    proposed = placed([turn.actions for turn in find_turns(state, 500)])
    found = placed([turn.actions for turn in _look_for_turns(state, 5000)])
    assert proposed == found != set()


def test_the_rest_of_a_turn_costs_no_search(state: wm.State) -> None:
    search, limits = TurnSearch(state.game), Limits(nodes=200)
    first = search.search(state, limits)
    mover, rest = state.to_move, first.pv[1:]
    state = state.play(first.action)
    while state.to_move == mover:
        found = search.search(state, limits)
        assert (found.pv, found.value) == (rest, first.value)
        state, rest = state.play(found.action), rest[1:]
    assert rest == ()


def test_within_a_turn_the_search_looks_for_the_rest(state: wm.State) -> None:
    state = state.play(find_turns(state, 1)[0].actions[0])
    result = TurnSearch(state.game).search(state, Limits(nodes=50))
    assert {each.action for each in result.candidates} == set(state.legal_actions)


def test_only_a_search_that_sees_hidden_tiles_makes_use_of_them(state: wm.State) -> None:
    """Two states that are the same for the mover."""
    known, mover = state.array.copy(), state.to_move
    worlds = []
    for seed in range(2):
        full = known.copy()
        state.game.kernels.resample(known, mover, seeded(seed), full)
        worlds.append(wm.State(state.game, full))
    assert worlds[0] != worlds[1]
    for sees_hidden in (False, True):
        found = [
            TurnSearch(state.game, sees_hidden=sees_hidden).search(world, Limits(nodes=400)).value
            for world in worlds
        ]
        assert (found[0] != found[1]) == sees_hidden


def test_worlds_do_not_depend_on_how_many_are_tried_at_a_time(pile: wm.Game) -> None:
    """That depends on how busy the machine is."""
    one, other = TurnSearch(pile, seed=3), TurnSearch(pile, seed=3)
    at_once = one.new_seeds(1200)
    assert len(np.unique(at_once)) == at_once.size
    assert np.array_equal(at_once, np.concatenate([other.new_seeds(300) for _ in range(4)]))


def test_two_threads_search_as_many_nodes(state: wm.State) -> None:
    result = TurnSearch(state.game, threads=2).search(state, Limits(nodes=1000))
    assert 900 <= result.nodes <= 1100


def test_a_search_can_be_stopped(state: wm.State) -> None:
    stop = threading.Event()
    stop.set()
    result = TurnSearch(state.game).search(state, Limits(nodes=10**9, stop=stop))
    assert 0 < result.nodes < 100
