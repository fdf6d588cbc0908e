"""PettingZoo's own tests, for every game, and what we promise beyond them."""

from __future__ import annotations

import importlib
import itertools
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.env_registry import registration
from tests.envs.games import CASES, NAMES, worlds

import watermeet as wm
from watermeet.core.options import Value
from watermeet.envs import pettingzoo
from watermeet.envs.extra import from_extra

with warnings.catch_warnings():  # Importing it warns about the old names of its own games.
    warnings.simplefilter("ignore")
    from pettingzoo.test import (
        api_test,
        parallel_api_test,
        performance_benchmark,
        render_test,
        seed_test,
    )

# PettingZoo warns about dictionary observations, though its own board games have them too.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")


def _maker(name: str, options: dict[str, Value]) -> Callable[..., pettingzoo.GameAECEnv]:
    return lambda render_mode=None: pettingzoo.env(name, render_mode=render_mode, **options)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_pettingzoo_api_test_passes(name: str, options: dict[str, Value]) -> None:
    make = _maker(name, options)
    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=60)


@pytest.mark.parametrize("name", NAMES)
def test_every_render_mode_works(name: str) -> None:
    svg = {"svg": lambda picture: picture.startswith("<svg")}
    render_test(_maker(name, {}), custom_tests=svg)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_pettingzoo_benchmark_runs(
    name: str,
    options: dict[str, Value],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It runs for five seconds; this clock advances by a tenth at each reading."""
    tenths = itertools.count()
    monkeypatch.setattr(time, "time", lambda: next(tenths) / 10)
    performance_benchmark(_maker(name, options)())
    assert "turns per second" in capsys.readouterr().out


# ---- the parallel API --------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), CASES)
def test_pettingzoo_parallel_api_test_passes(name: str, options: dict[str, Value]) -> None:
    parallel_api_test(pettingzoo.parallel_env(name, render_mode=None, **options), num_cycles=30)


def test_only_the_movers_action_counts_in_the_parallel_api() -> None:
    table = registration.make("parallel", "watermeet/flume-v1", size=3)
    observations, _ = table.reset(options={"state": "rbr/brb/rb1 r 0"})
    assert {agent: int(seen["action_mask"].sum()) for agent, seen in observations.items()} == {
        "player_0": 1,
        "player_1": 0,
    }
    _, rewards, is_over, _, _ = table.step({"player_0": 2, "player_1": 7})
    assert rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(is_over.values())
    assert table.agents == []


# ---- what we promise beyond --------------------------------------------------------------------


def _played(name: str, seed: int = 0) -> pettingzoo.GameAECEnv:
    table = pettingzoo.env(name)
    table.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in table.agent_iter():
        observation, _, is_over, _, info = table.last()
        if is_over:
            break
        assert observation is not None
        assert info["action_mask"].tolist() == observation["action_mask"].tolist()
        legal = np.flatnonzero(observation["action_mask"])
        assert legal.tolist() == list(table.game.features.legal_codes(table.position))
        assert agent == f"player_{table.position.to_move}"
        table.step(int(rng.choice(legal)))
    return table


@pytest.mark.parametrize("name", NAMES)
def test_final_rewards_are_the_returns(name: str) -> None:
    table = _played(name)
    outcome = table.position.outcome
    assert outcome is not None
    assert tuple(table.rewards.values()) == outcome.returns
    assert all(table.terminations.values())
    while table.agents:
        table.step(None)


@pytest.mark.parametrize("name", NAMES)
def test_hidden_information_does_not_leak(name: str) -> None:
    """A seat gets the same in all states that it can't tell apart."""
    one, other = (pettingzoo.env(name, render_mode="svg") for _ in range(2))
    for seat, state, world in worlds(name):
        one.reset(seed=1, options={"state": state})
        other.reset(seed=1, options={"state": world})
        agent = f"player_{seat}"
        seen, seen_there = one.observe(agent), other.observe(agent)
        for key in seen:
            assert seen[key].tobytes() == seen_there[key].tobytes()
        mask, mask_there = (each.infos[agent]["action_mask"] for each in (one, other))
        assert mask.tobytes() == mask_there.tobytes()
        assert one.agent_selection == other.agent_selection
        if agent == one.agent_selection:
            assert one.render() == other.render()


def test_agents_leave_in_order_after_the_last_mover() -> None:
    table = pettingzoo.env("flume", size=3)
    table.reset(options={"state": "rbr/brb/rb1 r 0"})
    table.step(2)
    assert table.agent_selection == "player_1"


def test_render_shows_what_the_mover_sees() -> None:
    table = pettingzoo.env("kuhn_poker", render_mode="ansi")
    table.reset(seed=1)
    state = table.position
    assert table.render() == state.render(state.to_move).plain != state.render(None).plain


def test_only_the_mover_has_a_mask() -> None:
    table = pettingzoo.env("flume", size=3)
    table.reset()
    assert table.observe("player_0")["action_mask"].sum() == 9
    assert table.observe("player_1")["action_mask"].sum() == 0
    assert table.infos["player_1"]["action_mask"].sum() == 0


@pytest.mark.parametrize("wrong", [0, 9, 10, -1, None])
def test_a_masked_action_is_refused_and_changes_nothing(wrong: Any) -> None:
    table = pettingzoo.env("flume", size=3)
    table.reset(options={"state": "3/3/rb1 r 0"})
    table.infos["player_0"]["action_mask"][:] = 1  # A copy: writing to it allows nothing.
    with pytest.raises(wm.WatermeetError):
        table.step(wrong)
    assert table.position.text == "3/3/rb1 r 0"
    table.step(2)
    assert table.position.text == "3/3/rbr r 0"


def test_a_match_can_start_anywhere_but_at_its_end() -> None:
    table = pettingzoo.env("flume", size=3)
    with pytest.raises(wm.InvalidArgument):
        table.reset(options={"state": wm.game("flume", size=5).start()})
    with pytest.raises(wm.HiddenInformation):
        table.reset(options={"state": wm.game("flume", size=3).start().conceal(0)})
    with pytest.raises(wm.NotYourTurn, match="is over"):
        table.reset(options={"state": "rbr/brb/rbr b 0"})


def test_games_are_registered_with_their_versions() -> None:
    for name in wm.games():
        game = wm.game(name)
        assert pettingzoo.env_id(game) == f"watermeet/{name}-v{game.version}"
        made = registration.make("aec", pettingzoo.env_id(game))
        assert isinstance(made, pettingzoo.GameAECEnv)
        assert made.game == game
        assert str(made) == f"{name}_v{game.version}"
    pettingzoo.register()  # Registering twice is harmless.


def test_a_match_starts_from_a_state_and_the_generator_continues() -> None:
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        table: Any = make("flume", size=3)
        table.reset(options={"state": "3/3/rb1 r 0"})
        assert table.unwrapped.position.text == "3/3/rb1 r 0"
    dealt = []
    for _ in range(2):
        poker = pettingzoo.env("kuhn_poker")
        poker.reset(seed=1)
        found = []
        for _ in range(12):
            poker.reset()
            found.append(poker.position.text)
        dealt.append(found)
    assert dealt[0] == dealt[1]
    assert len(set(dealt[0])) > 1


def test_a_centralised_critic_sees_what_all_seats_see() -> None:
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        table: Any = make("kuhn_poker")
        table.reset(seed=1)
        seen = [table.unwrapped.observe(agent)["observation"] for agent in table.possible_agents]
        assert table.state().tolist() == np.concatenate(seen).tolist()
        assert table.unwrapped.state_space.contains(table.state())


def test_a_game_can_be_imported_like_those_of_pettingzoo() -> None:
    from watermeet.envs.pettingzoo import flume_v1

    assert str(flume_v1.env(size=3)) == str(flume_v1.raw_env()) == "flume_v1"
    assert flume_v1.parallel_env(size=3).possible_agents == ["player_0", "player_1"]
    with pytest.raises(ImportError, match="flume_v0"):
        from watermeet.envs.pettingzoo import flume_v0  # noqa: F401


def test_a_missing_package_names_the_extra() -> None:
    said = "need nothing_like_it: install the extra envs"
    with pytest.raises(ModuleNotFoundError, match=said), from_extra():
        importlib.import_module("nothing_like_it")
