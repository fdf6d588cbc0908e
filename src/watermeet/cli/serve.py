"""``watermeet serve``: run the web server on this machine."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.errors import NotInstalled

Host = Annotated[
    str | None,
    typer.Option("--host", metavar="ADDRESS", help="Address to listen on; default 127.0.0.1."),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port", metavar="N", help="Port to listen on; default 8765, 0 picks a free one."
    ),
]
Data = Annotated[
    Path | None, typer.Option("--data-dir", metavar="FOLDER", help="Folder for the database.")
]
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="TOML file with settings.")
]
OpenFlag = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("serve")(serve)


def serve(
    *,
    host: Host = None,
    port: Port = None,
    data: Data = None,
    settings: SettingsFile = None,
    open_browser: OpenFlag = True,
) -> None:
    """Run the web server, where people and bots play all games.

    It needs no set-up; docs/reference/settings.md lists the settings.
    """
    for module in ("starlette", "uvicorn", "msgspec"):
        if importlib.util.find_spec(module) is None:
            raise NotInstalled("the server isn't installed", "run: pip install watermeet[server]")
    from watermeet.server.serving import serve as run
    from watermeet.server.settings import read_settings

    changes = {"host": host, "port": port, "data_dir": None if data is None else str(data)}
    chosen = read_settings(file=settings, overrides=changes)
    run(chosen, announce=lambda text: typer.echo(text, err=True), open_browser=open_browser)
