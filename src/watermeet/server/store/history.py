"""What the store knows of the past: results, ratings after each match, and favourites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from watermeet.server.store.part import StorePart
from watermeet.server.store.rows import MatchRow, match_row
from watermeet.server.store.sql import MATCH, Statement, Value


class ResultRow(NamedTuple):
    """How a match ended for a player."""

    player_kind: str
    """user or bot."""
    player_id: str
    match: str
    game: str
    ended_at: int
    result: str
    """won, drawn or lost; empty for somebody who played against themselves."""
    is_rated: bool
    is_public: bool


class RatingPoint(NamedTuple):
    """A user's rating after a match, in hundredths."""

    game: str
    kind: str
    user: str
    ended_at: int
    match: str
    value: int
    deviation: int


class RatingChange(NamedTuple):
    """What a match meant for a user's rating, in hundredths."""

    user: str
    value: int
    deviation: int
    before: int | None
    """None before the first match."""


class PastMatch(NamedTuple):
    """A match of a player's past."""

    row: MatchRow
    ended_at: int
    result: str
    is_rated: bool


class Tally(NamedTuple):
    """How many matches of a game ended in a way."""

    game: str
    result: str
    matches: int


class Past(NamedTuple):
    """Which matches of a user are asked for; what is empty or None doesn't matter."""

    user: str
    only_public: bool = True
    game: str = ""
    result: str = ""
    opponent: tuple[str, str] = ("", "")
    """Kind and id."""
    since: int | None = None
    until: int | None = None
    before: tuple[int, str] | None = None
    """``(ended_at, match)`` of the last one on the previous page."""

    def query(self, limit: int) -> Statement:
        """The matches, the last one first."""
        conditions = ["results.player_kind = 'user'", "results.player_id = $1"]
        values: list[Value] = [self.user, limit]

        def also(condition: str, *more: Value) -> None:
            for value in more:
                values.append(value)
                condition = condition.replace("?", f"${len(values)}", 1)
            conditions.append(condition)

        if self.only_public:
            also("results.is_public")
        if self.game:
            also("results.game = ?", self.game)
        if self.result:
            also("results.result = ?", self.result)
        if self.since is not None:
            also("results.ended_at >= ?", self.since)
        if self.until is not None:
            also("results.ended_at < ?", self.until)
        if self.before is not None:
            also(
                "(results.ended_at, results.match_id) < (CAST(? AS BIGINT), CAST(? AS TEXT))",
                *self.before,
            )
        if any(self.opponent):
            also(
                "EXISTS (SELECT 1 FROM results AS other WHERE other.match_id = results.match_id"
                " AND other.player_kind = ? AND other.player_id = ?)",
                *self.opponent,
            )
        columns = ", ".join(f"matches.{column}" for column in MATCH.split(", "))
        return Statement(
            f"SELECT results.ended_at, results.result, results.is_rated, {columns}"
            " FROM results JOIN matches ON matches.id = results.match_id"
            f" WHERE {' AND '.join(conditions)}"
            " ORDER BY results.ended_at DESC, results.match_id DESC LIMIT $2",
            values,
        )


# Adding the same one twice, as when everything is computed again, adds it once.
ADD_RESULT = """
INSERT INTO results
  (player_kind, player_id, match_id, game, ended_at, result, is_rated, is_public)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"""

TALLY = """
SELECT game, result, count(*) FROM results
WHERE player_kind = 'user' AND player_id = $1 AND result <> '' AND (is_public OR $2)
GROUP BY game, result"""

PUT_POINT = """
INSERT INTO rating_history (game, kind, user_id, ended_at, match_id, value, deviation)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (game, kind, user_id, ended_at, match_id) DO UPDATE SET value = excluded.value,
  deviation = excluded.deviation"""

POINTS = """
SELECT game, kind, user_id, ended_at, match_id, value, deviation FROM rating_history
WHERE user_id = $1 AND game = $2 AND kind = $3 ORDER BY ended_at DESC, match_id DESC LIMIT $4"""

# What a match changed, and each user's rating before it; NULL for a first match.
CHANGES = """
SELECT now.user_id, now.value, now.deviation, (
  SELECT value FROM rating_history AS past
  WHERE past.game = now.game AND past.kind = now.kind AND past.user_id = now.user_id
    AND (past.ended_at, past.match_id) < (now.ended_at, now.match_id)
  ORDER BY past.ended_at DESC, past.match_id DESC LIMIT 1
) FROM rating_history AS now WHERE now.match_id = $1"""

FORGET_POINTS = "DELETE FROM rating_history"

COUNT_FAVOURITES = "SELECT count(*) FROM favourites WHERE user_id = $1"
ADD_FAVOURITE = """
INSERT INTO favourites (user_id, match_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"""
REMOVE_FAVOURITE = "DELETE FROM favourites WHERE user_id = $1 AND match_id = $2"
FAVOURITES = """
SELECT match_id, at FROM favourites WHERE user_id = $1
ORDER BY at DESC, match_id DESC LIMIT $2"""
FAVOURITES_BEFORE = """
SELECT match_id, at FROM favourites
WHERE user_id = $1 AND (at, match_id) < (CAST($3 AS BIGINT), CAST($4 AS TEXT))
ORDER BY at DESC, match_id DESC LIMIT $2"""

ADD_IMPORT = "INSERT INTO imports (match_id, user_id, at) VALUES ($1, $2, $3)"

# From before $1, of people who have no account.
OLD_IMPORTS = """
SELECT match_id FROM imports
WHERE at <= $1 AND NOT EXISTS (
  SELECT 1 FROM users WHERE id = imports.user_id AND is_registered AND kind <> 'deleted'
)
ORDER BY at LIMIT $2"""
IMPORTS_OF = "SELECT match_id FROM imports WHERE user_id = $1 ORDER BY at"
FORGET_IMPORT = "DELETE FROM imports WHERE match_id = $1"

DELETE_POINTS = "DELETE FROM rating_history WHERE user_id = $1"
DELETE_FAVOURITES = "DELETE FROM favourites WHERE user_id = $1"


def deletion(user: str) -> list[Statement]:
    """What deletes the past of a user who is deleted; results have only an id that nobody has."""
    return [Statement(DELETE_POINTS, [user]), Statement(DELETE_FAVOURITES, [user])]


class HistoryStore(StorePart):
    """The part of the store that is about the past."""

    async def add_results(self, match: str, results: Sequence[ResultRow]) -> None:
        """Add the results of a match, unless they are known. Usually an append does."""
        assert all(result.match == match for result in results)
        await self._write(*(Statement(ADD_RESULT, result) for result in results))

    async def past(self, past: Past, limit: int) -> list[PastMatch]:
        """The finished matches of a user, the last one first."""
        rows = await self._read(past.query(limit))
        return [
            PastMatch(match_row(row), ended_at, result, bool(is_rated))
            for ended_at, result, is_rated, *row in rows
        ]

    async def tally(self, user: str, *, also_private: bool) -> list[Tally]:
        """How often a user has won, drawn and lost, by game."""
        return [Tally(*row) for row in await self._read(Statement(TALLY, [user, also_private]))]

    async def rating_points(self, user: str, game: str, kind: str, limit: int) -> list[RatingPoint]:
        """The ratings of a user after their last matches, in order."""
        rows = await self._read(Statement(POINTS, [user, game, kind, limit]))
        return [RatingPoint(*row) for row in reversed(rows)]

    async def rating_changes(self, match: str) -> list[RatingChange]:
        """What a match meant for the ratings of its users; nothing until it is counted."""
        return [RatingChange(*row) for row in await self._read(Statement(CHANGES, [match]))]

    async def add_import(self, match: str, user: str, at: int) -> None:
        """Note who has imported a match."""
        await self._write(Statement(ADD_IMPORT, [match, user, at]))

    async def imports_of(self, user: str) -> list[str]:
        """The matches that a user has imported, in order."""
        return [match for (match,) in await self._read(Statement(IMPORTS_OF, [user]))]

    async def old_imports(self, before: int, limit: int) -> list[str]:
        """The matches that people without an account imported before a time."""
        return [match for (match,) in await self._read(Statement(OLD_IMPORTS, [before, limit]))]

    async def forget_import(self, match: str) -> None:
        """Note that there is no such match any more."""
        await self._write(Statement(FORGET_IMPORT, [match]))

    async def add_favourite(self, user: str, match: str, at: int, most: int) -> bool:
        """Keep a match as a favourite; False if the user has as many."""
        return await self._write_at_most(
            most,
            Statement(COUNT_FAVOURITES, [user]),
            Statement(ADD_FAVOURITE, [user, match, at]),
            alone=user,
        )

    async def remove_favourite(self, user: str, match: str) -> None:
        """Keep it no longer."""
        await self._write(Statement(REMOVE_FAVOURITE, [user, match]))

    async def favourites(
        self, user: str, limit: int, before: tuple[int, str] | None = None
    ) -> list[tuple[str, int]]:
        """The favourite matches of a user, and since when they are, the last one first.

        ``before`` is the time and the match of the last row on the previous page.
        """
        query = FAVOURITES if before is None else FAVOURITES_BEFORE
        rows = await self._read(Statement(query, [user, limit, *(before or ())]))
        return [(match, at) for match, at in rows]
