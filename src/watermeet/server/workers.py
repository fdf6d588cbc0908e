"""Several server processes on one machine, for more than one core: each is a node of its own.

They share the port, and with it the address for clients: whichever is free accepts a connection.
Each also listens on a port of its own on this machine, for metrics and for proxies that choose.
One that ends is started again.
"""

from __future__ import annotations

import contextlib
import logging
import signal
import socket
import time
from collections.abc import Callable, Iterator
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from types import FrameType

import msgspec

from watermeet.server.errors import InvalidSettings, WorkersFailed
from watermeet.server.logs import fields
from watermeet.server.settings import Settings

LOG = logging.getLogger(__name__)
MAX_FAILURES = 3
"""How often in a row a worker may end soon after its start."""
SOON_S = 10.0
POLL_S = 0.5
GRACE_S = 5.0
"""How long a worker may take to end beyond what its sockets may."""

Work = Callable[[Settings, list[socket.socket]], None]


def check_workers(settings: Settings) -> None:
    """Raise InvalidSettings if several processes couldn't share what they need to."""
    if settings.workers > 1 and (settings.data_folder is not None or not settings.bus_url):
        raise InvalidSettings(
            "several workers need a database and a bus that they can share",
            "set store_url to a PostgreSQL database and bus_url to Valkey, or use one worker",
        )


def run_workers(
    settings: Settings, shared: socket.socket, own: list[socket.socket], work: Work
) -> None:
    """Keep a process running for each socket in ``own`` until Ctrl-C or SIGTERM.

    Raises WorkersFailed if one of them ends again and again.
    """
    alone = msgspec.structs.replace(settings, workers=1)
    team = [_Worker(number, work, alone, [shared, each]) for number, each in enumerate(own, 1)]
    with _stop_requested() as is_stopping:
        try:
            for worker in team:
                worker.start()
            while not is_stopping():
                connection.wait([worker.sentinel for worker in team], POLL_S)
                for worker in team:
                    if not is_stopping() and not worker.is_running:
                        worker.restart()
        finally:
            deadline = time.monotonic() + settings.shutdown_timeout_seconds + GRACE_S
            for worker in team:
                worker.stop()
            for worker in team:
                worker.wait(max(0.0, deadline - time.monotonic()))


class _Worker:
    """One process, and how its last starts went."""

    def __init__(
        self, number: int, work: Work, settings: Settings, sockets: list[socket.socket]
    ) -> None:
        self._number, self._work, self._settings, self._sockets = number, work, settings, sockets
        self._process: BaseProcess | None = None
        self._started_at, self._failures = 0.0, 0

    @property
    def _running(self) -> BaseProcess:
        assert self._process is not None, "it has been started"
        return self._process

    @property
    def sentinel(self) -> int:
        """What becomes ready when the process ends."""
        return self._running.sentinel

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        return self._running.is_alive()

    def start(self) -> None:
        """Start the process."""
        self._started_at = time.monotonic()
        self._process = get_context("spawn").Process(
            target=self._work, args=(self._settings, self._sockets), name=f"worker-{self._number}"
        )
        self._process.start()

    def restart(self) -> None:
        """Start it again after it has ended."""
        is_soon = time.monotonic() - self._started_at < SOON_S
        self._failures = self._failures + 1 if is_soon else 0
        LOG.error(
            "a worker has ended",
            extra=fields(worker=self._number, status=self._running.exitcode, again=self._failures),
        )
        if self._failures >= MAX_FAILURES:
            raise WorkersFailed(
                f"worker {self._number} ends as soon as it is started",
                "the lines above say why",
            )
        self.start()

    def stop(self) -> None:
        """Ask the process to end."""
        if self._process is not None:
            self._process.terminate()

    def wait(self, seconds: float) -> None:
        """Wait for the process to end, and end it if that takes too long."""
        if self._process is not None:
            self._process.join(seconds)
            if self._process.is_alive():
                self._process.kill()


@contextlib.contextmanager
def _stop_requested() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed or SIGTERM has come, within the block."""
    signals: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        signals.append(number)

    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(signals)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
