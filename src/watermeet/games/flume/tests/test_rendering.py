"""Rendering of Flume: what is shown, and never by colour alone."""

from __future__ import annotations

from xml.etree import ElementTree

import watermeet as wm

STATE = wm.game("flume", size=3).start().play_all(["b2", "a1"])


def test_text() -> None:
    assert str(STATE) == (
        "      a b c\n"
        "    ∘ ∘ ∘ ∘ ∘\n"
        " 3  ∘ · · · ∘ 3\n"
        " 2  ∘ · ● · ∘ 2\n"
        " 1  ∘ ○ · · ∘ 1\n"
        "    ∘ ∘ ∘ ∘ ∘\n"
        "      a b c"
    )


def test_the_last_move_is_marked() -> None:
    last = (STATE.parse_move("a1"),)
    assert " 1  ∘>○ · · ∘ 1" in STATE.render(last=last).plain


def test_ascii_terminals_get_letters() -> None:
    assert " 1  + B . . + 1" in STATE.render().ascii.plain
    assert STATE.render().ascii.plain.isascii()


def test_the_svg_has_every_stone_and_the_rim() -> None:
    root = ElementTree.fromstring(STATE.render_svg() or "")
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0] == "Flume 3x3. Red places a stone. Red 1, Blue 1, 7 points free."
    assert titles[1:] == ["b2 red", "a1 blue"]
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) == 12 + 2 * 2  # Rim; disc and mark of each stone.
