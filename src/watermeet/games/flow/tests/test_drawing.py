"""Pictures of Flow: what they show, and that no meaning lies in colour alone."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from watermeet.core.options import Value
from watermeet.core.state import State
from watermeet.games.flow import layout
from watermeet.games.flow.paint import channel, waterway
from watermeet.games.flow.shapes import SHAPE_COUNT, SHAPES
from watermeet.games.flow.tests.scenes import (
    ALL_JOINED,
    UPPER_CROSS,
    cell_of,
    changed,
    holding,
    in_hand,
    laid,
    positions,
    shape_of,
)

SVG = "{http://www.w3.org/2000/svg}"
TILES = UPPER_CROSS | {
    "d3": "X", "a2": "NS", "a3": "NES", "b3": "SWv", "b2": "N", "f4": "NSW",
}  # fmt: skip
STATE = in_hand(
    holding(holding(laid(TILES, tiles="branches"), 0, "support", "support", "calm"), 1, "bird"),
    "bend",
    1,
)
WON = changed(laid(ALL_JOINED), STAGE=layout.FINISHED, WON=1)
LAY_B3 = SHAPE_COUNT * cell_of("b3") + shape_of("SW")
DICE = (layout.CHANCE_WHITE + 1, layout.CHANCE_BLACK + 4)


def svg(state: State, seat: int | None = None, last: tuple[int, ...] = ()) -> str:
    return state.draw_svg(seat, last) or ""


def titles(state: State, seat: int | None = None) -> list[str]:
    root = ElementTree.fromstring(svg(state, seat))
    return [element.text or "" for element in root.iter(f"{SVG}title")]


# ---- text -------------------------------------------------------------------------------------


def test_the_picture_in_text() -> None:
    assert STATE.draw(0, last=(LAY_B3,)).plain.splitlines() == [
        "   (1)  (2)  (3)       (4)  (5)  (6)       Turns left in this round: 10.",
        "    ok             ║              ok       In hand: bend",
        "7  Cap═════════════╬═════════════Lem  [6]    │                    │",
        "    ║              ║              ║          └──    ┌──  ──┐    ──┘",
        "                   ║                                │      │",
        "6  a6   b6   c6    ║   e6   f6   g6   [5]   NE     ES     SW     NW",
        "                   ║",
        "                   ║                       Cat      a1  lacks 3 tiles or more",
        "5  a5   b5   c5    ║   e5   f5   g5   [4]  Dog      g1  lacks 4 tiles or more",
        "                   ║                       Capybara a7  joined with the boat",
        "                   ║         │             Lemur    g7  joined with the boat",
        "4  a4   b4   c4  ═\\B/═ e4  ──┤   g4",
        "                   ║         │               Player 1: Support x2, Calm Waters",
        "    ║  v   *                               > Player 2: Bird",
        "3   ╠════╗   c3   (X)  e3   f3   g3   [3]",
        "    ║    ║                                 Tiles     face down   up   discarded",
        "    ║    ║                                 straight       1       0       0",
        "2   ║    ●   c2   d2   e2   f2   g2   [2]  bend          10       0       0",
        "    ║                                      cross          3       0       0",
        "    ║                             ║        obstacle       7       0       0",
        "1  Cat═ b1   c1   d1   e1   f1  ═Dog  [1]  tee            8       0       0",
        "    -3                            -4       Pile: 11 cards. Beside: 2 birds.",
        "    a    b    c    d    e    f    g",
        "═ water  ─ none yet  ● dead end  (X) obstacle  v bird  * last",
    ]


def test_terminals_without_these_characters_get_others() -> None:
    text = STATE.draw(0).ascii.plain
    assert text.isascii()
    assert "7  Cap=============#=============Lem  [6]" in text
    assert "2   |    o   c2   d2   e2   f2   g2   [2]" in text
    assert "4  a4   b4   c4  =\\B/= e4  --+   g4" in text


def test_ways_with_and_without_water_differ_by_their_lines() -> None:
    """Nothing is told by colour alone, also where there are but plain characters."""
    wet, dry = laid({"a2": "NESW"}), laid({"c3": "NESW"})
    assert "╬" in wet.draw(None).plain
    assert "┼" in dry.draw(None).plain
    assert "╬" not in dry.draw(None).plain
    for kind, edges in SHAPES:
        state = laid({"c3": edges}, tiles="branches")
        middle = state.draw(None).plain.splitlines()[14][14]
        assert middle in "│─└┌┐┘┼├┬┤┴●", (kind, edges)


def test_what_was_laid_last_is_marked() -> None:
    assert STATE.draw(0).plain.count("*") == 1  # In the legend.
    assert STATE.draw(0, last=(LAY_B3,)).plain.count("*") == 2
    assert STATE.draw(0, last=(layout.PLAY_BIRD + cell_of("b3"),)).plain.count("*") == 2
    assert STATE.draw(0, last=(layout.CHANCE_OBSTACLE + cell_of("d3"),)).plain.count("*") == 2
    assert STATE.draw(0, last=(layout.LAY_SCENARIO + cell_of("e5"),)).plain.count("*") == 1


def test_the_dice_of_the_last_wave_are_told() -> None:
    assert "Dice: white 2, black 5." in STATE.draw(0, last=DICE).plain
    assert svg(STATE, 0, DICE).count('stroke="#f2a900"') == 2


def test_whatever_is_marked_can_be_drawn() -> None:
    """Also actions that never were."""
    for action in range(0, STATE.game.sizes.actions, 17):
        assert STATE.draw(last=(action,)).plain
        assert STATE.draw_svg(last=(action,))


def test_hidden_hands_are_counted() -> None:
    state = holding(holding(laid({}, no_communication=True), 0, "calm"), 1, "bird", "bird")
    assert "Player 2: 2 cards" in state.draw(0).plain
    assert "Player 2: Bird x2" in state.draw(1).plain
    assert "2 hidden cards" in titles(state, 0)
    assert "Player 1: Calm Waters" in str(state)


def test_the_round_is_told() -> None:
    state = laid({}, clock="minute", one_card=True, obstacles=3)
    state = changed(state, TIME_UP=1, CALM_PLAYED=1, CARD_PLAYED=1)
    text = " ".join(line[43:].strip() for line in state.draw(None).plain.splitlines())
    assert "Rounds end by the clock. Time is up. Calm Waters is in play. No more cards" in text
    assert "Scenarios: Obstacles x3, One card per round." in text
    assert "Won." in WON.draw(None).plain
    assert "Lost." in changed(WON, WON=0).draw(None).plain


def test_a_scenario_obstacle_in_hand() -> None:
    state = changed(
        laid({}), STAGE=layout.CARRY, TILE=layout.SCENARIO_TILE, LIFTED_FROM=1 + cell_of("c2")
    )
    assert "In hand: scenario obstacle" in state.draw(None).plain
    assert ">In hand: scenario obstacle<" in svg(state)


@pytest.mark.parametrize(
    "options", [{"seats": 1}, {"seats": 6, "scenarios": 6}, {"tiles": "branches", "clock": "free"}]
)
def test_every_text_fits_the_terminal(options: dict[str, Value]) -> None:
    for state in positions(12, **options):
        lines = state.draw(None).plain.splitlines()
        assert max(map(len, lines)) <= 80
        assert len(lines) <= 30
        assert all(line == line.rstrip() for line in lines)
        assert state.draw(None).ascii.plain.isascii()


# ---- SVG --------------------------------------------------------------------------------------


def test_the_svg_says_what_happens() -> None:
    assert titles(STATE)[0] == "Flow. Player 2 lays the bend or takes a card for it."
    assert titles(WON)[0].startswith("Flow. The match is won:")


def test_the_svg_has_every_cell() -> None:
    found = titles(STATE)
    for title in (
        "a1 cat, lacks 3 tiles or more",
        "a7 capybara, joined with the boat",
        "b3 bend SW, water, a bird",
        "b2 obstacle N, water",
        "f4 tee NSW, no water",
        "d3 scenario obstacle",
        "d4 boat NESW, water",
        "c4",
        "white 4: row 5",
        "black 3: column c",
    ):
        assert title in found
    assert "g1 dog, cannot be joined" in titles(laid({"f1": "X", "g2": "X"}))


def test_the_svg_shows_hands_and_the_tile_in_hand() -> None:
    found = titles(STATE)
    assert {"bend NE", "bend ES", "bend SW", "bend NW"} <= set(found)
    assert "Calm Waters: the next wave has one die" in found
    assert ">Support x2<" in svg(STATE)


def test_water_differs_by_pattern() -> None:
    """Were all colours the same, ways with and without water would not look alike."""
    for _, edges in SHAPES:
        wet, dry = (re.sub(r"#[0-9a-f]{6}", "", waterway(edges, is_wet=x)) for x in (True, False))
        assert wet != dry
        assert "dasharray" in dry
        assert wet.count("q3 -4") == len(edges)


def test_channels_lead_from_edge_to_edge() -> None:
    assert channel("NS") == "M0 -32L0 32"
    assert channel("N") == "M0 -32L0 0"
    assert channel("NES") == "M0 -32L0 32M32 0L0 0"
    assert channel("NE") == "M0 -32A32 32 0 0 0 32 0"
    assert channel("NW") == "M0 -32A32 32 0 0 1 -32 0"


def test_the_svg_marks_what_was_laid_last() -> None:
    assert 'stroke="#f2a900"' not in svg(STATE)
    assert svg(STATE, 0, (LAY_B3,)).count('stroke="#f2a900"') == 1


@pytest.mark.parametrize("options", [{"seats": 1}, {"seats": 6, "scenarios": 6}])
def test_the_svg_is_well_formed_and_always_the_same(options: dict[str, Value]) -> None:
    for state in positions(4, **options):
        picture = svg(state)
        assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
        assert picture == svg(state)
        assert "nan" not in picture
        assert not re.search(r"-0[ \"]", picture)


def test_notebooks_show_it() -> None:
    assert STATE._repr_svg_() == STATE.draw_svg()
