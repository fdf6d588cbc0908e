"""Null-window search of Flume's cores on boards up to 7x7, with bit-parallel sets, in threads.

The search is that of ``watermeet.games.flume.null_window``, and it visits the same positions; but a
set of points has a bit for each of seven rows of eight, so that all points are shifted, peeled and
flooded at once. Threads share a transposition table without locks: a slot has two words, the first
of which is a hash XORed with the second, so that words of different writers don't match. Two hashes
of 64 and 43 bits stand for a position, so results are certain for all practical purposes and no
more; ``check`` doesn't rely on them.

All threads search the same query from the root. Where every move has to be refuted, a thread leaves
moves that another thread is searching for last.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from watermeet.games.flume import canonical_keys

Int64Array = npt.NDArray[np.int64]

jit: Any = numba.njit(nogil=True, cache=True)
recursive: Any = numba.njit(nogil=True)
"""Numba's cache can't hold callers of recursive functions."""

NO, YES, STOPPED = range(3)
NO_CONTROL = 1 << 10
POINTS = 49
FIELDS = 7
AFTER, LOOSE, COST, RANK, FIRST, SECOND, BIT = range(FIELDS)
NODES, LOGGED = range(2)
TAKEN = -1


class Shared(NamedTuple):
    """What all threads share."""

    table: Int64Array  # [a multiple of four, 2]
    busy: Int64Array  # [a power of two]: hashes of the positions that are being searched
    stop: Int64Array  # [1]: whether all threads should stop


class Own(NamedTuple):
    """What each thread has for itself."""

    stack: Int64Array  # [64, 50, FIELDS]: moves by depth
    counters: Int64Array  # NODES and LOGGED
    log: Int64Array  # [entries, 2]: facts, see ``note``


class Limits(NamedTuple):
    """From how many points on threads look at what others do, and facts are noted."""

    split: int
    log: int


class Proof(NamedTuple):
    """A proof while it is being written: the claims that it still has to follow, and its facts."""

    claims: Int64Array  # [most, 3]: cores, goals, answers; a stack
    seen: Int64Array  # [a power of two]: facts that were followed, a hash table
    facts: Int64Array  # [most]: see ``note``
    winners: npt.NDArray[np.int8]  # [most]


class Query(NamedTuple):
    """Is a core of ``size`` points, with these hashes, worth at least ``goal``?"""

    core: int
    size: int
    goal: int
    first: int
    second: int
    expected: int  # the likely answer


@intrinsic
def popcount(_context: Any, _word: Any) -> Any:
    """The number of bits of a word."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest_place(_context: Any, _word: Any) -> Any:
    """The place of the lowest bit of a word."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


# ---- sets of points ---------------------------------------------------------------------------


@jit
def two_or_more(points: int) -> int:
    """The points of the board with two or more neighbours in a set."""
    left, right, up, down = points << 1, points >> 1, points << 8, points >> 8
    return (left & right) | (up & down) | ((left | right) & (up | down))


@jit
def peel(points: int) -> int:
    """The core of a set."""
    while True:
        kept = points & two_or_more(points)
        if kept == points:
            return points
        points = kept


@jit
def joints_of(core: int) -> int:
    """The points with three or four neighbours."""
    left, right, up, down = core << 1, core >> 1, core << 8, core >> 8
    return core & ((left & right & (up | down)) | (up & down & (left | right)))


@jit
def control_cost(loose: int, core: int) -> int:
    """The cost of control."""
    if loose & around(loose) & around(core):
        return 1
    return 2 if loose & two_or_more(loose) else NO_CONTROL


@jit
def around(points: int) -> int:
    """All neighbours of the points of a set."""
    return points << 1 | points >> 1 | points << 8 | points >> 8


@jit
def flood(seed: int, within: int) -> int:
    """All points of a set that are connected to some of them."""
    while True:
        grown = (seed | around(seed)) & within
        if grown == seed:
            return seed
        seed = grown


# ---- hashes -----------------------------------------------------------------------------------


flip_rows, flip_columns, transpose = (
    jit(each.python)
    for each in (canonical_keys.flip_rows, canonical_keys.flip_columns, canonical_keys.transpose)
)


@jit
def to_corner(shape: int) -> int:
    """Moves a shape to row 0 and column 0."""
    shape >>= lowest_place(shape) & ~7
    columns = shape | shape >> 32
    columns |= columns >> 16
    columns |= columns >> 8
    return shape >> lowest_place(columns & 127)


@jit
def canonical(shape: int) -> int:
    """The least of a shape's eight images."""
    shape = to_corner(shape)
    upside_down = to_corner(flip_rows(shape))
    mirrored = to_corner(flip_columns(shape))
    turned = to_corner(flip_columns(upside_down))
    upright = min(shape, upside_down, mirrored, turned)
    lying = min(transpose(shape), transpose(upside_down), transpose(mirrored), transpose(turned))
    return min(upright, lying)


@jit
def is_symmetric(core: int) -> bool:
    """Whether a core is symmetric about a point that isn't in it."""
    if core == 0 or popcount(core) & 1:
        return False
    core = to_corner(core)
    return core == to_corner(flip_columns(flip_rows(core)))


@jit
def mix(word: int, factor: int, other: int) -> int:
    """A hash of a word."""
    word *= factor
    word ^= (word >> 32) & 0xFFFFFFFF
    word *= other
    word ^= (word >> 29) & 0x7FFFFFFFF
    word *= factor
    return word ^ ((word >> 32) & 0xFFFFFFFF)


@jit
def hashes_of(core: int) -> tuple[int, int]:
    """Two hashes of the multiset of a core's regions, with 64 and 43 bits."""
    joints = joints_of(core)
    first, second = 0, 0
    while core:
        region = flood(core & -core, core)
        core ^= region
        word = canonical(region) if region & joints else (1 << 60) + popcount(region)
        first += mix(word, -7046029254386353131, -4658895280553007687)
        second += mix(word, -4417276706812531889, 1609587929392839161)
    return first, second & 0x7FFFFFFFFFF


# ---- the table: low + 64 in 7 bits, high + 64 in 7, points in 6, the second hash in 43 ----------


@jit
def bounds_of(first: int, second: int, count: int, table: Int64Array) -> tuple[int, int]:
    """The bounds of a core from the table, or trivial ones."""
    if count == 0:  # Its hashes are those of an empty slot.
        return 0, 0
    bucket = (first & (len(table) // 4 - 1)) * 4
    for slot in range(bucket, bucket + 4):
        data = table[slot, 1]
        if table[slot, 0] ^ data == first and (data >> 20) & 0x7FFFFFFFFFF == second:
            return (data & 127) - 64, (data >> 7 & 127) - 64
    return 2 - count, count - 2


@jit
def store(query: Query, answer: int, table: Int64Array) -> None:
    """Stores an answer, in place of that about the fewest points if the bucket is full."""
    bucket = (query.first & (len(table) // 4 - 1)) * 4
    chosen, fewest = bucket, 64
    low, high = 2 - query.size, query.size - 2
    for slot in range(bucket, bucket + 4):
        data = table[slot, 1]
        if table[slot, 0] ^ data == query.first and (data >> 20) & 0x7FFFFFFFFFF == query.second:
            low, high = (data & 127) - 64, (data >> 7 & 127) - 64
            chosen = slot
            break
        if data >> 14 & 63 < fewest:
            chosen, fewest = slot, data >> 14 & 63
    if answer == YES:
        low = max(low, query.goal)
    else:
        high = min(high, query.goal - 2)
    data = low + 64 | high + 64 << 7 | query.size << 14 | query.second << 20
    table[chosen, 0] = query.first ^ data
    table[chosen, 1] = data


@jit
def load(facts: Int64Array, table: Int64Array) -> None:
    """Stores facts, see ``note``."""
    for fact in facts:
        core = fact >> 8
        first, second = hashes_of(core)
        goal = (fact >> 1 & 127) - 64
        store(Query(core, popcount(core), goal, first, second, NO), fact & 1, table)


# ---- moves ------------------------------------------------------------------------------------


@jit
def next_move(left: int, core: int, joints: int) -> tuple[int, int]:
    """A stone on the lowest of the points left, and the points left after it: a chain is one."""
    bit = left & -left
    if bit & joints:
        return bit, left ^ bit
    chain = flood(bit, core & ~joints)
    if popcount(chain) == 3:
        bit = chain & two_or_more(chain)
    return bit, left & ~chain


@jit
def safe_moves(core: int) -> int:
    """How many moves in a core don't give control."""
    joints = joints_of(core)
    left = core
    count = 0
    while left:
        bit, left = next_move(left, core, joints)
        after = peel(core ^ bit)
        loose = core ^ bit ^ after
        count += loose == 0 or control_cost(loose, after) == NO_CONTROL
    return count


@jit
def rank_of(after: int, loose: int, cost: int) -> int:
    """The rank in the move ordering: what leaves the opponent few safe moves comes early."""
    if cost < NO_CONTROL:
        return (1 << 20) + loose
    return -1 if is_symmetric(after) else safe_moves(after)


@jit
def insert_move(moves: Int64Array, count: int, move: tuple[int, ...]) -> None:
    """Inserts a move by its rank."""
    place = count
    while place > 0 and moves[place - 1, RANK] > move[RANK]:
        for field in range(FIELDS):
            moves[place, field] = moves[place - 1, field]
        place -= 1
    for field in range(FIELDS):
        moves[place, field] = move[field]


@jit
def list_moves(query: Query, moves: Int64Array, table: Int64Array) -> tuple[int, int]:
    """Lists the moves that the table doesn't decide; or finds one that reaches the goal.

    Returns how many, and the stone of the move found, or 0.
    """
    joints = joints_of(query.core)
    left = query.core
    kept = 0
    while left:
        bit, left = next_move(left, query.core, joints)
        after = peel(query.core ^ bit)
        set_loose = query.core ^ bit ^ after
        loose = popcount(set_loose)
        cost = control_cost(set_loose, after) if set_loose else NO_CONTROL
        most, least = 1 - loose - query.goal, query.goal - 1 + loose - 2 * cost
        if least > most:
            continue
        count = query.size - 1 - loose
        first, second = hashes_of(after)
        low, high = bounds_of(first, second, count, table)
        if low > most or high < least:
            continue
        if high <= most and low >= least:
            return 0, bit
        rank = rank_of(after, loose, cost)
        insert_move(moves, kept, (after, loose, cost, rank, first, second, bit))
        kept += 1
    return kept, 0


# ---- the search -------------------------------------------------------------------------------


@jit
def note(query: Query, winner: int, own: Own) -> None:
    """Notes a fact: the core, goal + 64 in 7 bits, the answer in 1; and the place of the stone."""
    if own.counters[LOGGED] < len(own.log):
        entry = own.log[own.counters[LOGGED]]
        entry[0] = query.core << 8 | (query.goal + 64) << 1 | (winner != 0)
        entry[1] = lowest_place(winner) if winner else -1
        own.counters[LOGGED] += 1


@recursive
def ask(query: Query, depth: int, shared: Shared, own: Own, limits: Limits) -> int:
    """Searches a query that the table doesn't answer; STOPPED if it had to stop."""
    own.counters[NODES] += 1
    moves = own.stack[depth]
    kept, winner = list_moves(query, moves, shared.table)
    is_shared = query.size >= limits.split
    for turn in range(2):
        for index in range(kept):
            if moves[index, AFTER] == TAKEN or winner:
                continue
            first, second = moves[index, FIRST], moves[index, SECOND]
            slot = first & (len(shared.busy) - 1)
            is_busy = is_shared and query.expected == NO and shared.busy[slot] == first
            if turn == 0 and is_busy:
                continue
            core, loose, cost = moves[index, AFTER], moves[index, LOOSE], moves[index, COST]
            moves[index, AFTER] = TAKEN
            count = query.size - 1 - loose
            most, least = 1 - loose - query.goal, query.goal - 1 + loose - 2 * cost
            low, high = bounds_of(first, second, count, shared.table)
            if is_shared:
                shared.busy[slot] = first
            answer = YES if low > most else NO
            if low <= most < high:
                after = Query(core, count, most + 2, first, second, 1 - query.expected)
                answer = ask(after, depth + 1, shared, own, limits)
            if answer == NO:
                answer = NO if low >= least else YES
                if low < least <= high:
                    after = Query(core, count, least, first, second, query.expected)
                    answer = ask(after, depth + 1, shared, own, limits)
                    if answer != STOPPED:
                        answer = 1 - answer
            if is_shared:
                if shared.busy[slot] == first:
                    shared.busy[slot] = 0
                if shared.stop[0]:
                    return STOPPED
            if answer == STOPPED:
                return STOPPED
            if answer == NO:
                winner = moves[index, BIT]
            elif is_shared:
                low, high = bounds_of(query.first, query.second, query.size, shared.table)
                if low >= query.goal:
                    return YES
                if high < query.goal:
                    return NO
    answer = YES if winner else NO
    store(query, answer, shared.table)
    if query.size >= limits.log:
        note(query, winner, own)
    return answer


# ---- the proof --------------------------------------------------------------------------------


@jit
def is_new(fact: int, seen: Int64Array) -> bool:
    """Whether a fact isn't in a hash table; then it is put there."""
    slot = mix(fact, -7046029254386353131, -4658895280553007687) & (len(seen) - 1)
    while seen[slot] != 0:
        if seen[slot] == fact:
            return False
        slot = (slot + 1) & (len(seen) - 1)
    seen[slot] = fact
    return True


@jit
def write_proof(count: int, smallest: int, table: Int64Array, proof: Proof) -> int:
    """Follows claims through the table, down to cores of ``smallest`` points.

    Claims are about cores up to symmetry. What the table has forgotten isn't a fact. Returns the
    number of facts, or -1 if they don't fit.
    """
    facts, followed = 0, 0
    while count:
        count -= 1
        core, goal, answer = proof.claims[count, 0], proof.claims[count, 1], proof.claims[count, 2]
        fact = core << 8 | (goal + 64) << 1 | answer
        if not is_new(fact, proof.seen):
            continue
        followed += 1
        if followed > len(proof.facts) or count + 2 * popcount(core) > len(proof.claims):
            return -1
        count, winner = follow(core, goal, answer, smallest, count, table, proof)
        if answer == NO or winner:
            proof.facts[facts] = fact
            proof.winners[facts] = lowest_place(winner) if winner else -1
            facts += 1
    return facts


@jit
def follow(
    core: int, goal: int, answer: int, smallest: int, count: int, table: Int64Array, proof: Proof
) -> tuple[int, int]:
    """Adds the claims that a claim rests on; returns how many there are now, and a stone or 0."""
    joints = joints_of(core)
    left = core
    while left:
        bit, left = next_move(left, core, joints)
        after = peel(core ^ bit)
        set_loose = core ^ bit ^ after
        loose = popcount(set_loose)
        cost = control_cost(set_loose, after) if set_loose else NO_CONTROL
        most, least = 1 - loose - goal, goal - 1 + loose - 2 * cost
        if least > most:
            continue
        first, second = hashes_of(after)
        size = popcount(after)
        low, high = bounds_of(first, second, size, table)
        shows = answer == YES and high <= most and low >= least
        for rests, bound, how in (
            (shows or (answer == NO and low <= most and high < least), least, answer),
            (shows or (answer == NO and low > most), most + 2, 1 - answer),
        ):
            if rests and size >= smallest and abs(bound) <= POINTS:
                proof.claims[count, 0], proof.claims[count, 1] = canonical(after), bound
                proof.claims[count, 2] = how
                count += 1
        if shows:
            return count, bit
    return count, 0
