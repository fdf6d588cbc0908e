"""How long a search may run: seconds, nodes or both, and a way to stop it from outside."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from watermeet.core.checks import require_type
from watermeet.core.errors import InvalidOptions
from watermeet.core.game import Game
from watermeet.core.state import State

CHUNK_SECONDS = 0.004
CHUNKS_AT_LEAST = 20
"""A search works in chunks of about CHUNK_SECONDS, and of no more than one CHUNKS_AT_LEAST-th of
its time, and checks its limits in between. What a busy machine does to one of them is all that the
search can be late."""
MAX_CHUNK = 1 << 20


@dataclass(frozen=True)
class Limits:
    """When a search stops: at whichever limit it reaches first, after one node at least.

    Nodes are simulations, or nodes of alpha-beta.
    """

    seconds: float | None = None
    nodes: int | None = None
    stop: threading.Event = field(default_factory=threading.Event, compare=False)
    """Set it, from any thread, and the search ends within milliseconds."""

    def __post_init__(self) -> None:
        if self.seconds is None and self.nodes is None:
            raise InvalidOptions("a search needs a limit", "give it seconds or nodes")
        for name, value, kind in (("seconds", self.seconds, float), ("nodes", self.nodes, int)):
            if value is not None:
                checked_number(name, value, kind)


def require_search(game: Game, state: object, limits: object) -> State:
    """The state, if a search of that game can start there with these limits; raises otherwise."""
    require_type(limits, Limits, "limits")
    return game.require_turn(state)


def checked_number(name: str, value: Any, kind: type[Any], high: float = math.inf) -> Any:
    """A number of 0 or more as a bool, an int or a float; else raises InvalidOptions."""
    if isinstance(value, bool | int | float | np.number) and math.isfinite(value):
        is_kind = value in (0, 1) if kind is bool else not isinstance(value, bool)
        if is_kind and 0 <= value <= high and kind(value) == value:
            return kind(value)
    allowed = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
    if kind is not bool:
        allowed += ", 0 or more" if high == math.inf else f" from 0 to {high:g}"
    raise InvalidOptions(f"{name} can't be {value!r}", f"it is {allowed}")


def run_in_chunks(
    work: Callable[[int], tuple[int, bool]],
    limits: Limits,
    started: float,
    nodes: int = 0,
    clock: Callable[[], float] | None = None,
) -> tuple[int, bool]:
    """Call ``work`` with a number of nodes until it is finished or a limit is reached.

    ``work`` returns how many nodes it searched and whether it is finished; so does this, for all of
    them and the ``nodes`` before. The first chunk is one node, for its time is unknown.
    """
    clock = clock or time.perf_counter
    total, chunk = nodes, 1
    while True:
        before = clock()
        if total > 0:
            if limits.nodes is not None:
                chunk = min(chunk, limits.nodes - total)
            is_late = limits.seconds is not None and before >= started + limits.seconds
            if chunk <= 0 or is_late or limits.stop.is_set():
                return total, False
        done, is_finished = work(chunk)
        total += done
        if is_finished:
            return total, True
        now = clock()
        wanted = CHUNK_SECONDS
        if limits.seconds is not None:
            left = max(started + limits.seconds - now, 1e-5)
            wanted = min(wanted, limits.seconds / CHUNKS_AT_LEAST, left)
        # At most four times the last chunk: later nodes may be slower than the first ones.
        chunk = max(1, min(MAX_CHUNK, 4 * chunk, int(done * wanted / max(now - before, 1e-7))))
