"""Asks a person what to play, and with whom, when the command line does not say it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from watermeet.cli.arguments import parse_assignments
from watermeet.cli.errors import InvalidUsage
from watermeet.cli.seats import default_kinds, known_kinds, parse_kinds
from watermeet.core.errors import WatermeetError
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games

if TYPE_CHECKING:
    from rich.console import Console

    from watermeet.cli.reader import Reader
    from watermeet.core.game import Game


def loadable_games() -> list[Game]:
    """The registered games that work; one that is broken is no reason not to play another."""
    found = []
    for name in games():
        try:
            found.append(find_game(name))
        except Exception:  # noqa: BLE001, S112 - a stranger's module may raise anything; `games` tells why.
            continue
    if not found:
        raise InvalidUsage("there is no game to play", "watermeet games lists what is registered")
    return found


def only_game() -> Game:
    """The game that is meant when nobody can be asked: the only one; raises InvalidUsage."""
    found = loadable_games()
    if len(found) > 1:
        names = ", ".join(game.name for game in found)
        raise InvalidUsage("no game is named", f"name one of {names}")
    return found[0]


def ask_game(console: Console, reader: Reader) -> Game:
    """A game from the list, with options."""
    found = loadable_games()
    for number, game in enumerate(found, 1):
        console.print(f"{number}  {game.title}", style="bold")
        console.print(_indented(game.summary, console.width))
    while True:
        answer = reader.ask("Which game? [a number, Enter for 1] ").strip().lower() or "1"
        for number, game in enumerate(found, 1):
            if answer in (str(number), game.name, game.title.lower()):
                return _ask_options(console, reader, game)
        console.print(f"There is no {answer!r} in the list.", style="yellow")


def _indented(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="   ", subsequent_indent="   ")


def _ask_options(console: Console, reader: Reader, game: Game) -> Game:
    """The game with the options that a person types; Enter leaves all at their defaults."""
    if not game.declared_options:
        return game
    for option in game.declared_options:
        shown = f"{option.name}={option.format(option.default)}  {option.sentence}"
        console.print(_indented(shown, console.width))
    while True:
        words = reader.ask("Options as name=value, or Enter for these: ").split()
        try:
            return game.with_option_texts(parse_assignments(words))
        except WatermeetError as error:
            console.print(str(error), style="yellow")


def ask_kinds(console: Console, reader: Reader, game: Game) -> tuple[str, ...]:
    """Who plays each seat."""
    usual = default_kinds(game)
    console.print(
        f"Who plays the {game.seats} seats? Each is one of: {', '.join(known_kinds(game))}."
    )
    while True:
        text = reader.ask(f"Players [Enter for {','.join(usual)}] ").strip()
        try:
            return parse_kinds(game, ",".join(text.replace(",", " ").split())) if text else usual
        except WatermeetError as error:
            console.print(str(error), style="yellow")
