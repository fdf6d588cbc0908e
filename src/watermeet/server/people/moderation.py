"""Moderation: who may warn, mute and suspend whom; and an audit log of all that was done.

The host acts by the command line, moderators and administrators on their page. All of them come
through here, so every act is in the log, written together with what it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from watermeet.core.errors import Conflict
from watermeet.server.errors import BadRequest, Forbidden, Muted, Suspended
from watermeet.server.matches.setup import DAY
from watermeet.server.store import moderation as rows
from watermeet.server.store import sql
from watermeet.server.store.moderation import AuditRow, NamedAudit, NoticeRow
from watermeet.server.store.reports import DECIDE, ReportRow
from watermeet.server.store.rows import Job, UserRow
from watermeet.server.store.sql import Value
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

Role = Literal["player", "moderator", "administrator"]
Act = Literal["warn", "mute", "suspend", "lift"]
Decision = Act | Literal["dismiss"]
ROLES: tuple[Role, ...] = ("player", "moderator", "administrator")
FOREVER = sql.FOREVER
SUSPEND_JOB = "suspend"
MAX_DAYS = 3650


class ActDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the audit log says beside who did what to whom."""

    reason: str = ""
    until: int | None = None
    role: str = ""
    report: str = ""


class Moderation:
    """All acts, through the store."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        hear: Callable[[Sequence[Job]], None] = lambda _: None,
    ) -> None:
        """``hear`` is called with the jobs that were added."""
        self._store, self._now, self._hear = store, now, hear

    async def act(
        self,
        actor: UserRow | None,
        subject: UserRow,
        act: Decision,
        *,
        reason: str = "",
        days: int | None = None,
        report: ReportRow | None = None,
    ) -> None:
        """Warn, mute or suspend somebody, or lift all of it; without days, for good.

        Their bots are suspended with them.
        Without an actor, the host does. A report that it decides about is closed; one may also be
        dismissed. Raises Forbidden, BadRequest, Conflict.
        """
        await self._check(actor, subject)
        if report is not None and report.decision:
            raise Conflict("somebody has decided about this report", "look at the audit log")
        if act not in ("lift", "dismiss") and not reason.strip():
            raise BadRequest("there is no reason", "say why: the person is shown it")
        if days is not None and not 1 <= days <= MAX_DAYS:
            raise BadRequest(f"{days} days", f"choose 1 to {MAX_DAYS}, or none: for good")
        now, until = self._now(), None
        if act in ("mute", "suspend"):
            until = FOREVER if days is None else now + days * DAY
        every: dict[Decision, list[tuple[str, Sequence[Value]]]] = {
            "warn": [],
            "mute": [(rows.PUT_MUTE, [subject.id, until])],
            "suspend": [
                (rows.PUT_SUSPENSION, [subject.id, until]),
                (sql.SUSPEND_BOTS, [subject.id, until]),
                *sql.ending(subject.id, now),
            ],
            "lift": [(sql.LIFT_BOTS, [subject.id]), (rows.LIFT, [subject.id])],
            "dismiss": [],
        }
        job = None
        if act == "suspend":
            body = subject.id.encode()
            job = Job(f"{SUSPEND_JOB}-{make_id()}", SUSPEND_JOB, "", 0, 0, body, now)
        if report is not None:
            every[act].append((DECIDE, [report.id, act, now]))
        notice = None
        if act != "dismiss":
            notice = NoticeRow(make_id(), subject.id, act, reason, until, now)
        details = ActDetails(reason, until, report="" if report is None else report.id)
        await self._store.add_act(
            self._audit(actor, subject, act, details), every[act], notice, job
        )
        if job is not None:
            self._hear([job])

    async def put_role(self, actor: UserRow | None, subject: UserRow, role: Role) -> None:
        """Give somebody a role; raises Forbidden, BadRequest."""
        await self._check(actor, subject)
        if actor is not None and actor.role != "administrator":
            raise Forbidden("only administrators give roles", "ask one")
        if not subject.is_registered and role != "player":
            raise BadRequest("guests have no roles", "they need an account first")
        effect = (rows.PUT_ROLE, [subject.id, role])
        audit = self._audit(actor, subject, "role", ActDetails(role=role))
        await self._store.add_act(audit, [effect])

    def _audit(
        self, actor: UserRow | None, subject: UserRow, act: str, details: ActDetails
    ) -> AuditRow:
        by, body = "" if actor is None else actor.id, msgspec.json.encode(details)
        return AuditRow(make_id(), self._now(), by, act, subject.id, body)

    async def _check(self, actor: UserRow | None, subject: UserRow) -> None:
        """Nobody acts on somebody whose role isn't lower, themselves included, or on their bots."""
        if actor is None:
            return
        check_moderator(actor)
        for each in (subject, *await self._store.users([subject.owner] if subject.owner else [])):
            if ROLES.index(as_role(each.role)) >= ROLES.index(as_role(actor.role)):
                raise Forbidden("your role isn't higher than theirs", "ask an administrator")

    async def log(self, limit: int, subject: str = "") -> list[NamedAudit]:
        """The last acts, the last one first."""
        return await self._store.audit_log(limit, subject)


def as_role(text: str) -> Role:
    """A stored role."""
    role: Role = msgspec.convert(text, Role)
    return role


def check_moderator(user: UserRow) -> None:
    """Raise Forbidden for players."""
    if user.role == "player":
        raise Forbidden("only moderators may do that", "ask one")


def check_not_suspended(user: UserRow, now: int) -> None:
    """Raise Suspended."""
    if user.suspended_until is not None and user.suspended_until > now:
        until = "for good" if user.suspended_until >= FOREVER else "for a while"
        raise Suspended(f"you are suspended {until}", "ask the host of this server")


def check_not_muted(user: UserRow, now: int) -> None:
    """Raise Muted."""
    if user.muted_until is not None and user.muted_until > now:
        raise Muted("you may not write messages for now", "you were shown why")
