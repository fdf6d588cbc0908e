"""The exact value, which is known: a multiple of four is lost."""

from collections.abc import Callable

from watermeet.core.errors import TooLarge
from watermeet.core.solution import Solution
from watermeet.core.state import State


def solve(
    state: State, *, node_limit: int = 100, every_move: bool, progress: Callable[[int], None]
) -> Solution[int]:
    left = int(state.array[0])
    if node_limit < left:
        raise TooLarge(f"{node_limit} nodes are not enough", "allow more")
    progress(left)
    values = {take: -1 if (left - take) % 4 else 1 for take in range(1, min(3, left) + 1)}
    value = max(values.values())
    best = tuple(take for take in values if values[take] == value)
    return Solution(value, best, values if every_move else None, left)
