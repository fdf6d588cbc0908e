"""How kernels are compiled: each one that something outside calls once, with all that it inlines.

Numba's own dispatcher makes a finished program of every function: optimised, turned into machine
code, with a wrapper for Python, stored on disk. A kernel that only other kernels call needs none of
that: its callers optimise it again together with their own code. So there are two dispatchers here.
``Entry`` is for a kernel that Python calls or that is linked by name; ``Inlined`` is for those it
calls, which are translated to LLVM's language and handed over as they are.

Imports Numba, so import this module only when something is compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from filelock import FileLock
from llvmlite.binding import Linkage
from numba.core import compiler, cpu, dispatcher, typing
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typed_passes import AnnotateTypes, DumpParforDiagnostics
from numba.core.types import Function, Integer, int64
from numba.core.types.misc import unliteral
from numba.core.typing import make_concrete_template
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    RewriteDynamicRaises,
    WithLifting,
)
from numba.cpython.builtins import cast_int

_UNNEEDED = (
    AnnotateTypes,
    DumpParforDiagnostics,
    FindLiterallyCalls,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    RewriteDynamicRaises,
    WithLifting,
)
"""Passes of Numba for what kernels don't use: reports, parallel loops, loops over mixed tuples."""

BUILTINS = {"int": cast_int}
"""What compiled kernels call instead of Python's own functions. Numba has the same, but compiles it
as a function that is called and inlined every time, a thousand times in our kernels."""


@contextmanager
def without_collecting() -> Iterator[None]:
    """Stop the garbage collector, which would search the compiler's many objects in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler without the passes that kernels don't need."""

    def define_pipelines(self) -> list[PassManager]:
        chosen = PassManager("kernel")
        given = DefaultPassBuilder.define_nopython_pipeline(self.state)
        chosen.passes = [each for each in given.passes if each[0] not in _UNNEEDED]
        chosen.finalize()
        return [chosen]


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel; that of the kernels it inlines is linked in once, at the end."""

    def finalize(self) -> None:
        self._linking_libraries = [*all_linked(self)]
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Nobody else calls them, so those that are called once are always inlined.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class _InlinedLibrary(_Library):
    """Code that is never run where it is, only in what it is linked into."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True


def all_linked(library: Any) -> dict[Any, None]:
    """The libraries that a library links, and all that the inlined ones among them link.

    Callers come before what they call: code that nothing has called yet is left out when it is
    linked, and would be missing afterwards.
    """
    finished: dict[Any, None] = {}

    def visit(each: Any) -> None:
        for inner in each._linking_libraries:
            if inner not in finished:
                if isinstance(inner, _InlinedLibrary):
                    visit(inner)
                finished[inner] = None

    visit(library)
    return dict.fromkeys(reversed(finished))


class _Typing(typing.Context):  # type: ignore[misc]
    """Numba's typing context, but it remembers the types of operators and built-in functions.

    Numba tries dozens of candidates for every single addition, and reads all registries again for
    every function; reading them once for each entry is enough.
    """

    _known: ClassVar[dict[Any, Any]] = {}

    def __init__(self, shared: typing.Context) -> None:
        self.__dict__ = shared.__dict__

    def refresh(self) -> None:
        """Do nothing: whoever compiles an entry has done it."""

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        called = func.typing_key if type(func) is Function else func
        if kws or getattr(called, "__module__", "") not in ("_operator", "builtins"):
            return super().resolve_function_type(func, args, kws)
        key = func, args
        found = self._known.get(key) or super().resolve_function_type(func, args, kws)
        self._known[key] = found
        return found


class _Context(cpu.CPUContext):  # type: ignore[misc]
    """Numba's context of code for this processor, without reading its registries every time."""

    def __init__(self, shared: cpu.CPUContext) -> None:
        self.__dict__ = shared.__dict__

    def refresh(self) -> None:
        """Do nothing, as above."""


_typing = _Typing(cpu_target.typing_context)
_context = _Context(cpu_target.target_context)


class _FunctionCompiler(dispatcher._FunctionCompiler):  # type: ignore[misc,name-defined]
    """Compiles into a library of our own."""

    def __init__(self, function: Any, options: dict[str, Any], library: type[_Library]) -> None:
        super().__init__(function, cpu_target, options, {}, _Compiler)
        self._library = library

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = self._library is _InlinedLibrary
        library = self._library(_context.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        return compiler.compile_extra(
            _typing,
            _context,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=library,
            pipeline_class=self.pipeline_class,
        )


_OPTIONS = {
    "nopython": True,
    "boundscheck": None,
    "nogil": True,
    # Without Numba's runtime no array is reference-counted when it is passed on. That makes kernels
    # several times faster, and is why they may not allocate.
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "error_model": "numpy",
}


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    """How compiled code is stored; Numba's own also looks for a place to store it."""

    def __init__(self) -> None:
        self._locator = self  # Code is stored where the cache says; see ensure_cache_path.

    def ensure_cache_path(self) -> None:
        """Do nothing: the folder was made when it was chosen."""

    def check_cachable(self, data: Any) -> bool:
        return not (data.lifted or data.library.has_dynamic_globals)


class _Cache(FunctionCache):  # type: ignore[misc]
    """The machine code of one kernel on disk.

    Numba's own cache is named by the place of the source and valid until that file changes. The
    name of this one holds the fingerprint, so it is valid as long as it exists.
    """

    def __init__(self, function: Any, file: Path) -> None:
        self._name, self._py_func = repr(function), function
        self._impl = _CacheImpl()
        self._cache_path = str(file.parent)
        self._cache_file = IndexDataCacheFile(self._cache_path, file.name, source_stamp=None)
        self._lock_file = file.with_name(f"{file.name}.lock")
        self.enable()

    @contextmanager
    def alone(self, sig: Any, context: Any) -> Iterator[None]:
        """Let other processes wait until this one has compiled what isn't stored yet."""
        if self._index_key(sig, context.codegen()) in self._cache_file._load_index():
            yield
            return
        with FileLock(self._lock_file):
            yield


class Entry(CPUDispatcher):  # type: ignore[misc]
    """Compiles a kernel that Python calls, or that other kernels call without inlining it."""

    def __init__(self, function: Any, cache: Path | None) -> None:
        super().__init__(function, targetoptions=_OPTIONS)
        self._compiler = _FunctionCompiler(function, _OPTIONS, _Library)
        self._stored = None if cache is None else _Cache(function, cache)
        if self._stored:
            self._cache = self._stored

    def compile(self, sig: Any) -> Any:
        """Compile the kernel for these argument types, or read it from disk."""
        with global_compiler_lock, without_collecting():
            self.targetctx.refresh()
            if self._stored is None:
                return super().compile(sig)
            with self._stored.alone(sig, self.targetctx):
                return super().compile(sig)


class Inlined(CPUDispatcher):  # type: ignore[misc]
    """Translates a kernel for the kernels that call it; it can't be called from Python."""

    def __init__(self, function: Any) -> None:
        options = {**_OPTIONS, "no_cpython_wrapper": True}
        super().__init__(function, targetoptions=options)
        self._compiler = _FunctionCompiler(function, options, _InlinedLibrary)
        self._keys: dict[Any, object] = {}

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The type of a call, whose arguments may have to be converted."""
        pysig, args = self._compiler.fold_argument_types(args, kws)
        args = tuple(map(_general, args))
        self.compile(args)
        template = make_concrete_template(
            self.__name__, key=self.__name__, signatures=[self.overloads[args].signature]
        )
        return template, pysig, args, {}

    def compile(self, sig: Any) -> None:
        """Translate the kernel for these argument types."""
        if sig not in self.overloads:
            result = self._compiler.compile(sig, None)
            self.overloads[sig] = result
            self._keys[sig] = object()
            self.targetctx.insert_user_function(self._keys[sig], result.fndesc, [result.library])

    def get_overload(self, sig: Any) -> object:
        """By what Numba finds the code for these argument types."""
        return self._keys[tuple(sig)]


def _general(given: Any) -> Any:
    """The type that stands for a type, so that a kernel is not translated again for each literal.

    Arithmetic has 64 bits anyway; only where a number is stored do the types of integers matter.
    """
    general = unliteral(given)
    return int64 if isinstance(general, Integer) and general.signed else general  # type: ignore[attr-defined]
