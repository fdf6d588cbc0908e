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
    NODES,
    STOPPED,
    YES,
    Limits,
    Own,
    Proof,
    Query,
    Shared,
    ask,
    canonical,
    hashes_of,
    load,
    peel,
    write_proof,
)

MOST_FACTS = 2_000_000
"""As many as are saved: 9 bytes each, and twice that while the file is being replaced."""
MOST_PROVEN = 1 << 26
"""As many facts fit in a proof."""


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

    def write_proof(self, core: int, value: int, smallest: int) -> None:
        """Writes the facts that the value of a core rests on, down to cores of so many points."""
        table, most = self.shared.table, MOST_PROVEN
        claims = np.zeros((1 << 16, 3), dtype=np.int64)
        claims[0], claims[1] = (canonical(core), value, YES), (canonical(core), value + 2, NO)
        seen = np.zeros(1 << most.bit_length(), dtype=np.int64)
        proof = Proof(claims, seen, np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int8))
        count = write_proof(2, smallest, table, proof)
        assert count >= 0, "the proof is too long: raise --proof-from"
        np.savez_compressed(
            self.folder / "proof.npz", facts=proof.facts[:count], winners=proof.winners[:count]
        )
        print(f"{count:,} facts in the proof", flush=True)

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
    parser.add_argument(
        "--proof-from", type=int, default=36, help="the points of the smallest cores"
    )
    parser.add_argument("--log-entries", type=int, default=1 << 22)
    parser.add_argument("--every-stone", action="store_true")
    chosen = parser.parse_args()
    solver = Solver(chosen)
    height, width = (int(side) for side in chosen.board.split("x"))
    points = [(row, column) for row in range(height) for column in range(width)]
    full = sum(1 << (8 * row + column) for row, column in points)
    value = solver.value("empty", full, height * width % 2)
    if value is not None:
        solver.write_proof(full, value, chosen.proof_from)
    seen = set()
    for row, column in points if chosen.every_stone and value is not None else []:
        stone = 1 << (8 * row + column)
        core = peel(full ^ stone)
        loose = (full ^ stone ^ core).bit_count()
        assert loose < 2, "nobody can hand over yet"
        if hashes_of(core) not in seen:
            seen.add(hashes_of(core))
            name = f"after {'abcdefg'[column]}{row + 1}"
            rest = solver.value(name, core, 1 - loose - (value or 0))
            if rest is None:
                break
            print(f"{name[6:]} is worth {1 - loose - rest:+}", flush=True)


if __name__ == "__main__":
    main()
