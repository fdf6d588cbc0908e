"""Rendering of Qwirkle: what is shown, and never by colour alone."""

from __future__ import annotations

from xml.etree import ElementTree

from watermeet.games.qwirkle.tests.helpers import dealt, snake, table

STATE = table([[("Rd", (0, 0)), ("Rs", (1, 0))]], "RcYxBv", "OdYsGbBsPcPx")


def test_text() -> None:
    assert STATE.render(0).plain == (
        "     -1  0  1  2\n"
        "  -1 ·  ·  ·  ·  -1\n"
        "   0 · >R♦>R■ ·  0\n"
        "   1 ·  ·  ·  ·  1\n"
        "     -1  0  1  2\n"
        "\n"
        "> Player 1    0   R● Ox Yx Y♦ G■ B♣\n"
        "  Player 2    0   ?? ?? ?? ?? ?? ??\n"
        "  Bag        94\n"
        "  Unseen      c● x  d♦ s■ b☼ v♣\n"
        "  red         2  3  2  2  3  3\n"
        "  orange      3  2  3  3  3  3\n"
        "  yellow      3  2  2  3  3  3\n"
        "  green       3  3  3  2  3  3\n"
        "  blue        3  3  3  3  3  2\n"
        "  purple      3  3  3  3  3  3"
    )


def test_the_last_tiles_are_marked() -> None:
    laid = STATE.play("Rc@-1,0")
    assert "   0 · >R● R♦ R■ ·  0" in laid.render(0).plain
    assert ">R● R♦ R■" in laid.play("end").render(1).plain


def test_tiles_set_aside_are_shown_to_their_owner_alone() -> None:
    state = STATE.play("trade:Rc")
    assert "aside: R●" in state.render(0).plain
    assert "aside: ??" in state.render(1).plain


def test_full_states_show_every_hand_and_the_bag() -> None:
    plain = str(STATE)
    assert "R● Ox Yx Y♦ G■ B♣" in plain
    assert "O♦ Y■ G☼ B■ P● Px" in plain
    assert "In the bag" in plain
    assert "??" not in plain


def test_ascii_terminals_get_dots() -> None:
    assert "  -1 .  .  .  .  -1" in STATE.render(0).ascii.plain
    assert "   0 . >Rd>Rs .  0" in STATE.render(0).ascii.plain
    assert STATE.render().ascii.plain.isascii()


def test_a_wider_grid_is_cropped_around_the_last_turn() -> None:
    plain = table(snake(16), "BcBxBdBsBbBv", "PcPxPdPsPbPv").render(0).plain
    assert max(map(len, plain.splitlines())) <= 80
    assert ">G♣>G☼>G■>G♦>Gx>G●" in plain
    assert "The grid is too wide: 69 of its 96 tiles aren't shown." in plain
    passed = "turn=0 hands=BcBxBdBsBbBv/PcPxPdPsPbPv passes=1 grid="
    lines = [sorted(line, key=lambda each: (each[1][1], each[1][0])) for line in snake(16)]
    grid = ";".join(f"{tile}{x},{y}" for line in lines for tile, (x, y) in line)
    assert (
        "R● Rx R♦" in STATE.game.parse(passed + grid).render(0).plain
    )  # Around the first tile, then.


def test_the_svg_names_every_tile() -> None:
    root = ElementTree.fromstring(STATE.render_svg(0) or "")
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0] == "Qwirkle. Player 1 to place or trade tiles; 94 in the bag."
    assert titles[1:3] == ["0,0 Rd", "1,0 Rs"]
    assert titles[3:9] == ["Rc", "Ox", "Yx", "Yd", "Gs", "Bv"]
    assert titles[9:] == ["?"] * 6


def test_every_tile_of_the_svg_has_the_letter_of_its_colour() -> None:
    hands = "RcOxYdGsBbPv"
    root = ElementTree.fromstring(dealt(hands, "RxOdYsGbBvPc").render_svg(0) or "")
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text in tuple("ROYGBP")] == list("ROYGBP")


def test_sentences_say_what_happens_now() -> None:
    assert (
        "has the largest set and begins"
        in dealt("RcRdRvOxYsGb", "RxOdYsGbBvPc").view(0)["sentence"]
    )
    assert "end the turn (+3)" in STATE.play("Rc@-1,0").view(0)["sentence"]
    assert "(trading 1)" in STATE.play("trade:Rc").view(1)["sentence"]
    assert "draws a tile" in STATE.play_all(["trade:Rc", "end"]).view(1)["sentence"]
