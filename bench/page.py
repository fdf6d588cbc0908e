"""How large the page is, how soon it is there on a slow connection, and how soon a move is seen.

Sizes are bytes transferred, headers included, as Chromium counts them. The slow connection is
Chromium's throttling at fast 3G (1.6 Mbit/s down, 750 kbit/s up, 150 ms per request), without the
time to connect. "First paint" is the first contentful paint; the page is interactive when the first
game can be started. A move is seen when the other browser, on this machine, has painted it, timed
from the click. A new visitor's first move is timed from opening the address. The server runs plain
Python. Needs the packages of the tests, chromium, and the built client.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.server.driving import plain_server
from tests.web.staging import GAMES, Stage, give_seats

from watermeet.testing.speed import Measurement

TITLE = "Page"
ROUNDS = 7
MOVES = 40
FAST_3G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 // 8,
    "uploadThroughput": 750_000 // 8,
}
READY = "main .games button"
FREE = ".board [role=button]:not([aria-disabled=true])"
WATCH = """
new MutationObserver(() => {
  if (window.readyAt || !document.querySelector(SELECTOR)) return;
  window.readyAt = performance.now();
}).observe(document, { childList: true, subtree: true });
""".replace("SELECTOR", repr(READY))
CLICKED = """
addEventListener('click', () => {
  window.clickedAt = performance.timeOrigin + performance.now();
}, true);
"""
SEEN = """
(() => {
  const count = () => document.querySelectorAll('.board .stone').length;
  let last = count();
  new MutationObserver(() => {
    if (count() === last) return;
    last = count();
    requestAnimationFrame(() => setTimeout(() => {
      window.seenAt = performance.timeOrigin + performance.now();
    }));
  }).observe(document.querySelector('.board'), { childList: true, subtree: true });
})()
"""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Measure the page in Chromium."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as data, plain_server(Path(data), bot_workers=0) as found:
        address = f"http://{found}"
        stage = Stage(address)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            measurements = [
                *sizes(browser, address, stage),
                *slow_connection(browser, address),
                *first_move(browser, address),
                *moves(browser, address, stage),
            ]
            browser.close()
        stage.close()
    return measurements


def person(browser: Browser) -> BrowserContext:
    """A fresh browser without a service worker."""
    return browser.new_context(service_workers="block", locale="en-GB")


# ---- sizes --------------------------------------------------------------------------------------


class Counter:
    """Bytes transferred, by URL."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, int] = {}
        self._paths: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.loadingFinished", self._on_finished)

    def _on_request(self, event: dict[str, Any]) -> None:
        self._paths[event["requestId"]] = event["request"]["url"]

    def _on_finished(self, event: dict[str, Any]) -> None:
        url = self._paths.get(event["requestId"], "")
        if event["encodedDataLength"]:
            self.bytes[url] = int(event["encodedDataLength"])

    def take(self) -> dict[str, int]:
        """The bytes since the last call."""
        found, self.bytes = self.bytes, {}
        return found


def sizes(browser: Browser, address: str, stage: Stage) -> Iterator[Measurement]:
    """The first page, and what each board adds."""
    for number, game in enumerate(GAMES):
        staged = stage.middle(game)
        context = person(browser)
        give_seats(context, staged, stage.mover(staged))
        page = context.new_page()
        counter = Counter(page)
        page.goto(address)
        page.locator(READY).first.wait_for()
        page.wait_for_load_state("networkidle")
        first = counter.take()
        if number == 0:
            ours = sum(size for url, size in first.items() if "/api/" not in url)
            note = f"{len(first)} files, {sum(first.values()) - ours:,} bytes of it from the API"
            yield Measurement(
                "first page", "everything it loads", sum(first.values()) / 1000, "kB", note
            )
        page.evaluate(
            f"history.pushState(null, '', '{staged.path}'); dispatchEvent(new Event('popstate'))"
        )
        page.locator(".board svg").first.wait_for()
        page.wait_for_timeout(500)
        more = {url: size for url, size in counter.take().items() if "/assets/" in url}
        frame = sum(size for url, size in more.items() if "/Match-" in url)
        board = sum(more.values()) - frame
        note = f"plus {frame / 1000:.1f} kB shared by all boards"
        yield Measurement(
            f"board of {game}", "in addition to the first page", board / 1000, "kB", note
        )
        context.close()


# ---- a slow connection ---------------------------------------------------------------------------


def slow_connection(browser: Browser, address: str) -> Iterator[Measurement]:
    """When the first paint and the first button are there."""
    painted: list[float] = []
    ready: list[float] = []
    for _ in range(ROUNDS):
        context = person(browser)
        context.add_init_script(WATCH)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", FAST_3G)
        page.goto(address)
        page.locator(READY).first.wait_for()
        painted.append(
            page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
        ready.append(page.evaluate("window.readyAt"))
        context.close()
    for what, found in (("first paint", painted), ("interactive", ready)):
        note = f"median of {ROUNDS}; {min(found):.0f} to {max(found):.0f}"
        yield Measurement("fast 3G", what, statistics.median(found), "ms", note)


# ---- moves --------------------------------------------------------------------------------------


def first_move(browser: Browser, address: str) -> Iterator[Measurement]:
    """From opening the address to the first stone on the board, clicking at once."""
    took: list[float] = []
    for _ in range(ROUNDS):
        context = person(browser)
        page = context.new_page()
        begun = time.monotonic()
        page.goto(address)
        page.locator(READY, has_text="Flume").first.click()
        page.locator(FREE).first.click()
        page.locator(".board .stone").first.wait_for()
        took.append(time.monotonic() - begun)
        context.close()
    note = f"median of {ROUNDS}; {min(took):.1f} to {max(took):.1f}; a new visitor, two clicks"
    what = "from the address to the first move"
    yield Measurement("first page", what, statistics.median(took), "s", note)


def moves(browser: Browser, address: str, stage: Stage) -> Iterator[Measurement]:
    """From one player's click to the paint in the other's browser."""
    game = "flume"
    staged = stage.start(game)
    pages = []
    for seat in staged.seats:
        context = person(browser)
        give_seats(context, staged, seat)
        page = context.new_page()
        page.goto(address + staged.path)
        page.locator(".board svg").first.wait_for()
        page.evaluate(CLICKED)
        page.evaluate(SEEN)
        pages.append(page)
    took: list[float] = []
    for _ in range(MOVES):
        mover = stage.mover(staged)
        ours, theirs = pages[mover], pages[1 - mover]
        theirs.evaluate("window.seenAt = 0")
        ours.locator(FREE).first.click(force=True)
        while not theirs.evaluate("window.seenAt"):
            theirs.wait_for_timeout(10)
        took.append(theirs.evaluate("window.seenAt") - ours.evaluate("window.clickedAt"))
        ours.wait_for_timeout(60)
    for page in pages:
        page.context.close()
    took.sort()
    worst = took[int(0.95 * len(took))]
    note = f"{MOVES} moves; 95% within {worst:.0f}, worst {took[-1]:.0f}"
    yield Measurement(
        "a move", "from the click to the other browser", statistics.median(took), "ms", note
    )
