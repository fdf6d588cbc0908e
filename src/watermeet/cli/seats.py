"""Who sits where: people and random players, their kinds and names as a command line gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watermeet.cli.errors import InvalidUsage
from watermeet.core.errors import suggest

if TYPE_CHECKING:
    from watermeet.core.game import Game

HUMAN = "human"
RANDOM = "random"
KINDS = (HUMAN, RANDOM)
LONGEST_NAME = 40


def split_list(text: str) -> tuple[str, ...]:
    """The words between the commas."""
    return tuple(word.strip() for word in text.split(","))


def default_kinds(game: Game) -> tuple[str, ...]:
    """One person against random players."""
    return (HUMAN, *[RANDOM] * (game.seats - 1))


def parse_kinds(game: Game, text: str) -> tuple[str, ...]:
    """Who plays each seat, from a text such as ``human,random``; raises InvalidUsage."""
    kinds = tuple(word.lower() for word in split_list(text))
    for kind in kinds:
        if kind not in KINDS:
            raise InvalidUsage(f"{kind!r} is no kind of player", suggest(kind, KINDS))
    _check_count(game, len(kinds), "players", "human,random")
    return kinds


def parse_names(game: Game, text: str) -> tuple[str, ...]:
    """The players' names from a text such as ``Ada,Bob``; raises InvalidUsage."""
    names = split_list(text)
    for name in names:
        if not (name and name.isprintable() and len(name) <= LONGEST_NAME):
            raise InvalidUsage(
                f"{name!r} is no name",
                f"write 1 to {LONGEST_NAME} letters, and commas between names",
            )
    _check_count(game, len(names), "names", "Ada,Bob")
    return names


def _check_count(game: Game, count: int, things: str, example: str) -> None:
    if count != game.seats:
        raise InvalidUsage(
            f"{count} {things} are given, and {game.describe()} has {game.seats} seats",
            f"give {game.seats}, with commas between them, like {example}",
        )


def with_seat_count(game: Game, kinds_text: str | None, assigned: dict[str, str]) -> dict[str, str]:
    """The options, with the number of seats from the list of players if nothing else says it."""
    is_open = "seats" in game.options and "seats" not in assigned
    if not (is_open and kinds_text):
        return assigned
    return assigned | {"seats": str(len(split_list(kinds_text)))}
