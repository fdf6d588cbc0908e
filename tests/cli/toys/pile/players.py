"""Players of pile: one that is careful, and one that fails."""

import random
from collections.abc import Callable

from watermeet.core.state import State


def careful(state: State, rng: random.Random) -> int:
    """Leaves a multiple of four where that is possible."""
    return int(state.array[0]) % 4 or 1


def failing(state: State, rng: random.Random) -> int:
    """Raises as soon as five or fewer are left."""
    if int(state.array[0]) <= 5:
        raise RuntimeError("too few")
    return 1


Player = Callable[[State, random.Random], int]
PLAYERS: dict[str, Player] = {"careful": careful, "failing": failing}
