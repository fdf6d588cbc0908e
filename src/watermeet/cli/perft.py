"""``watermeet perft``: count the sequences of actions from a state, to catch rule bugs."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.arguments import START, GameName, Json, OptionTexts, chosen_game

if TYPE_CHECKING:
    from watermeet.core.state import State

MAX_DEPTH = 200
FEW_SEQUENCES = 3000
"""Up to this many, plain Python is done before the compiler has loaded."""
WIDTH_AT_LEAST = 8
"""Assume at least this many actions in later states."""


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("perft")(perft)


def perft(
    name: GameName,
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", min=0, max=MAX_DEPTH, help="How many actions deep.")
    ],
    *,
    options: OptionTexts = None,
    origin: Annotated[
        str, typer.Option("--from", metavar="STATE", help="A state's text, in quotes.")
    ] = START,
    divide: Annotated[bool, typer.Option("--divide", help="Split by the first move.")] = False,
    json: Json = False,
) -> None:
    """Count the sequences of exactly DEPTH actions.

    Chance outcomes count as actions.
    """
    from watermeet.cli.console import write_json
    from watermeet.cli.progress import run_with_progress
    from watermeet.core.kernel import plain_python

    with plain_python():
        game = chosen_game(name, options)
        state = game.start() if origin == START else game.parse(origin)
        is_small = max(WIDTH_AT_LEAST, len(state.legal_actions)) ** depth <= FEW_SEQUENCES
    begun = time.perf_counter()
    with plain_python() if is_small else contextlib.nullcontext():
        count, parts = run_with_progress(lambda: _count(state, depth, divide), "counting")
    seconds = time.perf_counter() - begun
    if not json:
        for move, part in parts.items():
            typer.echo(f"{move}: {part}")
        typer.echo(f"{count} sequences of {depth} actions in {seconds:.3g} s")
        return
    answer = {"depth": depth, "count": count, "seconds": round(seconds, 6)}
    write_json(_facts(state) | answer | ({"divide": parts} if divide else {}))


def _facts(state: State) -> dict[str, object]:
    """What was counted."""
    game = state.game
    return {
        "game": game.name,
        "version": game.version,
        "options": dict(game.options),
        "state": state.text,
    }


def _count(state: State, depth: int, divides: bool) -> tuple[int, dict[str, int]]:
    """The count, and with ``divides`` its split by first move."""
    from watermeet.testing.perft import divide, perft

    if not divides or depth == 0:
        return perft(state, depth), {}
    parts = divide(state, depth)
    return sum(parts.values()), parts
