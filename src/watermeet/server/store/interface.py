"""What the server asks of a database. Two engines are behind it, with the same SQL.

The log of a match is the truth: entries are only ever appended, and (match, seq) is unique. All
else here is an index into it, or belongs to people; what an append changes besides is written in
the same transaction, so that no crash can part them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class LogRow:
    """An entry of a match's log as it is stored."""

    seq: int
    body: bytes


@dataclass(frozen=True)
class MatchRow:
    """What lists of matches show, without reading a log; written with every append."""

    id: str
    game: str
    stage: str
    """open (seats are free), playing, paused, over or gone."""
    is_public: bool
    created_at: int
    changed_at: int
    due_at: int | None
    """When somebody must look at the match although nobody moves: a flag falls, a minute ends."""
    headline: bytes
    """JSON for lists: who sits where, options, whose turn."""


@dataclass(frozen=True)
class Job:
    """Work for a bot: to choose in a match, for a seat, while its log ends at ``seq``."""

    id: str
    kind: str
    match: str
    seat: int
    seq: int
    body: bytes
    ready_at: int
    attempts: int = 0


@dataclass(frozen=True)
class TokenRow:
    """What a token allows; the token itself is nowhere stored, only its hash."""

    hash: bytes
    kind: str
    """seat, invite, device or bot."""
    user: str | None
    match: str | None
    seat: int | None
    created_at: int


@dataclass(frozen=True)
class UserRow:
    """A person or a bot account."""

    id: str
    kind: str
    """guest, named or bot."""
    name: str | None
    """Unique among users, without regard to case; None for a guest."""
    created_at: int


@dataclass(frozen=True)
class Append:
    """One transaction: entries of a match from ``first`` on, and what changes with them."""

    match: str
    first: int
    bodies: Sequence[bytes]
    row: MatchRow
    secret: bytes | None = None
    """The match's random secret, with its first entry only."""
    jobs: Sequence[Job] = ()
    players: Sequence[tuple[str, int]] = ()
    """(user, seat) of those who have just sat down: so their matches are found again."""
    tokens: Sequence[TokenRow] = field(default=())


class Store(Protocol):
    """A database, opened and migrated.

    A method that writes returns when the write is durable. Any method raises StoreUnavailable when
    the database cannot be reached, and nothing was written then, or nobody can know: the caller
    reads before it tries again.
    """

    async def append(self, append: Append) -> None:
        """Writes all or nothing; raises Conflict if one of the numbers is taken already.

        Also if the number before the first is missing, for a log has no holes: a node that
        remembers more than a restored database must forget it.
        """

    async def read(self, match: str, after: int = 0) -> list[LogRow]:
        """The entries behind ``after``, in order; empty for a match that does not exist."""

    async def secret(self, match: str) -> bytes | None:
        """The random secret of a match."""

    async def match_row(self, match: str) -> MatchRow | None:
        """The index row of a match."""

    async def open_matches(self, *, game: str | None, limit: int) -> list[MatchRow]:
        """Public ones that wait for people, the newest first."""

    async def live_matches(self, *, game: str | None, limit: int) -> list[MatchRow]:
        """Public ones that are played now, the last changed first."""

    async def matches_of(
        self, user: str, *, before: tuple[int, str] | None, limit: int
    ) -> list[MatchRow]:
        """Where a user sits or sat, the last changed first.

        ``before``: ``(changed_at, id)`` of the last row of the page before. The time alone would
        lose matches that were changed in the same millisecond, as a match and its rematch are.
        """

    async def due(self, now: int, limit: int) -> list[str]:
        """Matches whose ``due_at`` has come, the longest overdue first."""

    async def add_user(self, user: UserRow, token: TokenRow | None = None) -> None:
        """A new user; raises NameTaken."""

    async def user(self, id: str) -> UserRow | None:  # noqa: A002 - a row's own word for it.
        """A user by id."""

    async def rename(self, id: str, name: str) -> bool:  # noqa: A002
        """Gives a user a name of its own, and a guest is a named user then; raises NameTaken.

        False: there is no such user.
        """

    async def add_token(self, token: TokenRow) -> None:
        """Keeps what a token allows."""

    async def token(self, hash: bytes) -> TokenRow | None:  # noqa: A002
        """What a token allows, by the hash of it."""

    async def revoke(self, hash: bytes) -> bool:  # noqa: A002
        """Makes a token worthless; whether there was one."""

    async def lease(self, kinds: Sequence[str], worker: str, now: int, until: int) -> Job | None:
        """A job that is ready and that nobody works at, for ``worker`` alone until then.

        A lease that ran out was a try, and is counted.
        """

    async def renew(self, job: str, worker: str, until: int) -> bool:
        """Goes on working; False: the lease was lost."""

    async def complete(self, job: str) -> None:
        """The job is done, or of no use any more."""

    async def release(self, job: str, worker: str, ready_at: int) -> bool:
        """Gives a job back, to be tried again later; counts the try. False: the lease was lost.

        Only who holds the lease may: else a late worker would take the job from the next one.
        """

    async def backup(self, path: str) -> None:
        """One file with everything, made while others write; raises Unsupported elsewhere."""

    async def close(self) -> None:
        """Finishes what was begun, and lets go."""
