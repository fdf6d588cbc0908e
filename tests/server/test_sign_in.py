"""Passkeys, mailed links, invitations, personal access tokens; and what strangers try."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.server.authenticator import PRESENT, Authenticator
from tests.server.inside import HOST, Inside, inside
from tests.server.smtp import mail_server
from tests.server.test_accounts import GAME, PASSWORD, call, sign_in, sign_up

from watermeet.server.people.accounts import PROVEN_MS
from watermeet.server.people.invitations import DAY_MS, add_invitations
from watermeet.server.people.passkeys import CHALLENGE_MS
from watermeet.server.store.rows import CodeRow
from watermeet.server.tokens import hash_token

pytestmark = pytest.mark.anyio
ORIGIN = f"http://{HOST}"


@pytest.fixture
async def server(tmp_path: Path, store_url: str) -> AsyncIterator[Inside]:
    async with inside(tmp_path, store_url=store_url) as found:
        yield found


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[Inside]:
    async with inside(tmp_path) as found:
        yield found


def at(server: Inside, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A clock that the test moves."""
    services = server.app.state.services
    clock = [services.now()]
    for each in (services.people, services.accounts, services.passkeys, services.mail_addresses):
        monkeypatch.setattr(each, "_now", lambda: clock[0])
    return clock


async def passkey_up(server: Inside, token: str, name: str = "Ada") -> tuple[Authenticator, Any]:
    """An account by passkey."""
    key = Authenticator(ORIGIN)
    path, body = "/me/passkeys/options", {"name": name}
    options = (await call(server, "POST", path, body, token, 200))["options"]
    made = {"credential": key.create(options)}
    return key, await call(server, "POST", "/me/passkeys", made, token, 201)


async def passkey_in(server: Inside, key: Authenticator) -> Any:
    options = (await call(server, "POST", "/sessions/passkey/options", {}, "", 200))["options"]
    return await call(server, "POST", "/sessions/passkey", {"credential": key.get(options)})


async def test_an_account_needs_no_password(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, token = at(server, monkeypatch), await server.guest()
    key, made = await passkey_up(server, token)
    assert (made["user"]["name"], len(made["recovery_codes"])) == ("Ada", 8)
    assert (await sign_in(server, ""))["code"] == "wrong_password"
    other = (await passkey_in(server, key))["token"]
    assert (await call(server, "GET", "/me", None, other))["user"] == made["user"]["user"]
    info = await call(server, "GET", "/me/account", None, other)
    assert not info["has_password"]
    assert [each["label"] for each in info["passkeys"]] == ["Firefox, Linux"]
    data = await call(server, "GET", "/me/data", None, other, 200)
    assert (data["passkeys"], data["mail_address"]) == (["Firefox, Linux"], None)
    mine = f"/me/passkeys/{info['passkeys'][0]['passkey']}"
    await call(server, "PUT", mine, {"label": "Phone"}, other, 200)
    stranger = await server.guest()
    await call(server, "PUT", mine, {"label": "Mine"}, stranger, 404)
    # Who holds an old session can't change how its owner signs in, nor by a code from it.
    assert (await call(server, "POST", f"{mine}/removal", {}, token))["code"] == "sign_in_again"
    code = (await call(server, "POST", "/me/device-code", None, token))["code"]
    third = (await call(server, "POST", "/sessions/device", {"code": code}))["token"]
    new = {"password": "", "new_password": "another horse"}
    assert (await call(server, "PUT", "/me/password", new, third))["code"] == "sign_in_again"
    assert (await call(server, "POST", f"{mine}/removal", {}, other))["code"] == "last_way_in"
    await call(server, "PUT", "/me/password", new, other, 200)
    gone = {"password": "another horse"}
    await call(server, "POST", f"{mine}/removal", gone, other, 200)
    assert (await passkey_in(server, key))["code"] == "bad_passkey"
    clock[0] += PROVEN_MS + 1
    assert (await call(server, "POST", "/me/deletion", {}, other))["code"] == "wrong_password"
    await call(server, "POST", "/me/deletion", gone, other, 200)


async def test_a_lost_passkey_is_replaced_by_a_recovery_code(plain: Inside) -> None:
    token = await plain.guest()
    _, made = await passkey_up(plain, token)
    body = {"name": "Ada", "code": made["recovery_codes"][0], "password": PASSWORD}
    await call(plain, "POST", "/sessions/recovery", body, "", 201)
    await call(plain, "GET", "/me", None, token, 401)
    assert (await sign_in(plain))["status"] == 201


async def test_no_passkey_works_twice_elsewhere_late_or_unverified(
    plain: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = at(plain, monkeypatch)
    token, eve = await plain.guest(), await plain.guest()
    key, _ = await passkey_up(plain, token)

    async def options() -> Any:
        return (await call(plain, "POST", "/sessions/passkey/options", {}))["options"]

    async def attempt(credential: Any) -> str:
        body = {"credential": credential}
        return str((await call(plain, "POST", "/sessions/passkey", body)).get("code"))

    used = key.get(await options())
    assert await attempt(used) == "None"
    assert await attempt(used) == "wrong_code"
    late = key.get(await options())
    clock[0] += CHALLENGE_MS
    assert await attempt(late) == "wrong_code"
    key.origin = "https://evil.example"
    assert await attempt(key.get(await options())) == "bad_passkey"
    key.origin, key.rp = ORIGIN, "evil.example"
    assert await attempt(key.get(await options())) == "bad_passkey"
    key.rp, key.flags = HOST.partition(":")[0], PRESENT
    assert await attempt(key.get(await options())) == "bad_passkey"
    key.flags, key.count = 5, 0  # A copy that counts again.
    assert await attempt(key.get(await options())) == "bad_passkey"
    assert await attempt(Authenticator(ORIGIN).get(await options())) == "bad_passkey"
    for nonsense in ({}, {"response": {"clientDataJSON": "é"}}, {"response": 3}):
        assert await attempt(nonsense) == "bad_passkey"
    # The challenge of another user's sign-up, and one to sign in, make no passkey.
    body = {"name": "Eve"}
    begun = (await call(plain, "POST", "/me/passkeys/options", body, eve))["options"]
    made = {"credential": Authenticator(ORIGIN).create(begun)}
    other = await plain.guest()
    assert (await call(plain, "POST", "/me/passkeys", made, other))["code"] == "bad_passkey"
    assert (await call(plain, "POST", "/me/passkeys", made, eve))["code"] == "wrong_code"
    wrong = await options() | {"user": {"id": "x"}}
    made = {"credential": Authenticator(ORIGIN).create(wrong)}
    assert (await call(plain, "POST", "/me/passkeys", made, eve))["code"] == "bad_passkey"


# ---- mail ---------------------------------------------------------------------------------------


async def test_a_lost_password_is_replaced_by_a_mailed_link(
    tmp_path: Path, store_url: str, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server() as mails:
        smtp = {"smtp_url": f"smtp://127.0.0.1:{mails.port}", "mail_from": "play@example.org"}
        smtp |= {"public_url": "https://play.example.org"}
        async with inside(tmp_path, store_url=store_url, **smtp) as server:
            assert (await call(server, "GET", "/accounts"))["has_mail"]
            clock, token = at(server, monkeypatch), await server.guest()
            await sign_up(server, token)
            wanted = {"address": "ada@example.org", "password": "wrong horse"}
            assert (await call(server, "PUT", "/me/mail", wanted, token))["status"] == 403
            wanted |= {"password": PASSWORD, "language": "de"}
            await call(server, "PUT", "/me/mail", wanted, token, 200)
            found = await mails.next()
            assert found["Subject"] == "Bestätige deine E-Mail-Adresse"
            code = link(found.get_content(), "mail")

            async def address() -> Any:
                return (await call(server, "GET", "/me/account", None, token))["mail_address"]

            assert await address() is None, "not before it is confirmed"
            confirm = {"code": code}
            await call(server, "POST", "/mail-confirmations", confirm, "", 200)
            assert (await call(server, "POST", "/mail-confirmations", confirm))["status"] == 403
            assert await address() == "ada@example.org"

            # The same response for every name, and mail only for one of them.
            await server.guest()
            names = ("Nemo", "Ada", "?")
            asked = [
                await call(server, "POST", "/sessions/reset-link", {"name": name}) for name in names
            ]
            assert all(answer == asked[0] == {"done": True, "status": 200} for answer in asked)
            first = link((await mails.next()).get_content(), "reset")
            await call(server, "POST", "/sessions/reset-link", {"name": "ada"}, "", 200)
            second = link((await mails.next()).get_content(), "reset")
            assert mails.messages.empty()
            body = {"code": second, "password": "another horse"}
            fresh = (await call(server, "POST", "/sessions/reset", body, "", 201))["token"]
            for used in (first, second):
                again = {"code": used, "password": PASSWORD}
                assert (await call(server, "POST", "/sessions/reset", again))["status"] == 403
            await call(server, "GET", "/me", None, token, 401)
            assert (await sign_in(server, "another horse"))["status"] == 201
            await call(server, "POST", "/sessions/reset-link", {"name": "Ada"}, "", 200)
            late = {"code": link((await mails.next()).get_content(), "reset"), "password": PASSWORD}
            clock[0] += 60 * 60_000
            assert (await call(server, "POST", "/sessions/reset", late))["status"] == 403
            proof = {"password": "another horse"}
            await call(server, "POST", "/me/mail/removal", proof, fresh, 200)
            await call(server, "POST", "/sessions/reset-link", {"name": "Ada"}, "", 200)
            await asyncio.sleep(0.2)
            assert mails.messages.empty()
    assert "example.org" not in re.sub(r"play\.example\.org", "", lines.getvalue())


def link(text: str, kind: str) -> str:
    found = re.search(rf"https://play\.example\.org/account#{kind}=([\w-]+)", text)
    assert found, text
    return found[1]


async def test_no_links_are_mailed_to_whatever_host_a_request_names(tmp_path: Path) -> None:
    smtp = {"smtp_url": "smtp://127.0.0.1:9", "mail_from": "play@example.org"}
    async with inside(tmp_path, **smtp) as server:
        assert not (await call(server, "GET", "/accounts"))["has_mail"]
        asked = await call(server, "POST", "/sessions/reset-link", {"name": "Ada"})
        assert asked["code"] == "no_mail"


# ---- invitations --------------------------------------------------------------------------------


async def test_invited_people_sign_up_once(tmp_path: Path) -> None:
    async with inside(tmp_path, sign_up="invited") as server:
        services = server.app.state.services
        now = services.now()
        (old,) = await add_invitations(services.store, "", 1, 1, now - DAY_MS - 1)
        (code,) = await add_invitations(services.store, "", 1, 1, now)
        token, other = await server.guest(), await server.guest()
        body = {"name": "Ada", "password": PASSWORD}
        for wrong in ("", "abcd-efgh-jkmn-pqrs", old):
            answer = await call(server, "POST", "/me/account", body | {"invitation": wrong}, token)
            assert answer["code"] == "invited_to_sign_up"
        begun = {"name": "Ada"}
        answer = await call(server, "POST", "/me/passkeys/options", begun, token)
        assert answer["code"] == "invited_to_sign_up"
        short = body | {"invitation": code, "password": "short"}
        assert (await call(server, "POST", "/me/account", short, token))["code"] == "bad_password"
        await call(server, "POST", "/me/account", body | {"invitation": code}, token, 201)
        late = {"name": "Eve", "password": PASSWORD, "invitation": code}
        answer = await call(server, "POST", "/me/account", late, other)
        assert answer["code"] == "invited_to_sign_up"
        assert (await call(server, "POST", "/invitations", {}, token))["status"] == 403
        user = await services.store.user_named("Ada")
        await services.moderation.put_role(None, user, "administrator")
        made = await call(server, "POST", "/invitations", {"count": 2}, token, 201)
        invitation = made["links"][1].partition("#invitation=")[2]
        await call(server, "POST", "/me/account", late | {"invitation": invitation}, other, 201)


# ---- personal access tokens ---------------------------------------------------------------------


async def test_a_personal_token_does_what_its_scopes_say_until_it_ends(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = at(server, monkeypatch)
    token = await server.guest()
    body = {"label": "My bot", "scopes": ["play", "read"], "days": 3, "password": PASSWORD}
    assert (await call(server, "POST", "/me/tokens", body, token))["code"] == "no_account"
    await sign_up(server, token)
    wrong = body | {"password": "wrong horse"}
    assert (await call(server, "POST", "/me/tokens", wrong, token))["status"] == 403
    made = await call(server, "POST", "/me/tokens", body, token, 201)
    reads = body | {"scopes": ["read"], "label": "Reader"}
    reader = (await call(server, "POST", "/me/tokens", reads, token, 201))["token"]
    match = {"game": GAME, "seats": [{}, {}], "seat": 0}
    personal = made["token"]
    found = (await call(server, "POST", "/matches", match, personal, 201))["match"]
    assert (await call(server, "POST", "/matches", match, reader))["code"] == "wrong_scope"
    listed = await call(server, "GET", "/me/matches", None, reader, 200)
    assert [each["match"] for each in listed["matches"]] == [found]
    resign = {"id": "r", "command": {"type": "leave"}}
    answer = await call(server, "POST", f"/matches/{found}/commands", resign, reader)
    assert answer["code"] == "wrong_scope"
    socket = await server.socket(personal)
    await socket.follow(found)
    await socket.close()
    stolen = await server.socket(reader)
    assert "wrong_scope" in str(stolen.raw)
    tokens = (await call(server, "GET", "/me/tokens", None, token, 200))["tokens"]
    assert {each["label"] for each in tokens} == {"My bot", "Reader"}
    assert len((await call(server, "GET", "/me/sessions", None, token))["sessions"]) == 1
    data = await call(server, "GET", "/me/data", None, token, 200)
    assert (sorted(data["tokens"]), data["passkeys"]) == (["My bot", "Reader"], [])
    mine = next(each for each in tokens if each["label"] == "Reader")
    await call(server, "DELETE", f"/me/tokens/{mine['id']}", None, token, 200)
    await call(server, "GET", "/me/matches", None, reader, 401)
    clock[0] += 2 * DAY_MS
    await call(server, "GET", "/me/matches", None, personal, 200)  # Use doesn't prolong it.
    clock[0] += DAY_MS + 60_000
    await call(server, "GET", "/me/matches", None, personal, 401)


@pytest.mark.parametrize("ends", ["personal", "session"])
async def test_no_token_of_a_seat_outlives_the_token_that_fetched_it(
    server: Inside, ends: str
) -> None:
    token = await server.guest()
    await sign_up(server, token)
    body = {"label": "Bot", "scopes": ["play"], "days": 3, "password": PASSWORD}
    if ends == "personal":
        made = await call(server, "POST", "/me/tokens", body, token, 201)
        stolen, path = made["token"], f"/me/tokens/{made['info']['id']}"
    else:
        stolen = (await sign_in(server))["token"]
        listed = (await call(server, "GET", "/me/sessions", None, stolen))["sessions"]
        path = next(f"/me/sessions/{one['session']}" for one in listed if one["is_current"])
    wanted = {"game": GAME, "seats": [{}, {}], "seat": 0, "spectators": "none"}
    match = (await call(server, "POST", "/matches", wanted, token, 201))["match"]
    own = f"/matches/{match}/seats/0"
    seat = (await call(server, "POST", own, {}, stolen, 201))["token"]
    await call(server, "GET", f"/matches/{match}", None, seat, 200)
    await call(server, "DELETE", path, None, token, 200)
    await call(server, "GET", f"/matches/{match}", None, seat, 401)
    seat = (await call(server, "POST", own, {}, token, 201))["token"]
    await call(server, "GET", f"/matches/{match}", None, seat, 200)


# ---- attacks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", ["recovery", "reset", "password", "everywhere"])
async def test_nothing_that_a_thief_prepared_outlives_a_new_password(
    server: Inside, act: str
) -> None:
    """Codes for another device, links to confirm another address, sessions, and tokens."""
    token = await server.guest()
    codes = await sign_up(server, token)
    user = (await call(server, "GET", "/me", None, token))["user"]
    stolen = (await sign_in(server))["token"]
    wanted = {"label": "Bot", "scopes": ["play"], "days": 3, "password": PASSWORD}
    personal = (await call(server, "POST", "/me/tokens", wanted, stolen, 201))["token"]
    device = (await call(server, "POST", "/me/device-code", None, stolen, 201))["code"]
    services = server.app.state.services
    now = services.now()
    for code, kind in (("evil", "mail"), ("mailed", "reset")):
        row = CodeRow(hash_token(code), kind, user, now + DAY_MS, "eve@example.org")
        await services.store.add_code(row, now)
    new = {"password": "another horse"}
    if act == "recovery":
        body = new | {"name": "Ada", "code": codes[0]}
        token = (await call(server, "POST", "/sessions/recovery", body, "", 201))["token"]
    elif act == "reset":
        body = new | {"code": "mailed"}
        token = (await call(server, "POST", "/sessions/reset", body, "", 201))["token"]
    elif act == "password":
        change = {"password": PASSWORD, "new_password": "another horse"}
        await call(server, "PUT", "/me/password", change, token, 200)
    else:
        await call(server, "DELETE", "/me/sessions", None, token, 200)
    for path, late in (
        ("/sessions/device", {"code": device}),
        ("/mail-confirmations", {"code": "evil"}),
        ("/sessions/reset", new | {"code": "mailed"}),
    ):
        assert (await call(server, "POST", path, late))["code"] == "wrong_code", path
    for ended in (stolen, personal):
        await call(server, "GET", "/me/matches", None, ended, 401)
    info = await call(server, "GET", "/me/account", None, token, 200)
    assert info["recovery_codes_left"] == (7 if act == "recovery" else 8)


async def test_guessing_passwords_locks_nobody_out_of_recovery(plain: Inside) -> None:
    token = await plain.guest()
    codes = await sign_up(plain, token)
    guesses = [(await sign_in(plain, "wrong horse"))["status"] for _ in range(11)]
    assert guesses[-1] == 429
    proof = {"password": PASSWORD}
    fresh = await call(plain, "POST", "/me/recovery-codes", proof, token, 201)
    assert codes[0] not in fresh["recovery_codes"]
    body = {"name": "Ada", "code": "x" * 20, "password": "another horse"}
    right = body | {"code": fresh["recovery_codes"][0]}
    await call(plain, "POST", "/sessions/recovery", right, "", 201)
    lost = [(await call(plain, "POST", "/sessions/recovery", body))["status"] for _ in range(10)]
    assert lost == [403] * 9 + [429], "but codes can't be guessed without end"


async def test_signing_in_never_reuses_a_token(plain: Inside) -> None:
    """Whoever planted a token in a browser doesn't get the account (session fixation)."""
    planted = await plain.guest()
    codes = await sign_up(plain, await plain.guest())
    body = {"name": "Ada", "password": PASSWORD}
    recovery = {"name": "Ada", "code": codes[0], "password": PASSWORD}
    first = (await call(plain, "POST", "/sessions", body, planted, 201))["token"]
    second = (await call(plain, "POST", "/sessions/recovery", recovery, planted, 201))["token"]
    assert len({planted, first, second}) == 3
    assert not (await call(plain, "GET", "/me", None, planted))["is_registered"]


async def test_no_other_page_acts_for_anybody(plain: Inside) -> None:
    """Tokens are in a header, which other pages can't set; there are no cookies (CSRF)."""
    token = await plain.guest()
    body = {"name": "Ada", "password": PASSWORD}
    foreign = {"origin": "https://evil.example", "Authorization": f"Bearer {token}"}
    async with plain.http() as http:
        for path in ("/api/sessions", "/api/me/account", "/api/sessions/passkey/options"):
            answer = await http.post(path, json=body, headers=foreign)
            assert answer.status_code == 403, path
        form = await http.post("/api/sessions", data=body)
        assert form.status_code == 400, "a form can't sign anybody in"
        await http.post("/api/me/account", json=body, headers={"Authorization": f"Bearer {token}"})
        answer = await http.post("/api/sessions", json=body)
    assert answer.status_code == 201
    assert "set-cookie" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "Ada\u202e",
        "Ada\u200b",
        "\u0410da",
        "A\u0301\u0301da",
        "{{7*7}}",
        "Ada\x00",
    ],
)
async def test_no_name_is_a_script_or_passes_for_another(plain: Inside, name: str) -> None:
    await sign_up(plain, await plain.guest())
    token = await plain.guest()
    body = {"name": name, "password": PASSWORD}
    for path in ("/me/account", "/me/passkeys/options"):
        answer = await call(plain, "POST", path, body, token)
        assert answer["code"] in ("bad_name", "name_taken", "bad_request"), answer


async def test_all_ways_in_are_limited_and_cost_the_same_for_strangers(
    plain: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sign_up(plain, await plain.guest())
    hashed: list[str] = []
    hash_one = PasswordHasher.hash

    def count(self: PasswordHasher, password: Any, **more: Any) -> str:
        hashed.append(password)
        return hash_one(self, password, **more)

    monkeypatch.setattr(PasswordHasher, "hash", count)
    wrong = {"code": "x" * 20, "password": "another horse"}
    lost = [
        await call(plain, "POST", "/sessions/recovery", wrong | {"name": name})
        for name in ("Ada", "Nemo")
    ]
    assert lost[0] == lost[1]
    assert len(hashed) == 2, "a hash for each, whoever it is"
    for path, body in (
        ("/sessions/reset", wrong),
        ("/sessions/passkey/options", {}),
        ("/sessions/device", {"code": "abcd-efgh"}),
    ):
        plain.app.state.services.accounts._by_address._buckets.clear()
        answers = [(await call(plain, "POST", path, body))["status"] for _ in range(31)]
        assert answers[-1] == 429, path
        assert 429 not in answers[:30], path
