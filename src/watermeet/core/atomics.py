"""What kernels of several threads need that work on the same arrays: numbers changed in one step.

Each runs as plain Python, where such kernels have one thread, and ``watermeet.core.kernel`` puts
something else in its place in compiled code. Places are counted through all rows of an array.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt


class _Exchange:
    """``exchange``: see there."""

    def __call__(self, array: npt.NDArray[Any], place: int, value: int | np.integer[Any]) -> int:
        flat = array.reshape(-1)
        before = int(flat[place])
        flat[place] = value
        return before


exchange = _Exchange()
"""``exchange(array, place, value)`` writes a number and returns what was there, in one step.

No other thread can write in between, and who sees it sees also what was written before it.
"""


class _Add:
    """``add``: see there."""

    def __call__(self, array: npt.NDArray[Any], place: int, amount: float) -> Any:
        flat = array.reshape(-1)
        before = flat[place]
        flat[place] = before + amount
        return before


add = _Add()
"""``add(array, place, amount)``: as ``exchange``, but adds, and nobody's addition is lost."""


class _Load:
    """``load``: see there."""

    def __call__(self, array: npt.NDArray[Any], place: int) -> Any:
        return array.reshape(-1)[place]


load = _Load()
"""``load(array, place)`` reads a number that another thread may ``exchange``.

What that thread wrote before is there for whatever is read later; some machines would not keep to
that order by themselves.
"""


@cache
def _compiled_load() -> Any:
    """What stands for ``load`` in compiled code."""
    from numba.core import types
    from numba.core.extending import intrinsic

    def loaded(typing: Any, array: Any, place: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(array)(context, builder, arguments[0]).data
            where = builder.gep(data, [arguments[1]])
            return builder.load_atomic(where, "acquire", array.dtype.bitwidth // 8)

        return array.dtype(array, types.intp), make

    return intrinsic(loaded)


@cache
def _compiled_exchange() -> Any:
    """What stands for ``exchange`` in compiled code."""
    return _in_one_step(lambda _: "xchg")


@cache
def _compiled_add() -> Any:
    """What stands for ``add`` in compiled code."""
    from numba.core import types

    return _in_one_step(lambda kind: "fadd" if isinstance(kind, types.Float) else "add")


def _in_one_step(operation: Callable[[Any], str]) -> Any:
    from numba.core import types
    from numba.core.extending import intrinsic

    def exchanged(typing: Any, array: Any, place: Any, value: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(array)(context, builder, arguments[0]).data
            where = builder.gep(data, [arguments[1]])
            return builder.atomic_rmw(operation(array.dtype), where, arguments[2], "seq_cst")

        return array.dtype(array, types.intp, array.dtype), make

    return intrinsic(exchanged)


COMPILED: dict[object, Callable[[], Any]] = {
    exchange: _compiled_exchange,
    add: _compiled_add,
    load: _compiled_load,
}
"""What stands for each in compiled code."""
