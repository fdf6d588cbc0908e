"""What the networks think of first moves: how often the first player wins after each.

The level with the network searches the position after each first move, one for each class of
moves that symmetries map to each other. Where a pie rule exists it is switched off, so that the
figures say what a move is worth; with it, the best first move is the one nearest to 50 %.

    python -m bench first_moves -- --nodes 2000
"""

from __future__ import annotations

import argparse
from typing import Any

import watermeet as wm
from bench.progress import progress
from watermeet.bots.levels import OCEAN
from watermeet.bots.specs import make_bot

TITLE = "First moves"
BOARDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("flume", {"size": 7, "pie": False}),
    ("flume", {"size": 9, "pie": False}),
    ("flume", {"size": 11, "pie": False}),
    ("flecks", {}),
)
SHOWN = 3


def measure(seconds: float, arguments: list[str]) -> str:
    """For each board: the best first moves, the most even ones and the worst."""
    parser = argparse.ArgumentParser(prog="python -m bench first_moves --")
    parser.add_argument("--nodes", type=int, default=2000)
    chosen = parser.parse_args(arguments)
    lines = [f"{chosen.nodes:,} simulations for each.", ""]
    lines += ["| board | best | most even | worst |", "|---|---|---|---|"]
    for name, options in BOARDS:
        game = wm.game(name, **options)
        chances = chances_after(game, chosen.nodes)
        lines.append(f"| {game.full_title} | {' | '.join(_choices(game, chances))} |")
    return "\n".join(lines)


def chances_after(game: wm.Game, nodes: int) -> dict[int, float]:
    """The first player's chance to win after each first action."""
    start, bot = game.start(), make_bot(game, f"{OCEAN}:nodes={nodes}:solver_nodes=0")
    codes = game.features.codes_of(start).tolist()
    found: dict[int, float] = {}
    for code in codes:
        image = min(int(each.codes[code]) for each in game.features.symmetries)
        if image not in found:
            progress(f"{game.describe()}: {len(found) + 1}")
            bot.new_match(code)
            search = bot.play(start.play(start.legal_actions[codes.index(code)])).search
            assert search is not None
            found[image] = 0.5 - 0.5 * search.value
    return {
        action: found[min(int(each.codes[code]) for each in game.features.symmetries)]
        for action, code in zip(start.legal_actions, codes, strict=True)
    }


def _choices(game: wm.Game, chances: dict[int, float]) -> list[str]:
    """The best moves, the most even ones and the worst, with their chances."""
    start, ranked = game.start(), sorted(chances, key=lambda action: -chances[action])
    even = sorted(ranked, key=lambda action: abs(chances[action] - 0.5))
    return [
        ", ".join(f"`{start.format(each)}` {chances[each]:.1%}" for each in actions)
        for actions in (ranked[:SHOWN], even[:SHOWN], ranked[-SHOWN:])
    ]
