"""Write the tables of docs/reference/networks.md from the networks that games have: ``make cards``.

A file says itself how it was trained. What stands between the tables is written by hand. With
``--check`` nothing is written; the exit status is 1 if a table is stale or missing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from watermeet.bots.levels import NETWORK, declared_levels
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.nets.onnx import network_file, read_card

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "networks.md"


def table_of(game: Game, file: Path) -> str:
    """A network's card as a table."""
    card = read_card(file)
    settings, quantized = card["settings"], card["quantized"]
    progress, details = card.get("progress", card), settings["details"]
    boards = "; ".join(
        ", ".join(f"{name} {value}" for name, value in board.items()) or "standard"
        for board in {str(each): each for each in settings["boards"]}.values()
    )
    before, after = quantized["microseconds"]
    rows = {
        "game": f"{game.title}, `{game.name}@{game.version}`",
        "boards": boards,
        "network": f"{settings['channels']} channels, {settings['blocks']} blocks",
        "file": f"`{file.name}` {file.stat().st_size / 1000:,.0f} kB",
        "learnt from": _source(settings, progress),
        "trained for": f"{progress['seconds'] / 60:.0f} minutes on "
        f"{details.get('hardware') or settings['device']}",
        "seed, commit": f"{settings['seed']}, {details.get('commit') or 'not recorded'}",
        "learning": f"batches of {settings['batch']:,}, rate {settings['learning_rate']:g}, "
        f"{settings['matches']:,} matches at a time, the last {settings['window']} rounds",
        "8-bit integers": f"in {quantized['positions']:,} positions the same action is best in "
        f"{quantized['same_best']:.1%}, {quantized['lost_prior']:.2%} of the prior is lost, and "
        f"values differ by {quantized['value_error']:.3f}; {after:.0f} µs a position instead of "
        f"{before:.0f} µs",
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {key} | {text} |" for key, text in rows.items())])


def _source(settings: dict[str, Any], progress: dict[str, Any]) -> str:
    """Whose matches a network has learnt from."""
    simulations = settings["simulations"]
    each_round = settings["steps"] * settings["matches"] * len(settings["boards"])
    taught = min(progress["positions"], settings.get("teacher_rounds", 0) * each_round)
    played = progress["positions"] - taught
    parts = []
    if taught:
        most = settings.get("teacher_simulations") or simulations
        parts.append(f"{taught:,} positions of the game's own search, {most} simulations a move")
    if played:
        parts.append(f"{played:,} positions of self-play, {simulations} simulations a move")
    weight = settings.get("evaluation_weight", 0.0)
    if played and weight:
        parts.append(f"in which the game's own evaluation counted {weight:.0%}")
    if settings.get("start"):
        parts.append(f"beginning with the weights of `{settings['start']}`")
    return ", ".join(parts)


def networks() -> Iterator[tuple[str, Game, Path]]:
    """The networks of all games, each with a name for its table."""
    for name in games():
        game = find_game(name)
        for level in declared_levels(game) if game.package.startswith("watermeet.") else ():
            if level.method == NETWORK:
                named = [each for each in level.only if f"{{{each}}}" in level.network]
                for values in product(*(level.only[each] for each in named)):
                    chosen = find_game(name, **dict(zip(named, values, strict=True)))
                    key = "-".join((name, *map(str, values)))
                    yield key, chosen, network_file(chosen, level.network)


def main() -> int:
    """Write the tables, or check them."""
    text = old = PAGE.read_text(encoding="utf-8")
    for key, game, file in networks():
        table = table_of(game, file)
        parts = re.compile(rf"(<!-- begin {key} -->\n).*?(<!-- end {key} -->)", re.DOTALL)
        text, count = parts.subn(lambda found: f"{found[1]}{table}\n{found[2]}", text)  # noqa: B023
        if not count:
            print(f"{PAGE.name} has no markers for {key}", file=sys.stderr)
            return 1
    if "--check" in sys.argv:
        return int(text != old)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
