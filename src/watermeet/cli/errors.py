"""Errors of the command line, and how errors are printed for people and for programs.

Exit codes: 0 success, 1 the answer is no (or out of reach), 2 bad input, 130 Ctrl-C.
"""

from __future__ import annotations

import json
import sys

from watermeet.core.errors import InvalidRecord, TooLarge, WatermeetError

ANSWER_IS_NO = 1
BAD_INPUT = 2


class InvalidUsage(WatermeetError):
    """Arguments that don't fit together."""

    code = "usage"


class InvalidFile(WatermeetError):
    """A file that can't be read or written."""

    code = "file"


class NoSolver(WatermeetError):
    """The game has no exact solver."""

    code = "no_solver"


def exit_code_of(error: WatermeetError) -> int:
    """The program's exit code for an error."""
    return ANSWER_IS_NO if isinstance(error, TooLarge) else BAD_INPUT


def print_error(error: WatermeetError, *, as_json: bool) -> None:
    """Print an error: one or two lines on stderr, or a JSON object on stdout."""
    if as_json:
        facts: dict[str, object] = dict(error.as_json())
        if isinstance(error, InvalidRecord):
            facts |= {"line": error.line, "column": error.column}
        sys.stdout.write(json.dumps({"error": facts}) + "\n")
        return
    place = ""
    if isinstance(error, InvalidRecord):
        place = f"line {error.line}, column {error.column}: "
    sys.stderr.write(f"error: {place}{_one_line(error.message)}\n")
    if error.hint:
        sys.stderr.write(f"hint: {_one_line(error.hint)}\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())
