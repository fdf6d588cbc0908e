"""Puzzles: positions with one right answer, in ``puzzles/`` of a game's folder, read when needed.

``puzzles.jsonl`` has a puzzle on each line, written by ``watermeet puzzles mine``. ``en.toml``,
``fr.toml``, ``de.toml`` and ``pl.toml`` have the texts: what is asked, why the answer is right, and
the names of themes. docs/reference/game-folder.md describes the keys.

A puzzle is tried like a step of a lesson: ``attempt(puzzle.step, moves)`` says whether the last
action is right, and plays the replies. Turns are judged when they end, so that the order of what is
played in a turn doesn't matter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

from watermeet.core.errors import WatermeetError
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.learn.attempts import Attempt, Status, attempt
from watermeet.learn.course import LANGUAGES, Step, Turn, require_keys, texts_of
from watermeet.learn.messages import format_message

__all__ = ["Attempt", "Puzzle", "Status", "attempt", "find_puzzle", "puzzle_count", "puzzles_of"]

FOLDER = "puzzles"
FILE = "puzzles.jsonl"
REACH, WIN, POINTS = "reach", "win", "points"
GOALS = (REACH, WIN, POINTS)
"""How the last turn is judged: by the state it reaches, by winning, or by the points it scores."""
SOLVER, ALPHA_BETA, EXHAUSTIVE = "solver", "alpha-beta", "exhaustive"
PROOFS = (SOLVER, ALPHA_BETA, EXHAUSTIVE)
LOWEST_RATING, HIGHEST_RATING = 400, 2800
ASKS, WHY, THEMES, FAILS = "asks", "why", "themes", "fails"
"""The tables of a file of texts."""
BETWEEN_TURNS, BETWEEN_LINES = " / ", " | "
_KEYS = {
    "id", "options", "state", "ask", "goal", "line", "also", "themes", "rating", "why", "facts",
    "cells", "proof"
}  # fmt: skip
_ID = re.compile(r"[a-z][a-z0-9_]*-[0-9a-f]{8}")
Line = tuple[str, ...]
"""The actions of a turn, as texts; outcomes of chance begin with ``~``."""


class UnknownPuzzle(WatermeetError):
    """A game has no puzzle of this name."""

    code = "unknown_puzzle"


@dataclass(frozen=True)
class Puzzle:
    """A position, what is asked, and the answer.

    ``state`` is the full state as text; whoever solves the puzzle gets what the seat to move knows,
    ``step.state.view(step.seat)``, and nothing else. ``line`` has the solver's turns, and between
    them what the others and chance reply. ``also`` has, for each of the solver's turns, other turns
    that are provably as good. ``goal`` says how the last turn is judged. ``why`` and ``ask`` are
    codes of texts with the ``facts`` as values. ``rating`` is where the puzzle starts.
    """

    id: str
    game: str
    options: Mapping[str, Any] = field(hash=False)
    state: str
    ask: str
    goal: str
    line: tuple[Line, ...]
    also: tuple[tuple[Line, ...], ...]
    themes: tuple[str, ...]
    rating: int
    why: str
    facts: Mapping[str, str | int] = field(hash=False)
    cells: tuple[str, ...]
    proof: str

    @cached_property
    def step(self) -> Step:
        """The puzzle as a step of a lesson, to be tried; raises what parsing the state raises."""
        state = find_game(self.game).with_options(**self.options).parse(self.state)
        own = self.line[::2]
        return Step(
            self.id,
            state,
            (),
            state.to_move,
            tuple(self._turn(place, is_last=place + 1 == len(own)) for place in range(len(own))),
        )

    def _turn(self, place: int, *, is_last: bool) -> Turn:
        solution = self.line[2 * place]
        also = self.also[place] if place < len(self.also) else ()
        replies = self.line[2 * place + 1 : 2 * place + 2]
        goal = self.goal if is_last else REACH
        return Turn(
            solution,
            (),
            free=True,
            points=int(self.facts["points"]) if goal == POINTS else None,
            reaches=(solution, *also) if goal == REACH else (),
            wins=goal == WIN,
            replies=replies,
        )

    @property
    def seat(self) -> int:
        """The seat that has to find the answer."""
        return self.step.seat

    @property
    def moves(self) -> Line:
        """All that the solver plays, if nothing goes wrong."""
        return tuple(move for turn in self.line[::2] for move in turn)

    @property
    def explanation(self) -> Explanation:
        """Why the answer is right: a code, facts and cells, and a sentence in English."""
        sentence = format_message(self._text(WHY, self.why), self.facts)
        return Explanation(self.why, sentence, self.cells, legal=True, facts=self.facts)

    @property
    def question(self) -> str:
        """What is asked, in English."""
        return format_message(self._text(ASKS, self.ask), self.facts)

    def _text(self, table: str, code: str) -> str:
        texts = puzzle_texts(find_game(self.game), "en")[1]
        return str(texts[table][code])

    def as_json(self) -> dict[str, Any]:
        """A line of the file, as plain data."""
        facts: dict[str, Any] = {
            "id": self.id,
            "options": dict(self.options),
            "state": self.state,
            "ask": self.ask,
            "goal": self.goal,
            "line": BETWEEN_TURNS.join(" ".join(turn) for turn in self.line),
            "also": [BETWEEN_LINES.join(" ".join(line) for line in each) for each in self.also],
            "themes": list(self.themes),
            "rating": self.rating,
            "why": self.why,
            "facts": dict(self.facts),
            "cells": " ".join(self.cells),
            "proof": self.proof,
        }
        return {key: value for key, value in facts.items() if value or key == "options"}


# ---- files --------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _puzzles(name: str) -> dict[str, Puzzle]:
    game = find_game(name)
    return {puzzle.id: puzzle for puzzle in read_puzzles(game, read_text(game))}


def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles of a game, read once; empty without any."""
    return tuple(_puzzles(game.name).values())


def find_puzzle(game: Game, name: str) -> Puzzle:
    """The puzzle with this name; raises UnknownPuzzle."""
    found = _puzzles(game.name)
    if name not in found:
        raise UnknownPuzzle(f"{game.name} has no puzzle {name!r}", "look at its puzzles")
    return found[name]


def read_text(game: Game) -> str:
    """The file of a game's puzzles; empty without one."""
    file = resources.files(game.package) / FOLDER / FILE
    return file.read_text(encoding="utf-8") if file.is_file() else ""


@lru_cache(maxsize=64)
def _count(name: str) -> int:
    return read_text(find_game(name)).count("\n")


def puzzle_count(game: Game) -> int:
    """How many puzzles a game has; nothing is parsed."""
    return _count(game.name)


def puzzle_texts(game: Game, language: str) -> tuple[str, dict[str, Any]]:
    """The tables of texts in a language, or in English, and which language that is."""
    return texts_of(game, language, FOLDER)


def read_puzzles(game: Game, text: str) -> Iterator[Puzzle]:
    """The puzzles in a file, one on each line; raises ValueError, which names the puzzle."""
    for number, line in enumerate(text.splitlines(), 1):
        name = f"line {number}"
        try:
            facts = json.loads(line)
            name = str(facts.get("id", name))
            yield _read(game, facts)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{name}: {type(error).__name__}: {error}") from error


def _read(game: Game, facts: Mapping[str, Any]) -> Puzzle:
    require_keys(facts, _KEYS, "a puzzle")
    goal, proof, rating = facts["goal"], facts["proof"], facts["rating"]
    if not _ID.fullmatch(facts["id"]) or not facts["id"].startswith(f"{game.name}-"):
        raise ValueError("the id isn't the game's name and eight hexadecimal digits")
    if goal not in GOALS or proof not in PROOFS:
        raise ValueError(f"{goal!r} isn't a goal, or {proof!r} isn't a proof")
    if not isinstance(rating, int) or not LOWEST_RATING <= rating <= HIGHEST_RATING:
        raise ValueError(f"the rating {rating!r} isn't from {LOWEST_RATING} to {HIGHEST_RATING}")
    line = tuple(tuple(turn.split()) for turn in facts["line"].split(BETWEEN_TURNS.strip()))
    if len(line) % 2 == 0 or not all(line):
        raise ValueError("the line doesn't begin and end with a turn of the solver")
    also = tuple(
        tuple(tuple(other.split()) for other in each.split(BETWEEN_LINES.strip()) if other.split())
        for each in facts.get("also", ())
    )
    return Puzzle(
        facts["id"],
        game.name,
        facts.get("options", {}),
        facts["state"],
        facts["ask"],
        goal,
        line,
        also,
        tuple(facts["themes"]),
        rating,
        facts["why"],
        facts.get("facts", {}),
        tuple(facts.get("cells", "").split()),
        proof,
    )


# ---- checks -------------------------------------------------------------------------------------


def puzzle_problems(game: Game) -> Iterator[tuple[str, str]]:
    """What is wrong with the puzzles of a game, each with a path in its folder."""
    path = f"{FOLDER}/{FILE}"
    try:
        puzzles = list(read_puzzles(game, read_text(game)))
    except ValueError as error:
        yield path, str(error)
        return
    names = [puzzle.id for puzzle in puzzles]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield path, f"{name}: the id isn't its own"
    for puzzle in puzzles:
        for problem in problems_of(puzzle):
            yield path, f"{puzzle.id}: {problem}"
    yield from _text_problems(game, puzzles)


def problems_of(puzzle: Puzzle) -> Iterator[str]:
    """What is wrong with a puzzle: its line must be legal and solve it, and so must the others."""
    try:
        tried = attempt(puzzle.step, puzzle.moves)
        if tried.status != Status.SOLVED:
            why = tried.explanation.sentence if tried.explanation else ""
            yield f"the line doesn't solve it: {tried.status.value}. {why}".strip()
            return
        for place, others in enumerate(puzzle.also):
            before = tuple(move for turn in puzzle.line[: 2 * place : 2] for move in turn)
            for other in others:
                if attempt(puzzle.step, (*before, *other)).status != Status.SOLVED:
                    yield f"{' '.join(other)} isn't as good"
    except (WatermeetError, ValueError) as error:
        yield str(error)


def _text_problems(game: Game, puzzles: list[Puzzle]) -> Iterator[tuple[str, str]]:
    values = {
        **{(ASKS, each.ask): each.facts for each in puzzles},
        **{(WHY, each.why): each.facts for each in puzzles},
        **{(THEMES, theme): {} for each in puzzles for theme in each.themes},
    }
    for language in LANGUAGES:
        path = f"{FOLDER}/{language}.toml"
        texts = puzzle_texts(game, language)[1]
        for (table, code), facts in sorted(values.items(), key=lambda item: item[0]):
            text = texts.get(table, {}).get(code)
            try:
                if text is None:
                    yield path, f"the text {table}.{code} is missing"
                else:
                    format_message(text, facts)
            except ValueError as error:
                yield path, f"{table}.{code}: {error}"
