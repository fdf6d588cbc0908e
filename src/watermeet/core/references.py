"""What a function's code refers to, and copies of a function that refer to something else.

A reference is a global name, or an attribute of a module that a global names.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any


def referenced_values(function: types.FunctionType) -> Iterator[Any]:
    """Everything a function's code refers to: globals, and attributes of modules."""
    for value in _globals(function).values():
        if isinstance(value, types.ModuleType):
            yield from _attributes(function, value).values()
        else:
            yield value


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
        for name in _names(function.__code__)
        if name in function.__globals__
    }


def _attributes(function: types.FunctionType, module: types.ModuleType) -> dict[str, Any]:
    names = _names(function.__code__)
    return {name: getattr(module, name) for name in names if hasattr(module, name)}


def _names(code: types.CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*(_names(each) for each in inner))
