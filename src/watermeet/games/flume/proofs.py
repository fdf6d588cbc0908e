"""Proofs about cores of Flume: "is the value of this core at least so much?", answered yes or no.

All moves in a core end the turn. A move after which ``core`` is left, with so many points loose
that can be handed back at a cost, is worth

    min(1 - loose - value(core), 1 - loose + 2 * cost + value(core))

to the mover, so it reaches a goal if value(core) lies between two limits: two more questions of the
same kind. The search is an explicit stack of *frames*, one for each open question, and can stop
after any node and go on later. What is proven goes into a table of bounds by ``shapes.key_of``.

A value has the parity of the number of points, and so have all goals here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from watermeet.core.kernel import kernel
from watermeet.games.flume.cores import (
    CORE,
    COST,
    LOOSE,
    MOST_POINTS,
    MOVE_FIELDS,
    NO_CONTROL,
    RANK,
    Graph,
    Int64Array,
    list_moves,
)
from watermeet.games.flume.shapes import Register, key_of, scatter

SOLVED, PAUSED, FULL = range(3)
"""Why ``advance`` returned: with an answer, at the node it was to pause at, or for want of room."""

NO, YES, OPEN = range(3)

PAIRS_PER_NODE = 1024
"""More than one node can add to the register: 62 moves, each with 14 pairs at most."""

_FRAME_FIELDS = 7
_CORE, _COUNT, _GOAL, _KEY, _MOVES, _NEXT, _IS_SECOND = range(_FRAME_FIELDS)


class Ledger(NamedTuple):
    """Single numbers, each an array of one: what a search is doing."""

    depth: Int64Array  # frames on the stack
    core: Int64Array  # the question in hand: whether the value of this core,
    point_count: Int64Array  # which has so many points,
    goal: Int64Array  # is so much or more
    key: Int64Array  # the key of that core
    answer: Int64Array  # to the first question of all: NO or YES
    nodes: Int64Array  # frames opened so far
    pause_at: Int64Array
    entries: Int64Array  # of the table


class Stack(NamedTuple):
    """The frames, from the first question to the one in hand, each with its moves."""

    frames: Int64Array  # [62, _FRAME_FIELDS]
    moves: Int64Array  # [62, 62, MOVE_FIELDS]


def make_stack() -> Stack:
    """An empty stack; no match has more moves than points."""
    return Stack(
        np.zeros((MOST_POINTS, _FRAME_FIELDS), dtype=np.int64),
        np.zeros((MOST_POINTS, MOST_POINTS, MOVE_FIELDS), dtype=np.int64),
    )


def make_ledger() -> Ledger:
    """A ledger of zeros."""
    return Ledger(*(np.zeros(1, dtype=np.int64) for _ in Ledger._fields))


# ---- bounds -----------------------------------------------------------------------------------


@kernel
def pack(low: int, high: int) -> int:
    """Two bounds of a value as one number; both are within 100 of 0."""
    return low + 100 | (high + 100) << 8


@kernel
def low_of(bounds: int) -> int:
    """The lower one of two packed bounds."""
    return (bounds & 255) - 100


@kernel
def high_of(bounds: int) -> int:
    """The higher one of two packed bounds."""
    return (bounds >> 8) - 100


@kernel
def trivial_bounds(count: int) -> int:
    """What is true of every core with so many points: each player gets one of them at least."""
    return pack(0, 0) if count == 0 else pack(2 - count, count - 2)


@kernel
def slot_of(key: int, table: Int64Array) -> int:
    """Where a key is, or would be, in the table [a power of two, (key, bounds)]; 0 is no key."""
    last_slot = len(table) - 1
    slot = scatter(key) & last_slot
    while table[slot, 0] != key and table[slot, 0] != 0:
        slot = (slot + 1) & last_slot
    return slot


@kernel
def known_bounds(key: int, count: int, table: Int64Array) -> int:
    """What the table says about a core."""
    slot = slot_of(key, table)
    return int(table[slot, 1]) if table[slot, 0] == key else trivial_bounds(count)


@kernel
def is_full_table(table: Int64Array, ledger: Ledger) -> bool:
    """Whether so many slots are taken that looking grows slow; open frames still find room."""
    return bool(4 * ledger.entries[0] >= 3 * len(table))


@kernel
def is_full_register(register: Register) -> bool:
    """Whether the next node might find no room for its pairs."""
    return bool(register.used[0] + PAIRS_PER_NODE >= len(register.pairs))


@kernel
def copy_entries(source: Int64Array, target: Int64Array) -> None:
    """Puts all entries of one table into another one, which is empty and large enough."""
    for index in range(len(source)):
        if source[index, 0] != 0:
            slot = slot_of(source[index, 0], target)
            target[slot, 0] = source[index, 0]
            target[slot, 1] = source[index, 1]


# ---- one move ---------------------------------------------------------------------------------


@kernel
def highest_allowed(loose: int, goal: int) -> int:
    """The highest value of the core after a move with which the move reaches the goal."""
    return 1 - loose - goal


@kernel
def lowest_allowed(loose: int, cost: int, goal: int) -> int:
    """The lowest value of the core after a move with which the move reaches the goal."""
    return goal - 1 + loose - 2 * cost


@kernel
def judge(loose: int, cost: int, goal: int, bounds: int) -> int:
    """Whether a move reaches the goal, as far as bounds for the core after it tell."""
    high, low = highest_allowed(loose, goal), lowest_allowed(loose, cost, goal)
    if low > high or low_of(bounds) > high or high_of(bounds) < low:
        return NO
    return YES if high_of(bounds) <= high and low_of(bounds) >= low else OPEN


# ---- frames -----------------------------------------------------------------------------------


@kernel
def close_frame(answer: int, stack: Stack, table: Int64Array, ledger: Ledger) -> int:
    """Takes the top frame off and writes down what it has proven; returns the answer."""
    ledger.depth[0] -= 1
    frame = stack.frames[ledger.depth[0]]
    slot = slot_of(frame[_KEY], table)
    if table[slot, 0] == 0:
        table[slot, 0] = frame[_KEY]
        table[slot, 1] = trivial_bounds(frame[_COUNT])
        ledger.entries[0] += 1
    bounds = table[slot, 1]
    if answer == YES:
        table[slot, 1] = pack(frame[_GOAL], high_of(bounds))
    else:
        table[slot, 1] = pack(low_of(bounds), frame[_GOAL] - 2)
    return answer


@kernel
def ask_next(stack: Stack, table: Int64Array, ledger: Ledger) -> int:
    """Asks the next question of the top frame, or closes it when its moves are through."""
    depth = ledger.depth[0] - 1
    frame = stack.frames[depth]
    if frame[_NEXT] == frame[_MOVES]:
        return close_frame(NO, stack, table, ledger)
    move = stack.moves[depth, frame[_NEXT]]
    ledger.core[0] = move[CORE]
    ledger.point_count[0] = frame[_COUNT] - 1 - move[LOOSE]
    if frame[_IS_SECOND]:
        ledger.goal[0] = lowest_allowed(move[LOOSE], move[COST], frame[_GOAL])
    else:
        ledger.goal[0] = highest_allowed(move[LOOSE], frame[_GOAL]) + 2
    return OPEN


@kernel
def open_frame(
    graph: Graph, register: Register, stack: Stack, table: Int64Array, ledger: Ledger
) -> int:
    """Opens a frame for the question in hand, with the moves that the table leaves undecided.

    If it shows a move that reaches the goal, or none that can, the frame is closed at once.
    """
    depth = ledger.depth[0]
    count, goal = ledger.point_count[0], ledger.goal[0]
    frame, moves = stack.frames[depth], stack.moves[depth]
    frame[_CORE], frame[_COUNT], frame[_GOAL] = ledger.core[0], count, goal
    frame[_KEY], frame[_NEXT], frame[_IS_SECOND] = ledger.key[0], 0, 0
    ledger.depth[0] += 1
    ledger.nodes[0] += 1
    kept = 0
    for index in range(list_moves(int(frame[_CORE]), graph, moves)):
        core, loose, cost = moves[index, CORE], moves[index, LOOSE], moves[index, COST]
        left = count - 1 - loose
        bounds = trivial_bounds(left)
        verdict = judge(loose, cost, goal, bounds)
        if verdict == OPEN:
            bounds = known_bounds(key_of(int(core), graph, register), left, table)
            verdict = judge(loose, cost, goal, bounds)
        if verdict == YES:
            return close_frame(YES, stack, table, ledger)
        if verdict == OPEN:
            for field in range(RANK):
                moves[kept, field] = moves[index, field]
            kept += 1
    frame[_MOVES] = kept
    return ask_next(stack, table, ledger)


@kernel
def take_answer(answer: int, stack: Stack, table: Int64Array, ledger: Ledger) -> int:
    """Gives the answer to its last question to the top frame; returns the frame's own, or OPEN.

    A move is asked about twice at most: the core after it must not be worth too much to the other,
    nor, if the other can hand it back, too little.
    """
    depth = ledger.depth[0] - 1
    frame = stack.frames[depth]
    is_second = frame[_IS_SECOND] == 1
    if (answer == YES) != is_second:
        frame[_NEXT] += 1
        frame[_IS_SECOND] = 0
    elif is_second or stack.moves[depth, frame[_NEXT], COST] == NO_CONTROL:
        return close_frame(YES, stack, table, ledger)
    else:
        frame[_IS_SECOND] = 1
    return ask_next(stack, table, ledger)


@kernel
def answer_at_once(graph: Graph, register: Register, table: Int64Array, ledger: Ledger) -> int:
    """The answer to the question in hand if it needs no search; else OPEN, and its key is noted."""
    count, goal = ledger.point_count[0], ledger.goal[0]
    bounds = trivial_bounds(count)
    if low_of(bounds) < goal <= high_of(bounds):
        ledger.key[0] = key_of(int(ledger.core[0]), graph, register)
        bounds = known_bounds(ledger.key[0], count, table)
    if low_of(bounds) >= goal:
        return YES
    return NO if high_of(bounds) < goal else OPEN


@kernel
def advance(
    graph: Graph, register: Register, stack: Stack, table: Int64Array, ledger: Ledger
) -> int:
    """Searches until the first question of the stack is answered, or it has to stop: see SOLVED.

    Called again, with more room or another node to pause at, it goes on where it stopped.
    """
    while True:
        answer = answer_at_once(graph, register, table, ledger)
        if answer == OPEN:
            if ledger.nodes[0] >= ledger.pause_at[0]:
                return PAUSED
            if is_full_table(table, ledger) or is_full_register(register):
                return FULL
            answer = open_frame(graph, register, stack, table, ledger)
        while answer != OPEN:
            if ledger.depth[0] == 0:
                ledger.answer[0] = answer
                return SOLVED
            answer = take_answer(answer, stack, table, ledger)
