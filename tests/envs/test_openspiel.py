"""OpenSpiel's own test, for every game, and its algorithms on some of them."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.policy import UniformRandomPolicy
from tests.envs.games import CASES, NAMES, worlds
from watermeet_kuhn_poker.rules import BET, PASS

import watermeet as wm
from watermeet.core.options import Value
from watermeet.envs import openspiel
from watermeet.testing import random_match

PERFECT, NOW = (pyspiel.IIGObservationType(perfect_recall=recall) for recall in (True, False))


def _load(name: str, **options: Value) -> Any:
    return pyspiel.load_game(openspiel.short_name(wm.game(name)), options)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_openspiel_random_simulation_passes(name: str, options: dict[str, Value]) -> None:
    """Random matches, with states written and read back."""
    pyspiel.random_sim_test(_load(name, **options), 1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_declared_facts_match_the_game(name: str) -> None:
    game, loaded = wm.game(name), _load(name)
    kind = loaded.get_type()
    assert loaded.num_players() == game.seats
    assert loaded.num_distinct_actions() == game.features.spec.codes
    assert loaded.max_game_length() == game.sizes.max_length
    is_random = kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert is_random == game.chance
    is_open = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert is_open == (not game.hidden)
    assert loaded.max_utility() == game.returns_range[1]


def _observations(state: openspiel.SpielState, seat: int) -> list[object]:
    game = state.get_game()
    found: list[object] = []
    for kind in (PERFECT, NOW):
        observer = game.make_py_observer(kind)
        observer.set_from(state, seat)
        found += [observer.string_from(state, seat), observer.tensor.tobytes()]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_hidden_information_does_not_leak(name: str) -> None:
    game = _load(name)
    for seat, state, world in worlds(name):
        one, other = (openspiel.SpielState(game, each) for each in (state, world))
        for each in (one, other):
            each._past = openspiel.Past(None, wm.CHANCE, 0, each.position)
        assert _observations(one, seat) == _observations(other, seat)


def test_information_states_have_perfect_recall() -> None:
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
    assert f" {PASS}:" in one.information_state_string(0), "what it did itself"
    assert f" {PASS}:" not in one.information_state_string(1), "what it saw"
    copy = one.clone()
    copy.apply_action(3)
    assert one.information_state_string(0) != copy.information_state_string(0)


def test_states_are_resampled_from_what_a_seat_knows() -> None:
    state = _load("kuhn_poker").new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    rng = np.random.default_rng(0)
    drawn = [state.resample_from_infostate(0, rng.random) for _ in range(20)]
    assert {each.information_state_string(0) for each in drawn} == {
        state.information_state_string(0)
    }
    assert len({each.position.text for each in drawn}) == 2


# ---- OpenSpiel's algorithms ---------------------------------------------------------------------

ONE_WINS = "1rr/2b/2r r 0"
"""Only one of five moves wins, the lower left corner; found by exhaustive search."""
WINNER = 6


def _searcher(kind: Any, game: Any, simulations: int) -> Any:
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    return kind(game, evaluator=evaluator, random_state=rng, uct_c=2.0, max_simulations=simulations)


def test_mcts_finds_the_winning_move() -> None:
    ending = wm.game("flume", size=3, pie=False).parse(ONE_WINS)
    game = openspiel.from_state(ending)
    assert _searcher(mcts.MCTSBot, game, 300).step(game.new_initial_state()) == WINNER


@pytest.mark.parametrize(("cards", "choice"), [((0, 1), PASS), ((2, 1), BET)])
def test_ismcts_uses_its_own_card(cards: tuple[int, int], choice: int) -> None:
    """After a bet, the lowest card always loses and the highest always wins."""
    game = _load("kuhn_poker")
    state = game.new_initial_state()
    for action in (*cards, PASS, BET):
        state.apply_action(action)
    assert _searcher(ismcts.ISMCTSBot, game, 200).step(state) == choice


@pytest.mark.slow
def test_cfr_finds_an_equilibrium() -> None:
    """The first player loses 1/18 in it; a random policy is far more exploitable."""
    game = _load("kuhn_poker")
    assert exploitability.exploitability(game, UniformRandomPolicy(game)) > 0.4
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.exploitability(game, found) < 0.05
    values = policy_value(game.new_initial_state(), [found, found])
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=0.02)


@pytest.mark.slow
def test_cfr_solves_an_endgame() -> None:
    game = openspiel.from_state(wm.game("flume", size=3, pie=False).parse(ONE_WINS))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    first = game.new_initial_state()
    assert found.action_probabilities(first)[WINNER] > 0.9
    assert exploitability.exploitability(game, found) < 0.1


def test_a_game_with_a_starting_state_survives_a_round_trip() -> None:
    """States contain characters that are special in OpenSpiel's strings."""
    middle = random_match(wm.game("flows", radius=2), random.Random(1)).states[9]
    assert middle.text.count("=") > 1
    again = pyspiel.load_game(str(openspiel.from_state(middle)))
    assert again.new_initial_state().position == middle
    pyspiel.random_sim_test(again, 1, serialize=True, verbose=False)


def test_other_kinds_of_observations_are_refused() -> None:
    game = _load("kuhn_poker")
    with pytest.raises(ValueError, match="take no parameters"):
        game.make_py_observer(NOW, {"a": 1})
    everything = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="one player"):
        game.make_py_observer(everything)


def test_action_strings_are_our_notation() -> None:
    state = _load("flume", size=3).new_initial_state()
    assert state.action_to_string(0, 4) == "b2"
    assert str(state) == "3/3/3 r 0"


def test_a_program_that_uses_openspiel_exits_cleanly() -> None:
    """What OpenSpiel keeps of us outlives Python."""
    program = "import pyspiel, watermeet.envs.openspiel as s; s.register(); print('done')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"done\n"
    assert done.stderr == b""
