"""What clients send for a seat, and what the server itself asks of a match.

The same structs are the messages of the protocol: ``decide`` takes them as they came. Whoever
passes a command on has checked that it comes from the user of the seat.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Short = Annotated[str, Meta(max_length=64)]


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The base of all commands."""


# ---- from clients -------------------------------------------------------------------------------


class Play(Command, frozen=True, tag="play"):
    """Play a move by its text, or an action by its number.

    ``at_seq`` is the last entry that the player has seen: if the state has changed since, nothing
    is played.
    """

    move: Annotated[str, Meta(max_length=200)] | int
    at_seq: int | None = None


class Undo(Command, frozen=True, tag="undo"):
    """Take back one's last action, or everything after entry ``to_seq``, without asking."""

    to_seq: int | None = None


class Offer(Command, frozen=True, tag="offer"):
    """Offer the others undo, pause, resume, abort or rematch."""

    what: Short
    to_seq: int | None = None


class Respond(Command, frozen=True, tag="respond"):
    """Accept or decline an offer; declining one's own withdraws it."""

    what: Short
    accept: bool


class Resign(Command, frozen=True, tag="resign"):
    """Resign."""


class Claim(Command, frozen=True, tag="claim"):
    """Claim that the seat ``absent`` has been away for too long."""

    absent: int
    how: Literal["out", "stand_in"] = "out"


class Reclaim(Command, frozen=True, tag="reclaim"):
    """Take one's seat back from the bot that stood in."""


class Leave(Command, frozen=True, tag="leave"):
    """Leave before the match begins."""


class Seed(Command, frozen=True, tag="seed"):
    """Give a client seed for the chance outcomes, before the match begins."""

    seed: Annotated[str, Meta(max_length=200)]


ClientCommand = Play | Undo | Offer | Respond | Resign | Claim | Reclaim | Leave | Seed


# ---- from the server ----------------------------------------------------------------------------


class Join(Command, frozen=True, kw_only=True):
    """Seat a user; the match begins when the last seat is taken."""

    user: str
    name: str
    seed: str = ""
    is_invited: bool = False
    is_registered: bool = False
    """Whether the user has an account, as rated matches require."""
    is_guest: bool = False
    """Whether the user is a person without an account."""


class BotPlay(Play, frozen=True, tag="bot_play"):
    """Play for the server's bot on the seat."""


class Hint(Command, frozen=True):
    """Count a hint for the state after entry ``at_seq``, which is about to be shown to the seat."""

    at_seq: int


class StandIn(Command, frozen=True):
    """Let a bot play for the absent player, where the setup says so."""


class Flag(Command, frozen=True):
    """Call a seat's time."""


class ExpireTimer(Command, frozen=True):
    """Call the shared timer."""


class Vacation(Command, frozen=True):
    """Stop a user's time, or let it run again: they are on vacation, or back."""

    is_on: bool


class Start(Command, frozen=True):
    """Start the clocks: everybody has arrived, or has had time to."""


class Compensate(Command, frozen=True):
    """Give back the time during which no server was running."""

    since: int
    until: int


class Wake(Command, frozen=True):
    """Resume after the longest pause."""


class Abort(Command, frozen=True):
    """Abort a match that nobody joined, or that stood still for very long."""
