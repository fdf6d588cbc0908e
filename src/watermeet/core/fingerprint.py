"""Fingerprints of kernels: what compiled code depends on, and nothing else.

A fingerprint is a hash of a function's byte code, its constants and everything it refers to:
tables, numbers, and the fingerprints of the kernels it calls. Comments, docstrings, line numbers
and whatever else stands in the same file don't count, so an edit recompiles only the kernels that
it changes.
"""

from __future__ import annotations

import enum
import hashlib
import sys
import types
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from watermeet.core.references import references


class Fingerprinted:
    """What has a fingerprint of its own."""

    @property
    def fingerprint(self) -> str:
        """A hash of everything that its compiled code depends on."""
        raise NotImplementedError


class Unknown(Exception):
    """A value for which nobody can tell what code compiled with it depends on."""


def fingerprint_of(function: types.FunctionType, *more: str) -> str:
    """The fingerprint of a function; raises Unknown if it refers to something unknown."""
    found = sorted(references(function).items())
    code = _code(function.__code__, function.__doc__)
    return describe_all(code, function.__defaults__, found, more)


def describe_all(*values: Any) -> str:
    """A hash that differs for values that compile to different code."""
    return hashlib.sha256(_describe(values)).hexdigest()[:24]


@cache
def source_of(module: str) -> str:
    """A hash of a module's file."""
    file = getattr(sys.modules[module], "__file__", None)
    if file is None:
        raise Unknown(module)
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _code(code: types.CodeType, doc: str | None) -> tuple[Any, ...]:
    """What code does; its constants begin with the docstring, if it has one."""
    constants = code.co_consts if doc is None else (None, *code.co_consts[1:])
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return code.co_code, constants, code.co_names, code.co_varnames, counts


def _describe(value: Any) -> bytes:
    """A text that differs for values that compile to different code."""
    kind = type(value)
    if isinstance(value, Fingerprinted):
        return f"<{kind.__qualname__} {value.fingerprint}>".encode()
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        # The number 1 isn't Colour.RED.
        return f"<{kind.__module__}.{kind.__qualname__} {value!r}>".encode()
    if isinstance(value, tuple | list | frozenset):
        items = [_describe(each) for each in value]
        if isinstance(value, frozenset):
            items.sort()
        return f"<{kind.__qualname__} ".encode() + b",".join(items) + b">"
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if array.dtype.hasobject:
            raise Unknown(repr(value))
        layout = array.flags.c_contiguous, array.flags.f_contiguous, array.shape
        head = f"<{kind.__qualname__} {array.dtype.descr} {layout} ".encode()
        return head + hashlib.sha256(array.tobytes()).digest() + b">"
    if isinstance(value, types.CodeType):
        return _describe(_code(value, None))
    if isinstance(value, types.FunctionType):
        return f"<function {value.__module__}.{value.__qualname__} {_fingerprint(value)}>".encode()
    if isinstance(value, enum.EnumMeta):
        members = [(member, vars(value)[member].value) for member in value.__members__]
        return _describe((value.__qualname__, members))
    name: str | None = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if name is None:
        raise Unknown(repr(value))
    # A class, a module, or a function of a library, whose version is hashed elsewhere.
    return f"<{kind.__qualname__} {getattr(value, '__module__', '')}.{name}>".encode()


def _fingerprint(function: types.FunctionType) -> str:
    """The fingerprint of a plain function; one of a library is known by its name."""
    library = (function.__module__ or "").partition(".")[0] in ("numba", "numpy")
    return "" if library else fingerprint_of(function)
