"""Fixtures of browser tests, here and in the folders of games; conftest.py registers them.

``address`` is a server with the built client, ``browser`` the machine's Chromium, driven by
Playwright, ``context`` a person with a browser of their own, ``stage`` sets up matches without it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from tests.server.nodes import PlainNode
    from tests.web.staging import Stage

ROOT = Path(__file__).parents[2]
TIMEOUT_MS = 30_000
END_S = 20.0


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a server in a process of its own, without bot workers.

    Games run as plain Python until their compiled code is loaded, which ./test has made before: a
    page of Flows needs less than half the time then.
    """
    from tests.server.nodes import Node

    _skip_without_client()
    node = Node()
    try:
        node.start()
        yield f"http://{node.address}"
    finally:
        node.remove()


@pytest.fixture(scope="module")
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
        pytest.skip("NOT TESTED IN A BROWSER: the client is not built (./test client)")


@pytest.fixture(scope="session")
def stage(address: str) -> Iterator[Stage]:
    """Sets up matches without clicking."""
    from tests.web.staging import Stage

    stage = Stage(address)
    yield stage
    stage.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file.

    Not for the session: Playwright's event loop keeps running, and later tests of the server in the
    same process could not start theirs.
    """
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
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person: a browser profile without history."""
    context = new_person(browser)
    yield context
    context.close()


def new_person(browser: Browser, **more: object) -> BrowserContext:
    """One more person. Their browser has no service worker unless ``more`` allows it."""
    defaults = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
    options: dict[str, object] = defaults | more
    context = browser.new_context(**options)  # type: ignore[arg-type]
    context.set_default_timeout(TIMEOUT_MS)
    return context
