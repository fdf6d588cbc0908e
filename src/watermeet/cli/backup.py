"""``watermeet backup``: back up a server's database to one file, even while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.restore import database_of
from watermeet.cli.serve import Data, SettingsFile


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("backup")(backup)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup file to create.")],
    *,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Back up this machine's server to one file.

    The server may keep running. With PostgreSQL, use pg_dump instead.
    """
    database = database_of(data, settings, "use pg_dump")
    from watermeet.server.store.files import back_up

    back_up(database, file)
    size = file.stat().st_size
    typer.echo(f"Backed up to {file} ({size:,} bytes). Keep it private: it contains secrets.")
