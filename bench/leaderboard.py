"""The leaderboard: all bots of every game against each other, as the arena rates them.

Whoever thinks as long as it is given gets a tenth of a second for each move; the others are what
they are. Jobs are kept in a folder, so that an interrupted run continues, and a new bot plays only
its own matches.

    python -m bench leaderboard -- --folder jobs --matches 20
"""

from __future__ import annotations

import argparse
from pathlib import Path

import watermeet as wm
from bench.progress import progress
from bench.strength import Trial, describe, play
from watermeet.bots.levels import playable_levels
from watermeet.bots.players import players_of
from watermeet.bots.specs import BEGINNER, RANDOM
from watermeet.testing.folders import built_in_games

TITLE = "Leaderboard"
SECONDS = 0.1


def measure(seconds: float, arguments: list[str]) -> str:
    """Play what is missing, and return a table for each game as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench leaderboard --")
    parser.add_argument("--folder", type=Path, required=True, help="where the job files are kept")
    parser.add_argument("--matches", type=int, default=20, help="for each pairing")
    parser.add_argument("--only", default="", help="this game alone")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    tables = ["Intervals are 95 % confidence intervals; the mean of a table is 0."]
    for name in built_in_games():
        if chosen.only in ("", name):
            trial = _trial(wm.game(name), chosen.matches)
            progress(trial.command)
            tables.append(describe(trial, play(trial, chosen.folder)))
    return "\n\n".join(tables)


def _trial(game: wm.Game, matches: int) -> Trial:
    bots = [RANDOM, BEGINNER, *players_of(game)]
    for level in playable_levels(game):
        bots.append(f"{level.name}:seconds={SECONDS}" if level.seconds else level.name)
    words = f"{game.name} {' '.join(bots)} --matches {matches} --openings 2"
    return Trial(game.name, game.title, words)
