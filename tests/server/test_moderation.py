"""Roles, warnings, mutes, suspensions and the audit log."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import PASSWORD, Inside, call, inside, until
from typer.testing import CliRunner

from watermeet.cli.main import app
from watermeet.server import store
from watermeet.server.people import orders
from watermeet.server.running import RunningServer, data_folder_held, write_place

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


async def act(server: Inside, token: str, what: str, name: str, **more: Any) -> Any:
    body = {"act": what, "name": name, "reason": "insults"} | more
    return await call(server, token, "POST", "/moderation/acts", body)


async def until_stage(server: Inside, match: str, stage: str) -> Any:
    async def has_stage() -> bool:
        return bool((await server.document(match))["stage"] == stage)

    await until(has_stage)
    return await server.document(match)


async def test_p15_2_whoever_is_suspended_is_gone_at_once(any_server: Inside) -> None:
    server = any_server
    mod, eve = await server.member("Mod", "moderator"), await server.member("Eve")
    body = {"game": GAME, "seats": [{}, {}], "seat": 0}
    begun = await call(server, eve, "POST", "/matches", body)
    await call(server, await server.guest(), "POST", f"/matches/{begun['match']}/seats/1", {})
    waiting = (await call(server, eve, "POST", "/matches", body))["match"]
    socket, seat = await server.socket(eve), await server.socket()
    seat_token = begun["seat"]["token"]
    follow = {"type": "follow", "match": begun["match"], "token": seat_token}
    await seat.send(follow)
    await seat.receive("snapshot")
    stream = await server.stream("/api/me/turns", eve)

    assert (await act(server, mod, "suspend", "Eve", days=3))["status"] == 201
    for each in (socket, seat):
        assert (await each.receive("bye"))["code"] == "suspended"
        assert await each.next() is None
        assert each.code == 4008
    assert (await stream.receive("bye"))["code"] == "suspended"
    ended = await until_stage(server, begun["match"], "finished")
    assert ended["outcome"]["reason"] == "resigned"
    await until_stage(server, waiting, "aborted")
    for token in (eve, seat_token):
        assert (await call(server, token, "GET", f"/matches/{waiting}"))["code"] in (
            "suspended",
            "forbidden",
        )
    move = {"id": "a", "command": {"type": "resign"}}
    path = f"/matches/{begun['match']}/commands"
    await call(server, seat_token, "POST", path, move, "suspended")
    await call(server, eve, "POST", "/matches", body, "suspended")
    signing = {"name": "Eve", "password": PASSWORD}
    await call(server, "", "POST", "/sessions", signing, "suspended")
    wrong = signing | {"password": "another horse"}
    await call(server, "", "POST", "/sessions", wrong, "wrong_password")

    assert (await act(server, mod, "lift", "Eve"))["suspended_until"] is None
    await call(server, eve, "POST", "/matches", body, 201)
    await call(server, "", "POST", "/sessions", signing, 201)
    again = await server.socket(eve)
    await again.close()


@pytest.mark.slow
async def test_sockets_are_closed_on_all_nodes(tmp_path: Path, shared: dict[str, str]) -> None:
    async with inside(tmp_path, **shared) as one, inside(tmp_path, **shared) as two:
        mod, eve = await one.member("Mod", "moderator"), await one.member("Eve")
        socket = await two.socket(eve)
        await act(one, mod, "suspend", "Eve")
        assert (await socket.receive("bye"))["code"] == "suspended"


async def test_p15_3_acts_go_downwards_and_are_logged_and_shown_once(server: Inside) -> None:
    ada, mod = await server.member("Ada", "administrator"), await server.member("Mod")
    eve = await server.member("Eve")
    assert (await act(server, mod, "warn", "Eve"))["status"] == 403
    role = {"role": "moderator"}
    made = await call(server, ada, "PUT", "/moderation/users/Mod/role", role)
    assert made["role"] == "moderator"
    assert (await call(server, mod, "GET", "/me"))["role"] == "moderator"
    await call(server, mod, "PUT", "/moderation/users/Eve/role", role, 403)
    for name in ("Ada", "Mod"):
        assert (await act(server, mod, "warn", name))["status"] == 403
    assert (await act(server, mod, "warn", "Eve", reason=" "))["status"] == 400
    assert (await act(server, mod, "warn", "Eve"))["status"] == 201
    await server.guest("Guest 7")
    await call(server, ada, "PUT", "/moderation/users/Guest%207/role", role, 400)

    notices = (await call(server, eve, "GET", "/me/notices"))["notices"]
    assert [(each["act"], each["reason"]) for each in notices] == [("warn", "insults")]
    path = f"/me/notices/{notices[0]['notice']}"
    await call(server, mod, "DELETE", path, None, 404)
    assert (await call(server, eve, "DELETE", path))["notices"] == []

    log = (await call(server, mod, "GET", "/moderation/log"))["acts"]
    shown = [(each["by"], each["act"], each["about"], each["role"]) for each in log]
    assert shown == [
        ("Mod", "warn", "Eve", ""),
        ("Ada", "role", "Mod", "moderator"),
        ("", "role", "Ada", "administrator"),
    ]
    await call(server, eve, "POST", "/me/deletion", {"password": PASSWORD}, 200)
    log = (await call(server, mod, "GET", "/moderation/log"))["acts"]
    assert log[0]["about"] == "Guest"


def test_nothing_changes_the_audit_log() -> None:
    files = [file for file in Path(store.__path__[0]).rglob("*") if file.suffix in (".py", ".sql")]
    sources = "".join(file.read_text("utf-8") for file in files)
    assert "INSERT INTO audit_log" in sources
    assert not re.search(r"(?i)(UPDATE|DELETE FROM|TRUNCATE|DROP TABLE)\s+audit_log", sources)


async def test_the_host_orders_by_the_command_line_whether_a_server_runs_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WATERMEET_TEST_PACKAGES", raising=False)
    monkeypatch.setattr(orders, "POLL_S", 0.02)

    async def admin(*words: str) -> Any:
        given = ["admin", *words, "--data-dir", str(tmp_path)]
        return await asyncio.to_thread(CliRunner().invoke, app, given)

    with data_folder_held(tmp_path) as place:
        assert place is not None
        async with inside(tmp_path) as server:
            write_place(place, RunningServer("http://127.0.0.1:1", [], 1))
            await server.member("Ada")
            eve = await server.socket(await server.member("Eve"))
            done = await admin("role", "Ada", "moderator")
            assert done.exit_code == 0, done.output
            suspending = ("suspend", "Eve", "--reason", "insults")
            assert (await admin(*suspending)).exit_code == 0
            assert (await eve.receive("bye"))["code"] == "suspended"
            done = await admin("warn", "Nobody", "--reason", "x")
            assert "nobody is called" in done.output
            assert done.exit_code != 0
        place.unlink()
    assert "suspend Eve for good (insults)" in (await admin("show", "Eve")).output
    assert (await admin("lift", "Eve")).exit_code == 0
    acts = re.findall(r"the host: (\w+ \w+)", (await admin("log")).output)
    assert acts == ["role Ada", "suspend Eve", "lift Eve"]
