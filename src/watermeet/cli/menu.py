"""Ask what to play, and against whom, when the command line doesn't say."""

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
    """The registered games that load; a broken one mustn't keep people from the others."""
    found = []
    for name in games():
        try:
            found.append(find_game(name))
        except Exception:  # noqa: BLE001, S112 - third-party modules may raise anything; `games` shows it.
            continue
    if not found:
        raise InvalidUsage("there is no game to play", "see watermeet games")
    return found


def only_game() -> Game:
    """The only registered game, for when nobody can be asked; raises InvalidUsage."""
    found = loadable_games()
    if len(found) > 1:
        names = ", ".join(game.name for game in found)
        raise InvalidUsage("no game given", f"choose one of {names}")
    return found[0]


def ask_game(console: Console, reader: Reader) -> Game:
    """Ask for a game and its options."""
    found = loadable_games()
    for number, game in enumerate(found, 1):
        console.print(f"{number}  {game.title}", style="bold")
        console.print(_indented(game.summary, console.width))
    while True:
        answer = reader.ask("Which game? [number, Enter for 1] ").strip().lower() or "1"
        for number, game in enumerate(found, 1):
            if answer in (str(number), game.name, game.title.lower()):
                return _ask_options(console, reader, game)
        console.print(f"{answer!r} isn't in the list.", style="yellow")


def _indented(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="   ", subsequent_indent="   ")


def _ask_options(console: Console, reader: Reader, game: Game) -> Game:
    """Ask for the game's options; Enter keeps the defaults."""
    if not game.declared_options:
        return game
    for option in game.declared_options:
        shown = f"{option.name}={option.format(option.default)}  {option.sentence}"
        console.print(_indented(shown, console.width))
    while True:
        words = reader.ask("Options as name=value, or Enter for the defaults: ").split()
        try:
            return game.with_option_texts(parse_assignments(words))
        except WatermeetError as error:
            console.print(str(error), style="yellow")


def ask_kinds(console: Console, reader: Reader, game: Game) -> tuple[str, ...]:
    """Ask who plays each seat."""
    default = default_kinds(game)
    console.print(f"Choose {game.seats} players from: {', '.join(known_kinds(game))}.")
    while True:
        text = reader.ask(f"Players [Enter for {','.join(default)}] ").strip()
        try:
            return parse_kinds(game, ",".join(text.replace(",", " ").split())) if text else default
        except WatermeetError as error:
            console.print(str(error), style="yellow")
