"""Runners play the matches: in this process, in several processes, or on a cluster.

Each is a generator of results in the order in which matches end. Closing it stops the work; matches
in progress are lost, and are played again when the job is resumed.
"""

from __future__ import annotations

import contextlib
import faulthandler
import itertools
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from watermeet.arena.match import Conditions, MatchResult, Roster, Watchdog, play_fixture
from watermeet.arena.pairing import Fixture

ResultStream = Generator[MatchResult, None, None]
Runner = Callable[[Sequence[Fixture], Conditions], ResultStream]

END_S = 6.0
"""How long a worker may take to end; it may have to end programs first."""
POLL_S = 0.5
"""How often hanging bots are looked for."""
LATE_S = 2.0
"""How long after a bot's timeout its process is killed: some fail by themselves first."""
MAX_HANGS = 3
"""After this many hangs a bot's other matches fail at once."""
STDERR = 2
BATCH = 16
"""Matches per task on a cluster, where starting a task takes longer than a short match."""


def play_locally(todo: Sequence[Fixture], conditions: Conditions) -> ResultStream:
    """Play one match after the other in this process. Nothing stops a bot that hangs."""
    return _play_with(Roster(), todo, conditions)


def _play_with(roster: Roster, todo: Sequence[Fixture], conditions: Conditions) -> ResultStream:
    with contextlib.closing(roster):
        for fixture in todo:
            yield play_fixture(fixture, conditions, roster)


# ---- processes --------------------------------------------------------------------------------


def runner_for(count: int) -> Runner:
    """A runner with this many processes; 0 for this one alone."""
    if count == 0:
        return play_locally
    return lambda todo, conditions: _play_in_processes(todo, conditions, min(count, len(todo)))


def _play_in_processes(todo: Sequence[Fixture], conditions: Conditions, count: int) -> ResultStream:
    left = iter(todo)
    busy: dict[Any, _Worker] = {}
    hung: Counter[str] = Counter()
    try:
        for fixture in itertools.islice(left, count):
            worker = _Worker(conditions)
            worker.assign(fixture)
            busy[worker.pipe] = worker
        while busy:
            ready = wait(list(busy), POLL_S)
            stuck = [pipe for pipe in busy if pipe not in ready and busy[pipe].is_stuck]
            for pipe in (*ready, *stuck):
                worker = busy.pop(pipe)
                if pipe in stuck:
                    hung[worker.awaited] += 1
                result = worker.abandon() if pipe in stuck else worker.receive()
                following, hopeless = _following(left, hung)
                if following is not None:
                    worker = worker if worker.is_alive else _Worker(conditions)
                    worker.assign(following)
                    busy[worker.pipe] = worker
                else:
                    worker.end()
                yield result
                yield from hopeless
    finally:
        for worker in busy.values():
            worker.terminate()
        for worker in busy.values():
            worker.stop()


def _following(
    left: Iterator[Fixture], hung: Counter[str]
) -> tuple[Fixture | None, Sequence[MatchResult]]:
    """The next match worth trying, and failures for those before it that aren't."""
    hopeless: list[MatchResult] = []
    for fixture in left:
        bot = next((bot for bot in fixture.bots if hung[bot] >= MAX_HANGS), None)
        if bot is None:
            return fixture, hopeless
        message = f"{bot!r} has hung {MAX_HANGS} times, so this match wasn't played"
        hopeless.append(MatchResult.failure(fixture, message))
    return None, hopeless


class _SharedWatchdog(Watchdog):
    """Writes deadlines into memory that two processes share.

    That costs next to nothing per move. Both processes read the same clock of the machine.
    """

    def __init__(self, memory: Any) -> None:
        self._memory = memory  # [deadline or 0, seat, seconds allowed]

    def start(self, seat: int, seconds: float) -> None:
        """Start a countdown for the bot at a seat."""
        self._memory[1:3] = [float(seat), seconds]
        self._memory[0] = time.monotonic() + seconds + LATE_S

    def stop(self) -> None:
        """Stop the countdown: the bot has moved."""
        self._memory[0] = 0.0

    @property
    def awaited(self) -> tuple[int, float]:
        """The seat of the latest countdown, and its seconds."""
        return int(self._memory[1]), float(self._memory[2])

    @property
    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        deadline = float(self._memory[0])
        return 0.0 < deadline < time.monotonic()


class _Worker:
    """A process that plays one match at a time, so that it is known which one killed it."""

    def __init__(self, conditions: Conditions) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        memory = context.RawArray("d", 3)
        self._watchdog = _SharedWatchdog(memory)
        # Spawned: a fork would copy locks and threads of compiled code.
        self._process = context.Process(
            target=_work, args=(theirs, memory, conditions), daemon=True
        )
        self._process.start()
        theirs.close()  # Otherwise the end of the process would go unnoticed.
        self._fixture: Fixture | None = None
        self.is_alive = True

    def assign(self, fixture: Fixture) -> None:
        """Send a match to the process."""
        self._fixture = fixture
        with contextlib.suppress(OSError):  # It is dead already: receive() reports that.
            self.pipe.send(fixture)

    @property
    def is_stuck(self) -> bool:
        """Whether a bot has exceeded its timeout."""
        return self._watchdog.is_late

    @property
    def awaited(self) -> str:
        """The bot whose move is or was awaited."""
        assert self._fixture is not None, "no match was assigned"
        return self._fixture.seats[self._watchdog.awaited[0]]

    def abandon(self) -> MatchResult:
        """Kill the process; its match has failed."""
        assert self._fixture is not None, "no match was assigned"
        seat, seconds = self._watchdog.awaited
        self.is_alive = False
        self.stop()
        message = f"{self.awaited!r} at seat {seat} didn't move within {seconds:g} s"
        return MatchResult.failure(self._fixture, f"{message}; its process was killed")

    def receive(self) -> MatchResult:
        """The result of the match, or a failure if the process died."""
        assert self._fixture is not None, "no match was assigned"
        try:
            result: MatchResult = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join(END_S)
            self.is_alive = False
            self.stop()
            reason = _exit_reason(self._process.exitcode)
            return MatchResult.failure(self._fixture, f"its process {reason}")
        return result

    def end(self) -> None:
        """Let the process finish and end."""
        if self.is_alive:
            with contextlib.suppress(OSError):
                self.pipe.send(None)
            self._process.join(END_S)
        self.stop()

    def terminate(self) -> None:
        """Ask the process to end now."""
        self._process.terminate()

    def stop(self) -> None:
        """End the process, by force if it must be."""
        self.terminate()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.pipe.close()


def _exit_reason(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    return f"exited with code {code}"


def _work(pipe: Connection, memory: Any, conditions: Conditions) -> None:
    """Play matches in a worker process until there are no more or the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent.
    signal.signal(signal.SIGTERM, _exit_cleanly)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    roster = Roster(_SharedWatchdog(memory))
    with contextlib.closing(roster), contextlib.suppress(EOFError, OSError):
        while (fixture := pipe.recv()) is not None:
            pipe.send(play_fixture(fixture, conditions, roster))


def _exit_cleanly(*_: object) -> None:
    """End this process and its programs; a second signal must not interrupt that."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


def _exit_with_parent() -> None:
    """End this process when its parent is gone.

    Otherwise it would finish its match, and slow down a job that is resumed meanwhile.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_S)
        os._exit(1)


# ---- a cluster --------------------------------------------------------------------------------


class _FatalWatchdog(Watchdog):
    """Ends this process when a bot hangs, since nothing else on a node would."""

    def start(self, seat: int, seconds: float) -> None:
        """Start a countdown for the bot at a seat."""
        # A native thread of the interpreter, which needs no lock of it.
        faulthandler.dump_traceback_later(seconds + LATE_S, exit=True, file=STDERR)

    def stop(self) -> None:
        """Stop the countdown: the bot has moved."""
        faulthandler.cancel_dump_traceback_later()


def play_batch(batch: Sequence[Fixture], conditions: Conditions) -> list[MatchResult]:
    """Play several matches in one task of a cluster. A bot that hangs ends the whole task."""
    return list(_play_with(Roster(_FatalWatchdog()), batch, conditions))


def play_on_ray(todo: Sequence[Fixture], conditions: Conditions) -> ResultStream:
    """Play on a Ray cluster: that of RAY_ADDRESS, or one on this machine alone.

    Raises ModuleNotFoundError without Ray. The package must be installed on every node. The
    matches of a lost task are tried again one by one, so that a bad one doesn't cost the others.
    Meanwhile everything that is printed goes to standard error, because Ray prints anywhere.
    """
    import ray

    with contextlib.redirect_stdout(sys.stderr):
        is_ours = not ray.is_initialized()
        if is_ours:
            ray.init(log_to_driver=False)
        try:
            yield from _play_tasks(ray, todo, conditions)
        finally:
            if is_ours:
                ray.shutdown()


def _play_tasks(ray: Any, todo: Sequence[Fixture], conditions: Conditions) -> ResultStream:
    remote = ray.remote(num_cpus=1, max_retries=0)(play_batch)
    capacity = max(1, 2 * int(ray.cluster_resources().get("CPU", 1)))
    size = max(1, min(BATCH, len(todo) // capacity))  # So that a short job uses all nodes.
    batches = deque(todo[first : first + size] for first in range(0, len(todo), size))
    running: dict[Any, Sequence[Fixture]] = {}
    try:
        while batches or running:
            while batches and len(running) < capacity:
                batch = batches.popleft()
                running[remote.remote(batch, conditions)] = batch
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            batch = running.pop(done)
            try:
                results = ray.get(done)
            except ray.exceptions.RayError as error:
                if len(batch) > 1:
                    batches.extend([fixture] for fixture in batch)
                    continue
                message = f"its task failed: {type(error).__name__}; a bot crashed the process or"
                message += " didn't move in time"
                results = [MatchResult.failure(batch[0], message)]
            yield from results
    finally:
        for task in running:
            ray.cancel(task, force=True)
