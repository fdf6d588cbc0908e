"""What the store knows of moderation: roles, sanctions, notices and the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from watermeet.server.store import sql
from watermeet.server.store.part import StorePart
from watermeet.server.store.rows import Job
from watermeet.server.store.sql import Statement, Value


class AuditRow(NamedTuple):
    """An act of a moderator or an administrator. There are ids in it, no names."""

    id: str
    at: int
    actor: str
    """Empty: the host, by the command line."""
    act: str
    subject: str
    body: bytes
    """JSON: the reason, until when, the report."""


class NamedAudit(NamedTuple):
    """An act, with the names that its people have now."""

    row: AuditRow
    actor: str | None
    subject: str | None


class NoticeRow(NamedTuple):
    """What a user must be shown once."""

    id: str
    user: str
    act: str
    reason: str
    until: int | None
    at: int


PUT_ROLE = "UPDATE users SET role = $2 WHERE id = $1"
PUT_MUTE = "UPDATE users SET muted_until = $2 WHERE id = $1"
PUT_SUSPENSION = "UPDATE users SET suspended_until = $2 WHERE id = $1"
LIFT = "UPDATE users SET muted_until = NULL, suspended_until = NULL WHERE id = $1"

# There is neither an UPDATE nor a DELETE of this table, and a test looks for them.
ADD_AUDIT = """
INSERT INTO audit_log (id, at, actor_id, act, subject_id, body) VALUES ($1, $2, $3, $4, $5, $6)"""

_AUDIT = """
SELECT audit_log.id, audit_log.at, audit_log.actor_id, audit_log.act, audit_log.subject_id,
  audit_log.body, actors.name, subjects.name
FROM audit_log LEFT JOIN users AS actors ON actors.id = audit_log.actor_id
  LEFT JOIN users AS subjects ON subjects.id = audit_log.subject_id"""

READ_AUDIT = f"{_AUDIT} ORDER BY audit_log.at DESC, audit_log.id DESC LIMIT $1"

READ_AUDIT_OF = f"""{_AUDIT} WHERE audit_log.subject_id = $1
ORDER BY audit_log.at DESC, audit_log.id DESC LIMIT $2"""

ADD_NOTICE = """
INSERT INTO notices (id, user_id, act, reason, until, at) VALUES ($1, $2, $3, $4, $5, $6)"""

READ_NOTICES = """
SELECT id, user_id, act, reason, until, at FROM notices WHERE user_id = $1 ORDER BY at"""

DELETE_NOTICE = "DELETE FROM notices WHERE id = $1 AND user_id = $2 RETURNING id"

DELETE_NOTICES = "DELETE FROM notices WHERE user_id = $1"


class ModerationStore(StorePart):
    """The part of the store that is about moderation."""

    async def add_act(
        self,
        audit: AuditRow,
        effects: Sequence[tuple[str, Sequence[Value]]] = (),
        notice: NoticeRow | None = None,
        job: Job | None = None,
    ) -> None:
        """Write an act with its effects, all or nothing."""
        statements = [Statement(ADD_AUDIT, audit)]
        statements += [Statement(text, values) for text, values in effects]
        if notice is not None:
            statements.append(Statement(ADD_NOTICE, notice))
        if job is not None:
            statements.append(Statement(sql.ADD_JOB, job))
        await self._write(*statements)

    async def audit_log(self, limit: int, subject: str = "") -> list[NamedAudit]:
        """The last acts, all of them or those about one user; the last one first."""
        values: list[Value] = [subject, limit] if subject else [limit]
        rows = await self._read(Statement(READ_AUDIT_OF if subject else READ_AUDIT, values))
        return [NamedAudit(AuditRow(*row[:6]), row[6], row[7]) for row in rows]

    async def notices(self, user: str) -> list[NoticeRow]:
        """What a user hasn't been shown yet, the first one first."""
        return [NoticeRow(*row) for row in await self._read(Statement(READ_NOTICES, [user]))]

    async def delete_notice(self, user: str, notice: str) -> bool:
        """Note that a user was shown a notice; False if there is none."""
        return bool(await self._write(Statement(DELETE_NOTICE, [notice, user])))
