"""The rules of Flecks as kernels. Paragraphs (R3.1 ...) are those of RULES.md beside this file.

State layout (int16), n = side:

    0  SIDE            n
    1  BORDER          QUARTERS or SIDES (R7.1)
    2  MUST_PLACE      1 unless a turn may be a row move alone (R7.2)
    3  NEW_FIXED       1 if the stone just added may not move (R7.3)
    4  WIN_AT_END      1 if a chain must stand at the end of the turn (R7.4)
    5  COLOUR          whose turn it is, RED or BLUE; when the match is over: who won
    6  OPENING         opening stones still to be placed, of both colours; 0 in the second phase
    7  LAST            the place of the stone just added, while a row move may follow it; else 0
    8  IDLE            turns in succession without a stone added (R7.2)
    9  WINNER          FREE, RED or BLUE
   10  CELLS ...       2n + 1 rows of 2n + 1: the cells within their edge, as board.py tells

A *place* is an index of a cell into this array. Nothing is kept about connections: ``is_connected``
follows the outline of a colour's first border, which needs no room to work in, and ``joins`` tells
in a few steps that most stones cannot have changed anything.

Actions, N being the number of cells (counted by rows from the top, see watermeet.core.hexgrid):

    0 ... N - 1                               a stone on that cell
    N + (rear * 6 + direction) * (n - 1) + d  the row from ``rear`` to its front moves d + 1 steps
    the last                                  stop: no row is moved

No two row moves lead to the same position (R5.8), and none is more than n - 1 steps long.
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
from watermeet.games.flecks.board import (
    BLUE,
    CELLS,
    COLOUR_BITS,
    EDGE,
    EMPTY_BOARD,
    FAR,
    FREE,
    PLACE_OF,
    RED,
    STEP,
    TRACE_START,
)

SIDE, BORDER, MUST_PLACE, NEW_FIXED, WIN_AT_END = range(5)
COLOUR, OPENING, LAST, IDLE, WINNER = range(5, CELLS)
NONE = -1
TRIES = 300
"""How often ``draw`` guesses before it lists: enough that it rarely has to."""


class Options(NamedTuple):
    """The declared options, as integers."""

    size: int
    border: int
    must_place: int
    new_stone_fixed: int
    win_at_end_only: int


@kernel
def setup(state: StateArray, options: Options) -> None:
    """The empty board."""
    side = options.size
    state[SIDE] = side
    state[BORDER] = options.border
    state[MUST_PLACE] = options.must_place
    state[NEW_FIXED] = options.new_stone_fixed
    state[WIN_AT_END] = options.win_at_end_only
    state[COLOUR] = RED  # R3.1
    state[OPENING] = opening_stones(side)
    for index in range((2 * side + 1) * (2 * side + 1)):
        state[CELLS + index] = EMPTY_BOARD[options.border, side, index]


@kernel
def opening_stones(side: int) -> int:
    """How many stones both players together place in the opening (R3.1)."""
    return 2 * (side - 3)


@kernel
def cell_count(side: int) -> int:
    """How many cells a board has."""
    return 3 * side * (side - 1) + 1


@kernel
def stop_action(side: int) -> int:
    """The number of the action that ends a turn without a row move."""
    return cell_count(side) * (1 + 6 * (side - 1))


@kernel
def to_move(state: StateArray) -> int:
    """Red is seat 0, Blue is seat 1 (R1.2)."""
    if state[WINNER] != FREE:
        return OVER
    return int(state[COLOUR] == BLUE)


# ---- where stones may be added ----------------------------------------------------------------


@kernel
def touches(state: StateArray, place: int, content: int) -> bool:
    """Whether a neighbour of a place holds a colour's stone, or is FREE, as ``content`` says."""
    stride = 2 * int(state[SIDE]) + 1
    return bool(
        state[place - 1] == content
        or state[place + 1] == content
        or state[place - stride] == content
        or state[place + stride] == content
        or state[place - stride + 1] == content
        or state[place + stride - 1] == content
    )


@kernel
def is_at_rim(state: StateArray, place: int) -> bool:
    """Whether a cell lies on the outer ring."""
    side = int(state[SIDE])
    edges = 0
    for direction in range(6):
        edges |= int(state[place + int(STEP[side, direction])]) & EDGE
    return edges != 0


@kernel
def may_add(state: StateArray, place: int) -> bool:
    """Whether whose turn it is may add a stone on a cell, given that a stone is due."""
    if state[place] != FREE:
        return False
    if state[OPENING] == 0:
        return touches(state, place, state[COLOUR])  # R4.2
    is_first = state[OPENING] == opening_stones(int(state[SIDE]))
    return not is_first or is_at_rim(state, place)  # R3.2, R3.3


@kernel
def can_add(state: StateArray, colour: int) -> bool:
    """Whether a colour finds a free cell beside one of its stones (R4.2, R4.4)."""
    side = int(state[SIDE])
    for number in range(cell_count(side)):
        place = int(PLACE_OF[side, number])
        if state[place] == colour and touches(state, place, FREE):
            return True
    return False


# ---- row moves --------------------------------------------------------------------------------


@kernel
def may_move_row(state: StateArray) -> bool:
    """Whether this is the time for a row move: after a stone (R4.3), or instead of one (R7.2)."""
    if state[LAST] != 0:
        return True
    return bool(state[MUST_PLACE] == 0 and state[OPENING] == 0 and state[IDLE] < state[SIDE])


@kernel
def reach(state: StateArray, rear: int, step: int) -> int:
    """How many steps the row from a stone on to its front may move: 0 if it cannot (R5)."""
    colour = state[rear]
    fixed = int(state[LAST]) if state[NEW_FIXED] != 0 else 0  # R7.3
    place = rear
    length = 0
    while state[place] == colour:
        if place == fixed:
            return 0
        length += 1
        place += step
    steps = 0
    while steps < length and state[place] == FREE:
        steps += 1
        place += step
    return steps


# ---- connections ------------------------------------------------------------------------------


@kernel
def joins(state: StateArray, place: int) -> bool:
    """Whether a stone may have joined what was apart, counting its colour's edge as stones.

    It has not if its neighbours of its colour follow one another around it: then they were
    connected already.
    """
    colour = int(state[place])
    side = int(state[SIDE])
    groups = 0
    before = int((state[place + int(STEP[side, 5])] & COLOUR_BITS) == colour)
    for direction in range(6):
        own = int((state[place + int(STEP[side, direction])] & COLOUR_BITS) == colour)
        groups += own & ~before
        before = own
    return groups > 1


@kernel
def is_connected(state: StateArray, colour: int) -> bool:
    """Whether a chain of a colour joins its two borders (R6.1).

    Follows the outline of what hangs together with the first border, with the colour always on the
    right hand, from the border's one end. It comes out where edge of both colours meets again: at
    the second border, or else at the first border's other end. ``other`` is the cell on the left.
    """
    side, border = int(state[SIDE]), int(state[BORDER])
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
    """The cells where a stone may be added, the row moves, and the stop, each in its time."""
    if state[WINNER] != FREE:
        return 0
    side = int(state[SIDE])
    count = 0
    if state[LAST] == 0:
        for number in range(cell_count(side)):
            place = int(PLACE_OF[side, number])
            if state[place] == FREE and may_add(state, place):
                out[count] = number
                count += 1
    if may_move_row(state):
        count = _list_row_moves(state, out, count)
    if state[LAST] != 0:
        out[count] = stop_action(side)  # R4.3
        count += 1
    return count


@kernel
def _list_row_moves(state: StateArray, out: ActionArray, count: int) -> int:
    """Adds the row moves to the ``count`` actions that are listed; returns how many there are."""
    side = int(state[SIDE])
    cells = cell_count(side)
    colour = int(state[COLOUR])
    fixed = int(state[LAST]) if state[NEW_FIXED] != 0 else 0  # R7.3
    for number in range(cells):
        place = int(PLACE_OF[side, number])
        if state[place] != colour or place == fixed:
            continue
        for direction in range(6):
            step = int(STEP[side, direction])
            ahead = state[place + step]
            # Most rows are of one stone, which moves one step.
            longest = reach(state, place, step) if ahead == colour else int(ahead == FREE)
            for steps in range(longest):
                out[count] = cells + (number * 6 + direction) * (side - 1) + steps
                count += 1
    return count


@kernel
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A legal action, each as likely as any other: by guessing, which is quicker than listing."""
    only_stones = not may_move_row(state)
    for _ in range(TRIES):
        action = _guess_stone(state, rng) if only_stones else _guess(state, rng)
        if action != NONE:
            return action
    return int(actions[next_below(rng, legal(state, actions))])


@kernel
def _guess_stone(state: StateArray, rng: RandomArray) -> int:
    """A stone on any cell; NONE if it may not be added there."""
    side = int(state[SIDE])
    number = next_below(rng, cell_count(side))
    return number if may_add(state, int(PLACE_OF[side, number])) else NONE


@kernel
def _guess(state: StateArray, rng: RandomArray) -> int:
    """Any action at all, each as likely as any other; NONE if it is not legal.

    First a cell and then a way to move, for most guesses end with the cell. Behind the cells are as
    many more as it takes to hold the stones and the stop, one to each way.
    """
    side = int(state[SIDE])
    cells = cell_count(side)
    ways = 6 * (side - 1)
    number = next_below(rng, cells + cells // ways + 1)
    if number < cells:
        rear = int(PLACE_OF[side, number])
        if state[rear] != state[COLOUR]:
            return NONE
        direction = next_below(rng, 6)
        steps = next_below(rng, side - 1)
        if reach(state, rear, int(STEP[side, direction])) <= steps:
            return NONE
        return cells + number * ways + direction * (side - 1) + steps
    rest = (number - cells) * ways + next_below(rng, ways)
    if state[LAST] != 0:
        return stop_action(side) if rest == cells else NONE
    return rest if rest < cells and may_add(state, int(PLACE_OF[side, rest])) else NONE


@kernel
def apply(state: StateArray, action: int) -> None:
    """Adds a stone, moves a row, or stops; then sees who has won and whose turn it is."""
    side = int(state[SIDE])
    if action < cell_count(side):
        _add(state, int(PLACE_OF[side, action]))
        return
    has_joined = False
    if action != stop_action(side):
        state[IDLE] += int(state[LAST] == 0)  # R7.2
        has_joined = _move_row(state, action)
    if (has_joined or state[WIN_AT_END] != 0) and is_connected(state, int(state[COLOUR])):
        _win(state)  # R6.2, R7.4
    else:
        _end_turn(state)


@kernel
def _add(state: StateArray, place: int) -> None:
    """A stone of the colour whose turn it is, in the opening (R3) or later (R4.2)."""
    colour = int(state[COLOUR])
    state[place] = colour
    if state[OPENING] > 0:
        state[OPENING] -= 1
        if state[OPENING] == 0:
            state[COLOUR] = BLUE  # R4.1: Blue has placed the last one, so Red is next.
            _end_turn(state)
        else:
            state[COLOUR] = RED + BLUE - colour
        return
    state[IDLE] = 0
    if state[WIN_AT_END] == 0 and joins(state, place) and is_connected(state, colour):
        _win(state)  # R6.2
    else:
        state[LAST] = place


@kernel
def _move_row(state: StateArray, action: int) -> bool:
    """Moves a row (R5); returns whether it may have joined what was apart."""
    side = int(state[SIDE])
    colour = int(state[COLOUR])
    row, steps = divmod(action - cell_count(side), side - 1)
    number, direction = divmod(row, 6)
    step = int(STEP[side, direction])
    rear = int(PLACE_OF[side, number])
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
        has_joined = joins(state, front) or has_joined
    return has_joined


@kernel
def _win(state: StateArray) -> None:
    """The match is over, for whose turn it is."""
    state[WINNER] = state[COLOUR]
    state[LAST] = state[IDLE] = 0


@kernel
def _end_turn(state: StateArray) -> None:
    """The other colour is next, unless it cannot add a stone: then its turn is skipped (R4.4)."""
    state[LAST] = 0
    other = RED + BLUE - int(state[COLOUR])
    if can_add(state, other):
        state[COLOUR] = other


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """Whoever is connected wins; there is no draw (R6.4)."""
    out[0] = 1.0 if state[WINNER] == RED else -1.0
    out[1] = -out[0]
