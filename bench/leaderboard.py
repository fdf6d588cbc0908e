"""How strong the bots are: all levels of each game against each other, as the arena rates them.

Whoever would think as long as it is given gets a number of nodes instead, so that ratings depend on
no machine: four times as many as the strongest level that has its own. A network gets 32.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import watermeet as wm
from bench.report import Row, label, progress
from watermeet.arena.pairing import is_cooperative
from watermeet.bots.levels import NETWORK, playable_levels
from watermeet.bots.specs import BEGINNER, RANDOM
from watermeet.testing.folders import built_in_games

TITLE = "Strength of the bots"
MATCHES = 6
ALONE = 4
"""Times as many in a cooperative game, where each bot plays alone."""
UCT_MATCHES = 20
ABOUT = (
    f"Elo of the levels, {MATCHES} matches for each pair, mean 0, 95 % confidence intervals (Flow: "
    f"% won of {MATCHES * ALONE}). *UCT*: the % that `sea` with 10 ms a move scores against plain "
    f"UCT with 100 ms, {UCT_MATCHES} matches."
)
LEVELS = (RANDOM, BEGINNER, "drop", "brook", "stream", "river", "sea", "ocean")
COLUMNS = {"": "game", **{name: f"`{name}`" for name in LEVELS}, "score": "UCT"}
TIMES, NETWORK_NODES, SOLVER_NODES = 4, 32, 20_000


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """A table for each game; fewer matches for less than a second."""
    rows = []
    scale = min(1.0, seconds)
    for name in games or built_in_games():
        game = wm.game(name)
        rows += _levels(game, max(2, int(MATCHES * scale)))
        if not is_cooperative(game):
            rows.append(_against_uct(game, max(2, int(UCT_MATCHES * scale))))
    return rows


def _levels(game: wm.Game, matches: int) -> list[Row]:
    bots = bots_of(game)
    figure, unit, scale = "elo", "Elo", 1.0
    if is_cooperative(game):
        matches *= ALONE
        figure, unit, scale = "win_rate", "% won", 100.0
    openings = [] if game.chance else ["--openings", "2"]
    table = _play([game.name, *bots.values(), "--matches", str(matches), *openings])
    by_spec = {row["bot"]: row for row in table}
    rows = []
    for name, spec in bots.items():
        row = by_spec[spec]
        value, low, high = (scale * row[figure][key] for key in ("value", "low", "high"))
        took = 1000 * (row["move_seconds"] or 0.0)
        note = f"± {(high - low) / 2:.0f}; {spec}, {took:.3g} ms a move"
        rows.append(Row(label(game), name, value, unit, note))
    return rows


def _against_uct(game: wm.Game, matches: int) -> Row:
    """The share that the top level scores with a tenth of the time."""
    words = "sea:seconds=0.01 uct:seconds=0.1 --openings 2 --matches"
    bots = _play([game.name, *words.split(), str(matches)])
    (top,) = (row for row in bots if row["bot"].startswith("sea"))
    score = 100 * (top["wins"] + top["draws"] / 2) / top["matches"]
    return Row(label(game), "score", score, "%", f"of {top['matches']} matches")


def _play(words: list[str]) -> list[dict[str, Any]]:
    progress(f"watermeet arena {' '.join(words)}")
    command = [sys.executable, "-m", "watermeet", "arena", *words, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    bots: list[dict[str, Any]] = json.loads(done.stdout)["variations"][0]["bots"]
    return bots


def bots_of(game: wm.Game) -> dict[str, str]:
    """The specs of a game's bots by their names, with limits that depend on no clock."""
    bots = {RANDOM: RANDOM, BEGINNER: BEGINNER}
    nodes = 0
    for level in playable_levels(game):
        if level.method == NETWORK:
            solver = ":solver_nodes=0" if level.solver_nodes else ""
            bots[level.name] = f"{level.name}:nodes={NETWORK_NODES}{solver}"
        elif level.seconds:
            solver = f":solver_nodes={SOLVER_NODES}" if level.solver_nodes else ""
            bots[level.name] = f"{level.name}:nodes={TIMES * nodes}{solver}"
        else:
            bots[level.name] = level.name
            nodes = level.nodes or nodes
    return bots
