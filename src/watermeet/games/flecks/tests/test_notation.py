"""Notation of Flecks: what parses, and what is refused with a hint."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.games.flecks.tests.positions import flecks

FIVE = flecks()
START = FIVE.start()
SECOND = "5/6/7/3rb3/r3b4/8/7/6/5 r add"  # After a5 e5 e4 f4.


@pytest.mark.parametrize("text", ["a5", "A5", " a5 ", "a 5", "\tA\n5"])
def test_placements_parse_leniently(text: str) -> None:
    assert START.play(text) == START.play("a5")


@pytest.mark.parametrize(
    "text",
    ["e5-ne2", "E5-NE2", "e5 ne 2", "e5ne2", "e5-ne-2", "e5 - ne 2", "e5:ne2", "e5-g3", "e5>g3",
     "e5->g3", "E5 to G3", "e5 > g3"],
)  # fmt: skip
def test_row_moves_parse_leniently(text: str) -> None:
    assert START.format(START.parse_move(text)) == "e5-ne2"


@pytest.mark.parametrize(
    ("text", "move"),
    [("e5 e", "e5-e1"), ("e5w", "e5-w1"), ("e5-e2", "e5-e2"), ("e5>e2", "e5-nw3"),
     ("e5e2", "e5-e2"), ("e5>e6", "e5-se1"), ("e5-d6", "e5-sw1"), ("e5>a5", "e5-w4"),
     ("e5>i1", "e5-ne4")],
)  # fmt: skip
def test_directions_take_precedence_over_cells(text: str, move: str) -> None:
    assert START.format(START.parse_move(text)) == move


@pytest.mark.parametrize("text", ["stop", "STOP", " s ", "end", "skip"])
def test_stop_parses(text: str) -> None:
    assert START.format(START.parse_move(text)) == "stop"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a1", "no cell 'a1'"),
        ("j5", "no cell 'j5'"),
        ("e10", "no cell 'e10'"),
        ("e0", "no cell 'e0'"),
        ("", "isn't a move"),
        ("e", "isn't a move"),
        ("5", "isn't a move"),
        ("pass", "isn't a move"),
        ("e5!", "isn't a move"),
        ("ë5", "isn't a move"),
        ("e5 g3", "isn't a move"),
        ("e5-s1", "no cell 's1'"),
        ("a1-ne1", "no cell 'a1'"),
        ("e5>a1", "no cell 'a1'"),
        ("e5-ne0", "no row can move 0 steps"),
        ("e5-ne5", "no row can move 5 steps"),
        ("e5-ne99", "no row can move 99 steps"),
        ("e5>g4", "isn't in a straight line"),
        ("e5>e5", "isn't in a straight line"),
        ("a5>i5", "no row can move 8 steps"),
        ("e999999999999999999999", "no cell"),
    ],
)
def test_invalid_moves_are_refused_with_a_hint(text: str, words: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=words) as refused:
        START.play(text)
    assert repr(text) in refused.value.message
    assert refused.value.hint


def test_two_moves_on_a_line_are_not_one_move() -> None:
    """The terminal plays them one by one, unless the line as a whole is a move."""
    for line in ("e5 e5-ne2", "e5 stop", "e5 s", "e5 f4-e1"):
        assert START.explain(line).code == "unreadable"


# ---- states -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "write the rows"),
        ("5/6/7/8/9/8/7/6/5", "write the rows"),
        ("5/6/7/8/9/8/7/6/5 r", "write the rows"),
        ("5/6/7/8/9/8/7/6/5 g add", "write the rows"),
        ("5/6/7/8/9/8/7/6/5 r move", "write the rows"),
        ("5/6/7/8/9/8/7/6/5 r add -1", "write the rows"),
        ("5/6/7/8/9/8/7/6 r add", "expected 9 rows, found 8"),
        ("5/6/7/8/9/8/7/6/5/5 r add", "expected 9 rows, found 10"),
        ("5/6/7/8/9/8/7/6/4 r add", "row 9, '4', has 4 cells instead of 5"),
        ("6/6/7/8/9/8/7/6/5 r add", "row 1, '6', has 6 cells instead of 5"),
        ("5/6/7/8//8/7/6/5 r add", "row 5, '', has 0 cells"),
        ("5/6/7/8/99999999999999999999/8/7/6/5 r add", "row 5"),
        ("5/6/7/8/9/8/7/6/5 b add", "Red goes first"),
        ("5/6/7/8/r8/8/7/6/5 r add", "Red goes first"),
        ("5/6/7/8/b8/8/7/6/5 b add", "Red goes first"),
        ("5/6/7/8/4r4/8/7/6/5 b add", "on the outer ring"),
        ("5/6/7/8/r8/8/7/6/5 b won", "still the opening"),
        ("5/6/7/8/r8/8/7/6/5 b add 1", "still the opening"),
        ("5/6/7/8/rr1b5/8/7/6/5 r move@a5", "still the opening"),
        ("5/6/7/8/rrrb5/8/7/6/5 r add", "expected at least 2 stones 'b', found 1"),
        ("5/6/7/8/rr1bb4/8/7/6/5 r move@a5", "expected at least 3 stones 'r', found 2"),
        (SECOND + " 1", "must be at most 0"),
        ("5/6/7/3rb3/r3b4/8/7/6/5 r move@e4", "must touch another"),
        ("5/6/7/3rb3/rr2b4/8/7/6/5 r move@e5", "must hold a stone"),
        ("5/6/7/3rb3/rr2b4/8/7/6/5 r move@c5", "must hold a stone"),
        ("5/6/7/3rb3/rr2b4/8/7/6/5 r move@z9", "must hold a stone"),
        (SECOND.replace("add", "won"), "'r' isn't connected"),
        ("2r2/2r3/2r4/2r5/rrr6/8/7/bb4/5 b add", "'r' is connected, so write 'r won'"),
        ("2r2/2r3/2r4/2r5/rrr6/8/7/bb4/5 b won", "'r' is connected, so write 'r won'"),
        ("2r2/2r3/2r4/2r5/rrr6/8/7/bb4/5 r move@a5", "'r' is connected, so write 'r won'"),
        ("5/5b/5br/5brr/6brr/6br/6b/6/5 r add", "'r' can't add a stone and is skipped"),
        ("rrrrr/rrrrrr/rrrrrrr/rrrrrrrr/rrrrrrrrr/bbbbbbbb/bbbbbbb/bbbbbb/bbbbb b add", "'r won'"),
    ],
)
def test_impossible_states_are_refused(text: str, hint: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint) as refused:
        FIVE.parse(text)
    assert repr(text) in refused.value.message


@pytest.mark.parametrize(
    "text",
    [
        "5/6/7/8/9/8/7/6/5 r add",
        "5/6/7/8/r8/8/7/6/5 b add",
        SECOND,
        "5/6/7/3rb3/rr2b4/8/7/6/5 r move@b5",
        "2r2/2r3/2r4/2r5/rrr6/8/7/bb4/5 r won",
        "5/5b/5br/5brr/6brr/6br/6b/6/5 b add",
    ],
)
def test_states_survive_a_round_trip(text: str) -> None:
    assert FIVE.parse(text).text == text


def test_turns_without_a_stone_are_counted_if_allowed() -> None:
    game = flecks(must_place=False)
    state = game.start().play_all(["a5", "i5", "e4", "f6", "e4-nw1", "f6-se1"])
    assert state.text.endswith(" r add 2")
    assert game.parse(state.text) == state
    assert game.parse(state.text.replace("add 2", "add 5")).explain("e3-se1").code == "must_add"
    with pytest.raises(wm.InvalidNotation, match="must be at most 5"):
        game.parse(state.text.replace("add 2", "add 6"))


def test_a_chain_may_wait_for_the_end_of_the_turn_if_only_that_counts() -> None:
    game = flecks(win_at_end_only=True)
    text = "2r2/2r3/2r4/2r5/rrr6/8/7/bb4/5 r move@a5"
    assert game.parse(text).text == text
    with pytest.raises(wm.InvalidNotation, match="'r won'"):
        game.parse(text.replace("move@a5", "add"))
    with pytest.raises(wm.InvalidNotation, match="'r won'"):
        game.parse("2r2/2r3/2r4/2r5/rrr6/8/7/bbb3/5 b move@a8")


def test_states_parse_leniently() -> None:
    state = START.play("a5")
    assert FIVE.parse("  5/6/7/8/R.7/8/7/..4/5   B  ADD ") == state


# ---- explanations -----------------------------------------------------------------------------


def test_explanations_say_what_a_move_does() -> None:
    state = FIVE.parse(SECOND)
    stone = state.explain("e3")
    assert (stone.code, stone.cells) == ("adds_stone", ("e3", "e4"))
    assert stone.sentence == (
        "Red places a stone on e3, next to e4; Red may now move a row or stop."
    )
    after = state.play("e3")
    row = after.explain("e4-nw2")
    assert (row.code, row.cells) == ("moves_row", ("e2", "e1"))
    assert row.sentence == ("The 2 stones from e4 to e3 move 2 steps north-west; Blue is next.")
    assert row.facts == {
        "colour": "Red", "rear": "e4", "front": "e3", "length": 2, "direction": "north-west",
        "steps": 2,
    }  # fmt: skip
    one = after.explain("a5-ne1")
    assert one.sentence.startswith("The stone on a5 moves 1 step north-east, to b4")
    assert after.explain("stop").sentence == (
        "Red ends the turn without moving a row; Blue is next."
    )


def test_explanations_count_the_opening() -> None:
    assert START.explain("a5").sentence == (
        "Red places an opening stone on a5; 3 stones to go in the opening."
    )
    last = START.play_all(["a5", "e5", "e4"])
    assert last.explain("f4").sentence.endswith("the opening is over and Red is next.")
    assert "has 1 stone to go" in last.explain("e5-ne1").sentence
