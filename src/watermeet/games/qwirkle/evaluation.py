"""The evaluation of Qwirkle states for search: values, priors and a rollout policy.

Actions are single tiles, but only whole turns score, so an action is as good as the best turn it
leads to. placements.py generates these at the start of a turn, continuations.py later on.
"""

from __future__ import annotations

import math

import numpy as np

from watermeet.core import portable_math
from watermeet.core.contract import ActionArray, FloatArray, RandomArray, StateArray
from watermeet.core.evaluation import NO_ACTION, Lines
from watermeet.core.kernel import Scratch, in_rows, kernel, scratch
from watermeet.core.rng import next_below
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.continuations import (
    COPY_SIZE,
    POINT,
    WORST,
    copy_hands_and_grid,
    place,
    rate_continuations,
    value_of_row,
)
from watermeet.games.qwirkle.exchanges import NO_SLOT, slot_to_trade
from watermeet.games.qwirkle.legal_actions import aside_count, list_first_tiles
from watermeet.games.qwirkle.placements import (
    BUFFER_COLUMNS,
    BUFFER_ROWS,
    ROW,
    Rows,
    lay_action,
    list_turns,
)
from watermeet.games.qwirkle.rules import apply, legal, points_of, to_move
from watermeet.games.qwirkle.tiles import add_tile, hand_size, take_tile

_BUFFER_SIZE = 2 * BUFFER_ROWS * BUFFER_COLUMNS  # In 4-byte words, for 8-byte integers.
_MAX_ROWS = 512  # Further turns are ignored; there are usually about 60.
_ROWS_SIZE = _MAX_ROWS * ROW // 2
_ONE_ROW_SIZE = ROW // 2
_RATES_SIZE = 32

_TURN_POINTS = 5.5
"""The average points of a turn."""
_SPREAD_BASE, _SPREAD_PER_TILE = 10.0, 9.0
"""The variance of the point difference over the rest of a match."""
_CERTAINTY = 0.98
_TEMPERATURE = 2.0 * POINT
"""A turn whose value is this much lower gets about a third of the prior."""
_DEFENSE_RANGE = 8 * POINT
"""Giveaways are only computed for turns within this range of the best."""
_TRADE_VALUE = 2 * POINT
_UNWISE = 0.05
_TRADES = 2
"""How many trades are proposed: of what isn't worth keeping, and of everything."""


# ---- evaluate -----------------------------------------------------------------------------------


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """A softmax of points, scaled by how much the remaining tiles can change."""
    seats = int(state[layout.SEATS])
    tiles = int(state[layout.BAG_LEFT])
    for seat in range(seats):
        tiles += hand_size(state, seat)
    spread = math.sqrt(_SPREAD_BASE + _SPREAD_PER_TILE * tiles) / 1.7
    most, total = -1e9, 0.0
    for seat in range(seats):
        out[seat] = _points_to_come(state, seat) / spread
        most = max(most, out[seat])
    for seat in range(seats):
        out[seat] = portable_math.exp(out[seat] - most)
        total += out[seat]
    for seat in range(seats):
        out[seat] = _CERTAINTY * (seats * out[seat] / total - 1.0) / (seats - 1.0)


@kernel
def _points_to_come(state: StateArray, seat: int) -> float:
    """A seat's points, plus its turn in progress and a share of an average turn for tempo."""
    seats, mover = int(state[layout.SEATS]), int(state[layout.MOVER])
    points = float(points_of(state, seat))
    turns_before = (seat - mover) % seats
    if state[layout.STAGE] != layout.TURN or state[layout.LAID] > 0 or aside_count(state) > 0:
        turns_before = (turns_before - 1) % seats
        if seat == mover and state[layout.STAGE] == layout.TURN and state[layout.LAID] > 0:
            points += _best_continuation(state) / POINT
    return points + _TURN_POINTS * (seats - 1 - turns_before) / seats


@kernel
def _best_continuation(state: StateArray) -> int:
    """The best value of the turn in progress."""
    actions, rates = scratch(_RATES_SIZE), scratch(_RATES_SIZE)
    count = legal(state, actions)
    rate_continuations(state, actions, count, False, rates)
    best = WORST
    for index in range(count):
        best = max(best, int(rates[index]))
    return best


# ---- priors -------------------------------------------------------------------------------------


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Rate each action by the best whole turn it leads to."""
    if aside_count(state) > 0:
        _trade_priors(state, actions, count, out, 1.0)
    elif state[layout.LAID] > 0:
        rates = scratch(_RATES_SIZE)
        rate_continuations(state, actions, count, True, rates)
        for index in range(count):
            out[index] = float(rates[index])
        _softmax(out, count)
    else:
        _opening_priors(state, actions, count, out)


@kernel
def _trade_priors(
    state: StateArray, actions: ActionArray, count: int, out: FloatArray, weight: float
) -> None:
    """Write the priors of trading, ending the turn and passing."""
    slot = slot_to_trade(state)
    wanted = layout.END if slot == NO_SLOT else layout.TRADE + slot
    for index in range(count):
        if actions[index] == layout.PASS:
            out[index] = 1.0
        elif actions[index] >= layout.TRADE:
            out[index] = weight if actions[index] == wanted else _UNWISE * weight


@kernel
def _opening_priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Write the priors of the first action of a turn."""
    tiles = 0
    while tiles < count and actions[tiles] < layout.TRADE:
        out[tiles] = float(WORST)
        tiles += 1
    best = _rate_openings(state, actions, tiles, out)
    if tiles > 0:
        _softmax(out, tiles)
    trade = portable_math.exp((_TRADE_VALUE - best) / _TEMPERATURE) if tiles > 0 else 1.0
    _trade_priors(state, actions, count, out, min(1.0, trade))


@kernel
def _rate_openings(state: StateArray, actions: ActionArray, tiles: int, out: FloatArray) -> int:
    """Write the value of the best turn that starts with each tile; return the best of all."""
    rows = in_rows(scratch(_ROWS_SIZE).view(np.int16), ROW)
    listed = _list_all(state, rows)
    most = 0
    for row in range(listed):
        most = max(most, POINT * int(rows[row, 0]))
    best = WORST
    for row in range(listed):
        if POINT * int(rows[row, 0]) < most - _DEFENSE_RANGE:
            value = POINT * int(rows[row, 0]) - _DEFENSE_RANGE
        else:
            value = value_of_row(state, rows, row, True)
        best = max(best, value)
        index = _find(actions, tiles, lay_action(state, rows, row, 0))
        out[index] = max(out[index], float(value))
    return best


@kernel
def _list_all(state: StateArray, rows: Rows) -> int:
    """List whole turns; return how many were written."""
    buffer = in_rows(scratch(_BUFFER_SIZE).view(np.int64), BUFFER_COLUMNS)
    rng = scratch(2).view(np.uint64)  # Not used when all turns are listed.
    return min(_MAX_ROWS, list_turns(state, buffer, rows, False, rng))


@kernel
def _find(actions: ActionArray, count: int, action: int) -> int:
    """The index of an action in a sorted list, by binary search."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _softmax(out: FloatArray, count: int) -> None:
    """Turn values into unnormalised priors."""
    best = float(WORST)
    for index in range(count):
        best = max(best, out[index])
    for index in range(count):
        out[index] = portable_math.exp(max(-50.0, (out[index] - best) / _TEMPERATURE))


# ---- rollout policy -----------------------------------------------------------------------------


@kernel
def rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Play greedily: the turn with the most points, tile by tile, breaking ties at random."""
    if aside_count(state) > 0:
        slot = slot_to_trade(state)
        return layout.END if slot == NO_SLOT else layout.TRADE + slot
    if state[layout.LAID] > 0:
        return _continue_turn(state, actions, rng)
    if state[layout.BAG_LEFT] > 0:
        return _open_turn(state, rng)
    return _open_last_turn(state, actions, rng)


@kernel
def _continue_turn(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Continue a placement."""
    rates = scratch(_RATES_SIZE)
    count = legal(state, actions)
    if count == 1:
        return int(actions[0])
    rate_continuations(state, actions, count, False, rates)
    return int(actions[_sample_best(rates, count, rng)])


@kernel
def _sample_best(rates: Scratch, count: int, rng: RandomArray) -> int:
    """The index of a random maximum."""
    best, equals = 0, 0
    for index in range(count):
        if rates[index] > rates[best]:
            equals = 0
        if rates[index] >= rates[best]:
            equals += 1
            if next_below(rng, equals) == 0:
                best = index
    return best


@kernel
def _open_turn(state: StateArray, rng: RandomArray) -> int:
    """Start a turn while the bag has tiles."""
    buffer = in_rows(scratch(_BUFFER_SIZE).view(np.int64), BUFFER_COLUMNS)
    rows = in_rows(scratch(_ONE_ROW_SIZE).view(np.int16), ROW)
    if list_turns(state, buffer, rows, True, rng) > 0:
        return lay_action(state, rows, 0, 0)
    return layout.TRADE + max(0, slot_to_trade(state))


@kernel
def _open_last_turn(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Start a turn when the bag is empty: the last tile scores a bonus."""
    if list_first_tiles(state, actions) == 0:
        return layout.PASS
    rows = in_rows(scratch(_ROWS_SIZE).view(np.int16), ROW)
    return lay_action(state, rows, _best_last_turn(state, rows, rng), 0)


@kernel
def _best_last_turn(state: StateArray, rows: Rows, rng: RandomArray) -> int:
    """List all turns; return the best row, counting the bonus, or -1 if there is none."""
    best, best_worth, equals = -1, WORST, 0
    for row in range(_list_all(state, rows)):
        value = value_of_row(state, rows, row, False)
        if value > best_worth:
            best_worth, equals = value, 0
        if value == best_worth:
            equals += 1
            if next_below(rng, equals) == 0:
                best = row
    return best


# ---- whole turns --------------------------------------------------------------------------------


@kernel
def rollout_turn(state: StateArray, actions: ActionArray, rng: RandomArray) -> None:
    """Play greedily, as ``rollout_policy`` does, but find the turn only once."""
    mover = to_move(state)
    if state[layout.LAID] == 0 and aside_count(state) == 0:
        if state[layout.BAG_LEFT] > 0:
            buffer = in_rows(scratch(_BUFFER_SIZE).view(np.int64), BUFFER_COLUMNS)
            one_row = in_rows(scratch(_ONE_ROW_SIZE).view(np.int16), ROW)
            if list_turns(state, buffer, one_row, True, rng) > 0:
                _play_row(state, one_row, 0)
                return
        else:
            rows = in_rows(scratch(_ROWS_SIZE).view(np.int16), ROW)
            row = _best_last_turn(state, rows, rng)
            if row < 0:
                apply(state, layout.PASS)
            else:
                _play_row(state, rows, row)
            return
    while to_move(state) == mover:
        apply(state, rollout_policy(state, actions, rng))


@kernel
def _play_row(state: StateArray, rows: Rows, row: int) -> None:
    """Play a whole turn."""
    for index in range(int(rows[row, 1])):
        apply(state, lay_action(state, rows, row, index))
    apply(state, layout.END)


@kernel
def propose_turns(state: StateArray, lines: Lines, weights: FloatArray) -> int:
    """The placements of the most value, and trades; within a turn, leave it to the search."""
    if state[layout.LAID] > 0 or aside_count(state) > 0:
        return 0
    rows = in_rows(scratch(_ROWS_SIZE).view(np.int16), ROW)
    values, chosen = scratch(_MAX_ROWS), scratch(_MAX_ROWS)
    listed, count = _list_all(state, rows), 0
    for row in range(listed):
        if state[layout.COUNT] == 0 and not _is_ascending(rows, row):
            continue  # In the first turn, one of all orders and directions is enough.
        value = value_of_row(state, rows, row, True)
        place_of = count
        while place_of > 0 and values[place_of - 1] < value:
            values[place_of], chosen[place_of] = values[place_of - 1], chosen[place_of - 1]
            place_of -= 1
        values[place_of], chosen[place_of] = value, row
        count += 1
    best = int(values[0]) if count > 0 else _TRADE_VALUE
    trades = min(_TRADES, len(lines)) if _may_trade(state) else 0
    count = min(count, len(lines) - trades)
    for index in range(count):
        _write_row(state, rows, int(chosen[index]), lines[index])
        weights[index] = portable_math.exp(max(-50.0, (values[index] - best) / _TEMPERATURE))
    for everything in range(trades):
        _write_trade(state, everything == 1, lines[count])
        weights[count] = portable_math.exp(max(-50.0, (_TRADE_VALUE - best) / _TEMPERATURE))
        count += int(everything == 0 or not _is_same(lines[count - 1], lines[count]))
    if count == 0:
        lines[0, 0], lines[0, 1], weights[0] = layout.PASS, NO_ACTION, 1.0
        return 1
    return count


@kernel
def _may_trade(state: StateArray) -> bool:
    return bool(state[layout.BAG_LEFT] > 0 and state[layout.COUNT] > 0)


@kernel
def _is_ascending(rows: Rows, row: int) -> bool:
    """Whether a first turn lies in a row, with its tiles in order of kind."""
    for index in range(1, int(rows[row, 1])):
        if rows[row, 3 + 3 * index] != 0 or rows[row, 4 + 3 * index] < rows[row, 1 + 3 * index]:
            return False
    return True


@kernel
def _write_row(state: StateArray, rows: Rows, row: int, line: ActionArray) -> None:
    """Write the actions of a placement."""
    copy = scratch(COPY_SIZE).view(np.int8)
    copy_hands_and_grid(state, copy)
    tiles = int(rows[row, 1])
    for index in range(tiles):
        line[index] = lay_action(copy, rows, row, index)
        place(copy, int(line[index]))
    line[tiles] = layout.END
    if tiles + 1 < len(line):
        line[tiles + 1] = NO_ACTION


@kernel
def _write_trade(state: StateArray, everything: bool, line: ActionArray) -> None:
    """Write the actions of a trade: of all tiles, or of those that aren't worth keeping."""
    copy = scratch(COPY_SIZE).view(np.int8)
    copy_hands_and_grid(state, copy)
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    most = min(hand_size(state, int(state[layout.MOVER])), int(state[layout.BAG_LEFT]))
    length = 0
    while length < most:
        slot = 0 if everything else slot_to_trade(copy)
        if slot == NO_SLOT:
            break
        line[length] = layout.TRADE + slot
        add_tile(copy, layout.ASIDE, take_tile(copy, hand, slot))
        length += 1
    line[length] = layout.END
    if length + 1 < len(line):
        line[length + 1] = NO_ACTION


@kernel
def _is_same(line: ActionArray, other: ActionArray) -> bool:
    """Whether two turns are the same."""
    for index in range(len(line)):
        if line[index] != other[index]:
            return False
        if line[index] == NO_ACTION:
            break
    return True
