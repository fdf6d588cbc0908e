"""The rules of Qwirkle as kernels. Paragraph numbers (R2.1 ...) refer to RULES.md.

layout.py describes the state array and the actions. tiles.py knows sets of tiles, grid.py tiles on
the grid, anchors.py the cells next to them, legal_actions.py what a seat may do, and hidden.py what
seats can't see of each other.
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
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.anchors import rebuild_anchors, remove_anchor, update_anchors
from watermeet.games.qwirkle.grid import cell_number, cell_x, cell_y, laid_points, lay_tile
from watermeet.games.qwirkle.hidden import conceal, resample
from watermeet.games.qwirkle.legal_actions import (
    aside_count,
    list_chance,
    list_end,
    list_first_tiles,
    list_further_tiles,
    list_trades,
    may_end,
)
from watermeet.games.qwirkle.tiles import add_tile, hand_size, seats_with_largest_set, take_tile

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
    """Put all tiles into the bag; the hands are still empty."""
    state[layout.SEATS] = options.seats
    state[layout.TIE] = options.tie
    state[layout.FULL] = options.first_play_full
    state[layout.LIMIT] = options.exchange_limit
    state[layout.STAGE] = layout.DEAL
    state[layout.BAG_LEFT] = layout.TILE_COUNT
    for kind in range(layout.KINDS):
        state[layout.BAG + kind] = layout.COPIES  # R1.2


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Rebuild the cache from the tiles on the grid."""
    rebuild_anchors(state)


@kernel
def to_move(state: StateArray) -> int:
    """The seat to move; CHANCE while tiles are drawn or a tie is broken."""
    if state[layout.STAGE] == layout.TURN:
        return int(state[layout.MOVER])
    return OVER if state[layout.STAGE] == layout.FINISHED else CHANCE


# ---- legal actions ----------------------------------------------------------------------------


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """List the legal actions, ascending; at CHANCE the possible outcomes."""
    if state[layout.STAGE] != layout.TURN:
        return list_chance(state, out)
    if aside_count(state) > 0:
        return list_end(out, list_trades(state, out, 0))
    if state[layout.LAID] > 0:
        count = list_further_tiles(state, out)
        if count == 0 or may_end(state):
            return list_end(out, count)
        return count
    count = list_first_tiles(state, out)
    if state[layout.BAG_LEFT] > 0:
        return list_trades(state, out, count)
    if count == 0:
        out[0] = layout.PASS  # R4.5
        return 1
    return count


# ---- playing ----------------------------------------------------------------------------------


@kernel
def apply(state: StateArray, action: int) -> None:
    """Place or set aside a tile, end the turn, pass, or apply a chance outcome."""
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    if action < layout.TRADE:
        number = action // layout.SLOTS
        tile = take_tile(state, hand, action % layout.SLOTS)
        _place_tile(state, cell_x(state, number), cell_y(state, number), tile - 1)
    elif action < layout.END:
        add_tile(state, layout.ASIDE, take_tile(state, hand, action - layout.TRADE))
    elif action == layout.END:
        _end_turn(state)
    elif action == layout.PASS:
        state[layout.PASSES] += 1
        state[layout.LAST] = 0
        _next_turn(state, is_over=bool(state[layout.PASSES] == state[layout.SEATS]))  # R7.3
    elif action < layout.FIRST_SEAT:
        _draw_tile(state, action - layout.DRAW)
    else:
        state[layout.MOVER] = action - layout.FIRST_SEAT  # R3.2
        state[layout.STAGE] = layout.TURN


@kernel
def _place_tile(state: StateArray, x: int, y: int, kind: int) -> None:
    """Place a tile that was taken from the hand."""
    remove_anchor(state, cell_number(state, x, y))
    lay_tile(state, x, y, kind)


@kernel
def _end_turn(state: StateArray) -> None:
    """Score a placement, or start replacing the tiles that were set aside."""
    if state[layout.LAID] == 0:
        state[layout.STAGE] = layout.REPLACE  # R4.4
        return
    mover = int(state[layout.MOVER])
    empty_handed = state[layout.BAG_LEFT] == 0 and hand_size(state, mover) == 0
    points = laid_points(state) + (layout.BONUS if empty_handed else 0)  # R7.2
    set_points(state, mover, points_of(state, mover) + points)
    update_anchors(state)
    state[layout.LAST] = state[layout.LAID]
    state[layout.LAID] = 0
    state[layout.PASSES] = 0
    state[layout.EXCHANGES] = 0
    state[layout.TIED] = 0
    if state[layout.BAG_LEFT] > 0:
        state[layout.STAGE] = layout.REFILL  # R4.6
    else:
        _next_turn(state, is_over=empty_handed)  # R7.1


@kernel
def _next_turn(state: StateArray, is_over: bool) -> None:
    if is_over:
        state[layout.STAGE] = layout.FINISHED
        return
    state[layout.STAGE] = layout.TURN
    state[layout.MOVER] = (int(state[layout.MOVER]) + 1) % int(state[layout.SEATS])  # R3.3


@kernel
def _draw_tile(state: StateArray, kind: int) -> None:
    """Move a tile from the bag to the mover's hand."""
    mover = int(state[layout.MOVER])
    state[layout.BAG + kind] -= 1
    state[layout.BAG_LEFT] -= 1
    add_tile(state, layout.HANDS + layout.HAND * mover, kind + 1)
    is_full = hand_size(state, mover) == layout.HAND
    if state[layout.STAGE] == layout.DEAL:
        if is_full:
            _deal_to_next(state)
    elif state[layout.STAGE] == layout.REPLACE:
        if is_full:
            _return_aside(state)
    elif is_full or state[layout.BAG_LEFT] == 0:
        _next_turn(state, is_over=False)


@kernel
def _deal_to_next(state: StateArray) -> None:
    """Continue with the next hand, or after the last one determine who begins (R3.1, R3.2)."""
    state[layout.MOVER] += 1
    if state[layout.MOVER] < state[layout.SEATS]:
        return
    state[layout.STAGE] = layout.TURN
    tied = seats_with_largest_set(state, 0, -1)
    state[layout.MOVER] = _chosen_seat(tied, youngest=bool(state[layout.TIE] == layout.YOUNGEST))
    if state[layout.TIE] == layout.RANDOM and tied & (tied - 1) != 0:
        state[layout.STAGE] = layout.TIEBREAK
        state[layout.TIED] = tied
        state[layout.MOVER] = 0


@kernel
def _chosen_seat(seats: int, youngest: bool) -> int:
    """The lowest or highest seat of a bit mask."""
    seat = 0
    for candidate in range(6):
        if (seats >> candidate) & 1:
            seat = candidate
            if not youngest:
                break
    return seat


@kernel
def _return_aside(state: StateArray) -> None:
    """Return the tiles set aside to the bag, which ends the trade (R4.4)."""
    while state[layout.ASIDE] != 0:
        tile = take_tile(state, layout.ASIDE, 0)
        state[layout.BAG + tile - 1] += 1
        state[layout.BAG_LEFT] += 1
    state[layout.EXCHANGES] += 1
    state[layout.PASSES] = 0
    state[layout.LAST] = 0
    limit = int(state[layout.LIMIT]) * int(state[layout.SEATS])
    _next_turn(state, is_over=bool(state[layout.EXCHANGES] >= limit))  # R7.4


@kernel
def chance(state: StateArray, out: FloatArray) -> None:
    """Every tile in the bag is equally likely, and so is every tied seat."""
    total, count = 0, 0
    if state[layout.STAGE] == layout.TIEBREAK:
        for seat in range(int(state[layout.SEATS])):
            total += (int(state[layout.TIED]) >> seat) & 1
        for index in range(total):
            out[index] = 1.0 / total
        return
    for kind in range(layout.KINDS):
        total += int(state[layout.BAG + kind])  # In a concealed state, all unseen tiles.
    for kind in range(layout.KINDS):
        if state[layout.BAG + kind] > 0:
            out[count] = int(state[layout.BAG + kind]) / total
            count += 1


# ---- points -----------------------------------------------------------------------------------


@kernel
def points_of(state: StateArray, seat: int) -> int:
    """The points of a seat."""
    return 100 * int(state[layout.SCORES + 2 * seat]) + int(state[layout.SCORES + 2 * seat + 1])


@kernel
def set_points(state: StateArray, seat: int, points: int) -> None:
    """Set the points of a seat."""
    state[layout.SCORES + 2 * seat] = points // 100
    state[layout.SCORES + 2 * seat + 1] = points % 100


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """Every loser pays 1 / (seats - 1), shared by the seats with the most points (R8.1, R8.2)."""
    seats = int(state[layout.SEATS])
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
