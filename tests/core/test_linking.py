"""Specialised copies: a game's kernels in the slots of code that serves every game."""

from __future__ import annotations

from watermeet.core.kernel import kernel, plain_python, slot
from watermeet.core.linking import specialize


@slot
def rule(number: int) -> int:
    """A slot for the tests."""
    raise NotImplementedError


@kernel
def _add_one(number: int) -> int:
    return number + 1


@kernel
def _double(number: int) -> int:
    return 2 * number


@kernel
def _inner(number: int) -> int:
    return rule(number) + _add_one(number)


@kernel
def _outer(number: int) -> int:
    return _inner(number) * 10


def test_slots_are_filled_through_the_kernels_that_are_called() -> None:
    first = specialize(_outer, "first_game", {"rule": _add_one})
    second = specialize(_outer, "second_game", {"rule": _double})
    assert (first(5), second(5)) == ((6 + 6) * 10, (10 + 6) * 10)
    with plain_python():
        assert (first(5), second(5)) == ((6 + 6) * 10, (10 + 6) * 10)


def test_copies_are_cached_and_uniquely_named() -> None:
    copy = specialize(_outer, "some.game", {"rule": _add_one})
    assert specialize(_outer, "some.game", {"rule": _add_one}) is copy
    assert copy.__qualname__ == "_outer__some_game"
