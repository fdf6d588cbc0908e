"""Endpoints for lessons: the texts of a game's course, and what a learner's move leads to.

Nothing is stored: a request brings all that the learner has played in a step.
"""

from __future__ import annotations

import asyncio

from watermeet.core.contract import CHANCE
from watermeet.core.information import is_seen
from watermeet.learn.attempts import Attempt, attempt
from watermeet.learn.course import Played, Step, course_of, texts_of
from watermeet.server.api import models_learn
from watermeet.server.api.models_learn import StepName
from watermeet.server.api.routes_games import ENGLISH, Language, find
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.bots.messages import StepInfo
from watermeet.server.bots.thoughts import line_of
from watermeet.server.errors import NotFound
from watermeet.server.matches.projection import view_of
from watermeet.server.matches.setup import GameName


@endpoint("GET", "/games/{name}/lessons", errors=(404,))
async def list_lessons(
    _: Call, name: GameName, language: Language = ENGLISH
) -> models_learn.LessonListResponse:
    """The lessons of a game with their texts, in English if they aren't translated."""
    found = find(name)
    course = await asyncio.to_thread(course_of, found)
    used, texts = texts_of(found, language)
    return models_learn.LessonListResponse(
        used,
        [
            models_learn.LessonInfo(
                lesson.name,
                texts["lessons"][lesson.name],
                [_info(step, texts[step.name]) for step in lesson.steps],
            )
            for lesson in course.lessons
        ],
    )


def _info(step: Step, texts: dict[str, str]) -> models_learn.LessonStepInfo:
    tasks = ["task", *(f"task{number}" for number in range(2, len(step.turns) + 1))]
    return models_learn.LessonStepInfo(
        step.name, texts["title"], [texts[key] for key in tasks], texts["hint"], texts["praise"],
        step.marked,
    )  # fmt: skip


@endpoint("POST", "/games/{name}/lessons/{step}", errors=(404,))
async def try_step(
    call: Call, name: GameName, step: StepName, body: models_learn.AttemptRequest
) -> models_learn.AttemptResponse:
    """A step of a lesson after the learner's actions: whether the last one is right."""
    call.check_position_rate()
    found = find(name)
    course = await asyncio.to_thread(course_of, found)
    wanted = course.steps.get(step)
    if wanted is None:
        raise NotFound(f"{found.name} has no step {step!r}", "look at its lessons")
    tried = await call.work(attempt, wanted, body.moves)
    texts = texts_of(found, body.language)[1][step]
    mistake = texts["mistakes"][tried.mistake] if tried.mistake else ""
    return await call.work(response_to, tried, mistake)


def response_to(tried: Attempt, mistake: str = "") -> models_learn.AttemptResponse:
    """What the learner gets to see of an attempt."""
    seat = tried.step.seat
    moves = [
        move_of(each, seat, is_fresh=place >= tried.fresh)
        for place, each in enumerate(tried.played)
    ]
    known = tried.state.conceal(seat)
    return models_learn.AttemptResponse(
        status=tried.status.value,
        seat=seat,
        turn=tried.turn,
        kept=tried.kept,
        can_undo=tried.can_undo,
        view=view_of(tried.state, seat),
        moves=moves,
        explanation=tried.explanation.as_json() if tried.explanation else None,
        mistake=mistake,
        solution=_solution(tried) if known.to_move == seat else [],
    )


def move_of(played: Played, seat: int, *, is_fresh: bool) -> models_learn.LessonMove:
    """An action as the learner sees it; the position after it, if it is new."""
    mover = None if played.seat == CHANCE else played.seat
    is_own = played.seat == seat
    seen = is_own or is_seen(played.before, played.action, played.after, seat)
    return models_learn.LessonMove(
        mover,
        played.before.format(played.action) if seen else None,
        view_of(played.after, seat) if is_fresh else None,
    )


def _solution(tried: Attempt) -> list[StepInfo]:
    """What a hint shows; also a move that must be refused."""
    known = tried.state.conceal(tried.step.seat)
    left = tried.left
    actions = [known.parse_move(word) for word in left[:1]]
    if actions and not known.is_legal(actions[0]):
        return [StepInfo(actions[0], left[0], known.explain(actions[0]).as_json())]
    return list(line_of(known, _actions(tried, left)))


def _actions(tried: Attempt, words: tuple[str, ...]) -> list[int]:
    found, state = [], tried.state
    for word in words:
        found.append(state.parse_move(word))
        if not state.is_legal(found[-1]):
            break
        state = state.play(found[-1])
    return found
