"""Fixtures of browser tests, here and in the folders of games; conftest.py registers them.

Chromium and the servers live as long as the session. Playwright's event loop runs in this thread
from its first test on, where no other can be started: so browser tests come last, and ``pytest -m
browser`` and ``-m 'not browser'`` are two runs wherever several workers share the tests.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import watermeet as wm

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, WebError
    from tests.server.nodes import PlainNode
    from tests.web.staging import Stage

ROOT = Path(__file__).parents[2]
TIMEOUT_MS = 30_000
END_S = 20.0
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "browser: in Chromium; marked by its fixture")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests, and run them last."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a server in a process of its own, without bot workers.

    Games run as plain Python there: it starts at once, and what the pages need of them is little.
    """
    from tests.server.nodes import PlainNode, running

    _skip_without_client()
    with running(PlainNode()) as (node,):
        yield f"http://{node.address}"


@pytest.fixture(scope="session")
def thinking() -> Iterator[str]:
    """The address of a server whose bots think."""
    from tests.server.nodes import PlainNode, running

    _skip_without_client()
    with running(PlainNode(bot_workers="1")) as (node,):
        yield f"http://{node.address}"


@pytest.fixture(scope="session")
def nodes() -> Iterator[list[PlainNode]]:
    """Three servers as one, on PostgreSQL; without it, one on SQLite that is called three."""
    from tests.server.nodes import PlainNode, running
    from tests.server.servers import Postgres, ServerMissing, Valkey

    _skip_without_client()
    try:
        postgres, valkey = Postgres(), Valkey()
    except ServerMissing:  # With CI=true nothing is missing; all other pages are on SQLite.
        with running(PlainNode()) as found:
            yield found * 3
        return
    try:
        postgres.start()
        valkey.start()
        with ThreadPoolExecutor() as apart:  # Playwright has an event loop in this thread.
            url = apart.submit(postgres.new_database).result()
        settings = {"store_url": url, "bus_url": valkey.url}
        with running(*(PlainNode(**settings) for _ in range(3))) as found:
            yield found
    finally:
        valkey.remove()
        postgres.remove()


def _skip_without_client() -> None:
    if not (ROOT / "src/watermeet/server/static/index.html").is_file():
        pytest.skip("NOT TESTED IN A BROWSER: the client is not built (./test builds it)")


@pytest.fixture(scope="session")
def stage(address: str) -> Iterator[Stage]:
    """Sets up matches without clicking."""
    from tests.web.staging import Stage

    with contextlib.closing(Stage(address)) as stage:
        yield stage


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The machine's Chromium, driven by Playwright."""
    from playwright.sync_api import Error, expect, sync_playwright
    from tests.server import processes

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("NOT TESTED IN A BROWSER: chromium is missing (apt-get install chromium)")
    known = set(processes.descendants(os.getpid()))
    expect.set_options(timeout=TIMEOUT_MS)
    playwright = sync_playwright().start()
    driver = [pid for pid in processes.descendants(os.getpid()) if pid not in known]
    # Containers often have little shared memory, which makes pages hang.
    arguments = ["--no-sandbox", "--disable-background-networking", "--disable-gpu"]
    arguments += ["--disable-dev-shm-usage"]
    browser = playwright.chromium.launch(executable_path=program, args=arguments)
    yield browser
    # A browser that doesn't close would block the session.
    with processes.killed_after(driver, END_S):
        with contextlib.suppress(Error):
            browser.close()
        playwright.stop()


@pytest.fixture
def person(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Make people, each with a browser profile of their own; its options are Playwright's.

    They have played every game before, unless they are new. What goes wrong in the scripts of their
    pages fails the test.
    """
    people: list[BrowserContext] = []
    errors: list[str] = []

    def note(found: WebError) -> None:
        if "Access is denied for this document" not in str(found.error):  # Of an empty page.
            errors.append(str(found.error))

    introduced = f"localStorage['watermeet.introduced'] = '{json.dumps(wm.games())}'"

    def new(*, is_new: bool = False, **options: object) -> BrowserContext:
        # A service worker would answer for the server.
        usual = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
        people.append(browser.new_context(**usual | options))  # type: ignore[arg-type]
        people[-1].set_default_timeout(TIMEOUT_MS)
        people[-1].on("weberror", note)
        if not is_new:
            people[-1].add_init_script(
                f"try {{ {introduced} }} catch {{}}"
            )  # No empty page has it.
        return people[-1]

    yield new
    for each in people:
        each.close()
    assert errors == []


@pytest.fixture
def context(person: Callable[..., BrowserContext]) -> BrowserContext:
    """Somebody at a desktop."""
    return person()


@pytest.fixture
def phone(person: Callable[..., BrowserContext]) -> BrowserContext:
    """Somebody with a phone, at night."""
    return person(**PHONE, color_scheme="dark")
