"""The native face of a kernel: machine code, made by Numba. The one place that configures Numba."""

from __future__ import annotations

import inspect
import types
from pathlib import Path
from typing import Any


def compile_function(function: types.FunctionType, cache: Path | None) -> Any:
    """Numba's dispatcher of a function, which keeps its machine code in files named ``cache``."""
    # Imports Numba, which takes half a second or more, so only when something is compiled.
    from watermeet.core.dispatchers import Entry

    return Entry(_with_builtins(function), cache)


def inline_function(function: types.FunctionType) -> Any:
    """What compiled code refers to where it inlines a function."""
    from watermeet.core.dispatchers import Inlined

    return Inlined(_with_builtins(function))


def _with_builtins(function: types.FunctionType) -> types.FunctionType:
    """A function that refers to what is to be called instead of Python's own functions."""
    from watermeet.core.dispatchers import BUILTINS

    for name in function.__code__.co_names:
        if name in BUILTINS:
            function.__globals__.setdefault(name, BUILTINS[name])
    return function


def parse_signature(signature: str) -> Any:
    """The argument types that a text in Numba's notation lists; raises if it isn't."""
    from numba.core import sigutils

    arguments, _ = sigutils.normalize_signature(f"({signature},)")
    return arguments


def link(dispatcher: Any, arguments: Any, symbol: str) -> Any:
    """Compile a function for these argument types, and return an intrinsic that calls it.

    Callers read from the cache know only the symbol's name. It is registered in time, because the
    callees of whatever is compiled or read are linked first.
    """
    import llvmlite.binding
    from llvmlite import ir
    from numba.core.extending import intrinsic

    dispatcher.compile(arguments)
    overload = dispatcher.overloads[arguments]
    address = overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name)
    llvmlite.binding.add_symbol(symbol, address)

    def typed(typing: Any, *given: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            conv = context.call_conv
            function = builder.module.globals.get(symbol)
            if function is None:
                kind = conv.get_function_type(signature.return_type, signature.args)
                function = ir.Function(builder.module, kind, symbol)
            _, result = conv.call_function(
                builder, function, signature.return_type, signature.args, values
            )
            return result

        return overload.signature, generate

    # Numba counts the parameters of an intrinsic by its signature.
    names = ["typing", *(f"argument{index}" for index in range(len(arguments)))]
    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    typed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, positional) for name in names]
    )
    return intrinsic(typed)
