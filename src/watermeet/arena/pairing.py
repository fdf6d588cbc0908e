"""Pairings, rounds and seats: what is known of a match before it is played.

A *pairing* is two bots, or one bot in a cooperative game. A *round* of a pairing is one match in
each *rotation* of the seats, all with the same chance outcomes, so that each bot plays every seat
with the same deals and dice. In a game of two seats that is a game pair. Statistics count rounds,
because the matches of a round aren't independent.
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
"""Identifies a match of a job: variation, pairing, round, rotation."""


@dataclass(frozen=True)
class Fixture:
    """A match to be played."""

    game: Game
    variation: str
    """The options that the job varies, such as ``size=5``; empty if there are none."""
    bots: Pairing
    round: int
    rotation: int
    seed: int

    @property
    def key(self) -> Key:
        """Identifies the match in its job."""
        return self.variation, self.bots, self.round, self.rotation

    @property
    def seats(self) -> tuple[str, ...]:
        """The bot at each seat."""
        return tuple(self.bots[index] for index in rotations(self.game)[self.rotation])

    @property
    def chance_seed(self) -> str:
        """The seed of all chance outcomes: the same in all rotations of a round.

        In a cooperative game it is the same for all bots, so that each faces the same difficulties.
        Otherwise it differs between pairings, so that their results are independent.
        """
        among = "" if is_cooperative(self.game) else f"/{' - '.join(self.bots)}"
        return f"{self.seed}{among}/{self.round}"

    def describe(self) -> str:
        """The match on one line, for messages."""
        varied = f" {self.variation}," if self.variation else ""
        seats = ", ".join(self.seats)
        return f"{self.game.name}{varied} round {self.round}, rotation {self.rotation}: {seats}"


def is_cooperative(game: Game) -> bool:
    """Whether all seats win or lose together."""
    return len(game.teams) == 1


@lru_cache(maxsize=64)
def rotations(game: Game) -> tuple[tuple[int, ...], ...]:
    """Every seating of a pairing: by seat, the index of the bot that plays there.

    Teams alternate, A B A B ..., shifted by one team after another, and all of that again with A
    and B swapped, so both bots play every seat equally often. There are two seatings for an even
    number of teams, twice as many as teams for an odd number, and one for a single team.
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


def pairings(game: Game, bots: Sequence[str], *, gauntlet: int = 0) -> tuple[Pairing, ...]:
    """The pairings: a round-robin, or a ``gauntlet`` of that many bots against all others.

    The rest don't play each other.
    """
    if len(set(bots)) < len(bots):
        twice = next(name for name in bots if list(bots).count(name) > 1)
        raise InvalidJob(f"{twice!r} is named twice", "name each bot once")
    if is_cooperative(game):
        if not bots:
            raise InvalidJob("no bot is named", f"name at least one that plays {game.name}")
        return tuple((name,) for name in bots)
    if len(bots) < 2:
        raise InvalidJob("a pairing needs two bots", f"name two or more, not {len(bots)}")
    every = tuple(itertools.combinations(bots, 2))
    first = bots[: int(gauntlet) or len(bots)]
    return tuple(pair for pair in every if pair[0] in first)


def round_count(game: Game, matches: int) -> int:
    """How many whole rounds make at least this many matches."""
    return -(-matches // len(rotations(game)))


def fixtures(
    games: Sequence[tuple[str, Game]], pairs: Sequence[Pairing], *, matches: int, seed: int
) -> Iterator[Fixture]:
    """All matches of a job, round by round, so that an interrupted job is balanced too.

    ``games`` are the variations with their names. Each pairing plays ``matches`` in each of them.
    """
    most = max(round_count(game, matches) for _, game in games)
    for number in range(most):
        for variation, game in games:
            if number < round_count(game, matches):
                ways = range(len(rotations(game)))
                for pair, rotation in itertools.product(pairs, ways):
                    yield Fixture(game, variation, pair, number, rotation, seed)
