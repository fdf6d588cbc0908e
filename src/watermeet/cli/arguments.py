"""Arguments and options shared by several subcommands, and how they become games and states."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.errors import InvalidUsage

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.state import State

START = "start"
"""Stands for a game's first state wherever a state's text is expected."""


def complete_game(incomplete: str) -> list[str]:
    """Names of games that start with a prefix, for shell completion."""
    from watermeet.core.registry import games

    return [name for name in games() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="The game's name (see watermeet games).", autocompletion=complete_game
    ),
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="Set an option of the game; repeatable.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RecordFile = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Use the last state of a saved match."),
]
NoColour = Annotated[
    bool, typer.Option("--no-colour", "--no-color", help="Disable colours, like NO_COLOR=1.")
]


def parse_assignments(texts: list[str] | None) -> dict[str, str]:
    """Parse ``name=value`` arguments; raises InvalidUsage."""
    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise InvalidUsage(f"{text!r} doesn't set an option", "write name=value")
        if name.strip() in found:
            raise InvalidUsage(f"the option {name.strip()!r} is set twice", "set it once")
        found[name.strip()] = value.strip()
    return found


def chosen_game(name: str, options: list[str] | None) -> Game:
    """The named game with these options; raises UnknownGame or InvalidOptions."""
    from watermeet.core.registry import game

    return game(name).with_option_texts(parse_assignments(options))


def chosen_state(
    words: list[str], options: list[str] | None, record: Path | None
) -> tuple[State, list[str]]:
    """The state that a command is about, and the remaining words.

    With a record, its last state. Otherwise the first word is a game's name and the second, if
    any, a state's text or START.
    """
    if record is not None:
        from watermeet.cli.storage import read_record

        if options:
            raise InvalidUsage(
                "--option and --record can't be combined", "a record has its own options"
            )
        return read_record(record).replay()[-1], words
    if not words:
        raise InvalidUsage("no game given", "name one, or pass a saved match with --record")
    found = chosen_game(words[0], options)
    text = words[1] if len(words) > 1 else START
    return (found.start() if text == START else found.parse(text)), words[2:]
