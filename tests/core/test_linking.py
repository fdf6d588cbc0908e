"""Specialised copies: a game's kernels in the slots of code that serves every game."""

from __future__ import annotations

import gc
from weakref import ref

import numpy as np
import numpy.typing as npt
import pytest

from watermeet.core.binding import nothing_hidden
from watermeet.core.contract import StateArray, resample
from watermeet.core.kernel import kernel, plain_python, slot
from watermeet.core.linking import specialize
from watermeet.core.rng import seeded


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


def test_a_kernel_that_is_gone_takes_its_copies_along() -> None:
    """Or what is defined again in its place in memory would get the old code."""
    again = kernel(_outer.python)
    copy = ref(specialize(again, "some.game", {"rule": _add_one}))
    assert copy() is not None
    del again
    gc.collect()
    assert copy() is None


@kernel
def _sample(known: StateArray, rng: npt.NDArray[np.uint64], out: StateArray) -> None:
    resample(known, 0, rng, out)


@pytest.mark.compiled
def test_games_of_different_widths_share_no_code() -> None:
    """Kernels that serve all games are called by name, and a stranger's game may be wider."""
    for dtype in ("int16", "int64", "int8"):
        signature = f"{dtype}[::1], int64, uint64[::1], {dtype}[::1]"
        linked = nothing_hidden.without_inlining(signature)
        filled = specialize(_sample, f"stranger.{dtype}", {"resample": linked})
        known, out = np.arange(-5, 5, dtype=dtype), np.zeros(10, dtype=dtype)
        filled(known, seeded(0), out)
        assert out.tolist() == known.tolist()
