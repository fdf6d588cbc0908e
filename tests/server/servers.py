"""Real servers for tests and benchmarks: PostgreSQL, Valkey or Redis, each in its own folder.

They can be stopped, killed and restarted, and keep their data.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

from tests.server import processes

START_S = 90.0  # After a kill PostgreSQL syncs every file first, which a busy disk makes long.


class ServerMissing(Exception):
    """The program isn't installed; the message says how to install it."""


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def find_program(names: tuple[str, ...], package: str, folders: list[Path]) -> Path:
    """The first of these programs that is installed."""
    for name in names:
        for folder in folders:
            if (folder / name).exists():
                return folder / name
        if found := shutil.which(name):
            return Path(found)
    raise ServerMissing(f"{' or '.join(names)} not found (on Debian: apt-get install {package})")


def environment() -> dict[str, str]:
    """The environment of our own server, without settings of the user or the tests."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("WATERMEET_") or name == "WATERMEET_CACHE_DIR"
    }


class Server:
    """A program that listens on a port; ``start`` returns when it responds."""

    def __init__(self, prefix: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=prefix))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _user(self) -> str | None:
        return None

    def _environment(self) -> dict[str, str] | None:
        return None  # The same as ours.

    def _answers(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        """Start it; retry while remains of a killed one are in the way."""
        end = time.monotonic() + START_S
        while True:
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    self._command(),
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                    user=self._user(),
                    env=self._environment(),
                )
            while self._process.poll() is None:
                if self._answers():
                    return
                assert time.monotonic() < end, self._log_tail()
                time.sleep(0.02)
            assert time.monotonic() < end, self._log_tail()
            time.sleep(0.1)

    @property
    def is_running(self) -> bool:
        """Whether it is running."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    def _log_tail(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it and wait."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(START_S)
            self._process = None

    def kill(self) -> None:
        """Kill it, as a crash would."""
        self.stop(signal.SIGKILL)

    def remove(self) -> None:
        """Kill it and delete its folder."""
        if self.is_running:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Server):
    """A new cluster with fsync. It refuses to run as root; then the user postgres runs it."""

    def __init__(self) -> None:
        homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
        self._program = find_program(("postgres",), "postgresql", homes)
        super().__init__("watermeet-postgres-")
        if user := self._user():
            shutil.chown(self.folder, user)
        command = [str(self._program.parent / "initdb"), "-D", str(self.folder / "data")]
        command += ["-A", "trust", "-U", "watermeet", "-E", "UTF8", "--locale=C"]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, user=self._user())

    def _user(self) -> str | None:
        return "postgres" if os.geteuid() == 0 else None

    def _command(self) -> list[str]:
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            "fsync": "on",
            "shared_buffers": "32MB",
            "max_connections": "100",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(self._program), "-D", str(self.folder / "data"), *options]

    def _answers(self) -> bool:
        program = str(self._program.parent / "pg_isready")
        ready = [program, "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready, check=False).returncode == 0

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT is PostgreSQL's fast shutdown."""
        super().stop(signal.SIGINT if how == signal.SIGTERM else how)

    def kill(self) -> None:
        """Kill all its processes, or the others would shut down in order."""
        assert self._process is not None
        children = processes.descendants(self._process.pid)
        self._process.send_signal(signal.SIGSTOP)  # So that it starts no new ones.
        for child in children:
            with contextlib.suppress(ProcessLookupError):  # It may have ended by itself.
                os.kill(child, signal.SIGKILL)
        super().kill()

    def new_database(self) -> str:
        """The URL of an empty schema, which is faster to create than a database."""
        name = f"test_{uuid.uuid4().hex}"
        asyncio.run(self._execute(f"CREATE SCHEMA {name}"))
        return f"{self._url}?search_path={name}"

    @property
    def _url(self) -> str:
        return f"postgresql://watermeet@127.0.0.1:{self.port}/postgres"

    async def _execute(self, statement: str) -> None:
        import asyncpg

        connection = await asyncpg.connect(self._url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


class Valkey(Server):
    """Valkey or Redis, without persistence."""

    def __init__(self) -> None:
        names = ("valkey-server", "redis-server")
        self._program = find_program(names, "redis-server", [])
        super().__init__("watermeet-valkey-")

    def _command(self) -> list[str]:
        options = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", ""]
        return [str(self._program), *options, "--appendonly", "no", "--dir", str(self.folder)]

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as probe:
                probe.sendall(b"PING\r\n")
                return probe.recv(5) == b"+PONG"
        except OSError:
            return False

    @property
    def url(self) -> str:
        """Its URL."""
        return f"valkey://127.0.0.1:{self.port}/0"


def _version(folder: Path) -> int:
    found = re.search(r"postgresql/(\d+)", str(folder))
    return int(found[1]) if found else 0
