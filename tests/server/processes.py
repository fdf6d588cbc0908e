"""Processes as the system lists them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Iterator


def below(pid: int) -> list[int]:
    """All processes that a process has started, and those that they have."""
    parents = {int(words[0]): int(words[1]) for words in _listed("-A", "-o", "pid=,ppid=")}
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {pid})


def is_running(pid: int) -> bool:
    """Whether a process lives; one that is over and was not asked for does not."""
    states = _listed("-o", "stat=", "-p", str(pid))
    return bool(states) and not states[0][0].startswith("Z")


def _listed(*how: str) -> list[list[str]]:
    told = subprocess.run(["ps", *how], capture_output=True, text=True, check=False).stdout
    return [line.split() for line in told.splitlines()]


@contextlib.contextmanager
def ended_by_force(pids: list[int], seconds: float) -> Iterator[None]:
    """Kills processes, and all below them, that have not ended when that much time has passed.

    For what is waited for without end by who cannot be told not to.
    """

    def end() -> None:
        for pid in [each for first in pids for each in (first, *below(first))]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
