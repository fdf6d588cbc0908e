"""Scratch memory of a kernel: an array on the stack, and the same array in rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.intrinsic import Intrinsic
from watermeet.core.kernel_laws import COLUMNS_MUST_BE_CONSTANT, SIZE_MUST_BE_CONSTANT

Scratch = npt.NDArray[np.int32]

_POISON = -0x0BADBAD
"""Fills fresh scratch memory in plain Python, so that a read before the first write shows."""


class _Scratch(Intrinsic):
    """See ``scratch``."""

    def __call__(self, size: int) -> Scratch:
        return np.full(size, _POISON, dtype=np.int32)

    def make_native(self) -> Any:
        from numba.core import cgutils, types
        from numba.core.errors import TypingError
        from numba.core.extending import intrinsic

        def typed(typing: Any, size: Any) -> Any:
            if not isinstance(size, types.IntegerLiteral):
                raise TypingError(SIZE_MUST_BE_CONSTANT)
            array = types.Array(types.int32, 1, "C")

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                word = context.get_data_type(types.int32)
                start = cgutils.alloca_once(builder, word, size=size.literal_value)
                length = context.get_constant(types.intp, size.literal_value)
                step = context.get_constant(types.intp, 4)
                made = context.make_array(array)(context, builder)
                context.populate_array(
                    made, data=start, shape=[length], strides=[step], itemsize=step, meminfo=None
                )
                return made._getvalue()

            return array(size), generate

        return intrinsic(prefer_literal=True)(typed)


class _InRows(Intrinsic):
    """See ``in_rows``."""

    def __call__(self, array: npt.NDArray[Any], columns: int) -> npt.NDArray[Any]:
        return array.reshape(-1, columns)

    def make_native(self) -> Any:
        from numba.core import types
        from numba.core.errors import TypingError
        from numba.core.extending import intrinsic

        def typed(typing: Any, array: Any, columns: Any) -> Any:
            if not isinstance(columns, types.IntegerLiteral) or array.ndim != 1:
                raise TypingError(COLUMNS_MUST_BE_CONSTANT)
            rows = types.Array(array.dtype, 2, "C")

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                flat = context.make_array(array)(context, builder, arguments[0])
                width = context.get_constant(types.intp, columns.literal_value)
                length = builder.extract_value(flat.shape, 0)
                made = context.make_array(rows)(context, builder)
                context.populate_array(
                    made,
                    data=flat.data,
                    shape=[builder.sdiv(length, width), width],
                    strides=[builder.mul(width, flat.itemsize), flat.itemsize],
                    itemsize=flat.itemsize,
                    meminfo=None,
                )
                return made._getvalue()

            return rows(array, columns), generate

        return intrinsic(prefer_literal=True)(typed)


scratch = _Scratch()
"""``scratch(SIZE)`` gives a kernel an array of 32-bit integers that is gone when it returns.

The array lies on the stack, so it costs nothing and every thread has its own. SIZE must be a
constant. The array is not initialised: write before you read. Pass it on, but never return it.
"""

in_rows = _InRows()
"""``in_rows(array, COLUMNS)`` is a flat array without gaps as a table, which shares its memory.

It stands for NumPy's ``reshape``, which Numba leaves to a C function that only CPUs have.
"""
