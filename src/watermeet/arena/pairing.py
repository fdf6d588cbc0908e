"""Who meets whom, who sits where, and with which luck: all that is fixed before a match is played.

A *pairing* is two bots, or one bot in a game that all seats win together. A *bout* is a pairing
with one luck, played once in each *rotation*, so that each bot has had every seat with the same
deals, draws and dice. A bout is the unit of all statistics: its matches are not independent.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from watermeet.arena.errors import InvalidJob
from watermeet.core.game import Game

Pairing = tuple[str, ...]
Key = tuple[str, Pairing, int, int]
"""What tells one match of a job from all others: variation, pairing, bout, rotation."""


@dataclass(frozen=True)
class Fixture:
    """A match that is to be played."""

    game: Game
    variation: str
    """The options that the job varies, such as ``size=5``; empty if it varies none."""
    bots: Pairing
    bout: int
    rotation: int
    seed: int

    @property
    def key(self) -> Key:
        """What tells it from all others of a job."""
        return self.variation, self.bots, self.bout, self.rotation

    @property
    def seats(self) -> tuple[str, ...]:
        """The bot at each seat."""
        return tuple(self.bots[index] for index in rotations(self.game)[self.rotation])

    @property
    def luck(self) -> str:
        """The seed of chance: the same in all rotations of a bout.

        In a game that all win together it is the same for all bots, so that each meets the same
        difficulties. Between pairings it differs, so that their results are independent.
        """
        among = "" if is_cooperative(self.game) else f"/{' - '.join(self.bots)}"
        return f"{self.seed}{among}/{self.bout}"

    def describe(self) -> str:
        """The match on one line, for messages."""
        varied = f" {self.variation}," if self.variation else ""
        seats = ", ".join(self.seats)
        return f"{self.game.name}{varied} bout {self.bout}, rotation {self.rotation}: {seats}"


def is_cooperative(game: Game) -> bool:
    """Whether all seats win or lose together."""
    return len(game.teams) == 1


@lru_cache(maxsize=64)
def rotations(game: Game) -> tuple[tuple[int, ...], ...]:
    """Every way in which a pairing sits: by seat, which of its bots plays there.

    Teams are given out in turn, A B A B ..., then shifted by one team after another, and all that
    once more with A and B exchanged. So both bots play every seat equally often. An even number of
    teams has two ways, an odd number twice as many as teams; a single team has one.
    """
    count = len(game.teams)
    if count == 1:
        return ((0,) * game.seats,)
    pattern = [place % 2 for place in range(count)]
    found: list[tuple[int, ...]] = []
    for exchanged, shift in itertools.product((0, 1), range(count)):
        by_team = tuple(pattern[place - shift] ^ exchanged for place in range(count))
        if by_team not in found:
            found.append(by_team)
    return tuple(_by_seat(game, by_team) for by_team in found)


def _by_seat(game: Game, by_team: Sequence[int]) -> tuple[int, ...]:
    seats = [0] * game.seats
    for team, bot in zip(game.teams, by_team, strict=True):
        for seat in team:
            seats[seat] = bot
    return tuple(seats)


def pairings(game: Game, bots: Sequence[str], *, gauntlet: bool = False) -> tuple[Pairing, ...]:
    """Who meets whom: everybody everybody else, or with ``gauntlet`` the first all others."""
    if len(set(bots)) < len(bots):
        twice = next(name for name in bots if list(bots).count(name) > 1)
        raise InvalidJob(f"{twice!r} is named twice", "a bot's results go under its one name")
    if is_cooperative(game):
        if not bots:
            raise InvalidJob("no bot is named", f"name one or more that play {game.name}")
        return tuple((name,) for name in bots)
    if len(bots) < 2:
        raise InvalidJob(f"{len(bots)} bots cannot play against each other", "name two or more")
    every = tuple(itertools.combinations(bots, 2))
    return tuple(pair for pair in every if bots[0] in pair) if gauntlet else every


def bout_count(game: Game, matches: int) -> int:
    """How many whole bouts it takes to play at least so many matches."""
    return -(-matches // len(rotations(game)))


def fixtures(
    games: Sequence[tuple[str, Game]], pairs: Sequence[Pairing], *, matches: int, seed: int
) -> Iterator[Fixture]:
    """All matches of a job, bout after bout, so that a job that is broken off is balanced too.

    ``games`` are the variations with their names; ``matches`` is for each pairing in each of them.
    """
    most = max(bout_count(game, matches) for _, game in games)
    for bout in range(most):
        for variation, game in games:
            if bout < bout_count(game, matches):
                ways = range(len(rotations(game)))
                for pair, rotation in itertools.product(pairs, ways):
                    yield Fixture(game, variation, pair, bout, rotation, seed)
