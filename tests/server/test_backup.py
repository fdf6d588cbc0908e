"""watermeet backup: one file, written while the server is running."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from pathlib import Path

import pytest
from tests.server.inside import bearer, inside

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


def _without_ours() -> dict[str, str]:
    """The environment without the tests' own variable, which looks like a setting."""
    return {name: value for name, value in os.environ.items() if "WATERMEET_TEST" not in name}


async def back_up(file: Path, *arguments: str, **environ: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "watermeet", "backup", str(file), *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env=_without_ours() | environ,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


async def test_a_backup_of_a_running_server_has_everything_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    async with inside(tmp_path / "one") as server:
        match, tokens = await server.seated(GAME, 2)
        writing = asyncio.create_task(back_up(file, "--data-dir", str(tmp_path / "one")))
        made = []
        while not writing.done():
            made.append(await server.seated(GAME, 2))
        code, output = await writing
        assert code == 0, output
        assert "secrets" in output
        async with server.http(tokens[1]) as http:
            before = (await http.get(f"/api/matches/{match}")).json()
    assert made, "others wrote meanwhile"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (tmp_path / "two").mkdir()
    file.rename(tmp_path / "two" / "watermeet.db")
    async with inside(tmp_path / "two") as server, server.http() as http:
        after = await http.get(f"/api/matches/{match}", headers=bearer(tokens[1]))
        assert after.json() == before, "the token too is as good as it was"


@pytest.mark.slow
async def test_an_impossible_backup_is_an_error(tmp_path: Path) -> None:
    code, output = await back_up(tmp_path / "x.db", "--data-dir", str(tmp_path / "nowhere"))
    assert (code, "there is no database" in output) == (2, True), output
    async with inside(tmp_path):
        (tmp_path / "there.db").write_text("mine")
        code, output = await back_up(tmp_path / "there.db", "--data-dir", str(tmp_path))
    assert (code, "exists already" in output) == (2, True)
    assert (tmp_path / "there.db").read_text() == "mine"
    code, output = await back_up(tmp_path / "y.db", WATERMEET_STORE_URL="postgresql://x/y")
    assert (code, "pg_dump" in output) == (2, True)
