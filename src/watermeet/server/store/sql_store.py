"""A Store in SQL. An engine adds how to read and how to write; nothing else differs."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from watermeet.core.errors import Conflict
from watermeet.server.errors import NameTaken
from watermeet.server.store import sql
from watermeet.server.store.interface import (
    Append,
    Job,
    LogRow,
    MatchRow,
    Store,
    TokenRow,
    UserRow,
)
from watermeet.server.store.sql import Statement

Rows = Sequence[Sequence[Any]]


class ConstraintViolation(Exception):
    """A constraint of a table does not hold; the message names the constraint or its columns."""


def name_key(name: str) -> str:
    """What two names have in common that differ by case, or by how a letter is put together.

    >>> name_key("ŁUKASZ Straße") == name_key("łukasz STRASSE")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class SqlStore(Store, ABC):
    """All that the interface asks for, by two verbs of an engine."""

    skips_locked: bool
    """Whether the engine has many who write, and FOR UPDATE SKIP LOCKED against it."""

    @abstractmethod
    async def _read(self, call: Statement) -> Rows:
        """What a query finds."""

    @abstractmethod
    async def _write(self, *calls: Statement) -> Rows:
        """Run all or nothing, durably; the last one's rows. Raises ConstraintViolation."""

    # ---- matches -----------------------------------------------------------------------------

    async def append(self, append: Append) -> None:
        try:
            await self._write(*_calls_of(append))
        except ConstraintViolation as violation:
            raise Conflict(
                f"match {append.match!r}: entry {append.first} cannot be written ({violation})",
                "read what is new in its log, and decide again",
            ) from violation

    async def read(self, match: str, after: int = 0) -> list[LogRow]:
        return [LogRow(*row) for row in await self._read(Statement(sql.READ_LOG, [match, after]))]

    async def secret(self, match: str) -> bytes | None:
        for (secret,) in await self._read(Statement(sql.READ_SECRET, [match])):
            return bytes(secret)
        return None

    async def match_row(self, match: str) -> MatchRow | None:
        for row in await self._read(Statement(sql.READ_MATCH, [match])):
            return _match_row(row)
        return None

    async def open_matches(self, *, game: str | None, limit: int) -> list[MatchRow]:
        return await self._matches(sql.OPEN_MATCHES, sql.OPEN_MATCHES_OF_GAME, game, limit)

    async def live_matches(self, *, game: str | None, limit: int) -> list[MatchRow]:
        return await self._matches(sql.LIVE_MATCHES, sql.LIVE_MATCHES_OF_GAME, game, limit)

    async def _matches(
        self, of_all: str, of_game: str, game: str | None, limit: int
    ) -> list[MatchRow]:
        call = Statement(of_all, [limit]) if game is None else Statement(of_game, [limit, game])
        return [_match_row(row) for row in await self._read(call)]

    async def matches_of(
        self, user: str, *, before: tuple[int, str] | None, limit: int
    ) -> list[MatchRow]:
        if before is None:
            call = Statement(sql.MATCHES_OF, [user, limit])
        else:
            call = Statement(sql.MATCHES_OF_BEFORE, [user, limit, *before])
        return [_match_row(row) for row in await self._read(call)]

    async def due(self, now: int, limit: int) -> list[str]:
        return [match for (match,) in await self._read(Statement(sql.DUE, [now, limit]))]

    # ---- people ------------------------------------------------------------------------------

    async def add_user(self, user: UserRow, token: TokenRow | None = None) -> None:
        key = None if user.name is None else name_key(user.name)
        calls = [Statement(sql.ADD_USER, [user.id, user.kind, user.name, key, user.created_at])]
        if token is not None:
            calls.append(_add_token(token))
        try:
            await self._write(*calls)
        except ConstraintViolation as violation:
            raise _name_or_conflict(violation, user.id, user.name) from violation

    async def user(self, id: str) -> UserRow | None:  # noqa: A002
        for row in await self._read(Statement(sql.READ_USER, [id])):
            return UserRow(*row)
        return None

    async def rename(self, id: str, name: str) -> bool:  # noqa: A002
        try:
            return bool(await self._write(Statement(sql.RENAME, [id, name, name_key(name)])))
        except ConstraintViolation as violation:
            raise _name_or_conflict(violation, id, name) from violation

    async def add_token(self, token: TokenRow) -> None:
        try:
            await self._write(_add_token(token))
        except ConstraintViolation as violation:
            raise Conflict("there is such a token already", "make a new one") from violation

    async def token(self, hash: bytes) -> TokenRow | None:  # noqa: A002
        for row in await self._read(Statement(sql.READ_TOKEN, [hash])):
            return TokenRow(*row)
        return None

    async def revoke(self, hash: bytes) -> bool:  # noqa: A002
        return bool(await self._write(Statement(sql.REVOKE, [hash])))

    # ---- jobs --------------------------------------------------------------------------------

    async def lease(self, kinds: Sequence[str], worker: str, now: int, until: int) -> Job | None:
        if not kinds:
            return None
        statement = sql.lease(len(kinds), skips_locked=self.skips_locked)
        for row in await self._write(Statement(statement, [worker, now, until, *kinds])):
            return Job(*row)
        return None

    async def renew(self, job: str, worker: str, until: int) -> bool:
        return bool(await self._write(Statement(sql.RENEW, [job, worker, until])))

    async def complete(self, job: str) -> None:
        await self._write(Statement(sql.COMPLETE, [job]))

    async def release(self, job: str, worker: str, ready_at: int) -> bool:
        return bool(await self._write(Statement(sql.RELEASE, [job, worker, ready_at])))


def _calls_of(append: Append) -> Iterable[Statement]:
    """The statements of one append."""
    match, first, row = append.match, append.first, append.row
    assert append.bodies, "an append without entries would not be arbitrated"
    assert row.id == match, "an append writes the index row of its own match"
    yield Statement(sql.ADD_FIRST_ENTRY, [match, first, append.bodies[0]])
    for seq, body in enumerate(append.bodies[1:], first + 1):
        yield Statement(sql.ADD_ENTRY, [match, seq, body])
    if append.secret is not None:
        yield Statement(sql.ADD_SECRET, [match, append.secret])
    for user, seat in append.players:
        yield Statement(sql.ADD_PLAYER, [user, match, seat])
    for token in append.tokens:
        yield _add_token(token)
    for job in append.jobs:
        work = (
            job.id,
            job.kind,
            job.match,
            job.seat,
            job.seq,
            job.body,
            job.ready_at,
            job.attempts,
        )
        yield Statement(sql.ADD_JOB, work)
    yield Statement(
        sql.PUT_MATCH,
        [
            row.id,
            row.game,
            row.stage,
            row.is_public,
            row.created_at,
            row.changed_at,
            row.due_at,
            row.headline,
        ],
    )


def _add_token(token: TokenRow) -> Statement:
    values = (token.hash, token.kind, token.user, token.match, token.seat, token.created_at)
    return Statement(sql.ADD_TOKEN, values)


def _match_row(row: Sequence[Any]) -> MatchRow:
    id_, game, stage, is_public, *rest = row
    return MatchRow(id_, game, stage, bool(is_public), *rest)  # SQLite's truth is 1.


def _name_or_conflict(
    violation: ConstraintViolation, user: str, name: str | None
) -> NameTaken | Conflict:
    """Only the name may be taken by chance; an id or a token is a mistake of who made it."""
    if "name_key" in str(violation):
        return NameTaken(f"the name {name!r} is taken", "choose another")
    return Conflict(f"user {user!r} cannot be written ({violation})", "make a new id")
