"""Rates matches when they end, on whichever node: each once, in the order of their ends.

The end of a rated match adds a job in the same transaction, so no match is forgotten. Ratings are
written together with the match that they count, and only if nobody has written to the pool since
they were read; so nothing is counted twice, and no update is lost. A match that ended before the
last one of somebody who played in it comes late, because jobs are done in any order: then it is put
in its place, and what ended after it is counted again. Matches that end in the same millisecond are
in the order of their ids. So the ratings are always those that the logs give.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Mapping, Sequence

import msgspec

from watermeet.core.errors import Conflict
from watermeet.core.registry import games as registered
from watermeet.server.matches.entries import decode
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import results_of
from watermeet.server.people.conduct import note_departures
from watermeet.server.people.ratings.anchors import start
from watermeet.server.people.ratings.counting import counted
from watermeet.server.people.ratings.fold import (
    FORMULA,
    Player,
    Pool,
    RatedMatch,
    Standing,
    Standings,
    in_order,
    rate,
)
from watermeet.server.store.history import RatingPoint
from watermeet.server.store.rows import Job, RatingRow
from watermeet.server.store.store import Store

TRIES = 20
"""How often ratings are computed again when others write first."""
PAGE, CHUNK = 500, 200
"""Matches that are read at once, and rows that are written at once."""
MOST_LATER = 1_000
"""How many matches are counted again in one transaction; a pool with more is folded as a whole."""


class Counted(RatedMatch, frozen=True):
    """A match that was counted, as it is stored."""

    before: tuple[tuple[Player, Standing], ...] = ()
    """Where its players stood; empty in rows of earlier versions."""


async def count_match(store: Store, job: Job) -> None:
    """Do the job of a match that has ended: note who left it, and rate it."""
    await note_departures(store, job.match)
    await rate_match(store, job.match)


async def rate_match(store: Store, match: str) -> None:
    """Count a match for ratings, unless it doesn't count, or is counted already."""
    rows = await store.read(match)
    found = await asyncio.to_thread(_counted, [row.body for row in rows])
    if found is None:
        return
    for _ in range(TRIES):
        if await store.is_rated(match) or await _add(store, found):
            return
    raise Conflict(f"others are always faster than the ratings of {match!r}", "try again")


def _counted(bodies: Iterable[bytes]) -> RatedMatch | None:
    return counted(_match(bodies))


def _match(bodies: Iterable[bytes]) -> Match:
    return Match.of([decode(body) for body in bodies])


async def _add(store: Store, match: RatedMatch) -> bool:
    """Write the ratings after one match more; False if others have written meanwhile."""
    pool = match.pool
    formula, version = await store.rating_pool(*pool)
    if version and formula != FORMULA:
        return await _fold_all(store, match, version)
    players = {player for team in match.teams for player in team}
    rows = [(player, await store.rating(*pool, player)) for player in players]
    before = {player: _standing(row.body) for player, row in rows if row}
    later: list[Counted] = []
    if any(row and (row.ended_at, row.match) > in_order(match) for _, row in rows):
        bodies = await store.rated_matches(*pool, after=in_order(match), limit=MOST_LATER + 1)
        later = await asyncio.to_thread(_decoded, bodies)
        if len(later) > MOST_LATER or not all(each.before for each in later):
            return await _fold_all(store, match, version)
        for each in reversed(later):
            before.update(each.before)
    last, points, all_counted = await asyncio.to_thread(_folded, [match, *later], before)
    old = {each.id: each.before for each in later}
    return await store.put_ratings(
        pool,
        FORMULA,
        version,
        [_row(player, *last[player]) for player in sorted(last)],
        [_stored(each) for each in all_counted if each.id == match.id],
        points,
        [_stored(each) for each in all_counted if each.before != old.get(each.id, each.before)],
    )


async def _fold_all(store: Store, match: RatedMatch, version: int) -> bool:
    """Fold a whole pool again, with one match more; False if others have written meanwhile."""
    bodies = await store.rated_matches(*match.pool)
    earlier = await asyncio.to_thread(_decoded, bodies)
    return await _write_all(store, match.pool, [*earlier, match], {match.id}, version)


async def _write_all(
    store: Store, pool: Pool, matches: Sequence[RatedMatch], new: Container[str], version: int
) -> bool:
    """Fold a pool and write it, in several steps: until the last, it has no valid formula."""
    last, points, all_counted = await asyncio.to_thread(_folded, matches, {})
    rows = [_row(player, *last[player]) for player in sorted(last)]
    added = [each for each in all_counted if each.id in new]
    others = [each for each in all_counted if each.id not in new]
    count = -(-max(len(rows), len(added), len(points), len(others)) // CHUNK)
    for number in range(count):
        part = slice(number * CHUNK, (number + 1) * CHUNK)
        formula = FORMULA if number == count - 1 else 0
        if not await store.put_ratings(
            pool,
            formula,
            version,
            rows[part],
            list(map(_stored, added[part])),
            points[part],
            list(map(_stored, others[part])),
        ):
            return False
        version += 1
    return True


def _folded(
    matches: Iterable[RatedMatch], before: Standings
) -> tuple[dict[Player, tuple[Standing, RatedMatch]], list[RatingPoint], list[Counted]]:
    """Everybody's standing and last match, the ratings of users after each match, and the matches.

    ``before`` is where those stand who have played already.
    """
    standings = dict(before)
    last: dict[Player, tuple[Standing, RatedMatch]] = {}
    points: list[RatingPoint] = []
    all_counted: list[Counted] = []
    for match in sorted(matches, key=in_order):
        players = sorted({player for team in match.teams for player in team})
        then = {
            player: standings.get(player) or Standing(start(match.pool, player))
            for player in players
        }
        changed = rate(match, then)
        standings.update(changed)
        last.update((player, (standing, match)) for player, standing in changed.items())
        points += _points(match, changed)
        fields = {name: getattr(match, name) for name in RatedMatch.__struct_fields__}
        all_counted.append(Counted(**fields, before=tuple(then.items())))
    return last, points, all_counted


async def recompute(store: Store) -> int:
    """Compute all ratings and results again from the logs; return how many matches are rated.

    No server may be running.
    """
    found: dict[Pool, list[RatedMatch]] = {}
    for game in registered():
        last = ""
        while page := await store.finished(game, after=last, limit=PAGE):
            for match, _ in page:
                rows = await store.read(match)
                ended = await asyncio.to_thread(_match, [row.body for row in rows])
                await store.add_results(match, results_of(ended))
                rated = counted(ended)
                if rated is not None:
                    found.setdefault(rated.pool, []).append(rated)
            last = page[-1][0]
    await store.forget_ratings()
    for pool, matches in sorted(found.items()):
        if not await _write_all(store, pool, matches, {each.id for each in matches}, 0):
            raise Conflict("ratings were written meanwhile", "stop all servers first")
    return sum(map(len, found.values()))


def _decoded(bodies: Iterable[bytes]) -> list[Counted]:
    return [msgspec.json.decode(body, type=Counted) for body in bodies]


def _stored(match: Counted) -> tuple[str, int, bytes]:
    return match.id, match.at, msgspec.json.encode(match)


def _row(player: Player, standing: Standing, match: RatedMatch) -> RatingRow:
    value, deviation = round(100 * standing.rating.value), round(100 * standing.rating.deviation)
    body = msgspec.json.encode(standing)
    return RatingRow(player.kind, player.id, value, deviation, match.at, match.id, body)


def _points(match: RatedMatch, after: Mapping[Player, Standing]) -> list[RatingPoint]:
    """What the histories of the users of a match gain."""
    found = []
    for player in sorted(after):
        if player.kind == "user":
            row = _row(player, after[player], match)
            point = RatingPoint(
                *match.pool, player.id, match.at, match.id, row.value, row.deviation
            )
            found.append(point)
    return found


def _standing(body: bytes) -> Standing:
    return msgspec.json.decode(body, type=Standing)
