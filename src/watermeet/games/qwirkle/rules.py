"""The rules of Qwirkle as kernels. Paragraphs (R2.1 ...) are those of RULES.md beside this file.

The state's layout and the numbers of actions are in layout.py. What can be said of tiles alone is
in tiles.py, of tiles on the grid in grid.py, of the cells beside them in frontier.py, of what can
be chosen in choices.py, and what seats may not see of each other in hidden.py.
"""

from __future__ import annotations

from typing import NamedTuple

from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    StateArray,
)
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle.choices import (
    aside_count,
    list_chance,
    list_end,
    list_first_tiles,
    list_further_tiles,
    list_trades,
    may_end,
)
from watermeet.games.qwirkle.frontier import grow, leave_cell, rebuild
from watermeet.games.qwirkle.grid import cell_number, cell_x, cell_y, laid_points, lay_tile
from watermeet.games.qwirkle.hidden import conceal, resample
from watermeet.games.qwirkle.layout import (
    ASIDE,
    BAG,
    BAG_LEFT,
    BONUS,
    COPIES,
    DEAL,
    DRAW,
    END,
    EXCHANGES,
    FINISHED,
    FULL,
    HAND,
    HANDS,
    KINDS,
    LAID,
    LAST,
    LIMIT,
    LOT,
    LOTS,
    MOVER,
    PASS,
    PASSES,
    PLACES,
    RANDOM,
    REFILL,
    REPLACE,
    SCORES,
    SEATS,
    STAGE,
    TIE,
    TIED,
    TILE_COUNT,
    TRADE,
    TURN,
    YOUNGEST,
)
from watermeet.games.qwirkle.tiles import add_tile, hand_size, strongest_seats, take_tile

__all__ = [
    "apply", "chance", "conceal", "legal", "rebuild_cache", "resample", "score", "setup", "to_move",
]  # fmt: skip


class Options(NamedTuple):
    """The declared options, as integers."""

    seats: int
    tie: int
    first_play_full: int
    exchange_limit: int
    counts: int


@kernel
def setup(state: StateArray, options: Options) -> None:
    """All tiles in the bag, the hands still empty."""
    state[SEATS] = options.seats
    state[TIE] = options.tie
    state[FULL] = options.first_play_full
    state[LIMIT] = options.exchange_limit
    state[STAGE] = DEAL
    state[BAG_LEFT] = TILE_COUNT
    for kind in range(KINDS):
        state[BAG + kind] = COPIES  # R1.2


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Writes the memo from the tiles on the grid."""
    rebuild(state)


@kernel
def to_move(state: StateArray) -> int:
    """The seat whose turn it is; CHANCE while tiles or lots are drawn."""
    if state[STAGE] == TURN:
        return int(state[MOVER])
    return OVER if state[STAGE] == FINISHED else CHANCE


# ---- what can be played -----------------------------------------------------------------------


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """Tiles to lay, tiles to set aside, the end of the turn or a pass; at CHANCE what is drawn."""
    if state[STAGE] != TURN:
        return list_chance(state, out)
    if aside_count(state) > 0:
        return list_end(out, list_trades(state, out, 0))
    if state[LAID] > 0:
        count = list_further_tiles(state, out)
        if count == 0 or may_end(state):
            return list_end(out, count)
        return count
    count = list_first_tiles(state, out)
    if state[BAG_LEFT] > 0:
        return list_trades(state, out, count)
    if count == 0:
        out[0] = PASS  # R4.5
        return 1
    return count


# ---- playing ----------------------------------------------------------------------------------


@kernel
def apply(state: StateArray, action: int) -> None:
    """Lays, sets aside, ends, passes or draws."""
    hand = HANDS + HAND * int(state[MOVER])
    if action < TRADE:
        number = action // PLACES
        tile = take_tile(state, hand, action % PLACES)
        _place_tile(state, cell_x(state, number), cell_y(state, number), tile - 1)
    elif action < END:
        add_tile(state, ASIDE, take_tile(state, hand, action - TRADE))
    elif action == END:
        _end_turn(state)
    elif action == PASS:
        state[PASSES] += 1
        state[LAST] = 0
        _next_turn(state, is_over=bool(state[PASSES] == state[SEATS]))  # R7.3
    elif action < LOTS:
        _draw_tile(state, action - DRAW)
    else:
        state[MOVER] = action - LOTS  # R3.2
        state[STAGE] = TURN


@kernel
def _place_tile(state: StateArray, x: int, y: int, kind: int) -> None:
    """Lays a tile that was taken from the hand."""
    leave_cell(state, cell_number(state, x, y))
    lay_tile(state, x, y, kind)


@kernel
def _end_turn(state: StateArray) -> None:
    """Counts a placement or begins to replace what was set aside."""
    if state[LAID] == 0:
        state[STAGE] = REPLACE  # R4.4
        return
    mover = int(state[MOVER])
    empty_handed = state[BAG_LEFT] == 0 and hand_size(state, mover) == 0
    points = laid_points(state) + (BONUS if empty_handed else 0)  # R7.2
    set_points(state, mover, points_of(state, mover) + points)
    grow(state)
    state[LAST] = state[LAID]
    state[LAID] = 0
    state[PASSES] = 0
    state[EXCHANGES] = 0
    state[TIED] = 0
    if state[BAG_LEFT] > 0:
        state[STAGE] = REFILL  # R4.6
    else:
        _next_turn(state, is_over=empty_handed)  # R7.1


@kernel
def _next_turn(state: StateArray, is_over: bool) -> None:
    if is_over:
        state[STAGE] = FINISHED
        return
    state[STAGE] = TURN
    state[MOVER] = (int(state[MOVER]) + 1) % int(state[SEATS])  # R3.3


@kernel
def _draw_tile(state: StateArray, kind: int) -> None:
    """A tile comes from the bag into the mover's hand."""
    mover = int(state[MOVER])
    state[BAG + kind] -= 1
    state[BAG_LEFT] -= 1
    add_tile(state, HANDS + HAND * mover, kind + 1)
    is_full = hand_size(state, mover) == HAND
    if state[STAGE] == DEAL:
        if is_full:
            _deal_to_next(state)
    elif state[STAGE] == REPLACE:
        if is_full:
            _return_aside(state)
    elif is_full or state[BAG_LEFT] == 0:
        _next_turn(state, is_over=False)


@kernel
def _deal_to_next(state: StateArray) -> None:
    """The next hand is dealt; behind the last one it is found out who begins (R3.1, R3.2)."""
    state[MOVER] += 1
    if state[MOVER] < state[SEATS]:
        return
    state[STAGE] = TURN
    tied = strongest_seats(state, 0, -1)
    state[MOVER] = _chosen_seat(tied, youngest=bool(state[TIE] == YOUNGEST))
    if state[TIE] == RANDOM and tied & (tied - 1) != 0:
        state[STAGE] = LOT
        state[TIED] = tied
        state[MOVER] = 0


@kernel
def _chosen_seat(seats: int, youngest: bool) -> int:
    """The lowest or the highest of some seats, given as bits."""
    seat = 0
    for candidate in range(6):
        if (seats >> candidate) & 1:
            seat = candidate
            if not youngest:
                break
    return seat


@kernel
def _return_aside(state: StateArray) -> None:
    """The tiles set aside go back into the bag, and the exchange is over (R4.4)."""
    while state[ASIDE] != 0:
        tile = take_tile(state, ASIDE, 0)
        state[BAG + tile - 1] += 1
        state[BAG_LEFT] += 1
    state[EXCHANGES] += 1
    state[PASSES] = 0
    state[LAST] = 0
    limit = int(state[LIMIT]) * int(state[SEATS])
    _next_turn(state, is_over=bool(state[EXCHANGES] >= limit))  # R7.4


@kernel
def chance(state: StateArray, out: FloatArray) -> None:
    """Every tile in the bag is as likely, and so is every lot."""
    total, count = 0, 0
    if state[STAGE] == LOT:
        for seat in range(int(state[SEATS])):
            total += (int(state[TIED]) >> seat) & 1
        for index in range(total):
            out[index] = 1.0 / total
        return
    for kind in range(KINDS):
        total += int(state[BAG + kind])  # In a concealed state more than the bag holds.
    for kind in range(KINDS):
        if state[BAG + kind] > 0:
            out[count] = int(state[BAG + kind]) / total
            count += 1


# ---- points -----------------------------------------------------------------------------------


@kernel
def points_of(state: StateArray, seat: int) -> int:
    """What a seat has scored."""
    return 100 * int(state[SCORES + 2 * seat]) + int(state[SCORES + 2 * seat + 1])


@kernel
def set_points(state: StateArray, seat: int, points: int) -> None:
    """Writes what a seat has scored."""
    state[SCORES + 2 * seat] = points // 100
    state[SCORES + 2 * seat + 1] = points % 100


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """Every loser pays 1 / (seats - 1), and those with the most points share it (R8.1, R8.2)."""
    seats = int(state[SEATS])
    best, winners = 0, 0
    for seat in range(seats):
        points = points_of(state, seat)
        if points > best:
            best, winners = points, 0
        winners += int(points == best)
    for seat in range(seats):
        if points_of(state, seat) == best:
            out[seat] = (seats - winners) / (winners * (seats - 1))
        else:
            out[seat] = -1.0 / (seats - 1)
