"""Fixtures of the server's tests: real servers, started on demand."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from watermeet.server.bus.memory import MemoryBus
from watermeet.server.logs import set_up_logs
from watermeet.server.store.sqlite import SqliteStore
from watermeet.server.store.store import Store

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # For tests.server.servers, which bench/ uses too.

from tests.server.driving import plain_server  # noqa: E402
from tests.server.servers import Postgres, ServerMissing, Valkey  # noqa: E402


@pytest.fixture
def anyio_backend() -> str:
    """The server runs only on asyncio."""
    return "asyncio"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the default settings, for the tests of a file."""
    with plain_server(tmp_path_factory.mktemp("server")) as found:
        yield found


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
    stream = io.StringIO()
    set_up_logs("debug", "json", stream)
    yield stream
    logger = logging.getLogger("watermeet")
    logger.handlers, logger.propagate = [], True
