"""The engines in the browser: simulations per second in Chromium beside native code.

Both search the same positions as the top level does, from an empty tree, with one thread and the
same seed, so they do the same work. They take turns on this machine; the best round of each
counts, by the wall clock. Needs the packages of the tests, chromium, and the built client.
"""

from __future__ import annotations

import random
import shutil
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.server.nodes import PlainNode
from tests.web.test_engine import THINK, engine_script, module_of, random_position

import watermeet as wm
from bench.progress import progress
from watermeet.bots.engine import engine_seed, engine_task
from watermeet.bots.levels import Level, levels_of
from watermeet.bots.search_bot import SearchBot
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.server.engines import Engines
from watermeet.testing.speed import Measurement

TITLE = "Engines in the browser"
POSITIONS, ROUNDS = 3, 5
FIRST_NODES = 100


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Measure all games, or those that are named."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    found: list[Measurement] = []
    node = PlainNode()
    try:
        node.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"http://{node.address}")
            for name in arguments or wm.games():
                progress(name)
                found += measure_game(page, wm.game(name), seconds)
            browser.close()
    finally:
        node.remove()
    return found


def measure_game(page: Page, game: wm.Game, seconds: float) -> list[Measurement]:
    """The module's size, and the speed of both."""
    url = module_of(game.name)
    module = Engines().find(game.name)
    assert module is not None, "it was just built"
    top = levels_of(game)[-1]
    level = Level(top.name, top.method, nodes=1, settings=top.settings)
    rng = random.Random(game.name)
    nodes, spent, positions = 0, [0.0, 0.0], 0
    while positions < POSITIONS:
        state = random_position(game.name, rng)
        native(state, level, FIRST_NODES)  # Compiles, or loads compiled code.
        done, took = native(state, level, FIRST_NODES)
        count = max(FIRST_NODES, int(done * seconds / max(took, 1e-4)))
        if native(state, level, count)[0] < count:
            continue  # It is proven before that.
        rounds = [
            (native(state, level, count)[1], browsed(page, url, state, level, count))
            for _ in range(ROUNDS)
        ]
        positions, nodes = positions + 1, nodes + count
        for place, times in enumerate(zip(*rounds, strict=True)):
            spent[place] += min(times)
    who, what = game.describe(), f"{top.name}, one thread"
    share = f"{spent[0] / spent[1]:.0%} of native"
    size = len(module.compressed) / 1000
    return [
        Measurement(who, "module, gzip", size, "kB"),
        Measurement(who, f"{what}: native", nodes / spent[0], "simulations/s"),
        Measurement(who, f"{what}: Chromium", nodes / spent[1], "simulations/s", share),
    ]


def native(state: State, level: Level, nodes: int) -> tuple[int, float]:
    """The simulations and the seconds of a search by machine code."""
    found = SearchBot(state.game, level).analyse(state, Limits(nodes=nodes))
    return found.nodes, found.seconds


def browsed(page: Page, module: str, state: State, level: Level, nodes: int) -> float:
    """The seconds of the same search in the browser."""
    given = [engine_script(), module, engine_task(state, level), nodes, str(engine_seed(0)[0])]
    found: dict[str, Any] = page.evaluate(THINK, given)
    return float(found["seconds"])
