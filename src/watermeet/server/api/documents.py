"""What is told of a match, for the description of REST; ``match/shown.py`` makes it.

Nothing is checked against these models when it is sent. A test holds them against documents and
events of real matches, field by field.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class _Told(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class TimingTold(_Told):
    """The clock of a table: none, days for each turn, or a bank with an increment."""

    kind: Literal["none", "days", "live"]
    days: int | None = None
    bank_ms: int | None = None
    increment_ms: int | None = None


class AbsenceTold(_Told):
    """What happens when somebody is away for long."""

    rule: Literal["claim", "stand_in", "wait"]
    level: str


class TableTold(_Told):
    """What was chosen when the match was made; ``has_secrets`` follows from game and options."""

    match: str
    game: str
    version: int
    options: dict[str, bool | int | str]
    has_secrets: bool
    timing: TimingTold
    absence: AbsenceTold
    minute_ms: int | None
    is_public: bool
    watch_delay_s: int
    commitment: str
    is_played_on: bool
    rematch_of: str


class SeatTold(_Told):
    """Who sits on a seat, and who plays there."""

    who: Literal["open", "invited", "bot", "person"]
    name: str
    level: str
    stand_in: str
    is_out: bool


class ClocksTold(_Told):
    """Where clocks stand; times are the server's, in milliseconds since 1970."""

    left_ms: list[int]
    running: int | None
    since: int
    flag_at: int | None
    minute_ends: int | None
    minute_left_ms: int | None


class OfferTold(_Told):
    """What somebody offers, and who has agreed."""

    what: str
    seat: int
    to_seq: int
    yes: list[int]


class OutcomeTold(_Told):
    """How a match ended; ``facts`` are the words in the sentence, for other languages."""

    returns: list[float]
    winners: list[int]
    by: str
    reason: str
    sentence: str
    facts: dict[str, str | int]


class MoveTold(_Told):
    """An action that stands; ``move`` is null where who asks could not see it."""

    seq: int
    at: int
    seat: int | None
    move: str | None
    spent_ms: int
    by_clock: bool
    action: int | None = None


class PositionTold(_Told):
    """What changes with every entry. ``view`` is the game's own: its state as who asks sees it.

    ``state`` is the text of what the seat knows, if it is its turn.
    """

    seq: int
    stage: Literal["open", "playing", "paused", "over", "gone"]
    view: dict[str, Any]
    state: str | None
    clocks: ClocksTold
    seats: list[SeatTold]
    offers: list[OfferTold]
    outcome: OutcomeTold | None
    draws: int
    rematch: str


class MatchDocument(PositionTold):
    """All that who asks may know of a match."""

    seat: int | None
    table: TableTold
    salts: list[str]
    secret: str | None
    moves: list[MoveTold]


class EarlierPosition(_Told):
    """How a match stood after ``ply`` of its ``plies`` actions; ``view`` is the game's own."""

    ply: int
    plies: int
    view: dict[str, Any]


class Headline(_Told):
    """What lists show of a match."""

    options: dict[str, bool | int | str]
    seats: list[SeatTold]
    to_move: int | None
    returns: list[float] | None
