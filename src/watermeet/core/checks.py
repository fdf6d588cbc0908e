"""Checks of arguments, so that every public function refuses a wrong one with our own error."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from watermeet.core.errors import InvalidArgument

QUOTED_LENGTH = 80


def quote(value: object) -> str:
    """The value for an error message: its repr, cut if it is long.

    >>> quote("a1"), quote("a" * 100)[-3:], quote(10**5000)
    ("'a1'", 'aa…', '<int>')
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - Python prints no integer of thousands of digits, for one.
        return f"<{type(value).__name__}>"
    return text if len(text) <= QUOTED_LENGTH else f"{text[: QUOTED_LENGTH - 1]}…"


def integer(value: object) -> int | None:
    """The value as an ``int``, or None if it isn't an integer; NumPy's are, booleans aren't.

    >>> integer(3), integer(np.int8(3)), integer(True), integer(3.0), integer("3")
    (3, 3, None, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def text_of(value: object) -> str:
    """The value if it is a text, else an empty text."""
    return value if isinstance(value, str) else ""


def require_type(value: object, kind: type | tuple[type, ...], what: str) -> None:
    """Raise InvalidArgument unless the value is of that type; ``what`` says what it should be."""
    if not isinstance(value, kind):
        raise InvalidArgument(f"{quote(value)} isn't {what}", f"pass {what}")


def require_integer(value: object, what: str, low: int, high: int | None = None) -> int:
    """The value as an ``int``, from ``low`` to ``high``; raises InvalidArgument."""
    number = integer(value)
    if number is None or number < low or (high is not None and number > high):
        limits = f"at least {low}" if high is None else f"from {low} to {high}"
        raise InvalidArgument(f"{quote(value)} isn't {what}", f"pass an integer, {limits}")
    return number


def require_items(values: object, what: str) -> tuple[Any, ...]:
    """The items of a collection; raises InvalidArgument for anything else, texts included."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidArgument(f"{quote(values)} isn't a list of {what}", f"pass a list of {what}")
    return tuple(values)


def require_random(rng: object) -> None:
    """Raise InvalidArgument unless ``rng`` has a method ``random``."""
    if not callable(getattr(rng, "random", None)):
        raise InvalidArgument(
            f"{quote(rng)} isn't a source of random numbers",
            "pass random.Random() or numpy.random.default_rng()",
        )
