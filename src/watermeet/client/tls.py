"""TLS for a socket on which one thread reads while another writes.

``websockets`` does that, and Python's TLS sockets don't support it everywhere: until 3.13 nothing
protects OpenSSL's state, and one connection in about a thousand hangs after the handshake. Here the
two threads take turns, and neither waits for the network while it has its turn.
"""

from __future__ import annotations

import selectors
import ssl
import threading
from typing import Any


class SharedSocket(ssl.SSLSocket):
    """A TLS socket that two threads may use, one to read and one to write."""

    # ``ssl`` makes its sockets without calling __init__.

    def settimeout(self, value: float | None, /) -> None:
        """As usual; but once the handshake is over, OpenSSL itself never waits."""
        if self.version() is None:
            super().settimeout(value)
            return
        self._limit, self._turn = value, self.__dict__.get("_turn") or threading.Lock()
        super().settimeout(0.0)

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """What has arrived; waits for it."""
        while True:
            try:
                with self._turn:
                    return super().recv(buflen, flags)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as wish:
                self._wait(wish)

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send all of it; waits while the network is busy."""
        left = memoryview(data).cast("B")
        while left:
            try:
                with self._turn:
                    left = left[super().send(left, flags) :]
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as wish:
                self._wait(wish)

    def _wait(self, wish: ssl.SSLError) -> None:
        wants_read = isinstance(wish, ssl.SSLWantReadError)
        with selectors.DefaultSelector() as selector:
            selector.register(self, selectors.EVENT_READ if wants_read else selectors.EVENT_WRITE)
            if not selector.select(self._limit):
                raise TimeoutError("timed out")


def shared_context() -> ssl.SSLContext:
    """The default context, with sockets that two threads may use."""
    context = ssl.create_default_context()
    context.sslsocket_class = SharedSocket
    return context
