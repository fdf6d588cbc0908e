"""``python -m watermeet.testing NAME ...``: runs the conformance kit on registered games.

Without a name, on all of them. Ends with status 1 if a game breaks a law.
"""

from __future__ import annotations

import random
import sys

from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.testing.laws import CHECKS, Nonconformance
from watermeet.testing.matches import option_sets


def main(names: list[str]) -> int:
    """Checks the games named and says how each fared; returns the exit status."""
    failed = 0
    for name in names or games():
        try:
            failed += _check(find_game(name))
        except WatermeetError as error:
            print(f"{name}: {error}")
            failed += 1
    return int(failed > 0)


def _check(game: Game) -> int:
    """How many checks the game fails."""
    failed = 0
    sets = option_sets(game)
    for title, check in CHECKS.items():
        try:
            for options in sets:
                check(game.with_options(**options), random.Random(0))
        except Nonconformance as problem:
            print(f"{game.name}: {title}: {problem}")
            failed += 1
        else:
            print(f"{game.name}: {title}: ok with {len(sets)} sets of options")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
