"""What the store knows of users together: who follows, blocks and mutes whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from watermeet.server.errors import Blocked
from watermeet.server.store.part import StorePart
from watermeet.server.store.sql import Statement, with_owners


class TieRow(NamedTuple):
    """That a user follows, blocks or mutes another."""

    user: str
    kind: str
    """follow, block or mute."""
    other: str
    label: str
    """What the other was called at the match, if it is a tie to whoever had a seat."""
    at: int


class NamedTie(NamedTuple):
    """A tie, with the name that the other has now."""

    tie: TieRow
    name: str | None
    is_mutual: bool

    @property
    def shown(self) -> str:
        """What the user calls the other: what a guest is called later is the guest's affair."""
        return self.tie.label or self.name or ""


ADD_TIE = """
INSERT INTO ties (user_id, kind, other_id, label, at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING"""

REMOVE_TIE = "DELETE FROM ties WHERE user_id = $1 AND kind = $2 AND other_id = $3"

# Whoever blocks somebody follows them no longer, nor the other way round.
UNFOLLOW_BOTH = """
DELETE FROM ties WHERE kind = 'follow'
  AND ((user_id = $1 AND other_id = $2) OR (user_id = $2 AND other_id = $1))"""

READ_TIES = """
SELECT ties.user_id, ties.kind, ties.other_id, ties.label, ties.at, users.name,
  EXISTS (SELECT 1 FROM ties AS back WHERE back.user_id = ties.other_id AND back.kind = ties.kind
    AND back.other_id = ties.user_id)
FROM ties JOIN users ON users.id = ties.other_id
WHERE ties.user_id = $1 AND ties.kind = $2 ORDER BY ties.at DESC, ties.other_id"""

HAS_TIE = "SELECT 1 FROM ties WHERE user_id = $1 AND kind = $2 AND other_id = $3"

COUNT_TIES = "SELECT count(*) FROM ties WHERE user_id = $1 AND kind = $2"

_BLOCKED = f"""
SELECT other_id FROM ties WHERE user_id IN ({with_owners("$1")}) AND kind = 'block'
UNION ALL SELECT user_id FROM ties WHERE other_id IN ({with_owners("$1")}) AND kind = 'block'"""

# With the bots of these people, and as their owner if it is a bot.
BLOCKED = f"{_BLOCKED} UNION ALL SELECT id FROM users WHERE owner_id IN ({_BLOCKED})"

MUTED = "SELECT other_id FROM ties WHERE user_id = $1 AND kind = 'mute'"

DELETE_TIES = "DELETE FROM ties WHERE user_id = $1"
DELETE_TIES_TO = "DELETE FROM ties WHERE other_id = $1"


def deletion(user: str) -> list[Statement]:
    """What deletes all ties of a user who is deleted."""
    return [Statement(DELETE_TIES, [user]), Statement(DELETE_TIES_TO, [user])]


class CompanyStore(StorePart):
    """The part of the store that is about users together."""

    async def add_tie(self, tie: TieRow, most: int) -> bool:
        """Add a tie, unless it exists; False if the user has as many of its kind.

        A block ends follows in both directions.
        """
        added = [Statement(ADD_TIE, tie)]
        if tie.kind == "block":
            added.insert(0, Statement(UNFOLLOW_BOTH, [tie.user, tie.other]))
        counted = Statement(COUNT_TIES, [tie.user, tie.kind])
        return await self._write_at_most(most, counted, *added, alone=tie.user)

    async def unfollow_both(self, user: str, other: str) -> None:
        """End follows in both directions."""
        await self._write(Statement(UNFOLLOW_BOTH, [user, other]))

    async def remove_tie(self, user: str, kind: str, other: str) -> None:
        """Remove a tie, if there is one."""
        await self._write(Statement(REMOVE_TIE, [user, kind, other]))

    async def ties(self, user: str, kind: str) -> list[NamedTie]:
        """The ties of a user, the last one first."""
        rows = await self._read(Statement(READ_TIES, [user, kind]))
        return [NamedTie(TieRow(*row[:5]), row[5], bool(row[6])) for row in rows]

    async def has_tie(self, user: str, kind: str, other: str) -> bool:
        """Whether a user follows, blocks or mutes another."""
        return bool(await self._read(Statement(HAS_TIE, [user, kind, other])))

    async def blocked(self, user: str) -> set[str]:
        """Those whom a user has blocked, and those who have blocked them; with their bots."""
        return {each for (each,) in await self._read(Statement(BLOCKED, [user]))}

    async def check_not_blocked(self, user: str, others: Iterable[str]) -> None:
        """Raise Blocked if a block stands between a user and one of the others."""
        found = {other for other in others if other and other != user}
        if found and not found.isdisjoint(await self.blocked(user)):
            raise Blocked("one of you has blocked another", "play others")

    async def muted(self, user: str) -> set[str]:
        """Those whom a user has muted."""
        return {each for (each,) in await self._read(Statement(MUTED, [user]))}
