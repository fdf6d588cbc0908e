"""``watermeet restore`` and ``watermeet verify``: bring a backup back, and check a database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.serve import Data, SettingsFile

if TYPE_CHECKING:
    from watermeet.server.settings import Settings
    from watermeet.server.store.files import Contents


def register(app: typer.Typer) -> None:
    """Add the subcommands."""
    app.command("restore")(restore)
    app.command("verify")(verify)


def settings_of(data: Path | None, settings: Path | None) -> Settings:
    """The settings of this machine's server."""
    from watermeet.server.settings import read_settings

    return read_settings(file=settings, overrides={"data_dir": None if data is None else str(data)})


def database_of(data: Path | None, settings: Path | None, instead: str) -> Path:
    """The file of this machine's server; raises Unsupported if its database isn't a file."""
    chosen = settings_of(data, settings)
    from watermeet.server.errors import Unsupported
    from watermeet.server.store.factory import sqlite_path

    if not chosen.database_url.startswith("sqlite:"):
        raise Unsupported("this server's database isn't a file", instead)
    return sqlite_path(chosen.database_url)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")],
    *,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace the present database; it is kept beside the new."),
    ] = False,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Restore this machine's server from a backup.

    Stop the server first. With PostgreSQL, use pg_restore instead.
    """
    database = database_of(data, settings, "use pg_restore")
    from watermeet.server.store.files import restore as put_back

    contents, kept = put_back(file, database, replace=replace)
    typer.echo(f"Restored {_counted(contents)} to {database}.")
    if kept is not None:
        typer.echo(f"The database that was there is now {kept}.")


def verify(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A backup; without one, the server's own database."),
    ] = None,
    *,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Check every page of a server's database, or of a backup.

    The server may keep running. With PostgreSQL it reads every match and its log; pg_amcheck checks
    indexes, too.
    """
    url = settings_of(data, settings).database_url if file is None else f"sqlite:///{file}"
    from watermeet.server.store.factory import sqlite_path
    from watermeet.server.store.factory import verify as check

    checked = sqlite_path(url) if url.startswith("sqlite:") else "The database"
    typer.echo(f"{checked} is intact: {_counted(check(url))}.")


def _counted(contents: Contents) -> str:
    matches = "1 match" if contents.matches == 1 else f"{contents.matches:,} matches"
    return f"{matches} with {contents.entries:,} entries"
