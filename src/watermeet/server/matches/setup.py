"""What a match is set up with: one description for requests, the log and documents.

Limits here may be widened but never narrowed, and defaults never change: stored logs rely on both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from watermeet.core.options import Value

SECOND = 1000
DAY = 24 * 3600 * SECOND

Level = Annotated[str, Meta(max_length=40, pattern=r"^([a-z][a-z0-9_-]*)?$")]
InitialMs = Annotated[int, Meta(ge=SECOND, le=DAY)]
IncrementMs = Annotated[int, Meta(ge=0, le=3600 * SECOND)]
GameName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="The game.")]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a setup."""


class Unlimited(_Part, frozen=True, tag_field="type", tag="unlimited"):
    """No clock."""


class Correspondence(_Part, frozen=True, tag_field="type", tag="correspondence"):
    """A number of days for each turn, and a bank of days for turns that take longer."""

    days_per_turn: Annotated[int, Meta(ge=1, le=30)]
    bank_days: Annotated[int, Meta(ge=0, le=30)] = 0
    """What each seat has for the whole match."""


class RealTime(_Part, frozen=True, tag_field="type", tag="real_time"):
    """A clock for each seat; every turn that ends adds the increment."""

    initial_ms: InitialMs
    increment_ms: IncrementMs = 0


TimeControl = Unlimited | Correspondence | RealTime


class Absence(_Part, frozen=True):
    """What happens when the player to move has been away for too long.

    ``level`` is that of the bot that stands in for a player who left.
    """

    rule: Literal["claim", "stand_in", "wait"] = "claim"
    level: Level = "brook"


class SeatPlan(_Part, frozen=True):
    """Who may take a seat: anybody, somebody with an invitation, or a bot of some level."""

    who: Literal["open", "invited", "bot"] = "open"
    level: Level = ""


class MatchSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that is chosen when a match is created.

    ``timer_percent`` scales the game's shared timer, if it has one; 0 turns it off. Once the match
    has begun, ``spectators`` may be everybody, those who have the link, or nobody.
    """

    game: GameName
    options: Annotated[Mapping[str, Value], Meta(max_length=64)] = field(default_factory=dict)
    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=1, max_length=16)]
    time_control: TimeControl = Unlimited()
    absence: Absence = Absence()
    timer_percent: Annotated[int, Meta(ge=0, le=1000)] = 100
    is_public: bool = False
    spectator_delay_s: Annotated[int, Meta(ge=0, le=3600)] = 0
    spectators: Literal["all", "link", "none"] = "all"
    is_rated: bool = False
