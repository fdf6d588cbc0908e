"""The texts of states: rows and fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watermeet.core.notation import (
    compact_row,
    expand_row,
    parse_fields,
    parse_number,
    require_no_more,
    take_stage,
)


@given(st.text(alphabet=".rb*", max_size=30))
def test_rows_survive_a_round_trip(letters: str) -> None:
    assert expand_row(compact_row(letters), 30) == letters


def test_a_row_that_is_too_long_stays_too_long() -> None:
    assert len(expand_row("9" * 4000, 7)) == 8
    assert len(expand_row("5r5", 7)) == 11


def test_flags_have_no_value() -> None:
    assert parse_fields("lot first=1", flags=("lot",)) == {"lot": "0", "first": "1"}


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("lot", "'lot' isn't a field; write name=value"),
        ("turn=", "'turn=' isn't a field"),
        ("=1", "'=1' isn't a field"),
        ("t1=0", "'t1=0' isn't a field"),
        ("turn 0", "'turn' isn't a field"),
        ("turn=0 turn=1", "the field 'turn' is there twice"),
    ],
)
def test_invalid_fields_are_refused(text: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        parse_fields(text)


@pytest.mark.parametrize("fields", [{}, {"deal": "0", "turn": "1"}])
def test_a_state_has_one_stage(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="write turn=SEAT"):
        take_stage(fields, ("deal", "turn"), "write turn=SEAT")


def test_unknown_fields_are_refused() -> None:
    require_no_more({})
    with pytest.raises(ValueError, match="the field 'a' doesn't belong here"):
        require_no_more({"b": "1", "a": "2"})


@pytest.mark.parametrize("text", ["", "-1", "1000", "07777", "x", "²", "1.0"])
def test_invalid_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="isn't a number from 0 to 999"):
        parse_number(text)
    assert parse_number("1000", limit=9999) == 1000
