"""Writes a page of facts for each of our games, from what it declares: ``python scripts/pages.py``.

A test holds the pages against the games, so no page lags. Lengths are those of random matches.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path

import watermeet as wm
from watermeet.core.features import Layout
from watermeet.testing import option_sets, random_match

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "games"
MATCHES = 10
"""So many random matches tell how long they are."""


def page(game: wm.Game) -> str:
    """The whole page of a game."""
    parts = [
        f"# {game.title}\n\n{game.summary}\n\n{game.credit}",
        f"{_WRITTEN} [RULES.md](../../../src/watermeet/games/{game.name}/RULES.md).",
        f"## Facts\n\n{_table(('fact', game.title), _facts(game))}",
        f"## Options\n\n{_table(('option', 'default', 'values', 'meaning'), _options(game))}",
        f"## Sizes\n\n{_SIZES}\n\n{_table(_SIZE_TITLES, _sizes(game))}",
        f"## Features\n\n{_features(game.features.layout)}",
    ]
    return "\n\n".join(parts) + "\n"


def our_games() -> list[wm.Game]:
    """The games of this project, without those that other packages have brought."""
    games = [wm.game(name) for name in wm.games()]
    return [game for game in games if game.package.startswith("watermeet.")]


def _table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def _facts(game: wm.Game) -> list[tuple[str, object]]:
    low, high = game.seat_range
    least, most = game.returns_range
    total = "varies" if game.returns_sum is None else f"{game.returns_sum:g}"
    told = f"{least:g} to {most:g} a seat, at the end; their sum is {total}"
    return [
        ("version of the rules", game.version),
        ("seats", low if low == high else f"{low} to {high}, {game.seats} by default"),
        ("teams", _teams(game)),
        ("chance", "yes" if game.chance else "no"),
        ("hidden information", "yes" if game.hidden else "no"),
        ("returns", told),
        ("actions", f"{game.sizes.actions:,}"),
        ("actions of a random match", _lengths(game)),
        ("actions of a match at most", f"{game.sizes.max_length:,}"),
        ("a state", f"{game.sizes.state} numbers of the type {game.dtype}"),
        ("symmetries", len(game.features.symmetries)),
        ("in PettingZoo and Gymnasium", f"`watermeet/{game.name}-v{game.version}`"),
        ("in OpenSpiel", f"`watermeet_{game.name}_v{game.version}`"),
    ]


def _teams(game: wm.Game) -> str:
    if len(game.teams) == 1:
        return "all together"
    is_alone = all(len(team) == 1 for team in game.teams)
    low, high = game.seat_range
    if is_alone and low == high:
        return "each alone"
    largest = game.with_options(seats=high) if low != high else game
    told = any(len(team) > 1 for team in largest.teams)
    return "each alone, or in teams with more seats" if told else "each alone"


def _lengths(game: wm.Game) -> str:
    """Chance included."""
    matches = [random_match(game, random.Random(seed)) for seed in range(MATCHES)]
    lengths = [len(match.actions) for match in matches]
    middle = statistics.median(lengths)
    return f"{min(lengths)} to {max(lengths)}, {middle:g} in the middle, of {MATCHES}"


def _options(game: wm.Game) -> list[tuple[str, str, str, str]]:
    return [
        (
            f"`{option.name}`",
            option.format(game.options[option.name]),
            option.allowed.replace("|", "or"),
            option.sentence,
        )
        for option in game.declared_options
    ]


_WRITTEN = "Written by `make pages` from what the game declares; the rules are in its"
_SIZES = (
    "Under options that change them. Planes are planes x height x width; numbers follow them in "
    "the same array."
)
_SIZE_TITLES = ("options", "seats", "actions", "planes", "numbers", "features", "codes", "longest")


def _sizes(game: wm.Game) -> list[tuple[object, ...]]:
    rows: dict[tuple[object, ...], str] = {}
    for options in option_sets(game):
        if len(options) > 1:
            continue
        chosen = game.with_options(**options)
        layout = chosen.features.layout
        planes = " x ".join(map(str, layout.shape)) if layout.planes else "none"
        sizes = (chosen.sizes.actions, planes, len(layout.numbers), layout.size, layout.codes)
        row = (chosen.seats, *(_shown(size) for size in sizes), f"{chosen.sizes.max_length:,}")
        changed = chosen.describe().partition(" ")[2]
        rows.setdefault(row, f"`{changed}`" if changed else "the default ones")
    return [(told, *row) for row, told in rows.items()]


def _shown(size: object) -> str:
    return f"{size:,}" if isinstance(size, int) else str(size)


def _features(layout: Layout) -> str:
    told = f"All lie between {layout.low:g} and {layout.high:g}."
    planes = ", ".join(layout.planes) or "none"
    numbers = "\n".join(f"{place}. {name}" for place, name in enumerate(layout.numbers, 1))
    return f"{told} Planes, in their order: {planes}.\n\nNumbers, in their order:\n\n{numbers}"


def main() -> None:
    """Writes NAME.md for each game, and the list of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in our_games():
        (FOLDER / f"{game.name}.md").write_text(page(game), encoding="utf-8")
        print(f"{game.name}.md")


if __name__ == "__main__":
    main()
