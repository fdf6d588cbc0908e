"""Checks of a game's course: every step can be solved, and every claim that can be checked holds.

``python -m watermeet.testing GAME --missing`` reports what they find.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.learn.attempts import Attempt, Status, attempt
from watermeet.learn.course import (
    ANY,
    BY_CODE,
    FOLDER,
    LANGUAGES,
    STEPS,
    Course,
    Lesson,
    Step,
    Turn,
    read_course,
    read_toml,
)
from watermeet.learn.reasons import points_of

FEWEST, MOST = 12, 20
"""How many steps a course has."""
LONGEST_S = 300
WORDS_PER_S, TURN_S = 2.5, 8
"""How fast people read, and how long they think about and make a turn."""
LONGEST_TASK = 330
PROOF_STATES = 60_000
"""How many states a proof may visit."""
_CODE = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NAME = re.compile(r"[a-z][a-z0-9-]*")
NAMES = 4
"""A text of at most this many words may be the same in two languages."""
Problem = tuple[str, str]


def course_problems(game: Game) -> Iterator[Problem]:
    """What is wrong with the course of a game, each with a path in its folder."""
    path = f"{FOLDER}/{STEPS}"
    try:
        course = read_course(game)
        tables = {language: read_toml(game, f"{language}.toml") for language in LANGUAGES}
    except (ValueError, tomllib.TOMLDecodeError) as error:
        yield path, str(error)
        return
    names = [step.name for lesson in course.lessons for step in lesson.steps]
    if not FEWEST <= len(names) <= MOST:
        yield path, f"there are {len(names)} steps instead of {FEWEST} to {MOST}"
    for name in names + [lesson.name for lesson in course.lessons]:
        if not _NAME.fullmatch(name) or names.count(name) > 1:
            yield path, f"the name {name!r} isn't a word of its own in lower case"
    found = [(path, what) for step in course.steps.values() for what in _found(step)]
    yield from found or _text_problems(course, tables)
    for lesson in course.lessons:
        seconds = duration(lesson, tables["en"])
        if seconds > LONGEST_S:
            yield path, f"{lesson.name} takes {seconds:.0f} seconds; {LONGEST_S} are enough"


def duration(lesson: Lesson, texts: Mapping[str, Any]) -> float:
    """How many seconds a lesson takes somebody who makes no mistakes."""
    found = 0.0
    for step in lesson.steps:
        its = texts.get(step.name, {})
        read = [text for key, text in its.items() if isinstance(text, str) and key != "hint"]
        found += len(" ".join(read).split()) / WORDS_PER_S + TURN_S * len(step.turns)
    return found


def _found(step: Step) -> Iterator[str]:
    try:
        for problem in step_problems(step):
            yield f"{step.name}: {problem}"
    except (WatermeetError, ValueError) as error:
        yield f"{step.name}: {error}"


# ---- steps --------------------------------------------------------------------------------------


def step_problems(step: Step) -> Iterator[str]:
    """What is wrong with a step."""
    moves: list[str] = []
    for number, turn in enumerate(step.turns):
        before = attempt(step, moves)
        if before.status != Status.OPEN or before.state.to_move != step.seat:
            yield f"turn {number + 1} can't be reached"
            return
        yield from _turn_problems(step, moves, turn, before.state)
        moves += turn.solution
    last = attempt(step, moves)
    if last.status != Status.SOLVED:
        yield f"the solution isn't accepted: {_why(last)}"
    elif step.over != (last.state.outcome is not None):
        yield f"over = {step.over} isn't so".lower()
    elif step.over and last.state.outcome and last.state.outcome.returns[step.seat] <= 0:
        yield "the learner doesn't win"


def _why(tried: Attempt) -> str:
    return tried.explanation.sentence if tried.explanation else str(tried.status)


def _turn_problems(step: Step, moves: list[str], turn: Turn, state: State) -> Iterator[str]:
    if turn.refused:
        found = attempt(step, [*moves, *turn.solution])
        if found.explanation is None or found.explanation.code != turn.refused:
            yield f"{turn.solution[0]} isn't refused as {turn.refused}: {_why(found)}"
    if not turn.free and not turn.refused and (ANY not in turn.accept or any(turn.replies)):
        yield from _accept_problems(step, moves, turn, state)
    for key, patterns in turn.mistakes.items():
        for pattern in patterns:
            if pattern.startswith((ANY, BY_CODE)):
                continue
            tried = attempt(step, [*moves, pattern])
            if tried.status != Status.WRONG or tried.mistake != key:
                yield f"{pattern} isn't the mistake {key}: {_why(tried)}"
    if step.wins and not turn.free:
        yield from _win_problems(step, turn, state)
    if step.best:
        best = best_gain(state, step.seat)
        if turn.points != best:
            yield f"the best turn scores {best} points, not {turn.points}"


def _accept_problems(step: Step, moves: list[str], turn: Turn, state: State) -> Iterator[str]:
    for pattern in turn.accept:
        if not pattern.startswith((ANY, BY_CODE)) and not state.explain(pattern).legal:
            yield f"{pattern} is illegal: {state.explain(pattern).sentence}"
    is_every = True
    for action in state.legal_actions:
        tried = attempt(step, [*moves, state.format(action)])  # Replies are played, too.
        is_every = is_every and tried.status in (Status.OPEN, Status.SOLVED)
        if not is_every and not any(turn.replies):
            return
    if is_every and len(state.legal_actions) > 1 and ANY not in turn.accept:
        yield "every legal move is accepted: say so by *"


# ---- proofs -------------------------------------------------------------------------------------


class TooLong(ValueError):
    """A proof that would visit too many states."""


def _win_problems(step: Step, turn: Turn, state: State) -> Iterator[str]:
    proof = Proof(step.seat)
    for action in state.legal_actions:
        text = state.format(action)
        explanation = state.explain(action)
        is_accepted = any(
            pattern in (ANY, text) or pattern == BY_CODE + explanation.code
            for pattern in turn.accept
        )
        if proof.is_won(state.play(action)) != is_accepted:
            yield f"{text} {'does not win' if is_accepted else 'wins, too'}"


class Proof:
    """Whether a seat wins by force; for games without chance and hidden information."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._known: dict[State, bool] = {}

    def is_won(self, state: State) -> bool:
        """Whether the seat wins against every reply; raises TooLong."""
        if state.outcome is not None:
            return state.outcome.returns[self._seat] > 0
        if state not in self._known:
            if len(self._known) > PROOF_STATES or state.to_move < 0:
                raise TooLong("this can't be proven")
            nexts = (self.is_won(state.play(action)) for action in state.legal_actions)
            won = any(nexts) if state.to_move == self._seat else all(nexts)
            self._known[state] = won
        return self._known[state]


def best_gain(state: State, seat: int) -> int:
    """The most points that the seat can score in this turn; raises TooLong."""
    start = points_of(state, seat) or 0
    seen = {state}
    waiting, best = [state], 0
    while waiting:
        each = waiting.pop()
        if each.to_move != seat:
            best = max(best, (points_of(each, seat) or 0) - start)
            continue
        for action in each.legal_actions:
            after = each.play(action)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > PROOF_STATES:
            raise TooLong("there are too many turns to compare")
    return best


# ---- texts --------------------------------------------------------------------------------------


def _wanted(step: Step) -> set[str]:
    tasks = {"task"} | {f"task{number}" for number in range(2, len(step.turns) + 1)}
    mistakes = {f"mistakes.{key}" for turn in step.turns for key in turn.mistakes}
    return {"title", "hint", "praise"} | tasks | mistakes


def flat(texts: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Tables within tables as one, with dots in its keys."""
    found: dict[str, str] = {}
    for key, value in texts.items():
        found |= (
            flat(value, f"{prefix}{key}.")
            if isinstance(value, Mapping)
            else {prefix + key: str(value)}
        )
    return found


def _text_problems(course: Course, tables: Mapping[str, dict[str, Any]]) -> Iterator[Problem]:
    wanted = {f"lessons.{lesson.name}" for lesson in course.lessons}
    words: dict[str, set[str]] = {}
    for step in course.steps.values():
        keys = {f"{step.name}.{key}" for key in _wanted(step)}
        wanted |= keys
        words |= dict.fromkeys(keys, _words(step))
    english = flat(tables["en"])
    for language, table in tables.items():
        path, found = f"{FOLDER}/{language}.toml", flat(table)
        for key in sorted(wanted - set(found)):
            yield path, f"the text {key!r} is missing"
        for key in sorted(set(found) - wanted):
            yield path, f"the text {key!r} isn't used"
        for key in sorted(wanted & set(found)):
            codes = _CODE.findall(found[key])
            for code in sorted(set(codes) - words.get(key, set())):
                yield path, f"{key} names {code!r}, which isn't there"
            if ".task" in key and len(found[key]) > LONGEST_TASK:
                yield path, f"{key} is too long: {LONGEST_TASK} letters at most"
            if language == LANGUAGES[0] or key not in english:
                continue
            if sorted(codes) != sorted(_CODE.findall(english[key])):
                yield path, f"{key} names other moves than the English text"
            if found[key] == english[key] and len(_WORD.findall(found[key])) > NAMES:
                yield path, f"translate {key!r}"


def _words(step: Step) -> set[str]:
    """The cells and moves that the texts of a step may name."""
    found: set[str] = set()
    moves: list[str] = []
    for turn in step.turns:
        state = attempt(step, moves).state
        layout = state.game.hooks.picture_layout(state.game, state.array)
        found |= set(layout.cells) if layout else set()
        found |= {
            *state.legal_moves,
            *turn.solution,
            *(word for line in turn.replies for word in line),
        }
        moves += turn.solution
    played = [each.before.format(each.action) for each in step.played]
    return found | set(played) | {word.removeprefix("~") for word in found}
