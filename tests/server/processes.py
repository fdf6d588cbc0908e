"""The processes of the system."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Iterator


def descendants(pid: int) -> list[int]:
    """The descendants of a process."""
    parents = {int(words[0]): int(words[1]) for words in _listed("-A", "-o", "pid=,ppid=")}
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {pid})


def is_running(pid: int) -> bool:
    """Whether a process is alive, and not a zombie."""
    states = _listed("-o", "stat=", "-p", str(pid))
    return bool(states) and not states[0][0].startswith("Z")


def _listed(*how: str) -> list[list[str]]:
    output = subprocess.run(["ps", *how], capture_output=True, text=True, check=False).stdout
    return [line.split() for line in output.splitlines()]


@contextlib.contextmanager
def killed_after(pids: list[int], seconds: float) -> Iterator[None]:
    """Kill processes and their descendants after a while, unless the context ends before.

    For code that would wait for them forever.
    """

    def end() -> None:
        for pid in [each for first in pids for each in (first, *descendants(first))]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
