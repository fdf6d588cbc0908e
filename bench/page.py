"""How large the page is, how soon it is there on a slow line, and how soon a move is seen.

    python bench/page.py              tells
    python bench/page.py --write      and writes RESULTS.md

Sizes are bytes on the line, headers included, as Chromium counts them. The slow line is Chromium's
own throttling: 1.6 Mbit/s down, 750 kbit/s up, 150 ms for every request, which tools call fast 3G;
that a connection has to be opened is not in it. A picture is there at the first contentful paint;
the page is interactive when the first game can be begun. A move is seen when the other side's
browser has painted it, from the click that made it; both are on this machine. The first move of a
new visitor is timed from the address on. The server plays in plain Python.

Needs the packages of the tests, chromium, and the built client.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))  # The tests know how to start servers and to lay tables.

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright  # noqa: E402
from tests.server.driving import plain_server  # noqa: E402
from tests.web.staging import GAMES, Stage, give_seats  # noqa: E402

from watermeet.bench.report import machine, markdown, table, with_section  # noqa: E402
from watermeet.bench.runner import Measurement  # noqa: E402

RESULTS = ROOT / "bench" / "RESULTS.md"
ROUNDS = 7
MOVES = 40
FAST_3G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 // 8,
    "uploadThroughput": 750_000 // 8,
}
LINE = (
    "Fast 3G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms for every request. "
    "Moves go between two browsers on this machine; the server plays in plain Python."
)
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


def main() -> None:
    """Measures and tells."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    chosen = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as data, plain_server(Path(data), bot_workers=0) as found:
        stage = Stage(f"http://{found}")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            measurements = [
                *sizes(browser, f"http://{found}", stage),
                *slow_line(browser, f"http://{found}"),
                *first_move(browser, f"http://{found}"),
                *moves(browser, f"http://{found}", stage),
            ]
            version = browser.version
            browser.close()
        stage.close()
    print(table(measurements))
    if chosen.write:
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        told = f"{machine()}, Chromium {version}; load of the machine {load}. {LINE}"
        page = with_section(
            RESULTS.read_text(encoding="utf-8"),
            "page",
            f"## Page\n\n{told}\n\n{markdown(measurements)}",
        )
        RESULTS.write_text(page, encoding="utf-8")


def person(browser: Browser) -> BrowserContext:
    """A browser that has seen nothing yet, and keeps no page of its own."""
    return browser.new_context(service_workers="block", locale="en-GB")


# ---- sizes --------------------------------------------------------------------------------------


class Counter:
    """Bytes that come over the line, by address."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, int] = {}
        self._paths: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._came)

    def _asked(self, told: dict[str, Any]) -> None:
        self._paths[told["requestId"]] = told["request"]["url"]

    def _came(self, told: dict[str, Any]) -> None:
        url = self._paths.get(told["requestId"], "")
        if told["encodedDataLength"]:
            self.bytes[url] = int(told["encodedDataLength"])

    def take(self) -> dict[str, int]:
        """What came since it was last asked."""
        found, self.bytes = self.bytes, {}
        return found


def sizes(browser: Browser, address: str, stage: Stage) -> Iterator[Measurement]:
    """The first page, and what each board brings beside it."""
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
                "first page", "all that it loads", sum(first.values()) / 1000, "kB", note
            )
        page.evaluate(
            f"history.pushState(null, '', '{staged.path}'); dispatchEvent(new Event('popstate'))"
        )
        page.locator(".board svg").first.wait_for()
        page.wait_for_timeout(500)
        more = {url: size for url, size in counter.take().items() if "/assets/" in url}
        frame = sum(size for url, size in more.items() if "/Match-" in url)
        board = sum(more.values()) - frame
        note = f"and {frame / 1000:.1f} kB of the frame that all boards share"
        yield Measurement(f"board of {game}", "beside the first page", board / 1000, "kB", note)
        context.close()


# ---- a slow line --------------------------------------------------------------------------------


def slow_line(browser: Browser, address: str) -> Iterator[Measurement]:
    """When the first picture and the first button are there."""
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
    for what, found in (("first picture", painted), ("interactive", ready)):
        note = f"median of {ROUNDS}; {min(found):.0f} to {max(found):.0f}"
        yield Measurement("fast 3G", what, statistics.median(found), "ms", note)


# ---- moves --------------------------------------------------------------------------------------


def first_move(browser: Browser, address: str) -> Iterator[Measurement]:
    """From an address that is typed to the first stone on the board, with clicks at once."""
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
    """From a click of one to the paint of the other."""
    game = "flume"
    staged = stage.lay(game)
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


if __name__ == "__main__":
    main()
