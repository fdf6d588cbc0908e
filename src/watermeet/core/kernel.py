"""The one place where Numba is configured.

A *kernel* is a function on flat arrays that runs twice over: compiled by Numba, and as the plain
Python that it is written in. ``@kernel`` gives it both faces; nothing is imported or compiled
before the first call, so that a program which only lists games starts at once.

A *slot* is a place for a kernel of some game (``watermeet.core.contract`` declares them). Code that
serves every game is written against the slots, and ``specialize`` makes a copy of it with one
game's kernels in their place.

Numba keeps compiled code on disk, with two silent traps that this module closes:

1. Its cache looks at the file of the function alone. After an edit in *another* file, whose code
   was compiled in, it returns old results. So the cache folder is named by a hash of all sources
   of the packages concerned and of the versions of Python, Numba, llvmlite and NumPy.
2. Its cache tells functions apart by file, line and qualified name. Copies of one function with
   other kernels inside share all three, so the second game would run the first one's machine code.
   So a specialized copy carries the game's package in its ``__qualname__``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from watermeet.core import atomics
from watermeet.core.errors import InvalidGame

P = ParamSpec("P")
R = TypeVar("R")

CACHE_FOLDER_VARIABLE = "WATERMEET_CACHE_DIR"
FOLDERS_WITHOUT_KERNELS = ("arena", "bots", "cli", "client", "envs", "server")
"""Of this package: no kernel imports anything from there, so an edit there makes no code old."""
OLD_FOLDERS_KEPT = 12
"""How many cache folders of other source states are left lying when a new one is made."""

_building = threading.RLock()
_never_compiles = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
_plain_python = _never_compiles


def runs_plain_python() -> bool:
    """Whether kernels run as plain Python now: by NUMBA_DISABLE_JIT=1 or by ``plain_python``."""
    return _plain_python


@contextlib.contextmanager
def plain_python() -> Iterator[None]:
    """Runs kernels as plain Python within the block, in all threads of the process.

    For programs that call a few kernels only and cannot wait for the compiler to load, and for
    tests that hold the two faces of a kernel against each other.
    """
    with _switched(to_plain=True):
        yield


@contextlib.contextmanager
def compiled_code() -> Iterator[None]:
    """Runs kernels compiled within the block, in a program that otherwise runs plain Python.

    Where NUMBA_DISABLE_JIT=1 says that nothing is to be compiled, nothing is.
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


class Slot:
    """A named place for a kernel of some game; calling it unfilled is a mistake in our own code."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *args: Any) -> Any:
        raise AssertionError(f"the slot {self.name!r} is empty: specialize() the caller first")


def slot(function: Callable[P, R]) -> Callable[P, R]:
    """Declares a slot: signature and docstring are the contract, the body is never run."""
    return cast("Callable[P, R]", Slot(function))


class Kernel(Generic[P, R]):
    """A function with two faces: ``python``, as written, and ``compiled``, made at first use."""

    def __init__(self, python: Callable[P, R], signature: str = "") -> None:
        assert isinstance(python, types.FunctionType), "@kernel goes on a plain function"
        assert python.__closure__ is None, (
            "what a kernel calls must be global: slots are found there"
        )
        self.python: types.FunctionType = python
        self.__name__ = python.__name__
        self.__qualname__ = python.__qualname__
        self.__module__ = python.__module__
        self.__doc__ = python.__doc__
        self.__wrapped__ = python  # For help() and inspect.signature().
        self.signature = signature
        """Its argument types if callers are not to inline it; empty if they are."""
        self._compiled: Callable[P, R] | None = None
        self._link: Any = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if _plain_python:
            return self.python(*args, **kwargs)  # type: ignore[no-any-return]
        return (self._compiled or self.compiled)(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"

    @property
    def compiled(self) -> Callable[P, R]:
        """Numba's dispatcher of this function; raises if the function has an empty slot."""
        if self._compiled is None:
            with _building:
                if self._compiled is None:
                    self._compiled = _compile(self)
        return self._compiled

    def without_inlining(self, signature: str) -> Kernel[P, R]:
        """The same kernel, called instead of inlined by whatever is specialized with it."""
        if self.signature:
            return self
        return Kernel(cast("Callable[P, R]", self.python), signature)

    @property
    def link(self) -> Any:
        """What stands for this kernel in its callers' compiled code, if it is not inlined."""
        if self._link is None:
            with _building:
                if self._link is None:
                    self._link = _link_to(self)
        return self._link


@overload
def kernel(function: Callable[P, R]) -> Kernel[P, R]: ...


@overload
def kernel(
    *, inline: Literal[False], signature: str
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...


def kernel(
    function: Callable[P, R] | None = None, *, inline: bool = True, signature: str = ""
) -> Kernel[P, R] | Callable[[Callable[P, R]], Kernel[P, R]]:
    """Makes a function a kernel.

    It may call kernels, slots and whatever Numba supports, named by globals or as attributes of
    modules. It allocates nothing: its buffers are passed in, or come from ``scratch``.

    Numba optimizes a callee again in every kernel that calls it, however indirectly, so one large
    kernel deep down makes everything above it slow to compile. ``inline=False`` compiles it once,
    for the argument types in ``signature`` (Numba's notation, such as "int32[::1], int64"), and
    callers jump to it.
    """
    if function is not None:
        return Kernel(function)
    assert not inline, "only a kernel that is not inlined takes arguments"
    assert signature, "a kernel that is not inlined needs a signature"
    return lambda function: Kernel(function, signature)


# ---- room to work in --------------------------------------------------------------------------

Scratch = npt.NDArray[np.int32]
_NEVER_READ = -0x0BADBAD
"""What fresh room holds in plain Python, so that reading before writing is noticed."""


class _Scratch:
    """``scratch``: see there."""

    def __call__(self, size: int) -> Scratch:
        return np.full(size, _NEVER_READ, dtype=np.int32)


scratch = _Scratch()
"""``scratch(SIZE)`` gives a kernel an array of 32-bit integers that is gone when it returns.

The room lies on the stack, so it costs nothing and every thread has its own; SIZE must be a
constant. It holds anything: write before reading. It may be passed on, never returned.
"""


@cache
def _compiled_scratch() -> Any:
    """What stands for ``scratch`` in compiled code."""
    from numba.core import cgutils, types
    from numba.core.extending import intrinsic

    def room_of(typing: Any, size: Any) -> Any:
        array = types.Array(types.int32, 1, "C")

        def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = context.get_data_type(types.int32)
            start = cgutils.alloca_once(builder, word, size=size.literal_value)
            length = context.get_constant(types.intp, size.literal_value)
            step = context.get_constant(types.intp, 4)
            made = context.make_array(array)(context, builder)
            context.populate_array(
                made, data=start, shape=[length], strides=[step], itemsize=step, meminfo=None
            )
            return made._getvalue()

        return array(size), make

    return intrinsic(prefer_literal=True)(room_of)


_INTRINSICS: dict[object, Callable[[], Any]] = {scratch: _compiled_scratch, **atomics.COMPILED}


# ---- specialize -------------------------------------------------------------------------------

_specialized: dict[tuple[int, str], Kernel[Any, Any]] = {}


def specialize(
    generic: Kernel[P, R], package: str, kernels: Mapping[str, Callable[..., Any]]
) -> Kernel[P, R]:
    """A copy of ``generic`` with a game's kernels in its slots and in those of what it calls.

    The same copy is returned when asked again; ``package`` is the game's import path.
    """
    key = (id(generic), package)
    with _building:
        if key not in _specialized:
            _specialized[key] = _specialized_copy(generic, package, kernels)
        return _specialized[key]


def _specialized_copy(
    generic: Kernel[P, R], package: str, kernels: Mapping[str, Callable[..., Any]]
) -> Kernel[P, R]:
    def filled(value: Any) -> Any:
        if isinstance(value, Slot):
            if value.name not in kernels:
                raise InvalidGame(
                    f"{package} has no kernel {value.name!r}, which {generic.__qualname__!r} needs",
                    f"define {value.name} in {package}.rules",
                )
            return kernels[value.name]
        if isinstance(value, Kernel) and _has_slots(value):
            return specialize(value, package, kernels)
        return value

    suffix = package.replace(".", "_")
    return Kernel(_copy(generic.python, filled, f"{generic.python.__qualname__}__{suffix}"))


def _has_slots(candidate: Kernel[Any, Any]) -> bool:
    return any(
        isinstance(value, Slot) or (isinstance(value, Kernel) and _has_slots(value))
        for value in _used_values(candidate.python)
        if value is not candidate
    )


def _used_globals(function: types.FunctionType) -> dict[str, Any]:
    """The globals that a function's code can name; the rest would only keep things alive."""
    return {
        name: function.__globals__[name]
        for name in _names_in(function.__code__)
        if name in function.__globals__
    }


def _used_values(function: types.FunctionType) -> Iterator[Any]:
    """What a function's code can name: globals, and attributes of those that are modules."""
    for value in _used_globals(function).values():
        if isinstance(value, types.ModuleType):
            yield from _used_attributes(function, value).values()
        else:
            yield value


def _used_attributes(function: types.FunctionType, module: types.ModuleType) -> dict[str, Any]:
    return {
        name: getattr(module, name)
        for name in _names_in(function.__code__)
        if hasattr(module, name)
    }


def _names_in(code: types.CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*(_names_in(each) for each in inner))


def _copy(
    function: types.FunctionType, replace: Callable[[Any], Any], qualname: str
) -> types.FunctionType:
    """A copy of a function with everything that it names replaced."""
    scope = {"__name__": function.__module__, "__builtins__": __builtins__}
    for name, value in _used_globals(function).items():
        scope[name] = replace(value)
        if isinstance(value, types.ModuleType):
            attributes = _used_attributes(function, value)
            replaced = {name: replace(attribute) for name, attribute in attributes.items()}
            if any(replaced[name] is not attributes[name] for name in attributes):
                scope[name] = types.ModuleType(value.__name__)
                vars(scope[name]).update(replaced)
    copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    copy.__qualname__ = qualname
    copy.__module__ = function.__module__
    copy.__doc__ = function.__doc__
    return copy


# ---- compile ----------------------------------------------------------------------------------


def _compile(source: Kernel[P, R]) -> Callable[P, R]:
    import numba  # Half a second or more: only when something is really compiled.

    def compiled_form(value: Any) -> Any:
        if isinstance(value, Slot):
            value()  # Says which slot is empty.
        if isinstance(value, Kernel) and value is not source:
            return value.link if value.signature else value.compiled
        for intrinsic, make in _INTRINSICS.items():
            if value is intrinsic:
                return make()
        return value

    function = _copy(source.python, compiled_form, source.python.__qualname__)
    packages = _packages_inside(source, set())
    folder = cache_folder(frozenset(packages))
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        # Without Numba's runtime arrays are not counted when they are passed on. That makes kernels
        # several times faster, and is why they may not allocate.
        jit = numba.njit(
            nogil=True,
            _nrt=False,
            no_cfunc_wrapper=True,
            error_model="numpy",
            cache=folder is not None,
        )
        compiled: Callable[P, R] = jit(function)
    finally:
        numba.config.CACHE_DIR = before  # Other users of Numba in this process keep their own.
    return compiled


def _link_to(source: Kernel[Any, Any]) -> Any:
    """Compiles a kernel for the types it names, and makes a call of it by the name of a symbol.

    Callers that are read from the cache know the symbol's name alone. It is there in time, because
    whatever is compiled or read has its callees looked up first, by ``_compile``.
    """
    import inspect

    import llvmlite.binding
    from numba.core import sigutils
    from numba.core.extending import intrinsic

    arguments, _ = sigutils.normalize_signature(f"({source.signature},)")
    dispatcher: Any = source.compiled
    dispatcher.compile(arguments)
    found = dispatcher.overloads[arguments]
    address = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    symbol = f"{source.__module__}.{source.__qualname__}".replace(".", "_")
    llvmlite.binding.add_symbol(symbol, address)

    def typed(typing: Any, *given: Any) -> Any:
        def call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            conv = context.call_conv
            kind = conv.get_function_type(signature.return_type, signature.args)
            function = builder.module.globals.get(symbol)
            if function is None:
                from llvmlite import ir

                function = ir.Function(builder.module, kind, symbol)
            _, result = conv.call_function(
                builder, function, signature.return_type, signature.args, values
            )
            return result

        return found.signature, call

    names = ["typing", *(f"argument{place}" for place in range(len(arguments)))]
    by_place = inspect.Parameter.POSITIONAL_OR_KEYWORD
    typed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, by_place) for name in names]
    )
    return intrinsic(typed)


def _packages_inside(source: Kernel[Any, Any], seen: set[int]) -> set[str]:
    """The top-level packages whose code is compiled into a kernel, its own and its callees'."""
    seen.add(id(source))
    packages = {source.__module__.partition(".")[0]}
    for value in _used_values(source.python):
        if isinstance(value, Kernel) and id(value) not in seen:
            packages |= _packages_inside(value, seen)
    return packages


# ---- where compiled code is kept --------------------------------------------------------------


@cache
def cache_folder(packages: frozenset[str]) -> Path | None:
    """The folder for code compiled from these packages, or None where nothing can be written.

    Tried in order: $WATERMEET_CACHE_DIR, the user's cache folder, a private folder under the
    system's temporary one. Compiled code is loaded back by unpickling, so a folder that another
    user can write to is never taken.
    """
    sources = [_source_files(package) for package in sorted(packages | {"watermeet"})]
    if not all(sources):
        return None  # Typed into an interpreter: there is no source whose change could be noticed.
    name = f"kernels-{_hash_of([path for files in sources for path in files])}"
    for root in _cache_roots():
        folder = _private_folder(root, name)
        if folder is not None:
            return folder
    return None


def _cache_roots() -> Iterator[Path]:
    chosen = os.environ.get(CACHE_FOLDER_VARIABLE)
    if chosen:
        yield Path(chosen)
    with contextlib.suppress(RuntimeError):  # No home folder.
        if sys.platform == "darwin":
            yield Path.home() / "Library" / "Caches" / "watermeet"
        elif os.name == "nt":
            yield Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "watermeet" / "Cache"
        else:
            base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
            yield Path(base) / "watermeet"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"watermeet-{user}"


def _private_folder(root: Path, name: str) -> Path | None:
    """``root/name``, made if needed, when this user alone can write there; else None."""
    folder = root / name
    is_new = not folder.exists()
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not (_is_private(root) and _is_private(folder)):
            return None
        with tempfile.TemporaryFile(dir=folder):
            pass  # A mode of 0700 says nothing about a file system mounted read-only.
    except OSError:
        return None
    if is_new:
        _remove_old_folders(root, keep=folder)
    return folder


def _is_private(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    facts = folder.stat()
    return facts.st_uid == os.getuid() and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _remove_old_folders(root: Path, keep: Path) -> None:
    """Leaves the newest folders of other sources, so that the cache does not grow for ever."""
    an_hour_ago = time.time() - 3600  # Younger ones may be in use by another process.
    with contextlib.suppress(OSError):
        others = [(path.stat().st_mtime, path) for path in root.glob("kernels-*") if path != keep]
        for modified, path in sorted(others, reverse=True)[OLD_FOLDERS_KEPT:]:
            if modified < an_hour_ago:
                shutil.rmtree(path, ignore_errors=True)


@cache
def _source_files(package: str) -> tuple[Path, ...]:
    """The files of a top-level package that can hold kernels; empty when it has none on disk."""
    module = sys.modules.get(package)
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file():
        return ()
    if not hasattr(module, "__path__"):
        return (Path(file),)
    folder = Path(file).parent
    left_out = {"tests"} if package != "watermeet" else {"tests", *FOLDERS_WITHOUT_KERNELS}
    files = folder.rglob("*.py")
    return tuple(
        sorted(path for path in files if left_out.isdisjoint(path.relative_to(folder).parts))
    )


def _hash_of(files: list[Path]) -> str:
    import llvmlite
    import numba
    import numpy

    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, llvmlite.__version__, numpy.__version__)
    digest.update(repr(versions).encode())
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()[:16]
