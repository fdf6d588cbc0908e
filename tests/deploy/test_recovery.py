"""The drill for PostgreSQL: a base backup, the archived log, and back to a point in time.

It runs deploy/postgres-backup and the archive_command of deploy/compose.yaml, without containers.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import yaml  # type: ignore[import-untyped]
from tests.server.nodes import PlainNode
from tests.server.servers import Postgres, ServerMissing, environment

from watermeet.client import Client

pytestmark = pytest.mark.nightly

DEPLOY = Path(__file__).parents[2] / "deploy"
TIMEOUT_S = 60.0
BOT = {"who": "bot", "level": "random"}


class ArchivingPostgres(Postgres):
    """With the options of our compose file, and its folder of backups."""

    def __init__(self, backups: Path) -> None:
        super().__init__()
        stack = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
        options: list[str] = stack["services"]["postgres"]["command"][1:]
        self._options = [option.replace("/backups", str(backups)) for option in options]
        self.backups = backups

    def _command(self) -> list[str]:
        return [*super()._command(), *self._options]

    def backup(self, *arguments: str) -> str:
        """Run postgres-backup as PostgreSQL's user, and return what it prints."""
        where = {"BACKUP_DIR": str(self.backups), "BACKUP_KEEP": "1"}
        where |= {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "watermeet"}
        done = subprocess.run(
            [self.folder / "postgres-backup", *arguments],
            env={"PATH": f"{self._program.parent}:{os.environ['PATH']}"} | where,
            user=self._user(),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def url(self) -> str:
        return self._url


@pytest.fixture
def postgres_pair() -> Iterator[tuple[ArchivingPostgres, ArchivingPostgres]]:
    """A server, and one to restore to."""
    backups = Path(tempfile.mkdtemp(prefix="watermeet-backups-"))
    try:
        servers = ArchivingPostgres(backups), ArchivingPostgres(backups)
    except ServerMissing as missing:
        pytest.skip(f"NOT TESTED WITH POSTGRESQL: {missing}")
    (backups / "wal").mkdir()
    if user := servers[0]._user():
        shutil.chown(backups, user)
        shutil.chown(backups / "wal", user)
    for server in servers:
        shutil.copy(DEPLOY / "postgres-backup", server.folder)  # Its user may not see ours.
    yield servers
    for server in servers:
        server.remove()
    shutil.rmtree(backups)


def _play(client: Client) -> str:
    """A match between bots, to its end."""
    match = str(
        client.request("POST", "/matches", {"game": "kuhn_poker", "seats": [BOT, BOT]})["match"]
    )
    end = time.monotonic() + TIMEOUT_S
    while client.request("GET", f"/matches/{match}")["stage"] != "finished":
        assert time.monotonic() < end
        time.sleep(0.05)
    return match


async def _value(url: str, query: str, *values: object) -> Any:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(query, *values)
    finally:
        await connection.close()


def _next_second() -> str:
    """The next full second, as postgres-backup wants it; returns after it."""
    moment = int(time.time()) + 1
    while time.time() < moment + 0.2:
        time.sleep(0.05)
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S+00")


def test_back_to_a_point_in_time(
    postgres_pair: tuple[ArchivingPostgres, ArchivingPostgres],
) -> None:
    first, second = postgres_pair
    first.start()
    node = PlainNode(store_url=first.url, bot_workers="1")
    try:
        node.start()
        client = Client(f"http://{node.address}")
        client.create_bot("Ada")
        before = _play(client)
        first.backup("base")
        _next_second()
        first.backup("base")  # Drops the other, and what it alone needs of the log.
        assert len(list((first.backups / "base").iterdir())) == 1
        meanwhile = _play(client)
        moment = _next_second()
        too_late = _play(client)
        asyncio.run(_value(first.url, "DELETE FROM log RETURNING 1"))  # The mistake.
    finally:
        node.remove()
    first.stop()

    shutil.rmtree(second.folder / "data")
    second.backup("restore", moment, str(second.folder / "data"))
    second.start()
    end = time.monotonic() + TIMEOUT_S
    while asyncio.run(_value(second.url, "SELECT pg_is_in_recovery()")):
        assert time.monotonic() < end, second._log_tail()
        time.sleep(0.1)
    logs = "SELECT count(*) FROM log WHERE match_id = $1"
    counts = [asyncio.run(_value(second.url, logs, each)) for each in (before, meanwhile, too_late)]
    assert counts[0] > 0
    assert counts[1] > 0
    assert counts[2] == 0
    verify = [sys.executable, "-m", "watermeet", "verify"]
    settings = environment() | {"WATERMEET_STORE_URL": second.url}
    done = subprocess.run(verify, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"is intact: 2 matches with {counts[0] + counts[1]} entries" in done.stdout
    asyncio.run(_value(second.url, "DELETE FROM log WHERE match_id = $1 AND seq = 1", before))
    done = subprocess.run(verify, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert before in done.stderr
