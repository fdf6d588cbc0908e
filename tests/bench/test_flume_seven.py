"""The solver of whole boards of Flume with threads, and the checker of its proofs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow  # Two compilations.

ROOT = Path(__file__).parents[2]


def run(module: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, str(folder), "--board", "5x5", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_proof_is_found_by_two_threads_and_checked_and_a_forged_one_is_refused(
    tmp_path: Path,
) -> None:
    solved = run(
        "bench.flume_seven", tmp_path, "--threads", "2", "--table-gib", "0.1", "--log-from", "18"
    )
    assert solved.returncode == 0, solved.stderr
    state = json.loads((tmp_path / "state.json").read_text())
    assert state["empty"] == 1
    checked = run("bench.flume_seven.check", tmp_path, "--table-gib", "0.1")
    assert "0 wrong" in checked.stdout, checked.stderr
    assert checked.returncode == 0
    with np.load(tmp_path / "proof.npz") as saved:
        facts, winners = saved["facts"], saved["winners"]
    np.savez(tmp_path / "proof.npz", facts=facts + 4, winners=winners)  # All goals higher by two.
    forged = run("bench.flume_seven.check", tmp_path, "--table-gib", "0.1", "--value", "3")
    assert forged.returncode != 0
    assert "a leaf is wrong" in forged.stderr or "does not follow" in forged.stderr
