"""Who plays the matches: this process, several processes, or a cluster. All by the same function.

Each is a generator of results in the order of their ends. Closing it ends the work; what was under
way is lost, and is played again when the job goes on.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import signal
from collections.abc import Callable, Generator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from watermeet.arena.match import Conditions, Played, Roster, play_fixture
from watermeet.arena.pairing import Fixture

Plays = Generator[Played, None, None]
Crew = Callable[[Sequence[Fixture], Conditions], Plays]

END_S = 2.0
"""How long a worker may take to end when it is told to."""
BATCH = 16
"""Matches in one task of a cluster, whose tasks cost more to begin than a short match takes."""


def play_here(todo: Sequence[Fixture], conditions: Conditions) -> Plays:
    """One match after the other in this process: no bot can be stopped, and a crash is the end."""
    roster = Roster()
    with contextlib.closing(roster):
        for fixture in todo:
            yield play_fixture(fixture, conditions, roster)


def play_batch(batch: Sequence[Fixture], conditions: Conditions) -> list[Played]:
    """Several matches in one go: the task of a cluster."""
    return list(play_here(batch, conditions))


# ---- processes --------------------------------------------------------------------------------


def crew_of(count: int) -> Crew:
    """So many processes; 0 for none but this one."""
    if count == 0:
        return play_here
    return lambda todo, conditions: _play_in_processes(todo, conditions, min(count, len(todo)))


def _play_in_processes(todo: Sequence[Fixture], conditions: Conditions, count: int) -> Plays:
    left = iter(todo)
    busy: dict[Any, _Worker] = {}
    try:
        for fixture in itertools.islice(left, count):
            worker = _Worker(conditions)
            worker.give(fixture)
            busy[worker.pipe] = worker
        while busy:
            for pipe in wait(list(busy)):
                worker = busy.pop(pipe)
                played = worker.take()
                following = next(left, None)
                if following is not None:
                    worker = worker if worker.is_alive else _Worker(conditions)
                    worker.give(following)
                    busy[worker.pipe] = worker
                else:
                    worker.end()
                yield played
    finally:
        for worker in busy.values():
            worker.stop()


class _Worker:
    """A process that plays one match at a time. If it dies, it is known over which."""

    def __init__(self, conditions: Conditions) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        # Started afresh, for a fork would copy locks and threads of compiled code.
        self._process = context.Process(target=_work, args=(theirs, conditions), daemon=True)
        self._process.start()
        theirs.close()  # Else nobody would notice that the process has closed its end.
        self._fixture: Fixture | None = None
        self.is_alive = True

    def give(self, fixture: Fixture) -> None:
        """Hands a match over."""
        self._fixture = fixture
        with contextlib.suppress(OSError):  # Dead already, which take() will tell.
            self.pipe.send(fixture)

    def take(self) -> Played:
        """The match that was handed over, as it ended, or that the process died over it."""
        assert self._fixture is not None, "nothing was handed over"
        try:
            played: Played = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join(END_S)
            self.is_alive = False
            self.stop()
            reason = _death_in_words(self._process.exitcode)
            return Played.failure(self._fixture, f"the process that played it {reason}")
        return played

    def end(self) -> None:
        """Lets the process end by itself."""
        with contextlib.suppress(OSError):
            self.pipe.send(None)
        self._process.join(END_S)
        self.stop()

    def stop(self) -> None:
        """Ends the process whatever it does."""
        self._process.terminate()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.pipe.close()


def _death_in_words(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def _work(pipe: Connection, conditions: Conditions) -> None:
    """What a process does: matches, until there are no more or nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us.
    with contextlib.closing(Roster()) as roster, contextlib.suppress(EOFError, OSError):
        while (fixture := pipe.recv()) is not None:
            pipe.send(play_fixture(fixture, conditions, roster))


# ---- a cluster --------------------------------------------------------------------------------


def play_on_ray(todo: Sequence[Fixture], conditions: Conditions) -> Plays:
    """On a Ray cluster: the one that RAY_ADDRESS names, or one on this machine alone.

    Raises ModuleNotFoundError without Ray. The package must be installed on every node.
    """
    import ray

    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    remote = ray.remote(num_cpus=1, max_retries=0)(play_batch)
    room = max(1, 2 * int(ray.cluster_resources().get("CPU", 1)))
    size = max(1, min(BATCH, len(todo) // room))  # A short job is spread over all nodes too.
    batches = iter([todo[first : first + size] for first in range(0, len(todo), size)])
    under_way: dict[Any, Sequence[Fixture]] = {}
    try:
        for batch in itertools.islice(batches, room):
            under_way[remote.remote(batch, conditions)] = batch
        while under_way:
            (done, *_), _ = ray.wait(list(under_way), num_returns=1)
            batch = under_way.pop(done)
            if (following := next(batches, None)) is not None:
                under_way[remote.remote(following, conditions)] = following
            try:
                results = ray.get(done)
            except ray.exceptions.RayError as error:
                told = f"the task that played it failed: {type(error).__name__}"
                results = [Played.failure(fixture, told) for fixture in batch]
            yield from results
    finally:
        for task in under_way:
            ray.cancel(task, force=True)
