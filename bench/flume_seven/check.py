"""Checks a proof of the value of an empty board of Flume, independently of the solver.

python -m bench.flume_seven.check FOLDER --threads 14 --table-gib 16 --seconds 500

The proof is a list of facts about cores (2-cores of sets of free points): "its value is at least
g", with the stone that shows it, or "its value is less than g". The check has two parts:

1. *Coverage.* From the two claims about the empty board down, every claim has to follow from others
   by the rules: for "at least", by the given stone; for "less than", by an answer to each stone.
   Claims that no fact supports are *leaves*.
2. *Leaves.* Each is searched, in random order, with a table of this module's own. Its keys are the
   positions themselves, up to symmetry and translation, so no two positions share one.

It shares no code with the solver. What it takes for granted is the core theorem
(docs/concepts/flume-solved.md). Points are bits 7 * row + column here.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

Int64Array = npt.NDArray[np.int64]

SIDE = 7
POINTS = SIDE * SIDE
NEVER = 99

jit: Any = numba.njit(nogil=True, cache=True)
recursive: Any = numba.njit(nogil=True)
"""Numba's cache can't hold callers of recursive functions."""


def _images() -> Int64Array:
    """[8, 7, 128]: what the points of one row become, by symmetry, row and the row's bits."""
    images = np.zeros((8, SIDE, 1 << SIDE), dtype=np.int64)
    for symmetry in range(8):
        for row in range(SIDE):
            for bits in range(1 << SIDE):
                for column in range(SIDE):
                    if bits >> column & 1:
                        r, c = (column, row) if symmetry & 1 else (row, column)
                        r = SIDE - 1 - r if symmetry & 2 else r
                        c = SIDE - 1 - c if symmetry & 4 else c
                        images[symmetry, row, bits] |= 1 << (SIDE * r + c)
    return images


IMAGES = _images()
ALL = (1 << POINTS) - 1
FIRST_COLUMN = sum(1 << (SIDE * row) for row in range(SIDE))
BUT_FIRST, BUT_LAST = ALL ^ FIRST_COLUMN, ALL ^ FIRST_COLUMN << (SIDE - 1)


@jit
def size_of(points: int) -> int:
    """How many points a set has."""
    count = 0
    while points:
        points &= points - 1
        count += 1
    return count


@jit
def next_to(points: int) -> int:
    """All points next to a point of a set."""
    sides = (points << 1 & BUT_FIRST) | (points >> 1 & BUT_LAST)
    return sides | (points << SIDE & ALL) | points >> SIDE


@jit
def next_to_two(points: int) -> int:
    """All points next to two or more points of a set."""
    left, right = points << 1 & BUT_FIRST, points >> 1 & BUT_LAST
    above, below = points << SIDE & ALL, points >> SIDE
    return (left & right) | (above & below) | ((left | right) & (above | below))


@jit
def core_of(points: int) -> int:
    """Takes away points with at most one neighbour, again and again."""
    core = points & next_to_two(points)
    while core != points:
        points = core
        core = points & next_to_two(points)
    return core


@jit
def cost_of(loose: int, core: int) -> int:
    """The cost of control: 1, 2, or NEVER."""
    if loose & next_to(loose) & next_to(core):
        return 1
    return 2 if loose & next_to_two(loose) else NEVER


@jit
def least_image(points: int) -> int:
    """The least of all images by the eight symmetries, moved to the corner."""
    least = 1 << 60
    if points == 0:
        return 0
    for symmetry in range(8):
        image = 0
        left = points
        for row in range(SIDE):
            image |= IMAGES[symmetry, row, left & 127]
            left >>= SIDE
        while image & 127 == 0:
            image >>= SIDE
        while image & FIRST_COLUMN == 0:
            image >>= 1
        least = min(least, image)
    return least


@jit
def list_stones(core: int, stones: Int64Array) -> int:
    """Writes the core after each stone, its key, the loose points and the cost of control."""
    count = 0
    left = core
    while left:
        bit = left & -left
        left ^= bit
        after = core_of(core ^ bit)
        loose = core ^ bit ^ after
        cost = cost_of(loose, after)
        is_new = True
        for index in range(count):
            if stones[index, 0] == after and stones[index, 3] == cost:
                is_new = False
        if is_new:
            stones[count, 0] = after
            stones[count, 1] = least_image(after)
            stones[count, 2] = size_of(loose)
            stones[count, 3] = cost
            stones[count, 4] = -size_of(next_to(bit) & core) + (100 if cost < NEVER else 0)
            count += 1
    return count


# ---- the search of leaves: one word per position, its key and two bounds ------------------------


@jit
def place_of(key: int, table: Int64Array) -> int:
    """The first of the eight slots of a key."""
    mixed = key * 7046029254386353131
    return ((mixed >> 20) & (len(table) // 8 - 1)) * 8


@jit
def bounds_of(key: int, count: int, table: Int64Array) -> int:
    """Two bounds, low + 64 << 7 | high + 64."""
    place = place_of(key, table)
    for slot in range(place, place + 8):
        word = table[slot]
        if word >> 14 == key:
            return word & 0x3FFF
    return (64 - count) << 7 | (64 + count)


@jit
def keep(key: int, count: int, goal: int, is_reached: bool, table: Int64Array) -> None:
    """Keeps an answer, in place of that about the fewest points if the slots are taken."""
    place = place_of(key, table)
    chosen, fewest = place, 99
    low, high = 64 - count, 64 + count
    for slot in range(place, place + 8):
        word = table[slot]
        if word >> 14 == key:
            chosen = slot
            low, high = word >> 7 & 127, word & 127
            break
        size = size_of(word >> 14)
        if size < fewest:
            chosen, fewest = slot, size
    if is_reached:
        low = max(low, goal + 64)
    else:
        high = min(high, goal + 62)
    table[chosen] = key << 14 | low << 7 | high


@recursive
def is_at_least(
    core: int,
    key: int,
    goal: int,
    depth: int,
    table: Int64Array,
    stack: Int64Array,
    nodes: Int64Array,
) -> bool:
    """Whether the value of a core is at least goal (of the same parity)."""
    count = size_of(core)
    if core == 0:
        return goal <= 0
    bounds = bounds_of(key, count, table)
    if (bounds >> 7) - 64 >= goal:
        return True
    if (bounds & 127) - 64 < goal:
        return False
    nodes[0] += 1
    stones = stack[depth]
    total = list_stones(core, stones)
    for turn in range(2):
        for index in range(total):
            best = index
            if turn:
                for other in range(index + 1, total):
                    if stones[other, 4] < stones[best, 4]:
                        best = other
                if best != index:
                    for field in range(5):
                        kept = stones[index, field]
                        stones[index, field] = stones[best, field]
                        stones[best, field] = kept
            after, image = stones[index, 0], stones[index, 1]
            loose, cost = stones[index, 2], stones[index, 3]
            most, least = 1 - loose - goal, goal - 1 + loose - 2 * cost
            if least > most:
                continue
            if turn == 0:  # What the table knows first.
                left = count - 1 - loose
                bounds = bounds_of(image, left, table) if after else 64 << 7 | 64
                if (bounds & 127) - 64 <= most and (bounds >> 7) - 64 >= least:
                    keep(key, count, goal, True, table)
                    return True
            elif not is_at_least(after, image, most + 2, depth + 1, table, stack, nodes) and (
                cost == NEVER or is_at_least(after, image, least, depth + 1, table, stack, nodes)
            ):
                keep(key, count, goal, True, table)
                return True
    keep(key, count, goal, False, table)
    return False


@recursive
def search_leaves(
    leaves: Int64Array,
    table: Int64Array,
    stack: Int64Array,
    nodes: Int64Array,
    done: Int64Array,
    stop: Int64Array,
) -> int:
    """Searches leaves; returns the place of one that is wrong, or -1."""
    for index in range(len(leaves)):
        if stop[0]:
            return -1
        core, reached, missed = leaves[index, 0], leaves[index, 1], leaves[index, 2]
        is_right = reached < NEVER and is_at_least(core, core, reached, 0, table, stack, nodes)
        if not is_right and missed > -NEVER:
            is_right = not is_at_least(core, core, missed, 0, table, stack, nodes)
        if not is_right:
            return index
        done[0] += 1
    return -1


# ---- coverage ---------------------------------------------------------------------------------


@jit
def find(words: Int64Array, slots: Int64Array) -> int:
    """The slot of three words in a hash table, or of the empty place for them."""
    mixed = (words[0] * 7046029254386353131) ^ (words[1] * 998244353) ^ (words[2] * 19260817)
    slot = (mixed ^ mixed >> 31) & (len(slots) - 1)
    while slots[slot, 3] and (
        slots[slot, 0] != words[0] or slots[slot, 1] != words[1] or slots[slot, 2] != words[2]
    ):
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@jit
def index_facts(
    cores: Int64Array,
    goals: Int64Array,
    answers: Int64Array,
    winners: Int64Array,
    slots: Int64Array,
) -> None:
    """Slots by (key, answer, 0): the strongest goal, and the key after the winning stone."""
    words = np.zeros(3, dtype=np.int64)
    for index in range(len(cores)):
        words[0], words[1] = least_image(cores[index]), answers[index]
        slot = find(words, slots)
        goal = goals[index]
        is_better = goal > slots[slot, 4] if answers[index] else goal < slots[slot, 4]
        if slots[slot, 3] == 0 or is_better:
            slots[slot, 0], slots[slot, 1], slots[slot, 3] = words[0], words[1], 1
            slots[slot, 4] = goal
            if answers[index]:
                slots[slot, 5] = least_image(core_of(cores[index] ^ (1 << winners[index])))


@jit
def add_leaf(
    core: int,
    reached: int,
    missed: int,
    seen_leaves: Int64Array,
    leaves: Int64Array,
    counts: Int64Array,
) -> None:
    """Adds a leaf, "at least reached or less than missed", once."""
    words = np.array([core, reached, missed])
    slot = find(words, seen_leaves)
    if seen_leaves[slot, 3] == 0:
        seen_leaves[slot, 0], seen_leaves[slot, 1] = core, reached
        seen_leaves[slot, 2], seen_leaves[slot, 3] = missed, 1
        leaves[counts[1], 0], leaves[counts[1], 1], leaves[counts[1], 2] = core, reached, missed
        counts[1] += 1


@jit
def supports(key: int, goal: int, answer: int, facts: Int64Array) -> bool:
    """Whether a fact supports a claim."""
    slot = find(np.array([key, answer, 0]), facts)
    if facts[slot, 3] == 0:
        return False
    return facts[slot, 4] >= goal if answer else facts[slot, 4] <= goal


@jit
def cover(
    claims: Int64Array,
    open_count: int,
    facts: Int64Array,
    seen: Int64Array,
    seen_leaves: Int64Array,
    leaves: Int64Array,
    counts: Int64Array,
) -> bool:
    """Follows all claims; False if a fact's own stone doesn't show it."""
    stones = np.zeros((POINTS, 5), dtype=np.int64)
    while open_count:
        if open_count + POINTS > len(claims) or counts[1] + POINTS > len(leaves):
            return False
        open_count -= 1
        core, goal, answer = claims[open_count, 0], claims[open_count, 1], claims[open_count, 2]
        if (goal ^ size_of(core)) & 1:  # Values have the parity of the core.
            return False
        if core == 0 or not supports(core, goal, answer, facts):
            if answer:
                add_leaf(core, goal, -NEVER, seen_leaves, leaves, counts)
            else:
                add_leaf(core, NEVER, goal, seen_leaves, leaves, counts)
            continue
        fact = find(np.array([core, answer, 0]), facts)
        goal = facts[fact, 4]
        if (goal ^ size_of(core)) & 1:
            return False
        slot = find(np.array([core, goal, answer]), seen)
        if seen[slot, 3]:
            continue
        seen[slot, 0], seen[slot, 1], seen[slot, 2], seen[slot, 3] = core, goal, answer, 1
        counts[0] += 1
        total = list_stones(core, stones)
        if answer:  # Of several stones that leave the same core, the one with the highest cost.
            shown = -1
            for index in range(total):
                if stones[index, 1] == facts[fact, 5] and (
                    shown < 0 or stones[index, 3] > stones[shown, 3]
                ):
                    shown = index
            if shown < 0:
                return False
            after, loose, cost = stones[shown, 1], stones[shown, 2], stones[shown, 3]
            most, least = 1 - loose - goal, goal - 1 + loose - 2 * cost
            if least > most:
                return False
            claims[open_count, 0], claims[open_count, 1], claims[open_count, 2] = after, most + 2, 0
            open_count += 1
            if cost < NEVER:
                claims[open_count, 0], claims[open_count, 1] = after, least
                claims[open_count, 2] = 1
                open_count += 1
            continue
        for index in range(total):
            after, loose, cost = stones[index, 1], stones[index, 2], stones[index, 3]
            most, least = 1 - loose - goal, goal - 1 + loose - 2 * cost
            if least <= most:
                if supports(after, most + 2, 1, facts):
                    claims[open_count, 0], claims[open_count, 1] = after, most + 2
                    claims[open_count, 2] = 1
                    open_count += 1
                elif cost < NEVER and supports(after, least, 0, facts):
                    claims[open_count, 0], claims[open_count, 1] = after, least
                    claims[open_count, 2] = 0
                    open_count += 1
                else:
                    missed = least if cost < NEVER else -NEVER
                    add_leaf(after, most + 2, missed, seen_leaves, leaves, counts)
    return True


def to_sevens(cores: Int64Array) -> Int64Array:
    """From rows of eight bits to rows of seven."""
    return sum(((cores >> 8 * row & 127) << 7 * row for row in range(SIDE)), np.zeros_like(cores))


def main() -> None:
    """Checks the value of an empty board."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder")
    parser.add_argument("--board", default="7x7")
    parser.add_argument("--value", type=int, help="the value to check; by default the solver's")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--table-gib", type=float, default=1)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    folder = Path(chosen.folder)
    height, width = (int(side) for side in chosen.board.split("x"))
    value = chosen.value
    if value is None:
        value = json.loads((folder / "state.json").read_text())["empty"]
    with np.load(folder / "proof.npz") as saved:
        facts, winners = saved["facts"], saved["winners"].astype(np.int64)
    if len(winners) != len(facts):
        raise SystemExit("each fact needs a stone, or -1")
    winners = np.maximum(winners // 8 * 7 + winners % 8, 0)
    slots = np.zeros((1 << int(len(facts) * 1.5).bit_length(), 6), dtype=np.int64)
    index_facts(to_sevens(facts >> 8), (facts >> 1 & 127) - 64, facts & 1, winners, slots)
    if not (2 <= height <= SIDE and 2 <= width <= SIDE):
        raise SystemExit(f"a board of {chosen.board} doesn't fit: 2x2 to 7x7 do")
    full = sum(1 << (7 * row + column) for row in range(height) for column in range(width))
    full = least_image(full)
    most = 1 << 25
    claims = np.zeros((1 << 24, 3), dtype=np.int64)
    claims[0], claims[1] = (full, value, 1), (full, value + 2, 0)
    counts = np.zeros(2, dtype=np.int64)
    leaves = np.zeros((most, 3), dtype=np.int64)
    begin = time.time()
    seen = np.zeros_like(slots)
    is_covered = cover(claims, 2, slots, seen, np.zeros((2 * most, 4), np.int64), leaves, counts)
    print(
        f"{chosen.board} is worth {value:+}? {len(facts):,} facts; {counts[0]:,} needed, "
        f"{counts[1]:,} leaves ({time.time() - begin:.1f} s)",
        flush=True,
    )
    if not is_covered:
        raise SystemExit("NOT PROVEN: a fact doesn't follow, or there are too many leaves")
    if counts[0] < 2:
        raise SystemExit("NOT PROVEN: no fact supports the claims about the empty board")
    leaves = leaves[: counts[1]]
    sizes = np.bitwise_count(leaves[:, 0])
    print(
        "points of leaves:",
        dict(zip(*(x.tolist() for x in np.unique(sizes, return_counts=True)), strict=True)),
        flush=True,
    )
    del claims, slots, seen
    np.random.default_rng(chosen.seed).shuffle(leaves)
    check_leaves(leaves, chosen)


def check_leaves(leaves: Int64Array, chosen: argparse.Namespace) -> None:
    """Searches the leaves in threads, until time runs out."""
    threads = chosen.threads
    table = np.zeros(1 << int(np.log2(chosen.table_gib * 2**27)), dtype=np.int64)
    nodes = [np.zeros(8, dtype=np.int64) for _ in range(threads)]
    done = [np.zeros(8, dtype=np.int64) for _ in range(threads)]
    stop = np.zeros(1, dtype=np.int64)
    wrong = [-1] * threads

    def work(index: int) -> None:
        stack = np.zeros((POINTS + 1, POINTS, 5), dtype=np.int64)
        share = np.ascontiguousarray(leaves[index::threads])
        wrong[index] = search_leaves(share, table, stack, nodes[index], done[index], stop)

    workers = [threading.Thread(target=work, args=(index,)) for index in range(threads)]
    begin = shown = time.time()
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        for worker in workers:
            worker.join(0.5)
            if worker.is_alive():
                break
        if time.time() > begin + chosen.seconds or max(wrong) >= 0:
            stop[0] = 1
        if time.time() > shown + 20:
            shown = time.time()
            print(
                f"{shown - begin:.0f} s: {sum(int(each[0]) for each in done):,} leaves, "
                f"{sum(int(each[0]) for each in nodes):,} nodes",
                flush=True,
            )
    count = sum(int(each[0]) for each in done)
    print(
        f"{count:,} of {len(leaves):,} leaves are right, "
        f"{sum(place >= 0 for place in wrong)} wrong; "
        f"{sum(int(each[0]) for each in nodes):,} nodes in {time.time() - begin:.1f} s"
    )
    if max(wrong) >= 0:
        raise SystemExit("NOT PROVEN: a leaf is wrong")
    if count < len(leaves):
        raise SystemExit("NOT PROVEN: not all leaves were searched; allow more --seconds")
    print("PROVEN")


if __name__ == "__main__":
    main()
