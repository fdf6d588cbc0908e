"""``watermeet backup``: one file with all that a server keeps, made while it runs."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.errors import NotInstalled
from watermeet.cli.serve import Data, SettingsFile


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("backup")(backup)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file to write.")],
    *,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Write all that the server on this machine keeps into one file.

    The server may run or not. With PostgreSQL, use pg_dump.
    """
    if importlib.util.find_spec("msgspec") is None:
        raise NotInstalled("the server is not installed", "install watermeet[server]")
    from watermeet.server.errors import Unsupported
    from watermeet.server.settings import read_settings
    from watermeet.server.store.factory import sqlite_path
    from watermeet.server.store.sqlite import back_up

    chosen = read_settings(file=settings, changes={"data_dir": None if data is None else str(data)})
    if not chosen.database_url.startswith("sqlite:"):
        raise Unsupported("this server's database is no file", "use pg_dump")
    back_up(sqlite_path(chosen.database_url), file)
    size = file.stat().st_size
    typer.echo(f"{file} has everything ({size:,} bytes); keep it to yourself: secrets are in it")
