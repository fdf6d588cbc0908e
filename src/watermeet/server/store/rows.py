"""The rows of the database. Times are milliseconds since 1970."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class LogRow(NamedTuple):
    """An entry of a match's log."""

    seq: int
    body: bytes


class MatchRow(NamedTuple):
    """The index entry of a match, for lists; written with every append."""

    id: str
    game: str
    stage: str
    is_public: bool
    created_at: int
    changed_at: int
    due_at: int | None
    """When something happens although nobody moves: a flag falls, a minute ends."""
    headline: bytes
    """JSON for lists: players, options, whose turn it is."""


def match_row(row: Sequence[Any]) -> MatchRow:
    """The row as the database returns it."""
    id_, game, stage, is_public, *rest = row
    return MatchRow(id_, game, stage, bool(is_public), *rest)  # SQLite stores 0 or 1.


class Job(NamedTuple):
    """Work for one node at a time, such as a bot's choice when the log ends at ``seq``."""

    id: str
    kind: str
    match: str
    seat: int
    seq: int
    body: bytes
    ready_at: int
    attempts: int = 0
    rank: int = 0
    """Of the jobs that are ready, the one with the lowest rank comes first."""


class TokenRow(NamedTuple):
    """What a token allows. The token itself isn't stored, only its hash."""

    hash: bytes
    kind: str
    """seat, invite, device, bot or personal."""
    user: str | None
    match: str | None
    seat: int | None
    created_at: int
    label: str = ""
    """The device, in words."""
    used_at: int | None = None
    """When it was last used, about; None: not since it was new."""
    expires_at: int | None = None
    """None: never."""
    scopes: str | None = None
    """What a personal access token allows, separated by spaces; None: everything."""
    proven_at: int | None = None
    """When the holder last proved who they are, by a password or a passkey."""


class CodeRow(NamedTuple):
    """A code that lets a user in once; only its hash is stored."""

    hash: bytes
    kind: str
    """device, passkey, mail, reset or invitation; spent, once it was used."""
    user: str
    expires_at: int | None
    body: str = ""
    """What it is for."""


class Spending(NamedTuple):
    """The use of a code."""

    hash: bytes
    kind: str
    now: int
    user: str = ""
    """The only one who may use it; empty: anybody."""


class UserRow(NamedTuple):
    """A person or a bot account."""

    id: str
    kind: str
    """guest, named, bot or deleted."""
    name: str | None
    """Unique regardless of case; None for a guest."""
    created_at: int
    is_registered: bool = False
    """Whether they have an account."""
    role: str = "player"
    """player, moderator or administrator."""
    muted_until: int | None = None
    suspended_until: int | None = None
    owner: str | None = None
    """Whose bot it is, by id."""

    @property
    def is_guest(self) -> bool:
        """Whether this is a person without an account, who may have reserved a name."""
        return not self.is_registered and self.kind in ("guest", "named")


class RatingRow(NamedTuple):
    """A player's rating in a pool after their last match, which ended at ``ended_at``."""

    player_kind: str
    player_id: str
    value: int
    """In hundredths, like the deviation."""
    deviation: int
    ended_at: int
    match: str
    body: bytes


class LeaderRow(NamedTuple):
    """A user of a leaderboard."""

    name: str
    body: bytes


class PuzzleRow(NamedTuple):
    """How hard a puzzle is by its results; ratings are in hundredths."""

    rating: int
    deviation: int
    solved: int
    failed: int


class PuzzleResultRow(NamedTuple):
    """How somebody did in a puzzle, and their rating after it, in hundredths."""

    puzzle: str
    is_solved: bool
    rating: int
    deviation: int
    at: int


@dataclass(frozen=True)
class Append:
    """One transaction: new entries of a match from number ``first`` on, and what goes with them."""

    match: str
    first: int
    bodies: Sequence[bytes]
    row: MatchRow
    secret: bytes | None = None
    """The random secret of the match, with its first entry only."""
    jobs: Sequence[Job] = ()
    players: Sequence[tuple[str, int]] = ()
    """(user, seat) of players who just joined."""
    tokens: Sequence[TokenRow] = ()
    by: Sequence[str] = ()
    """Users who do it: none of them may be deleted or suspended."""
    named: Sequence[str] = ()
    """Users whose names it writes: none of them may be deleted."""
    meeting: Sequence[str] = ()
    """Users who take a seat by it, or play again: none of them may have blocked, or be blocked by,
    one of those ``met``."""
    met: Sequence[str] = ()
    at: int = 0
    """The time, for suspensions."""
    results: Sequence[tuple[Any, ...]] = ()
    """How the match ended for its players, with its last entries only: see history.py."""
