"""Kernels: functions on flat arrays, written once in Python, with four faces.

``@kernel`` gives a function a plain face, the Python it is written in; a native one, compiled for
this machine; one for GPUs; and one for browsers. Nothing is compiled, and Numba is not even
imported, before the first call, so a program that only lists games starts at once.

A *slot* stands for a kernel that each game defines (``watermeet.core.contract`` declares them).
Code that serves every game calls slots, and ``watermeet.core.linking`` fills them.

Each face has its module: ``watermeet.core.native``, ``cuda`` and ``wasm`` compile,
``watermeet.core.code_cache`` keeps what was compiled. For all faces to agree, kernels keep a few
laws: docs/concepts/games.md lists them, and ``watermeet.core.kernel_laws`` and ``diagnosis`` name
the one that is broken.
"""

from __future__ import annotations

import contextlib
import os
import threading
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast, overload

from watermeet.core import native
from watermeet.core.code_cache import cache_folder
from watermeet.core.diagnosis import NATIVE, WASM, Face, diagnose, is_compile_error
from watermeet.core.errors import InvalidKernel
from watermeet.core.fingerprint import Fingerprinted, Unknown, fingerprint_of
from watermeet.core.intrinsic import Intrinsic
from watermeet.core.kernel_laws import CALLS_NO_CALLER, find_cycle, line_of, refusal, require_lawful
from watermeet.core.references import copy_function, referenced_values
from watermeet.core.scratch import Scratch, in_rows, scratch

__all__ = [
    "Kernel",
    "Scratch",
    "Slot",
    "compiled_code",
    "deferred_compiling",
    "in_rows",
    "kernel",
    "load_compiled",
    "plain_python",
    "runs_plain_python",
    "scratch",
    "slot",
]

P = ParamSpec("P")
R = TypeVar("R")

building = threading.RLock()
"""Held while a kernel is compiled or specialised, so that threads share the result."""

_never_compiles = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
_plain_python = _never_compiles
_is_deferring = False


class _Thread(threading.local):
    """What differs between threads."""

    loading: list[Kernel[Any, Any]] | None = None
    """The kernels that ``load_compiled`` has run in this thread; None outside of it."""
    in_python = False
    """Whether this thread is inside a kernel whose compiling is deferred."""


_thread = _Thread()


# ---- which face runs --------------------------------------------------------------------------


def runs_plain_python() -> bool:
    """Whether kernels run as plain Python now: by NUMBA_DISABLE_JIT=1 or ``plain_python``."""
    return _plain_python and _thread.loading is None


@contextlib.contextmanager
def deferred_compiling() -> Iterator[None]:
    """Within the block, run every kernel as plain Python until ``load_compiled`` has run it.

    For programs that can't wait for the compiler at any time, like the server. It holds in all
    threads of the process.
    """
    global _is_deferring  # noqa: PLW0603 - one switch for all threads, read at every call
    before, _is_deferring = _is_deferring, not _never_compiles
    try:
        yield
    finally:
        _is_deferring = before


def load_compiled(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call ``work`` with compiled kernels, while other threads run plain Python.

    Where compiling is deferred, all threads run the same kernels compiled from then on.
    """
    if _never_compiles:
        return work(*args, **kwargs)
    _thread.loading = []
    try:
        result = work(*args, **kwargs)
        for each in _thread.loading:
            each.is_loaded = True
        return result
    finally:
        _thread.loading = None


@contextlib.contextmanager
def plain_python() -> Iterator[None]:
    """Run kernels as plain Python within the block, in all threads of the process.

    For programs that call only a few kernels and can't wait for the compiler to load, and for tests
    that compare the two faces.
    """
    with _switched(to_plain=True):
        yield


@contextlib.contextmanager
def compiled_code() -> Iterator[None]:
    """Run kernels compiled within the block, in a program that otherwise runs plain Python.

    NUMBA_DISABLE_JIT=1 overrides this: then nothing is ever compiled.
    """
    with _switched(to_plain=_never_compiles):
        yield


@contextlib.contextmanager
def _switched(*, to_plain: bool) -> Iterator[None]:
    global _plain_python  # noqa: PLW0603 - one switch for all threads, read at every call
    before = _plain_python
    _plain_python = to_plain
    try:
        yield
    finally:
        _plain_python = before


# ---- slots ------------------------------------------------------------------------------------


class Slot:
    """Stands for a kernel that each game defines; it can't be called before it is filled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *args: Any) -> Any:
        raise InvalidKernel(
            f"the slot {self.name!r} is empty", "call game.specialize() on the kernel that uses it"
        )


def slot(function: Callable[P, R]) -> Callable[P, R]:
    """Declare a slot: signature and docstring are the contract, the body never runs."""
    return cast("Callable[P, R]", Slot(function))


# ---- kernels ----------------------------------------------------------------------------------


class Kernel(Generic[P, R], Fingerprinted):
    """A function with four faces: ``python``, as written; ``compiled``, ``cuda`` and ``wasm``.

    All but the first are made on first use.
    """

    def __init__(self, python: Callable[P, R], signature: str = "") -> None:
        if not isinstance(python, types.FunctionType):
            raise InvalidKernel(f"{python!r} is not a function", "put @kernel on a function")
        if python.__closure__ is not None:
            raise InvalidKernel(
                f"{python.__qualname__} uses local variables of the function around it",
                "define what a kernel refers to at the top of the module",
            )
        require_lawful(python)
        self.python: types.FunctionType = python
        self.__name__ = python.__name__
        self.__qualname__ = python.__qualname__
        self.__module__ = python.__module__
        self.__doc__ = python.__doc__
        self.__wrapped__ = python  # For help() and inspect.signature().
        self.signature = signature
        """The argument types of a kernel that its callers don't inline; empty if they do."""
        self.is_loaded = False
        """Whether ``load_compiled`` has run it."""
        self._is_acyclic = False
        self._fingerprint = ""
        self._compiled: Callable[P, R] | None = None
        self._inlined: Any = None
        self._link: Any = None
        self._cuda: Any = None
        self._wasm: Any = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if _plain_python or _is_deferring:
            if _thread.loading is not None:
                _thread.loading.append(self)
            elif _plain_python or _thread.in_python:
                return self.python(*args, **kwargs)  # type: ignore[no-any-return]
            elif not self.is_loaded:
                return self._call_in_python(*args, **kwargs)
        try:
            return (self._compiled or self.compiled)(*args, **kwargs)
        except Exception as error:
            if is_compile_error(error):
                raise self.diagnosis(error) from error
            raise

    def _call_in_python(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the plain face, and have it call no compiled one.

        It passes other types than compiled code does, for which Numba would compile at once.
        """
        _thread.in_python = True
        try:
            return self.python(*args, **kwargs)  # type: ignore[no-any-return]
        finally:
            _thread.in_python = False

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"

    def kernels_inside(self) -> Iterator[Kernel[Any, Any]]:
        """This kernel and all that it calls, directly or not, each once."""
        found: dict[int, Kernel[Any, Any]] = {}
        queue: list[Kernel[Any, Any]] = [self]
        while queue:
            each = queue.pop()
            if id(each) not in found:
                found[id(each)] = each
                queue += each._called()
        yield from found.values()

    def _called(self) -> list[Kernel[Any, Any]]:
        return [each for each in referenced_values(self.python) if isinstance(each, Kernel)]

    def _require_no_recursion(self) -> None:
        if self._is_acyclic:
            return
        cycle = find_cycle(self, Kernel._called)
        if cycle is not None:
            caller, called = (each.python for each in cycle)
            line = line_of(caller, called.__name__) or caller.__code__.co_firstlineno
            law, hint = CALLS_NO_CALLER
            raise refusal(caller, line, f"does not compile: {law}", hint)
        for each in self.kernels_inside():
            each._is_acyclic = True

    @property
    def compiled(self) -> Callable[P, R]:
        """Numba's dispatcher of this function; raises InvalidKernel if it has an empty slot."""
        if self._compiled is None:
            with building:
                if self._compiled is None:
                    function = self._native_function()
                    self._compiled = native.compile_function(function, self.cache_file())
        return cast("Callable[P, R]", self._compiled)

    @property
    def fingerprint(self) -> str:
        """A hash of everything that its compiled code depends on; it must not call itself."""
        if not self._fingerprint:
            self._fingerprint = fingerprint_of(self.python, self.__qualname__, self.signature)
        return self._fingerprint

    def cache_file(self) -> Path | None:
        """Where its compiled code is kept, without an ending; None if it can't be kept."""
        folder = cache_folder()
        try:
            file = f"{self.__module__}.{self.__name__}-{self.fingerprint}"
            return None if folder is None else folder / file
        except Unknown:
            return None

    @property
    def inlined(self) -> Any:
        """What callers' compiled code refers to, if this kernel is inlined."""
        if self._inlined is None:
            with building:
                if self._inlined is None:
                    self._inlined = native.inline_function(self._native_function())
        return self._inlined

    def _native_function(self) -> types.FunctionType:
        """This function, referring to what compiled code refers to."""
        self._require_no_recursion()
        return copy_function(self.python, self._native_value, self.__qualname__)

    def _native_value(self, value: Any) -> Any:
        """What compiled code refers to where plain Python refers to ``value``."""
        self._require_filled(value)
        if isinstance(value, Kernel):
            return value.link if value.signature else value.inlined
        return value.native if isinstance(value, Intrinsic) else value

    def _require_filled(self, value: Any) -> None:
        if isinstance(value, Slot):
            raise InvalidKernel(
                f"{self.__qualname__} calls the slot {value.name!r}, which is empty",
                "call game.specialize() on the kernel",
            )

    @property
    def cuda(self) -> Any:
        """What code on a GPU calls."""
        if self._cuda is None:
            from watermeet.core.cuda import DeviceFunction

            with building:
                if self._cuda is None:
                    is_inlined = not self.signature
                    self._cuda = DeviceFunction(self.cuda_function(), is_inlined=is_inlined)
        return self._cuda

    def cuda_function(self) -> types.FunctionType:
        """This function, referring to what code on a GPU refers to."""
        self._require_no_recursion()
        return copy_function(self.python, self._cuda_value, self.__qualname__)

    def _cuda_value(self, value: Any) -> Any:
        self._require_filled(value)
        return value.cuda if isinstance(value, Kernel | Intrinsic) else value

    @property
    def wasm(self) -> Any:
        """What code in a browser calls."""
        if self._wasm is None:
            with building:
                if self._wasm is None:
                    self._require_no_recursion()
                    function = copy_function(self.python, self._wasm_value, self.__qualname__)
                    self._wasm = native.inline_function(function)
        return self._wasm

    def _wasm_value(self, value: Any) -> Any:
        self._require_filled(value)
        return value.wasm if isinstance(value, Kernel | Intrinsic) else value

    def translate(self, arguments: tuple[Any, ...]) -> Any:
        """Numba's translation for these argument types to LLVM's language, for a browser."""
        try:
            self.wasm.compile(arguments)
        except Exception as error:
            if is_compile_error(error):
                raise self.diagnosis(error, WASM) from error
            raise
        return self.wasm.overloads[arguments]

    def without_inlining(self, signature: str) -> Kernel[P, R]:
        """The same kernel, called instead of inlined by whatever is specialised with it."""
        if self.signature:
            return self
        return Kernel(cast("Callable[P, R]", self.python), signature)

    @property
    def link(self) -> Any:
        """What callers' compiled code calls, if this kernel is not inlined."""
        if self._link is None:
            with building:
                if self._link is None:
                    self._link = self._make_link()
        return self._link

    def _make_link(self) -> Any:
        try:
            arguments = native.parse_signature(self.signature)
        except Exception as error:
            raise InvalidKernel(
                f"{self.__qualname__} has the signature {self.signature!r}, which Numba can't read",
                'write argument types in Numba\'s notation, like "int32[::1], int64"',
            ) from error
        symbol = f"{self.__module__}.{self.__qualname__}.{self.fingerprint}".replace(".", "_")
        dispatcher = self.compiled
        try:
            return native.link(dispatcher, arguments, symbol)
        except Exception as error:
            raise self.diagnosis(error) from error

    def diagnosis(self, error: Exception, face: Face = NATIVE) -> InvalidKernel:
        """What a compiler's error means: the kernel, the line and the law that it breaks."""
        return diagnose(error, (each.python for each in self.kernels_inside()), face)


@overload
def kernel(function: Callable[P, R]) -> Kernel[P, R]: ...


@overload
def kernel(
    *, inline: Literal[False], signature: str
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...


def kernel(
    function: Callable[P, R] | None = None, *, inline: bool = True, signature: str = ""
) -> Kernel[P, R] | Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a function a kernel.

    It may call kernels, slots and whatever Numba supports, named by globals or as attributes of
    modules. It allocates nothing: its buffers are passed in, or come from ``scratch``.

    Numba optimises a callee again in every kernel that calls it, however indirectly, so one large
    kernel deep down makes everything above it slow to compile. ``inline=False`` compiles it once,
    for the argument types in ``signature`` (Numba's notation, such as "int32[::1], int64"), and
    callers jump to it.
    """
    if function is not None:
        return Kernel(function)
    if inline or not signature:
        raise InvalidKernel(
            "@kernel takes either no arguments or both",
            'write @kernel, or @kernel(inline=False, signature="int32[::1], int64")',
        )
    return lambda function: Kernel(function, signature)
