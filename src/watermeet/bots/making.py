"""Makes bots from texts.

| text | bot |
| --- | --- |
| `random` | any legal action |
| `drop` ... `sea` | a level of the game, see ``watermeet bots`` |
| `greedy`, ... | a player that the game offers to be measured against |
| `uct` | plain Monte Carlo search with random rollouts, a second a choice |
| `sea:seconds=0.5:threads=2` | a level with other limits, or settings of its search |
| `exec:PROGRAM ARGUMENTS` | another program, in any language |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from watermeet.bots.bot import Bot
from watermeet.bots.external import ExternalBot
from watermeet.bots.players import PlayerBot, choose_any, players_of
from watermeet.bots.searcher import Searcher
from watermeet.core.errors import UnknownBot, suggest
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.levels import PLAIN, Level, Player
from watermeet.search.settings import SETTING_NAMES

RANDOM = "random"
UCT = Level("uct", seconds=1.0, settings={"exploration": 1.0, "use_evaluation": False})
PROGRAM = "exec:"
_LIMITS = ("seconds", "nodes", "softness", "threads")
"""What may be set of every level; all else is a setting of its search."""


def levels_of(game: Game) -> tuple[Level, ...]:
    """The game's levels, from gentle to strong."""
    module = import_optional(game.package, "levels")
    levels: tuple[Level, ...] = module.LEVELS if module else PLAIN
    return levels


def bot_names(game: Game) -> Sequence[str]:
    """What a bot's text may begin with."""
    return [RANDOM, *(level.name for level in levels_of(game)), *players_of(game), UCT.name]


def make_bot(game: Game, text: str, *, seed: object = 0) -> Bot:
    """The bot that a text describes; raises UnknownBot with what would do."""
    if text.startswith(PROGRAM):
        return ExternalBot(game, text.removeprefix(PROGRAM))
    found = _player_or_level(game, text)
    if isinstance(found, Level):
        return Searcher(game, found, seed=seed)
    return PlayerBot(game, text, found, seed)


def check_bot(game: Game, text: str) -> None:
    """Raises UnknownBot if no bot goes by a text; starts nothing."""
    if not text.startswith(PROGRAM):
        _player_or_level(game, text)


def _player_or_level(game: Game, text: str) -> Player | Level:
    name, _, rest = text.partition(":")
    players = {RANDOM: choose_any, **players_of(game)}
    if name in players and not rest:
        return players[name]
    for level in (*levels_of(game), UCT):
        if level.name == name:
            return _changed(level, text, rest)
    raise UnknownBot(f"{game.name} has no bot {text!r}", suggest(name, bot_names(game)))


def _changed(level: Level, text: str, rest: str) -> Level:
    """A level with what stands behind the colon."""
    settings = dict(level.settings)
    limits: dict[str, float] = {}
    for word in rest.split(":") if rest else ():
        name, _, number = word.partition("=")
        try:
            value = float(number)
        except ValueError:
            raise UnknownBot(
                f"{word!r} in {text!r} is no setting", "write them as in 'sea:seconds=0.5'"
            ) from None
        (limits if name in _LIMITS else settings)[name] = value
    nodes = limits.get("nodes")
    changed = level.with_limits(limits.get("seconds"), None if nodes is None else int(nodes))
    softness = limits.get("softness", level.softness)
    threads = int(limits.get("threads", level.threads))
    _check_settings(text, settings)
    if threads < 1:
        raise UnknownBot(f"{text!r} has no thread to think with", "give it one or more")
    return replace(changed, name=text, softness=softness, threads=threads, settings=settings)


def _check_settings(text: str, settings: Mapping[str, float]) -> None:
    known = [*SETTING_NAMES, "ismcts", "use_evaluation", "max_depth"]
    for name in settings:
        if name not in known:
            raise UnknownBot(
                f"{name!r} in {text!r} is no setting",
                suggest(name, [*_LIMITS, *known]),
            )
