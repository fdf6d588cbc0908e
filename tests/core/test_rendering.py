"""Helpers for pictures."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

import watermeet as wm
from watermeet.core.rendering import Rendering, Span, from_text, svg_element, svg_picture


def test_plain_and_ascii_text() -> None:
    drawing = Rendering(((Span("●", "red", "R"), Span(" x  ")), (Span("·", "", "."),)))
    assert drawing.plain == "● x\n·"
    assert drawing.ascii.plain == "R x\n."
    assert drawing.ascii.lines[0][0].style == "red"
    assert from_text("a\nb").plain == "a\nb"


def test_svg_is_escaped() -> None:
    element = svg_element("text", "a &lt; b", data_x='"<&', class_="c")
    assert element == '<text data-x="&quot;&lt;&amp;" class="c">a &lt; b</text>'
    root = ElementTree.fromstring(svg_picture(10, 20.5, "a < b", element))
    assert root.attrib["viewBox"] == "0 0 10 20.5"
    assert root[0].text == "a < b"


def test_a_picture_of_the_board_alone() -> None:
    """Where a game says where its board is; otherwise the whole picture."""
    for name in wm.games():
        state = wm.game(name).start().sample(random.Random(1))
        layout = state.game.hooks.picture_layout(state.game, state.array)
        whole, board = state.render_svg(None), state.render_svg(None, part="board")
        if whole is None or layout is None:
            assert board == whole
        else:
            box = ElementTree.fromstring(board or "").attrib["viewBox"]
            assert [float(number) for number in box.split()] == pytest.approx(layout.parts["board"])
