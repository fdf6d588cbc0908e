"""Fixtures of the server's tests: real servers, started on demand."""

from __future__ import annotations

import functools
import io
import logging
import ssl
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from argon2 import PasswordHasher

from watermeet.server import app, outgoing
from watermeet.server.api import lobby_lists
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.logs import set_up_logs
from watermeet.server.people import passwords
from watermeet.server.store.sqlite import SqliteStore
from watermeet.server.store.store import Store

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # For tests.server.servers, which bench/ uses too.

from tests.server.inside import Clock, Inside, inside  # noqa: E402
from tests.server.servers import Postgres, ServerMissing, Valkey  # noqa: E402


@pytest.fixture
def anyio_backend() -> str:
    """The server runs only on asyncio."""
    return "asyncio"


HASHES = {"_HASHER": passwords._HASHER, "_DUMMY": passwords._DUMMY}


@pytest.fixture(autouse=True, scope="session")
def _cheap_beginnings() -> Iterator[None]:
    """Read the system's certificates once, and hash passwords quickly.

    The first takes most of the time in which a server starts.
    """
    once = SimpleNamespace(create_default_context=functools.cache(ssl.create_default_context))
    hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outgoing, "ssl", once)
        patch.setattr(passwords, "_HASHER", hasher)
        patch.setattr(lobby_lists, "KEPT_S", 0.0)  # Tests look at once.
        patch.setattr(passwords, "_DUMMY", hasher.hash("nobody's"))
        yield


@pytest.fixture
def real_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords as a server does."""
    for name, value in HASHES.items():
        monkeypatch.setattr(passwords, name, value)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all servers that are started after this."""
    clock = Clock()
    monkeypatch.setattr(app, "now_ms", clock)
    return clock


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Inside]:
    """A server in this process, on SQLite."""
    async with inside(tmp_path) as found:
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def engine_settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """The settings for SQLite, and for PostgreSQL with Valkey."""
    return request.getfixturevalue("shared") if request.param == "postgresql" else {}


@pytest.fixture
async def any_server(tmp_path: Path, engine_settings: dict[str, str]) -> AsyncIterator[Inside]:
    """A server in this process, on each engine."""
    async with inside(tmp_path, **engine_settings) as found:
        yield found


@pytest.fixture
def shared(postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    """The settings of nodes that share an empty database and a bus."""
    return {"store_url": postgres.new_database(), "bus_url": valkey.url}


def _new_postgres() -> Postgres:
    try:
        return Postgres()
    except ServerMissing as missing:
        pytest.skip(f"NOT TESTED WITH POSTGRESQL: {missing}")


@pytest.fixture(scope="session")
def _postgres() -> Iterator[Postgres]:
    server = _new_postgres()
    yield server
    server.remove()


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A fresh one: after a crash it syncs every file, also those of other tests."""
    server = _new_postgres()
    server.start()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def _valkey() -> Iterator[Valkey]:
    try:
        server = Valkey()
    except ServerMissing as missing:
        pytest.skip(f"NOT TESTED WITH VALKEY OR REDIS: {missing}")
    yield server
    server.remove()


@pytest.fixture
def postgres(_postgres: Postgres) -> Postgres:
    """A running PostgreSQL, whatever the previous test did to it."""
    if not _postgres.is_running:
        _postgres.start()
    return _postgres


@pytest.fixture
def valkey(_valkey: Valkey) -> Valkey:
    """A running Valkey or Redis, whatever the previous test did to it."""
    if not _valkey.is_running:
        _valkey.start()
    return _valkey


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)],
)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, for each engine."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/matches.db"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture(params=["memory", pytest.param("valkey", marks=pytest.mark.slow)])
def bus_url(request: pytest.FixtureRequest) -> str | None:
    """The URL of each bus; None for the one in memory."""
    if request.param == "memory":
        return None
    server: Valkey = request.getfixturevalue("valkey")
    return server.url


@pytest.fixture
async def file_store(tmp_path: Path) -> AsyncIterator[Store]:
    """A new database in a file, opened."""
    store = await SqliteStore.open(tmp_path / "watermeet.db")
    yield store
    await store.close()


@pytest.fixture
async def memory_bus() -> AsyncIterator[MemoryBus]:
    """A bus for one process."""
    bus = MemoryBus()
    yield bus
    await bus.close()


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything that is logged."""
    logger = logging.getLogger("watermeet")
    before = logger.handlers, logger.level, logger.propagate
    stream = io.StringIO()
    set_up_logs("debug", "json", stream)
    yield stream
    logger.handlers, logger.level, logger.propagate = before
