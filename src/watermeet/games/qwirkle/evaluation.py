"""How bots judge states of Qwirkle: what points are worth, and which whole turn an action begins.

Actions are single tiles, but only whole turns score. So an action is as good as the best turn that
it leads to: at the beginning of a turn those are listed by placements.py, later by rests.py.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import ActionArray, FloatArray, RandomArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.core.rng import next_below
from watermeet.games.qwirkle.choices import aside_count, list_first_tiles
from watermeet.games.qwirkle.exchanges import NO_PLACE, place_to_trade
from watermeet.games.qwirkle.layout import (
    BAG_LEFT,
    END,
    LAID,
    MOVER,
    PASS,
    SEATS,
    STAGE,
    TRADE,
    TURN,
)
from watermeet.games.qwirkle.placements import (
    ROOM_COLUMNS,
    ROOM_ROWS,
    ROW,
    Rows,
    lay_action,
    list_turns,
)
from watermeet.games.qwirkle.rests import NEVER, POINT, rate_rests, worth_of_row
from watermeet.games.qwirkle.rules import legal, points_of
from watermeet.games.qwirkle.tiles import hand_size

_ROOM_SIZE = 2 * ROOM_ROWS * ROOM_COLUMNS  # In words of four bytes; it holds words of eight.
_MOST_ROWS = 512  # Turns beyond these are overlooked; there are some 60 as a rule.
_ROWS_SIZE = _MOST_ROWS * ROW // 2
_ONE_ROW_SIZE = ROW // 2
_RATES_SIZE = 32

_TURN_POINTS = 5.5
"""What a turn brings on average."""
_SPREAD_BASE, _SPREAD_PER_TILE = 10.0, 9.0
"""By so much, squared, the points of the rest of a match differ between two seats."""
_CERTAINTY = 0.98
_TEMPERATURE = 2.0 * POINT
"""A turn that is worth less by so much weighs a third."""
_CARE_RANGE = 8 * POINT
"""Only turns that score this much less than the best are looked at with care."""
_TRADE_WORTH = 2 * POINT
_UNWISE = 0.05


# ---- evaluate -----------------------------------------------------------------------------------


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """By points, those of the turn at hand included, and by how many tiles may change them yet."""
    seats = int(state[SEATS])
    tiles = int(state[BAG_LEFT])
    for seat in range(seats):
        tiles += hand_size(state, seat)
    spread = np.sqrt(_SPREAD_BASE + _SPREAD_PER_TILE * tiles) / 1.7
    most, total = -1e9, 0.0
    for seat in range(seats):
        out[seat] = _points_to_come(state, seat) / spread
        most = max(most, out[seat])
    for seat in range(seats):
        out[seat] = np.exp(out[seat] - most)
        total += out[seat]
    for seat in range(seats):
        out[seat] = _CERTAINTY * (seats * out[seat] / total - 1.0) / (seats - 1.0)


@kernel
def _points_to_come(state: StateArray, seat: int) -> float:
    """A seat's points, with the turn that it has begun and an average one for who moves sooner."""
    seats, mover = int(state[SEATS]), int(state[MOVER])
    points = float(points_of(state, seat))
    turns_before = (seat - mover) % seats
    if state[STAGE] != TURN or state[LAID] > 0 or aside_count(state) > 0:
        turns_before = (turns_before - 1) % seats
        if seat == mover and state[STAGE] == TURN and state[LAID] > 0:
            points += _best_rest(state) / POINT
    return points + _TURN_POINTS * (seats - 1 - turns_before) / seats


@kernel
def _best_rest(state: StateArray) -> int:
    """What the turn that has begun is worth at best."""
    actions, rates = scratch(_RATES_SIZE), scratch(_RATES_SIZE)
    count = legal(state, actions)
    rate_rests(state, actions, count, False, rates)
    best = NEVER
    for place in range(count):
        best = max(best, int(rates[place]))
    return best


# ---- weigh --------------------------------------------------------------------------------------


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """By the best whole turn that begins with an action; of several orders one is enough."""
    if aside_count(state) > 0:
        _weigh_trades(state, actions, count, out, 1.0)
    elif state[LAID] > 0:
        rates = scratch(_RATES_SIZE)
        rate_rests(state, actions, count, True, rates)
        for place in range(count):
            out[place] = float(rates[place])
        _soften(out, count)
    else:
        _weigh_first(state, actions, count, out)


@kernel
def _weigh_trades(
    state: StateArray, actions: ActionArray, count: int, out: FloatArray, weight: float
) -> None:
    """Writes the weights of setting tiles aside, and of ending or passing."""
    wish = place_to_trade(state)
    wanted = END if wish == NO_PLACE else TRADE + wish
    for place in range(count):
        if actions[place] == PASS:
            out[place] = 1.0
        elif actions[place] >= TRADE:
            out[place] = weight if actions[place] == wanted else _UNWISE * weight


@kernel
def _weigh_first(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Weighs the beginnings of turns."""
    tiles = 0
    while tiles < count and actions[tiles] < TRADE:
        out[tiles] = float(NEVER)
        tiles += 1
    best = _rate_first(state, actions, tiles, out)
    if tiles > 0:
        _soften(out, tiles)
    trade = np.exp((_TRADE_WORTH - best) / _TEMPERATURE) if tiles > 0 else 1.0
    _weigh_trades(state, actions, count, out, min(1.0, trade))


@kernel
def _rate_first(state: StateArray, actions: ActionArray, tiles: int, out: FloatArray) -> int:
    """Writes the worth of the best turn that begins with each tile; returns the best of all."""
    rows = scratch(_ROWS_SIZE).view(np.int16).reshape(_MOST_ROWS, ROW)
    listed = _list_all(state, rows)
    most = 0
    for row in range(listed):
        most = max(most, POINT * int(rows[row, 0]))
    best = NEVER
    for row in range(listed):
        if POINT * int(rows[row, 0]) < most - _CARE_RANGE:
            worth = POINT * int(rows[row, 0]) - _CARE_RANGE
        else:
            worth = worth_of_row(state, rows, row, True)
        best = max(best, worth)
        place = _find(actions, tiles, lay_action(state, rows, row, 0))
        out[place] = max(out[place], float(worth))
    return best


@kernel
def _list_all(state: StateArray, rows: Rows) -> int:
    """Lists whole turns; returns how many found room."""
    room = scratch(_ROOM_SIZE).view(np.int64).reshape(ROOM_ROWS, ROOM_COLUMNS)
    nobody = scratch(2).view(np.uint64)  # Chance has no say where all turns are listed.
    return min(_MOST_ROWS, list_turns(state, room, rows, False, nobody))


@kernel
def _find(actions: ActionArray, count: int, action: int) -> int:
    """Where an action is in a list that ascends."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _soften(out: FloatArray, count: int) -> None:
    """Makes weights of worths."""
    best = float(NEVER)
    for place in range(count):
        best = max(best, out[place])
    for place in range(count):
        out[place] = np.exp(max(-50.0, (out[place] - best) / _TEMPERATURE))


# ---- pick ---------------------------------------------------------------------------------------


@kernel
def rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Plays greedily: the turn with the most points, tile by tile; ties by lot."""
    if aside_count(state) > 0:
        wish = place_to_trade(state)
        return END if wish == NO_PLACE else TRADE + wish
    if state[LAID] > 0:
        return _pick_rest(state, actions, rng)
    if state[BAG_LEFT] > 0:
        return _pick_first(state, rng)
    return _pick_last(state, actions, rng)


@kernel
def _pick_rest(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Goes on with a placement."""
    rates = scratch(_RATES_SIZE)
    count = legal(state, actions)
    if count == 1:
        return int(actions[0])
    rate_rests(state, actions, count, False, rates)
    return int(actions[_draw_best(rates, count, rng)])


@kernel
def _draw_best(rates: Scratch, count: int, rng: RandomArray) -> int:
    """One of the largest numbers, each as likely."""
    best, equals = 0, 0
    for place in range(count):
        if rates[place] > rates[best]:
            equals = 0
        if rates[place] >= rates[best]:
            equals += 1
            if next_below(rng, equals) == 0:
                best = place
    return best


@kernel
def _pick_first(state: StateArray, rng: RandomArray) -> int:
    """Begins a turn while there are tiles in the bag."""
    room = scratch(_ROOM_SIZE).view(np.int64).reshape(ROOM_ROWS, ROOM_COLUMNS)
    rows = scratch(_ONE_ROW_SIZE).view(np.int16).reshape(1, ROW)
    if list_turns(state, room, rows, True, rng) > 0:
        return lay_action(state, rows, 0, 0)
    return TRADE + max(0, place_to_trade(state))


@kernel
def _pick_last(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Begins a turn when the bag is empty: laying the last tile brings points too."""
    if list_first_tiles(state, actions) == 0:
        return PASS
    rows = scratch(_ROWS_SIZE).view(np.int16).reshape(_MOST_ROWS, ROW)
    best, best_worth, equals = 0, NEVER, 0
    for row in range(_list_all(state, rows)):
        worth = worth_of_row(state, rows, row, False)
        if worth > best_worth:
            best_worth, equals = worth, 0
        if worth == best_worth:
            equals += 1
            if next_below(rng, equals) == 0:
                best = row
    return lay_action(state, rows, best, 0)
