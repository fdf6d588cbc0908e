"""What a connection does about a client that doesn't read."""

from __future__ import annotations

from typing import Any

import pytest

from watermeet.server.api.connection import READ_BYTES, READ_SECONDS, DirectConnection


class FakeChannel:
    """A socket whose client reads when the test says so."""

    def __init__(self) -> None:
        self.queued_bytes = 0

    def write_text(self, text: bytes) -> None:
        self.queued_bytes += len(text)

    def flush(self) -> None: ...

    def abort(self) -> None: ...


class Slow:
    """A connection, its channel, and the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr("watermeet.server.api.connection.time.monotonic", lambda: self.now)
        self.channel = FakeChannel()
        transport: Any = None
        self.connection = DirectConnection(transport, self.channel, 256)
        self.connection.send_text(b"." * 1_000_000)

    def pongs(self, seconds: float, read: int) -> bool:
        """Send a pong every two seconds; the client reads so many bytes meanwhile."""
        for _ in range(int(seconds / 2)):
            self.now += 2
            self.channel.queued_bytes = max(0, self.channel.queued_bytes - read * 2 // int(seconds))
            self.connection.send_text(b"pong")
        return not self.connection.is_ended


def test_a_client_that_reads_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    assert slow.pongs(READ_SECONDS - 4, 0)
    assert not slow.pongs(8, 0)


def test_a_client_that_reads_slowly_gets_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    assert all(slow.pongs(READ_SECONDS, 2 * READ_BYTES) for _ in range(9))
    assert slow.channel.queued_bytes < 9, "a pong"
    assert slow.pongs(10 * READ_SECONDS, 10_000)


def test_a_client_that_reads_next_to_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not Slow(monkeypatch).pongs(2 * READ_SECONDS, 1_000)
