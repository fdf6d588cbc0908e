"""The legal actions by kind: chance outcomes, placements, trades and the end of a turn."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.anchors import anchor_cell, anchor_count, anchor_fits, anchor_kinds
from watermeet.games.qwirkle.grid import cell_number, fitting_cell, is_column_turn, run_length
from watermeet.games.qwirkle.tiles import hand_kinds, is_part_of_largest, largest_set


@kernel
def list_chance(state: StateArray, out: ActionArray) -> int:
    """List the chance outcomes: tied seats or tiles in the bag; none when the match is over."""
    count = 0
    if state[layout.STAGE] == layout.TIEBREAK:
        for seat in range(int(state[layout.SEATS])):
            if (int(state[layout.TIED]) >> seat) & 1:
                out[count] = layout.FIRST_SEAT + seat
                count += 1
    elif state[layout.STAGE] != layout.FINISHED:
        for kind in range(layout.KINDS):
            if state[layout.BAG + kind] > 0:
                out[count] = layout.DRAW + kind
                count += 1
    return count


@kernel
def list_end(out: ActionArray, count: int) -> int:
    """Append the end of the turn."""
    out[count] = layout.END
    return count + 1


@kernel
def is_new_tile(state: StateArray, first: int, slot: int) -> bool:
    """Whether a slot holds a known tile that no earlier slot holds too."""
    tile = state[first + slot]
    return bool(tile > 0 and (slot == 0 or state[first + slot - 1] != tile))


@kernel
def list_first_tiles(state: StateArray, out: ActionArray) -> int:
    """List the placements that can open a turn (R5.1, R5.3)."""
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    count = 0
    if state[layout.COUNT] == 0:
        for slot in range(layout.HAND):
            if is_new_tile(state, hand, slot) and may_open_with(state, int(state[hand + slot]) - 1):
                out[count] = slot
                count += 1
        return count
    kinds = hand_kinds(state, int(state[layout.MOVER]))
    for index in range(anchor_count(state)):
        if anchor_kinds(state, index) & kinds == 0:
            continue
        action = layout.SLOTS * anchor_cell(state, index)
        for slot in range(layout.HAND):
            tile = int(state[hand + slot])
            if is_new_tile(state, hand, slot) and anchor_fits(state, index, tile - 1):
                out[count] = action + slot
                count += 1
    return count


@kernel
def list_further_tiles(state: StateArray, out: ActionArray) -> int:
    """List the placements that continue the line of this turn (R5.1)."""
    last = int(state[layout.COUNT]) - 1
    x, y = int(state[layout.XS + last]), int(state[layout.YS + last])
    first_direction, step = 0, 1
    if state[layout.LAID] > 1:
        first_direction, step = (1 if is_column_turn(state) else 0), 2
    count = 0
    for direction in range(first_direction, 4, step):
        step_x, step_y = layout.STEP_X[direction], layout.STEP_Y[direction]
        distance = run_length(state, x, y, step_x, step_y) + 1
        count = _list_cell(state, x + step_x * distance, y + step_y * distance, out, count)
    return count


@kernel
def _list_cell(state: StateArray, x: int, y: int, out: ActionArray, count: int) -> int:
    """Insert the placements on a cell into a short sorted list of actions."""
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    action = layout.SLOTS * cell_number(state, x, y)
    fits = fitting_cell(state, x, y)
    for slot in range(layout.HAND):
        kind = int(state[hand + slot]) - 1
        if is_new_tile(state, hand, slot) and (fits >> kind) & 1 and may_open_with(state, kind):
            index = count
            while index > 0 and out[index - 1] > action + slot:
                out[index] = out[index - 1]
                index -= 1
            out[index] = action + slot
            count += 1
    return count


@kernel
def list_trades(state: StateArray, out: ActionArray, count: int) -> int:
    """Append the tiles that can be set aside, no more than the bag can replace (R4.3)."""
    aside = aside_count(state)
    if state[layout.COUNT] == 0 or aside >= state[layout.BAG_LEFT]:
        return count
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    least = int(state[layout.ASIDE + aside - 1]) if aside > 0 else 0
    for slot in range(layout.HAND):
        if is_new_tile(state, hand, slot) and state[hand + slot] >= least:
            out[count] = layout.TRADE + slot
            count += 1
    return count


@kernel
def aside_count(state: StateArray) -> int:
    """The number of tiles set aside, known or not."""
    count = 0
    while count < layout.HAND and state[layout.ASIDE + count] != 0:
        count += 1
    return count


@kernel
def laid_kinds(state: StateArray) -> int:
    """The kinds placed in this turn, as a bit set."""
    kinds = 0
    for tile in range(int(state[layout.COUNT]) - int(state[layout.LAID]), int(state[layout.COUNT])):
        kinds |= 1 << (int(state[layout.TILES + tile]) - 1)
    return kinds


@kernel
def must_play_full_set(state: StateArray) -> bool:
    """Whether this turn must place a whole largest set (R9.1)."""
    return bool(state[layout.FULL] != 0 and state[layout.COUNT] == state[layout.LAID])


@kernel
def may_open_with(state: StateArray, kind: int) -> bool:
    """Whether R9.1 allows placing this kind now."""
    if not must_play_full_set(state):
        return True
    laid = laid_kinds(state)
    kinds = hand_kinds(state, int(state[layout.MOVER])) | laid
    return is_part_of_largest(laid | (1 << kind), kinds)


@kernel
def may_end(state: StateArray) -> bool:
    """Whether enough tiles are placed to end the turn (R4.2, R9.1)."""
    if not must_play_full_set(state):
        return True
    kinds = hand_kinds(state, int(state[layout.MOVER])) | laid_kinds(state)
    return bool(state[layout.LAID] == largest_set(kinds))
