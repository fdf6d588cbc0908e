"""State: seats, turn, phase (0 deal, 1 choose, 2 draw another, 3 over), a card a seat (-1 unknown).

Actions 0 to 3 are cards that chance deals, 4 keeps, 5 draws another.
"""

from typing import Any, NamedTuple

from watermeet.core.contract import CHANCE, OVER
from watermeet.core.kernel import kernel

SEATS, TURN, PHASE, CARDS = range(4)


class Options(NamedTuple):
    seats: int


@kernel
def setup(state: Any, options: Options) -> None:
    state[SEATS] = options.seats


@kernel
def to_move(state: Any) -> int:
    if state[PHASE] == 3:
        return OVER
    return int(state[TURN]) if state[PHASE] == 1 else CHANCE


@kernel
def legal(state: Any, out: Any) -> int:
    if state[PHASE] == 3:
        return 0
    first, count = (4, 2) if state[PHASE] == 1 else (0, 4)
    for index in range(count):
        out[index] = first + index
    return count


@kernel
def apply(state: Any, action: int) -> None:
    if action == 5:
        state[PHASE] = 2
        return
    if action < 4:
        state[CARDS + state[TURN]] = action + 1
    state[TURN] += 1
    if state[PHASE] == 0 and state[TURN] == state[SEATS]:
        state[PHASE] = 1
        state[TURN] = 0
    elif state[PHASE] > 0:
        state[PHASE] = 3 if state[TURN] == state[SEATS] else 1


@kernel
def score(state: Any, out: Any) -> None:
    highest = 0
    for seat in range(state[SEATS]):
        highest = max(highest, int(state[CARDS + seat]))
    for seat in range(state[SEATS]):
        out[seat] = 1.0 if state[CARDS + seat] == highest else -1.0


@kernel
def chance(state: Any, out: Any) -> None:
    out[:4] = 0.25


@kernel
def conceal(state: Any, seat: int, out: Any) -> None:
    out[:] = state
    for other in range(state[SEATS]):
        if other != seat and state[PHASE] != 3 and state[CARDS + other] != 0:
            out[CARDS + other] = -1


@kernel
def resample(concealed: Any, seat: int, rng: Any, out: Any) -> None:
    out[:] = concealed
    for other in range(concealed[SEATS]):
        if concealed[CARDS + other] == -1:
            out[CARDS + other] = 1
