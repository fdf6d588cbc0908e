"""A GPU that isn't there, at the speed of native code: its programs, compiled for this machine.

numba-cuda's simulator runs programs as plain Python, so that only a few short matches can be
afforded. Here, kernels see what they see on a GPU (``on_gpu()`` is true, ``thread()`` counts), but
are compiled by Numba for the CPU, and threads run one after the other. What a GPU's own compiler
makes of a program is only seen on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.cuda_device import Launch
from watermeet.core.cuda_simulator import SimulatedArray, SimulatedGpu
from watermeet.core.intrinsic import Intrinsic, on_gpu, thread
from watermeet.core.kernel import Kernel
from watermeet.core.references import copy_function, referenced_values

SYMBOL = "watermeet_tests_thread"
_number = np.zeros(1, dtype=np.int64)
"""The number of the thread that runs."""


class _Yes(Intrinsic):
    def __call__(self) -> bool:
        return True

    def make_native(self) -> Any:
        return on_gpu.make_cuda()


class _Number(Intrinsic):
    def __call__(self) -> int:
        return int(_number[0])

    def make_native(self) -> Any:
        import llvmlite.binding
        from llvmlite import ir
        from numba.core import types
        from numba.core.extending import intrinsic

        # By name, because code that is read from the cache has another number's address in it.
        llvmlite.binding.add_symbol(SYMBOL, _number.ctypes.data)

        def typed(typing: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                word = ir.IntType(64)
                found = builder.module.globals.get(SYMBOL)
                return builder.load(found or ir.GlobalVariable(builder.module, word, SYMBOL))

            return types.int64(), generate

        return intrinsic(typed)


_SEEN = {id(on_gpu): _Yes(), id(thread): _Number()}
_copies: dict[int, Kernel[Any, Any]] = {}


def as_on_a_gpu(kernel: Kernel[Any, Any]) -> Kernel[Any, Any]:
    """A kernel that sees what it sees on a GPU, in all that it calls."""
    if id(kernel) not in _copies:
        name = f"{kernel.__qualname__}__as_on_a_gpu"
        _copies[id(kernel)] = Kernel(copy_function(kernel.python, _seen, name))
    return _copies[id(kernel)]


def _seen(value: Any) -> Any:
    if isinstance(value, Kernel):
        inside = (each for one in value.kernels_inside() for each in referenced_values(one.python))
        return as_on_a_gpu(value) if any(id(each) in _SEEN for each in inside) else value
    return _SEEN.get(id(value), value)


class NativeGpu(SimulatedGpu):
    """Runs programs natively, thread after thread."""

    def zeros(
        self, shape: tuple[int, ...], dtype: npt.DTypeLike, *, by_row: bool = False
    ) -> SimulatedArray:
        """A new array; all lie row by row, as the games' native kernels want them."""
        return super().zeros(shape, dtype, by_row=True)

    def prepare(self, kernel: Kernel[Any, Any], count: int, *arguments: Any) -> Launch:
        """Each call of the result runs a program with these arguments."""
        program = as_on_a_gpu(kernel)
        given = [np.asarray(each) if np.ndim(each) else each for each in arguments]

        def launch() -> None:
            for number in range(count):
                _number[0] = number
                program(*given)

        return launch
