"""Security: origins, floods, large bodies, proxies, headers and tracebacks."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.server.inside import HOST, Inside, Socket, bearer, call, inside
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from watermeet.server.api import middleware
from watermeet.server.app import create_app
from watermeet.server.serving import uvicorn_config
from watermeet.server.settings import Settings

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
MAKE = {"game": GAME, "seats": [{}, {}]}


# ---- origin -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "host", "own", "others"),
    [
        (
            {"allowed_origins": ("https://friend.example",)},
            HOST,
            (f"http://{HOST}", f"https://{HOST}", "https://friend.example"),
            (
                "https://evil.example", "null", "", f"http://{HOST}.evil.example",
                "http://127.0.0.1:1", "https://friend.example.evil.example", "file://",
            ),
        ),
        ({}, "evil.example:8765", (), ("http://evil.example:8765",)),  # DNS rebinding.
        ({"host": "0.0.0.0"}, "play.example", ("https://play.example",), ()),  # noqa: S104
        ({"public_url": "https://play.example/"}, "play.example", ("https://play.example",), ()),
    ],
)  # fmt: skip
async def test_only_pages_from_our_origin_may_ask(
    tmp_path: Path, settings: dict[str, Any], host: str, own: tuple[str], others: tuple[str]
) -> None:
    async with inside(tmp_path, **settings) as server, server.http() as http:
        for origin in own + others:
            headers = {"origin": origin, "host": host}
            answer = await http.post("/api/guests", headers=headers)
            assert answer.status_code == (201 if origin in own else 403), origin
            assert await Socket(server.app, **headers).open() == (origin in own), origin


# ---- size ---------------------------------------------------------------------------------------


async def test_large_bodies_are_refused_even_without_a_length(tmp_path: Path) -> None:
    async with inside(tmp_path, max_request_bytes=2000, max_record_bytes=4000) as server:
        token = await server.guest()
        async with server.http(token) as http:

            async def chunks(count: int) -> AsyncIterator[bytes]:
                for _ in range(count):
                    yield b" " * 1000

            for body in (b" " * 3000, chunks(3)):
                answer = await http.post(
                    "/api/matches", content=body, headers={"content-type": "application/json"}
                )
                assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
            for path, status in (("/api/records", 422), ("/api/bots", 413)):
                text = {"record": "x" * 3000}
                assert (await http.post(path, json=text)).status_code == status
            answer = await http.post("/api/records", json={"record": "x" * 5000})
            assert answer.status_code == 413
            for length in (b"many", b"-1", b"1e3", b"9" * 40, b"\xb2"):
                head = {b"content-length": length}
                answer = await http.post("/api/matches", content=b"", headers=head)
                assert answer.status_code == 413


# ---- rates --------------------------------------------------------------------------------------


async def test_requests_are_rate_limited_by_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a single point in time, however slow the machine."""
    monkeypatch.setattr(middleware, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    async with inside(tmp_path, requests_per_second=5) as server:
        async with server.http() as http:
            codes = [(await http.get("/api/version")).status_code for _ in range(30)]
            last = await http.get("/api/version")
        assert codes == [200] * 20 + [429] * 10
        assert codes[-1] == last.status_code == 429
        assert (last.json()["code"], last.headers["retry-after"]) == ("too_many", "1")
        assert not await Socket(server.app).open(), "new sockets count too"
        async with server.http(address="10.0.0.9") as http:
            assert (await http.get("/api/version")).status_code == 200
        codes = []
        for number in range(30):  # Addresses of one IPv6 network share a limit.
            async with server.http(address=f"2001:db8::{number:x}") as http:
                codes.append((await http.get("/api/version")).status_code)
        assert codes[-1] == 429


async def test_creations_are_rate_limited_by_address(tmp_path: Path) -> None:
    async with inside(tmp_path, creations_per_minute=3) as server, server.http() as http:
        made = [await http.post("/api/guests") for _ in range(4)]
        assert [one.status_code for one in made] == [201, 201, 201, 429]
        token = made[0].json()["token"]
        for path, body in (("/api/matches", MAKE), ("/api/records", {"record": "x"})):
            answer = await http.post(path, json=body, headers=bearer(token))
            assert answer.status_code == 429, path


async def forwarded(folder: Path, **changes: Any) -> list[int]:
    """Create four guests, from four addresses by a proxy's header; two are allowed for each."""
    async with inside(folder, creations_per_minute=2, **changes) as server:
        config = uvicorn_config(create_app(Settings()), Settings(**changes))
        if config.proxy_headers:
            hosts = config.forwarded_allow_ips or ""
            server.app = ProxyHeadersMiddleware(server.app, hosts)  # type: ignore[assignment, arg-type]
        async with server.http() as http:
            answers = [
                await http.post("/api/guests", headers={"x-forwarded-for": f"10.0.0.{number}"})
                for number in range(4)
            ]
    return [answer.status_code for answer in answers]


async def test_only_trusted_proxies_may_forward_addresses(tmp_path: Path) -> None:
    limited = [201, 201, 429, 429]
    assert await forwarded(tmp_path / "1") == limited
    assert await forwarded(tmp_path / "2", trusted_proxies=("10.9.9.9",)) == limited
    assert await forwarded(tmp_path / "3", trusted_proxies=("127.0.0.1",)) == [201] * 4


# ---- headers, tracebacks, tokens ----------------------------------------------------------------


async def test_every_response_has_security_headers(server: Inside) -> None:
    async with server.http() as http:
        for path in ("/api/version", "/api/nothing", "/api/me", "/api/openapi.json"):
            headers = (await http.get(path)).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-frame-options"] == "DENY"
            assert headers["cache-control"] == "no-store"
            assert headers["content-security-policy"].startswith("default-src 'none'")
            assert not {"access-control-allow-origin", "set-cookie", "server"} & set(headers)


async def test_an_internal_error_is_reported_without_its_traceback(
    server: Inside, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _ = await server.seated(GAME, 2)
    matches = server.services.matches

    async def broken(*_: Any) -> Any:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(matches, "catch_up", broken)
    monkeypatch.setattr(matches, "load", broken)
    answer = await call(server, "", "GET", f"/matches/{match}", None, 500)
    assert (answer["code"], answer["message"]) == ("internal", "something went wrong on our side")
    assert "detail" not in str(answer)
    assert "a secret detail" in lines.getvalue(), "whoever runs the server finds it in the log"
    socket = await server.socket()
    await socket.send({"type": "follow", "match": match})
    bye = await socket.receive("bye")
    assert bye["code"] == "internal"
    assert "detail" not in socket.raw[-1]
    assert await socket.next() is None
    assert socket.code == 1011


async def test_every_error_has_the_same_form(server: Inside) -> None:
    async with server.http() as http:
        for method, path, code in (
            ("GET", "/api/nothing", "not_found"),
            ("GET", "/nothing", "not_found"),
            ("DELETE", "/api/matches", "wrong_method"),
            ("GET", "/api/matches/%00", "bad_request"),
            ("GET", "/api/matches?stage=%F0", "bad_request"),
            ("GET", "/docs", "not_found"),
            ("GET", "/api/matches/", "not_found"),
        ):
            answer = (await http.request(method, path)).json()
            assert answer["code"] == code, path
            assert set(answer) == {"code", "message", "hint"}


async def test_lone_surrogates_are_refused(server: Inside) -> None:
    head = {"content-type": "application/json"}
    two = b'{"game": "kuhn_poker", "seats": [{}, '
    async with server.http(await server.guest()) as http:
        for path, bodies in (
            (
                "/api/matches",
                (
                    b'{"\\ud800": 1}',
                    b'{"game": "\\ud800", "seats": [{}]}',
                    two + b'{}], "options": {"\\ud800": 1}}',
                    two + b'{}], "options": {"x": "\\ud800"}}',
                    two + b'{"level": "\\ud800"}]}',
                ),
            ),
            ("/api/bots", (b'{"name": "\\ud800"}',)),
            ("/api/records", (b'{"record": "\\ud800"}',)),
            ("/api/matches/x/seats/0", (b'{"invitation": "\\ud800"}', b'{"name": "\\ud800"}')),
        ):
            for body in bodies:
                answer = await http.post(path, content=body, headers=head)
                assert answer.status_code in (400, 404, 422), answer.text


async def test_other_kinds_of_authorization_are_refused(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    async with server.http() as http:
        for value in ("Basic eDp5", "Bearer", "Bearer ", f"Token {tokens[0]}", tokens[0]):
            answer = await http.get(f"/api/matches/{match}", headers={"authorization": value})
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized"), value


async def test_links_have_their_token_in_the_fragment(tmp_path: Path) -> None:
    async with inside(tmp_path, public_url="https://play.example/") as server:
        setup = MAKE | {"seats": [{}, {"who": "invited"}], "seat": 0}
        made = await call(server, await server.guest(), "POST", "/matches", setup, 201)
    link, _, fragment = made["links"]["1"].partition("#")
    assert link == f"https://play.example/match/{made['match']}"
    assert fragment == f"seat=1&invitation={made['invitations']['1']}"


async def test_nothing_secret_is_logged(server: Inside, lines: io.StringIO) -> None:
    match, tokens = await server.seated(GAME, 2)
    async with server.http(tokens[0]) as http:
        await http.get(f"/api/matches/{match}?token={tokens[1]}")
        await http.post(f"/api/matches/{match}/commands", json={"id": "x", "command": {}})
    socket = await server.socket(tokens[0])
    await socket.follow(match, token=tokens[1])
    socket.push(tokens[0])
    await socket.receive("error")
    await socket.close()
    assert "match created" in lines.getvalue()
    assert not [token for token in tokens if token in lines.getvalue()]
