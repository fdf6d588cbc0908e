"""How checks of the conformance kit are registered and run, and how they report a failure.

A check takes a game with its options and a random source. It raises ``Nonconformance`` with the
rule that was broken and the state in which it was, or ``NotApplicable`` where it has nothing to
check.
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
SAMPLED_STATES = 24
"""How many states of a match the slower checks look at."""


class Nonconformance(AssertionError):
    """A game breaks a rule of the contract."""


class NotApplicable(Exception):
    """A check has nothing to check in this game; the message says why."""


def check(function: Check) -> Check:
    """Register a check under its name."""
    CHECKS[function.__name__] = function
    return function


def run_check(name: str, game: Game, rng: random.Random) -> str:
    """Run one check; return "" if it passed, or why it does not apply. Raises Nonconformance."""
    try:
        CHECKS[name](game, rng)
    except NotApplicable as reason:
        return str(reason)
    return ""


def check_game(game: Game, *, only: str | None = None, seed: int = 0, matches: int = 1) -> None:
    """Run every check, or only one, with every sample set of options; raises Nonconformance."""
    for options in option_sets(game):
        for name in CHECKS if only is None else (only,):
            for number in range(matches):
                rng = random.Random(f"{seed} {name} {number}")
                run_check(name, game.with_options(**options), rng)


def applies_if(condition: object, reason: str) -> None:
    """End the check as not applicable unless the condition holds; the reason says why."""
    if not condition:
        raise NotApplicable(reason)


def require(condition: object, rule: str, where: State | Game) -> None:
    """Raise Nonconformance with the broken rule and the place, unless the condition holds."""
    if not condition:
        place = repr(where)
        if isinstance(where, State):
            place += f", seen by {where.known_to}"
        raise Nonconformance(f"{rule} (in {place})")


def sample_states(match: Match, rng: random.Random, count: int = SAMPLED_STATES) -> list[State]:
    """The first and the last state of a match, and up to ``count`` between."""
    inner = list(match.states[1:-1])
    chosen = rng.sample(inner, min(count, len(inner)))
    return [match.states[0], *chosen, match.end]
