"""Who sits where: people, bots and random players, as a command line gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watermeet.cli.errors import InvalidUsage
from watermeet.core.errors import UnknownBot, suggest

if TYPE_CHECKING:
    from watermeet.core.game import Game

HUMAN = "human"
RANDOM = "random"
USUAL_BOT = "stream"
LONGEST_NAME = 40


def split_list(text: str) -> tuple[str, ...]:
    """The words between the commas."""
    return tuple(word.strip() for word in text.split(","))


def default_kinds(game: Game) -> tuple[str, ...]:
    """One person with bots that play neither badly nor too well."""
    return (HUMAN, *[USUAL_BOT] * (game.seats - 1))


def known_kinds(game: Game) -> list[str]:
    """What can be said of a seat, without what is set behind a colon."""
    from watermeet.bots.making import bot_names

    return [HUMAN, *bot_names(game)]


def parse_kinds(game: Game, text: str) -> tuple[str, ...]:
    """Who plays each seat, from a text such as ``human,river``; raises InvalidUsage."""
    from watermeet.bots.making import check_bot

    kinds = tuple(word if word.startswith("exec:") else word.lower() for word in split_list(text))
    for kind in kinds:
        if kind != HUMAN:
            try:
                check_bot(game, kind)
            except UnknownBot as error:
                hint = suggest(kind, known_kinds(game)) if ":" not in kind else error.hint
                raise InvalidUsage(f"{kind!r} is no kind of player", hint) from error
    _check_count(game, len(kinds), "players", "human,river")
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
