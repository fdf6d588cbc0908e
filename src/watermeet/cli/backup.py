"""``watermeet backup``: back up a server's database to one file, even while it runs."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.serve import Data, SettingsFile
from watermeet.core.errors import NotInstalled


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
    if importlib.util.find_spec("msgspec") is None:
        raise NotInstalled("the server isn't installed", "run: pip install watermeet[server]")
    from watermeet.server.errors import Unsupported
    from watermeet.server.settings import read_settings
    from watermeet.server.store.factory import sqlite_path
    from watermeet.server.store.sqlite import back_up

    chosen = read_settings(
        file=settings, overrides={"data_dir": None if data is None else str(data)}
    )
    if not chosen.database_url.startswith("sqlite:"):
        raise Unsupported("this server's database isn't a file", "use pg_dump")
    back_up(sqlite_path(chosen.database_url), file)
    size = file.stat().st_size
    typer.echo(f"Backed up to {file} ({size:,} bytes). Keep it private: it contains secrets.")
