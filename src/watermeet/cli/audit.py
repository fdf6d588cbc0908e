"""``watermeet audit``: whether the draws of a match were made as promised before it began."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.arguments import Json
from watermeet.cli.errors import ANSWER_IS_NO, NotInstalled


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("audit")(audit)


def audit(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record from a server; - for standard input.")
    ],
    json: Json = False,
) -> None:
    """Check that the draws of a match are as promised before it.

    Every draw is held against the secret to which the server had committed itself.
    """
    if importlib.util.find_spec("msgspec") is None:
        raise NotInstalled("the server is not installed", "install watermeet[server]")
    from watermeet.cli.console import write_json
    from watermeet.cli.storage import read_record
    from watermeet.server.matches.audit import audit as check

    report = check(read_record(file))
    if json:
        faults = [str(fault) for fault in report.faults]
        told = {"match": report.match, "is_fair": report.is_fair, "draws": report.draws}
        write_json({**told, "faults": faults})
    else:
        typer.echo(str(report))
    if not report.is_fair:
        raise typer.Exit(ANSWER_IS_NO)
