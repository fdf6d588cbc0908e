"""Notation of Flume: what parses, and what is refused with a hint."""

from __future__ import annotations

import pytest

import watermeet as wm

FIVE = wm.game("flume", size=5)


@pytest.mark.parametrize("text", ["c3", "C3", " c3 ", "c 3", "\tC\n3"])
def test_moves_parse_leniently(text: str) -> None:
    assert FIVE.start().play(text) == FIVE.start().play("c3")


def test_swap_parses_in_any_case() -> None:
    state = FIVE.start().play("c3")
    assert state.play("SWAP") == state.play("swap")


@pytest.mark.parametrize("text", ["f1", "a6", "a0", "a", "3", "", "c33", "3c", "ab", "c3!", "ä1"])
def test_invalid_moves_are_refused_with_a_hint(text: str) -> None:
    with pytest.raises(wm.InvalidNotation, match="columns are a-e, rows 1-5") as refused:
        FIVE.start().play(text)
    assert repr(text) in refused.value.message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "write rows"),
        ("5/5/5/5/5", "write rows"),
        ("5/5/5/5/5 r", "write rows"),
        ("5/5/5/5/5 g 0", "write rows"),
        ("5/5/5/5/5 r 2", "write rows"),
        ("5/5/5/5 r 0", "there are 4 rows instead of 5"),
        ("5/5/5/5/5/5 r 0", "there are 6 rows instead of 5"),
        ("5/5/5/5/4 r 0", "the row '4' is 4 points long, not 5"),
        ("5/5/5/5/ r 0", "the row '' is 0 points long"),
        ("5/5/5/5/999999999999999999999 r 0", "points long"),
        ("5/5/5/5/rrrrrr r 0", "6 points long"),
        ("5/5/5/5/5 r 1", "only after a swap"),
        ("5/5/5/5/5 b 0", "red moves first"),
        ("5/5/2r2/5/5 r 0", "blue moves next"),
        ("5/5/2b2/5/5 b 0", "the first stone is red"),
    ],
)
def test_impossible_states_are_refused(text: str, hint: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint):
        FIVE.parse(text)


def test_seat_1_plays_red_only_with_the_pie_rule() -> None:
    text = "5/5/2r2/5/b4 r 1"
    assert FIVE.parse(text).text == text
    with pytest.raises(wm.InvalidNotation, match="only after a swap"):
        wm.game("flume", size=5, pie=False).parse(text)


def test_states_parse_leniently() -> None:
    state = FIVE.start().play("c3")
    assert FIVE.parse("  5/5/1.R2/5/.4   B  0 ") == state
