"""Who plays the matches: this process, several processes, or a cluster. All by the same function.

Each is a generator of results in the order of their ends. Closing it ends the work; what was under
way is lost, and is played again when the job goes on.
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

from watermeet.arena.match import Conditions, Played, Roster, Watch, play_fixture
from watermeet.arena.pairing import Fixture

Plays = Generator[Played, None, None]
Crew = Callable[[Sequence[Fixture], Conditions], Plays]

END_S = 6.0
"""How long a worker may take to end when it is told to; it may have programs to end."""
LOOK_S = 0.5
"""How often somebody looks whether a bot hangs."""
LATE_S = 2.0
"""A process is ended so much after a bot's time is up: some are given up in a gentler way."""
MOST_HUNG = 3
"""A bot that hung so often is not asked again: its other matches fail at once."""
STDERR = 2
BATCH = 16
"""Matches in one task of a cluster, whose tasks cost more to begin than a short match takes."""


def play_here(todo: Sequence[Fixture], conditions: Conditions) -> Plays:
    """One match after the other in this process: no bot can be stopped, and a crash is the end."""
    return _play_with(Roster(), todo, conditions)


def _play_with(roster: Roster, todo: Sequence[Fixture], conditions: Conditions) -> Plays:
    with contextlib.closing(roster):
        for fixture in todo:
            yield play_fixture(fixture, conditions, roster)


# ---- processes --------------------------------------------------------------------------------


def crew_of(count: int) -> Crew:
    """So many processes; 0 for none but this one."""
    if count == 0:
        return play_here
    return lambda todo, conditions: _play_in_processes(todo, conditions, min(count, len(todo)))


def _play_in_processes(todo: Sequence[Fixture], conditions: Conditions, count: int) -> Plays:
    left = iter(todo)
    busy: dict[Any, _Worker] = {}
    hung: Counter[str] = Counter()
    try:
        for fixture in itertools.islice(left, count):
            worker = _Worker(conditions)
            worker.give(fixture)
            busy[worker.pipe] = worker
        while busy:
            ready = wait(list(busy), LOOK_S)
            stuck = [pipe for pipe in busy if pipe not in ready and busy[pipe].is_stuck]
            for pipe in (*ready, *stuck):
                worker = busy.pop(pipe)
                if pipe in stuck:
                    hung[worker.awaited] += 1
                played = worker.give_up() if pipe in stuck else worker.take()
                following, hopeless = _following(left, hung)
                if following is not None:
                    worker = worker if worker.is_alive else _Worker(conditions)
                    worker.give(following)
                    busy[worker.pipe] = worker
                else:
                    worker.end()
                yield played
                yield from hopeless
    finally:
        for worker in busy.values():
            worker.ask_to_end()
        for worker in busy.values():
            worker.stop()


def _following(
    left: Iterator[Fixture], hung: Counter[str]
) -> tuple[Fixture | None, Sequence[Played]]:
    """The next match that is worth a try, and those before it that are not."""
    hopeless: list[Played] = []
    for fixture in left:
        bot = next((bot for bot in fixture.bots if hung[bot] >= MOST_HUNG), None)
        if bot is None:
            return fixture, hopeless
        told = f"{bot!r} did not answer {MOST_HUNG} times before, and was not asked again"
        hopeless.append(Played.failure(fixture, told))
    return None, hopeless


class _SharedWatch(Watch):
    """Notes in memory that two processes share whose answer is waited for, and until when.

    That costs next to nothing, however many choices there are. The clock is the machine's, and so
    the same in both.
    """

    def __init__(self, memory: Any) -> None:
        self._memory = memory  # [until when, or 0; seat; seconds allowed]

    def begin(self, seat: int, seconds: float) -> None:
        """From now on the bot at a seat is waited for."""
        self._memory[1:3] = [float(seat), seconds]
        self._memory[0] = time.monotonic() + seconds + LATE_S

    def end(self) -> None:
        """It has answered."""
        self._memory[0] = 0.0

    @property
    def awaited(self) -> tuple[int, float]:
        """The seat that is or was waited for, and how long that might take."""
        return int(self._memory[1]), float(self._memory[2])

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        until = float(self._memory[0])
        return 0.0 < until < time.monotonic()


class _Worker:
    """A process that plays one match at a time. If it dies, it is known over which."""

    def __init__(self, conditions: Conditions) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        memory = context.RawArray("d", 3)
        self._watch = _SharedWatch(memory)
        # Started afresh, for a fork would copy locks and threads of compiled code.
        self._process = context.Process(
            target=_work, args=(theirs, memory, conditions), daemon=True
        )
        self._process.start()
        theirs.close()  # Else nobody would notice that the process has closed its end.
        self._fixture: Fixture | None = None
        self.is_alive = True

    def give(self, fixture: Fixture) -> None:
        """Hands a match over."""
        self._fixture = fixture
        with contextlib.suppress(OSError):  # Dead already, which take() will tell.
            self.pipe.send(fixture)

    @property
    def is_stuck(self) -> bool:
        """Whether a bot has not answered for too long."""
        return self._watch.is_late

    @property
    def awaited(self) -> str:
        """The bot that is or was waited for."""
        assert self._fixture is not None, "nothing was handed over"
        return self._fixture.seats[self._watch.awaited[0]]

    def give_up(self) -> Played:
        """Ends the process, whatever it does; the match that was handed over failed."""
        assert self._fixture is not None, "nothing was handed over"
        seat, seconds = self._watch.awaited
        self.is_alive = False
        self.stop()
        told = f"{self.awaited!r} at seat {seat} did not answer within {seconds:g} s"
        return Played.failure(self._fixture, f"{told}; its process was ended")

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
        if self.is_alive:
            with contextlib.suppress(OSError):
                self.pipe.send(None)
            self._process.join(END_S)
        self.stop()

    def ask_to_end(self) -> None:
        """Tells the process to drop what it does."""
        self._process.terminate()

    def stop(self) -> None:
        """Ends the process whatever it does."""
        self.ask_to_end()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.pipe.close()


def _death_in_words(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def _work(pipe: Connection, memory: Any, conditions: Conditions) -> None:
    """What a process does: matches, until there are no more or nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us.
    signal.signal(signal.SIGTERM, _end_in_order)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    roster = Roster(_SharedWatch(memory))
    with contextlib.closing(roster), contextlib.suppress(EOFError, OSError):
        while (fixture := pipe.recv()) is not None:
            pipe.send(play_fixture(fixture, conditions, roster))


def _end_in_order(*_: object) -> None:
    """Ends this process, and the programs that play in it, which a second signal must not stop."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


def _end_with_parent() -> None:
    """Ends this process when the one that started it is gone.

    Else it would play its match to the end, beside the job that goes on, and take its time.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_S)
        os._exit(1)


# ---- a cluster --------------------------------------------------------------------------------


class _LastWatch(Watch):
    """Ends this process when a bot hangs: there is nobody else on a node to do it."""

    def begin(self, seat: int, seconds: float) -> None:
        """From now on the bot at a seat is waited for."""
        # A thread of the interpreter's own, which waits for no other.
        faulthandler.dump_traceback_later(seconds + LATE_S, exit=True, file=STDERR)

    def end(self) -> None:
        """It has answered."""
        faulthandler.cancel_dump_traceback_later()


def play_batch(batch: Sequence[Fixture], conditions: Conditions) -> list[Played]:
    """Several matches in one go: the task of a cluster. A bot that hangs takes it along."""
    return list(_play_with(Roster(_LastWatch()), batch, conditions))


def play_on_ray(todo: Sequence[Fixture], conditions: Conditions) -> Plays:
    """On a Ray cluster: the one that RAY_ADDRESS names, or one on this machine alone.

    Raises ModuleNotFoundError without Ray. The package must be installed on every node. The
    matches of a task that is lost are tried once more, each by itself: so one costs no other.
    While it plays, what is printed goes to standard error, for Ray prints wherever it is.
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


def _play_tasks(ray: Any, todo: Sequence[Fixture], conditions: Conditions) -> Plays:
    remote = ray.remote(num_cpus=1, max_retries=0)(play_batch)
    room = max(1, 2 * int(ray.cluster_resources().get("CPU", 1)))
    size = max(1, min(BATCH, len(todo) // room))  # A short job is spread over all nodes too.
    batches = deque(todo[first : first + size] for first in range(0, len(todo), size))
    under_way: dict[Any, Sequence[Fixture]] = {}
    try:
        while batches or under_way:
            while batches and len(under_way) < room:
                batch = batches.popleft()
                under_way[remote.remote(batch, conditions)] = batch
            (done, *_), _ = ray.wait(list(under_way), num_returns=1)
            batch = under_way.pop(done)
            try:
                results = ray.get(done)
            except ray.exceptions.RayError as error:
                if len(batch) > 1:
                    batches.extend([fixture] for fixture in batch)
                    continue
                told = f"the task that played it failed: {type(error).__name__}; a bot took its"
                told += " process along or did not answer in time"
                results = [Played.failure(batch[0], told)]
            yield from results
    finally:
        for task in under_way:
            ray.cancel(task, force=True)
