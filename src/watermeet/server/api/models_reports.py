"""Bodies of REST about reports."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from watermeet.server.api.models_company import PersonRequest
from watermeet.server.people.moderation import MAX_DAYS
from watermeet.server.people.reports import EvidenceMessage, Reason


class ReportRequest(PersonRequest, frozen=True, kw_only=True):
    """Whom to report, and why. With a name, ``match`` says where it happened."""

    reason: Reason
    note: Annotated[str, Meta(max_length=500)] = ""


class ReportResponse(Struct, frozen=True):
    """A report was sent."""

    report: str


class ReportInfo(Struct, frozen=True):
    """A report, as moderators see it."""

    report: str
    at: int
    by: str
    about: str
    reason: str
    note: str
    match: str
    entries: int
    """How many entries the match had."""
    messages: list[EvidenceMessage]
    decision: str
    """warn, mute, suspend or dismiss; empty: nobody has decided yet."""


class ReportListResponse(Struct, frozen=True):
    """Reports, the last one first; open ones by people with an account come before others."""

    reports: list[ReportInfo]
    next: str | None
    """``before`` of the next page."""


class DecisionRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a moderator decides about a report; without ``days``, for good."""

    act: Literal["warn", "mute", "suspend", "dismiss"]
    reason: Annotated[str, Meta(max_length=500)] = ""
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] | None = None
