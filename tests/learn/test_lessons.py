"""Lessons: every step can be solved, what they say is true, and mistakes in them are found."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.core.registry import register
from watermeet.learn.attempts import Status, attempt
from watermeet.learn.checks import best_gain, course_problems
from watermeet.learn.course import course_of, read_course, step_count
from watermeet.testing.completeness import optional
from watermeet.testing.folders import built_in_games, folder_of
from watermeet.testing.scaffold import new_game

STEPS = """
[[lessons]]
name = "stones"

[[lessons.steps]]
name = "place"
accept = "*"
solution = "a1"

[[lessons.steps]]
name = "taken"
play = "b2 c2"
refused = "occupied"
solution = "b2"
mistakes = { free = "*" }

[[lessons.steps]]
name = "two"
turns = [
  { accept = "a1 b2", reply = "c1 | c2", mistakes = { edge = "d1" } },
  { accept = "d4" },
]
"""
TEXTS = """
[lessons]
stones = "Stones"
[place]
title = "Place"
task = "Place a stone on any free cell, please."
hint = "Try `a1`."
praise = "Well done."
[taken]
title = "Taken"
task = "Try a cell that is taken."
hint = "Try `b2`."
praise = "It's taken."
mistakes.free = "That one was free."
[two]
title = "Two turns"
task = "Play `a1`."
task2 = "Play `d4`."
hint = "`a1`."
praise = "Done."
mistakes.edge = "Not there."
"""


TAUGHT = built_in_games()


@pytest.mark.parametrize("name", TAUGHT)
def test_lessons_can_be_solved_and_are_true(name: str) -> None:
    assert [f"{path}: {what}" for path, what in course_problems(wm.game(name))] == []


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a new game."""
    new_game("lesson_game", inside=tmp_path_factory.mktemp("games"))
    yield folder_of(wm.game("lesson_game"))
    register("lesson_game", None)
    for module in [each for each in sys.modules if each.startswith("watermeet_lesson_game")]:
        del sys.modules[module]


@pytest.fixture
def folder(home: Path) -> Iterator[Path]:
    """The same, without lessons."""
    yield home
    shutil.rmtree(home / "lessons", ignore_errors=True)


def write(folder: Path, steps: str = STEPS, texts: str = TEXTS) -> None:
    (folder / "lessons").mkdir()
    (folder / "lessons/steps.toml").write_text(steps, encoding="utf-8")
    for language in ("en", "fr", "de", "pl"):
        text = texts.replace("Place a stone on any free cell, please.", f"{language}: any cell")
        (folder / f"lessons/{language}.toml").write_text(text, encoding="utf-8")


def test_a_game_needs_no_lessons(folder: Path) -> None:
    game = wm.game("lesson_game")
    assert step_count(game) == 0
    assert course_of(game).steps == {}
    assert any(each.path == "lessons/" for each in optional(game))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('solution = "a1"', 'solution = "z9"', "place: the solution isn't accepted"),
        ('accept = "*"', 'accept = "b2"', "place: the solution isn't accepted"),
        ('refused = "occupied"', 'refused = "asleep"', "taken: b2 isn't refused as asleep"),
        ('play = "b2 c2"', 'play = "b2 b2"', "taken: "),
        ('{ edge = "d1" }', '{ edge = "b2" }', "two: b2 isn't the mistake edge"),
        ('reply = "c1 | c2"', 'reply = "a1 | a1"', "two: "),
        ('accept = "d4"', 'accept = "c1"', "two: c1 is illegal"),
        ('accept = "d4"', 'accept = "d4", colour = "red"', "two: a turn has unknown keys: colour"),
        ('name = "two"', 'name = "two"\nwins = true', "two: "),
        ('name = "two"', 'name = "two"\nover = true', "two: over = true isn't so"),
        ('name = "two"', 'name = "taken"', "the name 'taken' isn't a word of its own"),
    ],
)
def test_mistakes_in_steps_are_found(folder: Path, old: str, new: str, expected: str) -> None:
    assert old in STEPS
    write(folder, steps=STEPS.replace(old, new, 1))
    found = [what for _, what in course_problems(wm.game("lesson_game"))]
    assert any(each.startswith(expected) for each in found), found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('task2 = "Play `d4`."\n', "", "the text 'two.task2' is missing"),
        ("task2 =", "task3 =", "the text 'two.task3' isn't used"),
        ("Try `b2`.", "Try `z9`.", "taken.hint names 'z9', which isn't there"),
        ("It's taken.", "It's taken, as far as I can see.", "translate 'taken.praise'"),
        ("Play `d4`.", "Play. " * 60, "two.task2 is too long"),
    ],
)
def test_mistakes_in_texts_are_found(folder: Path, old: str, new: str, expected: str) -> None:
    assert old in TEXTS
    write(folder, texts=TEXTS.replace(old, new, 1))
    found = [what for _, what in course_problems(wm.game("lesson_game"))]
    assert any(each.startswith(expected) for each in found), found


def test_an_attempt_continues_as_the_step_says(folder: Path) -> None:
    """Replies are played, a wrong turn is taken back, and a refusal may be what is wanted."""
    write(folder)
    game = wm.game("lesson_game")
    steps = read_course(game).steps
    two = attempt(steps["two"], ["a1"])
    assert (two.status, two.turn, two.kept) == (Status.OPEN, 1, 1)
    assert [each.seat for each in two.played] == [0, 1]
    wrong = attempt(steps["two"], ["d1"])
    assert (wrong.status, wrong.mistake, wrong.kept) == (Status.WRONG, "edge", 0)
    assert attempt(steps["two"], ["a1", "a1"]).status == Status.REFUSED
    assert attempt(steps["two"], ["b2", "d4"]).status == Status.SOLVED
    assert attempt(steps["taken"], ["c2"]).status == Status.SOLVED
    assert attempt(steps["taken"], ["a1"]).mistake == "free"
    assert attempt(steps["taken"], ["nonsense"]).status == Status.REFUSED


def test_the_best_turn_is_the_one_with_the_most_points() -> None:
    state = wm.game("qwirkle").parse(
        "turn=0 scores=9/5 hands=RvYbBcYdPsPv/OdOcOsYxYvPb last=2 "
        "grid=Rs0,0;Rb1,0;Rc2,0;Rd3,0;Rx4,0"
    )
    assert best_gain(state, 0) == 14  # Six with the Qwirkle's bonus, and a pair below it.
