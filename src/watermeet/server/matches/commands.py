"""What people, bots and the server ask of a match.

Whoever passes a command on has made sure that it comes from who it says: from the user who sits on
``seat``, or from the server itself (``Flag``, ``EndMinute``, ``Wake``, ``StandIn``, ``Abandon``,
``MakeGood``).
``client_id`` is chosen by the client for each command of its own: with the same one a command that
is sent again is not done again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from watermeet.core.options import Value
from watermeet.server.matches.entries import Absence, NoTiming, SeatPlan, Timing


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """The common part: nothing."""


class Create(Command, frozen=True, kw_only=True):
    """Lays a table. Seats must be as many as the game has with these options."""

    game: str
    options: Mapping[str, Value] = msgspec.field(default_factory=dict)
    seats: tuple[SeatPlan, ...]
    timing: Timing = NoTiming()
    absence: Absence = Absence()
    minute_percent: int = 100
    is_public: bool = False
    watch_delay_s: int = 0
    by: str = ""
    start: str = ""
    rematch_of: str = ""


class _OfSeat(Command, frozen=True, kw_only=True):
    """A command of who sits on a seat."""

    seat: int
    client_id: str = ""


class Join(_OfSeat, frozen=True, kw_only=True):
    """A user sits down; ``invited``: with the seat's link. The last one to come begins."""

    user: str
    name: str
    salt: str = ""
    invited: bool = False


class Leave(_OfSeat, frozen=True, kw_only=True):
    """Stands up before the match begins."""


class Salt(_OfSeat, frozen=True, kw_only=True):
    """Adds salt to the draws before the match begins."""

    salt: str


class Play(_OfSeat, frozen=True, kw_only=True):
    """Plays a move (its text) or an action (its number).

    ``at_seq`` is the last entry that who chose has seen: if the state has changed since, nothing
    is played. ``is_bot``: the server's bot on that seat plays.
    """

    move: str | int
    is_bot: bool = False
    at_seq: int | None = None


class Undo(_OfSeat, frozen=True, kw_only=True):
    """Takes back the seat's last action, or all back to entry ``to_seq``, without asking."""

    to_seq: int | None = None


class Offer(_OfSeat, frozen=True, kw_only=True):
    """Asks the others for something; where nobody has to be asked it is done at once.

    ``new_match`` is the id that a rematch gets if this completes the agreement.
    """

    what: str
    to_seq: int | None = None
    new_match: str = ""


class Answer(_OfSeat, frozen=True, kw_only=True):
    """Agrees to what another has offered, or does not; No to an own offer withdraws it."""

    what: str
    yes: bool
    new_match: str = ""


class Resign(_OfSeat, frozen=True, kw_only=True):
    """Gives up."""


class Claim(_OfSeat, frozen=True, kw_only=True):
    """Says that ``absent`` has been away for too long. ``seat`` is who claims.

    ``away_since`` tells for every seat that is away since when, by the server's time.
    """

    absent: int
    how: Literal["out", "stand_in"] = "out"
    away_since: Mapping[int, int] = msgspec.field(default_factory=dict)


class HandBack(_OfSeat, frozen=True, kw_only=True):
    """Takes the seat back from the bot that stood in."""


class StandIn(Command, frozen=True, kw_only=True):
    """By the server: a bot plays for somebody who is away, where the table wants that."""

    seat: int
    away_since: Mapping[int, int] = msgspec.field(default_factory=dict)


class Flag(Command, frozen=True, kw_only=True):
    """By the server: a seat's time is up."""

    seat: int


class EndMinute(Command, frozen=True, kw_only=True):
    """By the server: the shared minute is over."""


class MakeGood(Command, frozen=True, kw_only=True):
    """By the server: none was running in between, and that time counts against nobody."""

    since: int
    until: int


class Wake(Command, frozen=True, kw_only=True):
    """By the server: a pause has lasted long enough."""


class Abandon(Command, frozen=True, kw_only=True):
    """By the server: nobody has come, or nobody has done anything for very long."""
