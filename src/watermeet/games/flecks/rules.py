"""The rules of Flecks as kernels. Paragraph numbers (R3.1 ...) refer to RULES.md.

The state array is described in layout.py, the board and its edge in board.py. Connectivity isn't
stored: ``is_connected`` walks along the outline of a colour's first border, which takes no memory,
and ``joins_groups`` rules out most stones in a few steps before that.

Actions, where n is the side and N the number of cells (numbered by rows from the top, see
watermeet.core.hexgrid):

    0 ... N - 1                               a stone on that cell
    N + (rear * 6 + direction) * (n - 1) + d  the row from ``rear`` to its front moves d + 1 steps
    the last                                  stop: move no row

No two row moves lead to the same position (R5.8), and no row moves more than n - 1 steps.
"""

from __future__ import annotations

from typing import NamedTuple

from watermeet.core.contract import (
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
)
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_below
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import (
    BLUE,
    COLOUR_BITS,
    EDGE,
    EMPTY_BOARD,
    FAR,
    FREE,
    OFFSET_OF,
    RED,
    STEP,
    TRACE_START,
)

NONE = -1
MAX_ATTEMPTS = 300
"""How often ``sample_action`` proposes an action before it lists the legal ones."""


class Options(NamedTuple):
    """The declared options, as integers."""

    size: int
    border: int
    must_place: int
    new_stone_fixed: int
    win_at_end_only: int


@kernel
def setup(state: StateArray, options: Options) -> None:
    """Set up the empty board."""
    side = options.size
    state[layout.SIDE] = side
    state[layout.BORDER] = options.border
    state[layout.MUST_PLACE] = options.must_place
    state[layout.NEW_FIXED] = options.new_stone_fixed
    state[layout.WIN_AT_END] = options.win_at_end_only
    state[layout.COLOUR] = RED  # R3.1
    state[layout.OPENING] = opening_stones(side)
    for index in range((2 * side + 1) * (2 * side + 1)):
        state[layout.CELLS + index] = EMPTY_BOARD[options.border, side, index]


@kernel
def opening_stones(side: int) -> int:
    """The number of stones both players together place in the opening (R3.1)."""
    return 2 * (side - 3)


@kernel
def cell_count(side: int) -> int:
    """The number of cells on the board."""
    return 3 * side * (side - 1) + 1


@kernel
def stop_action(side: int) -> int:
    """The action that ends a turn without a row move."""
    return cell_count(side) * (1 + 6 * (side - 1))


@kernel
def to_move(state: StateArray) -> int:
    """The seat to move: 0 for Red, 1 for Blue (R1.2)."""
    if state[layout.WINNER] != FREE:
        return OVER
    return int(state[layout.COLOUR] == BLUE)


# ---- adding stones ----------------------------------------------------------------------------


@kernel
def touches(state: StateArray, offset: int, content: int) -> bool:
    """Whether a neighbour of a cell holds ``content``: a colour's stone, or FREE."""
    stride = 2 * int(state[layout.SIDE]) + 1
    return bool(
        state[offset - 1] == content
        or state[offset + 1] == content
        or state[offset - stride] == content
        or state[offset + stride] == content
        or state[offset - stride + 1] == content
        or state[offset + stride - 1] == content
    )


@kernel
def is_at_rim(state: StateArray, offset: int) -> bool:
    """Whether a cell is on the outer ring."""
    side = int(state[layout.SIDE])
    edges = 0
    for direction in range(6):
        edges |= int(state[offset + int(STEP[side, direction])]) & EDGE
    return edges != 0


@kernel
def may_add(state: StateArray, offset: int) -> bool:
    """Whether the colour to move may add a stone on a cell, if a stone is due."""
    if state[offset] != FREE:
        return False
    if state[layout.OPENING] == 0:
        return touches(state, offset, state[layout.COLOUR])  # R4.2
    is_first = state[layout.OPENING] == opening_stones(int(state[layout.SIDE]))
    return not is_first or is_at_rim(state, offset)  # R3.2, R3.3


@kernel
def can_add(state: StateArray, colour: int) -> bool:
    """Whether a colour has a free cell next to one of its stones (R4.2, R4.4)."""
    side = int(state[layout.SIDE])
    for number in range(cell_count(side)):
        offset = int(OFFSET_OF[side, number])
        if state[offset] == colour and touches(state, offset, FREE):
            return True
    return False


# ---- row moves --------------------------------------------------------------------------------


@kernel
def may_move_row(state: StateArray) -> bool:
    """Whether a row may move now: after a stone (R4.3) or instead of one (R7.2)."""
    if state[layout.LAST] != 0:
        return True
    return bool(
        state[layout.MUST_PLACE] == 0
        and state[layout.OPENING] == 0
        and state[layout.IDLE] < state[layout.SIDE]
    )


@kernel
def max_steps(state: StateArray, rear: int, step: int) -> int:
    """How many steps the row with this rear stone may move, 0 if it is blocked (R5)."""
    colour = state[rear]
    fixed = int(state[layout.LAST]) if state[layout.NEW_FIXED] != 0 else 0  # R7.3
    offset = rear
    length = 0
    while state[offset] == colour:
        if offset == fixed:
            return 0
        length += 1
        offset += step
    steps = 0
    while steps < length and state[offset] == FREE:
        steps += 1
        offset += step
    return steps


# ---- connections ------------------------------------------------------------------------------


@kernel
def joins_groups(state: StateArray, offset: int) -> bool:
    """Whether a stone may have joined two groups, counting the edge of its colour as stones.

    It hasn't if its neighbours of the same colour are consecutive around it: then they were
    connected already.
    """
    colour = int(state[offset])
    side = int(state[layout.SIDE])
    groups = 0
    before = int((state[offset + int(STEP[side, 5])] & COLOUR_BITS) == colour)
    for direction in range(6):
        own = int((state[offset + int(STEP[side, direction])] & COLOUR_BITS) == colour)
        groups += own & ~before
        before = own
    return groups > 1


@kernel
def is_connected(state: StateArray, colour: int) -> bool:
    """Whether a chain of a colour joins its two borders (R6.1).

    Walks along the outline of the group that contains the first border, keeping that group on the
    right, from one end of the border. The walk ends where the edges of both colours meet again: at
    the second border if the two are connected, else at the other end of the first border. ``other``
    is the cell on the left.
    """
    side, border = int(state[layout.SIDE]), int(state[layout.BORDER])
    other = int(TRACE_START[border, side, colour, 0])
    direction = int(TRACE_START[border, side, colour, 1])  # To the cell on the right.
    left, right = EDGE, EDGE
    while True:
        turned = direction - 1 if direction > 0 else 5
        ahead = other + int(STEP[side, turned])
        content = int(state[ahead])
        if content & COLOUR_BITS == colour:
            right = content
            direction = turned
        else:
            left = content
            other = ahead
            direction = direction + 1 if direction < 5 else 0
        if left & right & EDGE:
            return right & FAR != 0


# ---- the contract -----------------------------------------------------------------------------


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """List the legal actions, ascending: stones, row moves and the stop."""
    if state[layout.WINNER] != FREE:
        return 0
    side = int(state[layout.SIDE])
    count = 0
    if state[layout.LAST] == 0:
        for number in range(cell_count(side)):
            offset = int(OFFSET_OF[side, number])
            if state[offset] == FREE and may_add(state, offset):
                out[count] = number
                count += 1
    if may_move_row(state):
        count = _list_row_moves(state, out, count)
    if state[layout.LAST] != 0:
        out[count] = stop_action(side)  # R4.3
        count += 1
    return count


@kernel
def _list_row_moves(state: StateArray, out: ActionArray, count: int) -> int:
    """Append the row moves to the ``count`` actions in ``out``; return the new count."""
    side = int(state[layout.SIDE])
    cells = cell_count(side)
    colour = int(state[layout.COLOUR])
    fixed = int(state[layout.LAST]) if state[layout.NEW_FIXED] != 0 else 0  # R7.3
    for number in range(cells):
        offset = int(OFFSET_OF[side, number])
        if state[offset] != colour or offset == fixed:
            continue
        for direction in range(6):
            step = int(STEP[side, direction])
            ahead = state[offset + step]
            # Most rows are single stones, which move one step.
            longest = max_steps(state, offset, step) if ahead == colour else int(ahead == FREE)
            for steps in range(longest):
                out[count] = cells + (number * 6 + direction) * (side - 1) + steps
                count += 1
    return count


@kernel
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A uniformly random legal action, by rejection sampling, which is faster than listing."""
    only_stones = not may_move_row(state)
    for _ in range(MAX_ATTEMPTS):
        action = _propose_stone(state, rng) if only_stones else _propose(state, rng)
        if action != NONE:
            return action
    return int(actions[next_below(rng, legal(state, actions))])


@kernel
def _propose_stone(state: StateArray, rng: RandomArray) -> int:
    """A stone on a random cell, or NONE if it may not be added there."""
    side = int(state[layout.SIDE])
    number = next_below(rng, cell_count(side))
    return number if may_add(state, int(OFFSET_OF[side, number])) else NONE


@kernel
def _propose(state: StateArray, rng: RandomArray) -> int:
    """A uniformly random action, or NONE if it isn't legal.

    Draws a rear cell first and then a direction and a number of steps, because most proposals fail
    at the cell. Numbers beyond the cells stand for the stones and the stop.
    """
    side = int(state[layout.SIDE])
    cells = cell_count(side)
    ways = 6 * (side - 1)
    number = next_below(rng, cells + cells // ways + 1)
    if number < cells:
        rear = int(OFFSET_OF[side, number])
        if state[rear] != state[layout.COLOUR]:
            return NONE
        direction = next_below(rng, 6)
        steps = next_below(rng, side - 1)
        if max_steps(state, rear, int(STEP[side, direction])) <= steps:
            return NONE
        return cells + number * ways + direction * (side - 1) + steps
    rest = (number - cells) * ways + next_below(rng, ways)
    if state[layout.LAST] != 0:
        return stop_action(side) if rest == cells else NONE
    return rest if rest < cells and may_add(state, int(OFFSET_OF[side, rest])) else NONE


@kernel
def apply(state: StateArray, action: int) -> None:
    """Add a stone, move a row, or stop; then find the winner or the next colour."""
    side = int(state[layout.SIDE])
    if action < cell_count(side):
        _add(state, int(OFFSET_OF[side, action]))
        return
    has_joined = False
    if action != stop_action(side):
        state[layout.IDLE] += int(state[layout.LAST] == 0)  # R7.2
        has_joined = _move_row(state, action)
    if (has_joined or state[layout.WIN_AT_END] != 0) and is_connected(
        state, int(state[layout.COLOUR])
    ):
        _win(state)  # R6.2, R7.4
    else:
        _end_turn(state)


@kernel
def _add(state: StateArray, offset: int) -> None:
    """Add a stone of the colour to move, in the opening (R3) or later (R4.2)."""
    colour = int(state[layout.COLOUR])
    state[offset] = colour
    if state[layout.OPENING] > 0:
        state[layout.OPENING] -= 1
        if state[layout.OPENING] == 0:
            state[layout.COLOUR] = BLUE  # R4.1: Blue placed the last one, so Red is next.
            _end_turn(state)
        else:
            state[layout.COLOUR] = RED + BLUE - colour
        return
    state[layout.IDLE] = 0
    if (
        state[layout.WIN_AT_END] == 0
        and joins_groups(state, offset)
        and is_connected(state, colour)
    ):
        _win(state)  # R6.2
    else:
        state[layout.LAST] = offset


@kernel
def _move_row(state: StateArray, action: int) -> bool:
    """Move a row (R5); return whether it may have joined two groups."""
    side = int(state[layout.SIDE])
    colour = int(state[layout.COLOUR])
    row, steps = divmod(action - cell_count(side), side - 1)
    number, direction = divmod(row, 6)
    step = int(STEP[side, direction])
    rear = int(OFFSET_OF[side, number])
    front = rear
    while state[front + step] == colour:
        front += step
    for _ in range(steps + 1):
        state[rear] = FREE
        rear += step
    has_joined = False
    for _ in range(steps + 1):
        front += step
        state[front] = colour
        has_joined = joins_groups(state, front) or has_joined
    return has_joined


@kernel
def _win(state: StateArray) -> None:
    """End the match: the colour to move wins."""
    state[layout.WINNER] = state[layout.COLOUR]
    state[layout.LAST] = state[layout.IDLE] = 0


@kernel
def _end_turn(state: StateArray) -> None:
    """Pass the turn, unless the other colour can't add a stone and is skipped (R4.4)."""
    state[layout.LAST] = 0
    other = RED + BLUE - int(state[layout.COLOUR])
    if can_add(state, other):
        state[layout.COLOUR] = other


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """The connected colour wins; there are no draws (R6.4)."""
    out[0] = 1.0 if state[layout.WINNER] == RED else -1.0
    out[1] = -out[0]
