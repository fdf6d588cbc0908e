"""Bots from texts."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.bots.making import bot_names, check_bot, levels_of, make_bot
from watermeet.bots.searcher import Searcher
from watermeet.core import levels
from watermeet.search.limits import Limits

pytestmark = pytest.mark.costly

FLUME = wm.game("flume", size=3)


@pytest.mark.parametrize("name", wm.games())
def test_every_game_has_bots_of_five_levels(name: str) -> None:
    """The conformance kit holds the levels themselves; it knows no bots."""
    game = wm.game(name)
    assert [level.name for level in levels_of(game)] == list(levels.NAMES)
    for level in levels_of(game):
        with make_bot(game, level.name) as bot:
            assert isinstance(bot, Searcher)
            assert bot.level == level


@pytest.mark.parametrize("name", wm.games())
def test_every_bot_of_a_game_has_a_name_of_its_own(name: str) -> None:
    names = list(bot_names(wm.game(name)))
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("text", ["random", "uct:nodes=20", "uct:nodes=9:exploration=0.5"])
def test_a_bot_answers_with_something_legal(text: str) -> None:
    state = FLUME.start()
    with make_bot(FLUME, text) as bot:
        assert bot.answer(state).action in state.legal_actions


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("seaa", "sea"),
        ("uct:nods=3", "nodes"),
        ("uct:nodes", "sea:seconds=0.5"),
        ("random:nodes=3", "random"),
        ("", "random"),
    ],
)
def test_what_is_no_bot_is_refused_with_a_hint(text: str, hint: str) -> None:
    with pytest.raises(wm.WatermeetError) as error:
        check_bot(FLUME, text)
    assert error.value.code == "unknown_bot"
    assert hint in str(error.value)


def test_limits_behind_a_colon_take_the_place_of_the_level_s() -> None:
    bot = make_bot(FLUME, "sea:nodes=7")
    assert isinstance(bot, Searcher)
    assert (bot.level.nodes, bot.level.seconds) == (7, None)


def test_a_bot_may_think_with_several_threads() -> None:
    bot, usual = make_bot(FLUME, "sea:seconds=0.1:threads=2"), make_bot(FLUME, "sea")
    assert isinstance(bot, Searcher)
    assert isinstance(usual, Searcher)
    assert (bot.level.seconds, bot.level.nodes, bot.level.threads) == (0.1, None, 2)
    assert usual.level.threads == 1


def test_with_several_threads_a_bot_answers_with_something_legal() -> None:
    state = FLUME.start()
    with make_bot(FLUME, "uct:nodes=40:threads=2") as bot:
        assert bot.answer(state).action in state.legal_actions


@pytest.mark.parametrize("count", ["0", "-1", "0.5"])
def test_a_bot_without_a_thread_is_refused(count: str) -> None:
    with pytest.raises(wm.UnknownBot, match="no thread to think with"):
        make_bot(FLUME, f"sea:seconds=0.1:threads={count}")


def test_the_same_seed_gives_the_same_answers() -> None:
    state = wm.game("flume", size=5).start()
    answers = []
    for _ in range(2):
        bot = make_bot(state.game, "uct:nodes=40:softness=0.5", seed=4)
        answers.append([bot.answer(state).action for _ in range(5)])
    assert answers[0] == answers[1]
    assert len(set(answers[0])) > 1


def test_names_of_bots_begin_with_the_random_one() -> None:
    assert bot_names(FLUME)[:2] == ["random", "drop"]


def test_limits_given_with_a_question_count() -> None:
    answer = make_bot(FLUME, "uct:nodes=500").answer(FLUME.start(), Limits(nodes=3))
    assert answer.thought is not None
    assert answer.thought.nodes == 3


@pytest.mark.parametrize(
    ("text", "limits", "seconds"),
    [
        ("random", None, 60.0),
        ("uct:seconds=2", None, 80.0),
        ("uct:nodes=1000", None, 110.0),
        ("uct:nodes=1000", Limits(seconds=0.5, nodes=3), 65.0),
        ("random", Limits(nodes=20), 61.0),
    ],
)
def test_who_may_think_long_is_waited_for_longer(
    text: str, limits: Limits | None, seconds: float
) -> None:
    bot = make_bot(FLUME, text)
    assert bot.patience_for(limits) == pytest.approx(seconds)
    bot.patience = 5.0
    assert bot.patience_for(limits) == 5.0


def test_nothing_is_thought_about_where_nothing_can_be_chosen() -> None:
    state = wm.game("flume", size=3, pie=False).start()
    while len(state.legal_actions) > 1:
        state = state.play(state.legal_actions[0])
    answer = make_bot(state.game, "uct:nodes=500").answer(state)
    assert answer.thought is not None
    assert answer.thought.nodes == 0
    assert answer.action == state.legal_actions[0]


def test_random_bots_do_not_say_that_time_is_up() -> None:
    game = wm.game("flow", clock="minute")
    state = game.parse("turn=0")
    bot = make_bot(game, "random")
    assert {state.format(bot.answer(state).action) for _ in range(30)} == {"draw"}
