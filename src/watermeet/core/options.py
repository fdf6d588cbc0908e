"""The options of a game, each with a type, a range, a default and a sentence.

Kernels get each value as one integer, by the option's name: a number is itself, a switch is 0 or 1,
a choice is the index of its word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NotRequired, TypedDict

import numpy as np

from watermeet.core.checks import integer, quote, text_of
from watermeet.core.errors import InvalidGame, InvalidOptions, suggest

Value = bool | int | str
OptionKind = Literal["number", "switch", "choice"]


class OptionFacts(TypedDict):
    """An option as plain data, for forms and documentation."""

    name: str
    kind: OptionKind
    default: Value
    sentence: str
    allowed: str
    low: NotRequired[int]
    high: NotRequired[int]
    step: NotRequired[int]
    offered: NotRequired[list[int]]
    words: NotRequired[list[str]]


@dataclass(frozen=True)
class Option:
    """What the three kinds share; use ``Number``, ``Switch`` or ``Choice``."""

    kind: ClassVar[OptionKind]
    name: str
    default: Value
    sentence: str

    @property
    def allowed(self) -> str:
        """What a value may be, in words."""
        raise NotImplementedError

    def encode(self, value: Value) -> int:
        """The value as kernels see it; raises InvalidOptions if the option can't take it."""
        raise NotImplementedError

    def decode(self, number: int) -> Value:
        """The value from what kernels see; raises InvalidOptions."""
        raise NotImplementedError

    def parse(self, text: str) -> Value:
        """The value from a text, as typed on a command line or written in a record."""
        raise NotImplementedError

    def format(self, value: Value) -> str:
        """The text of a value; ``parse`` reads it back."""
        return str(value)

    def samples(self) -> tuple[Value, ...]:
        """Values worth testing: all of a small range, else its ends and what is offered."""
        raise NotImplementedError

    def refuse(self, value: object) -> InvalidOptions:
        """The error for a value that the option can't take."""
        return InvalidOptions(
            f"option {self.name!r} can't be {quote(value)}", f"it must be {self.allowed}"
        )

    def as_json(self) -> OptionFacts:
        """The option as plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "default": self.default,
            "sentence": self.sentence,
            "allowed": self.allowed,
        }


@dataclass(frozen=True)
class Number(Option):
    """An integer from ``low`` to ``high`` in steps; ``offered`` are those that a menu shows.

    ``label`` is how people say a board's size after the game's title, such as ``{0}x{0}``.

    >>> Number("size", 7, "Points per side.", low=3, high=19, step=2).allowed
    'a whole number from 3 to 19 in steps of 2'
    """

    kind: ClassVar[OptionKind] = "number"
    default: int
    low: int = 0
    high: int = 0
    step: int = 1
    offered: tuple[int, ...] = ()
    label: str = ""

    @property
    def allowed(self) -> str:
        steps = f" in steps of {self.step}" if self.step > 1 else ""
        return f"a whole number from {self.low} to {self.high}{steps}"

    def encode(self, value: Value) -> int:
        number = integer(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refuse(value)
        if (number - self.low) % self.step:
            raise self.refuse(value)
        return number

    def decode(self, number: int) -> int:
        return self.encode(number)

    def parse(self, text: str) -> int:
        if not _INTEGER.fullmatch(text_of(text).strip()):
            raise self.refuse(text)
        return self.encode(int(text))

    def samples(self) -> tuple[int, ...]:
        every = range(self.low, self.high + 1, self.step)
        if len(every) <= 4:
            return tuple(every)
        return tuple(sorted({self.low, self.high, self.default, *self.offered}))

    def as_json(self) -> OptionFacts:
        return {
            **super().as_json(),
            "low": self.low,
            "high": self.high,
            "step": self.step,
            "offered": list(self.offered),
        }


_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_TRUE = frozenset({"yes", "on", "true", "1"})
_FALSE = frozenset({"no", "off", "false", "0"})


@dataclass(frozen=True)
class Switch(Option):
    """Yes or no.

    >>> Switch("pie", True, "May the second player swap?").parse("off")
    False
    """

    kind: ClassVar[OptionKind] = "switch"
    default: bool

    @property
    def allowed(self) -> str:
        return "yes or no"

    def encode(self, value: Value) -> int:
        if not isinstance(value, bool | np.bool_):
            raise self.refuse(value)
        return int(value)

    def decode(self, number: int) -> bool:
        if integer(number) not in (0, 1):
            raise self.refuse(number)
        return bool(number)

    def parse(self, text: str) -> bool:
        word = text_of(text).strip().lower()
        if word not in _TRUE | _FALSE:
            raise self.refuse(text)
        return word in _TRUE

    def format(self, value: Value) -> str:
        return "yes" if value else "no"

    def samples(self) -> tuple[bool, ...]:
        return (False, True)


@dataclass(frozen=True)
class Choice(Option):
    """One word of a list.

    >>> Choice("tie", "oldest", "Who starts?", words=("oldest", "youngest")).encode("youngest")
    1
    """

    kind: ClassVar[OptionKind] = "choice"
    default: str
    words: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        return f"one of {', '.join(self.words)}"

    def encode(self, value: Value) -> int:
        if not isinstance(value, str) or value not in self.words:
            raise self.refuse(value)
        return self.words.index(value)

    def decode(self, number: int) -> str:
        index = integer(number)
        if index is None or not 0 <= index < len(self.words):
            raise self.refuse(number)
        return self.words[index]

    def parse(self, text: str) -> str:
        word = text_of(text).strip().lower()
        if word not in self.words:
            raise self.refuse(text)
        return word

    def samples(self) -> tuple[str, ...]:
        return self.words

    def as_json(self) -> OptionFacts:
        return {**super().as_json(), "words": list(self.words)}


class OptionValues(Mapping[str, Value]):
    """The values that a game is played with: every declared option, checked, in declared order."""

    def __init__(self, declared: tuple[Option, ...], given: Mapping[str, Value]) -> None:
        known = {option.name: option for option in declared}
        if len(known) != len(declared):
            raise InvalidGame("two options have the same name", "rename one of them")
        for name in given:
            if name not in known:
                raise unknown_option(name, known)
        self._declared = known
        self._numbers = {
            name: option.encode(given.get(name, option.default)) for name, option in known.items()
        }
        self._values = {name: known[name].decode(code) for name, code in self._numbers.items()}
        self.encoded = tuple(self._numbers.values())
        """The values as kernels see them, in declared order."""

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"OptionValues({self._values!r})"

    def number(self, name: str) -> int:
        """The value as kernels see it; raises InvalidOptions if there is no such option."""
        try:
            return self._numbers[name]
        except (KeyError, TypeError):
            raise unknown_option(name, self._numbers) from None

    def changed(self) -> dict[str, Value]:
        """The values that differ from the defaults."""
        return {
            name: value
            for name, value in self._values.items()
            if value != self._declared[name].default
        }


def parse_assignments(
    declared: tuple[Option, ...], assignments: Mapping[str, str]
) -> dict[str, Value]:
    """Option values from texts, as on a command line or in a record; raises InvalidOptions."""
    known = {option.name: option for option in declared}
    values: dict[str, Value] = {}
    for name, text in assignments.items():
        if name not in known:
            raise unknown_option(name, known)
        values[name] = known[name].parse(text)
    return values


def unknown_option(name: object, known: Iterable[str]) -> InvalidOptions:
    """The error for an option that a game doesn't have."""
    return InvalidOptions(f"there is no option {quote(name)}", suggest(name, known))
