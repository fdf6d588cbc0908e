"""Game: the declared facts of a game, and the options it is played with.

The page, bots, arena, environments, documentation and tests read this object and nothing else about
a game. Declaring a game is cheap: its rules, and the compiler with them, are loaded on first use.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypedDict, cast

import numpy as np

from watermeet.core import contract
from watermeet.core.checks import integer, quote, require_type
from watermeet.core.errors import (
    InvalidArgument,
    InvalidGame,
    InvalidNotation,
    NotYourTurn,
    VersionMismatch,
)
from watermeet.core.evaluation import Evaluation
from watermeet.core.features import Features
from watermeet.core.hooks import Hooks, import_optional
from watermeet.core.kernel import Kernel
from watermeet.core.linking import specialize
from watermeet.core.options import (
    Option,
    OptionFacts,
    OptionValues,
    Value,
    parse_assignments,
    unknown_option,
)
from watermeet.core.playout import sample_legal_action
from watermeet.core.state import State

VERSION = "version"
"""The last field of ``rules.Options``, if the rules have several versions."""


@dataclass(frozen=True)
class Sizes:
    """The sizes of a game's states, actions and matches under the chosen options.

    ``state`` is the length of the array; its last ``cache`` entries don't belong to a state's
    identity. Actions are numbered below ``actions``; no match has more than ``max_length`` of them.
    """

    state: int
    actions: int
    max_length: int
    cache: int = 0

    @property
    def identity(self) -> int:
        """The length of the part of the array that decides whether two states are equal."""
        return self.state - self.cache


@dataclass(frozen=True)
class Clock:
    """A clock outside the rules: after ``seconds``, the terminal or the server plays ``move``.

    It runs while a seat is to move and ``move`` is legal, and restarts when ``move`` is played.
    """

    seconds: int
    move: str


class Kernels:
    """The kernels of a game's ``rules.py``, checked against the contract."""

    setup: Callable[[Any, Any], None]
    to_move: Callable[[Any], int]
    legal: Callable[[Any, Any], int]
    apply: Callable[[Any, int], None]
    score: Callable[[Any, Any], None]
    chance: Callable[[Any, Any], None]
    conceal: Callable[[Any, int, Any], None]
    resample: Callable[[Any, int, Any, Any], None]
    rebuild_cache: Callable[[Any], None]
    sample_action: Callable[[Any, Any, Any], int]

    def __init__(self, game: Game) -> None:
        rules = import_optional(game.package, "rules")
        if rules is None:
            raise InvalidGame(f"{game.package} has no rules.py", "write the game's kernels there")
        needed = list(contract.ALWAYS)
        needed += contract.WITH_CHANCE if game.chance else ()
        needed += contract.WITH_HIDDEN if game.hidden else ()
        needed += contract.WITH_CACHE if game.sizes.cache else ()
        self.by_name: dict[str, Kernel[Any, Any]] = {}
        for name in needed:
            self._take(name, rules)
        self.options = _encoded_options(game, rules)
        if hasattr(rules, "sample_action"):
            self._take("sample_action", rules)
        else:
            self.by_name["sample_action"] = specialize(
                sample_legal_action, game.package, self.by_name
            )
        vars(self).update(self.by_name)

    def _take(self, name: str, rules: types.ModuleType) -> None:
        found = getattr(rules, name, None)
        if not isinstance(found, Kernel):
            problem = "is missing from" if found is None else "isn't a kernel in"
            raise InvalidGame(
                f"{name!r} {problem} {rules.__name__}",
                f"define it with @kernel; watermeet.core.contract.{name} describes it",
            )
        self.by_name[name] = found


def _encoded_options(game: Game, rules: types.ModuleType) -> tuple[int, ...]:
    """The options as ``setup`` gets them: by name, each as an integer; then the rules' version.

    The version is for rules that have several, and may be left out by those with one.
    """
    values: dict[str, int] = dict(zip(game.options, game.options.encoded, strict=True))
    found = getattr(rules, "Options", None if values else contract.NoOptions)
    fields = getattr(found, "_fields", None)
    if len(game.versions) > 1 or (fields and fields[-1] == VERSION and VERSION not in values):
        values[VERSION] = game.version
    if found is None or fields != tuple(values):
        raise InvalidGame(
            f"{rules.__name__}.Options doesn't match the options that {game.name} declares",
            f"make it a NamedTuple of integers with the fields {', '.join(values)}",
        )
    options: tuple[int, ...] = found(**values)
    return options


def _no_clock(options: OptionValues) -> Clock | None:
    return None


def _each_alone(options: OptionValues, seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(seats))


class PresetFacts(TypedDict):
    """A named set of options; what it leaves out keeps its default."""

    name: str
    options: dict[str, Value]


class GameFacts(TypedDict):
    """What a game declares, as plain data; presets are sorted from the easiest."""

    name: str
    version: int
    versions: list[int]
    title: str
    summary: str
    credit: str
    seats: tuple[int, int]
    teams: list[list[int]]
    chance: bool
    hidden: bool
    clock: float | None
    actions: int
    max_length: int
    returns_sum: float | None
    options: list[OptionFacts]
    presets: list[PresetFacts]
    people_options: dict[str, Value]
    timer_options: dict[str, list[Value]]


@dataclass(frozen=True, eq=False)
class Game:
    """A game's declared facts, and the options it is played with.

    A game's folder defines ``GAME`` with the default options; ``with_options`` makes variants. Two
    games are equal if their name, version and options are.
    """

    name: str
    version: int  # Changes only with the rules' behaviour: stored matches depend on it.
    package: str  # The folder's import path: ``__name__`` of its __init__.py.
    title: str
    summary: str
    credit: str  # The game's inventor, credited as the source asks.
    sizes_of: Callable[[OptionValues], Sizes]
    seat_range: tuple[int, int] = (2, 2)  # If these differ, an option named "seats" chooses.
    teams_of: Callable[[OptionValues, int], tuple[tuple[int, ...], ...]] = _each_alone
    chance: bool = False
    hidden: bool = False
    secrets_of: Callable[[OptionValues], bool] | None = None  # None: whenever ``hidden``.
    clock_of: Callable[[OptionValues], Clock | None] = _no_clock
    returns_sum: float | None = 0.0  # None: the sum may vary.
    returns_range: tuple[float, float] = (-1.0, 1.0)
    dtype: str = "int16"
    declared_options: tuple[Option, ...] = ()
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """Named sets of options, easiest first; an option that one leaves out has its default."""
    people_options: Mapping[str, Value] = field(default_factory=dict)
    """Options that the page offers to people who play each other, instead of the defaults."""
    versions: tuple[int, ...] = ()
    """The versions of the rules that can be played, oldest first; if left out, only ``version``."""
    options: OptionValues = field(default_factory=lambda: OptionValues((), {}))

    def __post_init__(self) -> None:
        if not self.options and self.declared_options:
            object.__setattr__(self, "options", OptionValues(self.declared_options, {}))
        low, high = self.seat_range
        if low != high and "seats" not in self.options:
            raise InvalidGame(f"{self.name} has {low} to {high} seats", "declare an option 'seats'")
        if not self.versions:
            object.__setattr__(self, "versions", (self.version,))
        if self.version not in self.versions:
            known = ", ".join(map(str, self.versions))
            raise InvalidGame(
                f"{self.name} has version {self.version} but lists {known}", "list it as well"
            )

    # ---- identity ----

    @property
    def _identity(self) -> tuple[str, int, tuple[int, ...]]:
        return self.name, self.version, self.options.encoded

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_game, (self.package, self.version, self.options.changed())

    def __deepcopy__(self, memo: object) -> Game:
        return self  # Immutable, so copies share it.

    def __repr__(self) -> str:
        return f"<game {self.describe()}>"

    def describe(self) -> str:
        """The game, its version and the options that differ from the defaults, on one line."""
        changed = self.options.changed()
        words = [f"{name}={self.option(name).format(value)}" for name, value in changed.items()]
        return " ".join([f"{self.name}@{self.version}", *words])

    @property
    def size_label(self) -> str:
        """How people say the size of the board, such as ``9x9``; empty if games don't differ so."""
        labels = ((each, getattr(each, "label", "")) for each in self.declared_options)
        return " ".join(
            label.format(self.options[option.name]) for option, label in labels if label
        )

    @property
    def full_title(self) -> str:
        """The title, the board's size and other changed options; not the number of seats."""
        sized = {each.name for each in self.declared_options if getattr(each, "label", "")}
        changed = (
            f"{name}={self.option(name).format(value)}"
            for name, value in self.options.changed().items()
            if name not in sized and name != "seats"  # Players are listed anyway.
        )
        return ", ".join([f"{self.title} {self.size_label}".strip(), *changed])

    # ---- options ----

    def option(self, name: str) -> Option:
        """The declared option of that name; raises InvalidOptions."""
        for option in self.declared_options:
            if option.name == name:
                return option
        raise unknown_option(name, self.options)

    def with_options(self, **options: Value) -> Game:
        """The same game with these options, and defaults for the rest; raises InvalidOptions."""
        return replace(self, options=OptionValues(self.declared_options, options))

    def with_option_texts(self, assignments: Mapping[str, str]) -> Game:
        """As ``with_options``, from texts, as on a command line."""
        require_type(assignments, Mapping, "a mapping of options to texts")
        return self.with_options(**parse_assignments(self.declared_options, assignments))

    def at_version(self, version: int) -> Game:
        """The same game with that version of the rules; raises VersionMismatch.

        ``wm.game`` returns the newest. Matches and records of older ones are replayed and finished
        by the rules that they began with.
        """
        number = integer(version)
        if number is None or number not in self.versions:
            raise VersionMismatch(
                f"this was written under version {quote(version)} of {self.name}'s rules",
                f"version {', '.join(map(str, self.versions))} is installed; its RULES.md says "
                "what changed",
            )
        return self if number == self.version else replace(self, version=number)

    @cached_property
    def timer_options(self) -> dict[str, list[Value]]:
        """By option: the values that start a clock outside the rules."""
        found = {
            option.name: [
                value
                for value in option.samples()
                if self.clock_of(OptionValues(self.declared_options, {option.name: value}))
            ]
            for option in self.declared_options
        }
        return {name: values for name, values in found.items() if values}

    # ---- facts under the chosen options ----

    @cached_property
    def seats(self) -> int:
        """The number of seats."""
        return self.options.number("seats") if "seats" in self.options else self.seat_range[0]

    @cached_property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats that win together."""
        return self.teams_of(self.options, self.seats)

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes of states, actions and matches."""
        return self.sizes_of(self.options)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether seats have secrets from each other, so that people can't share a screen.

        Not if hidden information is hidden from everybody, or only from those who aren't to move.
        """
        if not self.hidden or self.seats == 1:
            return False
        return self.secrets_of is None or self.secrets_of(self.options)

    @cached_property
    def clock(self) -> Clock | None:
        """The clock outside the rules, if there is one."""
        return self.clock_of(self.options)

    # ---- rules ----

    @cached_property
    def kernels(self) -> Kernels:
        """The game's kernels; raises InvalidGame if one that its facts call for is missing."""
        return Kernels(self)

    @cached_property
    def hooks(self) -> Hooks:
        """Notation, explanations, view and pictures."""
        return Hooks(self.package)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The kernels by which search evaluates states: the game's, or defaults."""
        return Evaluation(self)

    @cached_property
    def features(self) -> Features:
        """What a network sees of states and actions: the game's features, or defaults."""
        return Features(self)

    def specialize(self, generic: Kernel[Any, Any]) -> Kernel[Any, Any]:
        """A kernel that serves every game, specialised for this one."""
        return specialize(generic, self.package, self.kernels.by_name)

    # ---- states ----

    def start(self) -> State:
        """The state before the first action."""
        return State(self, self.start_array())

    def start_array(self) -> contract.StateArray:
        """A new, writable array of the state before the first action."""
        array = np.zeros(self.sizes.state, dtype=self.dtype)
        self.kernels.setup(array, self.kernels.options)
        return array

    def parse(self, text: str) -> State:
        """The state that a line of text describes; raises InvalidNotation."""
        require_type(text, str, "the text of a state")
        try:
            array = self.hooks.parse_state(self, text)
        except ValueError as error:
            raise InvalidNotation(
                f"{quote(text)} isn't a state of {self.describe()}", str(error)
            ) from None
        if self.sizes.cache:
            self.kernels.rebuild_cache(array)
        return State(self, array)

    def require_state(self, state: object) -> State:
        """The state, if it is one of this game; raises InvalidArgument.

        Compiled code trusts the arrays that it gets: whatever hands it the array of a state that
        somebody passed asks here first.
        """
        if not isinstance(state, State) or (state.game is not self and state.game != self):
            raise InvalidArgument(
                f"{quote(state)} isn't a state of {self.describe()}",
                "pass a state of this game, with the same options and version",
            )
        array = state._array  # Not a view: this is asked before every move of a bot.
        if array.shape != self._shape or array.dtype != self._dtype:
            raise InvalidArgument(
                f"an array of {array.shape} {array.dtype} isn't a state of {self.describe()}",
                f"states are arrays of {self._shape} {self.dtype}",
            )
        return state

    @cached_property
    def _shape(self) -> tuple[int]:
        return (self.sizes.state,)

    @cached_property
    def _dtype(self) -> np.dtype[Any]:
        return np.dtype(self.dtype)

    def require_turn(self, state: object) -> State:
        """The same, if a seat is to move; raises NotYourTurn if the match is over, or at chance."""
        found = self.require_state(state)
        if found.to_move < 0:
            raise NotYourTurn(
                f"no seat is to move in {found.text!r}", "pass a state in which one is"
            )
        return found

    def facts(self) -> GameFacts:
        """The declared facts as plain data, for programs and documentation."""
        return {
            "name": self.name,
            "version": self.version,
            "versions": list(self.versions),
            "title": self.title,
            "summary": self.summary,
            "credit": self.credit,
            "seats": cast(tuple[int, int], list(self.seat_range)),  # JSON has no tuples.
            "teams": [list(team) for team in self.teams],
            "chance": self.chance,
            "hidden": self.hidden,
            "clock": self.clock.seconds if self.clock else None,
            "actions": self.sizes.actions,
            "max_length": self.sizes.max_length,
            "returns_sum": self.returns_sum,
            "options": [option.as_json() for option in self.declared_options],
            "presets": [
                {"name": name, "options": dict(options)} for name, options in self.presets.items()
            ],
            "people_options": dict(self.people_options),
            "timer_options": self.timer_options,
        }


def _restore_game(package: str, version: int, options: Mapping[str, Value]) -> Game:
    return load_game(package).at_version(version).with_options(**options)


def load_game(package: str) -> Game:
    """The game that a folder defines as ``GAME``; raises InvalidGame."""
    try:
        module = importlib.import_module(package)
    except ImportError as error:
        raise InvalidGame(
            f"the game in {package} can't be imported: {error}", "check that it is fully installed"
        ) from error
    found = getattr(module, "GAME", None)
    if not isinstance(found, Game):
        raise InvalidGame(f"{package} defines no GAME", "write GAME = Game(...) in its __init__.py")
    return found
