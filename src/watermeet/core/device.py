"""Where batches are: the CPU or a GPU, with the same few methods.

``watermeet.core.cuda_device`` describes what they do on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.checks import quote
from watermeet.core.cuda_batch import find_gpu
from watermeet.core.cuda_device import Gpu, Launch
from watermeet.core.errors import InvalidArgument
from watermeet.core.kernel import Kernel


class Cpu:
    """What ``Gpu`` is where there is none: arrays are NumPy's, and programs are kernels."""

    def zeros(
        self, shape: tuple[int, ...], dtype: npt.DTypeLike, *, by_row: bool = False
    ) -> npt.NDArray[Any]:
        """A new array."""
        return np.zeros(shape, dtype=dtype)

    def upload(
        self, array: npt.NDArray[Any], into: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]:
        """A copy of an array, in a new array or in one of the same shape."""
        target = np.empty_like(array) if into is None else into
        target[...] = array
        return target

    def wrap(self, array: Any) -> npt.NDArray[Any]:
        """An array of another library."""
        return np.asarray(array)

    def prepare(self, kernel: Kernel[Any, Any], count: int, *arguments: Any) -> Launch:
        """Each call of the result runs a kernel with these arguments."""
        return lambda: kernel(*arguments)

    def synchronize(self) -> None:
        """Do nothing: everything is done when it returns."""


Device = Cpu | Gpu


def find_device(name: str) -> Device:
    """The device of a name; raises InvalidArgument, and NotInstalled if there is no GPU."""
    if name == "cpu":
        return Cpu()
    if name == "cuda":
        return find_gpu()
    raise InvalidArgument(f"{quote(name)} isn't a device", "choose 'cpu' or 'cuda'")
