"""``watermeet serve``: the web platform on this machine."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.errors import NotInstalled

Host = Annotated[
    str | None, typer.Option("--host", metavar="ADDRESS", help="Listen here; 127.0.0.1 by default.")
]
Port = Annotated[
    int | None, typer.Option("--port", metavar="N", help="At this port; 8765 by default, 0: any.")
]
Data = Annotated[
    Path | None, typer.Option("--data-dir", metavar="FOLDER", help="Where the database lies.")
]
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="A TOML file with settings.")
]
OpenFlag = Annotated[
    bool, typer.Option("--open/--no-open", help="Open the page in a browser, or do not.")
]


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("serve")(serve)


def serve(
    *,
    host: Host = None,
    port: Port = None,
    data: Data = None,
    settings: SettingsFile = None,
    open_browser: OpenFlag = True,
) -> None:
    """Run the web platform: people and bots play all games through it.

    Nothing has to be set up; docs/reference/settings.md lists what can be.
    """
    for module in ("fastapi", "uvicorn", "msgspec"):
        if importlib.util.find_spec(module) is None:
            raise NotInstalled("the server is not installed", "install watermeet[server]")
    from watermeet.server.serving import serve as run
    from watermeet.server.settings import read_settings

    changes = {"host": host, "port": port, "data_dir": None if data is None else str(data)}
    chosen = read_settings(file=settings, changes=changes)
    run(chosen, tell=lambda text: typer.echo(text, err=True), open_browser=open_browser)
