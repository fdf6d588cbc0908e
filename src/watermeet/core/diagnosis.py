"""Turns a failure of a compiler into one sentence: which kernel, which line, which law it breaks.

Numba refuses what it can't translate, for this machine or for another. Other things translate well
and are missing where the code is to run: functions of C, above all. ``diagnose`` explains the
first, ``diagnose_call`` the second.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from watermeet.core.errors import InvalidKernel
from watermeet.core.kernel_laws import (
    COLUMNS_MUST_BE_CONSTANT,
    SIZE_MUST_BE_CONSTANT,
    line_of,
    refusal,
)


class Face(NamedTuple):
    """What code is compiled for."""

    purpose: str
    """Ends a sentence: "it does not compile for a GPU"."""
    place: str
    """Begins one: "a GPU has no …"."""


NATIVE = Face("", "Numba")
CUDA = Face(" for a GPU", "a GPU")
WASM = Face(" for a browser", "a browser")

LAWS = (
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
        re.compile(
            r"NRT required but not enabled|Only accept returning of array"
            r"|<built-in function (?P<name>zeros|empty|ones|full|array|arange)>\) found for sig"
        ),
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
    (
        re.compile(r"<ufunc '(?P<name>\w+)'>|No definition for lowering (?:\w+\.)*(?P<other>\w+)"),
        "a kernel calls only what every face has, and {place} has no {name!r}",
        "use Python's arithmetic, math.sqrt or math.floor, watermeet.core.portable_math, or a loop",
    ),
)
"""The laws that a compiler's words betray: a pattern, the law, and what to do instead."""
_RESHAPED = "numba_attempt_nocopy_reshape"
_CALLS = {
    _RESHAPED: (
        "reshape",
        "a kernel doesn't reshape arrays: NumPy does that by a function of C, and {place} has none",
        "see it as a table with in_rows(array, COLUMNS)",
    ),
    "vprintf": (
        "print",
        "a kernel prints nothing: {place} has nowhere to print to",
        "write to an array of the caller's",
    ),
}
"""Functions that compiled code calls by name: what the kernel called, the law, what to do."""
_LIBRARY = "__nv_"
"""Begins the names of NVIDIA's own functions, most of which round differently than a CPU's."""
_ROUNDED = (
    "a kernel computes the same bits in every face, and {place} rounds {name!r} its own way",
    "use watermeet.core.portable_math, or integers",
)
_MISSING = (
    "a kernel calls only what every face has, and {place} has no {name!r}",
    "use watermeet.core.portable_math, or integers",
)
_PLACE = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+)|at (?P<path>\S*) \((?P<at>\d+)\)')
_NOISE = re.compile(r"Failed in |During: |raised from |\s*$|- Resolution failure")


def is_compile_error(error: Exception) -> bool:
    """Whether an error comes from Numba's compiler."""
    return type(error).__module__.startswith("numba.")


def diagnose(
    error: Exception, functions: Iterable[types.FunctionType], face: Face = NATIVE
) -> InvalidKernel:
    """The error for the first of these functions, whose compiled code consists of all of them."""
    candidates = list(functions)
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # Numba colours its text.
    law, hint, name = _broken_law(text, face)
    function, line = _place(_mentioned(text, error), candidates, name)
    return refusal(function, line, f"does not compile{face.purpose}: {law}", hint)


def _broken_law(text: str, face: Face) -> tuple[str, str, str]:
    """The law, what to do instead, and the name that the error is about, if there is one."""
    for pattern, law, hint in LAWS:
        match = pattern.search(text)
        if match:
            groups = match.groupdict()
            name = groups.get("name") or groups.get("other") or ""
            return law.format(name=name, place=face.place), hint, name
    lines = (line.strip() for line in text.splitlines() if not _NOISE.match(line))
    law = f"Numba says: {next(lines, text)}"
    return law, "kernels are written in the Python that Numba knows", ""


def _mentioned(text: str, error: Exception) -> Iterator[tuple[str, int]]:
    """The places that Numba mentions, innermost first."""
    for match in _PLACE.finditer(text):
        yield match["file"] or match["path"], int(match["line"] or match["at"])
    found = getattr(error, "loc", None)
    if found is not None:
        yield found.filename, found.line


def _place(
    mentioned: Iterable[tuple[str, int]], functions: list[types.FunctionType], name: str
) -> tuple[types.FunctionType, int]:
    """The first mentioned place within one of the functions; or the first use of the name.

    Else where the first function begins.
    """
    for file, line in mentioned:
        for function in functions:
            code = function.__code__
            lines = [number for _, _, number in code.co_lines() if number is not None]
            if Path(file).name == Path(code.co_filename).name and min(lines) <= line <= max(lines):
                return function, line
    for function in functions:
        used = line_of(function, name)
        if used is not None:
            return function, used
    return functions[0], functions[0].__code__.co_firstlineno


# ---- functions that are missing where code is to run ------------------------------------------


def diagnose_call(
    symbol: str, code: Iterable[str], functions: Mapping[str, types.FunctionType], face: Face
) -> InvalidKernel:
    """The error for code that calls a function which is not there, or differs there.

    ``code`` is in LLVM's language; ``functions`` are the kernels' by the names that they have in
    it, and the first is of what was compiled.
    """
    name = symbol.removeprefix(_LIBRARY)
    law, hint = _ROUNDED if name != symbol else _MISSING
    if symbol in _CALLS:
        name, law, hint = _CALLS[symbol]
    callers = [functions[each] for each in _callers(symbol, code) if each in functions]
    candidates = callers or list(functions.values())
    function, line = _place((), candidates, name)
    law = law.format(name=name, place=face.place)
    return refusal(function, line, f"does not compile{face.purpose}: {law}", hint)


_DEFINED = re.compile(r'^define [^@]*@("[^"]+"|[-\w.$]+)')
_CALLED = re.compile(r'@("[^"]+"|[-\w.$]+)')


def _callers(symbol: str, code: Iterable[str]) -> Iterator[str]:
    """The functions that call one, then those that call them, and so on."""
    callers: dict[str, set[str]] = {}
    for text in code:
        inside = ""
        for line in text.splitlines():
            defined = _DEFINED.match(line)
            if defined:
                inside = defined[1].strip('"')
            elif line.startswith("}"):
                inside = ""
            elif inside:
                for called in _CALLED.findall(line):
                    plain = re.sub(r"^llvm\.(\w+)\..*", r"\1", called.strip('"'))
                    callers.setdefault(plain, set()).add(inside)
    queue, seen = [symbol], {symbol}
    while queue:
        for each in sorted(callers.get(queue.pop(0), set()) - seen):
            seen.add(each)
            queue.append(each)
            yield each
