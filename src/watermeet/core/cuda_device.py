"""The GPU: its memory, and the programs that run there. Talks to the driver, by cuda-bindings.

Arrays lie *match-minor*: the same number of neighbouring matches side by side, as neighbouring
threads read them at the same time. So they are in Fortran order, and rows of them are strided.

Nothing here waits for the GPU but ``GpuArray.numpy`` and ``Gpu.synchronize``.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.errors import GpuFailed
from watermeet.core.intrinsic import THREADS
from watermeet.core.kernel import Kernel

Launch = Callable[[], None]

MANY = 131_072
"""From this many threads on, a GPU hides more waiting if more of them fit at a time."""
REGISTERS, FEWER_REGISTERS = 128, 64
"""How many a thread may use; with ``MANY`` threads, fewer."""
WARP, WARPS = 32, 8
"""The threads of a warp, and how many warps each multiprocessor should get before they are full."""


# ---- arrays -----------------------------------------------------------------------------------


class GpuArray:
    """An array in the memory of the GPU, which PyTorch, JAX and CuPy take without a copy.

    ``torch.from_dlpack(array)``, ``jax.dlpack.from_dlpack(array)`` and ``cupy.asarray(array)`` see
    the same memory. ``array.numpy()`` is a copy on the CPU.
    """

    def __init__(
        self,
        gpu: Gpu,
        address: int,
        shape: tuple[int, ...],
        dtype: npt.DTypeLike,
        strides: tuple[int, ...],
        owner: object,
    ) -> None:
        self._gpu, self.address, self.shape, self.strides = gpu, address, shape, strides
        self.dtype = np.dtype(dtype)
        self._owner = owner  # Keeps the memory allocated.

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of items."""
        return int(np.prod(self.shape, dtype=np.int64))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<GpuArray {self.dtype} {list(self.shape)}>"

    def column(self, index: int) -> GpuArray:
        """One column of a matrix; the same memory."""
        address = self.address + index * self.strides[1]
        return GpuArray(
            self._gpu, address, self.shape[:1], self.dtype, self.strides[:1], self._owner
        )

    def view(self, dtype: npt.DTypeLike) -> GpuArray:
        """The same memory as numbers of another type, of the same size."""
        return GpuArray(self._gpu, self.address, self.shape, dtype, self.strides, self._owner)

    def numpy(self) -> npt.NDArray[Any]:
        """A copy on the CPU; waits for the GPU."""
        return self._gpu.download(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        found = self.numpy()
        return found if dtype is None else found.astype(dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "strides": self.strides,
            "version": 3,
            "stream": 1,  # The legacy default stream, which everything here runs on.
        }

    def __dlpack__(self, **options: Any) -> Any:
        return self._gpu.view(self).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._gpu.view(self).__dlpack_device__()


def fortran_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides of an array whose first index runs fastest."""
    strides, step = [], itemsize
    for length in shape:
        strides.append(step)
        step *= length
    return tuple(strides)


# ---- the GPU ----------------------------------------------------------------------------------


class _Memory:
    """A piece of the GPU's memory, freed with the last array in it."""

    def __init__(self, driver: Any, size: int) -> None:
        self._driver = driver
        self.address = int(checked(driver.cuMemAlloc(max(1, size))))
        self.size = size

    def __del__(self) -> None:
        if hasattr(self, "address"):
            self._driver.cuMemFree(self.address)


def checked(answer: tuple[Any, ...]) -> Any:
    """The result of a call of the driver; raises if it failed."""
    error, *results = answer
    if int(error) != 0:
        raise GpuFailed(
            f"the GPU's driver reports {error.name}", "see NVIDIA's documentation of it"
        )
    return results[0] if results else None


class Gpu:
    """The first GPU of this machine. ``find_gpu`` returns it, or says what is missing."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        device = checked(driver.cuDeviceGet(0))
        context = checked(driver.cuDevicePrimaryCtxRetain(device))  # PyTorch's and JAX's, too.
        checked(driver.cuCtxSetCurrent(context))
        which = driver.CUdevice_attribute
        names = (
            which.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            which.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            which.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        )
        major, minor, self._processors = (
            checked(driver.cuDeviceGetAttribute(name, device)) for name in names
        )
        self.capability: tuple[int, int] = (major, minor)
        """The version of its instructions."""
        self._programs: dict[tuple[Kernel[Any, Any], str, int], tuple[Any, Any]] = {}

    def zeros(
        self, shape: tuple[int, ...], dtype: npt.DTypeLike, *, by_row: bool = False
    ) -> GpuArray:
        """A new array; ``by_row`` if each thread goes its own ways in its row."""
        itemsize = np.dtype(dtype).itemsize
        memory = _Memory(self._driver, itemsize * int(np.prod(shape, dtype=np.int64)))
        checked(self._driver.cuMemsetD8Async(memory.address, 0, memory.size, 0))
        strides = fortran_strides(shape, itemsize)
        if by_row:
            strides = fortran_strides(shape[::-1], itemsize)[::-1]
        return GpuArray(self, memory.address, shape, dtype, strides, memory)

    def clearing(self, array: GpuArray) -> Launch:
        """Each call of the result fills an array with zeros."""
        size = array.size * array.dtype.itemsize
        return lambda: checked(self._driver.cuMemsetD8Async(array.address, 0, size, 0))

    def upload(self, array: npt.NDArray[Any], into: GpuArray | None = None) -> GpuArray:
        """A copy of an array of the CPU, in a new array or in one of the same shape and type."""
        target = self.zeros(array.shape, array.dtype) if into is None else into
        source = np.asfortranarray(array, dtype=target.dtype)
        size = source.nbytes
        if size:
            checked(self._driver.cuMemcpyHtoD(target.address, source.ctypes.data, size))
        return target

    def download(self, array: GpuArray) -> npt.NDArray[Any]:
        """A copy of an array on the CPU."""
        made = np.zeros(array.shape, dtype=array.dtype, order="F")
        if array.strides != made.strides:
            made = np.zeros(array.shape, dtype=array.dtype)
        assert array.strides == made.strides, "a whole array, or a column of one"
        if made.nbytes:
            checked(self._driver.cuMemcpyDtoH(made.ctypes.data, array.address, made.nbytes))
        return made

    def view(self, array: GpuArray) -> Any:
        """What exports an array by DLPack."""
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView.from_cuda_array_interface(array, stream_ptr=-1)

    def wrap(self, array: Any) -> GpuArray | None:
        """An array of another library that lies on the GPU, without a copy; None if it doesn't."""
        if isinstance(array, GpuArray):
            return array
        found = getattr(array, "__cuda_array_interface__", None)
        if found is None:
            return None
        dtype, shape = np.dtype(found["typestr"]), tuple(found["shape"])
        strides = found.get("strides") or np.empty(shape, dtype).strides
        return GpuArray(self, found["data"][0], shape, dtype, tuple(strides), array)

    def synchronize(self) -> None:
        """Wait until the GPU has done everything."""
        checked(self._driver.cuCtxSynchronize())

    def prepare(self, kernel: Kernel[Any, Any], count: int, *arguments: Any) -> Launch:
        """Compile a program if need be; each call of the result runs it with these arguments.

        Arguments are arrays, numbers, and tuples of them.
        """
        registers = REGISTERS if count < MANY else FEWER_REGISTERS
        function = self._function_of(kernel, tuple(map(type_text, arguments)), registers)
        values = [each for argument in arguments for each in _parameters(argument)]
        addresses = (ctypes.c_void_p * len(values))(*(ctypes.addressof(each) for each in values))
        # Threads of a warp that branch differently wait for each other: with few, spread them.
        spread = max(1, count // (WARPS * self._processors))
        threads = spread if spread < WARP else THREADS
        start, blocks = ctypes.addressof(addresses), -(-count // threads)
        launch = self._driver.cuLaunchKernel

        def run(keep: Any = (values, addresses, arguments)) -> None:
            checked(launch(function, blocks, 1, 1, threads, 1, 1, 0, 0, start, 0))

        return run

    def _function_of(self, kernel: Kernel[Any, Any], types: tuple[str, ...], registers: int) -> Any:
        key = (kernel, " ".join(types), registers)
        if key not in self._programs:
            name, ptx = load_program(kernel, types, self.capability)
            limit = self._driver.CUjit_option.CU_JIT_MAX_REGISTERS
            code = ptx + b"\0"
            module = checked(self._driver.cuModuleLoadDataEx(code, 1, [limit], [registers]))
            function = checked(self._driver.cuModuleGetFunction(module, name.encode()))
            self._programs[key] = (module, function)
        return self._programs[key][1]


def type_text(argument: Any) -> str:
    """The type of an argument in Numba's notation."""
    if isinstance(argument, bool | int | float):
        return {bool: "boolean", int: "int64", float: "float64"}[type(argument)]
    if isinstance(argument, tuple):
        return f"Tuple(({', '.join(map(type_text, argument))},))"
    name = "boolean" if argument.dtype == np.bool_ else argument.dtype.name
    colons = ",".join(":" * argument.ndim)
    shape, itemsize = argument.shape, argument.dtype.itemsize
    if argument.strides == fortran_strides(shape, itemsize):
        colons = "::1" if argument.ndim == 1 else "::1" + colons[1:]
    elif argument.strides == fortran_strides(shape[::-1], itemsize)[::-1]:
        colons += ":1"
    return f"{name}[{colons}]"


def _parameters(argument: Any) -> list[Any]:
    """An argument as compiled code takes it."""
    if isinstance(argument, bool | int | float):
        kinds: dict[type, Any] = {bool: ctypes.c_bool, int: ctypes.c_int64, float: ctypes.c_double}
        return [kinds[type(argument)](argument)]
    if isinstance(argument, tuple):
        return [each for item in argument for each in _parameters(item)]
    numbers = (
        0, 0, argument.size, argument.dtype.itemsize, argument.address,
        *argument.shape, *argument.strides,
    )  # fmt: skip
    return [ctypes.c_int64(number) for number in numbers]


def load_program(
    kernel: Kernel[Any, Any], types: tuple[str, ...], capability: tuple[int, int]
) -> tuple[str, bytes]:
    """The name and the code of a program, compiled now or read from disk."""
    file = _cache_file(kernel, types, capability)
    if file is not None and file.exists():
        name, _, ptx = file.read_bytes().partition(b"\n")
        return name.decode(), ptx
    from watermeet.core.cuda import compile_program

    program = compile_program(kernel, types, capability)
    if file is not None:
        partial = file.with_suffix(f".{os.getpid()}")
        partial.write_bytes(program.name.encode() + b"\n" + program.ptx)
        partial.replace(file)
    return program


def _cache_file(
    kernel: Kernel[Any, Any], types: tuple[str, ...], capability: tuple[int, int]
) -> Path | None:
    base = kernel.cache_file()
    if base is None:
        return None
    digest = hashlib.sha256(repr((types, capability)).encode()).hexdigest()[:12]
    return base.with_name(f"{base.name}-{digest}.ptx")
