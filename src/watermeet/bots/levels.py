"""Levels: how strong the bots of a game play.

A game declares five levels as plain data in its ``levels.py``, by name and from weak to strong; one
without that gets DEFAULT_LEVELS. A game with a network in its folder may have a sixth, which plays
with it. How strong they really are, the arena measures.

    LEVELS = {
        "drop": {"method": "priors", "temperature": 0.1},
        ...
        "sea": {"seconds": 2.0, "settings": {"use_priors": True}},
        "ocean": {"method": "network", "network": "network.onnx", "seconds": 2.0},
    }
    RATINGS = {"drop": (1033, 41), ...}

RATINGS are what the arena measured: the rating of each level and its standard error. The level in
the middle has 1500; in a cooperative game the default options have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from watermeet.core.errors import InvalidGame, InvalidOptions, suggest
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.nets.onnx import has_onnxruntime, network_file
from watermeet.nets.products import has_vnni
from watermeet.search.limits import checked_number
from watermeet.search.settings import SETTING_NAMES, Settings

MONTE_CARLO = "monte-carlo"
ALPHA_BETA = "alpha-beta"
TURNS = "turns"
PRIORS = "priors"
NETWORK = "network"
METHODS = (MONTE_CARLO, ALPHA_BETA, TURNS, PRIORS, NETWORK)

NAMES = ("drop", "brook", "stream", "river", "sea")
"""From weak to very strong."""
OCEAN = "ocean"
"""The level above, of games that have a network."""
MACHINE_INDEPENDENT = 3
"""The weakest levels, whose strength must not depend on the machine: nodes limit them."""


@dataclass(frozen=True)
class Level:
    """How a bot thinks; raises InvalidOptions for a value that doesn't fit."""

    name: str
    method: str = MONTE_CARLO
    """The search, or PRIORS: none, follow the game's ``priors``."""
    seconds: float | None = None
    """The time limit for each move; None for none."""
    nodes: int | None = None
    """The node limit for each move; None for none."""
    temperature: float = 0.0
    """Above 0, choose among moves that look nearly as good: see ``SearchResult.choose``."""
    threads: int = 1
    """The threads of a Monte Carlo search, which share its work."""
    solver_nodes: int = 0
    """Above 0, ask the game's exact solver first, with this node limit."""
    network: str = ""
    """The network of the method NETWORK: an .onnx file, in the game's folder if it is there, else
    as the path says. Where each value of an option has its own, braces name it: {seats}."""
    leaves: int = 8
    """How many leaves that network evaluates at a time."""
    only: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The values of options that the level is for; it isn't offered with others. All by default."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the search: those of ``search.settings``, and those of its method. A level with
    the method TURNS may have both, for engines without that method search as MONTE_CARLO does."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            what = f"{self.method!r} isn't a method"
            raise InvalidOptions(what, suggest(str(self.method), METHODS))
        for name, kind in _NUMBERS.items():
            value = getattr(self, name)
            if value is not None or name not in ("seconds", "nodes"):
                object.__setattr__(self, name, checked_number(name, value, kind))
        if self.method == NETWORK and not self.network:
            raise InvalidOptions("the method 'network' needs a network", "name its .onnx file")
        for name in ("seconds", "nodes", "threads", "leaves"):
            if getattr(self, name) == 0:
                raise InvalidOptions(f"{name} can't be 0", "it is more than 0")
        if self.method != PRIORS and self.seconds is None and self.nodes is None:
            raise InvalidOptions("a level that searches needs a limit", "give it seconds or nodes")
        self._check_settings()

    def _check_settings(self) -> None:
        if not isinstance(self.settings, Mapping):
            raise InvalidOptions(f"settings can't be {self.settings!r}", "they are a mapping")
        extra = _EXTRA_SETTINGS[self.method]
        has_tree = self.method in (MONTE_CARLO, TURNS, NETWORK)
        known = (*(SETTING_NAMES if has_tree else ()), *extra)
        for name, value in self.settings.items():
            if name not in known:
                what = f"{name!r} isn't a setting of the method {self.method!r}"
                raise InvalidOptions(what, suggest(str(name), (*known, *LEVEL_FIELDS)))
            if name in extra:
                checked_number(name, value, extra[name])
            else:
                Settings.of({name: value})

    def with_limits(self, seconds: float | None, nodes: int | None) -> Level:
        """The same level with other limits, if any is given; the solver's follows the time."""
        if seconds is None and nodes is None:
            return self
        changed = replace(self, seconds=seconds, nodes=nodes)
        if changed.seconds is None or self.seconds is None:
            return changed
        scale = changed.seconds / self.seconds
        return replace(changed, solver_nodes=int(self.solver_nodes * scale))

    @property
    def is_installed(self) -> bool:
        """Whether everything is there that the level needs."""
        return self.method != NETWORK or has_vnni() or has_onnxruntime()

    def suits(self, game: Game) -> bool:
        """Whether the level is for a game with these options."""
        return all(game.options[name] in values for name, values in self.only.items())

    def by_tree(self) -> Level:
        """The same level, but one that searches whole turns searches a tree of actions instead.

        For those who need a value of every action, or have no search of whole turns.
        """
        if self.method != TURNS:
            return self
        kept = {name: each for name, each in self.settings.items() if name not in TURN_SETTINGS}
        return replace(self, method=MONTE_CARLO, solver_nodes=0, settings=kept)


_NUMBERS: dict[str, type] = {
    "seconds": float,
    "nodes": int,
    "temperature": float,
    "threads": int,
    "solver_nodes": int,
    "leaves": int,
}
TURN_SETTINGS: dict[str, type] = {"candidates": int, "horizon": int, "end_turns": int}
"""The settings that only TURNS has."""
_EXTRA_SETTINGS: dict[str, dict[str, type]] = {
    MONTE_CARLO: {"ismcts": bool, "use_evaluation": bool},
    TURNS: {**TURN_SETTINGS, "use_evaluation": bool},
    ALPHA_BETA: {"max_depth": int, "use_evaluation": bool},
    PRIORS: {},
    NETWORK: {"ismcts": bool},
}
_KEYS = tuple(each.name for each in fields(Level) if each.name != "name")
LEVEL_FIELDS = tuple(each for each in _KEYS if each not in ("settings", "only"))
"""What a spec may change of a level; everything else is a setting of its search."""

DEFAULT_LEVELS = (
    Level(NAMES[0], nodes=30, temperature=0.3),
    Level(NAMES[1], nodes=150, temperature=0.1),
    Level(NAMES[2], nodes=1_000, temperature=0.03),
    Level(NAMES[3], nodes=8_000),
    Level(NAMES[4], seconds=2.0),
)
"""For games that declare none."""

DEFAULT_RATINGS: dict[str, tuple[float, float]] = {
    NAMES[0]: (1000, 200),
    NAMES[1]: (1250, 200),
    NAMES[2]: (1500, 200),
    NAMES[3]: (1700, 200),
    NAMES[4]: (1850, 200),
}
"""About what was measured in other games."""


def ratings_of(game: Game) -> Mapping[str, tuple[float, float]]:
    """How strong the levels are: their ratings, with standard errors."""
    module = import_optional(game.package, "levels")
    found: Mapping[str, tuple[float, float]] = getattr(module, "RATINGS", DEFAULT_RATINGS)
    return found


def declared_levels(game: Game) -> tuple[Level, ...]:
    """The game's levels with any options; raises InvalidGame if one is declared wrongly."""
    module = import_optional(game.package, "levels")
    return DEFAULT_LEVELS if module is None else check_levels(game, getattr(module, "LEVELS", {}))


def levels_of(game: Game) -> tuple[Level, ...]:
    """The game's levels, from weak to strong; raises InvalidGame if one is declared wrongly."""
    return tuple(level for level in declared_levels(game) if level.suits(game))


def playable_levels(game: Game) -> tuple[Level, ...]:
    """Those of the game's levels that can be played with what is installed."""
    return tuple(level for level in levels_of(game) if level.is_installed)


def hint_level(game: Game) -> Level:
    """The level of hints and reviews: the strongest that needs no network."""
    return next(level for level in reversed(levels_of(game)) if level.method != NETWORK)


def check_levels(game: Game, declared: Any) -> tuple[Level, ...]:
    """Levels from plain data; raises InvalidGame if they aren't what a game may declare."""
    where = f"{game.package}.levels"
    if not isinstance(declared, Mapping) or tuple(declared) not in (NAMES, (*NAMES, OCEAN)):
        hint = f"{', '.join(NAMES)}, in order, and {OCEAN} if there is a network"
        raise InvalidGame(f"{where} must declare LEVELS by name", hint)
    levels = tuple(_level_of(where, name, data) for name, data in declared.items())
    for level in levels:
        if level.method == ALPHA_BETA and (game.seats != 2 or game.chance or game.hidden):
            what, hint = "can't use alpha-beta", "it is for two seats and perfect information"
        elif level.solver_nodes and import_optional(game.package, "solver") is None:
            what, hint = "can't use solver_nodes", "the game has no solver.py"
        elif level in levels[:MACHINE_INDEPENDENT] and level.method != PRIORS and not level.nodes:
            what, hint = "must be limited by nodes, not seconds", "machines differ in speed"
        elif level.only.keys() - set(game.options):
            what, hint = "is only for an option that doesn't exist", "see 'only'"
        elif (level.method == NETWORK) != (level.name == OCEAN):
            what, hint = (
                f"has the method {level.method!r}",
                f"{OCEAN}, and no other, has {NETWORK!r}",
            )
        elif level.suits(game) and _lacks_network(game, level):
            what, hint = f"has no network {level.network!r}", "put it into the game's folder"
        else:
            continue
        raise InvalidGame(f"{where}: {level.name} {what}", hint)
    return levels


def _lacks_network(game: Game, level: Level) -> bool:
    return level.method == NETWORK and not network_file(game, level.network).is_file()


def _level_of(where: str, name: str, data: Any) -> Level:
    if not isinstance(data, Mapping):
        raise InvalidGame(f"{where}: {name} can't be {data!r}", "it is a mapping")
    for key in data:
        if key not in _KEYS:
            raise InvalidGame(
                f"{where}: {name} has an unknown key {key!r}", suggest(str(key), _KEYS)
            )
    try:
        return Level(name, **data)
    except InvalidOptions as error:
        raise InvalidGame(f"{where}: {name}: {error.message}", error.hint) from error
