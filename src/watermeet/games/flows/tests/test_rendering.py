"""Rendering of Flows: what is shown, and never by colour alone."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from watermeet.core.state import State
from watermeet.games.flows import layout
from watermeet.games.flows.strand_paths import trace_strands
from watermeet.games.flows.tests.boards import (
    STRAIGHT_DOWN,
    WALL,
    holding,
    in_hand,
    laid,
    positions,
)
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tests.positions import number_of
from watermeet.games.flows.tests.test_view import ended
from watermeet.games.flows.tiles import ORIENTATIONS

SVG = "{http://www.w3.org/2000/svg}"
STATE = in_hand(laid({"a7": "T3.0", "d4": "T1.2", "d1": "T0.0"}), 3)
WON = ended(laid(STRAIGHT_DOWN), 1, by_route=True)


def titles(state: State, seat: int | None = None) -> list[str]:
    root = ElementTree.fromstring(state.render_svg(seat) or "")
    return [element.text or "" for element in root.iter(f"{SVG}title")]


# ---- text -------------------------------------------------------------------------------------


def test_text() -> None:
    assert STATE.render(0).plain == (
        "               d       e       f       g\n"
        "                 2   3   ▓▓  ▓▓  ▓▓  ▓▓  ▓▓  ▓▓\n"
        "             1 B7 T0.0 B7  e1  │   f1  │   g1  ▓▓ 1\n"
        "             B6  2   3   \\   /   \\   /   \\   /   ▓▓\n"
        "         2 B5  c2  │   d2  │   e2  │   f2  │   g2  ▓▓ 2\n"
        "         B4  \\   /   \\   /   \\   /   \\   /   \\   /   ▓▓\n"
        "     3 B3  b3  │   c3  │   d3  │   e3  │   f3  │   g3  ▓▓ 3\n"
        "     B2  \\   /   \\   /   \\   5   6   /   \\   /   \\   /   ▓▓\n"
        " 4 B1  a4  │   b4  │   c4  5  T1.2 4   e4  │   f4  │   g4  ▓▓ 4\n"
        "     ▓▓  /   \\   /   \\   /   4   6   \\   /   \\   /   \\   ▓▓\n"
        "     5 ▓▓  a5  │   b5  │   c5  │   d5  │   e5  │   f5  ▓▓ g\n"
        "         ▓▓  /   \\   /   \\   /   \\   /   \\   /   \\   ▓▓\n"
        "         6 ▓▓  a6  │   b6  │   c6  │   d6  │   e6  ▓▓ f\n"
        "             ▓▓  1   7   /   \\   /   \\   /   \\   ▓▓\n"
        "             7 1  T3.0 7   b7  │   c7  │   d7  ▓▓ e\n"
        "                 R7  R7  R6  R5  R4  R3  R2  R1\n"
        "                       a       b       c       d\n"
        "\n"
        "Red's tile        b  c       b  b\n"
        "is T3           b T3.0 c   a T3.1 c\n"
        "                  a  a       a  c\n"
        "\n"
        "> R Red    bottom                  T3     B Blue   upper left\n"
        "Unseen: 9 T0, 9 T1, 10 T2, 8 T3\n"
        "R3: strand from edge 3 of Red's side. 1, 2, ...: nobody's. > last move. * wins."
    )


def test_ascii_terminals_get_other_characters() -> None:
    text = STATE.render(0).ascii.plain
    assert text.isascii()
    assert " 4 B1  a4  |   b4  |   c4  5  T1.2 4   e4  |   f4  |   g4  ## 4" in text


def test_other_seats_see_the_tile_face_down() -> None:
    """R4.2."""
    for seat in (1, None):
        assert "Red's tile is face down." in STATE.render(seat).plain
        assert "T3.1" not in STATE.render(seat).plain
        assert "Unseen: 9 T0, 9 T1, 10 T2, 9 T3" in STATE.render(seat).plain
    assert "In the bag: 9 T0, 9 T1, 10 T2, 8 T3" in str(STATE)


def test_a_seat_sees_the_tile_it_holds() -> None:
    """R7.3."""
    state = holding(in_hand(laid({}, hold_tile=True), 3), 1, 0)
    assert "Blue's tile" in state.render(1).plain
    assert "T0.2" in state.render(1).plain
    assert "Red's tile" in state.render(0).plain
    assert "T0.2" not in state.render(0).plain


def test_the_winning_strand_is_marked() -> None:
    text = WON.render(None).plain
    assert text.count("*T0.0") == 7
    assert text.count("R5") == 8  # At every edge it crosses, including both at the rim.
    assert "* R Red" in text


def test_the_last_tile_is_marked() -> None:
    d4 = ORIENTATIONS * number_of("d4")
    assert "5 >T1.2 4" in STATE.render(0, last=(d4,)).plain
    assert ">" not in STATE.render(1, last=(ORIENTATIONS * number_of("d5"),)).plain.split("\n\n")[0]


def test_free_sides_show_their_numbers() -> None:
    """R7.1."""
    state = flows(seats=4, sides="chosen").start()
    state = state.play(int(layout.first_base(state.array.copy())))
    assert "                 s3  s3  s3  s3  s3  s3  s3  s4" in state.render(None).plain
    assert ">0<" in (state.render_svg(None) or "")
    state = state.play(int(layout.side_base(state.array.copy())))
    assert "                 Y1  Y2  Y3  Y4  Y5  Y6  Y7  s4" in state.render(None).plain
    assert ">0<" not in (state.render_svg(None) or "")


def test_blocked_players_are_named() -> None:
    """R7.5."""
    state = laid(WALL, supermove="full")
    assert state.render(None).plain.count("  blocked") == 1
    assert (state.render_svg(None) or "").count("⊘") == 1


# ---- SVG --------------------------------------------------------------------------------------


def test_the_svg_describes_the_state() -> None:
    assert titles(STATE)[0] == "Flows. Red places a tile."
    assert titles(WON)[0] == "Flows. Red wins: a strand connects the bottom to the top."


def test_the_svg_has_every_cell_with_its_strands() -> None:
    found = titles(STATE)
    assert "d4 T1.2: 0-4 -, 1-2 -, 3-5 -" in found
    assert "a7 T3.0: 0-5 R, 1-2 -, 3-4 -" in found
    assert "d1 T0.0: 0-2 -, 1-4 B, 3-5 -" in found
    assert "c4" in found
    both = titles(laid({"a7": "T3.0"}, seats=6))
    assert "a7 T3.0: 0-5 R+B, 1-2 B, 3-4 -" in both


def test_the_svg_shows_a_tile_only_to_its_owner() -> None:
    """R4.2."""
    assert {"T3.0", "T3.1"} <= set(titles(STATE, 0))
    assert "?" not in titles(STATE, 0)
    for seat in (1, None):
        assert "?" in titles(STATE, seat)
        assert not {"T3.0", "T3.1"} & set(titles(STATE, seat))


def test_seats_differ_by_pattern() -> None:
    """Even if all colours were the same, no two seats would look alike."""
    picture = flows(seats=6).start().render_svg(None) or ""
    root = ElementTree.fromstring(picture)
    names = ("stroke-width", "stroke-dasharray", "stroke-linecap")
    looks = {
        tuple(path.get(name) for name in names)
        for path in root.iter(f"{SVG}path")
        if "H" in path.get("d", "") and path.get("stroke") == "#1b1f26"
    }
    assert len(looks) == 5  # Red has no pattern.


def test_the_svg_marks_the_last_tile_and_the_winning_strand() -> None:
    marked = STATE.render_svg(0, last=(ORIENTATIONS * number_of("d4"),)) or ""
    assert marked.count('stroke="#f5b800"') == 1
    assert (WON.render_svg(None) or "").count('stroke="#fff6cf"') == 1
    assert 'stroke="#fff6cf"' not in (STATE.render_svg(None) or "")


@pytest.mark.compiled
def test_a_strand_that_crosses_itself_is_drawn_over_itself() -> None:
    """The second step in the cell is drawn again, and its dashes continue seamlessly."""
    loop = laid({"d4": "T0.0", "e4": "T3.0", "e3": "T3.0"})
    casings = [path for path in _paths(loop) if path.get("stroke-width") == "12.5"]
    assert len(casings) == len(trace_strands(loop.array)) + 1
    paths = [path for state in positions(9, seats=6) for path in _paths(state)]
    assert any("stroke-dashoffset" in path.attrib for path in paths)


def _paths(state: State) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(state.render_svg(None) or "").iter(f"{SVG}path"))
