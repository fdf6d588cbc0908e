"""Intrinsics: functions that kernels call and that each face of a kernel implements its own way."""

from __future__ import annotations

from functools import cached_property
from typing import Any


class Intrinsic:
    """A function that is called as plain Python, and replaced in compiled kernels.

    A subclass defines ``__call__`` for plain Python and ``make_native`` for Numba; ``make_cuda``,
    too, unless a GPU does the same.
    """

    def make_native(self) -> Any:
        """Numba's implementation; imports Numba, so nothing calls this before it compiles."""
        raise NotImplementedError

    @cached_property
    def native(self) -> Any:
        """What compiled kernels call instead."""
        return self.make_native()

    def make_cuda(self) -> Any:
        """numba-cuda's implementation."""
        return self.make_native()

    @cached_property
    def cuda(self) -> Any:
        """What kernels on a GPU call instead."""
        return self.make_cuda()
