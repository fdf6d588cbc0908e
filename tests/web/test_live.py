"""Boards of the documentation site: a match against the engine, from plain files alone."""

from __future__ import annotations

import functools
import http.server
import random
import re
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

import watermeet as wm

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.compiled]
BOARDS = (ROOT / "src/watermeet/games").glob("*/web/local.ts")
OTHERS = sorted({file.parents[1].name for file in BOARDS} - {"flume"})
READ = "root => ({ view: root.match.view, moves: root.match.moves })"
PLAY = "(root, action) => void root.match.play(action)"
PAGE = """<!doctype html><body data-md-color-scheme="default"><h1>A page</h1>
<watermeet-board game="GAME" size="5" level="drop" pace="0"></watermeet-board>
<script type="module" src="live/board.js"></script>"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a plain file server, with a page that shows a board."""
    folder = tmp_path_factory.mktemp("files")
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        assert import_module("docs_live").build(folder / "live", missing=True)
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    for name in wm.games():
        page = PAGE.replace("GAME", name)
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_a_match_is_played_to_its_end_by_clicks(files: str, context: BrowserContext) -> None:
    """What the board shows is what Python shows, after every answer of the bot."""
    page = context.new_page()
    elsewhere: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url))
    page.goto(f"{files}flume.html")
    handle = page.locator("watermeet-board iframe").element_handle()
    frame = handle.content_frame()
    assert frame is not None
    rng = random.Random(5)
    open_or_over = frame.locator("[data-stage=open], [data-stage=over]")
    while True:
        expect(open_or_over).to_be_visible()
        state = _as_python_shows_it(frame.locator("[data-stage]"))
        if state.to_move == wm.OVER:
            break
        cells = [move for move in state.legal_moves if move != "swap"]
        frame.locator(f"[data-cell={rng.choice(cells)}]").click()
    scores = [seat["score"] for seat in state.view(0)["seats"]]
    won = "You win!" if scores[0] > scores[1] else "Drop wins this time."
    expect(frame.get_by_role("status").first).to_have_text(f"{won} {scores[0]}\u2013{scores[1]}")
    assert [url for url in elsewhere if not url.startswith((files, "data:", "blob:"))] == []

    box, controls = handle.bounding_box(), frame.locator(".controls").bounding_box()
    assert box is not None
    assert controls is not None
    below = box["y"] + box["height"] - controls["y"] - controls["height"]
    assert below < 40, "the frame is as high as its board"

    frame.get_by_role("button", name="Undo").click()
    assert _as_python_shows_it(frame.locator("[data-stage]")).to_move == 0
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    frame.get_by_role("button", name="New game").click()  # Now the bot begins.
    expect(frame.locator("[data-stage=open] .board .stone")).to_have_count(1)
    frame.locator("[data-stage]").evaluate("root => root.match.pick('swap')")
    expect(frame.locator("[data-stage=open] .board .stone").nth(1)).to_be_visible()
    assert _as_python_shows_it(frame.locator("[data-stage]")).view(0)["seats"][0]["label"] == "Blue"


@pytest.mark.nightly
@pytest.mark.parametrize("name", OTHERS)
def test_every_game_is_played_to_its_end(files: str, context: BrowserContext, name: str) -> None:
    """Several actions a turn: what is shown is what Python shows."""
    page = context.new_page()
    page.goto(f"{files}{name}.html")
    frame = page.frame_locator("watermeet-board iframe")
    rng = random.Random(3)
    open_or_over = frame.locator("[data-stage=open], [data-stage=over]")
    while True:
        expect(open_or_over).to_be_visible(timeout=30_000)
        state = _as_python_shows_it(open_or_over)
        if state.to_move == wm.OVER:
            break
        open_or_over.evaluate(PLAY, rng.choice(state.legal_actions))
    assert state.outcome is not None
    won = 0 in state.outcome.winners
    said = {True: "You win", False: "(Drop wins|You lose|a draw)"}[won]
    expect(frame.get_by_role("status").first).to_have_text(re.compile(said))


def _as_python_shows_it(board: Locator) -> wm.State:
    """The state after the actions so far; what the page shows of it must be the same."""
    shown = board.evaluate(READ)
    seen = shown["view"]
    state = wm.game(seen["game"], **seen["options"]).start()
    for move in shown["moves"]:
        assert move["move"] == state.format(move["action"])
        state = state.play(move["action"])
    view = state.view(seen["seat"])
    for name in ("game", "version", "options", "seat", "to_move", "legal", "seats", "board"):
        assert seen[name] == view[name], name
    return state
