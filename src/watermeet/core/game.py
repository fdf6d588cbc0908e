"""Game: the facts that a game declares before its rules, and the options that it is played with.

Everything else (page, bots, arena, environments, documentation, tests) reads this object and
nothing else about a game. Declaring costs nothing: the rules, and with them the compiler, are
loaded when they are first needed.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from watermeet.core import contract
from watermeet.core.errors import InvalidGame, InvalidNotation, VersionMismatch
from watermeet.core.evaluation import Evaluation
from watermeet.core.features import Features
from watermeet.core.hooks import Hooks, import_optional
from watermeet.core.kernel import Kernel
from watermeet.core.linking import specialize
from watermeet.core.options import Option, OptionValues, Value, parse_assignments
from watermeet.core.playout import sample_legal_action
from watermeet.core.state import State


@dataclass(frozen=True)
class Sizes:
    """How large things are under the options chosen.

    ``state`` is the length of the array; its last ``cache`` entries are no part of a state's
    identity. ``actions`` bounds the action numbers, ``max_length`` the actions of a match.
    """

    state: int
    actions: int
    max_length: int
    cache: int = 0

    @property
    def identity(self) -> int:
        """The length of the part of the array that makes two states the same or not."""
        return self.state - self.cache


@dataclass(frozen=True)
class Clock:
    """Time that is kept outside the rules: after so many seconds somebody says that it is up.

    It runs while a seat is to move and ``move`` can be played, and begins anew whenever that has
    been played. Whoever keeps it, a terminal or a server, plays the move.
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
            raise InvalidGame(f"{game.package} has no rules.py", "it holds the game's kernels")
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
            wrong = "lacks" if found is None else "has no @kernel on"
            raise InvalidGame(
                f"{rules.__name__} {wrong} {name!r}, which the game's declared facts ask for",
                f"define it as watermeet.core.contract.{name} says",
            )
        self.by_name[name] = found


def _encoded_options(game: Game, rules: types.ModuleType) -> tuple[int, ...]:
    """The options as ``setup`` gets them: by name, each encoded as an integer."""
    declared = tuple(option.name for option in game.declared_options)
    found = getattr(rules, "Options", None if declared else contract.NoOptions)
    fields = getattr(found, "_fields", None)
    if found is None or fields != declared:
        raise InvalidGame(
            f"{rules.__name__}.Options doesn't name the options that {game.name} declares",
            f"make it a NamedTuple of integers with the fields {', '.join(declared) or 'none'}",
        )
    options: tuple[int, ...] = found(*game.options.encoded)
    return options


def _no_clock(options: OptionValues) -> Clock | None:
    return None


def _each_alone(options: OptionValues, seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(seats))


@dataclass(frozen=True, eq=False)
class Game:
    """A game's declared facts, with the options that it is played with.

    A game's folder defines one, ``GAME``, with default options; ``with_options`` gives others.
    Two games are equal when name, version and options are.
    """

    name: str
    version: int  # Moves only with behaviour: stored matches depend on it.
    package: str  # The folder's import path: ``__name__`` of its __init__.py.
    title: str
    summary: str
    credit: str  # Who invented the game, as its source asks.
    sizes_of: Callable[[OptionValues], Sizes]
    seat_range: tuple[int, int] = (2, 2)  # If these differ, an option named "seats" chooses.
    teams_of: Callable[[OptionValues, int], tuple[tuple[int, ...], ...]] = _each_alone
    chance: bool = False
    hidden: bool = False
    secrets_of: Callable[[OptionValues], bool] | None = None  # None: where anything is hidden.
    clock_of: Callable[[OptionValues], Clock | None] = _no_clock
    returns_sum: float | None = 0.0  # None: the sum may vary.
    returns_range: tuple[float, float] = (-1.0, 1.0)
    dtype: str = "int16"
    declared_options: tuple[Option, ...] = ()
    options: OptionValues = field(default_factory=lambda: OptionValues((), {}))

    def __post_init__(self) -> None:
        if not self.options and self.declared_options:
            object.__setattr__(self, "options", OptionValues(self.declared_options, {}))
        low, high = self.seat_range
        if low != high and "seats" not in self.options:
            raise InvalidGame(
                f"{self.name} is for {low} to {high} seats", "declare an option 'seats'"
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

    def __repr__(self) -> str:
        return f"<game {self.describe()}>"

    def describe(self) -> str:
        """The game, its version and the options that differ from the defaults, on one line."""
        changed = self.options.changed()
        words = [f"{name}={self.option(name).format(value)}" for name, value in changed.items()]
        return " ".join([f"{self.name}@{self.version}", *words])

    # ---- options ----

    def option(self, name: str) -> Option:
        """The declared option of that name."""
        return next(option for option in self.declared_options if option.name == name)

    def with_options(self, **options: Value) -> Game:
        """The same game with these options, the rest at their defaults; raises InvalidOptions."""
        return replace(self, options=OptionValues(self.declared_options, options))

    def with_option_texts(self, assignments: Mapping[str, str]) -> Game:
        """As ``with_options``, from texts such as a command line gives."""
        return self.with_options(**parse_assignments(self.declared_options, assignments))

    def at_version(self, version: int) -> Game:
        """This game, if its rules have that version; raises VersionMismatch."""
        if version != self.version:
            raise VersionMismatch(
                f"this was written under version {version} of {self.name}'s rules",
                f"version {self.version} is installed; its RULES.md tells what changed",
            )
        return self

    # ---- facts under the options chosen ----

    @cached_property
    def seats(self) -> int:
        """How many seats this match has."""
        return self.options.number("seats") if "seats" in self.options else self.seat_range[0]

    @cached_property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats that win together."""
        return self.teams_of(self.options, self.seats)

    @cached_property
    def sizes(self) -> Sizes:
        """How large states, actions and matches are."""
        return self.sizes_of(self.options)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether a seat keeps something from the others while another seat is to move.

        Not so where all that is hidden is hidden from everybody, or shown by who is to move: then
        people can share a screen and need no curtain.
        """
        if not self.hidden or self.seats == 1:
            return False
        return self.secrets_of is None or self.secrets_of(self.options)

    @cached_property
    def clock(self) -> Clock | None:
        """The time that is kept outside the rules, if there is any."""
        return self.clock_of(self.options)

    # ---- rules ----

    @cached_property
    def kernels(self) -> Kernels:
        """The game's kernels; raises InvalidGame if one that the facts ask for is missing."""
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
        """A kernel that serves every game, made for this one."""
        return specialize(generic, self.package, self.kernels.by_name)

    # ---- states ----

    def start(self) -> State:
        """The state before the first action."""
        return State(self, self.start_array())

    def start_array(self) -> contract.StateArray:
        """A new array with the state before the first action, free to be written to."""
        array = np.zeros(self.sizes.state, dtype=self.dtype)
        self.kernels.setup(array, self.kernels.options)
        return array

    def parse(self, text: str) -> State:
        """The state that a line of text describes; raises InvalidNotation."""
        try:
            array = self.hooks.parse_state(self, text)
        except ValueError as error:
            raise InvalidNotation(
                f"{text!r} isn't a state of {self.describe()}", str(error)
            ) from None
        if self.sizes.cache:
            self.kernels.rebuild_cache(array)
        return State(self, array)

    def facts(self) -> dict[str, Any]:
        """The declared facts as plain data, for programs and documentation."""
        return {
            "name": self.name,
            "version": self.version,
            "title": self.title,
            "summary": self.summary,
            "credit": self.credit,
            "seats": list(self.seat_range),
            "teams": [list(team) for team in self.teams],
            "chance": self.chance,
            "hidden": self.hidden,
            "clock": self.clock.seconds if self.clock else None,
            "actions": self.sizes.actions,
            "max_length": self.sizes.max_length,
            "returns_sum": self.returns_sum,
            "options": [option.as_json() for option in self.declared_options],
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
