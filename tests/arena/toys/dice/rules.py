"""State: seats, teams, target, turns left, whose turn, the die (0: chance rolls), then totals.

Actions 0 to 5 are what chance rolls, 6 counts it, 7 does not.
"""

from typing import Any, NamedTuple

from watermeet.core.contract import CHANCE, OVER
from watermeet.core.kernel import kernel

SEATS, TEAMS, TARGET, LEFT, TURN, DIE, TOTALS = range(7)


class Options(NamedTuple):
    seats: int
    teams: int
    target: int
    rounds: int
    clock: int


@kernel
def setup(state: Any, options: Options) -> None:
    state[SEATS] = options.seats
    state[TEAMS] = options.teams
    state[TARGET] = options.target
    state[LEFT] = options.seats * options.rounds


@kernel
def to_move(state: Any) -> int:
    if state[LEFT] == 0:
        return OVER
    return int(state[TURN]) if state[DIE] else CHANCE


@kernel
def legal(state: Any, out: Any) -> int:
    if state[LEFT] == 0:
        return 0
    first, count = (6, 2) if state[DIE] else (0, 6)
    for index in range(count):
        out[index] = first + index
    return count


@kernel
def apply(state: Any, action: int) -> None:
    if action < 6:
        state[DIE] = action + 1
        return
    if action == 6:
        state[TOTALS + state[TURN]] += state[DIE]
    state[DIE] = 0
    state[LEFT] -= 1
    state[TURN] = (state[TURN] + 1) % state[SEATS]


@kernel
def chance(state: Any, out: Any) -> None:
    out[:6] = 1 / 6


@kernel
def total_of(state: Any, seat: int) -> int:
    """What the seat's team has."""
    seats = int(state[SEATS])
    total = 0
    for other in range(seats):
        is_ours = other == seat or state[TEAMS] == 2
        if is_ours or (state[TEAMS] == 1 and (other - seat) % (seats // 2) == 0):
            total += int(state[TOTALS + other])
    return total


@kernel
def score(state: Any, out: Any) -> None:
    best = 0
    for seat in range(state[SEATS]):
        best = max(best, total_of(state, seat))
    if state[TEAMS] == 2:
        best = max(best, int(state[TARGET]))
    for seat in range(state[SEATS]):
        out[seat] = 1.0 if total_of(state, seat) >= best else -1.0
