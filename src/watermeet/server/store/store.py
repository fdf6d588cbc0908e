"""The store: everything the server asks of a database. An engine only adds how to read and write.

The log of a match is the truth: entries are append-only and (match, seq) is unique. Everything else
is an index into the logs, or belongs to users. Whatever an append changes is written in one
transaction, so no crash can separate it.
"""

from __future__ import annotations

import hashlib
import unicodedata
import uuid
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from watermeet.core.errors import Conflict
from watermeet.server.errors import Forbidden, NameTaken, Unauthorized, WrongCode
from watermeet.server.names import skeleton
from watermeet.server.store import called, chat, company, history, moderation, reports, sign_in, sql
from watermeet.server.store.called import CalledStore
from watermeet.server.store.chat import ChatStore
from watermeet.server.store.company import CompanyStore
from watermeet.server.store.conduct import ConductStore
from watermeet.server.store.history import HistoryStore, RatingPoint
from watermeet.server.store.moderation import ModerationStore
from watermeet.server.store.reports import ReportStore
from watermeet.server.store.rows import (
    Append,
    CodeRow,
    Job,
    LeaderRow,
    LogRow,
    MatchRow,
    PuzzleResultRow,
    PuzzleRow,
    RatingRow,
    Spending,
    TokenRow,
    UserRow,
    match_row,
)
from watermeet.server.store.sign_in import PasskeyRow, SignInStore
from watermeet.server.store.sql import ConstraintViolation, NameErased, Statement


def name_key(name: str) -> str:
    """A key that is equal for names that differ only in case or in Unicode composition.

    >>> name_key("ŁUKASZ Straße") == name_key("łukasz STRASSE")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class Store(
    CalledStore,
    ChatStore,
    CompanyStore,
    ConductStore,
    HistoryStore,
    ModerationStore,
    ReportStore,
    SignInStore,
):
    """An open, migrated database.

    Methods that write return once the write is durable. Every method raises StoreUnavailable if the
    database can't be reached. Then nothing was written, or nobody can know: read before you retry.
    """

    skips_locked: bool
    """Whether the engine has several writers, and FOR UPDATE SKIP LOCKED."""

    @abstractmethod
    async def backup(self, path: str) -> None:
        """Write everything to one file while the server runs; raises Unsupported."""

    @abstractmethod
    async def close(self) -> None:
        """Finish pending writes and disconnect."""

    async def ready_at(self, kind: str) -> int | None:
        """When the first job of a kind is ready, whoever works on it; None without one."""
        row = await self._read_one(sql.READY_AT, kind)
        return None if row is None else row[0]

    async def waiting_since(self, kind: str, now: int, most_later: int) -> int | None:
        """Since when the first job of a kind waits for a worker; None if none does.

        Without those whose rank puts them off by ``most_later`` milliseconds or more.
        """
        row = await self._read_one(sql.WAITING_SINCE, kind, now, most_later)
        return None if row is None else row[0]

    async def probe(self) -> None:
        """Write something durably, and leave nothing behind; raises what any write would.

        In two steps: a statement of PostgreSQL can't delete what it inserts.
        """
        id_ = f"probe {uuid.uuid4().hex}"  # Several nodes may do so at once.
        await self._write(Statement(sql.PROBE, (id_, b"")))
        await self._write(Statement(sql.DELETE_PROBES))

    async def _read_one(self, text: str, *values: sql.Value) -> Sequence[Any] | None:
        rows = await self._read(Statement(text, values))
        return rows[0] if rows else None

    # ---- matches -----------------------------------------------------------------------------

    async def append(self, append: Append) -> None:
        """Write all or nothing; raises Conflict if an entry with one of the numbers exists.

        Also if the entry before the first is missing, because a log has no holes: a node that
        remembers more than a restored database has to forget it. Raises Forbidden if one of those
        who do it may not play any more, Blocked if one of those who meet has blocked another, and
        NameErased if it writes the name of a deleted user.
        """
        try:
            await self._write(*_statements(append))
        except ConstraintViolation as violation:
            if violation.is_of("log.seq"):
                await self._check_standing(append)
            raise Conflict(
                f"match {append.match!r}: entry {append.first} can't be written ({violation})",
                "read the new entries of the log and decide again",
            ) from violation

    async def _check_standing(self, append: Append) -> None:
        """Raise Forbidden, Blocked or NameErased if that is why an append was refused."""
        for user in await self.users([*append.by, *append.named]):
            is_suspended = (user.suspended_until or 0) > append.at
            if user.id in append.by and (user.kind == "deleted" or is_suspended):
                raise Forbidden(
                    "who was suspended or deleted doesn't play", "ask the host of this server"
                )
            if user.kind == "deleted":
                raise NameErased
        for each in append.meeting:
            await self.check_not_blocked(each, append.met)

    async def read(self, match: str, after: int = 0) -> list[LogRow]:
        """The entries after a number, in order; empty for an unknown match."""
        return [LogRow(*row) for row in await self._read(Statement(sql.READ_LOG, [match, after]))]

    async def secret(self, match: str) -> bytes | None:
        """The random secret of a match."""
        row = await self._read_one(sql.READ_SECRET, match)
        return None if row is None else bytes(row[0])

    async def match_row(self, match: str) -> MatchRow | None:
        """The index entry of a match."""
        row = await self._read_one(sql.READ_MATCH, match)
        return None if row is None else match_row(row)

    async def match_rows(self, matches: Sequence[str]) -> list[MatchRow]:
        """The index entries of some matches, in their order; without those that don't exist."""
        if not matches:
            return []
        rows = await self._read(Statement(sql.read_matches(len(matches)), matches))
        found = {row[0]: match_row(row) for row in rows}
        return [found[match] for match in matches if match in found]

    async def delete_match(self, match: str) -> None:
        """Delete a match that was imported; of those that were played here none ever is."""
        await self._write(*(Statement(text, [match]) for text in sql.DELETE_MATCH))

    async def public_matches(
        self, stage: str, *, game: str | None = None, limit: int
    ) -> list[MatchRow]:
        """Public matches that are open, or have begun and last, the newest first."""
        query = sql.public_matches(stage, of_game=game is not None)
        values: list[sql.Value] = [limit] if game is None else [limit, game]
        return [match_row(row) for row in await self._read(Statement(query, values))]

    async def matches_of(
        self, user: str, *, before: tuple[int, str] | None, limit: int
    ) -> list[MatchRow]:
        """The matches of a user, last changed first.

        ``before`` is ``(changed_at, id)`` of the last row on the previous page. The time alone
        would lose matches changed in the same millisecond, as a match and its rematch are.
        """
        if before is None:
            query = Statement(sql.MATCHES_OF, [user, limit])
        else:
            query = Statement(sql.MATCHES_OF_BEFORE, [user, limit, *before])
        return [match_row(row) for row in await self._read(query)]

    async def put_review(self, match: str, body: bytes) -> None:
        """Keep the review of a match."""
        await self._write(Statement(sql.PUT_REVIEW, (match, body)))

    async def review(self, match: str) -> bytes | None:
        """The review of a match, if there is one."""
        row = await self._read_one(sql.READ_REVIEW, match)
        return None if row is None else bytes(row[0])

    async def add_openings(
        self, match: str, moves: Sequence[tuple[bytes, int, int, int, int, int]]
    ) -> bool:
        """Count a match once: ``(position, code, wins, draws, losses, plies)``, no pair twice.

        False if it was counted before.
        """
        counted = [Statement(sql.ADD_OPENING, move) for move in moves]
        try:
            await self._write(*counted, Statement(sql.ADD_EXPLORED, [match]))
        except ConstraintViolation:
            return False
        return True

    async def openings(self, position: bytes) -> list[tuple[int, int, int, int, int]]:
        """``(code, wins, draws, losses, plies)`` of the moves that were played in a position."""
        rows = await self._read(Statement(sql.READ_OPENING, [position]))
        return [(code, wins, draws, losses, plies) for code, wins, draws, losses, plies in rows]

    async def finished(self, game: str, *, after: str, limit: int) -> list[tuple[str, bool]]:
        """The finished matches of a game by id, from after one on, and whether each is counted."""
        found = await self._read(Statement(sql.FINISHED, [game, after, limit]))
        return [(match, bool(is_counted)) for match, is_counted in found]

    async def puzzle(self, id: str) -> PuzzleRow | None:  # noqa: A002
        """How hard a puzzle is; None if nobody has tried it."""
        row = await self._read_one(sql.READ_PUZZLE, id)
        return None if row is None else PuzzleRow(*row)

    async def add_puzzle_result(
        self,
        user: str,
        game: str,
        result: PuzzleResultRow,
        puzzle: PuzzleRow | None = None,
        gain: int = 0,
    ) -> bool:
        """Keep a result, and move the rating of the puzzle; False if the user has one already.

        ``puzzle`` is a new row's rating before the result, and its deviation and counts after it;
        without it, the puzzle stays as it is.
        """
        statements = [Statement(sql.ADD_PUZZLE_RESULT, [user, game, *result])]
        if puzzle is not None:
            moved: list[sql.Value] = [result.puzzle, *puzzle[:2], gain, *puzzle[2:]]
            statements.insert(0, Statement(sql.PUT_PUZZLE, moved))
        try:
            await self._write(*statements)
        except ConstraintViolation:
            return False
        return True

    async def puzzle_results(self, user: str, game: str, limit: int) -> list[PuzzleResultRow]:
        """How somebody did in the puzzles of a game, the last one first."""
        rows = await self._read(Statement(sql.PUZZLE_RESULTS, [user, game, limit]))
        return [PuzzleResultRow(id_, bool(solved), *rest) for id_, solved, *rest in rows]

    # ---- ratings -----------------------------------------------------------------------------

    async def rating_pool(self, game: str, kind: str) -> tuple[int, int]:
        """The formula of a pool's ratings, and their version; 0 and 0 if there are none."""
        row = await self._read_one(sql.READ_POOL, game, kind)
        return (0, 0) if row is None else (row[0], row[1])

    async def put_ratings(
        self,
        pool: tuple[str, str],
        formula: int,
        version: int,
        ratings: Sequence[RatingRow],
        matches: Sequence[tuple[str, int, bytes]],
        points: Sequence[RatingPoint] = (),
        recounted: Sequence[tuple[str, int, bytes]] = (),
    ) -> bool:
        """Write ratings, the matches that they count, ``(match, ended_at, body)``, and the history.

        ``recounted`` are matches that were counted before, and are counted again.
        False, and nothing is written, if the pool isn't at this version any more, or one of the
        matches was counted before.
        """
        try:
            await self._write(
                *(Statement(sql.PUT_RATING, [*pool, *each]) for each in ratings),
                *(Statement(sql.ADD_RATED, [*pool, *each]) for each in matches),
                *(Statement(sql.RECOUNT, each) for each in recounted),
                *(Statement(history.PUT_POINT, each) for each in points),
                Statement(sql.PUT_POOL, [*pool, formula, version]),
            )
        except ConstraintViolation:
            return False
        return True

    async def is_rated(self, match: str) -> bool:
        """Whether a match was counted."""
        return await self._read_one(sql.IS_RATED, match) is not None

    async def rated_matches(
        self, game: str, kind: str, *, after: tuple[int, str] = (0, ""), limit: int = 2**62
    ) -> list[bytes]:
        """Matches of a pool that were counted, in the order of ends and ids, after such a pair."""
        statement = Statement(sql.RATED_MATCHES, [game, kind, *after, limit])
        return [bytes(body) for (body,) in await self._read(statement)]

    async def rating(self, game: str, kind: str, player: tuple[str, str]) -> RatingRow | None:
        """A player's rating in a pool."""
        row = await self._read_one(sql.READ_RATING, game, kind, *player)
        return None if row is None else RatingRow(*row)

    async def ratings(self, game: str, kind: str) -> list[RatingRow]:
        """All ratings of a pool."""
        return [
            RatingRow(*row) for row in await self._read(Statement(sql.READ_RATINGS, [game, kind]))
        ]

    async def ratings_of(self, player: tuple[str, str]) -> list[tuple[str, str, bytes]]:
        """``(game, kind, body)`` of all ratings of a player."""
        rows = await self._read(Statement(sql.RATINGS_OF, player))
        return sorted((game, kind, bytes(body)) for game, kind, body in rows)

    async def leaders(
        self, game: str, kind: str, *, since: int, deviation: int, limit: int
    ) -> list[LeaderRow]:
        """Users with a name who have played since a time and whose ratings are sure; best first."""
        values: list[sql.Value] = [game, kind, since, deviation, limit]
        return [LeaderRow(*row) for row in await self._read(Statement(sql.LEADERS, values))]

    async def forget_ratings(self) -> None:
        """Delete all ratings: they are about to be computed again."""
        statements = (
            sql.FORGET_RATED,
            sql.FORGET_RATINGS,
            sql.FORGET_POOLS,
            history.FORGET_POINTS,
        )
        await self._write(*(Statement(each) for each in statements))

    async def due(self, now: int, limit: int) -> list[str]:
        """The matches whose ``due_at`` has passed, the most overdue first."""
        return [match for (match,) in await self._read(Statement(sql.DUE, [now, limit]))]

    async def next_due(self) -> int | None:
        """When the first ``due_at`` passes of a match that is being played; None without any."""
        row = await self._read_one(sql.NEXT_DUE)
        return None if row is None else row[0]

    # ---- users and tokens --------------------------------------------------------------------

    async def add_user(self, user: UserRow, token: TokenRow | None = None) -> None:
        """Add a user, with a token; raises NameTaken."""
        keys = (None, None) if user.name is None else (name_key(user.name), skeleton(user.name))
        row: list[sql.Value] = [user.id, user.kind, user.name, *keys, user.created_at, user.owner]
        added = [Statement(sql.ADD_USER, row)]
        if token is not None:
            added.append(Statement(sql.ADD_TOKEN, token))
        try:
            await self._write(*added, alone=user.owner or "")
        except ConstraintViolation as violation:
            raise _name_taken_or_conflict(violation, user.id, user.name) from violation

    async def user(self, id: str) -> UserRow | None:  # noqa: A002 - the row's word for it.
        """A user by id."""
        row = await self._read_one(sql.READ_USER, id)
        return None if row is None else _user_row(row)

    async def users(self, ids: Sequence[str]) -> list[UserRow]:
        """Some users by their ids, in any order."""
        if not ids:
            return []
        rows = await self._read(Statement(sql.read_users(len(ids)), ids))
        return [_user_row(row) for row in rows]

    async def user_named(self, name: str) -> UserRow | None:
        """A user by name, regardless of case."""
        row = await self._read_one(sql.READ_USER_BY_NAME, name_key(name))
        return None if row is None else _user_row(row)

    async def is_name_free(self, name: str, user: str, now: int = 0) -> bool:
        """Whether a user may have a name: nobody else has or had it, or one that looks like it."""
        keys = name_key(name), skeleton(name)
        owners = await self._read(Statement(sql.READ_NAME_OWNER, keys))
        if any(owner != user for (owner,) in owners):
            return False
        return await self._read_one(sql.IS_RETIRED, *map(_retired, keys), user, now) is None

    async def fill_skeletons(self) -> None:
        """Compute the skeletons of names from before there were any.

        Of names that look alike, one gets it; the others keep their names, too.
        """
        while rows := await self._read(Statement(sql.NAMES_WITHOUT_SKELETON, [1000])):
            for id_, name in rows:
                try:
                    await self._write(Statement(sql.PUT_SKELETON, [id_, skeleton(name), name]))
                except ConstraintViolation:
                    own = f"{skeleton(name)}#{id_}"
                    await self._write(Statement(sql.PUT_SKELETON, [id_, own, name]))

    async def register(self, id: str) -> bool:  # noqa: A002
        """Give a user an account; False if there is no such user."""
        return bool(await self._write(Statement(sql.REGISTER, [id])))

    async def rename(self, id: str, name: str, kept_until: int = 0) -> bool:  # noqa: A002
        """Name a user, which turns a guest into a named user; raises NameTaken.

        Until a time, nobody else gets the name that they had. False if there is no such user.
        """
        try:
            values: list[sql.Value] = [id, name, name_key(name), skeleton(name)]
            kept = await self._keeping_name(id, name, kept_until)
            return bool(await self._write(*kept, Statement(sql.RENAME, values)))
        except ConstraintViolation as violation:
            raise _name_taken_or_conflict(violation, id, name) from violation

    async def _keeping_name(self, id: str, new: str, until: int) -> list[Statement]:  # noqa: A002
        """What keeps the present name of a user who gets another, unless it looks like that."""
        user = await self.user(id)
        now = _keys(new)
        former = set() if user is None or user.name is None else _keys(user.name) - now
        return [
            *(Statement(sql.KEEP_NAME, [_retired(key), id, until]) for key in sorted(former)),
            *(Statement(sql.TAKE_NAME_BACK, [_retired(key), id]) for key in sorted(now)),
        ]

    async def add_token(self, token: TokenRow, by: bytes = b"") -> None:
        """Add a token; raises Unauthorized if the one with the hash ``by`` has ended."""
        required = [Statement(sign_in.REQUIRE_SIGNED_IN, [by])] if by else []
        try:
            added = Statement(sql.ADD_TOKEN, token)
            await self._write(*required, added, alone=token.user or "")
        except ConstraintViolation as violation:
            if violation.is_of("codes"):
                raise signed_out() from violation
            raise Conflict("this token exists already", "make a new one") from violation

    async def add_personal_token(self, token: TokenRow, most: int, by: bytes) -> bool:
        """Add a personal token; False if the user has as many, or the token ``by`` has ended."""
        return await self._write_at_most(
            most,
            Statement(sql.COUNT_PERSONAL, [token.user, token.created_at]),
            Statement(sign_in.REQUIRE_SIGNED_IN, [by]),
            Statement(sql.ADD_TOKEN, token),
            alone=token.user or "",
        )

    async def token(self, hash: bytes) -> TokenRow | None:  # noqa: A002
        """A token by its hash."""
        row = await self._read_one(sql.READ_TOKEN, hash)
        return None if row is None else TokenRow(*row)

    async def revoke(self, hash: bytes) -> bool:  # noqa: A002
        """Delete a token; False if there is none."""
        return bool(await self._write(Statement(sql.REVOKE, [hash])))

    async def revoke_with_seats(self, user: str, hash: bytes) -> None:  # noqa: A002
        """Delete a token of a user, and the codes and tokens of seats that it may have fetched."""
        await self._write(
            Statement(sql.REVOKE, [hash]),
            Statement(sql.REVOKE_SEATS, [user]),
            Statement(sql.DELETE_CODES, [user, "device"]),
            alone=user,
        )

    async def tokens_of(self, user: str) -> list[TokenRow]:
        """The tokens of a user that aren't for a seat."""
        rows = await self._read(Statement(sql.TOKENS_OF, [user]))
        return [row for row in (TokenRow(*each) for each in rows) if row.match is None]

    async def touch(self, hash: bytes, used_at: int, expires_at: int | None) -> None:  # noqa: A002
        """Note that a token was used."""
        await self._write(Statement(sql.TOUCH, [hash, used_at, expires_at]))

    async def revoke_all(self, user: str, *, but: bytes) -> None:
        """Delete all tokens of a user, those of seats too, except for one hash.

        Codes for other devices and mailed links go with them.
        """
        await self._write(*sign_in.ending(user, but), alone=user)

    # ---- accounts ----------------------------------------------------------------------------

    async def add_account(
        self,
        id: str,  # noqa: A002
        name: str,
        password: str | None,
        passkey: PasskeyRow | None = None,
        *,
        but: bytes,
        invitation: Spending | None = None,
        kept_until: int = 0,
    ) -> bool:
        """Give a user an account: a name, a password, as its hash, or a passkey.

        All their tokens end but the one with the hash ``but``: somebody else may have made them.
        Until a time, nobody else gets the name that they had.
        False, and nothing is written, if they have an account; raises NameTaken, Unauthorized if
        that token has ended, and WrongCode for an invitation that can't be spent.
        """
        values: list[sql.Value] = [id, name, name_key(name), skeleton(name)]
        try:
            await self._write(
                *sign_in.spending(invitation),
                *([Statement(sign_in.REQUIRE_SIGNED_IN, [but])] if but else []),
                *([] if password is None else [Statement(sql.ADD_PASSWORD, [id, password])]),
                *([] if passkey is None else [Statement(sign_in.ADD_PASSKEY, passkey)]),
                *sign_in.ending(id, but),
                *await self._keeping_name(id, name, kept_until),
                Statement(sql.NAME_AND_REGISTER, values),
                alone=id,
            )
        except ConstraintViolation as violation:
            if violation.is_of("passwords", "passkeys"):
                return False
            if violation.is_of("codes") and but and await self.token(but) is None:
                raise signed_out() from violation
            if violation.is_of("codes"):
                raise WrongCode("this invitation was used", "ask for another") from violation
            raise _name_taken_or_conflict(violation, id, name) from violation
        return True

    async def password(self, user: str) -> str | None:
        """The hash of a user's password."""
        row = await self._read_one(sql.READ_PASSWORD, user)
        return None if row is None else row[0]

    async def renew_password(self, user: str, old: str, new: str) -> None:
        """Replace the hash of a user's password by another of the same, unless it was changed."""
        await self._write(Statement(sql.RENEW_PASSWORD, [user, old, new]))

    async def put_code(self, code: CodeRow, *, by: bytes) -> bool:
        """Replace a user's code of a kind; False if the token with the hash ``by`` has ended."""
        return await self._spend(
            code.user,
            None,
            Statement(sign_in.REQUIRE_SIGNED_IN, [by]),
            Statement(sql.DELETE_CODES, [code.user, code.kind]),
            Statement(sign_in.ADD_CODE, code),
        )

    async def all_puzzle_results(self, user: str) -> list[tuple[str, PuzzleResultRow]]:
        """How somebody did in all puzzles, with their games, the first one first."""
        rows = await self._read(Statement(sql.ALL_PUZZLE_RESULTS, [user]))
        return [(game, PuzzleResultRow(id_, bool(so), *rest)) for game, id_, so, *rest in rows]

    async def replace_entry(self, match: str, seq: int, body: bytes) -> None:
        """Replace an entry of a log by the same one without the name of a deleted user."""
        await self._write(Statement(sql.REPLACE_ENTRY, [match, seq, body]))

    async def replace_headline(self, match: str, old: bytes, new: bytes) -> bool:
        """Replace the headline of a match, for the same reason; False if it isn't the old one."""
        return bool(await self._write(Statement(sql.REPLACE_HEADLINE, [match, old, new])))

    async def delete_user(self, id: str, name: str | None, job: Job, now: int) -> None:  # noqa: A002
        """Delete all that lets a user in and all that they have begun, and add a job for the rest.

        Nobody gets the name again. The row stays, for the matches. Their bots are suspended.
        """
        keys = () if name is None else sorted(_keys(name))
        await self._write(
            *(Statement(sql.RETIRE_NAME, [_retired(key)]) for key in keys),
            Statement(sql.DISOWN_NAMES, [id]),
            *sql.ending(id, now),
            Statement(sql.REVOKE_ALL, [id, b""]),
            *_deletion(id),
            Statement(sql.ADD_JOB, job),
            Statement(sql.SUSPEND_BOTS, [id, sql.FOREVER]),
            Statement(sql.DELETE_USER, [id]),
            alone=id,
        )

    async def bots_of(self, user: str) -> list[UserRow]:
        """The bots of a user."""
        return [_user_row(row) for row in await self._read(Statement(sql.BOTS_OF, [user]))]

    async def end_begun(self, user: str, now: int) -> None:
        """End the seeks and challenges of a user who may play no more."""
        await self._write(*sql.ending(user, now))

    async def delete_rest(self, id: str) -> None:  # noqa: A002
        """Delete what was being written for a user while they were deleted."""
        await self.revoke_all(id, but=b"")
        await self._write(*_deletion(id))

    async def expired_guests(self, before: int, limit: int) -> list[UserRow]:
        """Guests from before a time whom no token lets in any more."""
        rows = await self._read(Statement(sql.EXPIRED_GUESTS, [before, limit]))
        return [_user_row(row) for row in rows]

    async def forget_user(self, id: str) -> None:  # noqa: A002
        """Delete a user whom no match names, with all that is theirs; their name is free again."""
        forgetting = (sql.FORGET_NAMES, sql.FORGET_USER)
        await self._write(*_deletion(id), *(Statement(each, [id]) for each in forgetting))

    async def delete_expired(self, now: int) -> None:
        """Delete tokens, codes and former names that have expired, and attempts of long ago."""
        for expired, delete in _EXPIRED:
            if await self._read_one(expired, now) is not None:
                await self._write(Statement(delete, [now]))

    # ---- jobs --------------------------------------------------------------------------------

    async def lease(self, kinds: Sequence[str], worker: str, now: int, until: int) -> Job | None:
        """Lease a job that is ready and free to ``worker`` alone.

        A lease that expired counts as an attempt.
        """
        if not kinds or await self._read_one(sql.has_free(len(kinds)), now, *kinds) is None:
            return None
        statement = sql.lease(len(kinds), skips_locked=self.skips_locked)
        rows = await self._write(Statement(statement, [worker, now, until, *kinds]))
        return Job(*rows[0]) if rows else None

    async def renew(self, job: str, worker: str, until: int) -> bool:
        """Extend a lease; False if it was lost."""
        return bool(await self._write(Statement(sql.RENEW, [job, worker, until])))

    async def complete(self, job: str) -> None:
        """Delete a job that is done or obsolete."""
        await self._write(Statement(sql.COMPLETE, [job]))

    async def release(self, job: str, worker: str, ready_at: int, *, counts: bool = True) -> bool:
        """Give a job back for a later attempt; False if the lease was lost.

        Only the holder of the lease can: a late worker must not take the job from the next one.
        With ``counts``, the attempt counts as one that failed.
        """
        values: list[sql.Value] = [job, worker, ready_at, int(counts)]
        return bool(await self._write(Statement(sql.RELEASE, values)))

    async def park(self, job: str, worker: str) -> None:
        """Give a job back that has failed too often: nobody leases it any more."""
        await self.release(job, worker, sql.PARKED)

    async def unpark(self, kind: str, now: int, attempts: int) -> None:
        """Make the parked jobs of a kind ready, with so many attempts behind them."""
        if await self._read_one(sql.HAS_PARKED, kind) is not None:
            await self._write(Statement(sql.UNPARK, [kind, now, attempts]))

    async def count_parked(self, kinds: Sequence[str]) -> int:
        """How many jobs of some kinds are parked."""
        row = await self._read_one(sql.count_parked(len(kinds)), *kinds) if kinds else None
        return 0 if row is None else int(row[0])


_EXPIRED = (
    (sql.EXPIRED_TOKEN, sql.DELETE_EXPIRED_TOKENS),
    (sql.KEPT_NAME, sql.FREE_NAMES),
    (sign_in.EXPIRED_CODE, sign_in.EXPIRE_CODES),
    (sign_in.OLD_ATTEMPT, sign_in.FORGET_ATTEMPTS),
)
"""How to find out whether there is anything to delete, and how to delete it."""


def _deletion(user: str) -> list[Statement]:
    """What is deleted with a user."""
    return [
        Statement(sql.DELETE_PASSWORD, [user]),
        Statement(sql.DELETE_ALL_CODES, [user]),
        Statement(sql.DELETE_PUZZLE_RESULTS, [user]),
        *company.deletion(user),
        *sign_in.deletion(user),
        Statement(chat.DELETE_MESSAGES_OF, [user]),
        Statement(reports.DELETE_REPORTS_OF, [user]),
        *called.deletion(user),
        *history.deletion(user),
        Statement(moderation.DELETE_NOTICES, [user]),
    ]


def _statements(append: Append) -> Iterable[Statement]:
    match, first = append.match, append.first
    assert append.bodies, "without entries, nothing would detect a conflict"
    assert append.row.id == match, "an append writes the index entry of its own match"
    values: list[sql.Value] = [match, first, append.bodies[0]]
    if append.by or append.named:
        values += [append.at, *append.by, *append.named, *append.meeting, *append.met]
    counts = [len(each) for each in (append.by, append.named, append.meeting, append.met)]
    yield Statement(sql.add_first_entry(*counts), values)
    for seq, body in enumerate(append.bodies[1:], first + 1):
        yield Statement(sql.ADD_ENTRY, [match, seq, body])
    if append.secret is not None:
        yield Statement(sql.ADD_SECRET, [match, append.secret])
    for user, seat in append.players:
        yield Statement(sql.ADD_PLAYER, [user, match, seat])
    for token in append.tokens:
        yield Statement(sql.ADD_TOKEN, token)
    for job in append.jobs:
        yield Statement(sql.ADD_JOB, job)
    for result in append.results:
        yield Statement(history.ADD_RESULT, result)
    yield Statement(sql.PUT_MATCH, append.row)


def _user_row(row: Sequence[Any]) -> UserRow:
    id_, kind, name, created_at, is_registered, *rest = row
    return UserRow(id_, kind, name, created_at, bool(is_registered), *rest)  # SQLite stores 0 or 1.


def signed_out() -> Unauthorized:
    """What to say to whoever acts by a token that has ended meanwhile."""
    return Unauthorized("this session has ended", "sign in again")


def name_taken(name: str) -> NameTaken:
    """What to say to whoever wants a name that isn't free."""
    return NameTaken(f"the name {name!r} is taken, or looks like another", "choose another")


def _keys(name: str) -> set[str]:
    return {name_key(name), skeleton(name)}


def _retired(key: str) -> bytes:
    """What is stored of a name that somebody had."""
    return hashlib.sha256(f"name {key}".encode()).digest()


def _name_taken_or_conflict(
    violation: ConstraintViolation, user: str, name: str | None
) -> NameTaken | Conflict:
    """Only a name can be taken in good faith; a duplicate id or token is the caller's mistake."""
    if violation.is_of("users.name", "users_name"):
        return name_taken(name or "")
    return Conflict(f"user {user!r} can't be written ({violation})", "make a new id")
