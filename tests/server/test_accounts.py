"""Accounts: a guest's whole story, and what strangers try."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.server.inside import Inside, bearer, inside

from watermeet.server.api import socket as socket_module
from watermeet.server.api import streams as streams_module
from watermeet.server.people.accounts import DEVICE_CODE_MS
from watermeet.server.people.users import HOUR_MS, SESSION_MS
from watermeet.server.tokens import hash_token

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
PASSWORD = "correct horse"  # noqa: S105
FIREFOX = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"}


@pytest.fixture
async def server(tmp_path: Path, store_url: str) -> AsyncIterator[Inside]:
    async with inside(tmp_path, store_url=store_url) as found:
        yield found


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[Inside]:
    async with inside(tmp_path) as found:
        yield found


async def call(
    server: Inside, method: str, path: str, body: Any = None, token: str = "", status: int = 0
) -> Any:
    async with server.http(token) as http:
        answer = await http.request(method, f"/api{path}", json=body, headers=FIREFOX)
    assert not status or answer.status_code == status, answer.text
    return answer.json() | {"status": answer.status_code}


async def sign_up(server: Inside, token: str, name: str = "Ada") -> list[str]:
    body = {"name": name, "password": PASSWORD}
    made = await call(server, "POST", "/me/account", body, token, 201)
    codes: list[str] = made["recovery_codes"]
    return codes


async def sign_in(server: Inside, password: str = PASSWORD, name: str = "Ada") -> Any:
    return await call(server, "POST", "/sessions", {"name": name, "password": password})


async def test_p13_1_whoever_signs_up_stays_the_same_user(server: Inside) -> None:
    match, (first, other) = await server.seated(GAME, 2)
    before = await call(server, "GET", "/me", None, first, 200)
    codes = await sign_up(server, first)
    assert len(set(codes)) == 8
    me = await call(server, "GET", "/me", None, first, 200)
    assert (me["user"], me["name"], me["is_registered"]) == (before["user"], "Ada", True)
    assert (
        await call(server, "POST", "/me/account", {"name": "Eve", "password": PASSWORD}, first)
    )["code"] == "has_account"

    # A second device, by password, and a third, by a code.
    second = (await sign_in(server, name="ada"))["token"]
    made = await call(server, "POST", "/me/device-code", None, second, 201)
    code = {"code": made["code"].upper().replace("-", " ")}
    third = (await call(server, "POST", "/sessions/device", code, "", 201))["token"]
    assert (await call(server, "POST", "/sessions/device", code))["code"] == "wrong_code"
    for token in (second, third):
        found = await call(server, "GET", "/me/matches", None, token, 200)
        assert [each["match"] for each in found["matches"]] == [match]
    listed = (await call(server, "GET", "/me/sessions", None, third, 200))["sessions"]
    assert len(listed) == 3
    assert [each["is_current"] for each in listed].count(True) == 1
    assert listed[0]["device"] == "Firefox, Linux"

    # Signing out one device, then a lost password: all others are signed out.
    ended = next(each["session"] for each in listed if each["is_current"])
    await call(server, "DELETE", f"/me/sessions/{ended}", None, second, 200)
    await call(server, "GET", "/me", None, third, 401)
    recovery = {"name": "Ada", "code": codes[3], "password": "another horse"}
    fourth = (await call(server, "POST", "/sessions/recovery", recovery, "", 201))["token"]
    assert (await call(server, "POST", "/sessions/recovery", recovery))["code"] == "wrong_code"
    for token in (first, second):
        await call(server, "GET", "/me", None, token, 401)
    assert (await sign_in(server))["code"] == "wrong_password"
    body = {"password": "another horse", "new_password": PASSWORD}
    await call(server, "PUT", "/me/password", body, fourth, 200)
    fifth = (await sign_in(server))["token"]
    left = await call(server, "DELETE", "/me/sessions", None, fifth, 200)
    assert len(left["sessions"]) == 1
    await call(server, "GET", "/me", None, fourth, 401)

    # Export, and deletion: the match stays, without the name.
    data = await call(server, "GET", "/me/data", None, fifth, 200)
    assert (data["recovery_codes_left"], len(data["matches"])) == (7, 1)
    assert data["user"]["name"] == "Ada"
    gone = {"password": PASSWORD}
    assert (await call(server, "POST", "/me/deletion", gone, fifth))["code"] == "still_playing"
    resign = {"id": "r", "command": {"type": "resign"}}
    await call(server, "POST", f"/matches/{match}/commands", resign, fifth, 200)
    assert (await call(server, "POST", "/me/deletion", {"password": "x"}, fifth))["status"] == 403
    await call(server, "POST", "/me/deletion", gone, fifth, 200)
    await call(server, "GET", "/me", None, fifth, 401)
    assert (await sign_in(server))["code"] == "wrong_password"
    guest = await server.guest()
    taken = {"name": "Ada", "password": PASSWORD}
    assert (await call(server, "POST", "/me/account", taken, guest))["code"] == "name_taken"
    assert (await call(server, "PUT", "/me/name", {"name": "АDА"}, guest))["status"] in (409, 422)  # noqa: RUF001
    listed = await call(server, "GET", "/me/matches", None, other, 200)
    assert listed["matches"][0]["headline"]["seats"][0]["name"] == "Deleted user"


async def test_p13_3_the_name_of_a_deleted_user_is_nowhere(plain: Inside, tmp_path: Path) -> None:
    token = await plain.guest()
    codes = await sign_up(plain, token, "Rumpelstilz")
    body = {"game": GAME, "seats": [{}, {}], "seat": 0}
    match = (await call(plain, "POST", "/matches", body, token, 201))["match"]
    await call(plain, "POST", f"/matches/{match}/seats/1", {}, await plain.guest(), 201)
    assert "Rumpelstilz" in str(await call(plain, "GET", f"/matches/{match}"))
    resign = {"id": "r", "command": {"type": "resign"}}
    await call(plain, "POST", f"/matches/{match}/commands", resign, token, 200)
    secrets = [token, *codes, *[code.replace("-", "") for code in codes], PASSWORD]

    async def dump() -> str:
        copy = tmp_path / "copy.db"
        await plain.app.state.services.store.backup(str(copy))
        text = copy.read_bytes().decode("latin-1")
        copy.unlink()
        return text

    text = await dump()
    assert "Rumpelstilz" in text
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in text
    assert not [secret for secret in secrets if secret in text]
    await call(plain, "POST", "/me/deletion", {"password": PASSWORD}, token, 200)
    document = await call(plain, "GET", f"/matches/{match}", None, "", 200)
    assert "Rumpelstilz" not in str(document)
    assert "Deleted user" in str(document)
    store = plain.app.state.services.store
    assert b"Rumpelstilz" not in b"".join(row.body for row in await store.read(match))
    row = await store.match_row(match)
    assert b"Rumpelstilz" not in row.headline


async def test_a_guest_continues_on_another_device_and_deletes_everything(plain: Inside) -> None:
    token = await plain.guest()
    code = (await call(plain, "POST", "/me/device-code", None, token, 201))["code"]
    newer = (await call(plain, "POST", "/me/device-code", None, token, 201))["code"]
    assert (await call(plain, "POST", "/sessions/device", {"code": code}))["code"] == "wrong_code"
    other = (await call(plain, "POST", "/sessions/device", {"code": newer}, "", 201))["token"]
    assert await call(plain, "GET", "/me", None, token) == await call(
        plain, "GET", "/me", None, other
    )
    assert (
        await call(plain, "PUT", "/me/password", {"password": "", "new_password": PASSWORD}, token)
    )["code"] == "no_account"
    await call(plain, "POST", "/me/deletion", {}, token, 200)
    await call(plain, "GET", "/me", None, other, 401)


async def test_unknown_names_and_wrong_passwords_get_the_same_response(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = await sign_up(server, await server.guest())
    verified: list[str] = []
    verify = PasswordHasher.verify

    def count(self: PasswordHasher, stored: Any, password: Any) -> bool:
        verified.append(stored)
        return verify(self, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", count)
    await server.app.state.services.people.add_bot("Robot")
    wrong = [await sign_in(server, "wrong horse", name) for name in ("Ada", "Nemo", "Robot", "?")]
    assert all(answer == wrong[0] for answer in wrong)
    assert len(verified) == len(wrong), "each does the same work"
    assert {each.split("$")[3] for each in verified} == {"m=19456,t=2,p=1"}
    bodies = [
        {"name": name, "code": code, "password": "another horse"}
        for name, code in (("Nemo", codes[0]), ("Ada", "aaaa-bbbb-cccc-dddd"), ("Robot", codes[0]))
    ]
    lost = [await call(server, "POST", "/sessions/recovery", body) for body in bodies]
    assert all(answer == lost[0] for answer in lost)
    assert lost[0]["code"] == "wrong_code"
    right = {"name": "Ada", "code": codes[0], "password": "another horse"}
    await call(server, "POST", "/sessions/recovery", right, "", 201)  # Nobody else has spent it.


async def test_guessing_is_limited_by_name_and_by_address(plain: Inside) -> None:
    await sign_up(plain, await plain.guest())

    async def guess(name: str, address: str) -> tuple[int, str]:
        async with plain.http(address=address) as http:
            body = {"name": name, "password": "wrong horse"}
            answer = await http.post("/api/sessions", json=body)
            return answer.status_code, answer.json()["message"]

    by_name = [await guess(name, f"10.0.0.{n}") for n, name in enumerate(["Ada", "ADA"] * 6)]
    assert [status for status, _ in by_name] == [403] * 10 + [429] * 2
    assert "name" in by_name[-1][1]
    by_address = [await guess(f"Nemo {number}", "10.0.1.1") for number in range(31)]
    assert [status for status, _ in by_address] == [403] * 30 + [429]
    assert "address" in by_address[-1][1]
    codes = [
        await call(plain, "POST", "/sessions/device", {"code": "abcd-efgh"}) for _ in range(31)
    ]
    assert codes[-1]["status"] == 429


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Ada", "short"),
        ("Ada", "x" * 257),
        ("Ada", "Password1"),
        ("Ada", "zzzzzzzzzz"),
        ("Ada Lovelace", "ada lovelace"),
    ],
)
async def test_bad_passwords_are_refused(plain: Inside, name: str, password: str) -> None:
    token = await plain.guest()
    body = {"name": name, "password": password}
    assert (await call(plain, "POST", "/me/account", body, token))["code"] == "bad_password"
    assert not (await call(plain, "GET", "/me", None, token))["is_registered"]


async def test_sessions_and_codes_expire(plain: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    services = plain.app.state.services
    store, clock = services.store, [services.now()]
    for each in (services.people, services.accounts):
        monkeypatch.setattr(each, "_now", lambda: clock[0])
    token = await plain.guest()
    code = (await call(plain, "POST", "/me/device-code", None, token, 201))["code"]
    clock[0] += DEVICE_CODE_MS
    assert (await call(plain, "POST", "/sessions/device", {"code": code}))["code"] == "wrong_code"
    assert (await store.token(hash_token(token))).used_at is None, "written once an hour at most"
    clock[0] += HOUR_MS
    await call(plain, "GET", "/me", None, token, 200)
    used = await store.token(hash_token(token))
    assert (used.used_at % HOUR_MS, used.expires_at) == (0, clock[0] + SESSION_MS)
    clock[0] = used.expires_at - 1
    await call(plain, "GET", "/me", None, token, 200)  # Which prolongs it.
    clock[0] = (await store.token(hash_token(token))).expires_at
    await call(plain, "GET", "/me", None, token, 401)


async def test_old_hashes_are_renewed_at_sign_in(plain: Inside) -> None:
    token = await plain.guest()
    await sign_up(plain, token)
    store = plain.app.state.services.store
    user = (await call(plain, "GET", "/me", None, token))["user"]
    await store.put_password(user, PasswordHasher(1, 1024, 1).hash(PASSWORD))
    assert (await sign_in(plain))["status"] == 201
    assert "m=19456,t=2,p=1" in await store.password(user)
    assert (await sign_in(plain))["status"] == 201


async def test_sign_up_may_be_closed_and_bots_never_sign_up(tmp_path: Path) -> None:
    body = {"name": "Ada", "password": PASSWORD}
    async with inside(tmp_path / "1", sign_up="closed") as server:
        answer = await call(server, "POST", "/me/account", body, await server.guest())
        assert (answer["status"], answer["code"]) == (403, "sign_up_closed")
    async with inside(tmp_path / "2") as server:
        bot = (await call(server, "POST", "/bots", {"name": "Robot"}))["token"]
        assert (await call(server, "POST", "/me/account", body, bot))["code"] == "has_account"


async def test_nobody_ends_anothers_session(plain: Inside) -> None:
    ada, eve = await plain.guest(), await plain.guest()
    session = (await call(plain, "GET", "/me/sessions", None, ada))["sessions"][0]["session"]
    await call(plain, "DELETE", f"/me/sessions/{session}", None, eve, 404)
    await call(plain, "DELETE", "/me/sessions", None, eve, 200)
    await call(plain, "GET", "/me", None, ada, 200)
    await call(plain, "DELETE", "/me/sessions/current", None, ada, 200)
    await call(plain, "GET", "/me", None, ada, 401)
    await call(plain, "GET", "/me", None, eve, 200)


@pytest.mark.parametrize("by_seat", [False, True])
async def test_an_ended_session_loses_its_socket(
    plain: Inside, monkeypatch: pytest.MonkeyPatch, by_seat: bool
) -> None:
    monkeypatch.setattr(socket_module, "TOKEN_CHECK_S", 0.0)
    match, (token, other) = await plain.seated(GAME, 2)
    taken = await call(plain, "POST", f"/matches/{match}/seats/0", {}, token, 201)
    socket = await plain.socket("" if by_seat else token)
    await socket.follow(match, token=taken["token"] if by_seat else "")
    await socket.send({"type": "ping", "sent": 1})
    await socket.receive("pong")
    await call(plain, "DELETE", "/me/sessions/current", None, token, 200)
    command = {"type": "command", "id": "r", "match": match, "command": {"type": "resign"}}
    await socket.send(command)
    assert (await socket.receive("bye"))["code"] == "signed_out"
    assert await socket.next() is None
    assert socket.code == 4007
    assert (await call(plain, "GET", f"/matches/{match}", None, other))["stage"] == "playing"


@pytest.mark.parametrize("path", ["/me/turns", "/matches/{match}/events"])
async def test_an_ended_session_loses_its_streams(
    plain: Inside, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(streams_module, "TOKEN_CHECK_S", 0.0)
    plain.app.state.streams.heartbeat_s = 0.05
    match, (token, _) = await plain.seated(GAME, 2)
    stream = await plain.stream(f"/api{path.format(match=match)}", token)
    await stream.receive("heartbeat")
    await call(plain, "DELETE", "/me/sessions/current", None, token, 200)
    assert (await stream.receive("bye"))["code"] == "signed_out"
    assert await stream.next() is None


async def test_a_bot_accounts_token_does_not_expire(plain: Inside) -> None:
    bot = await plain.app.state.services.people.add_bot("Robot")
    row = await plain.app.state.services.store.token(hash_token(bot.token))
    assert (row.kind, row.expires_at) == ("bot", None)


async def test_nothing_of_it_is_logged(plain: Inside, lines: io.StringIO) -> None:
    token = await plain.guest()
    codes = await sign_up(plain, token)
    await sign_in(plain, "wrong horse")
    code = (await call(plain, "POST", "/me/device-code", None, token))["code"]
    async with plain.http() as http:  # Bodies that can't be read, too.
        for text in (f'{{"name": "Ada", "password": ["{PASSWORD}"]}}', f'{{"x": "{PASSWORD}"}}'):
            head = {"content-type": "application/json", **bearer(token)}
            answer = await http.post("/api/sessions", content=text, headers=head)
            assert answer.status_code == 422
            assert PASSWORD not in answer.text
    for secret in (token, PASSWORD, "wrong horse", code, *codes, "Ada"):
        assert secret not in lines.getvalue()
