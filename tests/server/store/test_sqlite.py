"""SQLite's file: permissions, the lock, backups, a full disk."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.store.migrated import new_file
from tests.server.store.writer import append_at

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store import sql
from watermeet.server.store.factory import open_store, sqlite_path
from watermeet.server.store.rows import LogRow
from watermeet.server.store.sql import Statement
from watermeet.server.store.sqlite import SqliteStore

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(new_file(tmp_path / "matches.db"))
    yield opened
    await opened.close()


async def test_the_folder_is_created_and_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a folder?" / "matches.db"
    store = await SqliteStore.open(path)
    await store.append(append_at("m", 0))
    for file in path.parent.iterdir():
        if not file.name.endswith(".lock"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    await store.close()
    left = sorted(file.name for file in path.parent.iterdir())
    assert left == ["matches.db", "matches.db.lock"]  # The WAL is in the file.


async def test_an_unusable_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreUnavailable, match=r"can't be written.*choose a path"):
        await SqliteStore.open(tmp_path / "file" / "matches.db")
    with pytest.raises(StoreUnavailable, match="can't be written"):
        await SqliteStore.open(tmp_path)
    text = tmp_path / "text.db"
    text.write_text("Dear diary, " * 1000)
    with pytest.raises(StoreUnavailable, match="isn't a database"):
        await SqliteStore.open(text)
    assert text.read_text().startswith("Dear diary")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite://matches.db", "mysql://x/y"])
async def test_an_invalid_url_is_an_error(url: str) -> None:
    with pytest.raises(StoreUnavailable, match="sqlite:///folder"):
        await open_store(url)


async def test_a_second_process_is_kept_out(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="another process"):
        await SqliteStore.open(tmp_path / "matches.db")
    await store.append(append_at("m", 0))
    await store.close()
    again = await SqliteStore.open(tmp_path / "matches.db")
    assert len(await again.read("m")) == 2
    await again.close()


async def test_a_full_disk_does_no_harm(store: SqliteStore) -> None:
    await store.append(append_at("m", 0))
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    large = [Statement(sql.ADD_SECRET, [str(number), bytes(9000)]) for number in range(5)]
    full = await asyncio.gather(*map(store._write, large), return_exceptions=True)
    assert all(
        isinstance(result, StoreUnavailable) and "disk is full" in str(result) for result in full
    )
    assert await store.secret("0") is None
    store._connection.execute("PRAGMA max_page_count = 1000000")
    await store.append(append_at("m", 2))
    assert len(await store.read("m")) == 4


async def test_a_bug_of_ours_is_not_an_unavailable_store(store: SqliteStore) -> None:
    wrong = [
        Statement("INSERT INTO nothing VALUES (1)"),
        Statement("DELETE FROM log WHERE seq = $1", [2**99]),
    ]
    good = store.append(append_at("m", 0))
    done = await asyncio.gather(*map(store._write, wrong), good, return_exceptions=True)
    assert isinstance(done[0], sqlite3.OperationalError)
    assert isinstance(done[1], OverflowError)
    assert done[2] is None


async def test_the_store_waits_for_another_program_that_writes(
    store: SqliteStore, tmp_path: Path
) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "matches.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(store.append(append_at("m", 0)))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        assert await store.read("m") == []  # Readers don't wait.
        other.rollback()
        await waiting


async def test_many_appends_share_a_transaction(store: SqliteStore) -> None:
    executed: list[str] = []
    store._connection.set_trace_callback(executed.append)
    await asyncio.gather(*(store.append(append_at(f"m{n}", 0)) for n in range(100)))
    store._connection.set_trace_callback(None)
    assert executed.count("COMMIT") < 20
    assert executed.count("SAVEPOINT write") == 0, "nothing failed"


async def test_only_one_connection_can_write(store: SqliteStore) -> None:
    for query, answer in {"journal_mode": "wal", "synchronous": 2, "mmap_size": 0}.items():
        assert store._connection.execute(f"PRAGMA {query}").fetchone() == (answer,)
    with pytest.raises(StoreUnavailable, match="read-only"):
        await store._read(Statement("DELETE FROM log"))


async def test_a_backup_during_writes_is_complete(store: SqliteStore, tmp_path: Path) -> None:
    is_done = asyncio.Event()

    async def write(match: str) -> int:
        seq = 0
        while not is_done.is_set():
            await store.append(append_at(match, seq))
            seq += 2
        return seq

    writers = [asyncio.ensure_future(write(f"m{number}")) for number in range(5)]
    while not await store.read("m4"):
        await asyncio.sleep(0.01)
    backups = [tmp_path / "backup0.db", tmp_path / "backup1.db"]
    for backup in backups:
        await store.backup(str(backup))
    is_done.set()
    lengths = await asyncio.gather(*writers)
    for path, error in (
        (backups[0], "exists already"),
        (tmp_path / "no" / "x", "can't be written"),
    ):
        with pytest.raises(StoreUnavailable, match=error):
            await store.backup(str(path))
    await store.close()
    assert len(list(tmp_path.iterdir())) == 4  # The database, its lock and the backups.
    for backup in backups:
        with contextlib.closing(sqlite3.connect(backup)) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        restored = await SqliteStore.open(backup)
        for number, length in enumerate(lengths):
            log = await restored.read(f"m{number}")
            row = await restored.match_row(f"m{number}")
            assert log == [LogRow(seq, b"entry %d" % seq) for seq in range(1, len(log) + 1)]
            assert len(log) <= length
            assert (row.headline if row else b"0") == b"%d" % len(log)
        assert await restored.read("m4")
        await restored.close()


async def test_closing_a_store_leaves_no_tasks_or_threads(tmp_path: Path) -> None:
    tasks, threads = asyncio.all_tasks(), threading.active_count()
    store = await SqliteStore.open(tmp_path / "matches.db")
    last = [asyncio.ensure_future(store.append(append_at(f"m{n}", 0))) for n in range(20)]
    await asyncio.gather(*(store.read("m") for _ in range(20)))
    await store.close()
    assert await asyncio.gather(*last) == [None] * 20  # Pending writes are finished.
    assert asyncio.all_tasks() == tasks
    assert threading.active_count() == threads


def test_a_loop_that_ends_without_closing_blocks_nothing(tmp_path: Path) -> None:
    async def leave() -> SqliteStore:
        return await SqliteStore.open(sqlite_path(f"sqlite:///{tmp_path}/matches.db"))

    store = asyncio.run(leave())
    assert store._writer.daemon
    store._queue.put(None)
    store._writer.join()
    store._readers.shutdown()
    store._connection.close()
    store._lock.release()
