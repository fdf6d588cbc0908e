"""Pieces of texts of states: rows with numbers for empty cells, words with values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watermeet.core.words import long_row, read_words, short_row


@given(st.text("ab.", max_size=30))
def test_rows_are_read_back(letters: str) -> None:
    assert long_row(short_row(letters), 30) == letters


def test_a_row_that_is_too_long_stays_too_long_and_costs_no_memory() -> None:
    assert len(long_row("9" * 4000, 7)) == 8
    assert len(long_row("5r5", 7)) == 11


def test_words_may_stand_alone_where_that_is_allowed() -> None:
    assert read_words("lot first=1", alone=("lot",)) == {"lot": "0", "first": "1"}


@pytest.mark.parametrize("text", ["lot", "turn=", "=1", "turn=0 turn=1", "t1=0", "turn 0"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="each once"):
        read_words(text)
