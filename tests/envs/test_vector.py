"""``make_vec`` means what ``make`` means: held against Gymnasium's own vector environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import watermeet as wm
from watermeet.bots.batched import Turns
from watermeet.envs import gymnasium as gymnasium_envs
from watermeet.envs import vector

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")

MODES = list(AutoresetMode)
ROWS = 5


def last_legal(turns: Turns) -> Any:
    """A batched bot."""
    codes = turns.masks.shape[1]
    return codes - 1 - np.argmax(turns.masks[:, ::-1], axis=1)


def _require_same(one: Any, other: Any, where: str = "") -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for key in one:
            _require_same(one[key], other[key], f"{where}/{key}")
    elif isinstance(one, tuple):
        for index, pair in enumerate(zip(one, other, strict=True)):
            _require_same(*pair, f"{where}/{index}")
    elif getattr(one, "dtype", None) == np.dtype(object):
        for index, pair in enumerate(zip(one, other, strict=True)):
            _require_same(*pair, f"{where}[{index}]")
    else:
        assert np.array_equal(one, other), where


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, id="defaults"),
        pytest.param({"opponents": last_legal, "seat": "random"}, id="random seats"),
        pytest.param({"opponents": ["random", last_legal], "seat": 1}, id="one for each seat"),
        pytest.param({"opponents": "self", "max_episode_steps": 2}, id="self-play, truncated"),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_rows_are_single_environments(mode: AutoresetMode, settings: dict[str, Any]) -> None:
    """Every reset and step agrees with SyncVectorEnv over ``make``, infos included."""
    name = gymnasium_envs.env_id(wm.game("kuhn_poker"))
    single = gymnasium.make_vec(
        name, ROWS, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **settings
    )
    many: Any = gymnasium.make_vec(name, ROWS, autoreset_mode=mode, **settings)
    assert many.metadata["autoreset_mode"] == single.metadata["autoreset_mode"] == mode
    _require_same(many.reset(seed=7), single.reset(seed=7))
    rng, ended = np.random.default_rng(1), 0
    for _ in range(25):
        masks = many.unwrapped.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])
        result = many.step(actions)
        _require_same(result, single.step(actions))
        over = result[2] | result[3]
        ended += int(over.sum())
        if mode == AutoresetMode.DISABLED and over.any():
            found = [each.reset(options={"reset_mask": over}) for each in (many, single)]
            _require_same(found[0][0], found[1][0])
    assert ended > ROWS
    many.close()
    single.close()


@pytest.mark.parametrize("mode", MODES)
def test_the_learner_is_rewarded_for_its_own_seat(mode: AutoresetMode) -> None:
    """Not for the seat that happens to move last."""
    many = vector.make("flume", num_envs=30, size=3, seat=1, autoreset_mode=mode)
    _, infos = many.reset(seed=1)
    assert (infos["seat"] == 1).all()
    for _ in range(9):
        _, rewards, over, cut, infos = many.step(many.many.sample_actions())
        assert not cut.any()
        final = infos.get("final_info", infos)
        if over.any():
            assert (rewards[over] == final["returns"][over, 1]).all()
            if mode == AutoresetMode.DISABLED:
                many.reset(options={"reset_mask": over})
        assert (rewards[~over] == 0).all()


def test_matches_start_from_states_everywhere() -> None:
    text, end = "3/3/rb1 r 0", "rbr/brb/rbr b 0"
    learner = gymnasium_envs.make("flume", size=3)
    many = vector.make("flume", num_envs=3, size=3)
    learner.reset(options={"state": text})
    assert learner.position.text == text
    many.reset(options={"state": text})
    assert [many.many.state(row).text for row in range(3)] == [text] * 3
    mask = np.array([True, False, True])
    many.reset(options={"state": ["3/rb1/3 r 0", "3/3/1rb r 0"], "reset_mask": mask})
    found = [many.many.state(row).text for row in range(3)]
    assert found == ["3/rb1/3 r 0", text, "3/3/1rb r 0"]
    for each in (learner, many):
        for wrong in (end, "nonsense", 3, wm.game("flume", size=5).start()):
            with pytest.raises(wm.WatermeetError):
                each.reset(options={"state": wrong})
    with pytest.raises(wm.WatermeetError):
        many.reset(options={"state": [text, text]})
    with pytest.raises(wm.WatermeetError):
        many.reset(options={"reset_mask": [True, False, True]})


def test_without_a_seed_the_generator_continues() -> None:
    def cards(each: Any, **arguments: Any) -> bytes:
        observation, _ = each.reset(**arguments)
        return bytes(observation["observation"].tobytes())

    for make in (gymnasium_envs.make, lambda name: vector.make(name, num_envs=20)):
        one, other = make("kuhn_poker"), make("kuhn_poker")
        first, second = (
            [cards(each, seed=1)] + [cards(each) for _ in range(12)] for each in (one, other)
        )
        assert first == second
        assert len(set(first)) > 1
        fresh = {
            tuple(cards(each) for _ in range(12)) for each in (make("kuhn_poker") for _ in range(4))
        }
        assert len(fresh) == 4, "a program that gives no seed is random"


@pytest.mark.slow
def test_the_same_seed_leads_to_the_same_match_against_a_level() -> None:
    many = vector.make("flume", num_envs=4, size=3, opponents="drop")
    played = []
    for _ in range(3):
        many.reset(seed=5)
        for _ in range(3):
            many.step(np.argmax(many.action_masks(), axis=1))
        played.append([many.many.state(row).text for row in range(4)])
    assert played[0] == played[1] == played[2]


def test_opponents_can_be_replaced() -> None:
    many = vector.make("flume", num_envs=2, size=3, pie=False, opponents="random")
    many.set_opponents(last_legal)
    many.reset(seed=1, options={"state": "3/3/3 r 0"})
    many.step(np.array([0, 0]))
    assert {many.many.state(row).text for row in range(2)} == {"2b/3/r2 r 0"}
    for wrong in (["random"], {0: "random"}, {2: "random"}, 7, "nobody"):
        with pytest.raises(wm.WatermeetError):
            many.set_opponents(wrong)
    many.set_opponents({1: "random"})


def test_a_finished_match_needs_a_reset_if_nothing_resets_it() -> None:
    many = vector.make("flume", num_envs=2, size=3, autoreset_mode=AutoresetMode.DISABLED)
    many.reset(options={"state": "rbr/brb/rb1 r 0"})
    assert many.step(np.array([2, 2]))[2].all()
    with pytest.raises(wm.InvalidArgument, match="have ended"):
        many.step(np.array([2, 2]))


def test_centralised_critics_see_what_all_seats_see() -> None:
    learner = gymnasium_envs.make("kuhn_poker")
    learner.reset(seed=1)
    parts = [learner.game.features.of(learner.position, seat) for seat in range(2)]
    assert learner.state().tolist() == np.concatenate(parts).tolist()
    assert learner.state_space.contains(learner.state())
    many = vector.make("kuhn_poker", num_envs=3)
    many.reset(seed=1)
    assert many.state()[0].tolist() == learner.state().tolist()
