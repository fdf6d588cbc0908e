"""What a job's matches say, as plain data: for a table, for a program, for a plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from watermeet.arena.job import Job
from watermeet.arena.match import Played
from watermeet.arena.pairing import Pairing, is_cooperative
from watermeet.arena.ratings import Interval, difference, rate, share_interval, superiority
from watermeet.arena.score import bouts_of
from watermeet.core.game import Game


@dataclass(frozen=True)
class Row:
    """One bot in one variation. ``figure`` is its Elo, or how often it won if all win together."""

    bot: str
    figure: Interval
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    moves: float | None = None
    """The mean length of a match."""
    move_seconds: float | None = None
    """The mean time for a choice."""
    figures: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Means of what the game tells at the end; ``points`` are those of the bot's own seats."""

    @property
    def score(self) -> float | None:
        """Of 1, a draw being half."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else None


@dataclass(frozen=True)
class Meeting:
    """Two bots in one variation: how much stronger the first is, from their own bouts alone."""

    bots: Pairing
    elo: Interval
    superiority: float
    bouts: int
    results: Mapping[float, int] = field(hash=False)
    """How often each score of a bout came: the "pentanomial"."""


@dataclass(frozen=True)
class Section:
    """One variation: rows, the best first, and meetings in the order of the job."""

    variation: str
    rows: tuple[Row, ...]
    meetings: tuple[Meeting, ...]


@dataclass(frozen=True)
class Report:
    """All of a job."""

    cooperative: bool
    sections: tuple[Section, ...]
    failures: tuple[Played, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data for programs."""
        return {
            "cooperative": self.cooperative,
            "variations": [_section_json(each, self.cooperative) for each in self.sections],
            "failures": [
                {"match": list(each.key), "seats": list(each.seats), "error": each.error}
                for each in self.failures
            ],
        }


def make_report(job: Job, results: Iterable[Played]) -> Report:
    """What the matches so far say."""
    by_variation: dict[str, list[Played]] = {variation: [] for variation, _ in job.games}
    failures = []
    for played in results:
        if played.error:
            failures.append(played)
        else:
            by_variation[played.variation].append(played)
    cooperative = is_cooperative(job.game)
    make = _cooperative_section if cooperative else _section
    sections = tuple(make(job, name, game, by_variation[name]) for name, game in job.games)
    return Report(cooperative, sections, tuple(failures))


def _section(job: Job, variation: str, game: Game, played: Sequence[Played]) -> Section:
    bouts = [bouts_of(game, pairing, played) for pairing in job.pairings]
    ratings = rate(job.bots, bouts)
    rows = [_row(game, bot, ratings[bot], played) for bot in job.bots]
    meetings = []
    for each in bouts:
        elo, counts = difference(each), Counter(round(score, 9) for score in each.scores)
        results = dict(sorted(counts.items()))
        meetings.append(Meeting(each.pairing, elo, superiority(elo), len(each.scores), results))
    return Section(variation, _best_first(rows), tuple(meetings))


def _cooperative_section(job: Job, variation: str, game: Game, played: Sequence[Played]) -> Section:
    rows = []
    for bot in job.bots:
        own = [match for match in played if match.bots == (bot,)]
        wins = sum(match.returns[0] > 0 for match in own)
        rows.append(_row(game, bot, share_interval(wins, len(own)), own))
    return Section(variation, _best_first(rows), ())


def _best_first(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(sorted(rows, key=lambda row: -row.figure.value))


def _row(game: Game, bot: str, figure: Interval, played: Sequence[Played]) -> Row:
    own = [match for match in played if bot in match.bots]
    results = Counter(_result(game, bot, match) for match in own)
    seats = [(match, seat) for match in own for seat, name in enumerate(match.seats) if name == bot]
    choices = sum(match.seat_moves[seat] for match, seat in seats)
    seconds = sum(match.seat_seconds[seat] for match, seat in seats)
    points = [match.points[seat] for match, seat in seats if match.points]
    figures = {"points": sum(points) / len(points)} if points else {}
    if is_cooperative(game):
        figures |= _means([match.figures for match in own])
    return Row(
        bot,
        figure,
        matches=len(own),
        wins=results[1],
        draws=results[0],
        losses=results[-1],
        moves=sum(match.moves for match in own) / len(own) if own else None,
        move_seconds=seconds / choices if choices else None,
        figures=figures,
    )


def _result(game: Game, bot: str, match: Played) -> int:
    """1 if the bot alone is first, 0 if it shares that with the other, else -1."""
    if is_cooperative(game):
        return 1 if match.returns[0] > 0 else -1
    best = max(match.returns)
    first = {name for name, gain in zip(match.seats, match.returns, strict=True) if gain == best}
    return 0 if len(first) > 1 else 1 if first == {bot} else -1


def _means(found: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each figure over the matches whose end told it."""
    names = sorted({name for each in found for name in each})
    told = {name: [each[name] for each in found if name in each] for name in names}
    return {name: sum(values) / len(values) for name, values in told.items()}


# ---- for programs -----------------------------------------------------------------------------


def _section_json(section: Section, cooperative: bool) -> dict[str, Any]:
    named = "win_rate" if cooperative else "elo"
    found: dict[str, Any] = {
        "variation": section.variation,
        "bots": [
            {
                "bot": row.bot,
                named: _interval_json(row.figure),
                "matches": row.matches,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "score": row.score,
                "moves": row.moves,
                "move_seconds": row.move_seconds,
                "figures": dict(row.figures),
            }
            for row in section.rows
        ],
    }
    if not cooperative:
        found["pairings"] = [
            {
                "bots": list(each.bots),
                "elo": _interval_json(each.elo),
                "superiority": each.superiority,
                "bouts": each.bouts,
                "results": {f"{score:.4g}": count for score, count in each.results.items()},
            }
            for each in section.meetings
        ]
    return found


def _interval_json(each: Interval) -> dict[str, float]:
    return {"value": each.value, "low": each.low, "high": each.high}
