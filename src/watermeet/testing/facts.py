"""The page of facts about a game on the documentation's site, made from what the game declares.

Lengths are those of random matches.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Sequence

from watermeet.core.features import FeatureSpec
from watermeet.core.game import Game
from watermeet.testing.matches import option_sets, random_match

MATCHES = 10
"""How many random matches the lengths come from."""


def facts_page(game: Game) -> str:
    """The whole page of a game."""
    parts = [
        f"# {game.title}\n\n{game.summary}\n\n{game.credit}",
        f"## Facts\n\n{_table(('fact', game.title), _facts(game))}",
        f"## Options\n\n{_table(('option', 'default', 'values', 'meaning'), _options(game))}",
        f"## Sizes\n\n{_SIZES}\n\n{_table(_SIZE_TITLES, _sizes(game))}",
        f"## Features\n\n{_features(game.features.spec)}",
    ]
    return "\n\n".join(parts) + "\n"


def _table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def _facts(game: Game) -> list[tuple[str, object]]:
    low, high = game.seat_range
    least, most = game.returns_range
    total = "varies" if game.returns_sum is None else f"{game.returns_sum:g}"
    returns = f"{least:g} to {most:g} per seat at the end; their sum is {total}"
    return [
        ("rules version", game.version),
        ("seats", low if low == high else f"{low} to {high} (default {game.seats})"),
        ("teams", _teams(game)),
        ("chance", "yes" if game.chance else "no"),
        ("hidden information", "yes" if game.hidden else "no"),
        ("returns", returns),
        ("actions", f"{game.sizes.actions:,}"),
        ("length of a random match", _lengths(game)),
        ("longest possible match", f"{game.sizes.max_length:,} actions"),
        ("state", f"{game.sizes.state} integers ({game.dtype})"),
        ("symmetries", len(game.features.symmetries)),
        ("in PettingZoo and Gymnasium", f"`watermeet/{game.name}-v{game.version}`"),
        ("in OpenSpiel", f"`watermeet_{game.name}_v{game.version}`"),
    ]


def _teams(game: Game) -> str:
    if len(game.teams) == 1:
        return "one team: everybody"
    is_alone = all(len(team) == 1 for team in game.teams)
    low, high = game.seat_range
    if is_alone and low == high:
        return "none: everybody for themselves"
    largest = game.with_options(seats=high) if low != high else game
    alone = "none: everybody for themselves"
    has_teams = any(len(team) > 1 for team in largest.teams)
    return f"{alone}; teams with more seats" if has_teams else alone


def _lengths(game: Game) -> str:
    """How many actions random matches have, chance included."""
    matches = [random_match(game, random.Random(seed)) for seed in range(MATCHES)]
    lengths = [len(match.actions) for match in matches]
    middle = statistics.median(lengths)
    return f"{min(lengths)} to {max(lengths)} actions, median {middle:g} ({MATCHES} matches)"


def _options(game: Game) -> list[tuple[str, str, str, str]]:
    return [
        (
            f"`{option.name}`",
            option.format(game.options[option.name]),
            option.allowed.replace("|", "or"),
            option.sentence,
        )
        for option in game.declared_options
    ]


_SIZES = (
    "One row for each option value that changes a size. Planes are given as planes x height x "
    "width; the numbers follow them in the same array."
)
_SIZE_TITLES = ("options", "seats", "actions", "planes", "numbers", "features", "codes", "longest")


def _sizes(game: Game) -> list[tuple[object, ...]]:
    rows: dict[tuple[object, ...], str] = {}
    for options in option_sets(game):
        if len(options) > 1:
            continue
        chosen = game.with_options(**options)
        layout = chosen.features.spec
        planes = " x ".join(map(str, layout.shape)) if layout.planes else "none"
        sizes = (chosen.sizes.actions, planes, len(layout.numbers), layout.size, layout.codes)
        row = (chosen.seats, *(_shown(size) for size in sizes), f"{chosen.sizes.max_length:,}")
        changed = chosen.describe().partition(" ")[2]
        rows.setdefault(row, f"`{changed}`" if changed else "defaults")
    return [(options, *row) for row, options in rows.items()]


def _shown(size: object) -> str:
    return f"{size:,}" if isinstance(size, int) else str(size)


def _features(layout: FeatureSpec) -> str:
    span = f"All values lie between {layout.low:g} and {layout.high:g}."
    planes = ", ".join(layout.planes) or "none"
    numbers = "\n".join(f"{place}. {name}" for place, name in enumerate(layout.numbers, 1))
    return f"{span} Planes, in order: {planes}.\n\nNumbers, in order:\n\n{numbers}"
