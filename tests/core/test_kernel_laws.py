"""Kernels that break a law of all faces are refused, with their line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import watermeet as wm
from watermeet.core.diagnosis import LAWS
from watermeet.core.kernel import kernel
from watermeet.core.kernel_laws import CALLS_NO_CALLER, RAISES_NOTHING, YIELDS_NOTHING
from watermeet.core.references import referenced_values

GAMES = Path(__file__).parents[2] / "docs" / "concepts" / "games.md"


def raises(number: int) -> int:
    if number < 0:
        raise ValueError
    return number


def asserts(number: int) -> int:
    # Nobody would see it fail on a GPU.
    assert number >= 0
    return number


def catches(number: int) -> int:
    half = number
    try:
        half //= 2
    except ValueError:
        half = 0
    return half


def counts(number: int) -> Any:
    last = number + 1
    yield from range(last)


@pytest.mark.parametrize("function", [raises, asserts, catches, counts])
def test_what_a_gpu_or_a_browser_has_not_is_refused_at_once(function: Any) -> None:
    law = YIELDS_NOTHING if function is counts else RAISES_NOTHING
    line = function.__code__.co_firstlineno + (4 if function is catches else 2)
    words = (
        f"{function.__name__} (test_kernel_laws.py:{line}) can't be a kernel: {law[0]}; {law[1]}"
    )
    with pytest.raises(wm.InvalidKernel, match=re.escape(words)):
        kernel(function)


@kernel
def factorial(number: int) -> int:
    if number < 2:
        return 1
    return number * factorial(number - 1)


@kernel
def is_even(number: int) -> bool:
    return number == 0 or is_odd(number - 1)


@kernel
def is_odd(number: int) -> bool:
    return number != 0 and is_even(number - 1)


@kernel
def asks(number: int) -> bool:
    return is_even(number) and is_even(number)


@pytest.mark.slow
@pytest.mark.compiled
def test_kernels_that_call_themselves_are_named() -> None:
    line = factorial.python.__code__.co_firstlineno + 4
    words = f"factorial (test_kernel_laws.py:{line}) does not compile: {CALLS_NO_CALLER[0]}"
    with pytest.raises(wm.InvalidKernel, match=re.escape(words)):
        factorial(3)
    with pytest.raises(wm.InvalidKernel, match=re.escape(words)):
        factorial.cuda_function()
    with pytest.raises(wm.InvalidKernel, match=re.escape(words)):
        _ = factorial.wasm
    line = is_odd.python.__code__.co_firstlineno + 2
    with pytest.raises(wm.InvalidKernel, match=re.escape(f"is_odd (test_kernel_laws.py:{line})")):
        asks(3)


class _Named:
    factorial = 3


@kernel
def mentions(named: _Named) -> int:
    return named.factorial


def test_an_attribute_is_not_the_global_of_the_same_name() -> None:
    assert factorial not in referenced_values(mentions.python)


def test_the_page_about_games_lists_every_law() -> None:
    page = GAMES.read_text(encoding="utf-8")
    section = page.partition("## The laws of kernels")[2].partition("\n## ")[0].lower()
    section = section.replace("*", "")
    laws = [law for _, law, _ in LAWS] + [CALLS_NO_CALLER[0], RAISES_NOTHING[0], YIELDS_NOTHING[0]]
    for law in laws:
        assert re.split(r"[:,{]| and ", law)[0].strip() in section, law
