"""A game's declared facts: the clock, versions and titles."""

from __future__ import annotations

import dataclasses
import pickle
import random
from dataclasses import replace

import pytest

import watermeet as wm
from watermeet.core.game import Clock
from watermeet.core.kernel import plain_python
from watermeet.testing import option_sets, random_match

PLAIN = wm.game("kuhn_poker")
VARIANTS = [
    wm.game(name).with_options(**options)
    for name in wm.games()
    for options in option_sets(wm.game(name))
]
CLOCKED = [game for game in VARIANTS if game.clock]


def test_a_game_has_no_clock_unless_it_declares_one() -> None:
    assert PLAIN.clock is None
    assert PLAIN.facts()["clock"] is None


def test_the_facts_include_the_clock() -> None:
    game = replace(PLAIN, clock_of=lambda options: Clock(seconds=5, move="3"))
    assert game.clock == Clock(5, "3")
    assert game.facts()["clock"] == 5


@pytest.mark.parametrize(("clock", "seconds"), [("minute", 60), ("turns", None), ("free", None)])
def test_the_options_choose_the_clock(clock: str, seconds: int | None) -> None:
    assert wm.game("flow", clock=clock).facts()["clock"] == seconds
    assert wm.game("flow").facts()["clock"] is None


def test_the_facts_include_presets_and_what_people_start_with() -> None:
    facts = wm.game("flow").facts()
    assert {"name": "hard", "options": {"scenarios": 4}} in facts["presets"]
    assert facts["people_options"] == {"clock": "minute"}
    assert facts["timer_options"] == {"clock": ["minute"]}
    assert PLAIN.facts()["presets"] == []
    assert PLAIN.facts()["timer_options"] == {}


def test_the_full_title_has_what_people_say() -> None:
    assert wm.game("flume", size=9, pie=False).full_title == "Flume 9x9, pie=no"
    assert wm.game("flecks").size_label == "size 7"
    assert wm.game("flow", seats=3, scenarios=2).full_title == "Flow, scenarios=2"
    assert PLAIN.full_title == PLAIN.title


def test_a_game_plays_every_version_of_its_rules_that_it_lists() -> None:
    newest = wm.game("flow")
    assert newest.version == newest.versions[-1] == 3
    first = newest.at_version(1)
    assert first.describe() == "flow@1"
    assert first != newest
    assert first.at_version(3) == newest
    assert first.with_options(turns=6).version == 1
    assert pickle.loads(pickle.dumps(first)) == first
    assert first.start().view(0)["version"] == 1
    with pytest.raises(wm.VersionMismatch, match="version 1, 2, 3 is installed"):
        newest.at_version(4)


def test_a_version_must_be_listed_and_reach_the_kernels() -> None:
    assert PLAIN.versions == (1,)
    with pytest.raises(wm.InvalidGame, match="has version 3 but lists 1, 2"):
        replace(PLAIN, version=3, versions=(1, 2))
    with pytest.raises(wm.InvalidGame, match="Options doesn't match") as refused:
        _ = replace(PLAIN, version=2, versions=(1, 2)).kernels
    assert "with the fields version" in refused.value.hint


def test_a_clock_is_a_value() -> None:
    clock = Clock(60, "time")
    assert pickle.loads(pickle.dumps(clock)) == clock
    with pytest.raises(dataclasses.FrozenInstanceError):
        clock.seconds = 5  # type: ignore[misc]


def test_a_pickled_game_has_its_clock() -> None:
    game = wm.game("flow", clock="minute")
    assert pickle.loads(pickle.dumps(game)).clock == game.clock == Clock(60, "time")


@pytest.mark.parametrize("game", CLOCKED, ids=lambda game: game.describe())
def test_the_timeout_move_can_be_played(game: wm.Game) -> None:
    """In some state of a match."""
    assert game.clock is not None
    assert game.clock.seconds > 0
    with plain_python():
        match = random_match(game, random.Random(1), max_length=40)
        assert any(game.clock.move in state.legal_moves for state in match.states)
