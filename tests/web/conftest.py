"""A server with the built client, and a browser: the machine's chromium, driven by Playwright."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from playwright.sync_api import Browser, BrowserContext, Error, expect, sync_playwright  # noqa: E402
from tests.server import processes  # noqa: E402
from tests.server.nodes import PlainNode  # noqa: E402
from tests.web.pages import PATIENCE_MS  # noqa: E402
from tests.web.staging import GAMES, Stage, Staged  # noqa: E402

END_S = 20.0


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the page is.

    Games run as plain Python, and nothing thinks: nobody has to compile. In a process of its own,
    for it lasts as long as the session, and other tests want compiled code.
    """
    if not (ROOT / "src/watermeet/server/static/index.html").is_file():
        pytest.skip("NOT TESTED IN A BROWSER: the client is not built (./test client)")
    node = PlainNode()
    try:
        node.start()
        yield f"http://{node.address}"
    finally:
        node.remove()


@pytest.fixture(scope="session")
def stage(address: str) -> Iterator[Stage]:
    """Where matches are laid without clicking."""
    stage = Stage(address)
    yield stage
    stage.close()


@pytest.fixture(scope="session")
def middles(stage: Stage) -> dict[str, Staged]:
    """A match of each game that is well under way, to be looked at."""
    return {game: stage.middle(game) for game in GAMES}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file.

    Not for all: as long as Playwright runs, so does its event loop, and tests of the server that
    follow in the same process could not start theirs.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("NOT TESTED IN A BROWSER: chromium is missing (apt-get install chromium)")
    known = set(processes.descendants(os.getpid()))
    expect.set_options(timeout=PATIENCE_MS)
    playwright = sync_playwright().start()
    driver = [pid for pid in processes.descendants(os.getpid()) if pid not in known]
    # Containers often have little shared memory, and then pages stand still.
    arguments = ["--no-sandbox", "--disable-background-networking", "--disable-gpu"]
    arguments += ["--disable-dev-shm-usage"]
    browser = playwright.chromium.launch(executable_path=program, args=arguments)
    yield browser
    # A browser that does not close would be waited for without end.
    with processes.killed_after(driver, END_S):
        with contextlib.suppress(Error):
            browser.close()
        playwright.stop()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person: a browser that knows nothing yet."""
    context = new_person(browser)
    yield context
    context.close()


def new_person(browser: Browser, **more: object) -> BrowserContext:
    """One more person; whose browser keeps nothing of the page, unless it shall."""
    usual = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
    options: dict[str, object] = usual | more
    context = browser.new_context(**options)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    return context
