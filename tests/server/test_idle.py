"""A server with nothing to do: it writes nothing, and forgets what has expired."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Clock, Inside, call, inside, until

from watermeet.server import deadlines, heartbeat, jobs
from watermeet.server.bots import pool
from watermeet.server.matches.service import BEAT_JOB
from watermeet.server.people import calls, expiry, seeks, vacations
from watermeet.server.people.expiry import IMPORT_MS, Expiry
from watermeet.server.people.users import SESSION_MS
from watermeet.server.store.rows import CodeRow
from watermeet.server.store.sql import Statement

pytestmark = pytest.mark.anyio
CLOCK = {"time_control": {"type": "real_time", "initial_ms": 300_000}}
MINUTES, STEP_MS = 10, 5_000
EVERY = 0.004


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that repeats does so at every step of the clock."""
    monkeypatch.setattr(heartbeat, "BEAT_S", EVERY)
    monkeypatch.setattr(jobs, "POLL_S", EVERY)
    monkeypatch.setattr(pool, "POLL_S", EVERY)
    monkeypatch.setattr(calls, "REFRESH_S", EVERY)
    monkeypatch.setattr(seeks, "FORGET_S", EVERY)
    for module in (deadlines, vacations, expiry):
        monkeypatch.setattr(module, "SWEEP_S", EVERY)


@pytest.mark.usefixtures("hurried")
async def test_nothing_is_written_once_the_last_match_has_ended(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with inside(tmp_path) as server:
        store, written = server.services.store, list[tuple[Statement, ...]]()
        write = store._write

        async def counted(*statements: Statement, **more: Any) -> object:
            written.append(statements)
            return await write(*statements, **more)

        monkeypatch.setattr(store, "_write", counted)
        match, tokens = await server.seated("kuhn_poker", 2, **CLOCK)
        await until(lambda: any([*each[0].values[:1]] == [BEAT_JOB] for each in written))
        await server.command(match, tokens[0], "r", type="resign")
        quiet = 0
        while quiet < 20:  # Until what was under way has ended.
            written.clear()
            await asyncio.sleep(10 * EVERY)
            quiet = 0 if written else quiet + 1
        for _ in range(MINUTES * 60_000 // STEP_MS):
            clock.now += STEP_MS
            await asyncio.sleep(EVERY)
        assert written == []


async def test_what_has_expired_is_forgotten(clock: Clock, server: Inside) -> None:
    store, services = server.services.store, server.services
    lonely, player = await server.guest("Lonely"), await server.guest("Player")
    account = await server.member("Ada")
    match = await server.match_of([player, account])
    await server.command(match, player, "r", type="resign")
    users = [(await call(server, each, "GET", "/me"))["user"] for each in (lonely, player, account)]
    await store.add_code(CodeRow(b"old", "device", users[2], clock.now + 1), clock.now)
    sweeping = Expiry(store, services.accounts, clock)
    clock.now += SESSION_MS - 1
    await sweeping.sweep()
    assert (await call(server, lonely, "GET", "/me"))["name"] == "Lonely", "not a moment too soon"
    back, after = await server.guest("Newcomer"), await server.guest()
    clock.now += SESSION_MS
    await call(server, back, "GET", "/me", None, 401)
    await sweeping.sweep()
    found = [await store.user(each) for each in users]
    assert found[0] is None
    assert await store.is_name_free("Lonely", "")
    assert (found[1].kind, found[1].name) == ("deleted", None)
    shown = (await server.document(match))["seats"]
    assert [seat["name"] for seat in shown] == ["Deleted user", "Ada"]
    assert (found[2].name, found[2].is_registered) == ("Ada", True), "who can sign in again"
    assert after
    assert (await store._read(Statement("SELECT count(*) FROM tokens")))[0][0] <= 1
    assert (await store._read(Statement("SELECT count(*) FROM codes")))[0][0] == 0


async def test_what_guests_have_imported_is_deleted_after_a_while(
    clock: Clock, any_server: Inside
) -> None:
    store, services = any_server.services.store, any_server.services
    guest, account = await any_server.guest(), await any_server.member("Ada")
    record = {"record": "game: flume@1\noptions: size=3\n\n1. a1"}
    old, kept = [
        (await call(any_server, each, "POST", "/records", record, 201))["match"]
        for each in (guest, account)
    ]
    sweeping = Expiry(store, services.accounts, clock)
    clock.now += IMPORT_MS - 1
    await sweeping.sweep()
    assert len(await store.match_rows([old, kept])) == 2, "not a moment too soon"
    new = (await call(any_server, await any_server.guest(), "POST", "/records", record, 201))[
        "match"
    ]
    clock.now += 1
    await sweeping.sweep()
    assert [row.id for row in await store.match_rows([old, kept, new])] == [kept, new]
    assert (await store.read(old), await store.secret(old)) == ([], None)
    assert await store.old_imports(clock.now, 9) == [new]
