"""Players of dice: good, bad, and broken in several ways."""

import os
import random
from collections.abc import Callable

from watermeet.core.state import State

COUNTS, LEAVES = 6, 7


def counts(state: State, rng: random.Random) -> int:
    """Counts every die: there is nothing better."""
    return COUNTS


def often(state: State, rng: random.Random) -> int:
    """Counts three dice of four."""
    return COUNTS if rng.random() < 0.75 else LEAVES


def leaves(state: State, rng: random.Random) -> int:
    """Never counts a die."""
    return LEAVES


def failing(state: State, rng: random.Random) -> int:
    """Raises when a six is rolled."""
    if int(state.array[5]) == 6:
        raise ZeroDivisionError("a six")
    return COUNTS


def cheating(state: State, rng: random.Random) -> int:
    """Chooses an illegal action."""
    return 3


def deadly(state: State, rng: random.Random) -> int:
    """Kills its process when a six is rolled."""
    if int(state.array[5]) == 6:
        os._exit(3)
    return COUNTS


Player = Callable[[State, random.Random], int]
PLAYERS: dict[str, Player] = {
    each.__name__: each for each in (counts, often, leaves, failing, cheating, deadly)
}
