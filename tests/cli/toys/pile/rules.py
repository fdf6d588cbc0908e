"""State: how many are left, whose turn it is. Action n takes n."""

from typing import Any, NamedTuple

from watermeet.core.contract import OVER
from watermeet.core.kernel import kernel


class Options(NamedTuple):
    size: int


@kernel
def setup(state: Any, options: Options) -> None:
    state[0] = options.size


@kernel
def to_move(state: Any) -> int:
    return int(state[1]) if state[0] else OVER


@kernel
def legal(state: Any, out: Any) -> int:
    count = min(3, int(state[0]))
    for index in range(count):
        out[index] = index + 1
    return count


@kernel
def apply(state: Any, action: int) -> None:
    state[0] -= action
    state[1] = 1 - state[1]


@kernel
def score(state: Any, out: Any) -> None:
    out[state[1]] = -1.0
    out[1 - state[1]] = 1.0
