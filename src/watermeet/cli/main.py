"""The program ``watermeet``: its subcommands, and what happens when one of them fails.

Nothing heavy is imported here or at the top of a subcommand's file: functions import the compiler,
tables and pictures when they need them, so that help and short answers are instant.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from watermeet.cli import (
    admin,
    arena,
    audit,
    backup,
    bench,
    bots,
    dataset,
    explain,
    games,
    load,
    new_game,
    openings,
    perft,
    play,
    puzzles,
    quantize,
    ratings,
    replay,
    restore,
    review,
    serve,
    solve,
    train,
)  # fmt: skip
from watermeet.cli.errors import ANSWER_IS_NO, InvalidFile, InvalidUsage, exit_code_of, print_error
from watermeet.core.errors import WatermeetError

# Some versions of Typer bundle Click, others import it. In both, this is the base class of errors
# that it finds in a command line.
_UsageError = typer.BadParameter.__mro__[1]

INTERRUPTED = 130
"""Typer's result for Ctrl-C, as in shells."""


class Commands(TyperGroup):
    """The subcommands. Errors they raise on purpose become a message and an exit code."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line and exit."""
        given = extra.pop("args", None) if not args else args[0]
        arguments = list(sys.argv[1:] if given is None else given)
        extra["standalone_mode"] = False
        as_json = "--json" in arguments
        sys.exit(_run_guarded(lambda: super(Commands, self).main(arguments, **extra), as_json))


def _run_guarded(run: Callable[[], object], as_json: bool) -> int:
    """Run a command, print what went wrong if anything did, and return the exit code."""
    _make_streams_safe()
    try:
        answer = run()
        sys.stdout.flush()
    except WatermeetError as error:
        return _fail(error, as_json)
    except BrokenPipeError:
        _drop_output()
        return ANSWER_IS_NO
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        return _fail(InvalidFile(str(error), "is the disk full?"), as_json)
    except Exception as error:
        if not isinstance(error, _UsageError):
            raise
        return _fail(_usage_problem(error), as_json)
    if answer == INTERRUPTED and sys.stderr.isatty():
        sys.stderr.write("\n")  # Put the shell's prompt on a new line.
    return answer if isinstance(answer, int) else 0


def _fail(error: WatermeetError, as_json: bool) -> int:
    print_error(error, as_json=as_json)
    return exit_code_of(error)


def _usage_problem(error: Any) -> WatermeetError:
    command = error.ctx.command_path if error.ctx else "watermeet"
    message = error.format_message() or "no command given"
    return InvalidUsage(message, f"see {command} --help")


def _make_streams_safe() -> None:
    """Keep closed streams, broken bytes and unknown characters from ending the program."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Nobody can take it: don't complain about buffered output at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _show_version(wanted: bool) -> None:
    if wanted:
        import watermeet

        typer.echo(f"watermeet {watermeet.__version__}")
        raise typer.Exit


app = typer.Typer(
    name="watermeet",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,  # Plain help: Rich would double the time to show it.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def watermeet(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Board games, implemented exactly: play, replay and analyse them.

    Start with "watermeet games" for the list, or "watermeet play" to choose a game and play.
    """


for _module in (
    games,
    play,
    replay,
    review,
    explain,
    perft,
    solve,
    puzzles,
    bench,
    bots,
    arena,
    dataset,
    train,
    quantize,
    openings,
    new_game,
    serve,
    load,
    audit,
    backup,
    restore,
    admin,
    ratings,
):
    _module.register(app)


def main() -> None:
    """The program's entry point."""
    app(prog_name="watermeet")
