"""Bodies of REST about lessons, analysis, puzzles and openings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from watermeet.core.view import View
from watermeet.learn.refutation import FailureCode
from watermeet.server.api.models import EngineTask, SeatNumber, _Request
from watermeet.server.bots.messages import StepInfo
from watermeet.server.matches.setup import GameName
from watermeet.server.puzzles import PuzzleResult

StepName = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}$", description="A step of a lesson.")]


class AttemptRequest(_Request, frozen=True, kw_only=True):
    """What a learner has played in a step of a lesson: texts or numbers of actions."""

    moves: Annotated[list[Annotated[str, Meta(max_length=200)] | int], Meta(max_length=40)]
    language: Annotated[str, Meta(pattern=r"^[a-z]{2}$")] = "en"


class PositionRequest(_Request, frozen=True, kw_only=True):
    """A position of a game as text; empty for its beginning."""

    game: GameName
    version: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    options: dict[str, bool | int | str] = field(default_factory=dict)
    position: Annotated[str, Meta(max_length=8_000)] = ""


class AnalysisRequest(PositionRequest, frozen=True, kw_only=True):
    """Moves to play in a position: texts or numbers of actions.

    With ``draw``, the chance outcomes that come next are drawn. Where nobody is to move, the
    position is shown as ``seat`` sees it; null: a spectator.
    """

    moves: Annotated[list[Annotated[str, Meta(max_length=200)] | int], Meta(max_length=64)] = field(
        default_factory=list
    )
    draw: bool = False
    seat: SeatNumber | None = None


class SearchRequest(PositionRequest, frozen=True, kw_only=True):
    """A position to search, as the seat to move knows it; ``is_open``: with everything in it."""

    is_open: bool = False


class LinesRequest(SearchRequest, frozen=True, kw_only=True):
    """Lines that a search found, as numbers of actions."""

    lines: Annotated[
        list[Annotated[list[Annotated[int, Meta(ge=0)]], Meta(max_length=16)]], Meta(max_length=5)
    ]


class PuzzleRequest(_Request, frozen=True, kw_only=True):
    """What somebody has played in a puzzle: texts or numbers of actions.

    With ``give_up`` the answer is played instead. Without a token, ``rating`` and ``deviation`` are
    the solver's own, and null where the result doesn't count.
    """

    moves: Annotated[list[Annotated[str, Meta(max_length=200)] | int], Meta(max_length=40)]
    give_up: bool = False
    rating: Annotated[float, Meta(ge=100, le=3500)] | None = None
    deviation: Annotated[float, Meta(ge=30, le=350)] = 350.0
    language: Annotated[str, Meta(pattern=r"^[a-z]{2}$")] = "en"


class LessonStepInfo(Struct, frozen=True):
    """The texts of a step: a task for each of its turns, a hint, and praise.

    With ``marked``, its solution is shown from the beginning.
    """

    name: str
    title: str
    tasks: list[str]
    hint: str
    praise: str
    marked: bool


class LessonInfo(Struct, frozen=True):
    """A lesson and its steps."""

    name: str
    title: str
    steps: list[LessonStepInfo]


class LessonListResponse(Struct, frozen=True):
    """The lessons of a game, in the language that was found."""

    language: str
    lessons: list[LessonInfo]


class LessonMove(Struct, frozen=True):
    """An action as the learner sees it; ``view`` is the position after it, if it is new.

    ``seat`` is null for chance, and ``move`` where the learner couldn't see it.
    """

    seat: int | None
    move: str | None
    view: View | None


class AttemptResponse(Struct, frozen=True, kw_only=True):
    """A step of a lesson after the learner's actions.

    ``status`` is about the last one. Of the actions sent, the first ``kept`` stand; what is played
    next follows those. ``turn`` counts from 0. ``view`` is the position as the learner's ``seat``
    sees it, after a wrong action too; ``moves`` are all actions so far, replies included.
    ``explanation`` is the game's own for the last action, ``mistake`` the lesson's. ``solution`` is
    what the learner could play next.
    """

    status: Literal["open", "solved", "wrong", "refused"]
    seat: int
    turn: int
    kept: int
    can_undo: bool
    view: View
    moves: list[LessonMove]
    explanation: dict[str, Any] | None
    mistake: str
    solution: list[StepInfo]


class AnalysedMove(Struct, frozen=True):
    """An action and the position after it; ``seat`` is null for chance.

    ``result`` is the header of a record that ends there; empty if the match isn't over.
    """

    move: str
    seat: int | None
    position: str
    result: str


class ChanceOutcome(Struct, frozen=True):
    """What chance may bring next."""

    move: str
    probability: float


class AnalysisResponse(Struct, frozen=True, kw_only=True):
    """A position, as whoever is to move sees it; ``steps`` led there, ``outcomes`` may come."""

    position: str
    result: str
    view: View
    steps: list[AnalysedMove]
    outcomes: list[ChanceOutcome]


class RecordNode(Struct, frozen=True):
    """An action of a record; ``parent`` is the index of the one before it, -1 for the first.

    Of the nodes with the same parent, the first is the main line.
    """

    parent: int
    move: str
    seat: int | None
    position: str
    result: str
    comment: str
    symbol: str
    seconds: float | None


class RecordTree(Struct, frozen=True, kw_only=True):
    """A record with all its positions; ``headers`` are its first lines, without the result."""

    game: str
    version: int
    options: dict[str, bool | int | str]
    has_secrets: bool
    headers: list[str]
    seats: list[str]
    comment: str
    position: str
    result: str
    nodes: list[RecordNode]


class AnalysisTask(Struct, frozen=True):
    """Where the module of the game is, and what to search; returns are from worst to best."""

    module: str
    task: EngineTask
    worst: float
    best: float


class LineMove(Struct, frozen=True):
    """A move of a line, and its seat."""

    move: str
    seat: int


class LinesResponse(Struct, frozen=True):
    """Lines in the notation of the game, as far as they don't depend on chance."""

    lines: list[list[LineMove]]


class PuzzleText(Struct, frozen=True):
    """A sentence in ICU MessageFormat with its values, and the whole of it in English."""

    text: str
    facts: dict[str, str | int]
    english: str


class PuzzleResponse(Struct, frozen=True, kw_only=True):
    """A puzzle without its answer: the position as its ``seat`` sees it, and what is asked.

    ``state`` is the same as text. ``tried`` says how many people with an account have tried it,
    ``turns`` how many turns the answer has. ``day`` is the date of a daily puzzle.
    """

    id: str
    game: str
    day: str
    rating: int
    tried: int
    seat: int
    turns: int
    question: PuzzleText
    state: str
    view: View


class PuzzleTheme(Struct, frozen=True):
    """A theme and how many puzzles have it."""

    name: str
    title: str
    count: int


class PuzzleHistory(Struct, frozen=True):
    """How somebody did in a puzzle at the first try, and their rating after it."""

    puzzle: str
    is_solved: bool
    rating: int
    at: int


class PuzzleOverview(Struct, frozen=True, kw_only=True):
    """The puzzles of a game, and how the user of the token did in them, the last ones last."""

    language: str
    count: int
    themes: list[PuzzleTheme]
    rating: int
    deviation: int
    tried: int
    history: list[PuzzleHistory]


class PuzzleFailure(Struct, frozen=True):
    """Why a turn fails: what it scores too little, what ``seat`` answers, or what it gives up.

    ``text`` is set where the game has words of its own for it.
    """

    code: FailureCode
    seat: int
    moves: tuple[str, ...]
    values: dict[str, str | int]
    text: PuzzleText | None = None


class PuzzleAttempt(Struct, frozen=True, kw_only=True):
    """A puzzle after the solver's actions, as for a step of a lesson.

    ``status`` is ``shown`` if it was given up. ``fails`` says why a turn is wrong. ``result`` is
    what a first try was worth, and null if this wasn't the end of one. The rest is empty until the
    puzzle is solved or given up: the ``line`` of turns, the solver's and the others', its
    ``themes``, and ``why`` it is right.
    """

    status: Literal["open", "solved", "wrong", "refused", "shown"]
    seat: int
    turn: int
    kept: int
    can_undo: bool
    view: View
    moves: list[LessonMove]
    explanation: dict[str, Any] | None
    fails: list[PuzzleFailure]
    result: PuzzleResult | None
    line: list[list[str]]
    themes: list[str]
    why: PuzzleText | None
    cells: list[str]


class OpeningMoveInfo(Struct, frozen=True):
    """A move that was played in a position, and how those matches ended for whoever played it.

    ``also`` are moves that come to the same by symmetry, and ``length`` the moves of these matches
    on average.
    """

    action: int
    move: str
    also: list[str]
    matches: int
    wins: int
    draws: int
    losses: int
    length: float


class OpeningResponse(Struct, frozen=True):
    """What was played in a position, the most frequent move first.

    ``played`` are the moves that led here; ``view`` is the position as whoever is to move sees it.
    ``has_engine`` says whether there are engine matches under these options.
    """

    source: Literal["server", "engine"]
    has_engine: bool
    played: list[str]
    matches: int
    moves: list[OpeningMoveInfo]
    view: View
