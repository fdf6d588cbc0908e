"""Endpoints for puzzles: which one comes next, and what a solver's move leads to.

A request brings all that somebody has played in a puzzle. The answer is sent only when the puzzle
is solved or given up.
"""

from __future__ import annotations

import asyncio
import re
from typing import Annotated

import msgspec
from msgspec import Meta

from watermeet.core.game import Game
from watermeet.learn.attempts import Attempt, Status, attempt
from watermeet.learn.messages import format_message
from watermeet.learn.puzzles import (
    ASKS,
    FAILS,
    THEMES,
    WHY,
    Puzzle,
    UnknownPuzzle,
    find_puzzle,
    puzzle_count,
    puzzle_texts,
    puzzles_of,
)
from watermeet.learn.refutation import Failure, failures_of
from watermeet.server.api import models_learn
from watermeet.server.api.routes_games import ENGLISH, Language, find
from watermeet.server.api.routes_lessons import move_of
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import NotFound
from watermeet.server.matches.projection import view_of
from watermeet.server.matches.setup import GameName
from watermeet.server.puzzles import PuzzleResult, new_rating, rating_of

PuzzleName = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}-[0-9a-f]{8}$", description="The puzzle.")
]
Theme = Annotated[str, Meta(pattern=r"^[a-z0-9_-]{0,40}$", description="Only with this theme.")]
Skip = Annotated[
    str,
    Meta(
        max_length=2000, pattern=r"^[a-z0-9_ -]*$",
        description="Puzzles that were seen, with spaces between them.",
    ),
]  # fmt: skip
Wanted = Annotated[int, Meta(ge=100, le=3500, description="The solver's rating, without a token.")]
SHOWN = 100
"""How many results the graph of somebody's rating has."""


@endpoint("GET", "/puzzles/{game}", auth="optional", scope="read", errors=(404,))
async def get_next_puzzle(
    call: Call,
    game: GameName,
    theme: Theme = "",
    rating: Wanted = 1500,
    skip: Skip = "",
    language: Language = ENGLISH,
) -> models_learn.PuzzleResponse:
    """A puzzle for the caller: near their rating, and one that they haven't tried."""
    call.check_position_rate()
    found, done = _with_puzzles(game), set[str]()
    level: float = rating
    if call.token:
        results = await call.services.puzzles.results((await call.user()).id, found)
        done = {each.puzzle for each in results}
        level = rating_of(results).value if results else rating
    chosen = call.services.puzzles.next(
        found, level, theme=theme, done=done, skip=set(skip.split())
    )
    if chosen is None:
        raise NotFound(f"{found.name} has no puzzles with the theme {theme!r}", "choose another")
    return await _response(call, found, chosen, language)


@endpoint("GET", "/puzzles/{game}/daily", errors=(404,))
async def get_daily_puzzle(
    call: Call, game: GameName, language: Language = ENGLISH
) -> models_learn.PuzzleResponse:
    """Today's puzzle, the same for everybody; days begin at midnight, UTC."""
    call.check_position_rate()
    found = _with_puzzles(game)
    day, chosen = call.services.puzzles.daily(found)
    assert chosen is not None, "the game has puzzles"
    return await _response(call, found, chosen, language, day)


@endpoint("GET", "/puzzles/{game}/overview", auth="optional", scope="read", errors=(404,))
async def get_puzzle_overview(
    call: Call, game: GameName, language: Language = ENGLISH
) -> models_learn.PuzzleOverview:
    """How many puzzles a game has, their themes, and how the user of the token did so far."""
    call.check_position_rate()
    found = find(game)
    used, texts = puzzle_texts(found, language)
    counts: dict[str, int] = {}
    for puzzle in await asyncio.to_thread(puzzles_of, found):
        for theme in puzzle.themes:
            counts[theme] = counts.get(theme, 0) + 1
    results = []
    if call.token:
        results = await call.services.puzzles.results((await call.user()).id, found)
    mine = rating_of(results)
    return models_learn.PuzzleOverview(
        language=used,
        count=puzzle_count(found),
        themes=[
            models_learn.PuzzleTheme(name, texts[THEMES][name], count)
            for name, count in sorted(counts.items(), key=lambda item: -item[1])
        ],
        rating=round(mine.value),
        deviation=round(mine.deviation),
        tried=len(results),
        history=[
            models_learn.PuzzleHistory(
                each.puzzle, each.is_solved, round(each.rating / 100), each.at
            )
            for each in reversed(results[:SHOWN])
        ],
    )


@endpoint("GET", "/puzzles/{game}/{puzzle}", errors=(404,))
async def get_puzzle(
    call: Call, game: GameName, puzzle: PuzzleName, language: Language = ENGLISH
) -> models_learn.PuzzleResponse:
    """A puzzle: the position and what is asked, without the answer."""
    call.check_position_rate()
    found = find(game)
    return await _response(call, found, await _find(found, puzzle), language)


@endpoint("POST", "/puzzles/{game}/{puzzle}/attempt", auth="optional", scope="play", errors=(404,))
async def try_puzzle(
    call: Call, game: GameName, puzzle: PuzzleName, body: models_learn.PuzzleRequest
) -> models_learn.PuzzleAttempt:
    """A puzzle after the solver's actions; what the others reply is played.

    With ``give_up`` the answer is played instead. The first end of a puzzle counts for the rating:
    a wrong turn, giving up, or the right answer.
    """
    call.check_position_rate()
    found = find(game)
    wanted = await _find(found, puzzle)
    moves = list(wanted.moves) if body.give_up else body.moves
    tried = await call.work(attempt, wanted.step, moves)
    answer = await call.work(_attempt, found, wanted, tried, body)
    if body.give_up or tried.status in (Status.SOLVED, Status.WRONG):
        # Only now: whoever is refused before hasn't tried.
        result = await _rate(call, wanted, body, is_solved=_is_solved(tried, body))
        return msgspec.structs.replace(answer, result=result)
    return answer


def _is_solved(tried: Attempt, body: models_learn.PuzzleRequest) -> bool:
    return tried.status == Status.SOLVED and not body.give_up


async def _rate(
    call: Call, puzzle: Puzzle, body: models_learn.PuzzleRequest, *, is_solved: bool
) -> PuzzleResult | None:
    puzzles = call.services.puzzles
    mine = None if body.rating is None else new_rating(body.rating, body.deviation)
    if call.token:
        return await puzzles.record(await call.user(), puzzle, mine, is_solved=is_solved)
    if mine is None:
        return None
    return await puzzles.rate(puzzle, mine, is_solved=is_solved)


def _with_puzzles(name: str) -> Game:
    found = find(name)
    if not puzzle_count(found):
        raise NotFound(f"{found.name} has no puzzles", "choose another game")
    return found


async def _find(game: Game, name: str) -> Puzzle:
    try:
        return await asyncio.to_thread(find_puzzle, game, name)
    except UnknownPuzzle as error:
        raise NotFound(error.message, error.hint) from error


async def _response(
    call: Call, game: Game, puzzle: Puzzle, language: str, day: str = ""
) -> models_learn.PuzzleResponse:
    rating, tried = await call.services.puzzles.rating(puzzle)
    step = await asyncio.to_thread(lambda: puzzle.step)
    return models_learn.PuzzleResponse(
        id=puzzle.id,
        game=game.name,
        day=day,
        rating=round(rating.value),
        tried=tried,
        seat=step.seat,
        turns=len(step.turns),
        question=_text(game, puzzle, ASKS, puzzle.ask, language),
        state=step.state.conceal(step.seat).text,
        view=view_of(step.state, step.seat),
    )


def _text(
    game: Game, puzzle: Puzzle, table: str, code: str, language: str
) -> models_learn.PuzzleText:
    """A text with the values that it names, and no others: those of the answer are secret."""
    text = str(puzzle_texts(game, language)[1][table][code])
    named = set(re.findall(r"\{\s*(\w+)", text))
    facts = {name: value for name, value in puzzle.facts.items() if name in named}
    english = str(puzzle_texts(game, ENGLISH)[1][table][code])
    return models_learn.PuzzleText(text, facts, format_message(english, puzzle.facts))


def _failure(game: Game, failure: Failure, language: str) -> models_learn.PuzzleFailure:
    values = dict(failure.values)
    if failure.code != "own":
        return models_learn.PuzzleFailure(failure.code, failure.seat, failure.moves, values)
    (name,) = failure.moves
    text, english = (str(puzzle_texts(game, each)[1][FAILS][name]) for each in (language, ENGLISH))
    words = models_learn.PuzzleText(text, values, format_message(english, values))
    return models_learn.PuzzleFailure(failure.code, failure.seat, (), values, words)


def _attempt(
    game: Game,
    puzzle: Puzzle,
    tried: Attempt,
    body: models_learn.PuzzleRequest,
) -> models_learn.PuzzleAttempt:
    seat, is_over = puzzle.seat, tried.status == Status.SOLVED
    fresh = 0 if body.give_up else tried.fresh
    names = puzzle_texts(game, body.language)[1][THEMES]
    return models_learn.PuzzleAttempt(
        status="shown" if body.give_up else tried.status.value,
        seat=seat,
        turn=tried.turn,
        kept=tried.kept,
        can_undo=tried.can_undo,
        view=view_of(tried.state, seat),
        moves=[
            move_of(each, seat, is_fresh=place >= fresh) for place, each in enumerate(tried.played)
        ],
        explanation=tried.explanation.as_json() if tried.explanation else None,
        fails=[_failure(game, each, body.language) for each in failures_of(puzzle, tried)],
        result=None,
        line=[list(turn) for turn in puzzle.line] if is_over else [],
        themes=[names[theme] for theme in puzzle.themes] if is_over else [],
        why=_text(game, puzzle, WHY, puzzle.why, body.language) if is_over else None,
        cells=list(puzzle.cells) if is_over else [],
    )
