"""The CUDA face of a kernel: machine code for a GPU. The one place that configures numba-cuda.

A kernel becomes a *device function*, which other code on the GPU calls. ``compile_program`` makes a
*program* of one that a whole batch runs, one thread for each match, and that the CPU launches.

Imports numba-cuda, Watermeet's extra cuda, so import this module only when something is
compiled for a GPU; no GPU is needed for that.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks NumPy 2.5 for it, where it is gone.
    setattr(np, "row_stack", np.vstack)  # noqa: B010 - or the linter would rename it

from llvmlite import ir
from numba import types as numba_types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature
from numba.core.types.misc import unliteral
from numba.cuda import dispatcher, typing
from numba.cuda.compiler import CUDACompiler, CUDAFlags, compile_extra, kernel_fixup
from numba.cuda.cudadrv import nvvm
from numba.cuda.descriptor import cuda_target
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.target import CUDACallConv, CUDATargetContext
from numba.cuda.utils import numba_target_override

from watermeet.core.diagnosis import CUDA, diagnose_call
from watermeet.core.errors import InvalidKernel

Capability = tuple[int, int]

_OPTIONS = {"opt": 3, "fma": False}
"""Of NVVM. A fused multiply-add rounds once instead of twice, so chance could turn out differently
than on the CPU, once in a very long while."""
_GLOBAL_MEMORY = 1
"""LLVM's number for the memory that every thread can address."""


class _Context(CUDATargetContext):  # type: ignore[misc]
    """numba-cuda's context, but tables lie in global memory.

    Constant memory has room for 64 kB, and serves one address at a time, while each of our threads
    reads another entry.
    """

    def __init__(self, shared: CUDATargetContext) -> None:
        self.__dict__ = shared.__dict__

    def make_constant_array(self, builder: Any, array_type: Any, array: Any) -> Any:
        """A table that code refers to."""
        content = bytearray(array.tobytes())
        name = f"table_{hashlib.sha256(content).hexdigest()[:16]}"  # All code shares it.
        variable = builder.module.globals.get(name)
        if variable is None:
            constant = ir.Constant(ir.ArrayType(ir.IntType(8), len(content)), content)
            variable = ir.GlobalVariable(
                builder.module, constant.type, name, addrspace=_GLOBAL_MEMORY
            )
            variable.linkage, variable.global_constant = "linkonce_odr", True
            variable.initializer, variable.align = constant, 16
        address = builder.addrspacecast(variable, ir.PointerType(ir.IntType(8)), "generic")
        made = self.make_array(array_type)(self, builder)
        item = array.dtype.itemsize
        strides = array.astype(array.dtype, order="C").strides
        self.populate_array(
            made,
            data=builder.bitcast(address, made.data.type),
            shape=[self.get_constant(numba_types.intp, each) for each in array.shape],
            strides=[self.get_constant(numba_types.intp, each) for each in strides],
            itemsize=self.get_constant(numba_types.intp, item),
            parent=made.parent,
            meminfo=None,
        )
        return made._getvalue()


_context = _Context(cuda_target.target_context)
_capability: Capability = (9, 0)


class DeviceFunction(CUDADispatcher):  # type: ignore[misc]
    """Compiles a kernel for the code on the GPU that calls it."""

    def __init__(self, function: types.FunctionType, *, is_inlined: bool) -> None:
        super().__init__(function, {"device": True, "opt": True})
        self._is_inlined = is_inlined

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The type of a call, whose arguments may have to be converted."""
        pysig, args = self.fold_argument_types(args, kws)
        args = tuple(map(_general, args))
        self.compile_device(args)
        template = typing.make_concrete_template(
            self.__name__, key=self.__name__, signatures=[self.overloads[args].signature]
        )
        return template, pysig, args, {}

    def compile_device(self, args: Any, return_type: Any = None) -> Any:
        """Translate the kernel for these argument types."""
        if args not in self.overloads:
            result = _compile(self.py_func, args, return_type)
            if not self._is_inlined:
                # NVVM would optimise it again in every place that calls it, for a long time.
                code = result.library.get_function(result.fndesc.llvm_func_name)
                code.attributes.add("noinline")
            self.overloads[args] = result
            _context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return self.overloads[args]


def _general(given: Any) -> Any:
    """The type that stands for a type; see ``watermeet.core.dispatchers``."""
    general = unliteral(given)
    is_signed = isinstance(general, numba_types.Integer) and general.signed
    return numba_types.int64 if is_signed else general


def _compile(function: types.FunctionType, args: Any, return_type: Any) -> Any:
    flags = CUDAFlags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.error_model = "numpy"
    flags.nvvm_options = _OPTIONS
    flags.compute_capability = _capability
    with numba_target_override():
        result = compile_extra(
            typingctx=cuda_target.typing_context,
            targetctx=_context,
            func=function,
            args=args,
            return_type=return_type,
            flags=flags,
            locals={},
            pipeline_class=CUDACompiler,
            call_conv=CUDACallConv(_context),
        )
    result.library.finalize()
    return result


class _Device(NamedTuple):
    compute_capability: Capability


@contextmanager
def _without_a_device() -> Iterator[None]:
    """Have numba-cuda compile functions of its own for the capability that ours are compiled for.

    It would ask the driver which GPU is there.
    """
    ask = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: _Device(_capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = ask


class Program(NamedTuple):
    """A kernel compiled for launching."""

    name: str
    ptx: bytes


def translate(program: Any, signature: tuple[str, ...], capability: Capability) -> Any:
    """Translate a kernel that returns nothing, and all that it calls, to LLVM's language.

    ``signature`` has the types of its arguments, in Numba's notation. Raises InvalidKernel if that
    fails, or if the code calls what a GPU doesn't have.
    """
    global _capability  # noqa: PLW0603 - what the device functions are compiled for
    with global_compiler_lock, _without_a_device():
        _capability = capability
        arguments, _ = normalize_signature(f"({', '.join(signature)},)")
        function = program.cuda_function()
        try:
            result = _compile(function, arguments, numba_types.void)
        except InvalidKernel:
            raise
        except Exception as error:
            raise program.diagnosis(error, CUDA) from error
    _require_complete(program, result)
    return result


_EXACT = frozenset(
    f"__nv_{name}"
    for name in (
        "abs", "ceil", "clz", "clzll", "copysign", "fabs", "floor", "fmax", "fmin", "fmod",
        "isinfd", "isnand", "llabs", "llmax", "llmin", "max", "min", "popc", "popcll", "rint",
        "round", "sqrt", "trunc",
    )
)  # fmt: skip
"""NVIDIA's functions that give the bits that a CPU gives."""


def _require_complete(program: Any, result: Any) -> None:
    """Raise InvalidKernel if code calls a function that isn't there, or that rounds differently."""
    modules = result.library.modules
    functions = [each for module in modules for each in module.functions]
    defined = {each.name for each in functions if not each.is_declaration}
    for name in sorted({each.name for each in functions} - defined - _EXACT):
        if not name.startswith("llvm."):
            names = {result.fndesc.llvm_func_name: program.python}
            for each in program.kernels_inside():
                for found in each.cuda.overloads.values():
                    names[found.fndesc.llvm_func_name] = each.python
            raise diagnose_call(name, map(str, modules), names, CUDA)


def compile_program(program: Any, signature: tuple[str, ...], capability: Capability) -> Program:
    """Compile such a kernel to the GPU's assembly language, by NVIDIA's compiler NVVM."""
    result = translate(program, signature, capability)
    name, library = result.fndesc.llvm_func_name, result.library
    library._entry_name = name
    code = library.get_function(name)
    kernel_fixup(code, False)
    nvvm.set_launch_bounds(code, None)
    return Program(name, library.get_asm_str(cc=capability).encode())
