"""Makes bots from specs.

| spec | bot |
| --- | --- |
| `random` | plays any legal action |
| `beginner` | looks one action ahead, in any game |
| `drop` ... `sea`, `ocean` | a level of the game, see ``watermeet bots`` |
| `greedy`, ... | a player that the game offers to measure bots against |
| `uct` | plain MCTS with random rollouts, a second per move |
| `net:network=FILE` | a network from a file that ``watermeet train`` wrote, a second per move |
| `sea:seconds=0.5:threads=2` | a level with other limits or settings |
| `exec:PROGRAM ARGUMENTS` | an external program, in any language |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from watermeet.bots.bot import Bot, Player
from watermeet.bots.external import ExternalBot
from watermeet.bots.levels import LEVEL_FIELDS, NETWORK, Level, declared_levels, levels_of
from watermeet.bots.players import PlayerBot, choose_any, look_one_ply_ahead, players_of
from watermeet.bots.search_bot import SearchBot
from watermeet.core.checks import require_type
from watermeet.core.errors import InvalidOptions, UnknownBot, suggest
from watermeet.core.game import Game
from watermeet.nets.onnx import onnxruntime_is_missing

RANDOM = "random"
BEGINNER = "beginner"
UCT = Level("uct", seconds=1.0, settings={"exploration": 1.0, "use_evaluation": False})
NET = "net"
PROGRAM = "exec:"
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def bot_names(game: Game) -> Sequence[str]:
    """The names that a spec may start with."""
    return [
        RANDOM,
        BEGINNER,
        *(level.name for level in levels_of(game)),
        *players_of(game),
        UCT.name,
        NET,
    ]


def make_bot(game: Game, spec: str, *, seed: object = 0) -> Bot:
    """The bot of a spec; raises UnknownBot with a hint if there is none."""
    found = _parse(game, spec)
    if isinstance(found, str):
        return ExternalBot(game, found)
    if isinstance(found, Level):
        return SearchBot(game, found, seed=seed)
    return PlayerBot(game, spec, found, seed)


def check_bot(game: Game, spec: str) -> None:
    """Raise UnknownBot if a spec describes no bot; start nothing."""
    _parse(game, spec)


def level_of(game: Game, spec: str) -> Level | None:
    """The level that a spec describes, with its changes; None if it describes another bot."""
    found = _parse(game, spec)
    return found if isinstance(found, Level) else None


def _parse(game: Game, spec: str) -> Player | Level | str:
    """A player, a level, or the command of an external program."""
    require_type(game, Game, "a game")
    if not isinstance(spec, str):
        raise UnknownBot(f"{spec!r} isn't a bot", "give its spec as a string, such as 'sea'")
    if spec.startswith(PROGRAM):
        return spec.removeprefix(PROGRAM)
    name, colon, changes = spec.partition(":")
    players = {RANDOM: choose_any, BEGINNER: look_one_ply_ahead, **players_of(game)}
    if name in players and not colon:
        return players[name]
    if name == NET:
        return _installed(_network_level(spec, changes.split(":") if colon else []))
    for level in (*levels_of(game), UCT):
        if level.name == name:
            return _installed(_changed(level, spec, changes.split(":") if colon else []))
    for level in declared_levels(game):
        if level.name == name:
            what = f"{game.name} has no bot {spec!r} with these options"
            only = (f"{each}={', '.join(map(str, level.only[each]))}" for each in level.only)
            raise UnknownBot(what, f"it is for {' and '.join(only)}")
    raise UnknownBot(f"{game.name} has no bot {spec!r}", suggest(name, bot_names(game)))


def _installed(level: Level) -> Level:
    if not level.is_installed:
        raise onnxruntime_is_missing()
    return level


def _network_level(spec: str, changes: Sequence[str]) -> Level:
    """The level of a spec that names a network."""
    files = [each.removeprefix("network=") for each in changes if each.startswith("network=")]
    if len(files) != 1:
        raise UnknownBot(f"{spec!r} names no network", "write net:network=FILE")
    rest = [each for each in changes if not each.startswith("network=")]
    return _changed(Level(NET, NETWORK, seconds=1.0, network=files[0]), spec, rest)


def _changed(level: Level, spec: str, changes: Sequence[str]) -> Level:
    """A level with the limits and settings of a spec."""
    given: dict[str, Any] = {}
    for change in changes:
        name, equals, text = change.partition("=")
        if not name or not equals or name in given:
            raise UnknownBot(f"can't read {change!r} in {spec!r}", "write it like sea:seconds=0.5")
        given[name] = _value(text)
    settings = {name: given.pop(name) for name in list(given) if name not in LEVEL_FIELDS}
    try:
        level = level.with_limits(given.pop("seconds", None), given.pop("nodes", None))
        return replace(level, name=spec, settings={**level.settings, **settings}, **given)
    except InvalidOptions as error:
        raise UnknownBot(f"{spec!r} isn't a bot: {error.message}", error.hint) from error


def _value(text: str) -> bool | float | str:
    """The value of a setting: yes or no, a number, or the word itself."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return float(text)
    except ValueError:
        return text
