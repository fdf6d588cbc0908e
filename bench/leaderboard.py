"""The leaderboard: all bots of every game against each other, as the arena rates them.

Whoever would think as long as it is given gets a number of nodes instead, so that ratings depend on
no machine: four times as many as the strongest level that has its own. A network plays with 1, 10
and 100 simulations for each move, and without the game's solver. Jobs are kept in a folder: an
interrupted run continues, and a new bot plays only its own matches.

    python -m bench leaderboard -- --folder jobs --matches 20
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import watermeet as wm
from bench import report
from bench.progress import progress
from bench.strength import Trial, play
from watermeet.arena.pairing import is_cooperative
from watermeet.bots.levels import NETWORK, playable_levels
from watermeet.bots.players import players_of
from watermeet.bots.specs import BEGINNER, RANDOM
from watermeet.testing.folders import built_in_games

TITLE = "Leaderboard"
TIMES, NETWORK_NODES, SOLVER_NODES = 4, (1, 10, 100), 20_000
ABOUT = "Intervals are 95 % confidence intervals; the mean of a table is 0."


def measure(seconds: float, arguments: list[str]) -> str:
    """Play what is missing, and return a table for each game as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench leaderboard --")
    parser.add_argument("--folder", type=Path, required=True, help="where the job files are kept")
    parser.add_argument("--matches", type=int, default=20, help="for each pairing")
    parser.add_argument("--only", default="", help="this game alone; the others stay as they are")
    parser.add_argument("--bots", nargs="+", help="with --only, these instead of all bots")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    tables = {} if not chosen.only else _measured_before()
    for name in built_in_games():
        if chosen.only in ("", name):
            trial = trial_of(wm.game(name), chosen.matches, chosen.bots)
            progress(trial.command)
            lines = [f"**{trial.question}**", "", f"    {trial.command}", ""]
            lines += table_of(play(trial, chosen.folder))
            tables[trial.question] = "\n".join([*lines, "", f"{report.when_and_where()}."])
    return "\n\n".join([ABOUT, *(tables[title] for title in sorted(tables))])


def table_of(answer: dict[str, Any]) -> Iterator[str]:
    """The bots of a game, the best first."""
    if answer["cooperative"]:
        figure, head, form = "win_rate", "won", "{:.1%}"
    else:
        figure, head, form = "elo", "Elo", "{:+.0f}"
    yield f"| bot | {head} | interval | matches | ms a move |"
    yield "|---|---:|---|---:|---:|"
    for row in answer["variations"][0]["bots"]:
        value, low, high = (form.format(row[figure][key]) for key in ("value", "low", "high"))
        cells = (f"`{row['bot']}`", value, f"{low} to {high}", str(row["matches"]))
        yield f"| {' | '.join(cells)} | {1000 * row['move_seconds']:.3g} |"


def _measured_before() -> dict[str, str]:
    """The tables that RESULTS.md has, by the titles of the games."""
    page = report.RESULTS.read_text(encoding="utf-8")
    section = page.partition("<!-- begin leaderboard -->")[2].partition("<!-- end")[0]
    parts = re.split(r"^(?=\*\*\w+\*\*$)", section, flags=re.MULTILINE)[1:]
    return {part.partition("**")[2].partition("**")[0]: part.strip() for part in parts}


def trial_of(game: wm.Game, matches: int, bots: Sequence[str] | None = None) -> Trial:
    """All bots of a game against each other, or some."""
    bots = bots or all_bots(game)
    if is_cooperative(game):
        matches *= len(bots)  # Each bot plays alone.
    openings = "" if game.chance else " --openings 2"
    words = f"{game.name} {' '.join(bots)} --matches {matches}{openings}"
    return Trial(game.name, game.title, words)


def all_bots(game: wm.Game) -> list[str]:
    """The specs of all bots of a game, with limits that depend on no clock."""
    bots = [RANDOM, BEGINNER, *players_of(game)]
    nodes = 0
    for level in playable_levels(game):
        if level.method == NETWORK:
            without = ":solver_nodes=0" if level.solver_nodes else ""
            bots += [f"{level.name}:nodes={each}{without}" for each in NETWORK_NODES]
        elif level.seconds:
            solver = f":solver_nodes={SOLVER_NODES}" if level.solver_nodes else ""
            bots.append(f"{level.name}:nodes={TIMES * nodes}{solver}")
        else:
            bots.append(level.name)
            nodes = level.nodes or nodes
    return bots
