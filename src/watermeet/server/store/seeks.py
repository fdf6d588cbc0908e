"""Seeks and challenges in the store: every change of hands is one conditional transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from watermeet.server.store import sql
from watermeet.server.store.part import Rows
from watermeet.server.store.rows import Job
from watermeet.server.store.sql import ConstraintViolation, Statement
from watermeet.server.store.store import Store

MOST = 2_000
"""How many seekers are considered at once, those first who were heard from last."""

_SEEKER = "user_id, version, alive_until, seeks, match_id, paired_at"

# $2 is the version that the writer has read, 0 for none. Another one becomes NULL, which the table
# rejects, and with it the whole transaction.
PUT_SEEKER = f"""
INSERT INTO seekers ({_SEEKER})
VALUES ($1, CASE WHEN CAST($2 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM seekers WHERE user_id = $1)
  THEN CAST($2 AS BIGINT) + 1 END, $3, $4, '', 0)
ON CONFLICT (user_id) DO UPDATE SET
  version = CASE WHEN seekers.version = CAST($2 AS BIGINT) THEN seekers.version + 1 END,
  alive_until = excluded.alive_until, seeks = excluded.seeks,
  match_id = excluded.match_id, paired_at = excluded.paired_at"""


def pair_seeker(count: int) -> str:
    """The same condition, and no block between ``count`` users, who come last.

    Of two nodes that pair somebody, the second waits for the row, and fails. Rows stay for a day at
    least, so the row that was read a moment ago is there.
    """
    paired = sql.numbered(6, count)
    return f"""
UPDATE seekers SET alive_until = 0, seeks = $3, match_id = $4, paired_at = $5,
  version = CASE WHEN version = $2 AND {sql.no_block(paired, paired)} THEN version + 1 END
WHERE user_id = $1"""


READ_SEEKER = f"SELECT {_SEEKER} FROM seekers WHERE user_id = $1"

ALIVE_SEEKERS = f"""
SELECT {_SEEKER} FROM seekers WHERE alive_until > $1 ORDER BY alive_until DESC LIMIT $2"""

OLD_SEEKER = "SELECT 1 FROM seekers WHERE alive_until < $1 AND paired_at < $1 LIMIT 1"
FORGET_SEEKERS = "DELETE FROM seekers WHERE alive_until < $1 AND paired_at < $1"

_CHALLENGE = "id, from_user, to_user, status, created_at, expires_at, match_id, body"

ADD_CHALLENGE = f"INSERT INTO challenges ({_CHALLENGE}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"

COUNT_CHALLENGES = """
SELECT count(*) FROM challenges WHERE from_user = $1 AND status = 'open' AND expires_at > $2"""

READ_CHALLENGE = f"SELECT {_CHALLENGE} FROM challenges WHERE id = $1"

CHALLENGES_FROM = f"""
SELECT {_CHALLENGE} FROM challenges WHERE from_user = $1 AND expires_at > $2 ORDER BY expires_at"""

CHALLENGES_TO = f"""
SELECT {_CHALLENGE} FROM challenges WHERE to_user = $1 AND expires_at > $2 ORDER BY expires_at"""

# A status changes once, before the challenge expires ($3 is the time); otherwise it becomes NULL.
# Then it is listed for a minute more. Nobody accepts across a block.
ANSWER_CHALLENGE = f"""
UPDATE challenges SET match_id = $4, expires_at = CAST($3 AS BIGINT) + 60000,
  status = CASE WHEN status = 'open' AND expires_at > CAST($3 AS BIGINT)
    AND (CAST($2 AS TEXT) <> 'accepted' OR {sql.no_block("from_user", "to_user")})
    THEN CAST($2 AS TEXT) END
WHERE id = $1"""

DELETE_CHALLENGES_OF = "DELETE FROM challenges WHERE from_user = $1 OR to_user = $1"

OLD_CHALLENGE = "SELECT 1 FROM challenges WHERE expires_at < $1 LIMIT 1"
FORGET_CHALLENGES = "DELETE FROM challenges WHERE expires_at < $1"


class SeekerRow(NamedTuple):
    """What a user seeks."""

    user: str
    version: int
    alive_until: int
    seeks: bytes
    match: str
    """The last match that they were paired for."""
    paired_at: int


class ChallengeRow(NamedTuple):
    """A challenge of one user to another."""

    id: str
    from_user: str
    to_user: str
    status: str
    created_at: int
    expires_at: int
    match: str
    """The match, once it is accepted."""
    body: bytes


class SeekTable:
    """Seeks and challenges of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def alive(self, now: int) -> list[SeekerRow]:
        """Everybody who seeks."""
        rows = await self._store._read(Statement(ALIVE_SEEKERS, [now, MOST]))
        return [SeekerRow(*row) for row in rows]

    async def of(self, user: str) -> SeekerRow | None:
        """What a user seeks, or has sought."""
        row = await self._store._read_one(READ_SEEKER, user)
        return None if row is None else SeekerRow(*row)

    async def of_all(self, users: Sequence[str]) -> list[SeekerRow]:
        """What some users seek, or have sought."""
        if not users:
            return []
        text = f"SELECT {_SEEKER} FROM seekers WHERE user_id IN ({sql.numbered(1, len(users))})"
        return [SeekerRow(*row) for row in await self._store._read(Statement(text, users))]

    async def put(self, user: str, version: int, seeks: bytes, alive_until: int) -> bool:
        """Change what a user seeks; False if it isn't at this version any more."""
        return await self._try(Statement(PUT_SEEKER, [user, version, alive_until, seeks]))

    async def renew(self, users: Sequence[str], now: int, alive_until: int) -> None:
        """Keep the seeks of users alive, those that haven't ended."""
        if users:
            listed = sql.numbered(3, len(users))
            text = f"""
UPDATE seekers SET alive_until = $1 WHERE alive_until > $2 AND user_id IN ({listed})"""
            await self._store._write(Statement(text, [alive_until, now, *users]))

    async def pair(
        self, seekers: Sequence[SeekerRow], match: str, job: Job, nothing: bytes, now: int
    ) -> bool:
        """End all seeks of users and plan their match, all or nothing.

        False if one has changed, or has blocked another. Always in the same order, so that nodes
        don't wait for each other in a circle.
        """
        ordered = sorted(seekers)
        text, users = pair_seeker(len(ordered)), [each.user for each in ordered]
        return await self._try(
            *(
                Statement(text, [each.user, each.version, nothing, match, now, *users])
                for each in ordered
            ),
            Statement(sql.ADD_JOB, job),
        )

    async def blocks(self, users: Collection[str]) -> dict[str, frozenset[str]]:
        """Whom each of some users has blocked, where a bot and its owner count as one."""
        if not users:
            return {}
        text = f"SELECT id, owner_id FROM users WHERE id IN ({sql.numbered(1, len(users))})"
        owners = {bot: owner for bot, owner in await self._of(text, users) if owner}
        everybody = {*users, *owners.values()}
        text = f"""
SELECT user_id, other_id FROM ties
WHERE kind = 'block' AND user_id IN ({sql.numbered(1, len(everybody))})"""
        blocked: dict[str, set[str]] = {}
        for user, other in await self._of(text, everybody):
            blocked.setdefault(user, set()).add(other)
        for bot, owner in owners.items():
            blocked[bot] = blocked.get(bot, set()) | blocked.get(owner, set())
        for others in blocked.values():
            others |= {bot for bot, owner in owners.items() if owner in others}
        return {user: frozenset(others) for user, others in blocked.items()}

    async def _of(self, text: str, users: Collection[str]) -> Rows:
        return await self._store._read(Statement(text, [*users]))

    async def add_challenge(self, row: ChallengeRow, most: int) -> bool:
        """Add a challenge; False if its sender has so many open ones."""
        return await self._store._write_at_most(
            most,
            Statement(COUNT_CHALLENGES, [row.from_user, row.created_at]),
            Statement(ADD_CHALLENGE, row),
            alone=row.from_user,
        )

    async def challenge(self, id: str) -> ChallengeRow | None:  # noqa: A002
        """A challenge by id."""
        row = await self._store._read_one(READ_CHALLENGE, id)
        return None if row is None else ChallengeRow(*row)

    async def challenges(self, user: str, now: int) -> list[ChallengeRow]:
        """The challenges from and to a user that haven't expired, the oldest first."""
        found = []
        for text in (CHALLENGES_FROM, CHALLENGES_TO):
            rows = await self._store._read(Statement(text, [user, now]))
            found += [ChallengeRow(*row) for row in rows]
        return sorted(found, key=lambda each: (each.created_at, each.id))

    async def delete_challenges(self, user: str) -> None:
        """Delete all challenges from and to a user."""
        await self._store._write(Statement(DELETE_CHALLENGES_OF, [user]))

    async def answer(
        self,
        id: str,  # noqa: A002
        status: str,
        now: int,
        match: str = "",
        job: Job | None = None,
    ) -> bool:
        """Accept, decline or withdraw a challenge; False if that was done, or it has expired."""
        jobs = [] if job is None else [Statement(sql.ADD_JOB, job)]
        return await self._try(Statement(ANSWER_CHALLENGE, [id, status, now, match]), *jobs)

    async def forget(self, before: int) -> None:
        """Delete what has been over since before a time."""
        for old, forget in ((OLD_SEEKER, FORGET_SEEKERS), (OLD_CHALLENGE, FORGET_CHALLENGES)):
            if await self._store._read_one(old, before) is not None:
                await self._store._write(Statement(forget, [before]))

    async def _try(self, *statements: Statement) -> bool:
        try:
            await self._store._write(*statements)
        except ConstraintViolation:
            return False
        return True
