"""The solver of whole boards of Flume with threads, and the checker of its proofs."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from bench.flume_seven import check

pytestmark = pytest.mark.slow  # Two compilations.

ROOT = Path(__file__).parents[2]


def run(
    module: str, folder: Path, *arguments: str, board: str = "5x5"
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, str(folder), "--board", board, *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_proof_is_found_by_two_threads_and_checked(tmp_path: Path) -> None:
    solved = run(
        "bench.flume_seven", tmp_path, "--threads", "2", "--table-gib", "0.1", "--log-from", "18",
        "--proof-from", "0",
    )  # fmt: skip
    assert solved.returncode == 0, solved.stderr
    state = json.loads((tmp_path / "state.json").read_text())
    assert state["empty"] == 1
    checked = run("bench.flume_seven.check", tmp_path, "--table-gib", "0.1")
    assert (checked.returncode, checked.stdout.split()[-1]) == (0, "PROVEN"), checked.stderr
    hurried = run("bench.flume_seven.check", tmp_path, "--table-gib", "0.1", "--seconds", "-1")
    assert "not all leaves were searched" in hurried.stderr
    assert hurried.returncode != 0
    with np.load(tmp_path / "proof.npz") as saved:
        facts, winners = saved["facts"], saved["winners"]
    np.savez(tmp_path / "proof.npz", facts=facts + 4, winners=winners)  # All goals higher by two.
    forged = run("bench.flume_seven.check", tmp_path, "--table-gib", "0.1", "--value", "3")
    assert forged.returncode != 0
    assert "a leaf is wrong" in forged.stderr or "doesn't follow" in forged.stderr


FORGERIES = {
    # The empty core is worth 0 and not less; from the claim that it is, the others follow.
    "the empty core": (
        "3x3", 5, [(0, 0, 0, -1), (0x70507, -4, 1, 0), (0x70707, 7, 0, -1), (0x70707, 5, 1, 9)]
    ),
    # Goals that no value can have mislead the table of the leaves.
    "parity": (
        "4x4", 0,
        [(0x60F0F0F, 1, 1, 26), (0xF0F0F0F, 0, 1, 0), (0x70F0F0F, 3, 0, -1), (0x70F0F0E, 0, 1, 9)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_proof_is_refused(name: str, tmp_path: Path) -> None:
    board, value, facts = FORGERIES[name]
    words = [core << 8 | (goal + 64) << 1 | answer for core, goal, answer, _ in facts]
    stones = np.array([stone for *_, stone in facts], dtype=np.int8)
    np.savez(tmp_path / "proof.npz", facts=np.array(words), winners=stones)
    checked = run(
        "bench.flume_seven.check", tmp_path, "--table-gib", "0.01", "--value", str(value),
        board=board,
    )  # fmt: skip
    assert "NOT PROVEN" in checked.stderr
    assert checked.returncode != 0


def near(point: int) -> set[int]:
    row, column = divmod(point, 7)
    around = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
    return {7 * r + c for r, c in around if 0 <= r < 7 and 0 <= c < 7}


def as_bits(points: set[int]) -> int:
    return sum(1 << point for point in points)


def images(points: set[int]) -> list[set[int]]:
    """The set as it is, turned and mirrored, each moved into the corner."""
    found = []
    for mirrored in (False, True):
        cells = {(c, r) if mirrored else (r, c) for r, c in (divmod(p, 7) for p in points)}
        for _ in range(4):
            cells = {(c, -r) for r, c in cells}
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            found.append({7 * (r - top) + c - left for r, c in cells})
    return found


def test_the_checker_sees_cores_control_and_symmetry_as_the_rules_do() -> None:
    rng = random.Random(4)
    costs = set()
    for _ in range(400):
        points = set(rng.sample(range(49), rng.randrange(1, 45)))
        core = set(points)
        while weak := {point for point in core if len(near(point) & core) < 2}:
            core -= weak
        loose = points - core
        assert check.core_of(as_bits(points)) == as_bits(core)
        cost = check.NEVER
        if any(len(near(point) & loose) >= 2 for point in loose):
            cost = 2
        if any(near(point) & loose and near(point) & core for point in loose):
            cost = 1
        assert check.cost_of(as_bits(loose), as_bits(core)) == cost
        costs.add(cost)
        assert check.least_image(as_bits(points)) == min(map(as_bits, images(points)))
    assert costs == {1, 2, check.NEVER}
