"""The report of a job as plain data, for tables, programs and plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from watermeet.arena.job import Job
from watermeet.arena.match import MatchResult
from watermeet.arena.pairing import Pairing, is_cooperative
from watermeet.arena.ratings import Interval, elo_difference, los, rate, wilson_interval
from watermeet.arena.score import round_scores
from watermeet.core.game import Game


@dataclass(frozen=True)
class Row:
    """One bot in one variation. ``figure`` is its Elo, or its win rate in a cooperative game."""

    bot: str
    figure: Interval
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    moves: float | None = None
    """The mean number of moves in a match."""
    move_seconds: float | None = None
    """The mean time for a move."""
    figures: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Means of what the game reports at the end; ``points`` are those of the bot's own seats."""

    @property
    def score(self) -> float | None:
        """The score from 0 to 1, a draw being half."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else None


@dataclass(frozen=True)
class PairingResult:
    """Two bots in one variation: how much stronger the first is, from their rounds alone."""

    bots: Pairing
    elo: Interval
    los: float
    rounds: int
    scores: Mapping[float, int] = field(hash=False)
    """How often each score of a round occurred: the "pentanomial"."""


@dataclass(frozen=True)
class Section:
    """One variation: rows from best to worst, and pairings in the order of the job."""

    variation: str
    rows: tuple[Row, ...]
    pairings: tuple[PairingResult, ...]


@dataclass(frozen=True)
class Report:
    """The report of a job."""

    cooperative: bool
    sections: tuple[Section, ...]
    failures: tuple[MatchResult, ...]

    def as_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "cooperative": self.cooperative,
            "variations": [_section_json(each, self.cooperative) for each in self.sections],
            "failures": [
                {"match": list(each.key), "seats": list(each.seats), "error": each.error}
                for each in self.failures
            ],
        }


def make_report(job: Job, results: Iterable[MatchResult], *, anchors: Sequence[str] = ()) -> Report:
    """The report of the matches so far; the mean of the anchors has 0 Elo, by default of all."""
    by_variation: dict[str, list[MatchResult]] = {variation: [] for variation, _ in job.games}
    failures = []
    for result in results:
        if result.error:
            failures.append(result)
        else:
            by_variation[result.variation].append(result)
    cooperative = is_cooperative(job.game)
    make = _cooperative_section if cooperative else partial(_section, anchors=anchors)
    sections = tuple(make(job, name, game, by_variation[name]) for name, game in job.games)
    return Report(cooperative, sections, tuple(failures))


def _section(
    job: Job,
    variation: str,
    game: Game,
    results: Sequence[MatchResult],
    anchors: Sequence[str] = (),
) -> Section:
    rounds = [round_scores(game, pairing, results) for pairing in job.pairings]
    ratings = rate(job.bots, rounds, anchors=anchors)
    rows = [_row(game, bot, ratings[bot], results) for bot in job.bots]
    pairings = []
    for each in rounds:
        elo, counts = elo_difference(each), Counter(round(score, 9) for score in each.scores)
        scores = dict(sorted(counts.items()))
        pairings.append(PairingResult(each.pairing, elo, los(elo), len(each.scores), scores))
    return Section(variation, _best_first(rows), tuple(pairings))


def _cooperative_section(
    job: Job, variation: str, game: Game, results: Sequence[MatchResult]
) -> Section:
    rows = []
    for bot in job.bots:
        own = [match for match in results if match.bots == (bot,)]
        wins = sum(match.returns[0] > 0 for match in own)
        rows.append(_row(game, bot, wilson_interval(wins, len(own)), own))
    return Section(variation, _best_first(rows), ())


def _best_first(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(sorted(rows, key=lambda row: -row.figure.value))


def _row(game: Game, bot: str, figure: Interval, results: Sequence[MatchResult]) -> Row:
    own = [match for match in results if bot in match.bots]
    outcomes = Counter(_result(game, bot, match) for match in own)
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
        wins=outcomes[1],
        draws=outcomes[0],
        losses=outcomes[-1],
        moves=sum(match.moves for match in own) / len(own) if own else None,
        move_seconds=seconds / choices if choices else None,
        figures=figures,
    )


def _result(game: Game, bot: str, match: MatchResult) -> int:
    """1 if the bot alone is first, 0 if it ties for first with the other bot, else -1."""
    if is_cooperative(game):
        return 1 if match.returns[0] > 0 else -1
    best = max(match.returns)
    first = {name for name, gain in zip(match.seats, match.returns, strict=True) if gain == best}
    return 0 if len(first) > 1 else 1 if first == {bot} else -1


def _means(found: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each figure over the matches that report it."""
    names = sorted({name for each in found for name in each})
    reported = {name: [each[name] for each in found if name in each] for name in names}
    return {name: sum(values) / len(values) for name, values in reported.items()}


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
                "los": each.los,
                "rounds": each.rounds,
                "scores": {f"{score:.4g}": count for score, count in each.scores.items()},
            }
            for each in section.pairings
        ]
    return found


def _interval_json(each: Interval) -> dict[str, float]:
    return {"value": each.value, "low": each.low, "high": each.high}
