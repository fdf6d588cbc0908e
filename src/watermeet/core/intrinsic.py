"""Intrinsics: functions that kernels call and that each face of a kernel implements its own way."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any

from watermeet.core.fingerprint import Fingerprinted, describe_all, source_of

THREADS = 64
"""Threads in a block on a GPU. Kernels need many registers, and large blocks would waste some."""


class Intrinsic(Fingerprinted):
    """A function that is called as plain Python, and replaced in compiled kernels.

    A subclass defines ``__call__`` for plain Python and ``make_native`` for Numba. It defines
    ``make_cuda`` and ``make_wasm``, too, unless a GPU or a browser does the same.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of the file that its class is in, and of what it was made with."""
        faces = "native", "cuda", "wasm"
        made_with = [(name, each) for name, each in vars(self).items() if name not in faces]
        return describe_all(source_of(type(self).__module__), made_with)

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

    def make_wasm(self) -> Any:
        """Numba's implementation for a browser."""
        return self.native

    @cached_property
    def wasm(self) -> Any:
        """What kernels in a browser call instead."""
        return self.make_wasm()


class _OnGpu(Intrinsic):
    """See ``on_gpu``."""

    def __call__(self) -> bool:
        return hasattr(threading.current_thread(), "blockIdx")  # One of numba-cuda's simulator.

    def make_native(self) -> Any:
        return _constant("boolean", False)

    def make_cuda(self) -> Any:
        return _constant("boolean", True)


class _Thread(Intrinsic):
    """See ``thread``."""

    def __call__(self) -> int:
        current: Any = threading.current_thread()
        if not hasattr(current, "blockIdx"):
            return 0
        return int(current.blockIdx.x * THREADS + current.threadIdx.x)

    def make_native(self) -> Any:
        return _constant("int64", 0)

    def make_cuda(self) -> Any:
        from numba import cuda

        from watermeet.core.cuda import DeviceFunction

        number: Any = lambda: cuda.grid(1)  # noqa: E731 - a DeviceFunction takes a function
        return DeviceFunction(number, is_inlined=True)


def _constant(type_name: str, value: int) -> Any:
    from numba.core import types
    from numba.core.extending import intrinsic

    kind = getattr(types, type_name)

    def typed(typing: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.get_constant(kind, value)

        return kind(), generate

    return intrinsic(typed)


on_gpu = _OnGpu()
"""``on_gpu()`` tells a kernel whether it runs on a GPU, for code that must suit one to be fast.

The results must be the same; nothing checks that but the comparison of all faces.
"""

thread = _Thread()
"""``thread()`` is the number of the thread on a GPU that runs a kernel, counted from 0; else 0."""
