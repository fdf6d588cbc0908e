"""``watermeet bench``: measure how fast a game runs on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.arguments import Json, OptionTexts, chosen_game, complete_game
from watermeet.cli.errors import InvalidUsage

if TYPE_CHECKING:
    from collections.abc import Callable

    from watermeet.core.game import Game


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("bench")(bench)


def bench(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="The game's name; default: every game.",
            autocompletion=complete_game,
            show_default=False,
        ),
    ] = None,
    options: OptionTexts = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="S", min=0.001, help="How long to measure each figure."),
    ] = 1.0,
    device: Annotated[
        str,
        typer.Option("--device", metavar="DEVICE", help="cpu, or cuda: whole batches on a GPU."),
    ] = "cpu",
    json: Json = False,
) -> None:
    """Measure how fast a game runs on this machine."""
    from contextlib import nullcontext

    from watermeet.cli.console import make_console, write_json
    from watermeet.testing import speed

    if device not in ("cpu", "cuda"):
        raise InvalidUsage(f"{device!r} isn't a device", "choose cpu or cuda")
    measure: Callable[..., list[speed.Measurement]] = speed.measure_game
    if device == "cuda":
        from watermeet.testing.gpu_speed import measure_on_gpu

        measure = measure_on_gpu
    status = make_console(stderr=True).status("measuring")
    shows = status.console.is_terminal
    measurements: list[speed.Measurement] = []
    with status if shows else nullcontext():
        for game in _games(name, options):
            measurements += measure(
                game,
                seconds=seconds,
                progress=lambda what: status.update(f"measuring {what}") if shows else None,
            )
    if json:
        write_json({"seconds": seconds, "measurements": [vars(each) for each in measurements]})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("game", "work", "figure", "unit", "note"):
        table.add_column(title, justify="right" if title == "figure" else "left", overflow="fold")
    for each in measurements:
        table.add_row(each.name, each.what, f"{each.value:,.4g}", each.unit, each.note)
    make_console().print(table)


def _games(name: str | None, options: list[str] | None) -> list[Game]:
    if name is not None:
        return [chosen_game(name, options)]
    if options:
        raise InvalidUsage("options need a game", "name the game they belong to")
    from watermeet.cli.menu import loadable_games

    return loadable_games()
