"""Every registered game: its compiled rules, the Python API, and plain Python."""

from __future__ import annotations

from collections.abc import Sequence

import watermeet as wm
from bench.report import Row, label, progress
from watermeet.testing.speed import measure_game

TITLE = "Games"
ABOUT = (
    "Random matches, lists of legal actions and actions a second: in compiled code, through "
    "`State.play`, and without a compiler."
)
COLUMNS = {
    "": "game",
    "random playouts, playouts/s": "matches",
    "random playouts, actions/s": "actions",
    "legal lists, lists/s": "legal lists",
    "State.play, actions/s": "`State.play`",
    "random playouts, plain Python, playouts/s": "matches, plain Python",
    "two threads against one, times": "two threads, times one",
}


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """All games with their defaults."""
    rows = []
    for name in games or wm.games():
        game = wm.game(name)
        for each in measure_game(game, seconds=seconds, progress=progress):
            what = f"{each.what}, {each.unit}"
            rows.append(Row(label(game), what, each.value, each.unit, each.note))
    return rows
