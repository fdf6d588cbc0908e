"""OpenSpiel's own test, for every game, and its algorithms on some of them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts
from tests.envs.games import CASES, NAMES, worlds

import watermeet as wm
from watermeet.core.options import Value
from watermeet.envs import spiel

PERFECT, NOW = (pyspiel.IIGObservationType(perfect_recall=recall) for recall in (True, False))


def _load(name: str, **options: Value) -> Any:
    return pyspiel.load_game(spiel.spiel_id(wm.game(name)), options)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_openspiel_is_content(name: str, options: dict[str, Value]) -> None:
    """Random matches, with states written and read back."""
    pyspiel.random_sim_test(_load(name, **options), 1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_facts_are_told(name: str) -> None:
    game, told = wm.game(name), _load(name)
    kind = told.get_type()
    assert told.num_players() == game.seats
    assert told.num_distinct_actions() == game.sizes.actions
    assert told.max_game_length() == game.sizes.longest
    is_random = kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert is_random == game.chance
    is_open = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert is_open == (not game.hidden)
    assert told.max_utility() == game.returns_range[1]


def _told(state: spiel.SpielState, seat: int) -> list[object]:
    game = state.get_game()
    found: list[object] = []
    for kind in (PERFECT, NOW):
        observer = game.make_py_observer(kind)
        observer.set_from(state, seat)
        found += [observer.string_from(state, seat), observer.tensor.tobytes()]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_nothing_leaks(name: str) -> None:
    game = _load(name)
    for seat, state, world in worlds(name):
        one, other = (spiel.SpielState(game, each) for each in (state, world))
        for each in (one, other):
            each._past = spiel.Past(None, wm.CHANCE, 0, each.position)
        assert _told(one, seat) == _told(other, seat)


def test_a_seat_remembers_what_it_saw_and_did() -> None:
    game = _load("kuhn_poker")

    def after(*actions: int) -> Any:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state

    one, other = after(0, 1, 3), after(0, 2, 3)
    assert one.information_state_string(0) == other.information_state_string(0)
    assert one.information_state_string(1) != other.information_state_string(1)
    assert one.information_state_tensor(0) == other.information_state_tensor(0)
    assert one.observation_string(0) == other.observation_string(0)
    assert one.observation_tensor(1) != other.observation_tensor(1)
    copy = one.clone()
    copy.apply_action(3)
    assert one.information_state_string(0) != copy.information_state_string(0)


def test_states_are_drawn_again_from_what_a_seat_knows() -> None:
    state = _load("kuhn_poker").new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    rng = np.random.default_rng(0)
    drawn = [state.resample_from_infostate(0, rng.random) for _ in range(20)]
    assert {each.information_state_string(0) for each in drawn} == {
        state.information_state_string(0)
    }
    assert len({each.position.text for each in drawn}) == 2
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(0)),
        uct_c=2.0,
        max_simulations=20,
        random_state=np.random.RandomState(0),
    )
    assert bot.step(state) in state.legal_actions()


def test_counterfactual_regret_finds_an_equilibrium() -> None:
    game = _load("kuhn_poker")
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.05


def test_their_search_plays_our_games() -> None:
    """The last stone but one decides this match, and one choice wins it."""
    game = _load("flume", size=3)
    state = game.new_initial_state()
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 50, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0


def test_observations_of_another_kind_are_refused() -> None:
    game = _load("kuhn_poker")
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(NOW, {"a": 1})
    everything = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="what one player knows"):
        game.make_py_observer(everything)


def test_texts_of_actions_are_those_of_moves() -> None:
    state = _load("flume", size=3).new_initial_state()
    assert state.action_to_string(0, 4) == "b2"
    assert str(state) == "3/3/3 r 0"


def test_a_program_that_uses_it_ends_in_peace() -> None:
    """What OpenSpiel keeps of us outlives Python."""
    program = "import pyspiel, watermeet.envs.spiel as s; s.register(); print('done')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"done\n"
    assert done.stderr == b""
