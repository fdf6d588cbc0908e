"""A connection between browser and server that tests can cut and mend."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Cable:
    """A proxy that passes bytes both ways until it is cut; they take `delay_s` each way."""

    def __init__(self, server: str) -> None:
        host, port = server.removeprefix("http://").split(":")
        self._server = (host, int(port))
        self._ends: set[socket.socket] = set()
        self._is_cut = False
        self.delay_s = 0.0
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        self._is_cut = True
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return  # It was closed.
            if self._is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(self._server)
            except OSError:  # The next attempt may get through.
                near.close()
                continue
            threading.Thread(target=self._join, args=(near, far), daemon=True).start()

    def _join(self, near: socket.socket, far: socket.socket) -> None:
        """Pass bytes both ways until one side hangs up."""
        with near, far:
            self._ends |= {near, far}
            back = threading.Thread(target=self._pass_on, args=(far, near), daemon=True)
            back.start()
            self._pass_on(near, far)
            back.join()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        late: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        deliver = threading.Thread(target=self._deliver, args=(late, other), daemon=True)
        deliver.start()
        with suppress(OSError):
            while data := one.recv(65536):
                late.put((time.monotonic() + self.delay_s, data))
        late.put((0.0, b""))
        deliver.join()
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # Ends the other direction, too.
        self._ends.discard(one)

    def _deliver(self, late: queue.SimpleQueue[tuple[float, bytes]], to: socket.socket) -> None:
        """Send each piece at its time, in order; nothing ends it."""
        with suppress(OSError):
            while True:
                at, data = late.get()
                if not data:
                    return
                time.sleep(max(0.0, at - time.monotonic()))
                to.sendall(data)


@contextmanager
def cable(server: str) -> Iterator[Cable]:
    """Yield a cable to a server."""
    made = Cable(server)
    try:
        yield made
    finally:
        made.close()
