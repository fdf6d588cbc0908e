"""What a review finds, as plain data: for Python, for JSON, for the store and for the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

Verdict = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
Unit = Literal["points", "returns"]
ReasonCode = Literal[
    "missed_win", "missed_chain", "missed_points", "allows_win", "allows_chain", "allows_points"
]


@dataclass(frozen=True)
class Reason:
    """What a seat could have done instead, or what another can do now.

    ``count`` is how many moves that turn has, or how many points it scores; ``played`` is the same
    of the turn that was played, 0 for what others can do.
    """

    code: ReasonCode
    seat: int
    moves: tuple[str, ...]
    count: int
    played: int = 0


@dataclass(frozen=True)
class BetterMove:
    """A move of a better turn, and what it does, as the game explains it."""

    action: int
    move: str
    explanation: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Decision:
    """A move that could have been another one, after ``number`` actions.

    ``before`` and ``after`` are what its seat could expect: with the best move, and with this one;
    ``loss`` is the difference. ``error`` is their standard error, ``line`` best play as far as the
    search saw it, and ``proven`` says that the value before is exact. ``values`` are what every
    seat could expect, by seat, where that is known. ``spent`` are the seconds since the move
    before, if the record has times. ``reasons`` say what a mistake missed, and what others could do
    then; ``better`` is the turn that it should have been, up to its end, and ``also`` are others
    that are as good.
    """

    number: int
    seat: int
    move: str
    best: str
    line: tuple[str, ...]
    before: float
    after: float
    error: float
    proven: bool
    verdict: Verdict
    values: tuple[float | None, ...]
    spent: float | None = None
    reasons: tuple[Reason, ...] = ()
    better: tuple[BetterMove, ...] = ()
    also: tuple[tuple[str, ...], ...] = ()
    loss: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", self.before - self.after)


@dataclass(frozen=True)
class Balance:
    """Why a seat got what it got: ``start + luck + skill`` is the result.

    ``luck`` is what chance gave it, ``skill`` what its own decisions and those of others did. Each
    has its standard error. All are points ahead of the others, or returns in a game without points.
    """

    start: float
    luck: float
    skill: float
    luck_error: float
    skill_error: float
    result: float
    unit: Unit = "returns"


@dataclass(frozen=True)
class Sentence:
    """A sentence about a match: its code and values, for other languages, and its English."""

    code: str
    sentence: str
    facts: Mapping[str, str | int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Section:
    """A part into which a game divides its matches, such as a round.

    It begins after ``start`` actions and ends after ``end``. The first of the ``sentences`` is its
    title, the others say what was done and what came of it. ``before`` is what those who decided
    could expect at its beginning, ``after`` what they could at its end. ``better`` has the indices
    of the decisions that gave something away.
    """

    start: int
    end: int
    sentences: tuple[Sentence, ...]
    before: float
    after: float
    better: tuple[int, ...]


@dataclass(frozen=True)
class Findings:
    """All that a review finds.

    ``accuracy`` is by seat, 0 to 100: 100 if none of its decisions gave anything away.
    ``turning_point`` is the index of the decision that changed most, if any was a mistake.
    ``balances`` are by seat, if the match is over and the game has chance.
    """

    decisions: tuple[Decision, ...]
    accuracy: Mapping[int, float]
    turning_point: int | None
    balances: tuple[Balance, ...]
    sections: tuple[Section, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain data, for JSON."""
        found = asdict(self)
        found["accuracy"] = {str(seat): share for seat, share in self.accuracy.items()}
        return {each.name: found[each.name] for each in fields(Findings)}
