"""Bodies of REST about people together: following, blocks and mutes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from watermeet.server.api.models import MatchId, SeatNumber


class PersonRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody: by name, or by the seat that they have in a match."""

    name: Annotated[str, Meta(max_length=40)] = ""
    match: MatchId | None = None
    seat: SeatNumber | None = None


class BlockRequest(PersonRequest, frozen=True, kw_only=True):
    """Whom to block; ``only_chat``: to hear no longer, and nothing else."""

    only_chat: bool = False


class FollowedInfo(Struct, frozen=True):
    """Somebody whom the user follows."""

    name: str
    is_online: bool
    is_friend: bool
    """Whether they follow the user, too."""
    since: int


class FollowingResponse(Struct, frozen=True):
    """Whom the user follows: those who are online first."""

    following: list[FollowedInfo]


class BlockInfo(Struct, frozen=True):
    """Somebody whom the user has blocked or muted."""

    block: str
    name: str
    """Of somebody blocked by their seat, the one that they had at the match."""
    only_chat: bool
    since: int


class BlockListResponse(Struct, frozen=True):
    """Whom the user has blocked, the last one first."""

    blocks: list[BlockInfo]
