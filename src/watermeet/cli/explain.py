"""``watermeet explain``: why a move is legal or not."""

from __future__ import annotations

from typing import Annotated

import typer

from watermeet.cli.arguments import Json, OptionTexts, RecordFile, chosen_state
from watermeet.cli.errors import ANSWER_IS_NO, InvalidUsage


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("explain")(explain)


def explain(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME STATE MOVE",
            help='STATE is a state\'s text in quotes, or "start". With --record, give only MOVE.',
        ),
    ],
    options: OptionTexts = None,
    record: RecordFile = None,
    json: Json = False,
) -> None:
    """Explain why a move is legal in a state, or why not.

    The exit code is 0 if the move is legal and 1 if it isn't.
    """
    from watermeet.cli.console import make_console, write_json
    from watermeet.core.kernel import plain_python

    expected = 1 if record is not None else 3
    if len(words) != expected:
        asked = "MOVE" if record is not None else "GAME, STATE and MOVE"
        raise InvalidUsage(
            f"expected {asked}",
            "put a state's text in quotes",
        )
    with plain_python():
        state, rest = chosen_state(words, options, record)
        reason = state.explain(rest[0])
    if json:
        write_json({"state": state.text, "move": rest[0]} | reason.as_json())
    else:
        make_console().print(reason.sentence, style=None if reason.legal else "yellow")
    if not reason.legal:
        raise typer.Exit(ANSWER_IS_NO)
