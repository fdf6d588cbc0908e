"""What a function's code refers to, and copies of a function that refer to something else.

A reference is a global name, or an attribute of a module that a global names.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

_LOAD_GLOBAL, _EXTENDED_ARG = dis.opmap["LOAD_GLOBAL"], dis.opmap["EXTENDED_ARG"]


def referenced_values(function: types.FunctionType) -> Iterator[Any]:
    """Everything a function's code refers to: globals, and attributes of modules."""
    yield from references(function).values()


def references(function: types.FunctionType) -> dict[str, Any]:
    """What a function's code refers to, by name: "size", or "module.size"."""
    found: dict[str, Any] = {}
    for name, value in _globals(function).items():
        if isinstance(value, types.ModuleType):
            attributes = _attributes(function, value).items()
            found |= {f"{name}.{attribute}": each for attribute, each in attributes}
        else:
            found[name] = value
    return found


def copy_function(
    function: types.FunctionType, replace: Callable[[Any], Any], qualname: str
) -> types.FunctionType:
    """A copy of a function in which ``replace`` has been applied to everything it refers to."""
    scope = {"__name__": function.__module__, "__builtins__": __builtins__}
    for name, value in _globals(function).items():
        scope[name] = replace(value)
        if isinstance(value, types.ModuleType):
            attributes = _attributes(function, value)
            replaced = {name: replace(attribute) for name, attribute in attributes.items()}
            if any(replaced[name] is not attributes[name] for name in attributes):
                scope[name] = types.ModuleType(value.__name__)
                vars(scope[name]).update(replaced)
    copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    copy.__qualname__ = qualname
    copy.__module__ = function.__module__
    copy.__doc__ = function.__doc__
    return copy


def _globals(function: types.FunctionType) -> dict[str, Any]:
    # Not all of __globals__: the copy would keep a whole module alive.
    return {
        name: function.__globals__[name]
        for name in _global_names(function.__code__)
        if name in function.__globals__
    }


def _attributes(function: types.FunctionType, module: types.ModuleType) -> dict[str, Any]:
    names = _names(function.__code__)
    return {name: getattr(module, name) for name in names if hasattr(module, name)}


@cache
def _global_names(code: types.CodeType) -> frozenset[str]:
    """The globals that code loads, without attributes that have the name of a global."""
    found: set[str] = set()
    number = 0
    for opcode, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        number = number << 8 | argument
        if opcode == _LOAD_GLOBAL:
            found.add(code.co_names[number >> 1])  # The last bit says that it is called.
        if opcode != _EXTENDED_ARG:
            number = 0
    return frozenset(found).union(*map(_global_names, _inner(code)))


def _inner(code: types.CodeType) -> Iterator[types.CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _names(code: types.CodeType) -> set[str]:
    return set(code.co_names).union(*map(_names, _inner(code)))
