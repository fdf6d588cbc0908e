"""Puzzles on the server: which one comes next, and ratings that move with results.

Whoever has a token has a rating here, for each game; others keep theirs in their browser, and
the server only computes it. Only the first result of somebody in a puzzle counts. The rating of a
puzzle is moved by people with an account alone: anybody can be a dozen guests.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection
from datetime import UTC, datetime

from msgspec import Struct

from watermeet.core.game import Game
from watermeet.learn.puzzles import Puzzle, puzzles_of
from watermeet.server.people.ratings.glicko import START, Rating, rate
from watermeet.server.store.rows import PuzzleResultRow, PuzzleRow, UserRow
from watermeet.server.store.store import Store

KEPT = 1000
"""How many results of somebody are looked at: more than a game has puzzles."""
UNKNOWN, PUZZLE_UNKNOWN, LEAST_DEVIATION = 100.0, 120.0, 60.0
"""The deviation of somebody who hasn't solved anything, of a puzzle that nobody has tried, and the
least of all. Glickman begins with 350, but then one slip costs hundreds of points, where a dozen or
two are enough; and a puzzle's rating was estimated by the miner."""
LOWEST, HIGHEST = 100.0, 3500.0
NEAR = 12
"""The next puzzle is one of this many whose ratings are closest."""


class PuzzleResult(Struct, frozen=True):
    """What a first try was worth: the ratings after it, and what the solver's changed by."""

    is_solved: bool
    rating: int
    deviation: int
    change: int
    puzzle_rating: int


class Puzzles:
    """Chooses puzzles and rates results."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now

    async def rating(self, puzzle: Puzzle) -> tuple[Rating, int]:
        """How hard a puzzle is, and how many people with an account have tried it."""
        row = await self._store.puzzle(puzzle.id)
        if row is None:
            return new_rating(puzzle.rating, PUZZLE_UNKNOWN), 0
        return new_rating(row.rating / 100, row.deviation / 100), row.solved + row.failed

    async def results(self, user: str, game: Game) -> list[PuzzleResultRow]:
        """How a user did in the puzzles of a game, the last one first."""
        return await self._store.puzzle_results(user, game.name, KEPT)

    def daily(self, game: Game) -> tuple[str, Puzzle | None]:
        """Today's date and puzzle, the same for everybody; the date is that of UTC."""
        day = datetime.fromtimestamp(self._now() / 1000, UTC).date()
        ordered = sorted(puzzles_of(game), key=lambda each: _mixed(each.id))
        return day.isoformat(), ordered[day.toordinal() % len(ordered)] if ordered else None

    def next(
        self, game: Game, rating: float, *, theme: str, done: Collection[str], skip: Collection[str]
    ) -> Puzzle | None:
        """A puzzle for somebody with this rating, preferably one that they haven't tried."""
        known = [each for each in puzzles_of(game) if not theme or theme in each.themes]
        fresh = [each for each in known if each.id not in done and each.id not in skip]
        fresh = fresh or [each for each in known if each.id not in skip] or known
        near = sorted(fresh, key=lambda each: abs(each.rating - rating))[:NEAR]
        return random.SystemRandom().choice(near) if near else None

    async def rate(self, puzzle: Puzzle, mine: Rating, *, is_solved: bool) -> PuzzleResult:
        """What a result is worth to somebody without a token: nothing is stored."""
        hard, _ = await self.rating(puzzle)
        return _result(mine, after(mine, hard, won=is_solved), hard, is_solved=is_solved)

    async def record(
        self, user: UserRow, puzzle: Puzzle, claimed: Rating | None = None, *, is_solved: bool
    ) -> PuzzleResult | None:
        """Keep a user's result; None if it isn't their first in this puzzle.

        ``claimed`` is the rating from before they were a user; it is as unsure as a new one, and
        the puzzle is rated without it.
        """
        earlier = await self._store.puzzle_results(user.id, puzzle.game, 1)
        known = mine = rating_of(earlier)
        if claimed is not None and not earlier:
            mine = new_rating(claimed.value)
        hard, _ = await self.rating(puzzle)
        gained = after(mine, hard, won=is_solved)
        row = PuzzleResultRow(
            puzzle.id, is_solved, round(100 * gained.value), round(100 * gained.deviation),
            self._now(),
        )  # fmt: skip
        if not user.is_registered:
            is_first = await self._store.add_puzzle_result(user.id, puzzle.game, row)
            return _result(mine, gained, hard, is_solved=is_solved) if is_first else None
        harder = after(hard, known, won=not is_solved)
        counts = PuzzleRow(
            100 * puzzle.rating, round(100 * harder.deviation), int(is_solved), int(not is_solved)
        )
        gain = round(100 * (harder.value - hard.value))
        if not await self._store.add_puzzle_result(user.id, puzzle.game, row, counts, gain):
            return None
        return _result(mine, gained, harder, is_solved=is_solved)


def new_rating(value: float = START, deviation: float = UNKNOWN) -> Rating:
    """The rating of a solver or a puzzle; how fast solvers learn isn't estimated."""
    return Rating(value, deviation, volatility=0.0)


def after(one: Rating, other: Rating, *, won: bool) -> Rating:
    """The rating of the one after a match against the other: a solver's, or a puzzle's.

    >>> gained = after(new_rating(), new_rating(1500, 120), won=True)
    >>> round(gained.value), round(gained.deviation)
    (1525, 97)
    """
    found = rate(one, [(other, float(won))])
    return new_rating(
        min(max(found.value, LOWEST), HIGHEST), min(max(found.deviation, LEAST_DEVIATION), UNKNOWN)
    )


def rating_of(results: list[PuzzleResultRow]) -> Rating:
    """The rating of somebody with these results, the last one first."""
    if not results:
        return new_rating()
    return new_rating(results[0].rating / 100, results[0].deviation / 100)


def _result(mine: Rating, gained: Rating, puzzle: Rating, *, is_solved: bool) -> PuzzleResult:
    change = round(gained.value) - round(mine.value)
    return PuzzleResult(
        is_solved, round(gained.value), round(gained.deviation), change, round(puzzle.value)
    )


def _mixed(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=8).digest()
