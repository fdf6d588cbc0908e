"""The helpers for processes: listing and killing."""

from __future__ import annotations

import os
import subprocess

from tests.server import processes


def test_a_hanging_process_is_killed_with_its_descendants() -> None:
    script = "trap '' TERM; sleep 60 & echo $!; wait"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        child = int(shell.stdout.readline())
        assert {shell.pid, child} <= set(processes.descendants(os.getpid()))
        assert processes.is_running(child)
        with processes.killed_after([shell.pid], 0.05):
            assert shell.wait(30) == -9
        shell.stdout.read()  # Returns when the other end is closed.
        assert not processes.is_running(child)


def test_a_process_that_ends_in_time_is_not_killed() -> None:
    with (
        subprocess.Popen(["sleep", "0.05"]) as sleeper,
        processes.killed_after([sleeper.pid], 30),
    ):
        assert sleeper.wait(30) == 0
    assert not processes.is_running(sleeper.pid)
