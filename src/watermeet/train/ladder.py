"""The ladder: what a network has learnt, measured in the arena against what is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from watermeet.arena.job import Job, Results
from watermeet.arena.match import Conditions, MatchResult
from watermeet.arena.report import Report, make_report
from watermeet.arena.run import run_job
from watermeet.arena.sprt import Sprt, Verdict
from watermeet.arena.workers import runner_for
from watermeet.core.game import Game

RAW = 1
"""A search of one node plays what the network likes best, without looking ahead."""
OPENING = 2
"""Matches begin with random moves, or two of these players would repeat the same match."""


def spec_of(file: Path, nodes: int, evaluation_weight: float = 0.0) -> str:
    """The bot that plays a network, with so many nodes for each move."""
    spec = f"net:network={file.resolve()}:nodes={nodes}"
    return f"{spec}:evaluation_weight={evaluation_weight:g}" if evaluation_weight else spec


def climb(
    game: Game,
    networks: Mapping[str, Path],
    opponents: Sequence[str],
    *,
    nodes: int,
    matches: int,
    evaluation_weight: float = 0.0,
    on_result: Callable[[MatchResult], None] = lambda result: None,
) -> Report:
    """Play the first network against the others and each opponent; ratings with intervals."""
    names = {spec_of(file, nodes, evaluation_weight): name for name, file in networks.items()}
    bots = (*names, *opponents)
    job = Job((("", game),), bots, matches, gauntlet=1, conditions=Conditions(OPENING))
    with Results(job, None) as results:
        run_job(job, results, runner_for(1), on_result=lambda result, _: on_result(result))
        return _renamed(make_report(job, results), names)


def _renamed(report: Report, names: Mapping[str, str]) -> Report:
    """A report with other names for some bots."""
    sections = [
        replace(
            section,
            rows=tuple(replace(row, bot=names.get(row.bot, row.bot)) for row in section.rows),
            pairings=tuple(
                replace(each, bots=tuple(names.get(bot, bot) for bot in each.bots))
                for each in section.pairings
            ),
        )
        for section in report.sections
    ]
    return replace(report, sections=tuple(sections))


def beats(game: Game, file: Path, opponent: str, *, elo: float, nodes: int = RAW) -> Verdict:
    """Whether a network is stronger than an opponent by so many Elo, or no better: an SPRT."""
    job = Job(
        (("", game),), (spec_of(file, nodes), opponent), 2_000, conditions=Conditions(OPENING)
    )
    with Results(job, None) as results:
        verdict = run_job(job, results, runner_for(1), test=Sprt(0.0, elo))
    assert verdict is not None, "a job with a test"
    return verdict
