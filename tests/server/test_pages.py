"""The client's files: caching, compression, and the content security policy."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from watermeet.server.api.middleware import Gateway
from watermeet.server.api.pages import PLACES, Pages, pages_route
from watermeet.server.api.problems import HANDLERS
from watermeet.server.settings import Settings

pytestmark = pytest.mark.anyio
BROWSER = {"Accept": "text/html,*/*", "Accept-Encoding": "gzip, br;q=1.0"}


def test_the_server_knows_all_pages_of_the_client() -> None:
    app = (Path(__file__).parents[2] / "web/src/app/App.svelte").read_text(encoding="utf-8")
    assert set(re.findall(r"(\w+): \(\) => import\('", app)) | {""} == set(PLACES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Page</title>")
    (tmp_path / "assets" / "a-1.js").write_text("let a = 1;" * 200)
    (tmp_path / "assets" / "a-1.js.br").write_bytes(b"packed")
    (tmp_path / "manifest.webmanifest").write_text("{}")
    return tmp_path


def app_of(folder: Path) -> Starlette:
    async def here(_: Request) -> Response:
        return Response("here")

    app = Starlette(
        routes=[Route("/api/here", here), pages_route(Pages(folder))],
        middleware=[Middleware(Gateway, settings=Settings(data_dir=str(folder)))],
        exception_handlers=HANDLERS,
    )
    app.router.redirect_slashes = False
    return app


@pytest.fixture
async def http(folder: Path) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app_of(folder))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client:
        yield client


async def test_every_client_route_serves_the_page(http: httpx2.AsyncClient) -> None:
    for path in ("/", "/play/any", "/match/abc", "/rules/any", "/settings"):
        answer = await http.get(path, headers=BROWSER)
        assert (answer.status_code, answer.text) == (200, "<!doctype html><title>Page</title>")
        assert answer.headers["cache-control"] == "no-cache"
        again = await http.get(path, headers=BROWSER | {"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_only_our_own_files_may_run(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    engines = "'wasm-unsafe-eval'"  # Compiles WebAssembly, which only fetches our own files.
    assert "unsafe" not in policy.replace(engines, "")
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


async def test_hashed_files_are_cached_and_compressed(http: httpx2.AsyncClient) -> None:
    async with http.stream("GET", "/assets/a-1.js", headers=BROWSER) as answer:
        raw = b"".join([part async for part in answer.aiter_raw()])
    assert raw == b"packed"
    assert answer.headers["content-encoding"] == "br"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    plain = await http.get("/assets/a-1.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text.startswith("let a")


async def test_missing_files_are_reported_to_people_and_to_programs(
    http: httpx2.AsyncClient,
) -> None:
    missing = await http.get("/nothing", headers=BROWSER)
    assert (missing.status_code, missing.text[:9]) == (404, "<!doctype")
    for path in ("/nothing", "/assets/gone-2.js", "/%2e%2e/secret", "/api"):
        answer = await http.get(path, headers={"Accept": "*/*"})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path


async def test_the_api_keeps_its_own_errors(http: httpx2.AsyncClient) -> None:
    assert (await http.get("/api/here")).text == "here"
    assert (await http.get("/api/nothing", headers=BROWSER)).json()["code"] == "not_found"
    assert (await http.post("/api/nothing")).status_code == 404
    assert (await http.post("/")).status_code == 405


async def test_a_client_built_later_is_served(tmp_path: Path) -> None:
    transport = httpx2.ASGITransport(app_of(tmp_path))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as http:
        missing = await http.get("/", headers=BROWSER)
        assert missing.status_code == 503
        assert "./play" in missing.text
        assert str(tmp_path) in missing.text
        (tmp_path / "index.html").write_text("there")
        assert (await http.get("/", headers=BROWSER)).text == "there"
