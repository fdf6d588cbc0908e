"""Bodies of REST about moderation."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from watermeet.server.people.moderation import MAX_DAYS, Act, Role

Reason = Annotated[str, Meta(max_length=500)]


class ActRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a moderator does about somebody; without ``days``, for good."""

    name: Annotated[str, Meta(max_length=40)]
    act: Act
    reason: Reason = ""
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] | None = None


class RoleRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new role."""

    role: Role


class AuditInfo(Struct, frozen=True):
    """An act: who did what about whom. Without ``by``, the host did."""

    at: int
    by: str
    act: str
    about: str
    reason: str
    until: int | None
    role: str


class AuditResponse(Struct, frozen=True):
    """The last acts, the last one first."""

    acts: list[AuditInfo]


class ModeratedUserResponse(Struct, frozen=True):
    """A user, as moderators see them."""

    name: str
    role: str
    is_registered: bool
    created_at: int
    muted_until: int | None
    suspended_until: int | None
    acts: list[AuditInfo]
    departures: int
    """Rated matches that they have left in the last 30 days."""


class ConductResponse(Struct, frozen=True):
    """How the user stands."""

    departures: int
    """Rated matches that they have left in the last 30 days."""
    allowed: int
    """How many have no consequence."""
    cooling_until: int | None
    """When they may play rated matches again; null: now."""


class NoticeInfo(Struct, frozen=True):
    """What was done about the user."""

    notice: str
    act: str
    reason: str
    until: int | None
    at: int


class NoticeListResponse(Struct, frozen=True):
    """What the user hasn't confirmed yet, the first one first."""

    notices: list[NoticeInfo]
