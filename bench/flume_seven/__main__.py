"""Solves the empty board of Flume, up to 7x7, with several threads and one table.

python -m bench.flume_seven FOLDER --threads 14 --table-gib 32 --seconds 540 --every-stone

Saves what is proven about large cores to FOLDER every half minute, and continues from there when it
is started again. Then it writes proof.npz: the facts on which the value of the empty board rests.
``python -m bench.flume_seven.check FOLDER`` checks them.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.flume_seven.kernels import (
    FIELDS,
    LOGGED,
    NO,
    NO_CONTROL,
    NODES,
    STOPPED,
    YES,
    Limits,
    Own,
    Query,
    Shared,
    ask,
    bounds_of,
    control_cost,
    hashes_of,
    joints_of,
    load,
    next_move,
    peel,
)

Claim = tuple[int, int, int]
"""A core, a goal, and whether its value is at least that."""

MOST_FACTS = 2_000_000
"""As many as are saved: 9 bytes each, and twice that while the file is being replaced."""


def make_shared(table_gib: float) -> Shared:
    """An empty table of at most this size, to the power of two."""
    return Shared(
        np.zeros((1 << int(np.log2(table_gib * 2**26)), 2), dtype=np.int64),
        np.zeros(1 << 16, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def make_own(log_entries: int) -> Own:
    """The buffers of one thread."""
    return Own(
        np.zeros((64, 50, FIELDS), dtype=np.int64),
        np.zeros(64, dtype=np.int64),
        np.zeros((log_entries, 2), dtype=np.int64),
    )


class Solver:
    """Answers queries with several threads, and keeps a folder of what is proven."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.folder = Path(chosen.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.shared = make_shared(chosen.table_gib)
        self.own = [make_own(chosen.log_entries) for _ in range(chosen.threads)]
        self.limits = Limits(chosen.split, chosen.log_from)
        self.begin = self.saved_at = time.time()
        self.end = self.begin + chosen.seconds
        self.old_facts = np.zeros(0, dtype=np.int64)
        self.old_winners = np.zeros(0, dtype=np.int8)
        self.state: dict[str, Any] = {"seconds": 0.0, "nodes": 0, "runs": 0, "answers": []}
        if (self.folder / "facts.npz").exists():
            with np.load(self.folder / "facts.npz") as saved:
                self.old_facts, self.old_winners = saved["facts"], saved["winners"]
            self.state = json.loads((self.folder / "state.json").read_text())
            load(self.old_facts, self.shared.table)
            print(f"continues with {len(self.old_facts):,} facts", flush=True)
        self.before = dict(self.state)
        self.state["runs"] += 1

    @property
    def nodes(self) -> int:
        """The nodes of all threads."""
        return sum(int(each.counters[NODES]) for each in self.own)

    def facts(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]:
        """The facts about the largest cores, ascending, and the stones that show them."""
        facts, winners = [self.old_facts], [self.old_winners]
        for each in self.own:
            rows = each.log[: int(each.counters[LOGGED])]
            facts.append(rows[:, 0])
            winners.append(rows[:, 1].astype(np.int8))
        fact, places = np.unique(np.concatenate(facts), return_index=True)
        winner = np.concatenate(winners)[places]
        if len(fact) > MOST_FACTS:
            counts = np.bitwise_count(fact >> 8)
            large = counts > np.sort(counts)[-MOST_FACTS]
            fact, winner = fact[large], winner[large]
        return fact, winner

    def save(self) -> None:
        """Saves facts.npz and state.json."""
        facts, winners = self.facts()
        self.state["seconds"] = round(self.before["seconds"] + time.time() - self.begin, 1)
        self.state["nodes"] = self.before["nodes"] + self.nodes
        self.state["threads"] = len(self.own)
        self.state["facts"] = len(facts)
        np.savez(self.folder / "new.facts.npz", facts=facts, winners=winners)
        (self.folder / "new.state.json").write_text(json.dumps(self.state, indent=1))
        for name in ("facts.npz", "state.json"):
            (self.folder / f"new.{name}").replace(self.folder / name)
        self.saved_at = time.time()

    def bounds(self, core: int) -> tuple[int, int]:
        """What the table knows of a core."""
        first, second = hashes_of(core)
        low, high = bounds_of(first, second, core.bit_count(), self.shared.table)
        return low, high

    def reasons(self, claim: Claim) -> tuple[int, list[Claim]] | None:
        """The place of the stone that shows a claim, else -1, and the claims that it rests on."""
        core, goal, answer = claim
        left, rests_on = core, list[Claim]()
        while left:
            bit, left = next_move(left, core, joints_of(core))
            after = peel(core ^ bit)
            set_loose = core ^ bit ^ after
            loose = set_loose.bit_count()
            cost = control_cost(set_loose, after)
            most, least = 1 - loose - goal, goal - 1 + loose - 2 * cost
            low, high = self.bounds(after)
            if least > most:
                continue
            if answer and high <= most and low >= least:
                second = [(after, least, YES)] if cost < NO_CONTROL else []
                return bit.bit_length() - 1, [(after, most + 2, NO), *second]
            if not answer and (low > most or high < least):
                rests_on.append((after, most + 2, YES) if low > most else (after, least, NO))
        return None if answer else (-1, rests_on)

    def write_proof(self, core: int, value: int) -> None:
        """Writes the facts about large cores that the value of a core rests on."""
        proof: dict[Claim, int] = {}
        claims: list[Claim] = [(core, value, YES), (core, value + 2, NO)]
        while claims:
            claim = claims.pop()
            found = None if claim in proof else self.reasons(claim)
            if found is not None:
                proof[claim] = found[0]
                claims += [each for each in found[1] if each[0].bit_count() >= self.limits.log]
        facts = [core << 8 | (goal + 64) << 1 | answer for core, goal, answer in proof]
        np.savez_compressed(
            self.folder / "proof.npz",
            facts=np.array(facts, dtype=np.int64),
            winners=np.array(list(proof.values()), dtype=np.int8),
        )
        print(f"{len(facts):,} facts in the proof", flush=True)

    def is_at_least(self, name: str, core: int, goal: int, expected: int) -> bool | None:
        """Whether a core is worth at least ``goal``; None if time ran out."""
        first, second = hashes_of(core)
        query = Query(core, core.bit_count(), goal, first, second, expected)
        answers = [STOPPED] * len(self.own)
        self.shared.stop[0] = 0
        self.shared.busy[:] = 0
        begin, nodes = time.time(), self.nodes
        is_over = threading.Event()

        def work(index: int) -> None:
            answers[index] = ask(query, 0, self.shared, self.own[index], self.limits)
            self.shared.stop[0] = 1
            is_over.set()

        workers = [threading.Thread(target=work, args=(index,)) for index in range(len(self.own))]
        for worker in workers:
            worker.start()
        shown = begin
        while not is_over.wait(1) and time.time() < self.end:
            if time.time() > shown + 20:
                shown = time.time()
                rate = (self.nodes - nodes) / (shown - begin)
                print(
                    f"{shown - self.begin:.0f} s: {name} >= {goal}? {self.nodes:,} nodes, "
                    f"{rate:,.0f} a second",
                    flush=True,
                )
            if time.time() > self.saved_at + 30:
                self.save()
        self.shared.stop[0] = 1
        for worker in workers:
            worker.join()
        found = {bool(each == YES) for each in answers if each != STOPPED}
        assert len(found) <= 1, "all threads find the same answer"
        if not found:
            return None
        answer = found.pop()
        seconds = round(time.time() - begin, 1)
        searched = self.nodes - nodes
        self.state["answers"].append([name, goal, answer, searched, seconds])
        print(f"{name} >= {goal}: {answer}, {searched:,} nodes in {seconds} s", flush=True)
        return answer

    def value(self, name: str, core: int, guess: int) -> int | None:
        """The value of a core, by null windows from a guess on; None if time ran out."""
        count = core.bit_count()
        low, high = 2 - count, count - 2
        goal = guess
        while low < high:
            goal = min(max(goal, low + 2), high)
            answer = self.is_at_least(name, core, goal, YES if goal <= guess else NO)
            if answer is None:
                self.save()
                return None
            if answer:
                low, goal = goal, goal + 2
            else:
                high, goal = goal - 2, goal - 2
        self.state[name] = low
        print(f"value of {name}: {low:+}", flush=True)
        self.save()
        return low


def main() -> None:
    """Solves the empty board, and the boards after each first stone."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder")
    parser.add_argument("--board", default="7x7")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--table-gib", type=float, default=4)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--split", type=int, default=28)
    parser.add_argument("--log-from", type=int, default=39)
    parser.add_argument("--log-entries", type=int, default=1 << 22)
    parser.add_argument("--every-stone", action="store_true")
    chosen = parser.parse_args()
    solver = Solver(chosen)
    height, width = (int(side) for side in chosen.board.split("x"))
    points = [(row, column) for row in range(height) for column in range(width)]
    full = sum(1 << (8 * row + column) for row, column in points)
    value = solver.value("empty", full, height * width % 2)
    if value is not None:
        solver.write_proof(full, value)
    seen = set()
    for row, column in points if chosen.every_stone and value is not None else []:
        rest = full ^ (1 << (8 * row + column))
        if hashes_of(rest) not in seen:
            seen.add(hashes_of(rest))
            name = f"after {'abcdefg'[column]}{row + 1}"
            if solver.value(name, rest, 1 - (value or 0)) is None:
                break


if __name__ == "__main__":
    main()
