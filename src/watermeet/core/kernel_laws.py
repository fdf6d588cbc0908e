"""The laws of kernels that show in their code, whatever compiles it.

docs/concepts/games.md lists all laws, with their reasons. ``watermeet.core.diagnosis`` names the
law that a kernel breaks when a compiler refuses it.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterable
from itertools import dropwhile
from pathlib import Path
from typing import TypeVar

from watermeet.core.errors import InvalidKernel

Node = TypeVar("Node")

SIZE_MUST_BE_CONSTANT = "scratch takes a constant size"
COLUMNS_MUST_BE_CONSTANT = "in_rows takes a flat array and a constant number of columns"

RAISES_NOTHING = (
    "a kernel raises and catches nothing: a GPU and a browser have no exceptions",
    "let the caller check, or return a number that says what happened",
)
YIELDS_NOTHING = (
    "a kernel returns once, so it can't be a generator",
    "write to an array of the caller's",
)
CALLS_NO_CALLER = (
    "a kernel doesn't call itself, directly or through others: a GPU has a stack of a few kB",
    "write a loop, with scratch memory for what is still to do",
)
_FORBIDDEN = tuple(
    (dis.opmap[name], law)
    for name, law in (
        ("RAISE_VARARGS", RAISES_NOTHING),
        ("PUSH_EXC_INFO", RAISES_NOTHING),
        ("YIELD_VALUE", YIELDS_NOTHING),
    )
)


def refusal(function: types.FunctionType, line: int, what: str, hint: str) -> InvalidKernel:
    """The error for a line of a kernel."""
    place = f"{Path(function.__code__.co_filename).name}:{line}"
    return InvalidKernel(f"{function.__qualname__} ({place}) {what}", hint)


def require_lawful(function: types.FunctionType) -> None:
    """Raise InvalidKernel if a function raises, catches or yields. An assertion raises, too."""
    code = function.__code__
    for opcode, (law, hint) in _FORBIDDEN:
        if opcode in code.co_code[::2]:
            line = _first_line(code, opcode)
            raise refusal(function, line, f"can't be a kernel: {law}", hint)


def _first_line(code: types.CodeType, opcode: int) -> int:
    """The line of an instruction, or of what comes next: some belong to none."""
    after = dropwhile(lambda each: each.opcode != opcode, dis.get_instructions(code))
    lines = (each.positions.lineno for each in after if each.positions)
    return next(filter(None, lines), code.co_firstlineno)


def find_cycle(
    start: Node, called_by: Callable[[Node], Iterable[Node]]
) -> tuple[Node, Node] | None:
    """The first call that leads back to a caller, as caller and called; None if there is none."""
    done: set[int] = set()
    open_: list[Node] = []

    def visit(node: Node) -> tuple[Node, Node] | None:
        open_.append(node)
        for each in called_by(node):
            if any(each is one for one in open_):
                return node, each
            if id(each) not in done and (found := visit(each)):
                return found
        open_.pop()
        done.add(id(node))
        return None

    return visit(start)


def line_of(function: types.FunctionType, name: str) -> int | None:
    """The first line on which a function's code uses a name; None if it doesn't."""
    queue = [function.__code__]
    while queue:
        code = queue.pop()
        for each in dis.get_instructions(code):
            is_named = each.argval == name or (name == "pow" and "**" in each.argrepr)
            if is_named and each.positions is not None and each.opname != "LOAD_CONST":
                return each.positions.lineno
        queue += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return None
