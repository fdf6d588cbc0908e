"""Bodies of REST about seeks and challenges."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from watermeet.core.options import Value
from watermeet.server.matches.setup import GameName, TimeControl, Unlimited
from watermeet.server.people.ratings.fold import PROVISIONAL
from watermeet.server.people.seeks import Seeking, StoredSeek

SeekId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="The seek.")]


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of request bodies."""


class SeekRequest(_Request, frozen=True, kw_only=True):
    """What somebody wants to play; bots may fill the seats after ``bot_after_s`` seconds.

    ``name`` is for guests; users with a name go by that. ``known_match`` is the last match that the
    client was paired for: whoever was paired since and hasn't heard of it gets that match instead.
    """

    game: GameName
    options: Annotated[dict[str, Value], Meta(max_length=64)] = {}
    time_control: TimeControl = Unlimited()
    is_rated: bool = False
    bot_after_s: Annotated[int, Meta(ge=0, le=3600)] | None = None
    name: Annotated[str, Meta(max_length=40)] = ""
    known_match: Annotated[str, Meta(max_length=40)] = ""


class JoinSeekRequest(_Request, frozen=True, kw_only=True):
    """Play what somebody else seeks; the fields mean the same as in a seek."""

    name: Annotated[str, Meta(max_length=40)] = ""
    known_match: Annotated[str, Meta(max_length=40)] = ""


class SeekInfo(Struct, frozen=True):
    """A seek, as everybody sees it."""

    id: str
    name: str
    is_registered: bool
    rating: int
    is_provisional: bool
    game: str
    options: dict[str, Value]
    time_control: TimeControl
    is_rated: bool
    at: int
    """Since when, in milliseconds since 1970."""
    bot_after_s: int | None = None


class SeekingResponse(Struct, frozen=True):
    """What the user seeks; or ``match``, if they were paired a moment ago."""

    seeks: list[SeekInfo]
    match: str | None


class SeekResponse(SeekingResponse, frozen=True):
    """The same, with the new seek's id; None if the user was paired a moment ago."""

    seek: str | None


class LobbyResponse(Struct, frozen=True):
    """Everybody's seeks, the longest waiting first."""

    seeks: list[SeekInfo]


def seek_info(seek: StoredSeek) -> SeekInfo:
    """A seek, as everybody sees it."""
    after = None if seek.bot_after_ms is None else seek.bot_after_ms // 1000
    return SeekInfo(
        seek.id,
        seek.name,
        seek.is_registered,
        round(seek.rating),
        seek.deviation > PROVISIONAL,
        seek.game,
        dict(seek.options),
        seek.time_control,
        seek.is_rated,
        seek.at,
        after,
    )


def seeking_response(seeking: Seeking) -> SeekingResponse:
    """What a user seeks."""
    return SeekingResponse([seek_info(each) for each in seeking.seeks], seeking.match or None)
