"""TLS sockets on which one thread reads while another writes, as those of our client do."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from watermeet.client.tls import shared_context

CONNECTIONS = 300
SENT = b"hello" * 10


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost, with its key in the same file."""
    key = tmp_path_factory.mktemp("tls") / "localhost.key"
    certificate, both = key.with_suffix(".crt"), key.with_suffix(".pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    both.write_text(key.read_text() + certificate.read_text())
    return both


def _echo(listener: socket.socket, certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with suppress(OSError):  # The listener is closed.
        while True:
            plain, _ = listener.accept()
            with suppress(OSError), context.wrap_socket(plain, server_side=True) as server:
                server.sendall(server.recv(100))


@pytest.mark.slow
def test_one_thread_reads_while_another_writes(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader is there first: it meets the session's tickets, which come unasked.

    With Python's own sockets, one in about fifty connections broke, or the whole process.
    """
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = shared_context()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_echo, args=(listener, certificate), daemon=True).start()
        for _ in range(CONNECTIONS):
            plain = socket.create_connection(listener.getsockname())
            client = context.wrap_socket(plain, server_hostname="localhost")
            client.settimeout(None)
            received: list[bytes] = []
            reader = threading.Thread(target=_read, args=(client, received), daemon=True)
            reader.start()
            client.sendall(SENT)
            reader.join(20)
            assert received == [SENT]
            client.close()


def test_reading_ends_when_time_is_up(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_echo, args=(listener, certificate), daemon=True).start()
        plain = socket.create_connection(listener.getsockname())
        with shared_context().wrap_socket(plain, server_hostname="localhost") as client:
            client.settimeout(0.05)
            with pytest.raises(TimeoutError):
                client.recv(1)


def _read(client: ssl.SSLSocket, received: list[bytes]) -> None:
    received.append(client.recv(100))
