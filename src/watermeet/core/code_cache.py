"""Where compiled code is kept on disk.

Numba's own cache looks only at the file of the function. After an edit in *another* file whose code
was compiled in, it would return old results, and after a new comment it would compile again. So
here a kernel's fingerprint names its file (``watermeet.core.fingerprint``), in a folder for the
versions of Python, Numba, llvmlite, NumPy and of what compiles here.

What is made by programs rather than by kernels, such as the engines that browsers run, is valid for
a hash of sources instead: ``source_digest``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import types
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

CACHE_FOLDER_VARIABLE = "WATERMEET_CACHE_DIR"
FOLDERS_KEPT = 5
"""How many folders of other versions are left when a new one is made."""
DAYS_KEPT = 30
"""How long code is kept after its last use."""
_COMPILER = ("watermeet.core.dispatchers", "watermeet.core.native", "watermeet.core.cuda")

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)"
    r"|import[ \t]+([^\n]*))",
    re.MULTILINE,
)
_NAME = re.compile(r"[A-Za-z_][\w.]*")


@cache
def cache_folder() -> Path | None:
    """The folder for compiled code, or None if nothing can be cached.

    Candidates, in order: $WATERMEET_CACHE_DIR, the user's cache folder, a private folder under the
    system's temporary one. Compiled code is loaded by unpickling, so a folder that another user can
    write to is never used.
    """
    compiler = [Path(__file__).with_name(f"{name.rpartition('.')[2]}.py") for name in _COMPILER]
    name = f"kernels-{_hash_of(compiler, _versions())}"
    folders = (_private_folder(root, name) for root in _cache_roots())
    return next(filter(None, folders), None)


def source_digest(modules: Iterable[str]) -> str:
    """A hash of the sources that these modules are made of.

    That is the packages that they are in, and what those import from the same projects.
    """
    sources = frozenset(filter(None, map(_source_of, modules)))
    roots = frozenset({module.partition(".")[0] for module in modules} | {"watermeet"})
    return _digest_of(sources, roots)


@cache
def _digest_of(sources: frozenset[Path], roots: frozenset[str]) -> str:
    return _hash_of(_files(_with_imports(sources, roots)), ())


# ---- sources ----------------------------------------------------------------------------------


def _source_of(module: str) -> Path | None:
    """The folder of the package that a module is in, or the module's file if it is in none."""
    found = sys.modules.get(module)
    file = getattr(found, "__file__", None)
    if file is None or not Path(file).is_file():
        return None
    return Path(file).parent if getattr(found, "__package__", "") else Path(file)


def _files(sources: Iterable[Path]) -> list[Path]:
    """The Python files of packages, without those of packages inside them."""
    return [
        file
        for source in sorted(sources)
        for file in ([source] if source.is_file() else sorted(source.glob("*.py")))
        if file.name != "__main__.py"  # Runs the program, so it may import all of it.
    ]


def _with_imports(sources: Iterable[Path], roots: Iterable[str]) -> set[Path]:
    """These sources and all packages that they import from the given top-level packages."""
    tops = {root: Path(top.__path__[0]) for root in roots if (top := _package(root)) is not None}
    found: set[Path] = set()
    queue = list(sources)
    while queue:
        source = queue.pop()
        if source not in found:
            found.add(source)
            queue += [each for file in _files([source]) for each in _imports(file, tops)]
    return found


def _package(name: str) -> types.ModuleType | None:
    module = sys.modules.get(name)
    return module if hasattr(module, "__path__") else None


def _imports(file: Path, tops: dict[str, Path]) -> Iterator[Path]:
    """The packages below the given folders from which a file imports, whenever that happens."""
    for dots, module, names, modules in _IMPORT.findall(file.read_text(encoding="utf-8")):
        if dots:
            start = file.parents[len(dots) - 1]
            yield from _packages_on(start, module.split("."), _NAME.findall(names))
            continue
        for each in [module] if module else _NAME.findall(modules):
            top, _, rest = each.partition(".")
            if top in tops:
                yield from _packages_on(tops[top], rest.split("."), _NAME.findall(names))


def _packages_on(folder: Path, path: list[str], names: list[str]) -> Iterator[Path]:
    """The deepest package on a path, and those of the imported names that are packages too."""
    for part in filter(None, path):
        if not (folder / part).is_dir():
            break
        folder /= part
    yield folder
    yield from (folder / name for name in names if (folder / name).is_dir())


def _versions() -> tuple[str, ...]:
    import llvmlite
    import numba
    import numpy

    return sys.version, numba.__version__, llvmlite.__version__, numpy.__version__


def _hash_of(files: list[Path], versions: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    digest.update(repr(versions).encode())
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


# ---- folders ----------------------------------------------------------------------------------


def _cache_roots() -> Iterator[Path]:
    from platformdirs import user_cache_path

    chosen = os.environ.get(CACHE_FOLDER_VARIABLE)
    if chosen:
        yield Path(chosen)
    users = user_cache_path("watermeet", appauthor=False)
    if users.is_absolute():  # A user without a home has no cache folder.
        yield users
    user = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"watermeet-{user}"


def _private_folder(root: Path, name: str) -> Path | None:
    """``root/name``, made if needed, if only this user can write to it; else None."""
    folder = root / name
    is_new = not folder.exists()
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not (_is_private(root) and _is_private(folder)):
            return None
        with tempfile.TemporaryFile(dir=folder):
            pass  # A mode of 0700 says nothing about a file system mounted read-only.
        os.utime(folder)  # The folders used last are kept.
    except OSError:
        return None
    if is_new:
        _remove_old_folders(root, keep=folder)
    else:
        _remove_old_files(folder)
    return folder


def _is_private(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _remove_old_folders(root: Path, keep: Path) -> None:
    an_hour_ago = time.time() - 3600  # Younger ones may be in use by another process.
    with contextlib.suppress(OSError):
        others = [(path.stat().st_mtime, path) for path in root.glob("kernels-*") if path != keep]
        for modified, path in sorted(others, reverse=True)[FOLDERS_KEPT:]:
            if modified < an_hour_ago:
                shutil.rmtree(path, ignore_errors=True)


def _remove_old_files(folder: Path) -> None:
    """Remove code that nothing has used for long; look for it once a day."""
    stamp, now = folder / "cleaned", time.time()
    with contextlib.suppress(OSError):
        if stamp.exists() and now - stamp.stat().st_mtime < 86400:
            return
        stamp.touch()
        for file in folder.iterdir():
            if now - max(file.stat().st_atime, file.stat().st_mtime) > DAYS_KEPT * 86400:
                file.unlink()
