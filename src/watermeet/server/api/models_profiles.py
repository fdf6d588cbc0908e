"""What profiles send: statistics, past matches, and ratings over time."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from watermeet.server.api.models import MatchSummary, RatingInfo

Result = Literal["won", "drawn", "lost"]


class GameStatistics(Struct, frozen=True):
    """How somebody's matches of a game ended."""

    game: str
    won: int
    drawn: int
    lost: int


class ProfileResponse(Struct, frozen=True):
    """What anybody may know of a user."""

    name: str
    kind: str
    """named or bot."""
    is_registered: bool
    """Whether the user has an account, or is a guest with a name."""
    since: int
    is_online: bool
    ratings: list[RatingInfo]
    statistics: list[GameStatistics]
    """By game; of public matches only, unless one's own."""


class PastMatchInfo(Struct, frozen=True):
    """A match of somebody's past."""

    match: MatchSummary
    ended_at: int
    result: Literal["won", "drawn", "lost", ""]
    """Empty for somebody who played against themselves."""
    is_rated: bool


class PastMatchesResponse(Struct, frozen=True):
    """Past matches, the last one first."""

    matches: list[PastMatchInfo]
    next: str | None
    """``before`` of the next page."""


class FavouritesResponse(Struct, frozen=True):
    """Favourite matches, the last one first."""

    matches: list[MatchSummary]
    next: str | None
    """``before`` of the next page."""


class RatingPointInfo(Struct, frozen=True):
    """A rating after a match."""

    match: str | None
    """Only the user sees it."""
    at: int
    rating: int
    deviation: int


class RatingChangeInfo(Struct, frozen=True):
    """What a match meant for somebody's rating."""

    seat: int
    rating: int
    deviation: int
    change: int
    is_provisional: bool


class SeatRatingInfo(Struct, frozen=True):
    """The rating of a player, person or bot."""

    seat: int
    rating: int
    is_provisional: bool


class MatchRatingsResponse(Struct, frozen=True):
    """The ratings in a rated match, as they are now, and how it changed them once it counts."""

    ratings: list[SeatRatingInfo]
    changes: list[RatingChangeInfo]


class RatingHistoryResponse(Struct, frozen=True):
    """A rating over time."""

    game: str
    kind: str
    points: list[RatingPointInfo]
