"""Rendering and views of Flecks: what is shown, and never by colour alone."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import watermeet as wm
from watermeet.games.flecks.tests.positions import flecks, position

SVG = "{http://www.w3.org/2000/svg}"
STATE = flecks().start().play_all(["a5", "e5", "e4", "f4", "e3"])
WON = position("g1 f2 e3 d4 c5 b5", "e9").play("a5")


def test_text() -> None:
    assert str(STATE) == (
        "        e f g h i\n"
        "         ◦ ◦ ◦ • • •\n"
        "     1  ◦ · · · · · • 1\n"
        "    2  ◦ · · · · · · • 2\n"
        "   3  ◦ · · ● · · · · • 3\n"
        "  4  ◦ · · · ● ○ · · · • 4\n"
        " 5  • ● · · · ○ · · · · • 5\n"
        "  6  • · · · · · · · · ◦\n"
        "   7  • · · · · · · · ◦ i\n"
        "    8  • · · · · · · ◦ h\n"
        "     9  • · · · · · ◦ g\n"
        "         • • • ◦ ◦ ◦ f\n"
        "            a b c d e\n"
        "   ● Red connects • to •, ○ Blue connects ◦ to ◦"
    )


def last_of(state: wm.State, *moves: str) -> tuple[wm.State, list[int]]:
    actions = []
    for move in moves:
        actions.append(state.parse_move(move))
        state = state.play(move)
    return state, actions


def test_the_last_stone_is_marked() -> None:
    state, last = last_of(STATE, "stop", "f5", "stop")
    assert " 5  • ● · · · ○>○ · · · • 5" in state.render(last=last).plain


def test_a_moved_row_is_marked_with_its_origin() -> None:
    state, last = last_of(STATE, "e4-nw2")
    lines = state.render(last=last).plain.splitlines()
    assert lines[2:6] == [
        "     1  ◦>● · · · · • 1",
        "    2  ◦ ·>● · · · · • 2",
        "   3  ◦ · · ↖ · · · · • 3",
        "  4  ◦ · · · ↖ ○ · · · • 4",
    ]
    assert "   3  b . . \\ . . . . r 3" in state.render(last=last).ascii.plain


def test_the_winning_chain_is_marked() -> None:
    assert "     1  ◦ · ·*● · · • 1" in str(WON)
    assert " 5  •*●*●*● · · · · · · • 5" in str(WON)
    assert WON.view(None)["sentence"] == "Red connected both borders and wins."


def test_ascii_terminals_get_letters() -> None:
    text = STATE.render().ascii.plain
    assert " 5  r R . . . B . . . . r 5" in text
    assert text.isascii()


def test_the_svg_has_every_stone_and_four_borders() -> None:
    root = ElementTree.fromstring(STATE.render_svg() or "")
    titles = [element.text for element in root.iter(f"{SVG}title")]
    assert titles[0] == "Flecks, side 5. Red to move a row or stop. Red 3, Blue 2."
    assert titles[-5:] == ["e3 red", "e4 red", "f4 blue", "a5 red", "e5 blue"]
    assert len(list(root.iter(f"{SVG}circle"))) == 2 * 5  # Disc and mark of each stone.
    assert len(list(root.iter(f"{SVG}polygon"))) == 4 + 61
    assert len(list(root.iter(f"{SVG}polyline"))) == 4


def test_the_svg_marks_the_last_move_and_the_winning_chain() -> None:
    state, last = last_of(STATE, "e4-nw2")
    picture = state.render_svg(last=last) or ""
    assert picture.count('stroke="#e8b400"') == 2 + 1  # Two stones and the arrow.
    root = ElementTree.fromstring(WON.render_svg() or "")
    assert len(list(root.iter(f"{SVG}polyline"))) == 5
    assert (
        ElementTree.fromstring(flecks(border="sides").start().render_svg() or "").tag == f"{SVG}svg"
    )


# ---- views ------------------------------------------------------------------------------------


def test_a_view_describes_the_match() -> None:
    board = STATE.view(0)["board"]
    assert (board["size"], board["border"], board["turn"]) == (5, "quarters", "r")
    assert (board["due"], board["last_added"], board["opening_left"]) == ("move", "e3", [0, 0])
    assert board["cells"][0] == {"name": "e1", "q": 0, "r": -4, "stone": "", "borders": "b"}
    seats = STATE.view(0)["seats"]
    assert [(seat["score"], seat["stones"]) for seat in seats] == [(None, 3), (None, 2)]
    assert WON.view(0)["board"]["due"] == "nothing"
    assert WON.view(0)["board"]["chain"] == ["a5", "b5", "c5", "d4", "e3", "f2", "g1"]


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("", "Red to place the first of 2 opening stones, on the outer ring. Red 0, Blue 0."),
        ("a5", "Blue to place an opening stone (2 left) anywhere. Red 1, Blue 0."),
        ("a5 e5", "Red to place the last opening stone anywhere. Red 1, Blue 1."),
        ("a5 e5 e4 f4", "Red to place a stone next to another red one. Red 2, Blue 2."),
        ("a5 e5 e4 f4 e3", "Red to move a row or stop. Red 3, Blue 2."),
    ],
)
def test_the_sentence_says_what_to_do(moves: str, sentence: str) -> None:
    assert flecks().start().play_all(moves.split()).view(None)["sentence"] == sentence


def test_the_sentence_offers_both_if_both_are_allowed() -> None:
    state = flecks(must_place=False).start().play_all(["a5", "i5", "e4", "f6"])
    assert "place a stone next to another red one, or move a row" in state.view(None)["sentence"]
