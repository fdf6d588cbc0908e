"""Engines in a browser find what Python finds: the same states, actions, visits and values."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.engine_traces import SCRIPT, compare
from tests.web.pages import open_match
from tests.web.staging import GAMES, SIMPLE, Stage, two_by_day

import watermeet as wm
from watermeet.bots.engine import engine_seed, engine_task
from watermeet.bots.levels import OCEAN, Level, hint_level, levels_of
from watermeet.bots.network_engine import network_of, read_network, simulate_network
from watermeet.bots.search_bot import SearchBot
from watermeet.core.options import Value
from watermeet.core.state import State
from watermeet.nets.packed import unpack
from watermeet.search.batch import bind_search
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.settings import Settings
from watermeet.search.tree import NONE, Scratch
from watermeet.search.wins import WinFinder
from watermeet.server.api.pages import STATIC
from watermeet.server.engines import Engines
from watermeet.server.precompiler import ENGINE, run_once
from watermeet.testing.matches import option_sets

pytestmark = [pytest.mark.slow, pytest.mark.compiled]
NODES, FEW_NODES, SEED = 300, 60, "browser"
POSITIONS = 3
MATCHES, FEW_MATCHES, OTHERS = 400, 50, 8
"""How many random matches are compared: at night with the standard options, and by day with one of
so many sets. ``tests.web.engine_traces`` compares with all of them."""
THINK = """async ([script, module, task, nodes, seed]) => {
  const { Engine } = await import(script);
  const engine = new Engine();
  const found = await engine.think(module, task, { nodes, seed: BigInt(seed) });
  engine.close();
  return found;
}"""
_STOP = """async ([script, module, task]) => {
  const { Engine } = await import(script);
  const engine = new Engine();
  const control = new AbortController();
  const reports = [];
  const onProgress = (result) => {
    reports.push(result.nodes);
    control.abort();
  };
  const { signal } = control;
  const found = await engine.think(module, task, { seconds: 60 }, { onProgress, signal });
  return [reports, found.nodes, found.seconds];
}"""
_TRACE = f"""async ([url, given]) => {{
  {SCRIPT}
  return trace(await WebAssembly.compileStreaming(fetch(url)), given);
}}"""


def module_of(name: str) -> str:
    """The URL of a game's module, which is built first, once for each machine."""
    run_once(name, ENGINE)
    found = Engines().find(name)
    assert found is not None, "there is a folder for compiled code"
    assert len(found.compressed) <= 200_000
    return f"/api/games/{name}/engines/{found.digest}"


def engine_script() -> str:
    """The URL of the engine in the built client, which the page loads when it thinks."""
    (found,) = (STATIC / "assets").glob("engine-*.js")
    return f"/assets/{found.name}"


def random_position(name: str, rng: random.Random) -> State:
    """A position with something to choose, as the seat to move knows it."""
    state = wm.game(name).start().sample(rng)
    for _ in range(rng.randrange(30)):
        after = state.play(rng.choice(state.legal_actions)).sample(rng)
        if after.to_move < 0:
            break
        state = after
    return state.conceal(state.to_move)


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


@pytest.mark.parametrize("name", two_by_day(GAMES))
def test_a_search_in_the_browser_finds_what_python_finds(page: Page, name: str) -> None:
    module, rng = module_of(name), random.Random(name)
    game = wm.game(name)
    for each in (levels_of(game)[0].by_tree(), hint_level(game).by_tree()):
        level = Level(each.name, each.method, nodes=NODES, settings=each.settings)
        for _ in range(POSITIONS):
            state = random_position(name, rng)
            expected = SearchBot(game, level, seed=SEED).analyse(state, Limits(nodes=NODES))
            seed = str(engine_seed(SEED)[0])
            given = [engine_script(), module, engine_task(state, level), NODES, seed]
            found: dict[str, Any] = page.evaluate(THINK, given)
            assert [
                (one["action"], one["value"], one["visits"], one["prior"])
                for one in found["candidates"]
            ] == [(one.action, one.value, one.visits, one.prior) for one in expected.candidates]
            assert found["pv"] == list(expected.pv)
            assert found["proven"] == expected.proven
            win = WinFinder(game).find(state)
            assert found["win"] == (None if win == NONE else win)
            moves = [one["move"] for one in found["candidates"]]
            assert moves == [state.format(one.action) for one in expected.candidates]


@pytest.mark.parametrize("name", two_by_day(GAMES))
def test_the_rules_in_the_browser_are_those_of_python(page: Page, name: str) -> None:
    """A checksum of everything along random matches, with the standard options and some others."""
    compare_in_browser(page, name, FEW_MATCHES, option_sets(wm.game(name))[::OTHERS])


@pytest.mark.nightly
@pytest.mark.parametrize("name", GAMES)
def test_many_matches_are_the_same_in_the_browser(page: Page, name: str) -> None:
    compare_in_browser(page, name, MATCHES, [{}])


def compare_in_browser(page: Page, name: str, matches: int, sets: list[dict[str, Value]]) -> None:
    """Play the same random matches natively and by the game's engine in the page."""
    module = module_of(name)
    for options in sets:
        game = wm.game(name, **options)
        compare(game, matches, lambda given: page.evaluate(_TRACE, [module, given]))


def test_a_search_reports_and_can_be_stopped(page: Page) -> None:
    module = module_of(SIMPLE)
    state = wm.game(SIMPLE).start()
    task = engine_task(state, hint_level(state.game))
    reports, nodes, seconds = page.evaluate(_STOP, [engine_script(), module, task])
    assert reports, "it reports before it is stopped"
    assert reports[0] <= nodes
    assert seconds < 30


def test_a_hint_is_thought_of_in_the_browser(
    stage: Stage, context: BrowserContext, address: str
) -> None:
    """The server, which has no bot worker, says what to search, and explains what was found."""
    module_of(SIMPLE)
    staged = stage.start(SIMPLE, [{"who": "open"}, {"who": "bot", "level": "random"}])
    page = open_match(context, address, staged, 0)
    page.locator("button.hint").click()
    expect(page.locator(".board .hint-mark").first).to_be_visible()
    expect(page.locator(".why")).not_to_be_empty()


class _Kernels(MonteCarlo):
    """A search with a network as engines have it, natively."""

    def __init__(self, game: wm.Game, content: bytes) -> None:
        settings = Settings(use_priors=True, expand_after=0)
        super().__init__(game, settings, seed=SEED, ismcts=False, use_evaluation=False)
        self._net = unpack(content, game)
        self._with_network = bind_search(game, simulate_network, use_evaluation=False)

    def _load_simulation(self, known: State) -> None:
        pass

    def _run(self, scratch: Scratch, known: State, limits: Limits, started: float) -> int:
        given = (self.tree, scratch, self.settings, known.array.copy(), limits.nodes)
        return int(self._with_network(*given, self._net, 1.0, 0.0))


@pytest.mark.parametrize(
    "name", two_by_day(each for each in GAMES if network_of(wm.game(each)) is not None)
)
def test_a_network_in_the_browser_finds_what_its_kernels_find(page: Page, name: str) -> None:
    module, rng, game = module_of(name), random.Random(name), wm.game(name)
    file = network_of(game)
    assert file is not None
    level = next(each for each in levels_of(game) if each.name == OCEAN)
    for _ in range(POSITIONS):
        state = random_position(name, rng)
        search = _Kernels(game, read_network(file)[1])
        expected = search.search(state, Limits(nodes=FEW_NODES))
        seed = str(engine_seed(SEED)[0])
        given = [engine_script(), module, engine_task(state, level), FEW_NODES, seed]
        found: dict[str, Any] = page.evaluate(THINK, given)
        assert [
            (one["action"], one["value"], one["visits"], one["prior"])
            for one in found["candidates"]
        ] == [(one.action, one.value, one.visits, one.prior) for one in expected.candidates]
        assert found["nodes"] == FEW_NODES
        assert len({one["prior"] for one in found["candidates"]}) > 2, "it has an opinion"
