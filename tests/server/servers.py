"""Real servers for tests and benchmarks: PostgreSQL, Valkey or Redis, each in its own folder.

They can be stopped, killed and started again, and then have the data that they had.
"""

from __future__ import annotations

import asyncio
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

START_S = 30.0


class ServerMissing(Exception):
    """The program is not installed; the message says what would help."""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def find_program(names: tuple[str, ...], package: str, folders: list[Path]) -> Path:
    """The first program of that name that is installed; newest folders first."""
    for name in names:
        for folder in folders:
            if (folder / name).exists():
                return folder / name
        if found := shutil.which(name):
            return Path(found)
    raise ServerMissing(f"no {' or '.join(names)} here (on Debian: apt-get install {package})")


def environment() -> dict[str, str]:
    """Of a server of our own: no setting of who runs the tests, and nothing of the tests."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("WATERMEET_") or name == "WATERMEET_CACHE_DIR"
    }


class Server:
    """A program that listens at a port; ``start`` returns when it answers."""

    def __init__(self, prefix: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=prefix))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _user(self) -> str | None:
        return None

    def _environment(self) -> dict[str, str] | None:
        return None  # That of this process.

    def _answers(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        """Starts it; tries again while the dead one's remains are in the way."""
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
                assert time.monotonic() < end, self._complaint()
                time.sleep(0.02)
            assert time.monotonic() < end, self._complaint()
            time.sleep(0.1)

    @property
    def is_running(self) -> bool:
        """Whether it was started and lives."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def _complaint(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends it and waits for that."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(START_S)
            self._process = None

    def kill(self) -> None:
        """Ends it as a crash would: no handler runs."""
        self.stop(signal.SIGKILL)

    def remove(self) -> None:
        """Ends it, however that looks, and deletes its folder."""
        if self.is_running:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Server):
    """A fresh cluster that syncs its disk. It refuses root: then the user postgres runs it."""

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
            "max_connections": "60",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(self._program), "-D", str(self.folder / "data"), *options]

    def _answers(self) -> bool:
        program = str(self._program.parent / "pg_isready")
        ready = [program, "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready, check=False).returncode == 0

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT is its word for: now, but in order."""
        super().stop(signal.SIGINT if how == signal.SIGTERM else how)

    def kill(self) -> None:
        """With all its processes: they would see that the first is gone, and end in order."""
        assert self._process is not None
        children = processes.below(self._process.pid)
        self._process.send_signal(signal.SIGSTOP)  # So that it starts no others meanwhile.
        for child in children:
            os.kill(child, signal.SIGKILL)
        super().kill()

    def new_database(self) -> str:
        """The address of an empty schema: as good as a database, and made in no time."""
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
    """A Valkey, or a Redis, that keeps nothing on disk."""

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
        """Its address."""
        return f"valkey://127.0.0.1:{self.port}/0"


def _version(folder: Path) -> int:
    found = re.search(r"postgresql/(\d+)", str(folder))
    return int(found[1]) if found else 0
