"""Linking: copies of code that serves every game, with one game's kernels in its slots.

Numba's cache tells functions apart by file, line and qualified name. Copies of one function with
other kernels inside share all three, so the second game would run the first one's machine code. So
a specialised copy carries the game's package in its ``__qualname__``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from watermeet.core.errors import InvalidGame
from watermeet.core.kernel import Kernel, Slot, building
from watermeet.core.references import copy_function, referenced_values

P = ParamSpec("P")
R = TypeVar("R")

_specialized: WeakKeyDictionary[Kernel[Any, Any], dict[str, Kernel[Any, Any]]] = WeakKeyDictionary()
"""By what they are copies of, and a game's package. A kernel that is gone, such as one that was
defined again in a notebook, takes its copies along: a later one may be in its place in memory."""


def specialize(
    generic: Kernel[P, R], package: str, kernels: Mapping[str, Callable[..., Any]]
) -> Kernel[P, R]:
    """A copy of ``generic`` with a game's kernels in its slots, and in those of what it calls.

    A second call returns the same copy; ``package`` is the game's import path.
    """
    with building:
        copies = _specialized.setdefault(generic, {})
        if package not in copies:
            copies[package] = _specialized_copy(generic, package, kernels)
        return copies[package]


def _specialized_copy(
    generic: Kernel[P, R], package: str, kernels: Mapping[str, Callable[..., Any]]
) -> Kernel[P, R]:
    def filled(value: Any) -> Any:
        if isinstance(value, Slot):
            if value.name not in kernels:
                raise InvalidGame(
                    f"{package} has no kernel {value.name!r}, which {generic.__qualname__} calls",
                    f"define {value.name} in {package}.rules",
                )
            return kernels[value.name]
        if isinstance(value, Kernel) and _has_slots(value):
            return specialize(value, package, kernels)
        return value

    suffix = package.replace(".", "_")
    return Kernel(copy_function(generic.python, filled, f"{generic.__qualname__}__{suffix}"))


def _has_slots(candidate: Kernel[Any, Any]) -> bool:
    return any(
        isinstance(value, Slot)
        for each in candidate.kernels_inside()
        for value in referenced_values(each.python)
    )
