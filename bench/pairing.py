"""Pairing of simulated people: how long they wait, and how far apart their ratings are."""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import watermeet as wm
from bench.progress import progress
from watermeet.bots.levels import ratings_of
from watermeet.server.matches.setup import SECOND, RealTime, Unlimited
from watermeet.server.people.pairing import Pairing, Seek, Variant, pair
from watermeet.server.people.ratings.anchors import kind_of
from watermeet.testing.folders import built_in_games

TITLE = "Pairing of simulated people"
SPREAD = 300.0
BLOCKED = 3
"""How many of the others everybody has blocked."""
WITH_BOTS, BOT_AFTER = 0.3, 30 * SECOND
"""How many accept a bot, and after which time."""


@dataclass(frozen=True)
class Wait:
    """How somebody was paired."""

    seek: Seek
    waited: float
    spread: float
    """Between the highest and the lowest rating of the people in the match."""
    has_bots: bool


def variants() -> list[Variant]:
    """Every game with its numbers of seats up to four, in two time controls."""
    found = {}
    for name in built_in_games():
        for seats in (2, 3, 4):
            try:
                game = wm.game(name, seats=seats)
            except wm.WatermeetError:
                game = wm.game(name)
            bots = tuple((level, value) for level, (value, _) in ratings_of(game).items())
            for clock in (RealTime(300 * SECOND, 3 * SECOND), RealTime(900 * SECOND, 10 * SECOND)):
                has_clock = kind_of(game) != "cooperative"
                options = tuple(sorted(game.options.changed().items()))
                sizes = tuple(len(team) for team in game.teams)
                control = clock if has_clock else Unlimited()
                found[name, options, control] = Variant(name, options, control, True, sizes, bots)
    return list(found.values())


def people(count: int, minutes: float, rng: random.Random) -> list[Seek]:
    """Seeks that come at random times; two seats are wanted most."""
    known = variants()
    weights = [4 if each.seats == 2 else 1 for each in known]
    names = [f"u{number}" for number in range(count)]
    return [
        Seek(
            id=name,
            user=name,
            at=int(rng.random() * minutes * 60 * SECOND),
            variant=rng.choices(known, weights)[0],
            rating=min(max(rng.gauss(1500, SPREAD), 400), 2800),
            deviation=rng.choice([50, 60, 80, 120, 350]),
            blocked=frozenset(rng.sample(names, min(BLOCKED, count))) - {name},
            bot_after=BOT_AFTER if rng.random() < WITH_BOTS else None,
        )
        for name in names
    ]


def play(seeks: Sequence[Seek], minutes: float) -> tuple[list[Wait], list[Seek], float]:
    """Pair once a second; who was paired and how, who wasn't, and ms of CPU a call (99 %)."""
    coming = sorted(seeks, key=lambda each: each.at, reverse=True)
    waiting: list[Seek] = []
    paired: list[Wait] = []
    calls: list[float] = []
    for now in range(0, int(minutes * 60 + 300) * SECOND, SECOND):
        while coming and coming[-1].at <= now:
            waiting.append(coming.pop())
        began = time.process_time()
        new = pair(waiting, now)
        calls.append(1000 * (time.process_time() - began))
        paired += [wait for each in new for wait in _waits(each, now)]
        seated = [seek.user for each in new for seek in each.seeks]
        waiting = [each for each in waiting if each.user not in set(seated)]
    _check(paired)
    return paired, waiting, statistics.quantiles(calls, n=100)[-1]


def _waits(pairing: Pairing, now: int) -> list[Wait]:
    for one in pairing.seeks:
        assert not any(other.user in one.blocked for other in pairing.seeks), "a blocked person"
    ratings = [each.rating for each in pairing.seeks]
    spread, has_bots = max(ratings) - min(ratings), len(ratings) < pairing.variant.seats
    return [Wait(each, (now - each.at) / SECOND, spread, has_bots) for each in pairing.seeks]


def _check(paired: list[Wait]) -> None:
    users = [each.seek.user for each in paired]
    assert len(users) == len(set(users)), "somebody was seated twice"


def _row(name: str, waits: Sequence[Wait], left: int) -> str:
    times = sorted(each.waited for each in waits)
    spreads = [each.spread for each in waits if not each.has_bots]
    cells = [
        name,
        str(len(waits)),
        f"{statistics.median(times):.0f} s",
        f"{times[int(0.95 * len(times))]:.0f} s",
        f"{times[-1]:.0f} s",
        f"{statistics.median(spreads):.0f}" if spreads else "",
        f"{sum(each.has_bots for each in waits) / len(waits):.0%}",
        str(left),
    ]
    return f"| {' | '.join(cells)} |"


def measure(seconds: float, arguments: list[str]) -> str:
    """Simulate, and return tables as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench pairing --")
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    head = "| who | paired | median wait | 95 % | longest | rating difference | with bots | left |"
    words = f"""{chosen.people:,} people come at random times and look for a rated match, in
{len(variants())} variants of {len(built_in_games())} games, those for two seats four times as
often. Ratings are normally distributed around 1500 (standard deviation {SPREAD:.0f}). Everybody has
blocked {BLOCKED} others; {WITH_BOTS:.0%} accept a bot after {BOT_AFTER // SECOND} s. *Rating
difference* is the median, between the strongest and the weakest of the people in a match. *Left*
are those for whom nobody was there by the end. Nobody was seated twice or with somebody blocked.
Seed {chosen.seed}."""
    parts = [words]
    for minutes in (10, 60):
        progress(f"{minutes} minutes")
        seeks = people(chosen.people, minutes, random.Random(chosen.seed))
        paired, waiting, cpu = play(seeks, minutes)
        rows = [_row("all", paired, len(waiting))]
        for seats in sorted({each.variant.seats for each in seeks}):
            of = [each for each in paired if each.seek.variant.seats == seats]
            rows.append(_row(f"{seats} seats", of, _count(waiting, seats)))
        cuts = statistics.quantiles((each.rating for each in seeks), n=5)
        bounds = [0.0, *cuts, 9999.0]
        for number, (low, high) in enumerate(pairwise(bounds), 1):
            of = [each for each in paired if low < each.seek.rating <= high]
            left = sum(low < each.rating <= high for each in waiting)
            rows.append(_row(f"rating: fifth {number}", of, left))
        table = "\n".join([head, f"|---|{'---:|' * 7}", *rows])
        speed = f"99 of 100 calls took less than {cpu:.1f} ms of CPU"
        parts.append(f"**Within {minutes} minutes** ({speed})\n\n{table}")
    return "\n\n".join(parts)


def _count(waiting: Sequence[Seek], seats: int) -> int:
    return sum(each.variant.seats == seats for each in waiting)
