"""Atomic operations, for kernels whose threads share an array.

In plain Python such kernels have one thread, and these are ordinary reads and writes. ``index``
counts through all rows of an array.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from watermeet.core.intrinsic import Intrinsic


class _Exchange(Intrinsic):
    """See ``exchange``."""

    def __call__(self, array: npt.NDArray[Any], index: int, value: int | np.integer[Any]) -> int:
        flat = array.reshape(-1)
        before = int(flat[index])
        flat[index] = value
        return before

    def make_native(self) -> Any:
        return _read_modify_write("xchg", "xchg")

    def make_cuda(self) -> Any:
        return _device_function(_exchange)


class _Add(Intrinsic):
    """See ``add``."""

    def __call__(self, array: npt.NDArray[Any], index: int, amount: float) -> Any:
        flat = array.reshape(-1)
        before = flat[index]
        flat[index] = before + amount
        return before

    def make_native(self) -> Any:
        return _read_modify_write("add", "fadd")

    def make_cuda(self) -> Any:
        return _device_function(_add)


class _Load(Intrinsic):
    """See ``load``."""

    def __call__(self, array: npt.NDArray[Any], index: int) -> Any:
        return array.reshape(-1)[index]

    def make_native(self) -> Any:
        from numba.core import types
        from numba.core.extending import intrinsic

        def typed(typing: Any, array: Any, index: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                address = _address(context, builder, array, arguments)
                return builder.load_atomic(address, "acquire", array.dtype.bitwidth // 8)

            return array.dtype(array, types.intp), generate

        return intrinsic(typed)

    def make_cuda(self) -> Any:
        return _device_function(_load)


# On a GPU every thread has arrays of its own.


def _exchange(array: Any, index: Any, value: Any) -> Any:
    before = array[index]
    array[index] = value
    return before


def _add(array: Any, index: Any, amount: Any) -> Any:
    before = array[index]
    array[index] = before + amount
    return before


def _load(array: Any, index: Any) -> Any:
    return array[index]


def _device_function(function: Callable[..., Any]) -> Any:
    from watermeet.core.cuda import DeviceFunction

    return DeviceFunction(cast("FunctionType", function), is_inlined=True)


def _read_modify_write(integer_operation: str, float_operation: str) -> Any:
    from numba.core import types
    from numba.core.extending import intrinsic

    def typed(typing: Any, array: Any, index: Any, value: Any) -> Any:
        is_float = isinstance(array.dtype, types.Float)
        operation = float_operation if is_float else integer_operation

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address = _address(context, builder, array, arguments)
            return builder.atomic_rmw(operation, address, arguments[2], "seq_cst")

        return array.dtype(array, types.intp, array.dtype), generate

    return intrinsic(typed)


def _address(context: Any, builder: Any, array: Any, arguments: Any) -> Any:
    data = context.make_array(array)(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])


exchange = _Exchange()
"""``exchange(array, index, value)`` writes a value and returns the previous one, atomically.

A thread that sees the value also sees everything written before it.
"""

add = _Add()
"""``add(array, index, amount)`` adds an amount and returns the previous value, atomically."""

load = _Load()
"""``load(array, index)`` reads a value that another thread may ``exchange``.

What that thread wrote before the exchange is visible to every later read, on every machine.
"""
