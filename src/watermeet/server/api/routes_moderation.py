"""Endpoints for moderators and administrators, and what those whom they warn are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from watermeet.server.api.models_moderation import (
    ActRequest,
    AuditInfo,
    AuditResponse,
    ConductResponse,
    ModeratedUserResponse,
    NoticeInfo,
    NoticeListResponse,
    RoleRequest,
)
from watermeet.server.api.routes_ratings import UserName
from watermeet.server.api.routes_social import find_user
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import NotFound
from watermeet.server.people.conduct import FREE, standing_of
from watermeet.server.people.moderation import ActDetails, check_moderator
from watermeet.server.store.moderation import NamedAudit, NoticeRow
from watermeet.server.store.rows import UserRow

NoticeId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="Of the list.")]
LISTED = 100
DELETED = "Deleted user"


async def moderator(call: Call) -> UserRow:
    """The caller, who is a moderator or an administrator; raises Forbidden."""
    user = await call.user()
    check_moderator(user)
    return user


def audit_info(each: NamedAudit) -> AuditInfo:
    """An act, with names."""
    details = msgspec.json.decode(each.row.body, type=ActDetails)
    by = each.actor or (DELETED if each.row.actor else "")
    about = each.subject or "Guest"
    return AuditInfo(
        each.row.at, by, each.row.act, about, details.reason, details.until, details.role
    )


async def moderated(call: Call, user: UserRow) -> ModeratedUserResponse:
    """A user, as moderators see them."""
    return ModeratedUserResponse(
        user.name or "Guest",
        user.role,
        user.is_registered,
        user.created_at,
        user.muted_until,
        user.suspended_until,
        [audit_info(each) for each in await call.services.moderation.log(LISTED, user.id)],
        (await standing_of(call.services.store, user.id, call.services.now())).departures,
    )


@endpoint("GET", "/moderation/log", auth="required", scope="moderate", errors=(403,))
async def get_audit_log(call: Call) -> AuditResponse:
    """The last 100 acts of moderators, administrators and the host."""
    await moderator(call)
    found = await call.services.moderation.log(LISTED)
    return AuditResponse([audit_info(each) for each in found])


@endpoint("GET", "/moderation/users/{user}", auth="required", scope="moderate", errors=(403, 404))
async def get_moderated_user(call: Call, user: UserName) -> ModeratedUserResponse:
    """Somebody's role, and what was done about them."""
    await moderator(call)
    return await moderated(call, await find_user(call, user))


@endpoint(
    "PUT", "/moderation/users/{user}/role", auth="required", scope=None, errors=(400, 403, 404)
)
async def set_role(call: Call, user: UserName, body: RoleRequest) -> ModeratedUserResponse:
    """Give somebody a role; administrators may, where they are signed in."""
    actor = await moderator(call)
    subject = await find_user(call, user)
    await call.services.moderation.put_role(actor, subject, body.role)
    return await moderated(call, await find_user(call, user))


@endpoint(
    "POST",
    "/moderation/acts",
    status=201,
    auth="required",
    scope="moderate",
    errors=(400, 403, 404),
)
async def moderate(call: Call, body: ActRequest) -> ModeratedUserResponse:
    """Warn, mute or suspend somebody, or lift all of it."""
    actor = await moderator(call)
    subject = await find_user(call, body.name)
    await call.services.moderation.act(actor, subject, body.act, reason=body.reason, days=body.days)
    return await moderated(call, await find_user(call, body.name))


# ---- those whom it is about ---------------------------------------------------------------------


@endpoint("GET", "/me/conduct", auth="required", scope="read")
async def get_conduct(call: Call) -> ConductResponse:
    """How many rated matches the user has left, and when they may play the next one."""
    user, services = await call.user(), call.services
    found = await standing_of(services.store, user.id, services.now())
    return ConductResponse(found.departures, FREE, found.cooling_until)


@endpoint("GET", "/me/notices", auth="required", scope="read")
async def list_notices(call: Call) -> NoticeListResponse:
    """What moderators did about the user and the user hasn't confirmed yet."""
    return await _notices(call, await call.user())


@endpoint("DELETE", "/me/notices/{notice}", auth="required", scope="play", errors=(404,))
async def confirm_notice(call: Call, notice: NoticeId) -> NoticeListResponse:
    """Confirm a notice: it isn't shown again."""
    user = await call.user()
    if not await call.services.store.delete_notice(user.id, notice):
        raise NotFound("you have no such notice", "GET /api/me/notices lists them")
    return await _notices(call, user)


async def _notices(call: Call, user: UserRow) -> NoticeListResponse:
    found = await call.services.store.notices(user.id)
    return NoticeListResponse(notice_infos(found))


def notice_infos(rows: Sequence[NoticeRow]) -> list[NoticeInfo]:
    """Notices, as the user sees them."""
    return [NoticeInfo(row.id, row.act, row.reason, row.until, row.at) for row in rows]
