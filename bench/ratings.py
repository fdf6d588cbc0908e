"""Ratings of simulated players whose strengths are known: whether they converge, and predict.

Everybody plays one match a day, with people of about the same rating. Results follow the model of
Plackett and Luce: 400 points are odds of ten to one, and a team plays like the mean of its members.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.progress import progress
from bench.ratings_plot import Series, render
from bench.report import ROOT
from watermeet.server.people.ratings import glicko, weng_lin
from watermeet.server.people.ratings.fold import Kind, Player, Pool, RatedMatch, Ratings, Standing
from watermeet.server.people.ratings.glicko import SCALE, START, Rating

TITLE = "Ratings of simulated players"
PICTURE = ROOT / "bench" / "ratings.svg"
SPREAD, NOISE = 300.0, 150.0
"""Standard deviations of the strengths, and of the difference to those whom one is paired with."""
DAY = 24 * 3600 * 1000
DRAWS = 0.8
"""Of two seats of equal strength, a fifth of the matches is drawn."""
BINS = 20


@dataclass
class World:
    """Simulated players of one kind of match, and what is known about their ratings."""

    kind: Kind
    team: int
    teams: int
    unknown: float
    players: int
    rng: random.Random
    strengths: dict[Player, float] = field(default_factory=dict)
    predictions: list[tuple[float, float]] = field(default_factory=list)
    """(predicted, observed) scores in matches of the second half."""
    correlations: list[tuple[int, float]] = field(default_factory=list)
    """By how many matches everybody has played."""

    def __post_init__(self) -> None:
        for number in range(self.players):
            self.strengths[Player("user", str(number))] = self.rng.gauss(START, SPREAD)
        self.people = list(self.strengths)
        self.difficulties = [Player("difficulty", str(each)) for each in range(900, 2101, 100)]
        if self.kind == "cooperative":
            self.strengths |= {each: float(each.id) for each in self.difficulties}
        self.pool = Pool("simulated", self.kind)
        self.ratings = Ratings(self.start)

    def start(self, pool: Pool, player: Player) -> Rating:
        """What a player starts with."""
        volatility = glicko.VOLATILITY if player.kind == "user" else 0.0
        return Rating(START, self.unknown, volatility)

    def standing(self, player: Player) -> Standing:
        return self.ratings.of(self.pool, player)

    def play(self, days: int) -> None:
        """One match a day for everybody."""
        for day in range(1, days + 1):
            for number, teams in enumerate(self._pairings()):
                match = self._match(f"{day}-{number}", day * DAY, teams)
                if 2 * day > days:
                    self.predictions += self._predict(match)
                self.ratings.add(match)
            known = [self.standing(each).rating.value for each in self.people]
            real = [self.strengths[each] for each in self.people]
            self.correlations.append((day, statistics.correlation(known, real)))

    def _pairings(self) -> Iterator[tuple[tuple[Player, ...], ...]]:
        values = {each: self.standing(each).rating.value for each in self.people}
        near = sorted(self.people, key=lambda each: values[each] + self.rng.gauss(0, NOISE))
        hard = sorted(self.difficulties, key=lambda each: self.standing(each).rating.value)
        size = self.team * (1 if self.kind == "cooperative" else self.teams)
        for first in range(0, len(near) - size + 1, size):
            group = near[first : first + size]
            self.rng.shuffle(group)
            if self.kind == "cooperative":  # One of the rungs next to the group's own rating.
                mean = statistics.mean(values[each] for each in group)
                rungs = sorted(hard, key=lambda each: abs(self.standing(each).rating.value - mean))
                yield tuple(group), (self.rng.choice(rungs[:3]),)
            else:
                starts = range(0, size, self.team)
                yield tuple(tuple(group[each : each + self.team]) for each in starts)

    def _match(self, name: str, at: int, teams: tuple[tuple[Player, ...], ...]) -> RatedMatch:
        strengths = [statistics.mean(self.strengths[each] for each in team) for team in teams]
        places: tuple[int, ...]
        if self.kind == "two":
            chance = 1 / (1 + math.exp((strengths[1] - strengths[0]) / SCALE))
            draw = DRAWS * chance * (1 - chance)
            luck = self.rng.random()
            places = (1, 1) if luck < draw else (1, 2) if luck < draw / 2 + chance else (2, 1)
        else:  # With noise of Gumbel's distribution, the order is that of Plackett and Luce.
            noisy = [each / SCALE - math.log(-math.log(self.rng.random())) for each in strengths]
            places = tuple(1 + sum(other > each for other in noisy) for each in noisy)
        return RatedMatch(name, at, self.pool, teams, places)

    def _predict(self, match: RatedMatch) -> Iterator[tuple[float, float]]:
        known = [[self.standing(each).now(match.at) for each in team] for team in match.teams]
        for first in range(len(known)):
            for second in range(first):
                difference = match.places[second] - match.places[first]
                score = 0.5 if not difference else float(difference > 0)
                if match.pool.kind == "two":
                    yield glicko.predicted(known[first][0], known[second][0]), score
                else:
                    yield weng_lin.predicted(known[first], known[second]), score

    # ---- figures ----

    def calibration(self) -> list[tuple[float, float, int]]:
        """The mean prediction, the mean score and their number, for each twentieth of the scale."""
        bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
        for predicted, score in self.predictions:
            bins[min(int(predicted * BINS), BINS - 1)].append((predicted, score))
        return [
            (statistics.fmean(p for p, _ in each), statistics.fmean(s for _, s in each), len(each))
            for each in bins
            if len(each) >= 200
        ]

    def row(self, name: str, picked: Sequence[int]) -> str:
        """A row of the table."""
        real = [self.strengths[each] for each in self.people]
        known = [self.standing(each).rating for each in self.people]
        errors = [value - each.value for value, each in zip(real, known, strict=True)]
        within = sum(
            abs(error) <= 1.96 * each.deviation for error, each in zip(errors, known, strict=True)
        )
        slope = statistics.linear_regression([each.value for each in known], real).slope
        curve = self.calibration()
        miss = sum(abs(p - s) * n for p, s, n in curve) / sum(n for _, _, n in curve)
        correlations = dict(self.correlations)
        cells = [
            name,
            *(f"{correlations[day]:.3f}" for day in picked),
            f"{statistics.pstdev(errors):.0f}",
            f"{statistics.fmean(each.deviation for each in known):.0f}",
            f"{within / len(known):.1%}",
            f"{slope:.2f}",
            f"{miss:.3f}",
        ]
        return f"| {' | '.join(cells)} |"


KINDS: tuple[tuple[str, Kind, int, int, float], ...] = (
    ("two seats, Glicko-2", "two", 1, 2, glicko.UNKNOWN),
    ("four seats, Weng-Lin", "several", 1, 4, weng_lin.UNKNOWN),
    ("two teams of two, Weng-Lin", "teams", 2, 2, weng_lin.UNKNOWN),
    ("groups of three against 13 difficulties", "cooperative", 3, 1, weng_lin.UNKNOWN),
    ("four seats, Weng-Lin, with a first deviation of 350", "several", 1, 4, 350.0),
)


def measure(seconds: float, arguments: list[str]) -> str:
    """Play, and return the table and the picture as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench ratings --")
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=100, help="matches of each player")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    picked = sorted({max(1, chosen.days // 10), max(1, chosen.days // 3), chosen.days})
    rows: list[str] = []
    series: list[Series] = []
    for name, kind, team, teams, unknown in KINDS:
        progress(name)
        world = World(kind, team, teams, unknown, chosen.players, random.Random(chosen.seed))
        world.play(chosen.days)
        rows.append(world.row(name, picked))
        if unknown in (glicko.UNKNOWN, weng_lin.UNKNOWN) and len(series) < 4:
            series.append(Series(name, world.correlations, world.calibration()))
    PICTURE.write_text(render(series), encoding="utf-8")
    head = ["players", *(f"correlation after {day}" for day in picked)]
    head += ["error", "deviation", "within 1.96 deviations", "slope", "calibration"]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}", *rows]
    words = f"""{chosen.players:,} players of each kind, whose strengths are normally distributed
with a standard deviation of {SPREAD:.0f} points, play {chosen.days} matches each, one a day,
with people near their own rating. Seed {chosen.seed}. *Error* is the standard deviation of strength
minus rating at the end, *deviation* the mean of what the ratings claim; *slope* is that of strength
over rating, so below 1 ratings spread too far; *calibration* is the mean distance between predicted
and observed scores, in bins of a twentieth, in the second half."""
    link = f"![Correlation by matches; predicted and observed scores]({PICTURE.name})"
    return "\n\n".join([words, "\n".join(lines), link])
