"""Install the wheel as people do, and play: ``python scripts/install_check.py [PYTHON...]``.

For each Python (a name, a path or a version that uv finds; by default the one that runs this), it
makes an empty environment, installs dist/*.whl and what it depends on there, and then

    runs the examples of the README,
    plays a match in the terminal, inside tmux,
    starts the server, and plays a match against a bot in Chromium,

with an empty home and without Node. `make wheel` builds the wheel. Needs uv, pytest, Playwright and
Chromium (the system's, or Playwright's own), and tmux, which is left out where there is none.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # Some packages install a folder named tests.

from playwright.sync_api import sync_playwright  # noqa: E402
from tests.web.pages import (  # noqa: E402
    click_anything,
    is_over,
    small_options,
    start_match,
    wait_for_choice,
)

GAME, CELLS = "flume", ("b2", "a1", "c3", "a3", "c1", "a2", "b1", "c2", "b3")
PATIENCE_S = 180.0
"""Long enough to compile a game on a busy machine."""
MAX_CLICKS = 300


class Failed(Exception):
    """The installed program doesn't do what it should."""


def install(python: str, wheel: Path, folder: Path, *, pinned: bool) -> Path:
    """An environment with the wheel alone; returns its folder of programs."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if uv is None:
        raise Failed("uv is missing: pip install uv")
    place = folder / "environment"
    subprocess.run([uv, "venv", "--quiet", "--python", python, str(place)], check=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    pins = ["--constraints", str(ROOT / "requirements/run.txt")] if pinned else []
    command = [uv, "pip", "install", "--quiet", "--python", str(programs / "python"), *pins]
    subprocess.run([*command, str(wheel)], check=True)
    return programs


def environment(folder: Path, programs: Path, cache: Path | None) -> dict[str, str]:
    """That of a newcomer: an empty home, none of our variables, and no Node."""
    ours = ("HOME", "XDG_", "WATERMEET_", "NUMBA_", "PYTHON", "VIRTUAL_ENV", "TMUX")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
    system = os.environ["PATH"] if os.name == "nt" else f"/usr/bin{os.pathsep}/bin"
    found = {**kept, "HOME": str(folder), "PATH": f"{programs}{os.pathsep}{system}"}
    return found if cache is None else {**found, "WATERMEET_CACHE_DIR": str(cache)}


def run_readme(programs: Path, folder: Path, variables: dict[str, str]) -> None:
    """Run the examples of the README."""
    command = [str(programs / "python"), "-m", "doctest", "-o", "ELLIPSIS", str(ROOT / "README.md")]
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Failed(f"the examples of the README fail:\n{done.stdout}{done.stderr}")


def play_in_tmux(programs: Path, folder: Path, variables: dict[str, str]) -> None:
    """Play a small match to its end in the terminal."""
    tmux = ["tmux", "-L", f"watermeet-{os.getpid()}"]
    play = f"'{programs / 'watermeet'}' play {GAME} -o size=3 --seats human,drop"

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [*tmux, *arguments],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    call("new-session", "-d", "-x", "100", "-y", "40", "-s", "check", play)
    try:
        end = time.monotonic() + PATIENCE_S
        cells = iter(CELLS * 20)
        while "Play again?" not in (screen := call("capture-pane", "-p", "-t", "check")):
            if time.monotonic() > end:
                raise Failed(f"the match in the terminal doesn't end:\n{screen}")
            if re.search(r"\((Red|Blue)\)> *$", screen.rstrip("\n")):
                call("send-keys", "-t", "check", next(cells), "Enter")
            time.sleep(0.3)
        if " win" not in screen and "draw" not in screen:
            raise Failed(f"the terminal shows no result:\n{screen}")
    finally:
        call("kill-server")


@contextlib.contextmanager
def server(programs: Path, folder: Path, variables: dict[str, str]) -> Iterator[str]:
    """The installed server; yields its address."""
    command = [str(programs / "watermeet"), "serve", "--no-open", "--port", "0"]
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, cwd=folder, env=variables, stderr=output)
    try:
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(r"is running at (\S+)", log.read_text(encoding="utf-8"))):
            if process.poll() is not None or time.monotonic() > end:
                raise Failed(f"the server doesn't start:\n{log.read_text(encoding='utf-8')}")
            time.sleep(0.1)
        yield found[1].rstrip("/")
    finally:
        process.terminate()
        process.wait(30)


def play_in_browser(address: str) -> None:
    """Play a small match against a bot to its end, with the mouse."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    rng, errors = random.Random(GAME), []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        page = browser.new_page(locale="en-GB")
        page.set_default_timeout(1000 * PATIENCE_S)
        page.on("pageerror", lambda error: errors.append(str(error)))
        start_match(page, address, GAME, "bot", small_options(GAME))
        for _ in range(MAX_CLICKS):
            wait_for_choice(page)
            if is_over(page):
                break
            click_anything(page, rng)
        else:
            raise Failed("the match in the browser doesn't end")
        result = page.locator(".status strong").inner_text()
        browser.close()
    if errors or not re.search("win|lose|draw", result):
        raise Failed(f"the page shows {result!r}, and these errors: {errors}")


def check(python: str, wheel: Path, *, pinned: bool, cache: Path | None) -> None:
    """Install and play with one Python."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        programs = install(python, wheel, folder, pinned=pinned)
        home = folder / "home"
        home.mkdir()
        variables = environment(home, programs, cache)
        ask = [str(programs / "python"), "--version"]
        name = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
        begun = time.monotonic()
        run_readme(programs, home, variables)
        print(f"{name}: the README, {time.monotonic() - begun:.0f} s", flush=True)
        begun = time.monotonic()
        if shutil.which("tmux"):
            play_in_tmux(programs, home, variables)
            print(f"{name}: a match in tmux, {time.monotonic() - begun:.0f} s", flush=True)
        else:
            print(f"{name}: LEFT OUT: a match in tmux, which isn't installed", flush=True)
        begun = time.monotonic()
        with server(programs, home, variables) as address:
            play_in_browser(address)
        print(f"{name}: a match in Chromium, {time.monotonic() - begun:.0f} s", flush=True)


def main() -> None:
    """Check every Python that was asked for."""
    parser = argparse.ArgumentParser(description="Install the wheel and play with it.")
    parser.add_argument("pythons", metavar="PYTHON", nargs="*", default=[sys.executable])
    parser.add_argument("--wheel", type=Path, help="instead of the newest in dist/")
    parser.add_argument("--pinned", action="store_true", help="with the versions of requirements/")
    parser.add_argument("--cache", type=Path, help="a folder that keeps compiled code")
    chosen = parser.parse_args()
    wheels = sorted((ROOT / "dist").glob("*.whl"), key=lambda file: file.stat().st_mtime)
    if chosen.wheel is None and not wheels:
        sys.exit("There is no wheel in dist/: run make wheel.")
    wheel = (chosen.wheel or wheels[-1]).resolve()
    for python in chosen.pythons:
        try:
            check(python, wheel, pinned=chosen.pinned, cache=chosen.cache)
        except (Failed, subprocess.CalledProcessError) as error:
            sys.exit(f"{python}: {error}")


if __name__ == "__main__":
    main()
