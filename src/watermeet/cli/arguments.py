"""Arguments and options that several subcommands share, and how they become games and states."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.errors import InvalidUsage

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.state import State

START = "start"
"""The word for a game's first state, where a state's text is asked for."""


def complete_game(incomplete: str) -> list[str]:
    """The games' names that begin so, for the shell."""
    from watermeet.core.registry import games

    return [name for name in games() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="Its name, as in the list of games.", autocompletion=complete_game
    ),
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="Set an option of the game; may be given several times.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
RecordFile = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Take the last state of a saved match."),
]
NoColour = Annotated[
    bool, typer.Option("--no-colour", "--no-color", help="No colours (NO_COLOR=1 does the same).")
]


def parse_assignments(texts: list[str] | None) -> dict[str, str]:
    """The texts ``name=value`` of a command line as a mapping; raises InvalidUsage."""
    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise InvalidUsage(f"{text!r} sets no option", "write it as name=value")
        if name.strip() in found:
            raise InvalidUsage(f"the option {name.strip()!r} is set twice", "set it once")
        found[name.strip()] = value.strip()
    return found


def chosen_game(name: str, options: list[str] | None) -> Game:
    """The game of that name with the options given; raises UnknownGame or InvalidOptions."""
    from watermeet.core.registry import game

    return game(name).with_option_texts(parse_assignments(options))


def chosen_state(
    words: list[str], options: list[str] | None, record: Path | None
) -> tuple[State, list[str]]:
    """The state that a command is about, and the words that were not needed to tell it.

    With a record: its last state. Else the first word is a game's name and the second a state's
    text, or START, which is also meant when there is no second word.
    """
    if record is not None:
        from watermeet.cli.storage import read_record

        if options:
            raise InvalidUsage("--option and --record exclude each other", "a record has options")
        return read_record(record).replay()[-1], words
    if not words:
        raise InvalidUsage("no game is named", "name one, or give a saved match by --record")
    found = chosen_game(words[0], options)
    text = words[1] if len(words) > 1 else START
    return (found.start() if text == START else found.parse(text)), words[2:]
