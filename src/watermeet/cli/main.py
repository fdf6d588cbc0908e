"""The program ``watermeet``: its subcommands, and what happens when one of them fails.

Nothing heavy is imported here or at the top of a subcommand's file: the compiler, tables and
pictures are loaded by the functions that need them, so that help and short answers come at once.
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
    arena,
    audit,
    backup,
    bench,
    bots,
    explain,
    games,
    perft,
    play,
    replay,
    serve,
    solve,
)  # fmt: skip
from watermeet.cli.errors import ANSWER_IS_NO, InvalidFile, InvalidUsage, exit_code_of, tell
from watermeet.core.errors import WatermeetError

# Typer has its own copy of Click in some versions and imports Click in others; in both, this is the
# class of all errors that it finds in a command line.
_UsageError = typer.BadParameter.__mro__[1]

INTERRUPTED = 130
"""What Typer makes of Ctrl-C, as shells do."""


class Commands(TyperGroup):
    """The subcommands; whatever they raise on purpose becomes a message and an exit code."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs the command line and ends the process."""
        given = extra.pop("args", None) if not args else args[0]
        arguments = list(sys.argv[1:] if given is None else given)
        extra["standalone_mode"] = False
        as_json = "--json" in arguments
        sys.exit(_run_guarded(lambda: super(Commands, self).main(arguments, **extra), as_json))


def _run_guarded(run: Callable[[], object], as_json: bool) -> int:
    """Runs a command; returns the exit code after telling what went wrong, if anything did."""
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
        return _fail(InvalidFile(str(error), "is there space left?"), as_json)
    except Exception as error:
        if not isinstance(error, _UsageError):
            raise
        return _fail(_usage_problem(error), as_json)
    if answer == INTERRUPTED and sys.stderr.isatty():
        sys.stderr.write("\n")  # The shell's prompt begins on a line of its own.
    return answer if isinstance(answer, int) else 0


def _fail(error: WatermeetError, as_json: bool) -> int:
    tell(error, as_json=as_json)
    return exit_code_of(error)


def _usage_problem(error: Any) -> WatermeetError:
    command = error.ctx.command_path if error.ctx else "watermeet"
    message = error.format_message() or "say what to do"
    return InvalidUsage(message, f"{command} --help tells what can be given")


def _make_streams_safe() -> None:
    """Lets no closed stream, no broken byte and no unknown character end the program."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Nobody reads any more: what is still buffered must not complain when the process ends."""
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
    """Board games, implemented exactly: play them, replay them, take them apart.

    Begin with "watermeet games" for the list, or "watermeet play" to choose one and play.
    """


for _module in (
    games,
    play,
    replay,
    explain,
    perft,
    solve,
    bench,
    bots,
    arena,
    serve,
    audit,
    backup,
):
    _module.register(app)


def main() -> None:
    """The entry point of the program."""
    app(prog_name="watermeet")
