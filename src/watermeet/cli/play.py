"""``watermeet play``: any registered game in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.arguments import (
    NoColour,
    OptionTexts,
    chosen_game,
    complete_game,
    parse_assignments,
)
from watermeet.cli.errors import InvalidUsage

if TYPE_CHECKING:
    from rich.console import Console

    from watermeet.cli.match import Match
    from watermeet.cli.reader import Reader
    from watermeet.core.record import Record

AskedGame = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="The game's name; leave it out to choose from a list.",
        autocompletion=complete_game,
        show_default=False,
    ),
]
Seats = Annotated[
    str | None,
    typer.Option(
        "--seats",
        metavar="KIND,KIND,...",
        help="The player of each seat: human, random, a level (drop, brook, stream, river, "
        "sea and, in some games, ocean) or another bot (see watermeet bots GAME). "
        "Default: you against stream.",
    ),
]
Names = Annotated[
    str | None, typer.Option("--names", metavar="NAME,NAME,...", help="The players' names.")
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Make chance and random players reproducible."),
]
Thinking = Annotated[bool, typer.Option("--thinking", help="Show what the bots think.")]
Load = Annotated[
    Path | None, typer.Option("--load", metavar="FILE", help="Continue a saved match.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue the last match.")]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("play")(play)


def play(
    name: AskedGame = None,
    *,
    options: OptionTexts = None,
    seats: Seats = None,
    names: Names = None,
    seed: Seed = None,
    load: Load = None,
    resume: Resume = False,
    thinking: Thinking = False,
    no_colour: NoColour = False,
) -> None:
    """Play a game in the terminal.

    Type moves at the prompt. ? lists the legal moves, "? MOVE" explains one, and help lists the
    other commands (undo, hint, save, rules, ...). The match is saved as you play: --resume
    continues the last one.
    """
    from watermeet.cli.commands import COMMANDS, execute
    from watermeet.cli.console import make_console
    from watermeet.cli.reader import EndOfInput, Reader
    from watermeet.cli.session import Session
    from watermeet.cli.storage import Autosave
    from watermeet.core.kernel import plain_python

    console, reader = make_console(no_colour=no_colour), Reader()
    if (load is not None or resume) and (name is not None or options):
        raise InvalidUsage(
            "a saved match already has its game and options", "leave out GAME and --option"
        )
    if load is not None and resume:
        raise InvalidUsage("--load and --resume can't be combined", "use one of them")
    with plain_python():  # Loading the compiler isn't worth it for one person's moves.
        try:
            if load is not None or resume:
                match = _loaded_match(load, seats, names, seed)
            else:
                match = _new_match(
                    name, console, reader, options=options, seats=seats, names=names, seed=seed
                )
        except EndOfInput:
            return
        session = Session(
            match,
            console,
            reader,
            Autosave(resumed=resume),
            execute=execute,
            commands=COMMANDS,
            shows_thinking=thinking,
        )
        session.run()


def _loaded_match(
    load: Path | None, seats: str | None, names: str | None, seed: int | None
) -> Match:
    """A saved match, with its players unless the command line names others."""
    from watermeet.cli.storage import last_match_file, read_record

    if load is None:
        load = last_match_file()
        if not load.exists():
            raise InvalidUsage("there is no match to resume", "start one with watermeet play")
    return _match_of(read_record(load), seats, names, seed)


def _match_of(record: Record, seats: str | None, names: str | None, seed: int | None) -> Match:
    from watermeet.cli.match import PLAYERS_HEADER, SEED_HEADER, Match
    from watermeet.cli.seats import default_kinds, parse_kinds, parse_names

    game = record.game
    kinds_text = seats or record.headers.get(PLAYERS_HEADER)
    kinds = parse_kinds(game, kinds_text) if kinds_text else default_kinds(game)
    if seed is None:
        written = record.headers.get(SEED_HEADER, "")
        seed = int(written) if written.isdecimal() and len(written) < 40 else _fresh_seed()
    return Match(record, kinds, parse_names(game, names) if names else record.seats, seed)


def _new_match(
    name: str | None,
    console: Console,
    reader: Reader,
    *,
    options: list[str] | None,
    seats: str | None,
    names: str | None,
    seed: int | None,
) -> Match:
    """A new match; asks for whatever the command line leaves open, if somebody is there."""
    from watermeet.cli.menu import ask_game, ask_kinds, only_game
    from watermeet.cli.seats import with_seat_count
    from watermeet.core.record import Record

    asks = name is None and reader.is_terminal
    if asks and not options:
        game = ask_game(console, reader)
    else:
        game = chosen_game(name, None) if name is not None else only_game()
        game = game.with_option_texts(with_seat_count(game, seats, parse_assignments(options)))
    if asks and seats is None:
        seats = ",".join(ask_kinds(console, reader, game))
    return _match_of(Record(game), seats, names, seed)


def _fresh_seed() -> int:
    import secrets

    from watermeet.cli.match import FRESH_SEED_BITS

    return secrets.randbits(FRESH_SEED_BITS)
