"""The engines in browsers beside native code: the same searches, by CPU time.

Both search the same positions as the top level does, from an empty tree, with one thread and the
same seed, so they do the same work. Chromium's time is that of all its processes. As in the page,
an engine is kept from search to search. Needs the packages of the tests, chromium, and the built
client.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import watermeet as wm
from bench.report import Missing, Row, is_installed, label, progress, versus
from watermeet.bots.engine import engine_seed, engine_task
from watermeet.bots.levels import Level, hint_level
from watermeet.bots.search_bot import SearchBot
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.testing.folders import built_in_games

TITLE = "Engines in the browser"
ABOUT = (
    "Simulations a second of CPU time in the same searches of the top level, one thread: "
    "WebAssembly in Chromium beside native code."
)
COLUMNS: dict[str, str] = {}
POSITIONS, ROUNDS, FIRST_NODES = 2, 5, 100
SLOWEST = 4
"""Native searches are this much shorter than was asked for, since browsers are slower."""
TICKS = os.sysconf("SC_CLK_TCK")
THINK = """async ([script, module, task, nodes, seed]) => {
  const { Engine } = await import(script);
  globalThis.kept ??= new Engine();
  return globalThis.kept.think(module, task, { nodes, seed: BigInt(seed) });
}"""


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """The games of this repository."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None or not is_installed("playwright"):
        raise Missing("chromium or playwright isn't installed")
    from playwright.sync_api import sync_playwright
    from tests.server.nodes import PlainNode

    rows = []
    node = PlainNode()
    try:
        node.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"http://{node.address}")
            for name in games or built_in_games():
                progress(f"{name}: building its engine, unless it is there")
                rows += _measure_game(page, wm.game(name), seconds, browser.version)
            browser.close()
    finally:
        node.remove()
    return rows


def _measure_game(page: Any, game: wm.Game, seconds: float, version: str) -> list[Row]:
    from tests.web.test_engine import engine_script, module_of, random_position

    from watermeet.server.engines import Engines

    address = module_of(game.name)
    module = Engines().find(game.name)
    assert module is not None, "it was just built"
    top = hint_level(game)
    level = Level(top.name, top.method, nodes=1, settings=top.settings)
    rng, positions = random.Random(game.name), 0
    native: list[float] = []
    browsed: list[float] = []
    while positions < POSITIONS:
        state = random_position(game.name, rng)
        _native(state, level, FIRST_NODES)  # Compiles, or loads compiled code.
        begin = time.process_time()
        done = _native(state, level, FIRST_NODES)
        took = max(time.process_time() - begin, 1e-4)
        count = max(FIRST_NODES, int(done * seconds / SLOWEST / took))
        if _native(state, level, count) < count:
            continue  # It is proven before that.
        positions += 1
        progress(f"{game.name}: position {positions}, {count:,} simulations")
        given = [engine_script(), address, engine_task(state, level), count, str(engine_seed(0)[0])]
        page.evaluate(THINK, given)  # The browser's compiler has seen it, as ours has.
        for _ in range(ROUNDS):
            native.append(count / _spent(lambda: _native(state, level, count), time.process_time))  # noqa: B023
            browsed.append(count / _spent(lambda: page.evaluate(THINK, given), chromium_seconds))  # noqa: B023
    size = len(module.compressed) / 1000
    row = versus(label(game), "simulations", "simulations/s", browsed, "native code", native)
    return [row, Row(label(game), "module, gzip", size, "kB", f"Chromium {version}")]


def _native(state: State, level: Level, nodes: int) -> int:
    return int(SearchBot(state.game, level).analyse(state, Limits(nodes=nodes)).nodes)


def _spent(work: Callable[[], object], clock: Callable[[], float]) -> float:
    begin = clock()
    work()
    return max(clock() - begin, 1 / TICKS)


def chromium_seconds() -> float:
    """The CPU time of all processes of the browser that this one has started."""
    from tests.server import processes

    spent = 0.0
    for pid in processes.descendants(os.getpid()):
        try:
            if b"chrom" in Path(f"/proc/{pid}/cmdline").read_bytes():
                fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
                spent += sum(map(int, fields.split()[11:13])) / TICKS
        except OSError:  # It has just ended.
            continue
    return spent
