"""What the export of a user's data has."""

from __future__ import annotations

from msgspec import Struct

from watermeet.server.api import models
from watermeet.server.api.models_calls import CallData
from watermeet.server.api.models_challenges import ChallengeInfo
from watermeet.server.api.models_moderation import NoticeInfo
from watermeet.server.api.models_profiles import RatingHistoryResponse
from watermeet.server.api.models_seeks import SeekInfo


class ReportData(Struct, frozen=True):
    """What the user has reported, about whom."""

    at: int
    name: str
    reason: str
    note: str
    match: str


class DataResponse(Struct, frozen=True, kw_only=True):
    """All that the server has about a user."""

    user: models.UserResponse
    created_at: int
    mail_address: str | None
    passkeys: list[str]
    """Labels, like those of personal access tokens."""
    tokens: list[str]
    bots: list[str]
    """Names of the bots that the user has created."""
    sessions: list[models.SessionInfo]
    matches: list[models.MatchData]
    ratings: list[models.RatingInfo]
    puzzles: list[models.PuzzleResultData]
    following: list[str]
    """Names, as in blocks; those who are only muted are among them."""
    blocks: list[str]
    messages: list[models.MessageData]
    calls: CallData
    rating_history: list[RatingHistoryResponse]
    favourites: list[str]
    """Matches."""
    imports: list[str]
    """Matches whose records the user has imported."""
    reports: list[ReportData]
    seeks: list[SeekInfo]
    challenges: list[ChallengeInfo]
    """Those that are open, from and to the user."""
    departures: list[int]
    """When the user has left rated matches."""
    notices: list[NoticeInfo]
    """What moderators did, as far as the user hasn't confirmed it."""
