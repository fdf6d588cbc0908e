"""``watermeet new-game``: make a folder with a small, complete game to start from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.errors import InvalidUsage


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("new-game")(new_game)


def new_game(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="The game's name, such as three_in_a_row."),
    ],
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TITLE", help="What people call it.", show_default=False),
    ] = None,
    seats: Annotated[
        str, typer.Option("--seats", metavar="N or N-M", help="How many people play.")
    ] = "2",
    inside: Annotated[
        Path, typer.Option("--in", metavar="FOLDER", help="Where to make the new folder.")
    ] = Path(),
) -> None:
    """Create a new game from a complete, working example."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", seats)
    if found is None:
        raise InvalidUsage(f"--seats can't be {seats!r}", "write a number, or a range such as 2-4")
    from watermeet.testing.scaffold import new_game as make

    low, high = int(found[1]), int(found[2] or found[1])
    folder = make(name, title=title, seats=(low, high), inside=inside)
    typer.echo(f"Made {folder}.")
    if (folder / "pyproject.toml").exists():
        typer.echo(f"  pip install -e {folder}")
    typer.echo(f"  watermeet play {name}")
    typer.echo(f"  python -m watermeet.testing {name}")
