"""Null-window search of cores of Flume: is the value of a core at least ``goal``?

All moves in a core end the turn. A move that leaves ``core`` and makes ``loose`` points loose, with
a cost of control ``cost``, is worth

    min(1 - loose - value(core), 1 - loose + 2 * cost + value(core))

to the mover. So it reaches the goal if value(core) is between two limits, which takes two more
null-window queries. The search keeps an explicit stack of *frames*, one per open query, so it can
stop after any node and continue later. Proven bounds go into a transposition table, by
``canonical_key``.

A value has the parity of the number of points, and so do all goals here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from watermeet.core.kernel import kernel
from watermeet.games.flume.canonical_keys import PairTable, canonical_key, mix_hash
from watermeet.games.flume.two_core import (
    CORE,
    COST,
    LOOSE,
    MAX_POINTS,
    MOVE_FIELDS,
    NO_CONTROL,
    RANK,
    Graph,
    Int64Array,
    list_moves,
)

SOLVED, PAUSED, FULL = range(3)
"""Why ``run_search`` returned: with an answer, at ``pause_at``, or because a table is full."""

NO, YES, UNDECIDED = range(3)

PAIRS_PER_NODE = 1024
"""More than one node can add to the pair table: 62 moves with at most 14 pairs each."""

_FRAME_FIELDS = 7
_CORE, _COUNT, _GOAL, _KEY, _MOVES, _NEXT, _IS_SECOND = range(_FRAME_FIELDS)


class SearchState(NamedTuple):
    """The registers of a search, each an array of one number."""

    depth: Int64Array  # frames on the stack
    core: Int64Array  # of the current query
    point_count: Int64Array  # of that core
    goal: Int64Array  # of the current query
    key: Int64Array  # of that core
    answer: Int64Array  # to the root query: NO or YES
    nodes: Int64Array  # frames pushed so far
    pause_at: Int64Array  # the number of nodes to stop at
    entries: Int64Array  # in the transposition table


class Stack(NamedTuple):
    """The frames from the root query to the current one, each with its moves."""

    frames: Int64Array  # [62, _FRAME_FIELDS]
    moves: Int64Array  # [62, 62, MOVE_FIELDS]


def make_stack() -> Stack:
    """An empty stack; no line has more moves than points."""
    return Stack(
        np.zeros((MAX_POINTS, _FRAME_FIELDS), dtype=np.int64),
        np.zeros((MAX_POINTS, MAX_POINTS, MOVE_FIELDS), dtype=np.int64),
    )


def make_search_state() -> SearchState:
    """A search state of zeros."""
    return SearchState(*(np.zeros(1, dtype=np.int64) for _ in SearchState._fields))


# ---- the transposition table ------------------------------------------------------------------


@kernel
def pack_bounds(low: int, high: int) -> int:
    """Packs two bounds, both from -100 to 100, into one number."""
    return low + 100 | (high + 100) << 8


@kernel
def lower_bound(bounds: int) -> int:
    """The lower of two packed bounds."""
    return (bounds & 255) - 100


@kernel
def upper_bound(bounds: int) -> int:
    """The upper of two packed bounds."""
    return (bounds >> 8) - 100


@kernel
def trivial_bounds(count: int) -> int:
    """Bounds for every core with ``count`` points: each player gets at least one of them."""
    return pack_bounds(0, 0) if count == 0 else pack_bounds(2 - count, count - 2)


@kernel
def find_slot(key: int, table: Int64Array) -> int:
    """The slot of a key in the table [a power of two, (key, bounds)]; key 0 marks an empty slot."""
    last_slot = len(table) - 1
    slot = mix_hash(key) & last_slot
    while table[slot, 0] != key and table[slot, 0] != 0:
        slot = (slot + 1) & last_slot
    return slot


@kernel
def stored_bounds(key: int, count: int, table: Int64Array) -> int:
    """The bounds of a core from the table, or the trivial ones."""
    slot = find_slot(key, table)
    return int(table[slot, 1]) if table[slot, 0] == key else trivial_bounds(count)


@kernel
def is_table_full(table: Int64Array, search: SearchState) -> bool:
    """Whether the load factor is too high; open frames still find a slot."""
    return bool(4 * search.entries[0] >= 3 * len(table))


@kernel
def is_pair_table_full(pair_table: PairTable) -> bool:
    """Whether the pairs of the next node might not fit."""
    return bool(pair_table.used[0] + PAIRS_PER_NODE >= len(pair_table.pairs))


@kernel
def rehash_entries(source: Int64Array, target: Int64Array) -> None:
    """Copies all entries to a larger empty table."""
    for index in range(len(source)):
        if source[index, 0] != 0:
            slot = find_slot(source[index, 0], target)
            target[slot, 0] = source[index, 0]
            target[slot, 1] = source[index, 1]


# ---- one move ---------------------------------------------------------------------------------


@kernel
def highest_allowed(loose: int, goal: int) -> int:
    """The highest value of the core after a move for which the move reaches the goal."""
    return 1 - loose - goal


@kernel
def lowest_allowed(loose: int, cost: int, goal: int) -> int:
    """The lowest value of the core after a move for which the move reaches the goal."""
    return goal - 1 + loose - 2 * cost


@kernel
def move_verdict(loose: int, cost: int, goal: int, bounds: int) -> int:
    """Whether a move reaches the goal, given bounds for the core after it."""
    high, low = highest_allowed(loose, goal), lowest_allowed(loose, cost, goal)
    if low > high or lower_bound(bounds) > high or upper_bound(bounds) < low:
        return NO
    return YES if upper_bound(bounds) <= high and lower_bound(bounds) >= low else UNDECIDED


# ---- frames -----------------------------------------------------------------------------------


@kernel
def pop_frame(answer: int, stack: Stack, table: Int64Array, search: SearchState) -> int:
    """Pops the top frame and stores what it has proven; returns the answer."""
    search.depth[0] -= 1
    frame = stack.frames[search.depth[0]]
    slot = find_slot(frame[_KEY], table)
    if table[slot, 0] == 0:
        table[slot, 0] = frame[_KEY]
        table[slot, 1] = trivial_bounds(frame[_COUNT])
        search.entries[0] += 1
    bounds = table[slot, 1]
    if answer == YES:
        table[slot, 1] = pack_bounds(frame[_GOAL], upper_bound(bounds))
    else:
        table[slot, 1] = pack_bounds(lower_bound(bounds), frame[_GOAL] - 2)
    return answer


@kernel
def next_query(stack: Stack, table: Int64Array, search: SearchState) -> int:
    """Sets the next query of the top frame, or pops it if it has no moves left."""
    depth = search.depth[0] - 1
    frame = stack.frames[depth]
    if frame[_NEXT] == frame[_MOVES]:
        return pop_frame(NO, stack, table, search)
    move = stack.moves[depth, frame[_NEXT]]
    search.core[0] = move[CORE]
    search.point_count[0] = frame[_COUNT] - 1 - move[LOOSE]
    if frame[_IS_SECOND]:
        search.goal[0] = lowest_allowed(move[LOOSE], move[COST], frame[_GOAL])
    else:
        search.goal[0] = highest_allowed(move[LOOSE], frame[_GOAL]) + 2
    return UNDECIDED


@kernel
def push_frame(
    graph: Graph, pair_table: PairTable, stack: Stack, table: Int64Array, search: SearchState
) -> int:
    """Expands the current query: pushes a frame with the moves that the table doesn't decide.

    Pops it at once if the table shows a move that reaches the goal, or that none can.
    """
    depth = search.depth[0]
    count, goal = search.point_count[0], search.goal[0]
    frame, moves = stack.frames[depth], stack.moves[depth]
    frame[_CORE], frame[_COUNT], frame[_GOAL] = search.core[0], count, goal
    frame[_KEY], frame[_NEXT], frame[_IS_SECOND] = search.key[0], 0, 0
    search.depth[0] += 1
    search.nodes[0] += 1
    kept = 0
    for index in range(list_moves(int(frame[_CORE]), graph, moves)):
        core, loose, cost = moves[index, CORE], moves[index, LOOSE], moves[index, COST]
        left = count - 1 - loose
        bounds = trivial_bounds(left)
        verdict = move_verdict(loose, cost, goal, bounds)
        if verdict == UNDECIDED:
            bounds = stored_bounds(canonical_key(int(core), graph, pair_table), left, table)
            verdict = move_verdict(loose, cost, goal, bounds)
        if verdict == YES:
            return pop_frame(YES, stack, table, search)
        if verdict == UNDECIDED:
            for field in range(RANK):
                moves[kept, field] = moves[index, field]
            kept += 1
    frame[_MOVES] = kept
    return next_query(stack, table, search)


@kernel
def backup(answer: int, stack: Stack, table: Int64Array, search: SearchState) -> int:
    """Backs up the answer to the last query to the top frame; returns its own, or UNDECIDED.

    A move takes at most two queries: the core after it must not be worth too much to the opponent,
    nor too little if the opponent can hand it back.
    """
    depth = search.depth[0] - 1
    frame = stack.frames[depth]
    is_second = frame[_IS_SECOND] == 1
    if (answer == YES) != is_second:
        frame[_NEXT] += 1
        frame[_IS_SECOND] = 0
    elif is_second or stack.moves[depth, frame[_NEXT], COST] == NO_CONTROL:
        return pop_frame(YES, stack, table, search)
    else:
        frame[_IS_SECOND] = 1
    return next_query(stack, table, search)


@kernel
def probe(graph: Graph, pair_table: PairTable, table: Int64Array, search: SearchState) -> int:
    """Probes the table for the current query; if it is UNDECIDED, notes its key."""
    count, goal = search.point_count[0], search.goal[0]
    bounds = trivial_bounds(count)
    if lower_bound(bounds) < goal <= upper_bound(bounds):
        search.key[0] = canonical_key(int(search.core[0]), graph, pair_table)
        bounds = stored_bounds(search.key[0], count, table)
    if lower_bound(bounds) >= goal:
        return YES
    return NO if upper_bound(bounds) < goal else UNDECIDED


@kernel
def run_search(
    graph: Graph, pair_table: PairTable, stack: Stack, table: Int64Array, search: SearchState
) -> int:
    """Searches until the root query is answered, or until it has to stop: see SOLVED.

    Called again with larger tables or a later ``pause_at``, it continues where it stopped.
    """
    while True:
        answer = probe(graph, pair_table, table, search)
        if answer == UNDECIDED:
            if search.nodes[0] >= search.pause_at[0]:
                return PAUSED
            if is_table_full(table, search) or is_pair_table_full(pair_table):
                return FULL
            answer = push_frame(graph, pair_table, stack, table, search)
        while answer != UNDECIDED:
            if search.depth[0] == 0:
                search.answer[0] = answer
                return SOLVED
            answer = backup(answer, stack, table, search)
