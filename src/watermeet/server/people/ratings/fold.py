"""Ratings as a fold over finished rated matches, in the order in which they ended.

Each game has up to four pools, one for each kind of match, and everybody has a rating in each pool
that they have played in. Players are users, the levels of bots, and difficulties: a cooperative
match is played against its difficulty. Ratings follow from the matches alone, so they can be
computed again at any time; ``FORMULA`` is the version of what this folder computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

import msgspec

from watermeet.server.people.ratings import glicko, weng_lin
from watermeet.server.people.ratings.glicko import PERIOD, Rating

FORMULA = 1
"""Raised whenever the same matches give other ratings: then all are computed again."""
PROVISIONAL = 110.0
"""Ratings with a greater deviation are marked as provisional."""
LEAST_DEVIATION = 45.0
"""No user's rating is surer than this, so that it keeps moving."""
LEAST_BOT_DEVIATION = 30.0
"""The same of bots and difficulties, whose strength doesn't change."""
LOWEST, HIGHEST = 100.0, 4000.0
MOST_VOLATILITY = 0.1

Kind = Literal["two", "several", "teams", "cooperative"]
"""Two seats, several seats alone, teams, or all together against a difficulty."""


class Pool(NamedTuple):
    """Who is compared with whom."""

    game: str
    kind: Kind


class Player(NamedTuple):
    """Somebody or something with a rating."""

    kind: Literal["user", "bot", "difficulty"]
    id: str
    """A user's id, a level, or a game's options."""


class Standing(msgspec.Struct, frozen=True):
    """A player's rating, and what it is based on."""

    rating: Rating
    count: int = 0
    """How many rated matches they have played."""
    at: int = 0
    """When the last one ended, in milliseconds since 1970."""

    def now(self, at: int) -> Rating:
        """The rating at a time: the longer ago the last match, the less sure it is."""
        return self.rating.after(self.periods(at)) if self.count else self.rating

    def periods(self, at: int) -> float:
        """The rating periods since the last match."""
        return max(at - self.at, 0) / PERIOD if self.count else 0.0

    def is_provisional(self, at: int) -> bool:
        """Whether too little is known."""
        return self.now(at).deviation > PROVISIONAL


class RatedMatch(msgspec.Struct, frozen=True):
    """What a match means for ratings."""

    id: str
    at: int
    """When it ended."""
    pool: Pool
    teams: tuple[tuple[Player, ...], ...]
    """A cooperative match has two: the players, and the difficulty."""
    places: tuple[int, ...]
    """Of the teams: 1 is the best; those who tie have the same."""
    left: tuple[Player, ...] = ()
    """Who left the match: they gain nothing, even if their team wins."""


Standings = Mapping[Player, Standing]
Start = Callable[[Pool, Player], Rating]


def rate(match: RatedMatch, before: Standings) -> dict[Player, Standing]:
    """The standings after a match of all who played in it."""
    now = {player: standing.now(match.at) for player, standing in before.items()}
    changed: dict[Player, list[Rating]] = {}
    updates = (
        _by_glicko(match, before, now) if match.pool.kind == "two" else _by_weng_lin(match, now)
    )
    for player, rating in updates:
        highest = now[player].value if player in match.left else HIGHEST
        least = LEAST_DEVIATION if player.kind == "user" else LEAST_BOT_DEVIATION
        value = min(max(rating.value, LOWEST), highest)
        volatility = min(rating.volatility, MOST_VOLATILITY)
        bounded = Rating(value, max(rating.deviation, least), volatility)
        changed.setdefault(player, []).append(bounded)
    return {
        player: Standing(_mean(found), before[player].count + 1, max(match.at, before[player].at))
        for player, found in changed.items()
    }


Updates = Iterator[tuple[Player, Rating]]


def _by_glicko(match: RatedMatch, before: Standings, now: Mapping[Player, Rating]) -> Updates:
    (first,), (second,) = match.teams
    difference = match.places[1] - match.places[0]
    score = 0.5 if difference == 0 else float(difference > 0)
    for player, opponent, points in ((first, second, score), (second, first, 1.0 - score)):
        periods = before[player].periods(match.at)
        yield player, glicko.rate(before[player].rating, [(now[opponent], points)], periods)


def _by_weng_lin(match: RatedMatch, now: Mapping[Player, Rating]) -> Updates:
    teams = [[now[player] for player in team] for team in match.teams]
    for team, ratings in zip(match.teams, weng_lin.rate(teams, match.places), strict=True):
        yield from zip(team, ratings, strict=True)


def _mean(ratings: list[Rating]) -> Rating:
    """The rating of a bot that played several seats: the mean of what each seat would have."""
    count = len(ratings)
    return Rating(
        sum(each.value for each in ratings) / count,
        sum(each.deviation for each in ratings) / count,
        ratings[0].volatility,
    )


class Ratings:
    """Everybody's standings, match by match."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._standings: dict[Pool, dict[Player, Standing]] = {}

    def of(self, pool: Pool, player: Player) -> Standing:
        """A player's standing; that of somebody new, if they haven't played."""
        found = self._standings.get(pool, {}).get(player)
        return Standing(self._start(pool, player)) if found is None else found

    def pool(self, pool: Pool) -> dict[Player, Standing]:
        """Everybody who has played in a pool."""
        return dict(self._standings.get(pool, {}))

    def pools(self) -> list[Pool]:
        """The pools in which somebody has played, in order."""
        return sorted(self._standings)

    def add(self, match: RatedMatch) -> dict[Player, Standing]:
        """Count one match more, and return the standings that it changed."""
        players = {player for team in match.teams for player in team}
        changed = rate(match, {player: self.of(match.pool, player) for player in players})
        self._standings.setdefault(match.pool, {}).update(changed)
        return changed


def fold(matches: Iterable[RatedMatch], start: Start) -> Ratings:
    """The ratings after all matches, in any order: the first to end is counted first."""
    ratings = Ratings(start)
    for match in sorted(matches, key=in_order):
        ratings.add(match)
    return ratings


def in_order(match: RatedMatch) -> tuple[int, str]:
    """By which matches are sorted before they are counted."""
    return match.at, match.id
