"""Provably fair draws, reimplemented here from the page that describes them."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from watermeet.server.matches.randomness import choose, commitment_to, random_word
from watermeet.testing.samples import assert_close

SECRET = bytes(range(32))
PINNED = ["45c64d13d2b57d91", "8794a06086e63578", "cc15c137678a0b64"]


def test_draws_are_computed_as_the_page_says_and_never_change() -> None:
    """Stored matches are verified with them."""
    assert commitment_to("abc", SECRET) == hashlib.sha256(b"watermeetabc" + SECRET).hexdigest()
    message = b"watermeet-draw/1/abc/7/seed//x"
    expected = hmac.new(SECRET, message, hashlib.sha256).hexdigest()[:16]
    assert random_word("abc", SECRET, ("seed", "", "x"), 7) == int(expected, 16)
    words = [random_word("match", SECRET, ("a", ""), number) for number in (1, 2, 3)]
    assert [f"{word:016x}" for word in words] == PINNED


def test_every_input_changes_the_word() -> None:
    words = {
        random_word("m", SECRET, ("a", "b"), 1),
        random_word("n", SECRET, ("a", "b"), 1),
        random_word("m", SECRET[::-1], ("a", "b"), 1),
        random_word("m", SECRET, ("b", "a"), 1),
        random_word("m", SECRET, ("ab", ""), 1),
        random_word("m", SECRET, ("a", "b"), 2),
        random_word("m", SECRET, ("a", "b"), 11),
    }
    assert len(words) == 7


@given(
    weights=st.lists(st.integers(1, 10**6), min_size=1, max_size=40), word=st.integers(0, 2**64 - 1)
)
def test_choices_agree_with_exact_fractions(weights: list[int], word: int) -> None:
    """Computed with fractions, as the page describes."""
    total = sum(weights)
    outcomes = [(index * 3, weight / total) for index, weight in enumerate(weights)]
    scaled = [max(1, round(Fraction(chance) * 2**53)) for _, chance in outcomes]
    place = Fraction(word, 2**64) * sum(scaled)
    reached = 0
    for (action, _), weight in zip(outcomes, scaled, strict=True):
        reached += weight
        if place < reached:
            assert choose(outcomes, word) == action
            return
    raise AssertionError("every place is within the sum")


def test_choices_do_not_depend_on_float_sums() -> None:
    """Seven sevenths don't sum to 1 in doubles; each still gets its seventh."""
    outcomes = [(index, 1 / 7) for index in range(7)]
    edges = [(2**64 * index + 6) // 7 for index in range(7)]
    for index, edge in enumerate(edges):
        assert choose(outcomes, edge) == index
        assert choose(outcomes, max(0, edge - 1)) == max(0, index - 1)
    assert choose(outcomes, 2**64 - 1) == 6
    assert choose([(4, 1.0)], 2**64 - 1) == 4


def test_draws_follow_the_probabilities() -> None:
    outcomes, secret = list(enumerate((0.9, 0.09, 0.01))), random.Random(5).randbytes(32)
    found = Counter(
        choose(outcomes, random_word("m", secret, ("", ""), number)) for number in range(1, 20_001)
    )
    assert_close(found, dict(outcomes))
