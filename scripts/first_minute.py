"""Films the first minute of a newcomer: ``python scripts/first_minute.py FOLDER [GAME...]``.

Clones the repository, starts ``./play`` there with an empty home and an empty cache, opens the page
and presses *Play now* for one game after another. It prints when the page was there, and for each
game how long it took until its board was there and until the bot had answered the first move; the
screenshots in FOLDER have the seconds since the start in their names. Needs the packages of the
tests, and Chromium.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # Some packages install a folder named tests.

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright  # noqa: E402
from tests.web.pages import click_anything  # noqa: E402

READY = "main .games button"
PATIENCE_S = 60.0
BAR_S = 2.0


class Film:
    """A page, what its socket said when, and screenshots."""

    def __init__(self, browser: Browser, folder: Path, begun: float) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1280, "height": 860}, locale="en-GB")
        self._folder, self._begun = folder, begun
        self.seat: int | None = None
        self.mine: float | None = None
        """When the last action of ours was there."""
        self.answer: float | None = None
        """When the first action of somebody else was there."""
        self.page.on("websocket", self._on_socket)

    def shoot(self, name: str) -> None:
        """Take a screenshot."""
        seconds = time.monotonic() - self._begun
        self.page.screenshot(path=self._folder / f"{seconds:05.1f}-{name}.png")

    def _on_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._on_frame)

    def _on_frame(self, frame: str | bytes) -> None:
        message: dict[str, Any] = json.loads(frame)
        if message["type"] == "snapshot":
            self.seat = message["document"]["seat"]
            self._note(message["document"].get("moves", []))
        elif message["type"] == "changes":
            self._note([each for each in message["events"] if each["kind"] == "played"])

    def _note(self, played: list[dict[str, Any]]) -> None:
        for each in played:
            if each.get("seat") == self.seat:
                if self.answer is None:
                    self.mine = time.monotonic()
            elif each.get("seat") is not None and self.answer is None:
                self.answer = time.monotonic()


def film_game(browser: Browser, address: str, game: str, folder: Path, begun: float) -> float:
    """Press *Play now*, play until the bot has answered; returns the longer of the two waits."""
    film = Film(browser, folder, begun)
    page, rng = film.page, random.Random(1)
    page.goto(address)
    button = page.locator(READY, has_text=re.compile(rf"\b{game}\b", re.IGNORECASE)).first
    button.wait_for()
    pressed = time.monotonic()
    button.click()
    page.locator(".board svg").first.wait_for(timeout=PATIENCE_S * 1000)
    board = time.monotonic()
    film.shoot(f"{game}-board")
    while film.answer is None and time.monotonic() - board < PATIENCE_S:
        click_anything(page, rng)
    if film.answer is None:
        raise RuntimeError(f"no bot has answered in {game}")
    answered = film.answer - max(film.mine or 0.0, board)
    page.wait_for_timeout(300)
    film.shoot(f"{game}-answer")
    page.close()
    waits = board - pressed, max(0.0, answered)
    print(
        f"{game:<10} board after {waits[0]:.2f} s, bot's answer after {waits[1]:.2f} s", flush=True
    )
    return max(waits)


def start(clone: Path, home: Path) -> tuple[subprocess.Popen[str], str]:
    """Start ``./play`` as a newcomer does; returns the process, once it runs, and its address."""
    ours = ("HOME", "XDG_", "WATERMEET_", "NUMBA_", "PYTHON", "VIRTUAL_ENV")
    environment = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
    process = subprocess.Popen(
        ["./play", "--no-open", "--port", "0"],
        cwd=clone,
        env={**environment, "HOME": str(home)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        print(f"  | {line.rstrip()}", flush=True)
        if found := re.search(r"is running at (\S+)", line):
            return process, found[1]
    raise RuntimeError("./play has ended")


def main() -> None:
    """Take the film."""
    folder, games = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    if not games:
        games = sorted(each.name for each in (ROOT / "src/watermeet/games").glob("*/") if
                       (each / "rules.py").exists())  # fmt: skip
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as temporary:
        clone, home = Path(temporary) / "watermeet", Path(temporary) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)  # noqa: S607
        begun = time.monotonic()
        process, address = start(clone, home)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                first = Film(browser, folder, begun)
                first.page.goto(address)
                first.page.locator(READY).first.wait_for()
                print(f"page       after {time.monotonic() - begun:.1f} s", flush=True)
                first.shoot("page")
                first.page.close()
                waits = [film_game(browser, address, game, folder, begun) for game in games]
                browser.close()
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.communicate()
    load = os.getloadavg()[0]
    print(f"longest wait {max(waits):.2f} s (at most {BAR_S} s); load {load:.1f}", flush=True)
    sys.exit(max(waits) > BAR_S)


if __name__ == "__main__":
    main()
