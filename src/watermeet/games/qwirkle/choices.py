"""What a seat can choose in its turn: the lists that the kernel ``legal`` is made of."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle.frontier import entry_cell, entry_fits, live_count
from watermeet.games.qwirkle.grid import cell_number, fitting_cell, is_column_turn, reach
from watermeet.games.qwirkle.layout import (
    ASIDE,
    BAG,
    BAG_LEFT,
    COUNT,
    DRAW,
    END,
    FINISHED,
    FULL,
    HAND,
    HANDS,
    KINDS,
    LAID,
    LOT,
    LOTS,
    MOVER,
    PLACES,
    SEATS,
    STAGE,
    STEP_X,
    STEP_Y,
    TIED,
    TILES,
    TRADE,
    XS,
    YS,
)
from watermeet.games.qwirkle.tiles import hand_kinds, is_part_of_largest, largest_set


@kernel
def list_chance(state: StateArray, out: ActionArray) -> int:
    """The lots or the tiles that can be drawn; none when the match is over."""
    count = 0
    if state[STAGE] == LOT:
        for seat in range(int(state[SEATS])):
            if (int(state[TIED]) >> seat) & 1:
                out[count] = LOTS + seat
                count += 1
    elif state[STAGE] != FINISHED:
        for kind in range(KINDS):
            if state[BAG + kind] > 0:
                out[count] = DRAW + kind
                count += 1
    return count


@kernel
def list_end(out: ActionArray, count: int) -> int:
    """Adds the end of the turn."""
    out[count] = END
    return count + 1


@kernel
def is_new_tile(state: StateArray, first: int, place: int) -> bool:
    """Whether a known tile is at this place of a hand, and none equal before it."""
    tile = state[first + place]
    return bool(tile > 0 and (place == 0 or state[first + place - 1] != tile))


@kernel
def list_first_tiles(state: StateArray, out: ActionArray) -> int:
    """The tiles that can open a turn (R5.1, R5.3)."""
    hand = HANDS + HAND * int(state[MOVER])
    count = 0
    if state[COUNT] == 0:
        for place in range(HAND):
            if is_new_tile(state, hand, place) and may_begin(state, int(state[hand + place]) - 1):
                out[count] = place
                count += 1
        return count
    for index in range(live_count(state)):
        action = PLACES * entry_cell(state, index)
        for place in range(HAND):
            tile = int(state[hand + place])
            if is_new_tile(state, hand, place) and entry_fits(state, index, tile - 1):
                out[count] = action + place
                count += 1
    return count


@kernel
def list_further_tiles(state: StateArray, out: ActionArray) -> int:
    """The tiles that can follow in the line of those laid in this turn (R5.1)."""
    last = int(state[COUNT]) - 1
    x, y = int(state[XS + last]), int(state[YS + last])
    first_direction, step = 0, 1
    if state[LAID] > 1:
        first_direction, step = (1 if is_column_turn(state) else 0), 2
    count = 0
    for direction in range(first_direction, 4, step):
        step_x, step_y = STEP_X[direction], STEP_Y[direction]
        distance = reach(state, x, y, step_x, step_y) + 1
        count = _list_cell(state, x + step_x * distance, y + step_y * distance, out, count)
    return count


@kernel
def _list_cell(state: StateArray, x: int, y: int, out: ActionArray, count: int) -> int:
    """Adds the tiles that fit a cell, in order, to a short list of actions."""
    hand = HANDS + HAND * int(state[MOVER])
    action = PLACES * cell_number(state, x, y)
    fits = fitting_cell(state, x, y)
    for place in range(HAND):
        kind = int(state[hand + place]) - 1
        if is_new_tile(state, hand, place) and (fits >> kind) & 1 and may_begin(state, kind):
            index = count
            while index > 0 and out[index - 1] > action + place:
                out[index] = out[index - 1]
                index -= 1
            out[index] = action + place
            count += 1
    return count


@kernel
def list_trades(state: StateArray, out: ActionArray, count: int) -> int:
    """The tiles that can be set aside, ascending, no more than the bag can replace (R4.3)."""
    aside = aside_count(state)
    if state[COUNT] == 0 or aside >= state[BAG_LEFT]:
        return count
    hand = HANDS + HAND * int(state[MOVER])
    least = int(state[ASIDE + aside - 1]) if aside > 0 else 0
    for place in range(HAND):
        if is_new_tile(state, hand, place) and state[hand + place] >= least:
            out[count] = TRADE + place
            count += 1
    return count


@kernel
def aside_count(state: StateArray) -> int:
    """How many tiles are set aside, known or not."""
    count = 0
    while count < HAND and state[ASIDE + count] != 0:
        count += 1
    return count


@kernel
def laid_kinds(state: StateArray) -> int:
    """The kinds laid in this turn."""
    kinds = 0
    for tile in range(int(state[COUNT]) - int(state[LAID]), int(state[COUNT])):
        kinds |= 1 << (int(state[TILES + tile]) - 1)
    return kinds


@kernel
def is_full_turn(state: StateArray) -> bool:
    """Whether this turn must lay a whole largest set: the first one, by the option (R9.1)."""
    return bool(state[FULL] != 0 and state[COUNT] == state[LAID])


@kernel
def may_begin(state: StateArray, kind: int) -> bool:
    """Whether a tile may be laid for the sake of R9.1."""
    if not is_full_turn(state):
        return True
    laid = laid_kinds(state)
    kinds = hand_kinds(state, int(state[MOVER])) | laid
    return is_part_of_largest(laid | (1 << kind), kinds)


@kernel
def may_end(state: StateArray) -> bool:
    """Whether enough tiles are laid to end the turn (R4.2, R9.1)."""
    if not is_full_turn(state):
        return True
    kinds = hand_kinds(state, int(state[MOVER])) | laid_kinds(state)
    return bool(state[LAID] == largest_set(kinds))
