"""Courses of lessons: ``lessons/`` in a game's folder, read from its files.

``steps.toml`` has the lessons and their steps: positions, what counts as done, replies, likely
mistakes. ``en.toml``, ``fr.toml``, ``de.toml`` and ``pl.toml`` have the texts.
docs/reference/game-folder.md describes the keys, and ``checks.py`` finds what is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from watermeet.core.contract import CHANCE
from watermeet.core.errors import IllegalMove, WatermeetError
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.state import State

FOLDER = "lessons"
STEPS = "steps.toml"
LANGUAGES = ("en", "fr", "de", "pl")
ANY, BY_CODE = "*", ":"
"""In place of a move: any legal one; and, before a code, those that are explained by it."""
_TURN_KEYS = {
    "accept", "refused", "free", "points", "denies", "solution", "reply", "mistakes"
}  # fmt: skip
_STEP_KEYS = {
    "name", "options", "state", "play", "seat", "turns", "marked", "wins", "best", "over"
}  # fmt: skip


@dataclass(frozen=True)
class Turn:
    """What the learner has to do next, and what follows.

    ``accept`` are moves, codes of explanations or any move. ``refused`` is the code of a refusal
    that must be met instead. In a ``free`` turn every action is allowed until the turn ends.
    ``denies`` is the code of a move that the next player must not have. ``reaches`` are turns: one
    of the states that they lead to must be reached, in whatever order. ``wins`` says that the turn
    must win the match. Of the ``replies`` the first one that is legal is played.
    """

    solution: tuple[str, ...]
    accept: tuple[str, ...]
    refused: str = ""
    free: bool = False
    points: int | None = None
    denies: str = ""
    reaches: tuple[tuple[str, ...], ...] = ()
    wins: bool = False
    replies: tuple[tuple[str, ...], ...] = ()
    mistakes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """An action: who played it (CHANCE for an outcome), and the states before and after."""

    seat: int
    action: int
    before: State
    after: State


@dataclass(frozen=True)
class Step:
    """A position and a task.

    ``state`` is the position after the moves of ``played``, and ``seat`` the learner's. ``marked``
    shows the solution from the beginning. The rest are claims: accepted moves ``wins`` and no
    others, the points are the ``best`` that a turn can score, the match is ``over`` at the end.
    """

    name: str
    state: State
    played: tuple[Played, ...]
    seat: int
    turns: tuple[Turn, ...]
    marked: bool = False
    wins: bool = False
    best: bool = False
    over: bool = False


@dataclass(frozen=True)
class Lesson:
    """A few steps about one thing, in less than five minutes."""

    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Course:
    """All lessons of a game."""

    lessons: tuple[Lesson, ...]

    @property
    def steps(self) -> dict[str, Step]:
        """All steps by name, in order."""
        return {step.name: step for lesson in self.lessons for step in lesson.steps}


# ---- files --------------------------------------------------------------------------------------


def read_toml(game: Game, name: str, folder: str = FOLDER) -> dict[str, Any]:
    """A file of the game's course; empty without one; raises ValueError if it can't be read."""
    file = resources.files(game.package) / folder / name
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@lru_cache(maxsize=64)
def _table(package_of: str, name: str, folder: str = FOLDER) -> dict[str, Any]:
    return read_toml(find_game(package_of), name, folder)


def step_count(game: Game) -> int:
    """How many steps the course of a game has; 0 without a course."""
    lessons = _table(game.name, STEPS).get("lessons", ())
    return sum(len(lesson["steps"]) for lesson in lessons)


def texts_of(game: Game, language: str, folder: str = FOLDER) -> tuple[str, dict[str, Any]]:
    """The texts of the course in a language, or in English, and which language that is."""
    is_known = language in LANGUAGES and _table(game.name, f"{language}.toml", folder)
    used = language if is_known else "en"
    return used, _table(game.name, f"{used}.toml", folder)


@lru_cache(maxsize=64)
def _course(name: str) -> Course:
    return read_course(find_game(name))


def course_of(game: Game) -> Course:
    """The course of a game, read once; empty without one."""
    return _course(game.name)


def read_course(game: Game) -> Course:
    """The course in a game's folder; raises ValueError, which says what is wrong with it."""
    lessons = []
    for lesson in read_toml(game, STEPS).get("lessons", ()):
        require_keys(lesson, {"name", "steps"}, "a lesson")
        steps = []
        for facts in lesson["steps"]:
            try:
                steps.append(_read_step(game, facts))
            except (WatermeetError, ValueError, KeyError) as error:
                raise ValueError(f"{facts.get('name', '?')}: {error}") from error
        lessons.append(Lesson(lesson["name"], tuple(steps)))
    return Course(tuple(lessons))


def require_keys(facts: Mapping[str, Any], known: set[str], what: str) -> None:
    """Raise ValueError for keys that have no meaning."""
    if set(facts) - known:
        raise ValueError(f"{what} has unknown keys: {', '.join(sorted(set(facts) - known))}")


def _read_step(game: Game, facts: Mapping[str, Any]) -> Step:
    require_keys(facts, _STEP_KEYS | _TURN_KEYS, "a step")
    game = game.with_options(**facts.get("options", {}))
    state = game.parse(facts["state"]) if "state" in facts else game.start()
    played: list[Played] = []
    for word in facts.get("play", "").split():
        played.append(play(state, word))
        state = played[-1].after
    seat = int(facts.get("seat", state.to_move))
    if state.to_move != seat:
        raise ValueError(f"seat {seat} isn't to move, but {state.to_move}")
    if "turns" in facts:
        turns = tuple(_read_turn(each) for each in facts["turns"])
    else:
        turns = (_read_turn({key: facts[key] for key in _TURN_KEYS & set(facts)}),)
    claims = {key: bool(facts.get(key)) for key in ("marked", "wins", "best", "over")}
    return Step(facts["name"], state, tuple(played), seat, turns, **claims)


def _read_turn(facts: Mapping[str, Any]) -> Turn:
    require_keys(facts, _TURN_KEYS, "a turn")
    accept = tuple(facts.get("accept", "").split())
    solution = tuple(facts.get("solution", "").split())
    if not solution:
        solution = accept[:1]
    if not solution or solution[0].startswith((ANY, BY_CODE)):
        raise ValueError("say which move is the solution")
    mistakes = {key: tuple(moves.split()) for key, moves in facts.get("mistakes", {}).items()}
    return Turn(
        solution,
        accept,
        facts.get("refused", ""),
        bool(facts.get("free")),
        facts.get("points"),
        facts.get("denies", ""),
        replies=tuple(tuple(line.split()) for line in facts.get("reply", "").split("|")),
        mistakes=mistakes,
    )


def play(state: State, word: str | int) -> Played:
    """An action, given by its number or text; that of an outcome of chance begins with ``~``."""
    if isinstance(word, str):
        if word.startswith("~") != (state.to_move == CHANCE):
            raise ValueError(f"{word}: chance outcomes, and no others, begin with ~")
        word = state.parse_move(word.removeprefix("~"))
    return Played(state.to_move, word, state, state.play(word))


def play_line(state: State, lines: tuple[tuple[str, ...], ...]) -> list[Played]:
    """The actions of the first line that is legal here; raises the last one's IllegalMove."""
    for place, line in enumerate(lines):
        found: list[Played] = []
        try:
            for word in line:
                found.append(play(found[-1].after if found else state, word))
        except IllegalMove:
            if place + 1 == len(lines):
                raise
        else:
            return found
    return []


def names(pattern: str, state: State, action: int, explanation: Explanation) -> bool:
    """Whether a word of ``accept`` or ``mistakes`` means this action."""
    if pattern == ANY:
        return True
    if pattern.startswith(BY_CODE):
        return explanation.code == pattern.removeprefix(BY_CODE)
    return state.parse_move(pattern) == action
