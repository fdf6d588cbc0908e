"""What the store keeps for slow play: vacations, and replies that players have queued."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from watermeet.server.store import sql
from watermeet.server.store.rows import MatchRow, match_row
from watermeet.server.store.sql import Statement

Rows = Sequence[Sequence[Any]]

_VACATION = "user_id, began_at, ends_at, ended_at"

# A second vacation at a time is rejected by an index.
ADD_VACATION = f"INSERT INTO vacations ({_VACATION}) VALUES ($1, $2, $3, $4)"

END_VACATION = """
UPDATE vacations SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL RETURNING user_id"""

# All that reach into the time since $2, the first one first.
VACATIONS_OF = f"""
SELECT {_VACATION} FROM vacations WHERE user_id = $1 AND (ended_at IS NULL OR ended_at > $2)
ORDER BY began_at"""

UNSETTLED_VACATIONS = f"""
SELECT {_VACATION} FROM vacations WHERE NOT is_settled ORDER BY began_at LIMIT $1"""

SETTLE_VACATION = """
UPDATE vacations SET is_settled = TRUE WHERE user_id = $1 AND began_at = $2"""

DELETE_VACATIONS = "DELETE FROM vacations WHERE user_id = $1"

# What somebody is playing, the one that waited longest first.
RUNNING_OF = f"""
SELECT {sql.MATCH} FROM matches
WHERE id IN (SELECT match_id FROM players WHERE user_id = $1) AND stage IN ('playing', 'paused')
ORDER BY changed_at, id"""

PUT_REPLIES = """
INSERT INTO queued_replies (match_id, seat, body) VALUES ($1, $2, $3)
ON CONFLICT (match_id, seat) DO UPDATE SET body = excluded.body"""

READ_REPLIES = "SELECT body FROM queued_replies WHERE match_id = $1 AND seat = $2"

DELETE_REPLIES = "DELETE FROM queued_replies WHERE match_id = $1 AND seat = $2"


def deletion(user: str) -> list[Statement]:
    """What is deleted with a user."""
    return [Statement(DELETE_VACATIONS, [user])]


class VacationRow(NamedTuple):
    """A vacation; ``ended_at`` is None while it lasts."""

    user: str
    began_at: int
    ends_at: int
    ended_at: int | None = None


class CalledStore(ABC):
    """A part of the store."""

    @abstractmethod
    async def _read(self, statement: Statement) -> Rows: ...

    @abstractmethod
    async def _write(self, *statements: Statement) -> Rows: ...

    # ---- vacations ---------------------------------------------------------------------------

    async def add_vacation(self, row: VacationRow) -> None:
        """Begin a vacation; raises ConstraintViolation if the user is on one."""
        await self._write(Statement(ADD_VACATION, row))

    async def end_vacation(self, user: str, at: int) -> bool:
        """End the vacation of a user; False if they aren't on one."""
        return bool(await self._write(Statement(END_VACATION, [user, at])))

    async def vacations_of(self, user: str, since: int) -> list[VacationRow]:
        """The vacations of a user that reach into the time since then."""
        rows = await self._read(Statement(VACATIONS_OF, [user, since]))
        return [VacationRow(*row) for row in rows]

    async def unsettled_vacations(self, limit: int) -> list[VacationRow]:
        """Vacations that last, or that have ended without all logs saying so."""
        rows = await self._read(Statement(UNSETTLED_VACATIONS, [limit]))
        return [VacationRow(*row) for row in rows]

    async def settle_vacation(self, row: VacationRow) -> None:
        """Note that all logs say that a vacation has ended."""
        await self._write(Statement(SETTLE_VACATION, [row.user, row.began_at]))

    async def running_of(self, user: str) -> list[MatchRow]:
        """The matches that a user is playing."""
        rows = await self._read(Statement(RUNNING_OF, [user]))
        return [match_row(row) for row in rows]

    # ---- queued replies ----------------------------------------------------------------------

    async def put_replies(self, match: str, seat: int, body: bytes) -> None:
        """Queue the replies of a seat, instead of those from before."""
        await self._write(Statement(PUT_REPLIES, [match, seat, body]))

    async def replies(self, match: str, seat: int) -> bytes | None:
        """The queued replies of a seat."""
        rows = await self._read(Statement(READ_REPLIES, [match, seat]))
        return bytes(rows[0][0]) if rows else None

    async def delete_replies(self, match: str, seat: int) -> None:
        """Delete the queued replies of a seat."""
        await self._write(Statement(DELETE_REPLIES, [match, seat]))
