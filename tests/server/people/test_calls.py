"""Push messages, with a push service in the test."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, call, inside
from tests.server.people.listening import Browser, Listener, listening
from tests.server.people.test_slow_play import SLOW, moves, play

from watermeet.server import jobs, push_sites
from watermeet.server.errors import BadUrl, TooMany
from watermeet.server.metrics import Metrics
from watermeet.server.outgoing import Outgoing, is_public
from watermeet.server.people import calls, webpush
from watermeet.server.people.webpush import b64, unb64
from watermeet.server.push_sites import PushSites

pytestmark = pytest.mark.anyio


def test_encryption_agrees_with_the_standards_example() -> None:
    """RFC 8291, section 5."""
    key = webpush.read_key(unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    p256dh = unb64(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    salt, auth = unb64("DGv6ra1nlYgDCS1FRnbzlw"), unb64("BTBZMqHH6r4Tts7J_aSIgg")
    text = b"When I grow up, I want to be a watermelon"
    assert b64(webpush.encrypt(text, p256dh, auth, key=key, salt=salt)) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        "gSxsj_Qulcy4a-fN"
    )


@pytest.fixture
async def service() -> AsyncIterator[Listener]:
    """A push service."""
    async with listening() as found:
        yield found


@pytest.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Inside]:
    """It repeats at once what failed."""
    monkeypatch.setattr(jobs, "POLL_S", 0.02)
    monkeypatch.setattr(calls, "PUSH_RETRIES_S", (0,) * 4)
    async with inside(tmp_path, allow_private_urls=True) as found:
        yield found


async def until(is_so: Callable[[Any], bool], server: Inside, token: str, path: str) -> Any:
    """The response of a path, once it is so."""
    async with asyncio.timeout(20):
        while not is_so(found := await call(server, token, "GET", path)):
            await asyncio.sleep(0.01)
    return found


async def test_a_turn_in_a_slow_match_is_pushed_once(server: Inside, service: Listener) -> None:
    services, browser = server.services, Browser(service.url)
    match, (ada, bob) = await server.seated("flume", 2, **SLOW)
    wanted = browser.subscription("turn", language="de")
    state = await call(server, bob, "PUT", "/me/push", wanted)
    assert state["kinds"] == ["turn"]
    others = [
        jobs.JobRunner(services.store, Metrics(), services.now, name)
        for name in ("second", "third")
    ]
    for each in others:
        calls.Calls(services.store, services.matches, services.now, each, services.outgoing)
        each.start()
    await play(server, match, ada, "a1")
    (request,) = await service.received(1)
    assert browser.read(request) == {
        "title": "Du bist dran",
        "body": "Flume mit Guest",
        "url": f"/match/{match}",
        "tag": match,
        "lang": "de",
    }
    claims = browser.check_sender(request, state["public_key"])
    assert claims["aud"] == service.url
    assert 0 < claims["exp"] - services.now() / 1000 <= 24 * 3600
    assert int(request.headers["ttl"]) > 0
    await call(server, ada, "PUT", f"/matches/{match}/replies", {"lines": [["b2", "c3"]]})
    await play(server, match, bob, "b2")  # Is answered at once, so Ada isn't called.
    await moves(server, match, 3)
    await service.received(2)
    await asyncio.sleep(0.1)
    assert len(service.requests) == 2, "one for each turn of Bob's"
    for each in others:
        await each.close()


async def test_other_kinds_and_other_devices(server: Inside, service: Listener) -> None:
    services, browser = server.services, Browser(service.url)
    ada, bob = await server.guest(), await server.guest("Bob")
    user = (await call(server, bob, "GET", "/me"))["user"]
    await call(server, bob, "PUT", "/me/push", browser.subscription("challenge", "start"))
    await services.calls.call(user, "turn", calls.Call("flume", ("Ada",), url="/lobby"))
    challenge = {"to": "Bob", "game": "flume", "name": "Ada"}
    await call(server, ada, "POST", "/challenges", challenge)
    (request,) = await service.received(1)
    shown = browser.read(request)
    assert (shown["title"], shown["url"]) == ("Ada challenges you", "/lobby")
    match = await server.match_of([bob], seats=[{}, {}])
    await call(server, ada, "POST", f"/matches/{match}/seats/1", {"name": "Ada"})
    shown = browser.read((await service.received(2))[1])
    assert shown == {
        "title": "Your game has started",
        "body": "Kuhn poker with Ada",
        "url": f"/match/{match}",
        "tag": match,
        "lang": "en",
    }, "and nothing about anybody's card"
    # The same browser belongs to somebody else now, and a session that has ended gets nothing.
    await call(server, ada, "PUT", "/me/push", browser.subscription("turn"))
    assert (await call(server, bob, "GET", "/me/push"))["kinds"] == []
    await call(server, ada, "DELETE", "/me/sessions/current")
    assert await services.store.subscriptions_of(user) == []


async def test_somebody_followed_is_told_once(server: Inside, service: Listener) -> None:
    browser = Browser(service.url)
    ada, bob, cleo = [await server.guest(name) for name in ("Ada", "Bob", "Cleo Ray")]
    await call(server, bob, "PUT", "/me/push", browser.subscription("follow"))
    await call(server, bob, "POST", "/me/blocks", {"name": "Ada", "only_chat": True})
    await call(server, ada, "PUT", "/me/following/Bob")  # Muted: not heard.
    for _ in range(2):
        await call(server, cleo, "PUT", "/me/following/Bob")
        await call(server, cleo, "DELETE", "/me/following/Bob")
    shown = browser.read((await service.received(1))[0])
    assert (shown["title"], shown["url"]) == ("Cleo Ray follows you now", "/user/Cleo%20Ray")
    await asyncio.sleep(0.1)
    assert len(service.requests) == 1


async def test_a_browser_that_cannot_be_reached_any_more_is_forgotten(
    server: Inside, service: Listener
) -> None:
    bob = await server.guest()
    user = (await call(server, bob, "GET", "/me"))["user"]
    wanted = Browser(service.url).subscription("challenge")
    await call(server, bob, "PUT", "/me/push", wanted)
    service.statuses = [500, 429, 201]
    await server.services.calls.call(user, "challenge", calls.Call("flume"))
    await service.received(3)
    service.statuses = [410]
    await server.services.calls.call(user, "challenge", calls.Call("flume"))
    await until(lambda state: not state["kinds"], server, bob, "/me/push")
    assert len(service.requests) == 4
    await call(server, bob, "PUT", "/me/push", wanted)
    service.statuses = [500]
    await server.services.calls.call(user, "challenge", calls.Call("flume"))
    await until(lambda state: not state["kinds"], server, bob, "/me/push")
    assert len(service.requests) == 4 + 5, "it has failed as often as it may"


async def test_nobody_has_the_server_call_its_own_network() -> None:
    requests = Outgoing(allow_private=False)
    own = "127.0.0.1 localhost [::1] [::ffff:10.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] 0x7f000001"
    urls = [f"https://{host}/" for host in (*own.split(), "169.254.169.254/latest/meta-data")]
    urls += ["http://9.9.9.9/", "https://user:password@9.9.9.9/", "file:///etc/passwd", "https://"]
    urls += ["https://9.9.9.9:99999/", "https://9.9.9.9/\r\nHost: x"]
    for url in urls:
        with pytest.raises(BadUrl):
            await requests.check(url, by="ann")
        with pytest.raises((BadUrl, OSError)):
            await requests.post(url, {}, b"")
    requests.close()


def test_only_global_unicast_is_public() -> None:
    private = (
        *("::127.0.0.1", "::10.0.0.1", "::ffff:0:127.0.0.1", "::ffff:0:9.9.9.9"),
        *("fec0::1", "5f00::1", "3fff::1", "2001:db8::1", "2001::1", "ff0e::1", "192.88.99.1"),
    )
    assert [each for each in private if is_public(each)] == []
    public = ("9.9.9.9", "2620:fe::fe", "2001:4860:4860::8888", "2002:909:909::1")
    assert [each for each in public if not is_public(each)] == []


async def test_a_name_that_changes_its_address_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A public address for the check, a private one for the connection: that doesn't work."""
    asked: list[str] = []
    addresses = iter(["9.9.9.9", "127.0.0.1"])

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(0, 0, 0, "", (next(addresses), port))]

    connected: list[Any] = []

    async def connect(*address: Any, **_: Any) -> Any:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("watermeet.server.outgoing.socket.getaddrinfo", getaddrinfo)
    monkeypatch.setattr("watermeet.server.outgoing.asyncio.open_connection", connect)
    monkeypatch.setattr(push_sites, "FIRST_REST_S", 0.0)
    requests = Outgoing(allow_private=False)
    with pytest.raises(OSError):  # noqa: PT011
        await requests.post("https://rebinding.example/", {}, b"")
    assert (asked, connected) == (["rebinding.example"], [("9.9.9.9", 443)])
    with pytest.raises(BadUrl):
        await requests.post("https://rebinding.example/", {}, b"")
    requests.close()


async def test_push_services_that_drip_take_no_place_from_one_that_answers(
    server: Inside, service: Listener
) -> None:
    """Sixteen guests name a site each, of which each response comes byte by byte, for ever."""
    dripping = asyncio.Event()

    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        dripping.set()
        with contextlib.suppress(OSError), contextlib.closing(writer):
            while True:
                writer.write(b"H")
                await writer.drain()
                await asyncio.sleep(0.05)

    async def subscribed(url: str) -> str:
        guest = await server.services.people.add_guest()
        wanted = Browser(url).subscription("challenge")
        await call(server, guest.token, "PUT", "/me/push", wanted, 200)
        return str(guest.user.id)

    async def called(user: str) -> None:
        await server.services.calls.call(user, "challenge", calls.Call("flume"))

    bob = await subscribed(service.url)
    await called(bob)
    await service.received(1)
    async with await asyncio.start_server(drip, "0.0.0.0", 0) as dripper:  # noqa: S104
        port = dripper.sockets[0].getsockname()[1]
        for number in range(calls.AT_ONCE):
            await called(await subscribed(f"http://127.0.1.{number}:{port}"))
        await dripping.wait()
        await asyncio.sleep(0.1)
        await called(bob)
        await service.received(2)
        failed = server.services.metrics.job_failures.labels(calls.PUSH_JOB)._value
        assert failed.get() == 0, "long before any of the others has ended"


def test_a_site_that_fails_rests_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    now, sites = [100.0], PushSites()
    monkeypatch.setattr("watermeet.server.push_sites.time.monotonic", lambda: now[0])

    with sites.place("a.example.com"), pytest.raises(TooMany), sites.place("b.example.com"):
        pass
    assert sites.is_sure("c.example.com")
    with sites.place("a.example.com"), sites.place("b.example.com"):
        pass
    for _ in range(3):
        now[0] += 999
        with contextlib.suppress(TimeoutError), sites.place("example.org"):
            raise TimeoutError
    now[0] += 7
    with pytest.raises(ConnectionError), sites.place("example.org"):
        pass
    now[0] += 1
    with sites.place("example.org"):
        pass
