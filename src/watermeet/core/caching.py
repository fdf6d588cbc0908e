"""A cached property without a lock. Python's own takes one on every first access until 3.12."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached(Generic[T]):  # noqa: N801 - used like property
    """A property that is computed once: an attribute with its value then takes its place.

    Threads that ask at the same time may both compute it, so it must not matter which value stays.

    >>> class Match:
    ...     @cached
    ...     def moves(self) -> list[str]:
    ...         "All moves."
    ...         return ["a1"]
    >>> match = Match()
    >>> match.moves, match.moves is match.moves, Match.moves.__doc__
    (['a1'], True, 'All moves.')
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._function(instance)
        return value
