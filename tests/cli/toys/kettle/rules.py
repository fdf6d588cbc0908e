"""State: cups left, rounds left, whose turn it is, whether the kettle is lifted.

Action 0 pours, 1 lifts (and then there is nothing to do but pour), 2 says that time is up.
"""

from typing import Any, NamedTuple

from watermeet.core.contract import OVER
from watermeet.core.kernel import kernel

CUPS, ROUNDS, TURN, LIFTED = 0, 1, 2, 3
POUR, LIFT, TIME = 0, 1, 2


class Options(NamedTuple):
    cups: int
    seconds: int


@kernel
def setup(state: Any, options: Options) -> None:
    state[CUPS] = options.cups
    state[ROUNDS] = 3


@kernel
def to_move(state: Any) -> int:
    return int(state[TURN]) if state[CUPS] and state[ROUNDS] else OVER


@kernel
def legal(state: Any, out: Any) -> int:
    if not (state[CUPS] and state[ROUNDS]):
        return 0
    count = 1 if state[LIFTED] else 3
    for action in range(count):
        out[action] = action
    return count


@kernel
def apply(state: Any, action: int) -> None:
    if action == LIFT:
        state[LIFTED] = 1
        return
    state[CUPS if action == POUR else ROUNDS] -= 1
    state[LIFTED] = 0
    state[TURN] = 1 - state[TURN]


@kernel
def score(state: Any, out: Any) -> None:
    out[:] = -1.0 if state[CUPS] else 1.0
