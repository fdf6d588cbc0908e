"""What the tests know of processes: which there are, and how those end that do not."""

from __future__ import annotations

import os
import subprocess

from tests.server import processes


def test_what_does_not_end_is_killed_with_all_below_it() -> None:
    script = "trap '' TERM; sleep 60 & echo $!; wait"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        child = int(shell.stdout.readline())
        assert {shell.pid, child} <= set(processes.below(os.getpid()))
        assert processes.is_running(child)
        with processes.ended_by_force([shell.pid], 0.05):
            assert shell.wait(30) == -9
        shell.stdout.read()  # Ends when nobody holds the other end.
        assert not processes.is_running(child)


def test_what_ends_in_time_is_not_killed() -> None:
    with (
        subprocess.Popen(["sleep", "0.05"]) as sleeper,
        processes.ended_by_force([sleeper.pid], 30),
    ):
        assert sleeper.wait(30) == 0
    assert not processes.is_running(sleeper.pid)
