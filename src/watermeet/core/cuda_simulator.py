"""A GPU that isn't there: batches for one, run in plain Python by numba-cuda's simulator.

NUMBA_ENABLE_CUDASIM=1 turns it on, for tests of programs on machines without a GPU. It is slow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.cuda_device import Launch
from watermeet.core.intrinsic import THREADS
from watermeet.core.kernel import Kernel


class SimulatedArray(np.ndarray[Any, Any]):
    """What ``GpuArray`` is on a GPU."""

    @property
    def address(self) -> int:
        """Where it lies in memory."""
        return int(self.ctypes.data)

    def column(self, index: int) -> SimulatedArray:
        """One column of a matrix; the same memory."""
        return self[:, index].view(SimulatedArray)

    def numpy(self) -> npt.NDArray[Any]:
        """A copy."""
        return np.array(self)


class SimulatedGpu:
    """What ``Gpu`` is where there is one."""

    def zeros(
        self, shape: tuple[int, ...], dtype: npt.DTypeLike, *, by_row: bool = False
    ) -> SimulatedArray:
        """A new array."""
        return np.zeros(shape, dtype=dtype, order="C" if by_row else "F").view(SimulatedArray)

    def clearing(self, array: SimulatedArray) -> Launch:
        """Each call of the result fills an array with zeros."""
        return lambda: array.fill(0)

    def upload(self, array: npt.NDArray[Any], into: SimulatedArray | None = None) -> SimulatedArray:
        """A copy of an array."""
        target = self.zeros(array.shape, array.dtype) if into is None else into
        target[...] = array
        return target

    def wrap(self, array: Any) -> SimulatedArray | None:
        """An array that lies here."""
        return array if isinstance(array, SimulatedArray) else None

    def synchronize(self) -> None:
        """Do nothing: everything is done at once."""

    def prepare(self, kernel: Kernel[Any, Any], count: int, *arguments: Any) -> Launch:
        """Each call of the result runs a program with these arguments."""
        from numba import cuda

        plain = [_plain(each) for each in arguments]
        program = cuda.jit(lambda: kernel.python(*plain))
        launch: Launch = program[-(-count // THREADS), THREADS]
        return launch


def _plain(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return tuple(map(_plain, argument))
    return argument.view(np.ndarray) if isinstance(argument, SimulatedArray) else argument
