"""``watermeet bench``: measure how fast a game runs on this machine."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from watermeet.cli.arguments import Json, OptionTexts, chosen_game, complete_game
from watermeet.cli.errors import InvalidUsage, NotInstalled


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
    peers: Annotated[bool, typer.Option("--peers", help="Also measure other libraries.")] = False,
    json: Json = False,
) -> None:
    """Measure how fast a game runs on this machine."""
    from watermeet.cli.console import make_console, write_json

    runner, report = _bench_module("runner"), _bench_module("report")
    progress = _Progress()
    measurements: list[Any] = []
    with progress:
        for game in _games(name, options):
            measurements += runner.measure_game(game, seconds=seconds, progress=progress.update)
        if peers:
            others = _bench_module("peers")
            if others.missing_peers():
                missing = ", ".join(others.missing_peers())
                typer.echo(f"skipped, not installed: {missing}", err=True)
            measurements += others.measure_peers(seconds=seconds, progress=progress.update)
    if json:
        fields = ("name", "what", "value", "unit", "note")
        rows = [{field: getattr(each, field) for field in fields} for each in measurements]
        write_json({"seconds": seconds, "measurements": rows})
    else:
        make_console().print(report.table(measurements), soft_wrap=True)


def _games(name: str | None, options: list[str] | None) -> list[Any]:
    if name is not None:
        return [chosen_game(name, options)]
    if options:
        raise InvalidUsage("options need a game", "name the game they belong to")
    from watermeet.cli.menu import loadable_games

    return list(loadable_games())


def _bench_module(name: str) -> Any:
    """Import a module of ``watermeet.bench``; raises NotInstalled if something is missing."""
    import importlib

    try:
        return importlib.import_module(f"watermeet.bench.{name}")
    except ModuleNotFoundError as error:
        raise NotInstalled(
            f"benchmarks need {error.name}", "run: pip install watermeet[bench]"
        ) from error


class _Progress:
    """A status line on stderr if that is a terminal."""

    def __init__(self) -> None:
        from watermeet.cli.console import make_console

        console = make_console(stderr=True)
        self._status = console.status("measuring") if console.is_terminal else None

    def __enter__(self) -> None:
        if self._status is not None:
            self._status.start()

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def update(self, what: object) -> None:
        """Show what is being measured."""
        if self._status is not None:
            self._status.update(f"measuring {what}")
