"""Turns a failure of Numba into one sentence: which kernel, which line, which rule it breaks."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator
from pathlib import Path

from watermeet.core.errors import InvalidKernel
from watermeet.core.scratch import COLUMNS_MUST_BE_CONSTANT, SIZE_MUST_BE_CONSTANT

_RULES = (
    (
        re.compile(SIZE_MUST_BE_CONSTANT),
        "a kernel's scratch memory has a constant size",
        "name the size at the top of the module, like SIZE = 2 * N, and call scratch(SIZE)",
    ),
    (
        re.compile(COLUMNS_MUST_BE_CONSTANT),
        COLUMNS_MUST_BE_CONSTANT,
        "name the number at the top of the module, and call in_rows(array, COLUMNS)",
    ),
    (
        # Alone, for np.zeros() fails in the same words, further down.
        re.compile(r"\A(?:Failed in .*\n)*Only accept returning of array"),
        "a kernel returns numbers, never scratch memory",
        "let the caller pass in the array to write to",
    ),
    (
        re.compile(r"NRT required but not enabled|Only accept returning of array"),
        "a kernel allocates nothing: no lists, sets, dicts, strings or new arrays",
        "pass in a buffer or use scratch(SIZE), and copy arrays element by element",
    ),
    (
        re.compile(r"Untyped global name '(?P<name>[^']*)'.*<class 'function'>"),
        "a kernel calls only kernels, slots and what Numba supports, and {name!r} is none of them",
        "put @kernel on it",
    ),
    (
        re.compile(r"Untyped global name '(?P<name>[^']*)': Cannot determine Numba type of (.*)"),
        "a kernel reads only numbers, tuples and arrays from its module, and {name!r} is none",
        "pass it in, or make it an array",
    ),
    (
        re.compile(r"name '(?P<name>[^']*)' is not defined"),
        "the name {name!r} is not defined",
        "import it, or check its spelling",
    ),
    (
        re.compile(r"Cannot bind 'args=.*' to signature '(?P<name>.*)' due to"),
        "a kernel is called with the arguments it declares, which are {name}",
        "check the call",
    ),
    (
        re.compile(r"Cannot unify (?P<name>.*) for '"),
        "a variable keeps one type, and this one would be {name}",
        "use two variables",
    ),
)
_PLACE = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+)|at (?P<path>\S*) \((?P<at>\d+)\)')
_NOISE = re.compile(r"Failed in |During: |raised from |\s*$|- Resolution failure")


def is_compile_error(error: Exception) -> bool:
    """Whether an error comes from Numba's compiler."""
    return type(error).__module__.startswith("numba.")


def diagnose(error: Exception, functions: Iterable[types.FunctionType]) -> InvalidKernel:
    """The error for the first of these functions, whose compiled code consists of all of them."""
    candidates = list(functions)
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # Numba colours its text.
    function, line = _place(_mentioned(text, error), candidates)
    place = f"{Path(function.__code__.co_filename).name}:{line}"
    reason, hint = _broken_rule(text)
    return InvalidKernel(f"{function.__qualname__} ({place}) does not compile: {reason}", hint)


def _broken_rule(text: str) -> tuple[str, str]:
    for pattern, rule, hint in _RULES:
        match = pattern.search(text)
        if match:
            return rule.format(**match.groupdict()), hint
    lines = (line.strip() for line in text.splitlines() if not _NOISE.match(line))
    return f"Numba says: {next(lines, text)}", "kernels are written in the Python that Numba knows"


def _mentioned(text: str, error: Exception) -> Iterator[tuple[str, int]]:
    """The places that Numba mentions, innermost first."""
    for match in _PLACE.finditer(text):
        yield match["file"] or match["path"], int(match["line"] or match["at"])
    found = getattr(error, "loc", None)
    if found is not None:
        yield found.filename, found.line


def _place(
    mentioned: Iterable[tuple[str, int]], functions: list[types.FunctionType]
) -> tuple[types.FunctionType, int]:
    """The first mentioned place within one of the functions; else where the first one begins."""
    for file, line in mentioned:
        for function in functions:
            code = function.__code__
            lines = [number for _, _, number in code.co_lines() if number is not None]
            if Path(file).name == Path(code.co_filename).name and min(lines) <= line <= max(lines):
                return function, line
    return functions[0], functions[0].__code__.co_firstlineno
