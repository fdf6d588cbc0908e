"""What can go wrong on a command line only, and how any error is told: to people or to programs.

Exit codes: 0 all is well, 1 the answer is no (or out of reach), 2 the input is bad, 130 Ctrl-C.
"""

from __future__ import annotations

import json
import sys

from watermeet.core.errors import InvalidRecord, TooLarge, WatermeetError

ANSWER_IS_NO = 1
BAD_INPUT = 2


class InvalidUsage(WatermeetError):
    """Arguments that do not fit together."""

    code = "usage"


class InvalidFile(WatermeetError):
    """A file that cannot be read or written."""

    code = "file"


class NoSolver(WatermeetError):
    """An exact value was asked for of a game that offers no solver."""

    code = "no_solver"


class NotInstalled(WatermeetError):
    """A part of Watermeet, or something that it needs, is missing from this installation."""

    code = "not_installed"


def exit_code_of(error: WatermeetError) -> int:
    """The exit code that an error ends the program with."""
    return ANSWER_IS_NO if isinstance(error, TooLarge) else BAD_INPUT


def tell(error: WatermeetError, *, as_json: bool) -> None:
    """Writes an error: one or two lines to stderr, or with ``as_json`` an object to stdout."""
    if as_json:
        told: dict[str, object] = dict(error.as_json())
        if isinstance(error, InvalidRecord):
            told |= {"line": error.line, "column": error.column}
        sys.stdout.write(json.dumps({"error": told}) + "\n")
        return
    place = ""
    if isinstance(error, InvalidRecord):
        place = f"line {error.line}, column {error.column}: "
    sys.stderr.write(f"error: {place}{_one_line(error.message)}\n")
    if error.hint:
        sys.stderr.write(f"hint: {_one_line(error.hint)}\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())
