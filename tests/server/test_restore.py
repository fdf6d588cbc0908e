"""watermeet backup, restore and verify, and files that a server must not open."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.inside import inside
from tests.server.servers import environment

from watermeet.cli.main import main
from watermeet.server.errors import StoreUnavailable
from watermeet.server.store.files import back_up, restore, verify
from watermeet.server.store.sqlite import SqliteStore

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


async def crashed(folder: Path) -> tuple[Path, Path, Path]:
    """A folder as a killed server leaves it; a backup and a plain copy, both older than that."""
    database, backup, copy = folder / "watermeet.db", folder / "backup.db", folder / "copy.db"
    async with inside(folder / "live") as server:
        await server.seated(GAME, 2)
    shutil.copy(folder / "live" / "watermeet.db", copy)
    async with inside(folder / "live") as server:
        await server.seated(GAME, 2)
        back_up(folder / "live" / "watermeet.db", backup)
        for _ in range(5):
            await server.seated(GAME, 2)
        for suffix in ("", "-wal", "-session"):
            shutil.copy(folder / "live" / f"watermeet.db{suffix}", f"{database}{suffix}")
    return database, backup, copy


async def matches(database: Path) -> int:
    store = await SqliteStore.open(database)
    await store.close()
    return verify(database).matches


@pytest.mark.parametrize("which", [1, 2])
async def test_a_log_of_another_file_is_refused(which: int, tmp_path: Path) -> None:
    """Whoever puts a backup, or a copy, over the database and forgets the log."""
    files = await crashed(tmp_path)
    database, wrong = files[0], files[which]
    assert Path(f"{database}-wal").stat().st_size > 0
    own = shutil.copytree(tmp_path, tmp_path.with_name(f"{tmp_path.name}-own"))
    assert await matches(own / database.name) == 7, "with its own log it starts"
    shutil.copy(wrong, database)
    before = database.read_bytes()
    with pytest.raises(StoreUnavailable, match=r"belongs to another .*watermeet restore"):
        await SqliteStore.open(database)
    assert database.read_bytes() == before
    contents, kept = restore(wrong, database, replace=True)
    assert kept is not None
    assert Path(f"{kept}-wal").exists()
    assert await matches(database) == contents.matches == 3 - which


async def test_an_empty_file_or_a_log_without_its_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "watermeet.db").touch()
    with pytest.raises(StoreUnavailable, match=r"is empty.*watermeet restore.*delete"):
        await SqliteStore.open(tmp_path / "watermeet.db")
    database, _, _ = await crashed(tmp_path)
    database.unlink()
    with pytest.raises(StoreUnavailable, match=r"but its write-ahead log.*put the database back"):
        await SqliteStore.open(database)


async def test_a_damaged_page_is_refused(tmp_path: Path) -> None:
    async with inside(tmp_path) as server:
        for _ in range(20):
            await server.seated(GAME, 2)
    database = tmp_path / "watermeet.db"
    with closing(sqlite3.connect(database)) as raw:
        (size,) = raw.execute("PRAGMA page_size").fetchone()
        root = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'log'").fetchone()[0]
    with database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes(size))
    with pytest.raises(StoreUnavailable, match=r"damaged.*watermeet restore"):
        await SqliteStore.open(database)
    with pytest.raises(StoreUnavailable, match="damaged"):
        restore(database, tmp_path / "other" / "watermeet.db", replace=False)


async def test_restoring_needs_a_stopped_server_and_an_explicit_word(tmp_path: Path) -> None:
    _, backup, _ = await crashed(tmp_path)
    live = tmp_path / "live" / "watermeet.db"
    with pytest.raises(StoreUnavailable, match="--replace"):
        restore(backup, live, replace=False)
    async with inside(tmp_path / "live"):
        with pytest.raises(StoreUnavailable, match="stop it first"):
            restore(backup, live, replace=True)
    assert await matches(live) == 7


async def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, backup, _ = await crashed(tmp_path)
    for name in set(os.environ) - set(environment()):  # They look like settings.
        monkeypatch.delenv(name)
    new = ("--data-dir", str(tmp_path / "new"))
    for command in (("restore", str(backup), *new), ("verify", *new), ("verify", str(backup))):
        monkeypatch.setattr("sys.argv", ["watermeet", *command])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
    assert await matches(tmp_path / "new" / "watermeet.db") == 2


# ---- watermeet backup ---------------------------------------------------------------------------


async def backed_up(file: Path, *arguments: str, **environ: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "watermeet", "backup", str(file), *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env=environment() | environ,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


async def test_a_backup_of_a_running_server_has_everything_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    async with inside(tmp_path / "one") as server:
        match, tokens = await server.seated(GAME, 2)
        writing = asyncio.create_task(backed_up(file, "--data-dir", str(tmp_path / "one")))
        made = []
        while not writing.done():
            made.append(await server.seated(GAME, 2))
        code, output = await writing
        assert code == 0, output
        assert "secrets" in output
        before = await server.document(match, tokens[1])
    assert made, "others wrote meanwhile"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (tmp_path / "two").mkdir()
    file.rename(tmp_path / "two" / "watermeet.db")
    async with inside(tmp_path / "two") as server:
        after = await server.document(match, tokens[1])
    assert after == before, "the token too is as good as it was"


@pytest.mark.slow
async def test_an_impossible_backup_is_an_error(tmp_path: Path) -> None:
    code, output = await backed_up(tmp_path / "x.db", "--data-dir", str(tmp_path / "nowhere"))
    assert (code, "there is no database" in output) == (2, True), output
    async with inside(tmp_path):
        (tmp_path / "there.db").write_text("mine")
        code, output = await backed_up(tmp_path / "there.db", "--data-dir", str(tmp_path))
    assert (code, "exists already" in output) == (2, True)
    assert (tmp_path / "there.db").read_text() == "mine"
    code, output = await backed_up(tmp_path / "y.db", WATERMEET_STORE_URL="postgresql://x/y")
    assert (code, "pg_dump" in output) == (2, True)
