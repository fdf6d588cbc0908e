"""Rendering of Flow: what is shown, and never by colour alone."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from watermeet.core.state import State
from watermeet.games.flow import layout, paint
from watermeet.games.flow.paint import waterway
from watermeet.games.flow.shapes import SHAPE_COUNT, SHAPES
from watermeet.games.flow.tests.positions import number_of
from watermeet.games.flow.tests.scenes import (
    ALL_JOINED,
    UPPER_CROSS,
    changed,
    holding,
    in_hand,
    laid,
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
LAY_B3 = SHAPE_COUNT * number_of("b3") + shape_of("SW")
DICE = (layout.CHANCE_WHITE + 1, layout.CHANCE_BLACK + 4)


def svg(state: State, seat: int | None = None, last: tuple[int, ...] = ()) -> str:
    return state.render_svg(seat, last) or ""


def titles(state: State, seat: int | None = None) -> list[str]:
    root = ElementTree.fromstring(svg(state, seat))
    return [element.text or "" for element in root.iter(f"{SVG}title")]


def texts(state: State) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg(state)).iter(f"{SVG}text"))


def contrast(one: str, other: str) -> float:
    """How much two colours differ, from 1 to 21, as WCAG 2 has it."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(map(float.__mul__, (0.2126, 0.7152, 0.0722), linear))


# ---- text -------------------------------------------------------------------------------------


def test_text() -> None:
    assert STATE.render(0, last=(LAY_B3,)).plain.splitlines() == [
        "   (1)  (2)  (3)       (4)  (5)  (6)       Turns left: 10.",
        "    ok             ║              ok       In hand: bend",
        "7  Cap═════════════╬═════════════Lem  [6]    │                    │",
        "    ║              ║              ║          └──    ┌──  ──┐    ──┘",
        "                   ║                                │      │",
        "6  a6   b6   c6    ║   e6   f6   g6   [5]   NE     ES     SW     NW",
        "                   ║",
        "                   ║                       Cat      a1  at least 3 tiles to go",
        "5  a5   b5   c5    ║   e5   f5   g5   [4]  Dog      g1  at least 4 tiles to go",
        "                   ║                       Capybara a7  connected to the boat",
        "                   ║         │             Lemur    g7  connected to the boat",
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
        "    -3                            -4       Pile: 11 cards. 2 birds left.",
        "    a    b    c    d    e    f    g",
        "═ water  ─ dry  ● dead end  (X) obstacle  v bird  * last",
    ]


def test_ascii_terminals_get_other_characters() -> None:
    text = STATE.render(0).ascii.plain
    assert text.isascii()
    assert "7  Cap=============#=============Lem  [6]" in text
    assert "2   |    o   c2   d2   e2   f2   g2   [2]" in text
    assert "4  a4   b4   c4  =\\B/= e4  --+   g4" in text


def test_ways_with_and_without_water_differ_by_their_lines() -> None:
    """Nothing depends on colour alone, even in plain ASCII."""
    wet, dry = laid({"a2": "NESW"}), laid({"c3": "NESW"})
    assert "╬" in wet.render(None).plain
    assert "┼" in dry.render(None).plain
    assert "╬" not in dry.render(None).plain
    for kind, edges in SHAPES:
        state = laid({"c3": edges}, tiles="branches")
        middle = state.render(None).plain.splitlines()[14][14]
        assert middle in "│─└┌┐┘┼├┬┤┴●", (kind, edges)


def test_the_last_tile_is_marked() -> None:
    assert STATE.render(0).plain.count("*") == 1  # In the legend.
    assert STATE.render(0, last=(LAY_B3,)).plain.count("*") == 2
    assert STATE.render(0, last=(layout.PLAY_BIRD + number_of("b3"),)).plain.count("*") == 2
    assert STATE.render(0, last=(layout.CHANCE_OBSTACLE + number_of("d3"),)).plain.count("*") == 2
    assert STATE.render(0, last=(layout.LAY_SCENARIO + number_of("e5"),)).plain.count("*") == 1


def test_the_dice_of_the_last_wave_are_shown() -> None:
    assert "Dice: white 2, black 5." in STATE.render(0, last=DICE).plain
    assert svg(STATE, 0, DICE).count('stroke="#f2a900"') == 2


def test_hidden_hands_are_counted() -> None:
    state = holding(holding(laid({}, no_communication=True), 0, "calm"), 1, "bird", "bird")
    assert "Player 2: 2 cards" in state.render(0).plain
    assert "Player 2: Bird x2" in state.render(1).plain
    assert "2 hidden cards" in titles(state, 0)
    assert "Player 1: Calm Waters" in str(state)


def test_the_round_is_shown() -> None:
    state = laid({}, clock="minute", one_card=True, obstacles=3)
    state = changed(state, TIME_UP=1, CALM_PLAYED=1, CARD_PLAYED=1)
    text = " ".join(line[43:].strip() for line in state.render(None).plain.splitlines())
    assert "Rounds end by the clock. Time is up. Calm Waters is in play. No more cards" in text
    assert "Scenarios: Obstacles x3, One card per round." in text
    assert "Won." in WON.render(None).plain
    assert "Lost." in changed(WON, WON=0).render(None).plain


def test_a_scenario_obstacle_in_hand() -> None:
    state = changed(
        laid({}), STAGE=layout.CARRY, TILE=layout.SCENARIO_TILE, LIFTED_FROM=1 + number_of("c2")
    )
    assert "In hand: scenario obstacle" in state.render(None).plain
    assert ">In hand: scenario obstacle<" in svg(state)
    assert ">No tile in hand<" in svg(WON)


# ---- SVG --------------------------------------------------------------------------------------


def test_the_svg_describes_the_state() -> None:
    assert titles(STATE)[0] == "Flow. Player 2 to place the bend or swap it for a card."
    assert titles(WON)[0].startswith("Flow. You win:")


def test_the_svg_has_every_cell() -> None:
    found = titles(STATE)
    for title in (
        "a1 cat, at least 3 tiles to go",
        "a7 capybara, connected to the boat",
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
    assert "g1 dog, cut off from the boat" in titles(laid({"f1": "X", "g2": "X"}))


def test_the_svg_shows_hands_and_the_tile_in_hand() -> None:
    found = titles(STATE)
    assert {"bend NE", "bend ES", "bend SW", "bend NW"} <= set(found)
    assert "Calm Waters: the next wave rolls only one die" in found
    assert ">Support x2<" in svg(STATE)


def test_water_differs_by_pattern() -> None:
    """Even if all colours were the same, ways with and without water would differ."""
    for _, edges in SHAPES:
        wet, dry = (re.sub(r"#[0-9a-f]{6}", "", waterway(edges, is_wet=x)) for x in (True, False))
        assert wet != dry
        assert "dasharray" in dry
        assert wet.count("q3 -4") == len(edges)


def test_the_svg_marks_the_last_tile() -> None:
    assert 'stroke="#f2a900"' not in svg(STATE)
    assert svg(STATE, 0, (LAY_B3,)).count('stroke="#f2a900"') == 1


def test_the_svg_marks_the_lines_of_a_wave() -> None:
    def bands(*last: int) -> list[tuple[str | None, ...]]:
        root = ElementTree.fromstring(svg(STATE, 0, last))
        found = root.findall(f"{SVG}rect[@fill='{paint.SHALLOWS}']")
        return [tuple(map(each.get, ("x", "y", "width", "height"))) for each in found]

    row, column = ("36", "370", "448", "64"), ("356", "50", "64", "448")
    assert bands(*DICE) == [row, column]
    assert bands(DICE[0]) == [row]
    assert bands(DICE[1]) == [column]
    assert bands(LAY_B3) == []


def test_every_text_of_the_svg_fits() -> None:
    """Also in wide fonts, whose letters are 0.58 times as wide as tall."""
    scenarios = dict.fromkeys(layout.SCENARIO_NAMES[2:], True) | {"no_communication": True}
    state = laid({}, seats=6, obstacles=4, clock="minute", **scenarios)
    state = changed(state, TIME_UP=1, CALM_PLAYED=1, CARD_PLAYED=1)
    width = float(ElementTree.fromstring(svg(state)).get("width", ""))
    for element in texts(state):
        text, size = element.text or "", float(element.get("font-size", ""))
        if element.get("text-anchor") == "start":
            assert float(element.get("x", "")) + 0.58 * size * len(text) < width, text
    under_board = [element.text for element in texts(state) if element.get("x") == "31"]
    assert len(under_board) == 3
    assert "Scenarios: Obstacles x4" in (under_board[0] or "").replace("\xa0", " ")


def test_colours_have_enough_contrast() -> None:
    """As WCAG 2 requires: 4.5 for text, 3 for graphics."""
    for ink, ground in (
        (paint.SEA_INK, paint.SEA), (paint.SEA_INK, paint.SHALLOWS), (paint.INK, paint.GROUND),
        (paint.FAINT_INK, paint.GROUND),
    ):  # fmt: skip
        assert contrast(ink, ground) >= 4.5
    for part, ground in (
        (paint.DRY, paint.SAND), (paint.DRY, paint.SEA), (paint.DRY, paint.SHALLOWS),
        (paint.PEBBLE, paint.DRY), (paint.BLACK, paint.GOLD), (paint.BLACK, paint.SEA),
        (paint.BLACK, paint.SAND), (paint.WHITE, paint.WET),
    ):  # fmt: skip
        assert contrast(part, ground) >= 3
