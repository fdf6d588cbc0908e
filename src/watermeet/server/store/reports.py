"""What the store knows of reports."""

from __future__ import annotations

from typing import NamedTuple

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


class NamedReport(NamedTuple):
    """A report, with the name that its reporter has now."""

    row: ReportRow
    reporter: str | None


_REPORT = """id, at, reporter_id, subject_id, subject_name, reason, note, match_id, evidence,
  decision, decided_at"""

ADD_REPORT = f"""
INSERT INTO reports ({_REPORT}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"""

_READ = f"""
SELECT {_REPORT}, (SELECT name FROM users WHERE users.id = reports.reporter_id) FROM reports"""

READ_REPORT = f"{_READ} WHERE id = $1"

OPEN_REPORTS = f"{_READ} WHERE decision = '' ORDER BY at DESC, id DESC LIMIT $1"

REPORTS_OF = f"{_READ} WHERE subject_id = $1 ORDER BY at DESC, id DESC LIMIT $2"

REPORTS_BY = f"{_READ} WHERE reporter_id = $1 ORDER BY at"

DECIDE = "UPDATE reports SET decision = $2, decided_at = $3 WHERE id = $1"

DELETE_REPORTS_OF = "DELETE FROM reports WHERE subject_id = $1"


class ReportStore(StorePart):
    """The part of the store that is about reports."""

    async def add_report(self, report: ReportRow) -> None:
        """Add a report."""
        await self._write(Statement(ADD_REPORT, report))

    async def report(self, id: str) -> NamedReport | None:  # noqa: A002
        """A report by id."""
        rows = await self._read(Statement(READ_REPORT, [id]))
        return NamedReport(ReportRow(*rows[0][:11]), rows[0][11]) if rows else None

    async def open_reports(self, limit: int) -> list[NamedReport]:
        """Reports that nobody has decided about, the last one first."""
        rows = await self._read(Statement(OPEN_REPORTS, [limit]))
        return [NamedReport(ReportRow(*row[:11]), row[11]) for row in rows]

    async def reports_by(self, reporter: str) -> list[ReportRow]:
        """What somebody has reported, in order."""
        rows = await self._read(Statement(REPORTS_BY, [reporter]))
        return [ReportRow(*row[:11]) for row in rows]

    async def reports_of(self, subject: str, limit: int) -> list[NamedReport]:
        """Reports about somebody, the last one first."""
        rows = await self._read(Statement(REPORTS_OF, [subject, limit]))
        return [NamedReport(ReportRow(*row[:11]), row[11]) for row in rows]
