"""Bots from specs, and their levels."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.bots.levels import (
    NAMES,
    NETWORK,
    OCEAN,
    Level,
    hint_level,
    levels_of,
    playable_levels,
)
from watermeet.bots.search_bot import SearchBot
from watermeet.bots.specs import bot_names, check_bot, make_bot
from watermeet.core.errors import NotInstalled
from watermeet.search.limits import Limits

pytestmark = pytest.mark.slow

FLUME = wm.game("flume", size=3)


@pytest.mark.parametrize("name", wm.games())
def test_every_game_has_five_levels_or_six(name: str) -> None:
    game = wm.game(name)
    assert [level.name for level in levels_of(game) if level.name != OCEAN] == list(NAMES)
    assert hint_level(game).name == NAMES[-1]
    for level in playable_levels(game):
        with make_bot(game, level.name) as bot:
            assert isinstance(bot, SearchBot)
            assert bot.level == level


@pytest.mark.parametrize("name", wm.games())
def test_bot_names_of_a_game_are_unique(name: str) -> None:
    names = list(bot_names(wm.game(name)))
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("spec", ["random", "uct:nodes=20", "uct:nodes=9:exploration=0.5"])
def test_a_bot_plays_a_legal_action(spec: str) -> None:
    state = FLUME.start()
    with make_bot(FLUME, spec) as bot:
        assert bot.play(state).action in state.legal_actions


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("seaa", "sea"),
        ("uct:nods=3", "nodes"),
        ("uct:nodes", "sea:seconds=0.5"),
        ("uct:", "sea:seconds=0.5"),
        ("uct:nodes=3:nodes=4", "sea:seconds=0.5"),
        ("uct:nodes=many", "nodes can't be 'many'; it is a whole number, 0 or more"),
        ("uct:nodes=1.5", "a whole number"),
        ("uct:nodes=-1", "0 or more"),
        ("uct:nodes=0", "more than 0"),
        ("uct:seconds=inf", "a number, 0 or more"),
        ("uct:seconds=nan", "a number, 0 or more"),
        ("uct:temperature=-1", "0 or more"),
        ("uct:threads=0", "more than 0"),
        ("uct:threads=0.5", "a whole number"),
        ("uct:use_priors=2", "true or false"),
        ("uct:evaluation_weight=1.5", "from 0 to 1"),
        ("uct:method=guess", "monte-carlo"),
        ("sea:max_depth=3", "isn't a setting of the method 'monte-carlo'"),
        ("random:nodes=3", "random"),
        ("", "random"),
    ],
)
def test_an_invalid_spec_is_refused_with_a_hint(spec: str, hint: str) -> None:
    with pytest.raises(wm.WatermeetError) as error:
        check_bot(FLUME, spec)
    assert error.value.code == "unknown_bot"
    assert hint in str(error.value)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Level, "is_installed", property(lambda level: level.method != NETWORK))
    for spec in ("net:network=n.onnx", *(name for name in bot_names(FLUME) if name == OCEAN)):
        with pytest.raises(NotInstalled, match="onnxruntime") as found:
            check_bot(FLUME, spec)
        assert "extra nets" in found.value.hint
    assert [level.name for level in playable_levels(FLUME)] == list(NAMES)


@pytest.mark.parametrize("spec", [None, 5, b"sea", ["sea"]])
def test_a_spec_is_a_string(spec: object) -> None:
    with pytest.raises(wm.UnknownBot, match="as a string"):
        make_bot(FLUME, spec)  # type: ignore[arg-type]


def test_a_level_for_other_options_says_which() -> None:
    with pytest.raises(wm.UnknownBot, match="with these options") as refused:
        make_bot(wm.game("flume", size=5), "ocean")
    assert refused.value.hint == "it is for size=7, 9, 11"


def test_limits_of_a_spec_override_the_level() -> None:
    bot = make_bot(FLUME, "sea:nodes=7")
    assert isinstance(bot, SearchBot)
    assert (bot.level.nodes, bot.level.seconds) == (7, None)


def test_settings_of_a_spec_are_parsed_by_type() -> None:
    bot = make_bot(FLUME, "sea:seconds=0.1:threads=2:use_priors=no:expand_after=2:exploration=2")
    assert isinstance(bot, SearchBot)
    assert (bot.level.seconds, bot.level.nodes, bot.level.threads) == (0.1, None, 2)
    assert isinstance(bot.level.threads, int)
    chosen = bot._search.settings  # type: ignore[union-attr]
    assert (chosen.use_priors, chosen.expand_after, chosen.exploration) == (False, 2, 2.0)


def test_a_level_checks_its_fields() -> None:
    assert Level("x", method="priors").nodes is None
    with pytest.raises(wm.InvalidOptions, match="needs a limit"):
        Level("x")
    with pytest.raises(wm.InvalidOptions, match="temperature"):
        Level("x", nodes=1, temperature="hot")  # type: ignore[arg-type]


def test_a_multithreaded_bot_plays_a_legal_action() -> None:
    state = FLUME.start()
    with make_bot(FLUME, "uct:nodes=40:threads=2") as bot:
        assert bot.play(state).action in state.legal_actions


def test_the_same_seed_gives_the_same_actions() -> None:
    state = wm.game("flume", size=5).start()
    actions = []
    for _ in range(2):
        bot = make_bot(state.game, "uct:nodes=40:temperature=0.5", seed=4)
        actions.append([bot.play(state).action for _ in range(5)])
    assert actions[0] == actions[1]
    assert len(set(actions[0])) > 1


def test_the_random_bot_is_listed_first() -> None:
    assert bot_names(FLUME)[:3] == ["random", "beginner", "drop"]


def test_limits_of_a_call_override_the_bot() -> None:
    result = make_bot(FLUME, "uct:nodes=500").play(FLUME.start(), Limits(nodes=3))
    assert result.search is not None
    assert result.search.nodes == 3


@pytest.mark.parametrize(
    ("spec", "limits", "seconds"),
    [
        ("random", None, 60.0),
        ("uct:seconds=2", None, 80.0),
        ("uct:nodes=1000", None, 110.0),
        ("uct:nodes=1000", Limits(seconds=0.5, nodes=3), 65.0),
        ("random", Limits(nodes=20), 61.0),
    ],
)
def test_the_timeout_follows_from_the_limits(
    spec: str, limits: Limits | None, seconds: float
) -> None:
    bot = make_bot(FLUME, spec)
    assert bot.timeout_for(limits) == pytest.approx(seconds)
    bot.timeout = 5.0
    assert bot.timeout_for(limits) == 5.0


def test_a_single_legal_action_needs_no_search() -> None:
    state = wm.game("flume", size=3, pie=False).start()
    while len(state.legal_actions) > 1:
        state = state.play(state.legal_actions[0])
    result = make_bot(state.game, "uct:nodes=500").play(state)
    assert result.search is not None
    assert result.search.nodes == 0
    assert result.action == state.legal_actions[0]


def test_random_bots_never_call_time() -> None:
    game = wm.game("flow", clock="minute")
    state = game.parse("turn=0")
    bot = make_bot(game, "random")
    assert {state.format(bot.play(state).action) for _ in range(30)} == {"draw"}
