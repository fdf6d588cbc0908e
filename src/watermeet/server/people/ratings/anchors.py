"""What players start with: bots with what the arena has measured, which anchors the scale."""

from __future__ import annotations

from functools import cache

from watermeet.bots.levels import ratings_of
from watermeet.core.game import Game
from watermeet.core.options import Number
from watermeet.core.registry import game as find_game
from watermeet.server.people.ratings import glicko, weng_lin
from watermeet.server.people.ratings.fold import Kind, Player, Pool
from watermeet.server.people.ratings.glicko import START, Rating

UNMEASURED = 150.0
"""The least deviation of levels in kinds of matches in which the arena hasn't measured them."""
STANDARD = 60.0
"""The deviation of a game's default difficulty, which defines the scale of its bots."""


def start(pool: Pool, player: Player) -> Rating:
    """The rating of somebody or something that hasn't played in a pool yet."""
    unknown = glicko.UNKNOWN if pool.kind == "two" else weng_lin.UNKNOWN
    return Rating(START, unknown) if player.kind == "user" else _measured(pool, player, unknown)


@cache
def _measured(pool: Pool, player: Player, unknown: float) -> Rating:
    game = find_game(pool.game)
    if player.kind == "difficulty":
        is_standard = player.id == difficulty_of(game)
        return Rating(START, STANDARD if is_standard else unknown, volatility=0.0)
    value, deviation = ratings_of(game)[player.id]
    if pool.kind != kind_of(game):
        deviation = max(deviation, UNMEASURED)
    return Rating(value, deviation, volatility=0.0)


def kind_of(game: Game) -> Kind:
    """The kind of a game's matches."""
    teams = game.teams
    if len(teams) == 1:
        return "cooperative"
    if any(len(team) > 1 for team in teams):
        return "teams"
    return "two" if len(teams) == 2 else "several"


@cache
def kinds_of(name: str) -> tuple[Kind, ...]:
    """The kinds of matches that a game has with any number of players."""
    game = find_game(name)
    seats = (option for option in game.declared_options if option.name == "seats")
    numbers = next(
        (range(each.low, each.high + 1) for each in seats if isinstance(each, Number)), ()
    )
    variants = [game.with_options(seats=number) for number in numbers] or [game]
    return tuple(dict.fromkeys(kind_of(each) for each in variants))


def difficulty_of(game: Game, timer_percent: int = 100) -> str:
    """The name of a difficulty: the game with its options, and how long its shared timer is."""
    timer = f" timer={timer_percent}%" if game.clock is not None and timer_percent != 100 else ""
    return f"{game.describe()}{timer}"
