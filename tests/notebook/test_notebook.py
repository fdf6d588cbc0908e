"""Boards in notebooks: what the kernel sends, and the widget in a page that mimics anywidget."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.notebook.matches import PlayedMatch, RecordedMatch
from watermeet.notebook.module import widget_module

OURS = [name for name in wm.games() if wm.game(name).package.startswith("watermeet.games.")]
RECORD = "game: flume@1\noptions: size=3\nseats: Ada, Bob\n\n1. b2 2. a1 3. a2 4. a3"
STATIC = Path(__file__).parents[2] / "src" / "watermeet" / "notebook" / "static"
PAGE = """<!doctype html><body><div id="el"></div><script type="module">
import widget from './widget.js';
const changed = [];
let shown = await window.first();
const model = {
  get: () => shown,
  on: (name, run) => changed.push(run),
  off: () => {},
  send: async (message) => {
    for (shown of await window.ask(message)) changed.forEach((run) => run());
  },
};
widget.render({ model, el: document.getElementById('el') });
</script></body>"""


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    """Nothing here is worth compiling."""
    with plain_python():
        yield


def played(name: str, **options: bool | int | str) -> tuple[PlayedMatch, list[dict[str, Any]]]:
    shown: list[dict[str, Any]] = []
    seats = wm.game(name, **options).seats
    players = ",".join(["human", *["random"] * (seats - 1)])
    return PlayedMatch(name, players, shown.append, seed=1, options=options), shown


def test_a_move_is_played_answered_and_taken_back() -> None:
    held, shown = played("flume", size=3)
    held.receive({"kind": "play", "action": 4})
    assert [each["thinking"] for each in shown] == ["", "", "Random", ""]
    assert [move["move"] for move in shown[-1]["moves"]] == shown[-1]["last"]
    assert shown[-1]["names"] == ["You", "Random"]
    held.receive({"kind": "play", "action": 4})  # Occupied.
    assert len(held.match.actions) == 2
    held.receive({"kind": "explain", "move": "b2"})
    assert shown[-1]["refusal"]["code"] == "occupied"
    held.receive({"kind": "undo"})
    assert held.match.actions == []
    json.dumps(shown)


def test_a_board_gets_only_what_its_player_may_know() -> None:
    held, shown = played("qwirkle")
    seat = held.match.humans[0]
    while len(held.match.actions) < 40:
        held.play(held.match.state.legal_actions[0])
    assert shown[-1]["view"] == held.match.state.view(seat)
    for each in shown:
        other = each["view"]["seats"][1 - seat]["hand"]
        assert set(other) <= {"??"}
        drawn = [move["move"] for move in each["moves"] if move["seat"] is None]
        hidden = [move for move in drawn if move is None]
        assert len(hidden) == len(drawn) or drawn[0].startswith(("draw:", "first:"))


def test_a_record_is_stepped_through() -> None:
    shown: list[dict[str, Any]] = []
    held = RecordedMatch(RECORD, shown.append)
    held.receive({"kind": "step", "to": 3})
    assert shown[-1]["names"] == ["Ada", "Bob"]
    assert [move["move"] for move in shown[-1]["moves"]] == ["b2", "a1", "a2"]
    held.receive({"kind": "step", "to": 1})
    assert shown[-1]["moves"] == []
    assert shown[-1]["view"]["seats"][0]["score"] == 1


def test_a_state_and_a_record_show_themselves_without_the_extra() -> None:
    record = wm.Record.parse(RECORD)
    assert record._repr_svg_() == record.replay()[-1].render_svg()


def test_without_anywidget_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "watermeet.notebook.widgets", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ModuleNotFoundError, match=r"need Watermeet.s extra notebook"):
        from watermeet.notebook import Board  # noqa: F401


class Trait:
    """Stands in for a trait of traitlets."""

    def tag(self, **_: object) -> None: ...


class AnyWidget:
    """Stands in for anywidget's: a message arrives, and that is all."""

    def __init__(self, **traits: object) -> None:
        self.traits = traits

    def on_msg(self, run: Any) -> None:
        self.run = run

    def close(self) -> None: ...


def test_the_programs_of_the_guide_run(monkeypatch: pytest.MonkeyPatch) -> None:
    anywidget = SimpleNamespace(AnyWidget=AnyWidget)
    monkeypatch.setitem(sys.modules, "anywidget", anywidget)
    monkeypatch.setitem(sys.modules, "traitlets", SimpleNamespace(Unicode=Trait, Dict=Trait))
    monkeypatch.delitem(sys.modules, "watermeet.notebook.widgets", raising=False)
    monkeypatch.setattr("watermeet.notebook.module.widget_module", lambda: "")
    page = Path(__file__).parents[2] / "docs" / "guides" / "notebook.md"
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)  # noqa: S102 - the guide
    assert len(names["board"].record.moves) == 2
    names["replay"].run(None, {"kind": "step", "to": 2}, [])
    assert names["replay"].state == names["board"].state
    names["board"].close()
    sys.modules.pop("watermeet.notebook.widgets")  # It was made with what stands in here.


class Notebook:
    """A page with the widget in it, and what its kernel does."""

    def __init__(self, context: Any, held: Any, shown: list[dict[str, Any]]) -> None:
        if not STATIC.is_dir():
            pytest.skip("NOT TESTED IN A BROWSER: the client is not built (./test builds it)")
        self._held, self._shown = held, shown
        self.page = context.new_page()
        self.page.route("**/widget.js", self._send_module)
        self.page.route("http://notebook.test/", lambda route: route.fulfill(body=PAGE))
        self.page.expose_function("first", lambda: shown[-1])
        self.page.expose_function("ask", self._ask)
        self.page.goto("http://notebook.test/")
        self.frame = self.page.frame_locator("iframe")
        self.board = self.frame.locator("[data-stage]")

    def _send_module(self, route: Any) -> None:
        route.fulfill(body=widget_module(), content_type="text/javascript")

    def _ask(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        before = len(self._shown)
        self._held.receive(message)
        return self._shown[before:]


@pytest.mark.slow
def test_a_match_is_played_to_its_end_on_the_widget(context: Any) -> None:
    held, shown = played("flume", size=3)
    notebook = Notebook(context, held, shown)
    free = notebook.frame.locator(".board [data-cell][role=button]:not([aria-disabled=true])")
    while not held.match.is_over:
        before = len(held.match.actions)
        free.first.click()
        for _ in range(200):
            if len(held.match.actions) > before:
                break
            notebook.page.wait_for_timeout(25)
        assert len(held.match.actions) > before
    notebook.frame.get_by_text(held.match.result()).wait_for()
    assert notebook.board.get_attribute("data-stage") == "over"


@pytest.mark.slow
def test_the_buttons_step_through_a_record(context: Any) -> None:
    shown: list[dict[str, Any]] = []
    held = RecordedMatch(RECORD, shown.append)
    notebook = Notebook(context, held, shown)
    notebook.frame.get_by_role("button", name="Last", exact=True).click()
    notebook.frame.get_by_text("4/4").wait_for()
    notebook.frame.get_by_role("button", name="Previous", exact=True).click()
    notebook.frame.get_by_text("3/4").wait_for()
    assert held.at == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_every_board_is_drawn(context: Any, name: str) -> None:
    held, shown = played(name)
    notebook = Notebook(context, held, shown)
    notebook.frame.locator(".board svg").first.wait_for()
    frame = notebook.page.locator("iframe")
    notebook.page.wait_for_timeout(500)
    height = frame.evaluate("element => element.offsetHeight")
    notebook.page.wait_for_timeout(300)
    assert frame.evaluate("element => element.offsetHeight") == height, "it doesn't grow forever"
