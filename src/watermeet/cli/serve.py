"""``watermeet serve``: run the web server on this machine."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated

import typer

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
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        help="Server processes that share the port; several need PostgreSQL and Valkey.",
    ),
]
LanFlag = Annotated[
    bool,
    typer.Option("--lan", help="Let other devices in your network play, and show them a QR code."),
]
JoinFlag = Annotated[
    bool,
    typer.Option(
        "--join",
        help="If a server of the same data folder is running, open its page instead; "
        "if its port is in use and --port isn't given, take a free one.",
    ),
]
OpenFlag = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")]

NOT_SHARED = (
    "It was started without --lan, so other devices can't reach it. Stop it, and start it again."
)


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("serve")(serve)


def serve(
    *,
    lan: LanFlag = False,
    host: Host = None,
    port: Port = None,
    data: Data = None,
    settings: SettingsFile = None,
    workers: Workers = None,
    join: JoinFlag = False,
    open_browser: OpenFlag = True,
) -> None:
    """Run the web server, where people and bots play all games.

    It needs no set-up; docs/reference/settings.md lists the settings.
    """
    from watermeet.server.running import RunningServer, running_server
    from watermeet.server.serving import open_page
    from watermeet.server.serving import serve as run
    from watermeet.server.settings import read_settings

    if lan and host is None:
        host = "0.0.0.0"  # noqa: S104
    changes = {"host": host, "port": port, "data_dir": None if data is None else str(data)}
    changes["workers"] = workers
    chosen = read_settings(file=settings, overrides=changes)
    running = running_server(chosen.data_folder) if join else None
    if running is not None:
        typer.echo(f"Watermeet is already running at {running.page}", err=True)
        if lan:
            typer.echo(_invitation(running.others) if running.others else NOT_SHARED, err=True)
        if open_browser:
            open_page(running.page)
        return

    def announce(server: RunningServer) -> None:
        if server.port != chosen.port and chosen.port:
            typer.echo(f"Another program uses port {chosen.port}, so this is a free one.", err=True)
        end = "(press Ctrl-C to stop; nothing will be lost)"
        typer.echo(f"Watermeet is running at {server.page} {end}", err=True)
        if lan:
            typer.echo(_invitation(server.others), err=True)

    any_port = join and port is None
    run(chosen, announce=announce, open_browser=open_browser, any_port=any_port)


def _invitation(addresses: list[str]) -> str:
    """How other devices find the server; the QR code is that of the first address."""
    if not addresses:
        return "This computer isn't connected to a network, so other devices can't reach it."
    import segno

    text = io.StringIO()
    segno.make(addresses[0], error="l", micro=False).terminal(text, border=2, compact=True)
    # White on black, also where the terminal is black on white.
    code = "\n".join(
        typer.style(line, fg="bright_white", bg="black") for line in text.getvalue().splitlines()
    )
    return (
        f"On other devices in your network, open {' or '.join(addresses)} or scan this code:\n\n"
        f"{code}\n\n"
        "If that doesn't work, this computer's firewall may be blocking them."
    )
