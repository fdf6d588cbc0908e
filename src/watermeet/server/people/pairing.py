"""Pairing: who plays whom. Pure: the caller says what time it is, and seats those who were paired.

Everybody who looks for a match has a seek, or several. A seek accepts opponents whose ratings are
within a window, which doubles every ten seconds: after a minute anybody will do. Those who have
waited longest choose first, among people who want the same match; people who have blocked each
other never meet. Nobody is seated twice. Seeks may accept bots after some time, too.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

import msgspec

from watermeet.core.options import Value
from watermeet.server.matches.setup import SECOND, TimeControl, Unlimited

WINDOW = 60.0
"""How far apart ratings may be at first, in points, plus half of the deviation."""
DOUBLING = 10 * SECOND
"""How long it takes until twice as much is allowed."""
CANDIDATES, TRIALS = 40, 2000
"""How many people are considered for somebody, and how many groups of them: more would be slow."""
REFUSALS = 100
"""How many people whom somebody may not meet are passed over in a round. Then so many of all others
are looked at, which are other ones each time."""


class Variant(msgspec.Struct, frozen=True):
    """What is to be played. People are paired if they want the same."""

    game: str
    options: tuple[tuple[str, Value], ...] = ()
    """By name, in order."""
    time_control: TimeControl = Unlimited()
    is_rated: bool = False
    teams: tuple[int, ...] = (1, 1)
    """How many seats each team has."""
    bots: tuple[tuple[str, float], ...] = ()
    """Levels and their ratings, for those who accept bots."""

    @property
    def seats(self) -> int:
        """How many players a match takes."""
        return sum(self.teams)


class Seek(msgspec.Struct, frozen=True):
    """Somebody looks for a match."""

    id: str
    user: str
    at: int
    """Since when, in milliseconds."""
    variant: Variant
    rating: float = 1500.0
    deviation: float = 350.0
    blocked: frozenset[str] = frozenset()
    """Users they don't want to play with."""
    bot_after: int | None = None
    """After how many milliseconds bots may fill the seats; None: never."""

    def window(self, now: int) -> float:
        """How far apart ratings may be by now."""
        waited = min(max(now - self.at, 0), 20 * DOUBLING)
        return float((WINDOW + self.deviation / 2) * 2.0 ** (waited / DOUBLING))

    def accepts_bots(self, now: int) -> bool:
        """Whether bots may fill the seats by now."""
        is_due = self.bot_after is not None and now - self.at >= self.bot_after
        return is_due and bool(self.variant.bots)


class Place(NamedTuple):
    """Who gets a seat: a user, or a bot of some level."""

    user: str = ""
    level: str = ""


class Pairing(NamedTuple):
    """A match to be created."""

    variant: Variant
    teams: tuple[tuple[Place, ...], ...]
    seeks: tuple[Seek, ...]
    """The seeks that led to it. All other seeks of these users end, too."""


def pair(seeks: Sequence[Seek], now: int) -> list[Pairing]:
    """Whom to seat now. The same seeks, in any order, lead to the same pairings."""
    waiting: dict[Variant, _Queue] = {}
    ordered = sorted(seeks, key=_age)
    for seek in ordered:
        waiting.setdefault(seek.variant, _Queue()).add(seek)
    for queue in waiting.values():
        queue.sort(now)
    of_user: dict[str, list[Seek]] = {}
    for seek in ordered:
        of_user.setdefault(seek.user, []).append(seek)
    found = []
    for seek in ordered:
        if seek.user in of_user:
            group = _group(seek, waiting[seek.variant], now)
            for user in {each.user for each in group}:
                for each in of_user.pop(user):
                    waiting[each.variant].remove(each)
            if group:
                found.append(seat_group(group, now))
    return found


def may_meet(one: Seek, other: Seek, now: int) -> bool:
    """Whether two people may be paired: their windows count by their mean."""
    if one.user == other.user or one.user in other.blocked or other.user in one.blocked:
        return False
    return abs(one.rating - other.rating) <= (one.window(now) + other.window(now)) / 2


def _age(seek: Seek) -> tuple[int, str]:
    return seek.at, seek.id


def _place(seek: Seek) -> tuple[float, int, str]:
    return seek.rating, *_age(seek)


class _Queue:
    """The seeks for one variant of those who aren't seated, by rating."""

    def __init__(self) -> None:
        self._seeks: list[Seek] = []
        self._widest = 0.0

    def add(self, seek: Seek) -> None:
        self._seeks.append(seek)

    def sort(self, now: int) -> None:
        self._seeks.sort(key=_place)
        self._places = [_place(each) for each in self._seeks]
        self._widest = max(each.window(now) for each in self._seeks)

    def remove(self, seek: Seek) -> None:
        index = bisect_left(self._places, _place(seek))
        del self._seeks[index], self._places[index]

    def candidates(self, seek: Seek, now: int) -> list[Seek]:
        """Others whom somebody may meet, the nearest first; not all if there are many."""
        found: list[Seek] = []
        refusals = 0
        for each in self._nearest(seek, now):
            if may_meet(seek, each, now):
                found.append(each)
            else:
                refusals += 1
            if len(found) == CANDIDATES or refusals > REFUSALS:
                break
        if refusals <= REFUSALS:
            return found
        known, count = set(map(_place, found)), len(self._seeks)
        start = Random(f"{now} {seek.id}").randrange(count)
        for index in range(start, start + REFUSALS):
            each = self._seeks[index % count]
            if may_meet(seek, each, now) and _place(each) not in known and len(found) < CANDIDATES:
                found.append(each)
                known.add(_place(each))
        return sorted(found, key=lambda each: abs(each.rating - seek.rating))

    def _nearest(self, seek: Seek, now: int) -> Iterator[Seek]:
        """All others, those with the nearest ratings first, as far as any window reaches."""
        reach = (seek.window(now) + self._widest) / 2
        above = bisect_left(self._places, (seek.rating,))
        below = above - 1
        while True:
            up = self._places[above][0] - seek.rating if above < len(self._seeks) else reach + 1
            down = seek.rating - self._places[below][0] if below >= 0 else reach + 1
            if min(up, down) > reach:
                return
            if up <= down:
                yield self._seeks[above]
                above += 1
            else:
                yield self._seeks[below]
                below -= 1


def _group(first: Seek, queue: _Queue, now: int) -> list[Seek]:
    """People who all may meet, and bots for the other seats if all accept them; or nobody."""
    candidates = queue.candidates(first, now)
    seats = first.variant.seats
    group = _complete([first], candidates, seats, now, [TRIALS])
    if group or not first.accepts_bots(now):
        return group
    # Fewer people and more bots, the more people the better.
    patient = [each for each in candidates if each.accepts_bots(now)]
    for people in range(min(seats - 1, 1 + len(patient)), 0, -1):
        group = _complete([first], patient, people, now, [TRIALS])
        if group:
            return group
    return []


def _complete(
    group: list[Seek], candidates: Sequence[Seek], size: int, now: int, trials: list[int]
) -> list[Seek]:
    """The first group of a size, all of whom may meet, or none; ``trials`` is what may be tried."""
    if len(group) == size:
        return group
    for index, each in enumerate(candidates):
        trials[0] -= 1
        if trials[0] < 0 or len(candidates) - index < size - len(group):
            return []
        later = [other for other in candidates[index + 1 :] if may_meet(each, other, now)]
        found = _complete([*group, each], later, size, now, trials)
        if found:
            return found
    return []


def seat_group(group: Sequence[Seek], now: int) -> Pairing:
    """Teams as even as they can be. Who moves first depends on a hash, not on who waited longer."""
    variant = group[0].variant
    mean = sum(each.rating for each in group) / len(group)
    places = [(Place(user=each.user), each.rating) for each in group]
    if len(places) < variant.seats:
        level, rating = min(variant.bots, key=lambda bot: abs(bot[1] - mean))
        places += [(Place(level=level), rating)] * (variant.seats - len(places))
    places = _shuffled(places, f"{now} {' '.join(sorted(each.user for each in group))}")
    teams = min(_splits(places, variant.teams), key=_spread)
    return Pairing(
        variant, tuple(tuple(place for place, _ in team) for team in teams), tuple(group)
    )


_Rated = tuple[Place, float]


def _shuffled(places: list[_Rated], seed: str) -> list[_Rated]:
    numbered = enumerate(sorted(places))
    mixed = {number: f"{seed} {number}".encode() for number in range(len(places))}
    ordered = sorted(numbered, key=lambda each: hashlib.sha256(mixed[each[0]]).digest())
    return [rated for _, rated in ordered]


def _splits(
    places: list[_Rated], sizes: tuple[int, ...]
) -> Iterator[tuple[tuple[_Rated, ...], ...]]:
    """All ways to make teams; only one if they are of one seat each, or all are one team."""
    if max(sizes) == 1 or len(sizes) == 1:
        orders: Iterator[tuple[int, ...]] = iter([tuple(range(len(places)))])
    else:
        orders = permutations(range(len(places)))
    for order in orders:
        teams, first = [], 0
        for size in sizes:
            teams.append(tuple(places[each] for each in order[first : first + size]))
            first += size
        yield tuple(teams)


def _spread(teams: tuple[tuple[_Rated, ...], ...]) -> float:
    means = [sum(rating for _, rating in team) / len(team) for team in teams]
    return round(max(means) - min(means), 6)
