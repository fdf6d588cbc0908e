"""Players of pile: a careful one, and several that fail."""

import os
import random
import time
from collections.abc import Callable

from watermeet.core.state import State


def careful(state: State, rng: random.Random) -> int:
    """Leaves a multiple of four if possible."""
    return int(state.array[0]) % 4 or 1


def failing(state: State, rng: random.Random) -> int:
    """Raises once five or fewer are left."""
    if int(state.array[0]) <= 5:
        raise RuntimeError("too few")
    return 1


def cheating(state: State, rng: random.Random) -> int:
    """Chooses an illegal action."""
    return 0


def deadly(state: State, rng: random.Random) -> int:
    """Kills its process once five or fewer are left."""
    if int(state.array[0]) <= 5:
        os._exit(3)
    return 1


def hanging(state: State, rng: random.Random) -> int:
    """Hangs once five or fewer are left."""
    while int(state.array[0]) <= 5:
        time.sleep(0.01)
    return 1


def slow(state: State, rng: random.Random) -> int:
    """Moves too slowly once five or fewer are left."""
    time.sleep(0.3 if int(state.array[0]) <= 5 else 0.0)
    return 1


Player = Callable[[State, random.Random], int]
PLAYERS: dict[str, Player] = {
    each.__name__: each for each in (careful, failing, cheating, deadly, hanging, slow)
}
