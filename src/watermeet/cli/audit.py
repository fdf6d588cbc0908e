"""``watermeet audit``: check that a match's chance outcomes follow from the committed secret."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.arguments import Json
from watermeet.cli.errors import ANSWER_IS_NO


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("audit")(audit)


def audit(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record from a server; - reads stdin.")
    ],
    json: Json = False,
) -> None:
    """Check that the chance outcomes of a match were fair.

    Each one must follow from the secret that the server committed to before the match.
    """
    from watermeet.cli.console import write_json
    from watermeet.cli.storage import read_record
    from watermeet.server.matches.audit import audit as check

    report = check(read_record(file))
    if json:
        faults = [str(fault) for fault in report.faults]
        facts = {"match": report.match, "is_fair": report.is_fair, "chance_outcomes": report.count}
        write_json({**facts, "faults": faults})
    else:
        typer.echo(str(report))
    if not report.is_fair:
        raise typer.Exit(ANSWER_IS_NO)
