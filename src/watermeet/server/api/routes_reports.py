"""Endpoints for reports: to send one, and to decide about it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from watermeet.server.api.models_moderation import ModeratedUserResponse
from watermeet.server.api.models_reports import (
    DecisionRequest,
    ReportInfo,
    ReportListResponse,
    ReportRequest,
    ReportResponse,
)
from watermeet.server.api.routes_moderation import DELETED, LISTED, moderated, moderator
from watermeet.server.api.routes_ratings import UserName
from watermeet.server.api.routes_social import find_person, find_user
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import NotFound
from watermeet.server.people.reports import Evidence
from watermeet.server.store.reports import NamedReport

ReportId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="Of the list.")]


@endpoint(
    "POST", "/reports", status=201, auth="required", scope="play", errors=(400, 403, 404, 409)
)
async def send_report(call: Call, body: ReportRequest) -> ReportResponse:
    """Report somebody; the messages and the match are attached."""
    user = await call.user()
    subject, label = await find_person(call, body)
    match = None
    if body.match is not None:
        match = (await call.services.matches.current(body.match)).match
        await call.seat_in(match)
    made = await call.services.reports.add(
        user, subject, label, body.reason, body.note, match, call.address
    )
    return ReportResponse(made)


@endpoint("GET", "/moderation/reports", auth="required", scope="moderate", errors=(403, 404))
async def list_reports(
    call: Call, about: UserName | None = None, before: ReportId | None = None
) -> ReportListResponse:
    """Reports that nobody has decided about; or all reports about the user with a name.

    ``before`` asks for the next page.
    """
    await moderator(call)
    store = call.services.store
    last = None if before is None else (await _find(call, before)).row
    if about is None:
        found = await store.open_reports(LISTED, last)
    else:
        found = await store.reports_of((await find_user(call, about)).id, LISTED, last)
    following = found[-1].row.id if len(found) == LISTED else None
    return ReportListResponse([_info(each) for each in found], following)


@endpoint(
    "GET", "/moderation/reports/{report}", auth="required", scope="moderate", errors=(403, 404)
)
async def get_report(call: Call, report: ReportId) -> ReportInfo:
    """One report, with its evidence."""
    await moderator(call)
    return _info(await _find(call, report))


@endpoint(
    "POST",
    "/moderation/reports/{report}",
    auth="required",
    scope="moderate",
    errors=(400, 403, 404, 409),
)
async def decide_report(
    call: Call, report: ReportId, body: DecisionRequest
) -> ModeratedUserResponse:
    """Decide about a report: warn, mute or suspend whom it is about, or dismiss it."""
    actor, found = await moderator(call), await _find(call, report)
    subject = await call.services.store.user(found.row.subject)
    if subject is None:
        raise NotFound("that user is gone", "dismiss the report")
    await call.services.moderation.act(
        actor, subject, body.act, reason=body.reason, days=body.days, report=found.row
    )
    after = await call.services.store.user(subject.id)
    return await moderated(call, after or subject)


async def _find(call: Call, report: str) -> NamedReport:
    found = await call.services.store.report(report)
    if found is None:
        raise NotFound("there is no such report", "GET /api/moderation/reports lists them")
    return found


def _info(each: NamedReport) -> ReportInfo:
    row, evidence = each.row, msgspec.json.decode(each.row.evidence, type=Evidence)
    return ReportInfo(
        row.id,
        row.at,
        each.reporter or ("Guest" if row.reporter else DELETED),
        row.subject_name,
        row.reason,
        row.note,
        row.match,
        evidence.entries,
        evidence.messages,
        row.decision,
    )
