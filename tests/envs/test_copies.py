"""Environments can be copied, pickled and sent to other processes, and the copy plays on alike."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pyspiel
import pytest

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.envs import gymnasium as gymnasium_envs
from watermeet.envs import openspiel, pettingzoo, vector

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "cloudpickle": lambda thing: cloudpickle.loads(cloudpickle.dumps(thing)),
}
BOTS = ["random", "self", "drop"]


@pytest.fixture(params=list(COPIES))
def copied(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return COPIES[request.param]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return bool(np.array_equal(one, other))


def _first_legal(masks: Any) -> Any:
    return np.argmax(masks, axis=-1)


@pytest.mark.parametrize("opponents", BOTS)
def test_gymnasium(copied: Callable[[Any], Any], opponents: str) -> None:
    learner = gymnasium_envs.make("kuhn_poker", opponents=opponents, seat="random")
    learner.reset(seed=3)
    other = copied(learner)
    for _ in range(12):
        results = [each.step(_first_legal(each.action_masks())) for each in (learner, other)]
        assert _same(results[0][0], results[1][0])
        assert results[0][1:4] == results[1][1:4]
        if results[0][2]:
            assert _same(learner.reset()[0], other.reset()[0]), "the generator continues"


@pytest.mark.parametrize("opponents", BOTS)
def test_gymnasium_vector(copied: Callable[[Any], Any], opponents: str) -> None:
    many = vector.make("kuhn_poker", num_envs=4, opponents=opponents)
    many.reset(seed=3)
    other = copied(many)
    for _ in range(12):
        one, same = (each.step(_first_legal(each.action_masks())) for each in (many, other))
        assert all(_same(*pair) for pair in zip(one[:4], same[:4], strict=True))


@pytest.mark.parametrize("is_parallel", [False, True])
def test_pettingzoo(copied: Callable[[Any], Any], is_parallel: bool) -> None:
    make: Any = pettingzoo.parallel_env if is_parallel else pettingzoo.env
    table = make("kuhn_poker")
    table.reset(seed=3)
    other = copied(table)
    for _ in range(3):
        results = []
        for each in (table, other):
            if is_parallel:
                mover = each.unwrapped.agent_selection
                mask = each.unwrapped.observe(mover)["action_mask"]
                results.append(each.step(dict.fromkeys(each.agents, int(_first_legal(mask))))[:4])
            elif each.agents:
                observation, _, is_over, _, _ = each.last()
                each.step(None if is_over else int(_first_legal(observation["action_mask"])))
                results.append((each.rewards, each.agents, each.agent_selection))
        assert repr(results[0]) == repr(results[1])
        if not table.agents:
            break


def test_vector_game(copied: Callable[[Any], Any]) -> None:
    many = wm.VectorGame(wm.game("kuhn_poker"), 130, seed=1, threads=2)
    many.step(many.sample_actions())
    for other in (copied(many), many.clone()):
        twin = copy.deepcopy(many)
        for _ in range(9):
            twin.step(twin.sample_actions())
            other.step(other.sample_actions())
            assert other.states.tobytes() == twin.states.tobytes()
            assert other.features.tobytes() == twin.features.tobytes()
    assert many.steps.max() == 1, "the copies play for themselves"


@pytest.mark.parametrize("spec", ["random", "drop", "stream"])
def test_bots(copied: Callable[[Any], Any], spec: str) -> None:
    bot = make_bot(wm.game("flume", size=3), spec, seed=5)
    other = copied(bot)
    state = bot.game.start()
    assert bot.play(state).action == other.play(state).action


def test_openspiel_games_and_states(copied: Callable[[Any], Any]) -> None:
    game = pyspiel.load_game("watermeet_kuhn_poker_v1")
    state = game.new_initial_state()
    for action in (0, 1, 3):
        state.apply_action(action)
    assert str(copied(game)) == str(game)
    assert type(copied(game)) is type(game)
    again = copied(state)
    assert (str(again), again.history()) == (str(state), state.history())
    for seat in range(2):
        assert again.information_state_string(seat) == state.information_state_string(seat)
    again.apply_action(again.legal_actions()[0])
    assert again.history() != state.history()


def test_a_long_openspiel_match_is_pickled() -> None:
    """Deeper than pickle can follow references."""
    position = wm.game("flume", size=3).start()
    past = None
    for _ in range(5000):
        past = openspiel.Past(past, 0, 0, position)
    again = pickle.loads(pickle.dumps(past))
    assert len(openspiel.marks_of(again, 0)) == 5000


@pytest.mark.slow
def test_another_process_reads_an_openspiel_game() -> None:
    game = openspiel.from_state(wm.game("flume", size=3).start().play("a1"))
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).new_initial_state())"
    found = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(game), capture_output=True, check=True
    )
    assert found.stdout.decode().strip() == "3/3/r2 b 0"
