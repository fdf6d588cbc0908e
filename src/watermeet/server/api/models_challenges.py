"""Bodies of REST about challenges."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from watermeet.core.options import Value
from watermeet.server.matches.setup import GameName, TimeControl, Unlimited
from watermeet.server.people.challenges import Challenge

ChallengeId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="The challenge.")]
Status = Literal["open", "accepted", "declined", "withdrawn"]


class ChallengeRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the user with the name ``to`` is challenged to.

    ``seat`` is the challenger's; null: random. ``name`` is for guests.
    """

    to: Annotated[str, Meta(min_length=1, max_length=40)]
    game: GameName
    options: Annotated[dict[str, Value], Meta(max_length=64)] = {}
    time_control: TimeControl = Unlimited()
    is_rated: bool = False
    seat: Annotated[int, Meta(ge=0, le=1)] | None = None
    name: Annotated[str, Meta(max_length=40)] = ""


class ChallengeInfo(Struct, frozen=True):
    """A challenge, as the two people in it see it; ``match`` is set once it is accepted."""

    id: str
    is_mine: bool
    """Whether the recipient of this has sent the challenge."""
    from_name: str
    to_name: str
    game: str
    options: dict[str, Value]
    time_control: TimeControl
    is_rated: bool
    seat: int | None
    status: Status
    created_at: int
    expires_at: int
    match: str | None


class ChallengesResponse(Struct, frozen=True):
    """The user's challenges, sent and received, the oldest first."""

    challenges: list[ChallengeInfo]


class AcceptedResponse(Struct, frozen=True):
    """The match that came of a challenge."""

    match: str


def challenge_info(challenge: Challenge, user: str) -> ChallengeInfo:
    """A challenge, as one of the two people sees it."""
    row, content = challenge.row, challenge.content
    wanted = content.wanted
    return ChallengeInfo(
        row.id,
        row.from_user == user,
        content.from_name,
        content.to_name,
        wanted.game,
        dict(wanted.options),
        wanted.time_control,
        wanted.is_rated,
        content.seat,
        msgspec.convert(row.status, Status),
        row.created_at,
        row.expires_at,
        row.match or None,
    )
