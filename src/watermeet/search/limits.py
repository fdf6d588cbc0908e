"""How long a search may think: seconds, nodes or both, and a way to stop it from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

PIECE_SECONDS = 0.004
"""A search works in pieces of about this length, and asks in between whether it may go on."""


@dataclass(frozen=True)
class Limits:
    """When to stop; whichever comes first. Nodes are simulations, or states of alpha-beta."""

    seconds: float | None = None
    nodes: int | None = None
    stop: threading.Event = field(default_factory=threading.Event, compare=False)
    """Set it, from any thread, and the search ends within milliseconds."""

    def __post_init__(self) -> None:
        if self.seconds is None and self.nodes is None:
            raise ValueError("say how many seconds or nodes a search may take")


def run_in_pieces(
    work: Callable[[int], tuple[int, bool]], limits: Limits, started: float, most: int = 1 << 20
) -> int:
    """Calls ``work`` with a number of nodes, until a limit is reached or it says that it is done.

    ``work`` returns how many nodes it took, and whether there is nothing left to do. Returns the
    sum. The first piece is a single node, for nobody knows yet how long one takes.
    """
    total, piece = 0, 1
    while True:
        before = time.perf_counter()
        if total > 0:  # Whoever is asked must answer something, so one node is always searched.
            if limits.nodes is not None:
                piece = min(piece, limits.nodes - total)
            is_late = limits.seconds is not None and before >= started + limits.seconds
            if piece <= 0 or is_late or limits.stop.is_set():
                return total
        done, is_finished = work(piece)
        total += done
        if is_finished:
            return total
        spent = max(time.perf_counter() - before, 1e-7)
        wanted = PIECE_SECONDS
        if limits.seconds is not None:
            wanted = min(wanted, max(started + limits.seconds - time.perf_counter(), 1e-5))
        # No more than four times as many at once: the first nodes may not be like the others.
        piece = max(1, min(most, 4 * piece, int(done * wanted / spent)))
