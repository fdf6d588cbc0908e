"""What the store knows of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from watermeet.server.store.part import StorePart
from watermeet.server.store.sql import Statement


class ReportRow(NamedTuple):
    """That somebody has reported somebody."""

    id: str
    at: int
    reporter: str
    subject: str
    subject_name: str
    """What the subject was called then."""
    reason: str
    note: str
    match: str
    evidence: bytes
    """JSON: messages, and how many entries the match had."""
    decision: str = ""
    """An act or dismiss; empty: nobody has decided yet."""
    decided_at: int | None = None
    is_by_account: bool = True
    """Whether the reporter had an account then."""


class NamedReport(NamedTuple):
    """A report, with the name that its reporter has now."""

    row: ReportRow
    reporter: str | None


_REPORT = """id, at, reporter_id, subject_id, subject_name, reason, note, match_id, evidence,
  decision, decided_at, is_by_account"""
_COLUMNS = len(ReportRow._fields)

# Unless nobody has decided yet about another one by the same person about the same person.
ADD_REPORT = f"""
INSERT INTO reports ({_REPORT}) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
WHERE NOT EXISTS (
  SELECT 1 FROM reports WHERE reporter_id = $3 AND subject_id = $4 AND decision = ''
)
RETURNING id"""

_READ = f"""
SELECT {_REPORT}, (SELECT name FROM users WHERE users.id = reports.reporter_id) FROM reports"""

READ_REPORT = f"{_READ} WHERE id = $1"

OPEN_REPORTS = f"""{_READ} WHERE decision = '' AND (is_by_account, at, id) < ($2, $3, $4)
ORDER BY is_by_account DESC, at DESC, id DESC LIMIT $1"""

REPORTS_OF = f"""{_READ} WHERE subject_id = $1 AND (at, id) < ($3, $4)
ORDER BY at DESC, id DESC LIMIT $2"""

_FIRST = True, 2**62, ""
"""What precedes a first page."""

REPORTS_BY = f"{_READ} WHERE reporter_id = $1 ORDER BY at"

DECIDE = "UPDATE reports SET decision = $2, decided_at = $3 WHERE id = $1"

DELETE_REPORTS_OF = "DELETE FROM reports WHERE subject_id = $1"


class ReportStore(StorePart):
    """The part of the store that is about reports."""

    async def add_report(self, report: ReportRow) -> bool:
        """Add a report; False if there is an open one by and about the same people."""
        return bool(await self._write(Statement(ADD_REPORT, report)))

    async def report(self, id: str) -> NamedReport | None:  # noqa: A002
        """A report by id."""
        rows = await self._read(Statement(READ_REPORT, [id]))
        return _named(rows[0]) if rows else None

    async def open_reports(self, limit: int, before: ReportRow | None = None) -> list[NamedReport]:
        """Reports that nobody has decided about: those by accounts first, the last one first."""
        start = _FIRST if before is None else (before.is_by_account, before.at, before.id)
        return list(map(_named, await self._read(Statement(OPEN_REPORTS, [limit, *start]))))

    async def reports_by(self, reporter: str) -> list[ReportRow]:
        """What somebody has reported, in order."""
        rows = await self._read(Statement(REPORTS_BY, [reporter]))
        return [_named(row).row for row in rows]

    async def reports_of(
        self, subject: str, limit: int, before: ReportRow | None = None
    ) -> list[NamedReport]:
        """Reports about somebody, the last one first."""
        start = _FIRST[1:] if before is None else (before.at, before.id)
        return list(map(_named, await self._read(Statement(REPORTS_OF, [subject, limit, *start]))))


def _named(row: Sequence[Any]) -> NamedReport:
    return NamedReport(ReportRow(*row[:_COLUMNS]), row[_COLUMNS])
