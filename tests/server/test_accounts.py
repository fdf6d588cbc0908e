"""Accounts: a guest's whole story, and what strangers try."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.server.inside import PASSWORD, Clock, Inside, bearer, call, inside
from tests.server.test_moderation import act

from watermeet.server.api import socket as socket_module
from watermeet.server.api import streams as streams_module
from watermeet.server.people.accounts import DEVICE_CODE_MS
from watermeet.server.people.mail_addresses import add_reset
from watermeet.server.people.users import HOUR_MS, SESSION_MS
from watermeet.server.store.history import RatingPoint
from watermeet.server.store.rows import RatingRow
from watermeet.server.tokens import hash_token

pytestmark = pytest.mark.anyio

GAME, WRONG = "kuhn_poker", "wrong horse"


async def sign_up(server: Inside, token: str, name: str = "Ada") -> None:
    body = {"name": name, "password": PASSWORD}
    await call(server, token, "POST", "/me/account", body, 201)


async def reset_code(server: Inside, name: str = "Ada") -> str:
    """A code that sets a new password, as the host gives it away."""
    store = server.services.store
    user = await store.user_named(name)
    assert user is not None
    return await add_reset(store, user, server.services.now())


async def sign_in(server: Inside, password: str = PASSWORD, name: str = "Ada") -> Any:
    return await call(server, "", "POST", "/sessions", {"name": name, "password": password})


async def test_p13_1_whoever_signs_up_stays_the_same_user(any_server: Inside) -> None:
    server = any_server
    match, (first, other) = await server.seated(GAME, 2)
    before = await call(server, first, "GET", "/me", None, 200)
    await sign_up(server, first)
    me = await call(server, first, "GET", "/me", None, 200)
    assert (me["user"], me["name"], me["is_registered"]) == (before["user"], "Ada", True)
    eve = {"name": "Eve", "password": PASSWORD}
    await call(server, first, "POST", "/me/account", eve, "has_account")

    # A second device, by password, and a third, by a code.
    second = (await sign_in(server, name="ada"))["token"]
    made = await call(server, second, "POST", "/me/device-code", None, 201)
    code = {"code": made["code"].upper().replace("-", " ")}
    third = (await call(server, "", "POST", "/sessions/device", code, 201))["token"]
    await call(server, "", "POST", "/sessions/device", code, "wrong_code")
    for token in (second, third):
        found = await call(server, token, "GET", "/me/matches", None, 200)
        assert [each["match"] for each in found["matches"]] == [match]
    listed = (await call(server, third, "GET", "/me/sessions", None, 200))["sessions"]
    assert len(listed) == 3
    assert [each["is_current"] for each in listed].count(True) == 1
    assert listed[0]["device"] == "Firefox, Linux"

    # Signing out one device, then a lost password: all others are signed out.
    ended = next(each["session"] for each in listed if each["is_current"])
    await call(server, second, "DELETE", f"/me/sessions/{ended}", None, 200)
    await call(server, third, "GET", "/me", None, 401)
    reset = {"code": await reset_code(server), "password": "another horse"}
    fourth = (await call(server, "", "POST", "/sessions/reset", reset, 201))["token"]
    await call(server, "", "POST", "/sessions/reset", reset, "wrong_code")
    for token in (first, second):
        await call(server, token, "GET", "/me", None, 401)
    assert (await sign_in(server))["code"] == "wrong_password"
    body = {"password": "another horse", "new_password": PASSWORD}
    await call(server, fourth, "PUT", "/me/password", body, 200)
    fifth = (await sign_in(server))["token"]
    left = await call(server, fifth, "DELETE", "/me/sessions", None, 200)
    assert len(left["sessions"]) == 1
    await call(server, fourth, "GET", "/me", None, 401)

    # Export, and deletion: the match stays, without the name.
    data = await call(server, fifth, "GET", "/me/data", None, 200)
    assert len(data["matches"]) == 1
    assert data["user"]["name"] == "Ada"
    gone = {"password": PASSWORD}
    await call(server, fifth, "POST", "/me/deletion", gone, "still_playing")
    resign = {"id": "r", "command": {"type": "resign"}}
    await call(server, fifth, "POST", f"/matches/{match}/commands", resign, 200)
    await call(server, fifth, "POST", "/me/deletion", {"password": "x"}, 403)
    await call(server, fifth, "POST", "/me/deletion", gone, 200)
    await call(server, fifth, "GET", "/me", None, 401)
    assert (await sign_in(server))["code"] == "wrong_password"
    guest = await server.guest()
    taken = {"name": "Ada", "password": PASSWORD}
    await call(server, guest, "POST", "/me/account", taken, "name_taken")
    assert (await call(server, guest, "PUT", "/me/name", {"name": "АDА"}))["status"] in (409, 422)  # noqa: RUF001
    listed = await call(server, other, "GET", "/me/matches", None, 200)
    assert listed["matches"][0]["headline"]["seats"][0]["name"] == "Deleted user"


async def test_p13_3_the_name_of_a_deleted_user_is_nowhere(
    server: Inside, tmp_path: Path, real_hashes: None
) -> None:
    token = await server.guest()
    await sign_up(server, token, "Rumpelstilz")
    match = await server.match_of([token, await server.guest()])
    assert "Rumpelstilz" in str(await server.document(match))
    await server.command(match, token, "r", type="resign")
    secrets = [token, PASSWORD]

    async def dump() -> str:
        copy = tmp_path / "copy.db"
        await server.services.store.backup(str(copy))
        text = copy.read_bytes().decode("latin-1")
        copy.unlink()
        return text

    text = await dump()
    assert "Rumpelstilz" in text
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in text
    assert not [secret for secret in secrets if secret in text]
    await call(server, token, "POST", "/me/deletion", {"password": PASSWORD}, 200)
    document = str(await server.document(match))
    assert "Rumpelstilz" not in document
    assert "Deleted user" in document
    store = server.services.store
    assert b"Rumpelstilz" not in b"".join(row.body for row in await store.read(match))
    row = await store.match_row(match)
    assert b"Rumpelstilz" not in row.headline


async def test_a_guest_continues_on_another_device_and_deletes_everything(server: Inside) -> None:
    token = await server.guest()
    code = (await call(server, token, "POST", "/me/device-code", None, 201))["code"]
    newer = (await call(server, token, "POST", "/me/device-code", None, 201))["code"]
    await call(server, "", "POST", "/sessions/device", {"code": code}, "wrong_code")
    other = (await call(server, "", "POST", "/sessions/device", {"code": newer}, 201))["token"]
    assert await call(server, token, "GET", "/me") == await call(server, other, "GET", "/me")
    new = {"password": "", "new_password": PASSWORD}
    await call(server, token, "PUT", "/me/password", new, "no_account")
    await call(server, token, "POST", "/me/deletion", {}, 200)
    await call(server, other, "GET", "/me", None, 401)


async def test_unknown_names_and_wrong_passwords_get_the_same_response(
    server: Inside, monkeypatch: pytest.MonkeyPatch, real_hashes: None
) -> None:
    await sign_up(server, await server.guest())
    verified: list[str] = []
    hashed: list[str] = []
    verify, hash_one = PasswordHasher.verify, PasswordHasher.hash

    def count(self: PasswordHasher, stored: Any, password: Any) -> bool:
        verified.append(stored)
        return verify(self, stored, password)

    def count_hash(self: PasswordHasher, password: Any, **more: Any) -> str:
        hashed.append(password)
        return hash_one(self, password, **more)

    monkeypatch.setattr(PasswordHasher, "verify", count)
    monkeypatch.setattr(PasswordHasher, "hash", count_hash)
    await server.services.people.add_bot("Robot")
    wrong = [await sign_in(server, "wrong horse", name) for name in ("Ada", "Nemo", "Robot", "?")]
    assert all(answer == wrong[0] for answer in wrong)
    assert len(verified) == len(wrong), "each does the same work"
    assert {each.split("$")[3] for each in verified} == {"m=19456,t=2,p=1"}
    wrong_code = {"code": "x" * 20, "password": "another horse"}
    await call(server, "", "POST", "/sessions/reset", wrong_code, "wrong_code")
    assert not hashed, "a wrong code costs nothing"


async def guessed(
    server: Inside, name: str, address: str, password: str = WRONG, **more: str
) -> int:
    """The status of an attempt to sign in."""
    async with server.http(address=address) as http:
        body = {"name": name, "password": password} | more
        return int((await http.post("/api/sessions", json=body)).status_code)


async def test_guessing_is_limited_and_locks_nobody_else_out(tmp_path: Path) -> None:
    async def guess(*given: str, **more: str) -> int:
        return await guessed(server, *given, **more)

    async with inside(tmp_path) as server:
        await sign_up(server, await server.guest())
        known = (await sign_in(server))["device"]
        by_name = [await guess(name, "10.0.0.1") for name in ["Ada", "ADA"] * 6]
        assert by_name == [403] * 10 + [429] * 2
        assert await guess("Ada", "10.0.0.2", PASSWORD) == 201, "the owner is elsewhere"
        assert await guess("Ada", "10.0.0.1", PASSWORD, device="x") == 429
        assert await guess("Ada", "10.0.0.1", PASSWORD, device=known) == 201, "or a neighbour"
        by_address = [await guess(f"Nemo {number}", "10.0.1.1") for number in range(31)]
        assert by_address == [403] * 30 + [429]
        assert await guess("Ada", "10.0.1.1", PASSWORD, device=known) == 201
        assert await guess("Nemo 1", "10.0.1.1", device=known) == 429
        for path, body in (
            ("/sessions/passkey/options", {}),
            ("/sessions/device", {"code": "abcd-efgh"}),
        ):
            answers = [(await call(server, "", "POST", path, body))["status"] for _ in range(31)]
            assert (answers[-1], 429 in answers[:30]) == (429, False), path
        new = {"password": "another horse"}
        path, body = "/sessions/reset", new | {"code": "x" * 20}
        answers = [(await call(server, "", "POST", path, body))["status"] for _ in range(40)]
        assert answers == [403] * 40, "nobody can guess them, or keep others from them"
        await call(server, "", "POST", path, new | {"code": await reset_code(server)}, 201)
    async with inside(tmp_path) as server:
        assert await guess("Ada", "10.0.0.1", "another horse") == 429, "also after a restart"


async def test_each_device_is_known_by_its_own_mark_until_the_password_changes(
    server: Inside,
) -> None:
    token = await server.guest()
    await sign_up(server, token)
    stolen, known = [(await sign_in(server))["device"] for _ in range(2)]
    tries = [await guessed(server, "Ada", "10.0.0.1", device=stolen) for _ in range(21)]
    assert tries == [403] * 20 + [429], "those of the device, and those of the address"
    assert await guessed(server, "Ada", "10.0.0.1", PASSWORD, device=known) == 201
    code = (await call(server, token, "POST", "/me/device-code", None, 201))["code"]
    made = await call(server, "", "POST", "/sessions/device", {"code": code}, 201)
    assert made["device"] == "", "a session can't make marks for guessing the password"
    change = {"password": PASSWORD, "new_password": "another horse"}
    await call(server, token, "PUT", "/me/password", change, 200)
    assert await guessed(server, "Ada", "10.0.0.1", "another horse", device=known) == 429
    assert await guessed(server, "Ada", "10.0.0.2", "another horse", device=known) == 201


async def test_an_export_has_the_moves_as_far_as_one_may_see_them(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    await server.play(match, tokens, moves=1)
    exported = [await call(server, token, "GET", "/me/data", None, 200) for token in tokens]
    moves = [found["matches"][0]["moves"] for found in exported]
    for seat, seen in enumerate(moves):
        assert seen == (await server.document(match, tokens[seat]))["moves"]
    dealt = [[move["move"] for move in seen if move["seat"] is None] for seen in moves]
    assert [[text is None for text in texts] for texts in dealt] == [[False, True], [True, False]]


async def test_an_export_has_what_is_kept_beside_matches(server: Inside) -> None:
    store, ada = server.services.store, await server.member("Ada")
    await server.guest("Bob")
    user = (await server.services.people.user_of(ada)).id
    match = await server.match_of([ada, await server.guest()])
    await call(server, ada, "PUT", f"/me/favourites/{match}", None, 200)
    await call(server, ada, "POST", "/seeks", {"game": GAME}, 201)
    await call(server, ada, "POST", "/challenges", {"to": "Bob", "game": GAME}, 201)
    moderator = await server.member("Mod", "moderator")
    await act(server, moderator, "warn", "Ada")
    await store.add_departures(match, [(user, 7)])
    body = b'{"rating":{"value":2500.0,"deviation":50.0},"count":1,"at":7}'
    rating = RatingRow("user", user, 250_000, 5_000, 7, match, body)
    point = RatingPoint(GAME, "two", user, 7, match, 250_000, 5_000)
    assert await store.put_ratings((GAME, "two"), 1, 0, [rating], [], [point])
    record = {"record": "game: flume@1\noptions: size=3\n\nb2 a1\n"}
    imported = (await call(server, ada, "POST", "/records", record, 201))["match"]
    await call(server, ada, "POST", "/bots", {"name": "Robot"}, 201)
    report = {"name": "Bob", "reason": "insults", "note": "He shouts."}
    await call(server, ada, "POST", "/reports", report, 201)
    data = await call(server, ada, "GET", "/me/data", None, 200)
    assert (data["imports"], data["bots"]) == ([imported], ["Robot"])
    assert [(each["name"], each["note"]) for each in data["reports"]] == [("Bob", "He shouts.")]
    assert (data["favourites"], data["departures"]) == ([match], [7])
    assert [each["game"] for each in data["seeks"]] == [GAME]
    assert [each["to_name"] for each in data["challenges"]] == ["Bob"]
    assert [each["act"] for each in data["notices"]] == ["warn"]
    [history] = data["rating_history"]
    assert [(each["match"], each["rating"]) for each in history["points"]] == [(match, 2500)]


async def test_bad_passwords_are_refused(server: Inside) -> None:
    token = await server.guest()
    for name, password in (
        ("Ada", "short"),
        ("Ada", "x" * 257),
        ("Ada", "Password1"),
        ("Ada", "zzzzzzzzzz"),
        ("Ada Lovelace", "ada lovelace"),
    ):
        body = {"name": name, "password": password}
        await call(server, token, "POST", "/me/account", body, "bad_password")
    assert not (await call(server, token, "GET", "/me"))["is_registered"]


async def test_sessions_and_codes_expire(clock: Clock, server: Inside) -> None:
    store = server.services.store
    token = await server.guest()
    code = (await call(server, token, "POST", "/me/device-code", None, 201))["code"]
    clock.now += DEVICE_CODE_MS
    await call(server, "", "POST", "/sessions/device", {"code": code}, "wrong_code")
    assert (await store.token(hash_token(token))).used_at is None, "written once an hour at most"
    clock.now += HOUR_MS
    await call(server, token, "GET", "/me", None, 200)
    used = await store.token(hash_token(token))
    assert (used.used_at % HOUR_MS, used.expires_at) == (0, clock.now + SESSION_MS)
    clock.now = used.expires_at - 1
    await call(server, token, "GET", "/me", None, 200)  # Which prolongs it.
    clock.now = (await store.token(hash_token(token))).expires_at
    await call(server, token, "GET", "/me", None, 401)


async def test_old_hashes_are_renewed_at_sign_in(server: Inside, real_hashes: None) -> None:
    token = await server.guest()
    await sign_up(server, token)
    store = server.services.store
    user = (await call(server, token, "GET", "/me"))["user"]
    old = await store.password(user)
    await store.renew_password(user, old, PasswordHasher(1, 1024, 1).hash(PASSWORD))
    assert (await sign_in(server))["status"] == 201
    assert "m=19456,t=2,p=1" in await store.password(user)
    assert (await sign_in(server))["status"] == 201


async def test_sign_up_may_be_closed_and_bots_never_sign_up(tmp_path: Path) -> None:
    body = {"name": "Ada", "password": PASSWORD}
    async with inside(tmp_path / "1", sign_up="closed") as server:
        await call(server, await server.guest(), "POST", "/me/account", body, "sign_up_closed")
    async with inside(tmp_path / "2") as server:
        bot = (await call(server, "", "POST", "/bots", {"name": "Robot"}))["token"]
        await call(server, bot, "POST", "/me/account", body, "has_account")
        row = await server.services.store.token(hash_token(bot))
        assert (row.kind, row.expires_at) == ("bot", None)


async def test_nobody_ends_anothers_session(server: Inside) -> None:
    ada, eve = await server.guest(), await server.guest()
    session = (await call(server, ada, "GET", "/me/sessions"))["sessions"][0]["session"]
    await call(server, eve, "DELETE", f"/me/sessions/{session}", None, 404)
    await call(server, eve, "DELETE", "/me/sessions", None, 200)
    await call(server, ada, "GET", "/me", None, 200)
    await call(server, ada, "DELETE", "/me/sessions/current", None, 200)
    await call(server, ada, "GET", "/me", None, 401)
    await call(server, eve, "GET", "/me", None, 200)


@pytest.mark.parametrize("by_seat", [False, True])
async def test_an_ended_session_loses_its_socket(
    server: Inside, monkeypatch: pytest.MonkeyPatch, by_seat: bool
) -> None:
    monkeypatch.setattr(socket_module, "TOKEN_CHECK_S", 0.0)
    match, (token, other) = await server.seated(GAME, 2)
    taken = await call(server, token, "POST", f"/matches/{match}/seats/0", {}, 201)
    socket = await server.socket("" if by_seat else token)
    await socket.follow(match, token=taken["token"] if by_seat else "")
    await socket.send({"type": "ping", "sent": 1})
    await socket.receive("pong")
    await call(server, token, "DELETE", "/me/sessions/current", None, 200)
    command = {"type": "command", "id": "r", "match": match, "command": {"type": "resign"}}
    await socket.send(command)
    assert (await socket.receive("bye"))["code"] == "signed_out"
    assert await socket.next() is None
    assert socket.code == 4007
    assert (await call(server, other, "GET", f"/matches/{match}"))["stage"] == "playing"


@pytest.mark.parametrize("path", ["/me/turns", "/matches/{match}/events"])
async def test_an_ended_session_loses_its_streams(
    server: Inside, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(streams_module, "TOKEN_CHECK_S", 0.0)
    server.app.state.streams.heartbeat_s = 0.05
    match, (token, _) = await server.seated(GAME, 2)
    stream = await server.stream(f"/api{path.format(match=match)}", token)
    await stream.receive("heartbeat")
    await call(server, token, "DELETE", "/me/sessions/current", None, 200)
    assert (await stream.receive("bye"))["code"] == "signed_out"
    assert await stream.next() is None


async def test_nothing_of_it_is_logged(server: Inside, lines: io.StringIO) -> None:
    token = await server.guest()
    await sign_up(server, token)
    reset = await reset_code(server)
    await sign_in(server, "wrong horse")
    code = (await call(server, token, "POST", "/me/device-code"))["code"]
    async with server.http() as http:  # Bodies that can't be read, too.
        for text in (f'{{"name": "Ada", "password": ["{PASSWORD}"]}}', f'{{"x": "{PASSWORD}"}}'):
            head = {"content-type": "application/json", **bearer(token)}
            answer = await http.post("/api/sessions", content=text, headers=head)
            assert answer.status_code == 422
            assert PASSWORD not in answer.text
    for secret in (token, PASSWORD, "wrong horse", code, reset, "Ada"):
        assert secret not in lines.getvalue()
