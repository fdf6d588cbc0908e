"""What the checks of the conformance kit share: where they are listed, and how they complain.

A check takes a game with its options and a random source. It raises Nonconformance with a sentence
that says which law was broken, and where.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.testing.matches import Match, option_sets

Check = Callable[[Game, random.Random], None]
CHECKS: dict[str, Check] = {}
"""All checks by name, in the order in which they are declared."""
SEVERAL = 24
"""How many states of a match the slower checks look at."""


class Nonconformance(AssertionError):
    """A game breaks a law of the contract."""


def check_game(game: Game, *, seed: int = 0, matches: int = 1) -> None:
    """Runs every check with every set of options that is worth it; raises Nonconformance."""
    for options in option_sets(game):
        for name, check in CHECKS.items():
            for number in range(matches):
                check(game.with_options(**options), random.Random(f"{seed} {name} {number}"))


def law(function: Check) -> Check:
    """Lists a check under its name."""
    CHECKS[function.__name__] = function
    return function


def demand(condition: object, law: str, state: State | Game) -> None:
    """Raises Nonconformance with the law and the place, unless the condition holds."""
    if not condition:
        where = repr(state) if isinstance(state, Game) else f"{state!r} known to {state.known_to}"
        raise Nonconformance(f"{law} (in {where})")


def some_states(match: Match, rng: random.Random, count: int = SEVERAL) -> list[State]:
    """The first and the last state of a match, and some between."""
    inner = list(match.states[1:-1])
    chosen = rng.sample(inner, min(count, len(inner)))
    return [match.states[0], *chosen, match.end]
