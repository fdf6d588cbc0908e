"""Several databases as one store: each match, with all that belongs to it, is in one of them.

A move is one transaction in one database, as ever. The first database, the home, also has whatever
belongs to nobody's match: users, their tokens, ratings and puzzles. Lists ask all and merge.
Each database knows its number and how many there are, so that a list in another order, or with
another length, is refused instead of hiding matches.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain, zip_longest
from typing import Any, TypeVar

from watermeet.server.errors import StoreUnavailable, Unsupported
from watermeet.server.sharding import shard_of
from watermeet.server.store import sql
from watermeet.server.store.history import Past, PastMatch, ResultRow, Tally
from watermeet.server.store.part import Rows
from watermeet.server.store.rows import Append, Job, LogRow, MatchRow, TokenRow
from watermeet.server.store.sql import Statement
from watermeet.server.store.store import Store, signed_out

T = TypeVar("T")


async def check_place(store: Store, number: int, count: int) -> None:
    """Check that a database has this number among so many, and note it; raises StoreUnavailable."""
    found = [(row[0], row[1]) for row in await store._read(Statement(sql.READ_PLACE))]
    if found == [(number, count)] or (not found and count == 1):
        return
    if found:
        was_number, was_count = found[0]
        raise StoreUnavailable(
            f"this database is number {was_number + 1} of {was_count}, not {number + 1} of {count}",
            "name all databases in store_url, in the same order as at first",
        )
    if await store._read(Statement(sql.ANY_ENTRY)):
        raise StoreUnavailable(
            "this database has matches from before there were several databases",
            "begin with empty ones: moving matches between databases isn't supported",
        )
    await store._write(Statement(sql.PUT_PLACE, [number, count, b""]))


class ShardedStore(Store):
    """Several stores; ``open_store`` makes it from several URLs."""

    def __init__(self, stores: Sequence[Store]) -> None:
        self._stores, self._home = tuple(stores), stores[0]
        self.skips_locked = self._home.skips_locked
        self._next = 0
        self._leased: dict[str, Store] = {}
        """Where the jobs are that were leased through this store."""

    def of(self, match: str) -> Store:
        """The store of a match."""
        return self._stores[shard_of(match, len(self._stores))]

    async def _all(self, ask: Callable[[Store], Awaitable[T]]) -> list[T]:
        return await asyncio.gather(*(ask(store) for store in self._stores))

    async def _read(self, statement: Statement) -> Rows:
        return await self._home._read(statement)

    async def _write(self, *statements: Statement, alone: str = "") -> Rows:
        return await self._home._write(*statements, alone=alone)

    async def backup(self, path: str) -> None:
        raise Unsupported(f"several databases don't fit into {path!r}", "back up each of them")

    async def close(self) -> None:
        await self._all(lambda store: store.close())

    async def probe(self) -> None:
        await self._all(lambda store: store.probe())

    # ---- matches -----------------------------------------------------------------------------

    async def append(self, append: Append) -> None:
        if append.players or append.meeting:  # The match's own database knows no users.
            await self._home._check_standing(append)
        common = [job for job in append.jobs if _is_common(job)]
        for job in common:  # Before the match needs it.
            await self._home._write(Statement(sql.ADD_JOB, job))
        if common:
            own = [job for job in append.jobs if not _is_common(job)]
            append = dataclasses.replace(append, jobs=own)
        await self.of(append.match).append(append)

    async def read(self, match: str, after: int = 0) -> list[LogRow]:
        return await self.of(match).read(match, after)

    async def secret(self, match: str) -> bytes | None:
        return await self.of(match).secret(match)

    async def match_row(self, match: str) -> MatchRow | None:
        return await self.of(match).match_row(match)

    async def match_rows(self, matches: Sequence[str]) -> list[MatchRow]:
        # Each asks its own; what it doesn't have isn't there.
        found = await self._all(lambda store: store.match_rows(matches))
        rows = {row.id: row for row in chain(*found)}
        return [rows[match] for match in matches if match in rows]

    async def delete_match(self, match: str) -> None:
        await self.of(match).delete_match(match)

    async def public_matches(
        self, stage: str, *, game: str | None = None, limit: int
    ) -> list[MatchRow]:
        found = await self._all(lambda store: store.public_matches(stage, game=game, limit=limit))
        rows = sorted(chain(*found), key=lambda row: (row.created_at, row.id), reverse=True)
        return rows[:limit]

    async def matches_of(
        self, user: str, *, before: tuple[int, str] | None, limit: int
    ) -> list[MatchRow]:
        found = await self._all(lambda store: store.matches_of(user, before=before, limit=limit))
        rows = sorted(chain(*found), key=lambda row: (row.changed_at, row.id), reverse=True)
        return rows[:limit]

    async def add_results(self, match: str, results: Sequence[ResultRow]) -> None:
        await self.of(match).add_results(match, results)

    async def past(self, past: Past, limit: int) -> list[PastMatch]:
        found = await self._all(lambda store: store.past(past, limit))
        newest = sorted(chain(*found), key=lambda each: (each.ended_at, each.row.id), reverse=True)
        return newest[:limit]

    async def tally(self, user: str, *, also_private: bool) -> list[Tally]:
        found = await self._all(lambda store: store.tally(user, also_private=also_private))
        counts = Counter[tuple[str, str]]()
        for game, result, count in chain(*found):
            counts[game, result] += count
        return [Tally(*which, count) for which, count in counts.items()]

    async def running_of(self, user: str) -> list[MatchRow]:
        found = await self._all(lambda store: store.running_of(user))
        return sorted(chain(*found), key=lambda row: (row.changed_at, row.id))

    async def put_replies(self, match: str, seat: int, body: bytes) -> None:
        await self.of(match).put_replies(match, seat, body)

    async def replies(self, match: str, seat: int) -> bytes | None:
        return await self.of(match).replies(match, seat)

    async def delete_replies(self, match: str, seat: int) -> None:
        await self.of(match).delete_replies(match, seat)

    async def put_review(self, match: str, body: bytes) -> None:
        await self.of(match).put_review(match, body)

    async def review(self, match: str) -> bytes | None:
        return await self.of(match).review(match)

    async def add_openings(
        self, match: str, moves: Sequence[tuple[bytes, int, int, int, int, int]]
    ) -> bool:
        return await self.of(match).add_openings(match, moves)

    async def openings(self, position: bytes) -> list[tuple[int, int, int, int, int]]:
        sums: dict[int, list[int]] = {}
        for code, *counts in chain(*await self._all(lambda store: store.openings(position))):
            so_far = sums.get(code, [0] * len(counts))
            sums[code] = [one + more for one, more in zip(so_far, counts, strict=True)]
        return [(code, counts[0], counts[1], counts[2], counts[3]) for code, counts in sums.items()]

    async def finished(self, game: str, *, after: str, limit: int) -> list[tuple[str, bool]]:
        found = await self._all(lambda store: store.finished(game, after=after, limit=limit))
        return sorted(chain(*found))[:limit]

    async def due(self, now: int, limit: int) -> list[str]:
        found = await self._all(lambda store: store.due(now, limit))
        in_turn = chain(*zip_longest(*found))  # The most overdue of each database first.
        return [match for match in in_turn if match is not None][:limit]

    async def next_due(self) -> int | None:
        found = await self._all(lambda store: store.next_due())
        return min((each for each in found if each is not None), default=None)

    # ---- tokens ------------------------------------------------------------------------------

    async def add_token(self, token: TokenRow, by: bytes = b"") -> None:
        if token.match is None:
            await self._home.add_token(token, by)
            return
        await self.of(token.match).add_token(token)
        # Whoever ends ``by`` does so at home first.
        if by and await self._home.token(by) is None:
            await self.revoke(token.hash)
            raise signed_out()

    async def token(self, hash: bytes) -> TokenRow | None:  # noqa: A002
        found = await self._home.token(hash)  # Most are those of devices.
        if found is None:
            rest = (store.token(hash) for store in self._stores[1:])
            found = next((each for each in await asyncio.gather(*rest) if each is not None), None)
        return found

    async def revoke(self, hash: bytes) -> bool:  # noqa: A002
        return any(await self._all(lambda store: store.revoke(hash)))

    async def revoke_with_seats(self, user: str, hash: bytes) -> None:  # noqa: A002
        await self._home.revoke_with_seats(user, hash)
        rest = (store.revoke_with_seats(user, hash) for store in self._stores[1:])
        await asyncio.gather(*rest)

    async def revoke_all(self, user: str, *, but: bytes) -> None:
        await self._home.revoke_all(user, but=but)
        await self._revoke_elsewhere(user, but)

    async def add_account(self, id: str, *given: Any, but: bytes, **more: Any) -> bool:  # noqa: A002
        is_new = await super().add_account(id, *given, but=but, **more)
        if is_new:
            await self._revoke_elsewhere(id, but)
        return is_new

    async def set_password(self, user: str, *given: Any, but: bytes = b"", **more: Any) -> bool:
        is_set = await super().set_password(user, *given, but=but, **more)
        if is_set:
            await self._revoke_elsewhere(user, but)
        return is_set

    async def _revoke_elsewhere(self, user: str, but: bytes) -> None:
        """End the tokens of seats in the other databases; sessions are all at home."""
        await asyncio.gather(*(store.revoke_all(user, but=but) for store in self._stores[1:]))

    async def replace_entry(self, match: str, seq: int, body: bytes) -> None:
        await self.of(match).replace_entry(match, seq, body)

    async def replace_headline(self, match: str, old: bytes, new: bytes) -> bool:
        return await self.of(match).replace_headline(match, old, new)

    async def delete_user(self, id: str, name: str | None, job: Job, now: int) -> None:  # noqa: A002
        await super().delete_user(id, name, job, now)
        await self._revoke_elsewhere(id, b"")

    # ---- jobs --------------------------------------------------------------------------------

    async def ready_at(self, kind: str) -> int | None:
        found = await self._all(lambda store: store.ready_at(kind))
        return min((each for each in found if each is not None), default=None)

    async def waiting_since(self, kind: str, now: int, most_later: int) -> int | None:
        found = await self._all(lambda store: store.waiting_since(kind, now, most_later))
        return min((each for each in found if each is not None), default=None)

    async def lease(self, kinds: Sequence[str], worker: str, now: int, until: int) -> Job | None:
        """A job of any database; which one is asked first changes every time, to be fair."""
        self._next = (self._next + 1) % len(self._stores)
        for store in self._stores[self._next :] + self._stores[: self._next]:
            job = await store.lease(kinds, worker, now, until)
            if job is not None:
                self._leased[job.id] = store
                return job
        return None

    async def renew(self, job: str, worker: str, until: int) -> bool:
        return any([await store.renew(job, worker, until) for store in self._places(job)])

    async def complete(self, job: str) -> None:
        for store in self._places(job):
            await store.complete(job)
        self._leased.pop(job, None)

    async def split(self, job: str, jobs: Sequence[Job]) -> None:
        store, *others = self._places(job)
        assert not others, "only whoever has leased a job splits it"
        await store.split(job, jobs)
        self._leased.pop(job, None)

    async def release(self, job: str, worker: str, ready_at: int, *, counts: bool = True) -> bool:
        places = self._places(job)
        found = any([await store.release(job, worker, ready_at, counts=counts) for store in places])
        self._leased.pop(job, None)
        return found

    async def unpark(self, kind: str, now: int, attempts: int) -> None:
        await self._all(lambda store: store.unpark(kind, now, attempts))

    async def count_parked(self, kinds: Sequence[str]) -> int:
        return sum(await self._all(lambda store: store.count_parked(kinds)))

    def _places(self, job: str) -> Sequence[Store]:
        """Where a job may be."""
        known = self._leased.get(job)
        return self._stores if known is None else (known,)


def _is_common(job: Job) -> bool:
    """Whether there is only one job of its kind, for all matches."""
    return job.id == job.kind
