"""Scratch memory of a kernel: an array on the stack."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.intrinsic import Intrinsic

Scratch = npt.NDArray[np.int32]

_POISON = -0x0BADBAD
"""Fills fresh scratch memory in plain Python, so that a read before the first write shows."""

SIZE_MUST_BE_CONSTANT = "scratch takes a constant size"


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


scratch = _Scratch()
"""``scratch(SIZE)`` gives a kernel an array of 32-bit integers that is gone when it returns.

The array lies on the stack, so it costs nothing and every thread has its own. SIZE must be a
constant. The array is not initialised: write before you read. Pass it on, but never return it.
"""
