"""Passkeys, mailed links, invitations, personal access tokens; and what strangers try."""

from __future__ import annotations

import asyncio
import io
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.server.authenticator import PRESENT, Authenticator
from tests.server.inside import HOST, PASSWORD, Clock, Inside, call, inside
from tests.server.smtp import mail_server
from tests.server.test_accounts import GAME, reset_code, sign_in, sign_up

from watermeet.server.api import routes_profiles, routes_sign_in
from watermeet.server.errors import StoreUnavailable, Unauthorized
from watermeet.server.people import challenges, company
from watermeet.server.people.accounts import PROVEN_MS
from watermeet.server.people.invitations import DAY_MS, add_invitations
from watermeet.server.people.passkeys import CHALLENGE_MS
from watermeet.server.people.users import NAME_KEPT_MS
from watermeet.server.store.rows import CodeRow, Job
from watermeet.server.store.sql import Statement
from watermeet.server.tokens import hash_token

pytestmark = pytest.mark.anyio
ORIGIN = f"http://{HOST}"


async def passkey_up(server: Inside, token: str, name: str = "Ada") -> tuple[Authenticator, Any]:
    """An account by passkey."""
    key = Authenticator(ORIGIN)
    path, body = "/me/passkeys/options", {"name": name}
    options = (await call(server, token, "POST", path, body, 200))["options"]
    made = {"credential": key.create(options)}
    return key, await call(server, token, "POST", "/me/passkeys", made, 201)


async def passkey_in(server: Inside, key: Authenticator) -> Any:
    options = (await call(server, "", "POST", "/sessions/passkey/options", {}, 200))["options"]
    return await call(server, "", "POST", "/sessions/passkey", {"credential": key.get(options)})


async def test_an_account_needs_no_password(clock: Clock, any_server: Inside) -> None:
    server = any_server
    token = await server.guest()
    key, made = await passkey_up(server, token)
    assert made["user"]["name"] == "Ada"
    assert (await sign_in(server, ""))["code"] == "wrong_password"
    other = (await passkey_in(server, key))["token"]
    assert (await call(server, other, "GET", "/me"))["user"] == made["user"]["user"]
    info = await call(server, other, "GET", "/me/account")
    assert not info["has_password"]
    assert [each["label"] for each in info["passkeys"]] == ["Firefox, Linux"]
    data = await call(server, other, "GET", "/me/data", None, 200)
    assert (data["passkeys"], data["mail_address"]) == (["Firefox, Linux"], None)
    mine = f"/me/passkeys/{info['passkeys'][0]['passkey']}"
    await call(server, other, "PUT", mine, {"label": "Phone"}, 200)
    stranger = await server.guest()
    await call(server, stranger, "PUT", mine, {"label": "Mine"}, 404)
    # Who holds an old session can't change how its owner signs in, nor by a code from it.
    await call(server, token, "POST", f"{mine}/removal", {}, "sign_in_again")
    code = (await call(server, token, "POST", "/me/device-code"))["code"]
    third = (await call(server, "", "POST", "/sessions/device", {"code": code}))["token"]
    new = {"password": "", "new_password": "another horse"}
    await call(server, third, "PUT", "/me/password", new, "sign_in_again")
    await call(server, other, "POST", f"{mine}/removal", {}, "last_way_in")
    await call(server, other, "PUT", "/me/password", new, 200)
    gone = {"password": "another horse"}
    await call(server, other, "POST", f"{mine}/removal", gone, 200)
    assert (await passkey_in(server, key))["code"] == "bad_passkey"
    clock.now += PROVEN_MS + 1
    await call(server, other, "POST", "/me/deletion", {}, "wrong_password")
    await call(server, other, "POST", "/me/deletion", gone, 200)


async def test_a_lost_passkey_is_replaced_by_a_link_of_the_host(server: Inside) -> None:
    token = await server.guest()
    await passkey_up(server, token)
    body = {"code": await reset_code(server), "password": PASSWORD}
    await call(server, "", "POST", "/sessions/reset", body, 201)
    await call(server, token, "GET", "/me", None, 401)
    assert (await sign_in(server))["status"] == 201


async def test_no_passkey_works_twice_elsewhere_late_or_unverified(
    clock: Clock, server: Inside
) -> None:
    token, eve = await server.guest(), await server.guest()
    key, _ = await passkey_up(server, token)

    async def options() -> Any:
        return (await call(server, "", "POST", "/sessions/passkey/options", {}))["options"]

    async def attempt(credential: Any) -> str:
        body = {"credential": credential}
        return str((await call(server, "", "POST", "/sessions/passkey", body)).get("code"))

    used = key.get(await options())
    assert await attempt(used) == "None"
    assert await attempt(used) == "wrong_code"
    late = key.get(await options())
    clock.now += CHALLENGE_MS
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
    begun = (await call(server, eve, "POST", "/me/passkeys/options", body))["options"]
    made = {"credential": Authenticator(ORIGIN).create(begun)}
    other = await server.guest()
    await call(server, other, "POST", "/me/passkeys", made, "bad_passkey")
    await call(server, eve, "POST", "/me/passkeys", made, "wrong_code")
    wrong = await options() | {"user": {"id": "x"}}
    made = {"credential": Authenticator(ORIGIN).create(wrong)}
    await call(server, eve, "POST", "/me/passkeys", made, "bad_passkey")


# ---- mail ---------------------------------------------------------------------------------------


async def test_a_lost_password_is_replaced_by_a_mailed_link(
    tmp_path: Path, lines: io.StringIO, clock: Clock
) -> None:
    async with mail_server() as mails:
        smtp = {"smtp_url": f"smtp://127.0.0.1:{mails.port}", "mail_from": "play@example.org"}
        smtp |= {"public_url": "https://play.example.org"}
        async with inside(tmp_path, **smtp) as server:
            assert (await call(server, "", "GET", "/accounts"))["has_mail"]
            token = await server.guest()
            await sign_up(server, token)
            wanted = {"address": "ada@example.org", "password": "wrong horse"}
            await call(server, token, "PUT", "/me/mail", wanted, 403)
            wanted |= {"password": PASSWORD, "language": "de"}
            await call(server, token, "PUT", "/me/mail", wanted, 200)
            found = await mails.next()
            assert found["Subject"] == "Bestätige deine E-Mail-Adresse"
            code = link(found.get_content(), "mail")

            async def address() -> Any:
                return (await call(server, token, "GET", "/me/account"))["mail_address"]

            assert await address() is None, "not before it is confirmed"
            confirm = {"code": code}
            await call(server, "", "POST", "/mail-confirmations", confirm, 200)
            await call(server, "", "POST", "/mail-confirmations", confirm, 403)
            assert await address() == "ada@example.org"

            # The same response for every name, and mail only for one of them.
            await server.guest()
            names = ("Nemo", "Ada", "?")
            asked = [
                await call(server, "", "POST", "/sessions/reset-link", {"name": name})
                for name in names
            ]
            assert all(answer == asked[0] == {"done": True, "status": 200} for answer in asked)
            first = link((await mails.next()).get_content(), "reset")
            await call(server, "", "POST", "/sessions/reset-link", {"name": "ada"}, 200)
            second = link((await mails.next()).get_content(), "reset")
            assert mails.messages.empty()
            body = {"code": second, "password": "another horse"}
            fresh = (await call(server, "", "POST", "/sessions/reset", body, 201))["token"]
            for used in (first, second):
                again = {"code": used, "password": PASSWORD}
                await call(server, "", "POST", "/sessions/reset", again, 403)
            await call(server, token, "GET", "/me", None, 401)
            assert (await sign_in(server, "another horse"))["status"] == 201
            await call(server, "", "POST", "/sessions/reset-link", {"name": "Ada"}, 200)
            late = {"code": link((await mails.next()).get_content(), "reset"), "password": PASSWORD}
            clock.now += 60 * 60_000
            await call(server, "", "POST", "/sessions/reset", late, 403)
            proof = {"password": "another horse"}
            await call(server, fresh, "POST", "/me/mail/removal", proof, 200)
            await call(server, "", "POST", "/sessions/reset-link", {"name": "Ada"}, 200)
            await asyncio.sleep(0.2)
            assert mails.messages.empty()
    assert "example.org" not in re.sub(r"play\.example\.org", "", lines.getvalue())


async def test_a_mailed_link_belongs_to_who_asked_and_only_while_nothing_changed(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter that waits follows no name to another person, and outlives no change."""
    async with mail_server() as mails:
        smtp = {"smtp_url": f"smtp://127.0.0.1:{mails.port}", "mail_from": "play@example.org"}
        smtp |= {"public_url": "https://play.example.org"}
        async with inside(tmp_path, **smtp) as server:
            token = await server.guest()
            await sign_up(server, token)
            user = (await call(server, token, "GET", "/me"))["user"]
            addresses = server.services.mail_addresses
            waiting = list[Job]()

            async def wait(jobs: Sequence[Job]) -> None:
                waiting.extend(jobs)

            async def begin(address: str) -> Job:
                wanted = {"address": address, "password": PASSWORD}
                await call(server, token, "PUT", "/me/mail", wanted, 200)
                return waiting.pop()

            async def sent(job: Job) -> str:
                await addresses._mail_confirm(job)
                return link((await mails.next()).get_content(), "mail")

            monkeypatch.setattr(addresses._runner, "add_jobs", wait)
            kept = await begin("kept@example.org")
            await call(server, token, "PUT", "/me/name", {"name": "Augusta"}, 200)
            clock.now += NAME_KEPT_MS
            other = await server.guest()
            await sign_up(server, other)  # As Ada, whose name is free now.
            mistyped = await sent(await begin("eve@example.org"))
            late = await begin("late@example.org")
            await call(server, "", "POST", "/mail-confirmations", {"code": await sent(kept)}, 200)
            found = await server.services.store.mail_address(user)
            assert found == "kept@example.org", "Augusta's, though she was Ada when she asked"
            await call(server, "", "POST", "/mail-confirmations", {"code": mistyped}, 403)
            await addresses._mail_confirm(late)
            assert mails.messages.empty(), "another address was confirmed meanwhile"
            pending = await sent(await begin("pending@example.org"))
            await call(server, token, "POST", "/me/mail/removal", {"password": PASSWORD}, 200)
            await call(server, "", "POST", "/mail-confirmations", {"code": pending}, 403)


async def test_nobody_is_mailed_many_links_whoever_asks(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drop(jobs: Sequence[Job]) -> None:
        pass

    smtp = {"smtp_url": "smtp://127.0.0.1:9", "mail_from": "play@example.org"}
    async with inside(tmp_path, **smtp, public_url="https://play.example.org") as server:
        monkeypatch.setattr(server.services.mail_addresses._runner, "add_jobs", drop)
        tokens = [await server.member(f"Eve {number}") for number in range(4)]
        victim = ("vic@example.org", "Vic@example.org", "vic+1@example.org", "vic@example.org")

        async def ask(token: str, address: str) -> int:
            wanted = {"address": address, "password": PASSWORD}
            return int((await call(server, token, "PUT", "/me/mail", wanted))["status"])

        asked = [await ask(token, each) for token, each in zip(tokens, victim, strict=True)]
        assert asked == [200, 200, 200, 429]
        assert await ask(tokens[3], "eve@example.org") == 200
        clock.now += 20 * 60_000
        assert await ask(tokens[3], "vic@example.org") == 200


def link(text: str, kind: str) -> str:
    found = re.search(rf"https://play\.example\.org/account#{kind}=([\w-]+)", text)
    assert found, text
    return found[1]


async def test_no_links_are_mailed_to_whatever_host_a_request_names(tmp_path: Path) -> None:
    smtp = {"smtp_url": "smtp://127.0.0.1:9", "mail_from": "play@example.org"}
    async with inside(tmp_path, **smtp) as server:
        assert not (await call(server, "", "GET", "/accounts"))["has_mail"]
        asked = await call(server, "", "POST", "/sessions/reset-link", {"name": "Ada"})
        assert asked["code"] == "no_mail"


# ---- invitations --------------------------------------------------------------------------------


async def test_invited_people_sign_up_once(tmp_path: Path) -> None:
    async with inside(tmp_path, sign_up="invited") as server:
        services = server.services
        now = services.now()
        (old,) = await add_invitations(services.store, "", 1, 1, now - DAY_MS - 1)
        (code,) = await add_invitations(services.store, "", 1, 1, now)
        token, other = await server.guest(), await server.guest()
        body = {"name": "Ada", "password": PASSWORD}
        for wrong in ("", "abcd-efgh-jkmn-pqrs", old):
            answer = await call(server, token, "POST", "/me/account", body | {"invitation": wrong})
            assert answer["code"] == "invited_to_sign_up"
        begun = {"name": "Ada"}
        answer = await call(server, token, "POST", "/me/passkeys/options", begun)
        assert answer["code"] == "invited_to_sign_up"
        short = body | {"invitation": code, "password": "short"}
        await call(server, token, "POST", "/me/account", short, "bad_password")
        await call(server, token, "POST", "/me/account", body | {"invitation": code}, 201)
        late = {"name": "Eve", "password": PASSWORD, "invitation": code}
        answer = await call(server, other, "POST", "/me/account", late)
        assert answer["code"] == "invited_to_sign_up"
        await call(server, token, "POST", "/invitations", {}, 403)
        user = await services.store.user_named("Ada")
        await services.moderation.put_role(None, user, "administrator")
        made = await call(server, token, "POST", "/invitations", {"count": 2}, 201)
        invitation = made["links"][1].partition("#invitation=")[2]
        await call(server, other, "POST", "/me/account", late | {"invitation": invitation}, 201)


async def test_on_a_server_for_invited_people_guests_begin_nothing(tmp_path: Path) -> None:
    async with inside(tmp_path, sign_up="invited") as server:
        ada, guest = await server.member("Ada"), await server.guest("Gus")
        match = {"game": GAME, "seats": [{}, {"who": "invited"}], "seat": 0}
        begun = (
            ("/matches", match),
            ("/seeks", {"game": "flume"}),
            ("/challenges", {"to": "Ada", "game": GAME}),
            ("/records", {"record": "x"}),
            ("/bots", {"name": "Robot"}),
        )
        for path, body in begun:
            await call(server, guest, "POST", path, body, "invited_to_sign_up")
        await call(server, "", "POST", "/bots", {"name": "Robot"}, 401)
        made = await call(server, ada, "POST", "/matches", match, 201)
        seek = (await call(server, ada, "POST", "/seeks", {"game": "flume"}, 201))["seek"]
        await call(server, guest, "POST", f"/seeks/{seek}/join", {}, "invited_to_sign_up")
        bot = (await call(server, ada, "POST", "/bots", {"name": "Robot"}, 201))["token"]
        await call(server, bot, "POST", "/matches", match, 201)
        invitation = {"invitation": made["invitations"]["1"]}
        await call(server, guest, "POST", f"/matches/{made['match']}/seats/1", invitation, 201)

        # A rematch is begun by whoever offers it.
        played = made["match"]
        await server.command(played, ada, "r", type="resign")
        offer = {"type": "offer", "what": "rematch"}
        assert (await server.command(played, guest, "o", **offer))["code"] == "invited_to_sign_up"
        assert (await server.command(played, ada, "o", **offer))["status"] == 200
        assert (await server.command(played, guest, "a", **offer))["status"] == 200
        assert (await server.document(played))["rematch"]


# ---- personal access tokens ---------------------------------------------------------------------


async def test_a_personal_token_does_what_its_scopes_say_until_it_ends(
    clock: Clock, any_server: Inside
) -> None:
    server = any_server
    token = await server.guest()
    body = {"label": "My bot", "scopes": ["play", "read"], "days": 3, "password": PASSWORD}
    await call(server, token, "POST", "/me/tokens", body, "no_account")
    await sign_up(server, token)
    wrong = body | {"password": "wrong horse"}
    await call(server, token, "POST", "/me/tokens", wrong, 403)
    made = await call(server, token, "POST", "/me/tokens", body, 201)
    reads = body | {"scopes": ["read"], "label": "Reader"}
    reader = (await call(server, token, "POST", "/me/tokens", reads, 201))["token"]
    match = {"game": GAME, "seats": [{}, {}], "seat": 0}
    personal = made["token"]
    found = (await call(server, personal, "POST", "/matches", match, 201))["match"]
    await call(server, reader, "POST", "/matches", match, "wrong_scope")
    listed = await call(server, reader, "GET", "/me/matches", None, 200)
    assert [each["match"] for each in listed["matches"]] == [found]
    resign = {"id": "r", "command": {"type": "leave"}}
    answer = await call(server, reader, "POST", f"/matches/{found}/commands", resign)
    assert answer["code"] == "wrong_scope"
    socket = await server.socket(personal)
    await socket.follow(found)
    await socket.close()
    stolen = await server.socket(reader)
    assert "wrong_scope" in str(stolen.raw)
    tokens = (await call(server, token, "GET", "/me/tokens", None, 200))["tokens"]
    assert {each["label"] for each in tokens} == {"My bot", "Reader"}
    assert len((await call(server, token, "GET", "/me/sessions"))["sessions"]) == 1
    data = await call(server, token, "GET", "/me/data", None, 200)
    assert (sorted(data["tokens"]), data["passkeys"]) == (["My bot", "Reader"], [])
    mine = next(each for each in tokens if each["label"] == "Reader")
    await call(server, token, "DELETE", f"/me/tokens/{mine['id']}", None, 200)
    await call(server, reader, "GET", "/me/matches", None, 401)
    own = f"/matches/{found}/seats/0"
    seat = (await call(server, personal, "POST", own, {}, 201))["token"]
    clock.now += 2 * DAY_MS
    await call(server, personal, "GET", "/me/matches", None, 200)  # Use doesn't prolong it.
    await call(server, seat, "GET", f"/matches/{found}", None, 200)
    clock.now += DAY_MS + 60_000
    await call(server, personal, "GET", "/me/matches", None, 401)
    await call(server, seat, "GET", f"/matches/{found}", None, 401)


async def test_a_socket_reads_nothing_that_its_token_may_not(server: Inside) -> None:
    match, (_, other) = await server.seated(GAME, 2)
    token = await server.member("Ada")
    body = {"label": "Bot", "scopes": ["play"], "days": 3, "password": PASSWORD}
    personal = (await call(server, token, "POST", "/me/tokens", body, 201))["token"]
    await call(server, personal, "GET", f"/matches/{match}", None, "wrong_scope")
    for hello, follow in ((personal, ""), ("", personal), (personal, other)):
        socket = await server.socket(hello)
        await socket.send({"type": "follow", "match": match, "token": follow})
        assert (await socket.receive("snapshot", "error"))["code"] == "wrong_scope"
        if hello:
            await socket.send({"type": "lobby", "what": "all"})
            assert (await socket.receive("seeking", "error"))["code"] == "wrong_scope"
        await socket.close()


@pytest.mark.parametrize("ends", ["personal", "session"])
async def test_no_token_of_a_seat_outlives_the_token_that_fetched_it(
    server: Inside, ends: str
) -> None:
    token = await server.guest()
    await sign_up(server, token)
    body = {"label": "Bot", "scopes": ["play"], "days": 3, "password": PASSWORD}
    if ends == "personal":
        made = await call(server, token, "POST", "/me/tokens", body, 201)
        stolen, path = made["token"], f"/me/tokens/{made['info']['id']}"
    else:
        stolen = (await sign_in(server))["token"]
        listed = (await call(server, stolen, "GET", "/me/sessions"))["sessions"]
        path = next(f"/me/sessions/{one['session']}" for one in listed if one["is_current"])
    match = await server.match_of([token, await server.guest()], spectators="none")
    own = f"/matches/{match}/seats/0"
    seat = (await call(server, stolen, "POST", own, {}, 201))["token"]
    await call(server, seat, "GET", f"/matches/{match}", None, 200)
    device = {"code": "none"}
    if ends == "session":
        device = {
            "code": (await call(server, stolen, "POST", "/me/device-code", None, 201))["code"]
        }
    await call(server, token, "DELETE", path, None, 200)
    await call(server, "", "POST", "/sessions/device", device, 403)
    await call(server, seat, "GET", f"/matches/{match}", None, 401)
    seat = (await call(server, token, "POST", own, {}, 201))["token"]
    await call(server, seat, "GET", f"/matches/{match}", None, 200)


# ---- attacks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", ["reset", "password", "everywhere"])
async def test_nothing_that_a_thief_prepared_outlives_a_new_password(
    server: Inside, act: str
) -> None:
    """Codes for another device, links to confirm another address, sessions, and tokens."""
    token = await server.guest()
    await sign_up(server, token)
    user = (await call(server, token, "GET", "/me"))["user"]
    stolen = (await sign_in(server))["token"]
    wanted = {"label": "Bot", "scopes": ["play"], "days": 3, "password": PASSWORD}
    personal = (await call(server, stolen, "POST", "/me/tokens", wanted, 201))["token"]
    device = (await call(server, stolen, "POST", "/me/device-code", None, 201))["code"]
    services = server.services
    now = services.now()
    for code, kind in (("evil", "mail"), ("mailed", "reset")):
        row = CodeRow(hash_token(code), kind, user, now + DAY_MS, "eve@example.org")
        await services.store.add_code(row, now)
    new = {"password": "another horse"}
    if act == "reset":
        body = new | {"code": "mailed"}
        token = (await call(server, "", "POST", "/sessions/reset", body, 201))["token"]
    elif act == "password":
        change = {"password": PASSWORD, "new_password": "another horse"}
        await call(server, token, "PUT", "/me/password", change, 200)
    else:
        await call(server, token, "DELETE", "/me/sessions", None, 200)
    for path, late in (
        ("/sessions/device", {"code": device}),
        ("/mail-confirmations", {"code": "evil"}),
        ("/sessions/reset", new | {"code": "mailed"}),
    ):
        assert (await call(server, "", "POST", path, late))["code"] == "wrong_code", path
    for ended in (stolen, personal):
        await call(server, ended, "GET", "/me/matches", None, 401)


async def test_a_session_that_ends_meanwhile_writes_nothing_more(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its token is asked for again in the transaction of what it writes."""
    token = await server.guest()
    await sign_up(server, token)
    stolen = (await sign_in(server))["token"]
    accounts, store = server.services.accounts, server.services.store
    hashed = accounts.passwords.hash

    async def slow(password: str, address: str) -> str:
        await call(server, token, "DELETE", "/me/sessions", None, 200)
        return str(await hashed(password, address))

    monkeypatch.setattr(accounts.passwords, "hash", slow)
    change = {"password": PASSWORD, "new_password": "another horse"}
    await call(server, stolen, "PUT", "/me/password", change, 401)
    assert (await sign_in(server))["status"] == 201, "the password is the same"
    user = await store.user((await call(server, token, "GET", "/me"))["user"])
    with pytest.raises(Unauthorized):
        await accounts.device_code(user, stolen)


async def test_no_token_outlives_a_session_that_ends_while_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does an account that somebody else makes of a guest, or a passkey."""
    async with inside(tmp_path) as server:
        services = server.services
        passwords, matches = services.accounts.passwords, services.matches
        token, guest = await server.guest(), await server.guest()
        match = await server.match_of([await server.guest(), token])
        await sign_up(server, token)
        user = (await call(server, token, "GET", "/me"))["user"]

        def ending(token: str, work: Any) -> Any:
            async def work_meanwhile(*given: Any, **more: Any) -> Any:
                done = await work(*given, **more)
                await call(server, token, "DELETE", "/me/sessions", None, 200)
                return done

            return work_meanwhile

        async def kinds() -> list[str]:
            return [row.kind for row in await services.store.tokens_of(user)]

        stolen = (await sign_in(server))["token"]
        monkeypatch.setattr(matches, "do", ending(token, matches.do))
        await call(server, stolen, "POST", f"/matches/{match}/seats/1", {}, 401)
        found = await services.store._read(Statement("SELECT 1 FROM tokens WHERE kind = 'seat'"))
        assert len(found) <= 1, "the other player's"
        stolen = (await sign_in(server))["token"]
        key, options = Authenticator(ORIGIN), {"password": PASSWORD, "name": "Ada"}
        begun = await call(server, stolen, "POST", "/me/passkeys/options", options, 200)
        monkeypatch.setattr(passwords, "verify", ending(token, passwords.verify))
        body = {"label": "Bot", "scopes": ["play"], "days": 3, "password": PASSWORD}
        answer = await call(server, stolen, "POST", "/me/tokens", body, 401)
        assert answer["message"].startswith("this session has ended")
        assert await kinds() == ["device"]
        monkeypatch.undo()
        stolen = (await sign_in(server))["token"]
        read = services.store.passkey
        monkeypatch.setattr(services.store, "passkey", ending(token, read))
        made = {"credential": key.create(begun["options"])}
        await call(server, stolen, "POST", "/me/passkeys", made, "bad_passkey")
        assert await services.store.passkeys(user) == []

        code = (await call(server, guest, "POST", "/me/device-code", None, 201))["code"]
        stolen = (await call(server, "", "POST", "/sessions/device", {"code": code}))["token"]
        monkeypatch.setattr(passwords, "hash", ending(guest, passwords.hash))
        evil = {"name": "Eve", "password": PASSWORD}
        await call(server, stolen, "POST", "/me/account", evil, 401)
        assert not (await call(server, guest, "GET", "/me"))["is_registered"]


async def test_requests_at_once_exceed_no_limit(
    any_server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = any_server
    monkeypatch.setattr(routes_sign_in, "MAX_TOKENS", 2)
    monkeypatch.setattr(challenges, "MOST", 2)
    monkeypatch.setattr(company, "MAX_TIES", 2)
    ada, names = await server.member("Ada"), [f"Bob {number}" for number in range(6)]
    monkeypatch.setattr(routes_profiles, "FAVOURITES", 2)
    for name in names:
        await server.member(name)
    matches = [(await server.seated(GAME, 2))[0] for _ in names]
    wanted = {"scopes": ["play"], "days": 3, "password": PASSWORD}
    for requests in (
        [("POST", "/me/tokens", wanted | {"label": name}) for name in names],
        [("POST", "/challenges", {"to": name, "game": GAME}) for name in names],
        [("PUT", f"/me/following/{name}", None) for name in names],
        [("PUT", f"/me/favourites/{match}", None) for match in matches],
    ):
        answers = await asyncio.gather(*(call(server, ada, *request) for request in requests))
        refused = [each for each in answers if each.get("code") == "too_many"]
        assert len(refused) == 4, requests[0]


@pytest.mark.parametrize("act", ["reset", "password"])
async def test_a_new_password_comes_with_the_end_of_other_sessions_or_not_at_all(
    server: Inside, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """Whichever write of it fails."""
    store, now = server.services.store, server.services.now()
    for failing in range(1, 4):
        name, token = f"Ada {failing}", await server.guest()
        await sign_up(server, token, name)
        user = (await call(server, token, "GET", "/me"))["user"]
        stolen = (await sign_in(server, name=name))["token"]
        mailed = f"mailed {failing}"
        await store.add_code(CodeRow(hash_token(mailed), "reset", user, now + DAY_MS), now)
        method, path, body = {
            "reset": ("POST", "/sessions/reset", {"code": mailed}),
            "password": ("PUT", "/me/password", {"new_password": "another horse"}),
        }[act]
        body["password"] = PASSWORD if act == "password" else "another horse"
        write, writes = store._write, itertools.count(1)

        async def flaky(  # type: ignore[no-untyped-def]
            *statements: Any, write=write, writes=writes, failing=failing, **more: Any
        ) -> Any:
            if next(writes) == failing:
                raise StoreUnavailable("the disk is full", "")
            return await write(*statements, **more)

        with monkeypatch.context() as patch:
            patch.setattr(store, "_write", flaky)
            await call(server, token, method, path, body)
        is_new = (await sign_in(server, "another horse", name))["status"] == 201
        assert is_new == ((await call(server, stolen, "GET", "/me"))["status"] == 401)
        assert is_new != ((await sign_in(server, name=name))["status"] == 201)
        is_left = await store.read_code(hash_token(mailed), "reset", now) is not None
        assert is_new != is_left


async def test_a_new_password_ends_the_sockets_of_other_sessions_at_once(server: Inside) -> None:
    token = await server.guest()
    await sign_up(server, token)
    match = await server.match_of([token, await server.guest()])
    stolen = (await sign_in(server))["token"]
    seat = (await call(server, stolen, "POST", f"/matches/{match}/seats/0", {}, 201))["token"]
    own, theirs, by_seat = [await server.socket(each) for each in (token, stolen, "")]
    for socket in (own, theirs, by_seat):
        await socket.follow(match, token=seat if socket is by_seat else "")
    stream = await server.stream("/api/me/turns", stolen)
    change = {"password": PASSWORD, "new_password": "another horse"}
    await call(server, token, "PUT", "/me/password", change, 200)
    for each in (theirs, by_seat):
        command = {"type": "command", "id": "r", "match": match, "command": {"type": "resign"}}
        await each.send(command)
        assert (await each.receive("bye", "ack"))["type"] == "bye"
    assert (await stream.receive("bye"))["code"] == "signed_out"
    assert (await own.do(match, {"type": "resign"}))["type"] == "ack"


async def test_signing_up_ends_the_session_that_somebody_else_planted(server: Inside) -> None:
    token = await server.guest()
    code = {"code": (await call(server, token, "POST", "/me/device-code"))["code"]}
    planted = (await call(server, "", "POST", "/sessions/device", code, 201))["token"]
    code = {"code": (await call(server, token, "POST", "/me/device-code"))["code"]}
    await sign_up(server, token)
    await call(server, planted, "GET", "/me", None, 401)
    await call(server, "", "POST", "/sessions/device", code, "wrong_code")
    await call(server, token, "GET", "/me", None, 200)


async def test_signing_in_never_reuses_a_token(server: Inside) -> None:
    """Whoever planted a token in a browser doesn't get the account (session fixation)."""
    planted = await server.guest()
    await sign_up(server, await server.guest())
    body = {"name": "Ada", "password": PASSWORD}
    reset = {"code": await reset_code(server), "password": PASSWORD}
    first = (await call(server, planted, "POST", "/sessions", body, 201))["token"]
    second = (await call(server, planted, "POST", "/sessions/reset", reset, 201))["token"]
    assert len({planted, first, second}) == 3
    assert not (await call(server, planted, "GET", "/me"))["is_registered"]


async def test_no_other_page_acts_for_anybody(server: Inside) -> None:
    """Tokens are in a header, which other pages can't set; there are no cookies (CSRF)."""
    token = await server.guest()
    body = {"name": "Ada", "password": PASSWORD}
    foreign = {"origin": "https://evil.example", "Authorization": f"Bearer {token}"}
    async with server.http() as http:
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


async def test_no_name_is_a_script_or_passes_for_another(server: Inside) -> None:
    await sign_up(server, await server.guest())
    token = await server.guest()
    for name in (
        "<script>alert(1)</script>",
        "Ada\u202e",
        "Ada\u200b",
        "\u0410da",
        "A\u0301\u0301da",
        "{{7*7}}",
        "Ada\x00",
    ):
        for path in ("/me/account", "/me/passkeys/options"):
            answer = await call(server, token, "POST", path, {"name": name, "password": PASSWORD})
            assert answer["code"] in ("bad_name", "name_taken", "bad_request"), answer
