"""Who plays each seat (people, bots, random players), as given on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watermeet.cli.errors import InvalidUsage
from watermeet.core.errors import UnknownBot, suggest

if TYPE_CHECKING:
    from watermeet.core.game import Game

HUMAN = "human"
RANDOM = "random"
DEFAULT_BOT = "stream"
MAX_NAME = 40


def split_list(text: str) -> tuple[str, ...]:
    """Split a comma-separated list."""
    return tuple(word.strip() for word in text.split(","))


def default_kinds(game: Game) -> tuple[str, ...]:
    """One person, and bots of medium strength."""
    return (HUMAN, *[DEFAULT_BOT] * (game.seats - 1))


def known_kinds(game: Game) -> list[str]:
    """The kinds of players, without settings after a colon."""
    from watermeet.bots.specs import bot_names

    return [HUMAN, *bot_names(game)]


def parse_kinds(game: Game, text: str) -> tuple[str, ...]:
    """Parse who plays each seat, such as ``human,river``; raises InvalidUsage."""
    from watermeet.bots.specs import check_bot

    kinds = tuple(word if word.startswith("exec:") else word.lower() for word in split_list(text))
    for kind in kinds:
        if kind != HUMAN:
            try:
                check_bot(game, kind)
            except UnknownBot as error:
                hint = suggest(kind, known_kinds(game)) if ":" not in kind else error.hint
                raise InvalidUsage(f"{kind!r} isn't a kind of player", hint) from error
    _check_count(game, len(kinds), "player", "human,river")
    return kinds


def parse_names(game: Game, text: str) -> tuple[str, ...]:
    """Parse the players' names, such as ``Ada,Bob``; raises InvalidUsage."""
    names = split_list(text)
    for name in names:
        if not (name and name.isprintable() and len(name) <= MAX_NAME):
            raise InvalidUsage(
                f"{name!r} isn't a valid name",
                f"use 1 to {MAX_NAME} characters, and commas between names",
            )
    _check_count(game, len(names), "name", "Ada,Bob")
    return names


def _check_count(game: Game, count: int, thing: str, example: str) -> None:
    if count != game.seats:
        given = f"{count} {thing}" if count == 1 else f"{count} {thing}s"
        raise InvalidUsage(
            f"{game.describe()} has {game.seats} seats, but you gave {given}",
            f"give {game.seats}, separated by commas, like {example}",
        )


def with_seat_count(game: Game, kinds_text: str | None, assigned: dict[str, str]) -> dict[str, str]:
    """The options, with ``seats`` set by the list of players unless it is given."""
    is_open = "seats" in game.options and "seats" not in assigned
    if not (is_open and kinds_text):
        return assigned
    return assigned | {"seats": str(len(split_list(kinds_text)))}
