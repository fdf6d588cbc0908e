"""What the store keeps for slow play and for calling people: vacations, push messages, digests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from watermeet.server.store import sql
from watermeet.server.store.part import StorePart
from watermeet.server.store.rows import Job, MatchRow, match_row
from watermeet.server.store.sql import Statement

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
SELECT {_VACATION} FROM vacations
WHERE NOT is_settled AND (began_at, user_id) > ($2, $3)
ORDER BY began_at, user_id LIMIT $1"""

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


# The first key stays.
PUT_KEY = "INSERT INTO server_keys (name, body) VALUES ($1, $2) ON CONFLICT DO NOTHING"

READ_KEY = "SELECT body FROM server_keys WHERE name = $1"

_SUBSCRIPTION = "token_hash, user_id, endpoint, p256dh, auth, language, kinds"

# A browser has one endpoint, whoever uses it: the last one who subscribes has it.
DROP_ENDPOINT = "DELETE FROM push_subscriptions WHERE endpoint = $1 AND token_hash <> $2"

PUT_SUBSCRIPTION = f"""
INSERT INTO push_subscriptions ({_SUBSCRIPTION}) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (token_hash) DO UPDATE SET user_id = excluded.user_id, endpoint = excluded.endpoint,
  p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language,
  kinds = excluded.kinds"""

READ_SUBSCRIPTION = f"SELECT {_SUBSCRIPTION} FROM push_subscriptions WHERE token_hash = $1"

# Only those of devices that are still signed in.
SUBSCRIPTIONS_OF = f"""
SELECT {_SUBSCRIPTION} FROM push_subscriptions
WHERE user_id = $1 AND token_hash IN (SELECT hash FROM tokens WHERE user_id = $1)"""

DELETE_SUBSCRIPTION = "DELETE FROM push_subscriptions WHERE token_hash = $1"

DELETE_SUBSCRIPTIONS = "DELETE FROM push_subscriptions WHERE user_id = $1"

CALLED_USERS = "SELECT DISTINCT user_id FROM push_subscriptions"

_DIGEST = "user_id, every, language, code_hash, next_at"

PUT_DIGEST = f"""
INSERT INTO digests ({_DIGEST}) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id) DO UPDATE SET every = excluded.every, language = excluded.language,
  code_hash = excluded.code_hash, next_at = excluded.next_at"""

READ_DIGEST = f"SELECT {_DIGEST} FROM digests WHERE user_id = $1"

DUE_DIGESTS = f"SELECT {_DIGEST} FROM digests WHERE next_at <= $1 ORDER BY next_at LIMIT $2"

# Whoever gets the row sends the digest: $2 is when it was due, $3 is the next time.
CLAIM_DIGEST = """
UPDATE digests SET next_at = $3 WHERE user_id = $1 AND next_at = $2 RETURNING user_id"""

# The job that sends the digest, in the same transaction: $10 and $11 are $1 and $2 of the claim.
ADD_DIGEST_JOB = f"""
INSERT INTO jobs ({sql.JOB}, free_at) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $7
WHERE EXISTS (SELECT 1 FROM digests WHERE user_id = $10 AND next_at = $11)
ON CONFLICT DO NOTHING"""

DELETE_DIGEST = "DELETE FROM digests WHERE user_id = $1"

DELETE_DIGEST_BY_CODE = "DELETE FROM digests WHERE code_hash = $1 RETURNING user_id"


def deletion(user: str) -> list[Statement]:
    """What is deleted with a user."""
    tables = DELETE_VACATIONS, DELETE_SUBSCRIPTIONS, DELETE_DIGEST
    return [Statement(table, [user]) for table in tables]


class VacationRow(NamedTuple):
    """A vacation; ``ended_at`` is None while it lasts."""

    user: str
    began_at: int
    ends_at: int
    ended_at: int | None = None


class SubscriptionRow(NamedTuple):
    """Where a device gets push messages, and of which kinds."""

    token_hash: bytes
    user: str
    endpoint: str
    p256dh: bytes
    auth: bytes
    language: str
    kinds: str


class DigestRow(NamedTuple):
    """How often somebody gets mail, in milliseconds, and when next."""

    user: str
    every: int
    language: str
    code_hash: bytes
    next_at: int


class CalledStore(StorePart):
    """A part of the store."""

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

    async def unsettled_vacations(
        self, limit: int, after: VacationRow | None = None
    ) -> list[VacationRow]:
        """Vacations that last, or that have ended without all logs saying so; page by page."""
        start = (-1, "") if after is None else (after.began_at, after.user)
        rows = await self._read(Statement(UNSETTLED_VACATIONS, [limit, *start]))
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

    # ---- push messages -----------------------------------------------------------------------

    async def server_key(self, name: str, new: bytes) -> bytes:
        """A key of the server, the same on all nodes: the new one, unless there is one."""
        await self._write(Statement(PUT_KEY, [name, new]))
        return bytes((await self._read(Statement(READ_KEY, [name])))[0][0])

    async def put_subscription(self, row: SubscriptionRow) -> None:
        """Subscribe a device."""
        await self._write(Statement(DROP_ENDPOINT, [row.endpoint, row.token_hash]))
        await self._write(Statement(PUT_SUBSCRIPTION, row))

    async def subscription(self, token_hash: bytes) -> SubscriptionRow | None:
        """The subscription of a device."""
        rows = await self._read(Statement(READ_SUBSCRIPTION, [token_hash]))
        return SubscriptionRow(*rows[0]) if rows else None

    async def subscriptions_of(self, user: str) -> list[SubscriptionRow]:
        """The subscriptions of a user's devices that are signed in."""
        rows = await self._read(Statement(SUBSCRIPTIONS_OF, [user]))
        return [SubscriptionRow(*row) for row in rows]

    async def delete_subscription(self, token_hash: bytes) -> None:
        """End the subscription of a device."""
        await self._write(Statement(DELETE_SUBSCRIPTION, [token_hash]))

    async def called_users(self) -> set[str]:
        """The users who get push messages on any device."""
        return {user for (user,) in await self._read(Statement(CALLED_USERS))}

    # ---- digests -----------------------------------------------------------------------------

    async def put_digest(self, row: DigestRow) -> None:
        """Send mail to a user from now on."""
        await self._write(Statement(PUT_DIGEST, row))

    async def digest(self, user: str) -> DigestRow | None:
        """How often a user gets mail; None: never."""
        rows = await self._read(Statement(READ_DIGEST, [user]))
        return _digest_row(rows[0]) if rows else None

    async def due_digests(self, now: int, limit: int) -> list[DigestRow]:
        """The digests that are due, the most overdue first."""
        return [_digest_row(row) for row in await self._read(Statement(DUE_DIGESTS, [now, limit]))]

    async def claim_digest(self, row: DigestRow, next_at: int, job: Job | None = None) -> bool:
        """Claim a digest that is due, with the job that sends it; False if another node has."""
        jobs = []
        if job is not None:
            jobs = [Statement(ADD_DIGEST_JOB, [*job, row.user, row.next_at])]
        claim = Statement(CLAIM_DIGEST, [row.user, row.next_at, next_at])
        return bool(await self._write(*jobs, claim))

    async def delete_digest(self, user: str) -> None:
        """Send no more mail to a user."""
        await self._write(Statement(DELETE_DIGEST, [user]))

    async def unsubscribe(self, code_hash: bytes) -> bool:
        """The same, by the code of a link; False if there is none."""
        return bool(await self._write(Statement(DELETE_DIGEST_BY_CODE, [code_hash])))

    # ---- jobs --------------------------------------------------------------------------------

    async def add_jobs(self, jobs: Sequence[Job]) -> None:
        """Add jobs, at once."""
        if jobs:
            await self._write(*(Statement(sql.ADD_JOB, job) for job in jobs))

    async def split(self, job: str, jobs: Sequence[Job]) -> None:
        """Replace a job by others, at once."""
        added = [Statement(sql.ADD_JOB, each) for each in jobs]
        await self._write(*added, Statement(sql.COMPLETE, [job]))


def _digest_row(row: Sequence[Any]) -> DigestRow:
    user, every, language, code_hash, next_at = row
    return DigestRow(user, every, language, bytes(code_hash), next_at)
