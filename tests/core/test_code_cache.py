"""The cache of compiled code: where it is, what invalidates it, and its silent traps."""

from __future__ import annotations

import enum
import json
import os
import shutil
import subprocess
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from watermeet.core import code_cache
from watermeet.core.fingerprint import Unknown, fingerprint_of, source_of
from watermeet.core.intrinsic import on_gpu, thread
from watermeet.core.kernel import Kernel, kernel


@kernel
def _add_one(number: int) -> int:
    return number + 1


# ---- fingerprints -----------------------------------------------------------------------------


def _function(source: str, **scope: object) -> types.FunctionType:
    scope["__name__"] = "made"
    exec(source, scope)  # noqa: S102 - the functions below differ in one detail
    made = scope["f"]
    assert isinstance(made, types.FunctionType)
    return made


TABLE = np.arange(6, dtype=np.int32)
PLAIN = "def f(x):\n    return x + TABLE[0]"


@pytest.mark.parametrize(
    "source",
    [
        PLAIN.replace("return", "# A remark.\n    return"),
        PLAIN.replace("return", "'A docstring.'\n    return"),
        "OTHER = 3\n\n\ndef g():\n    return 1\n\n\n" + PLAIN,
    ],
    ids=["comment", "docstring", "neighbours"],
)
def test_what_compiles_to_the_same_code_has_the_same_fingerprint(source: str) -> None:
    changed = fingerprint_of(_function(source, TABLE=TABLE.copy()))
    assert changed == fingerprint_of(_function(PLAIN, TABLE=TABLE))


class Colour(enum.IntEnum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1, 2),
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        (1, Colour.RED),
        (np.int32(1), np.int64(1)),
        (TABLE, TABLE + 1),
        (TABLE, TABLE.astype(np.int64)),
        (TABLE.reshape(2, 3), TABLE.reshape(3, 2)),
        (np.zeros((2, 3)), np.zeros((2, 3), order="F")),
        ((1, (2, 3)), ((1, 2), 3)),
        (("a", "b"), ("ab",)),
        (np.max, np.min),
        (
            Kernel(_function("def f(x):\n    return x")),
            Kernel(_function("def f(x):\n    return -x")),
        ),
        (on_gpu, thread),
        (frozenset({"a", "b"}), frozenset({"a", "c"})),
        (Colour, enum.IntEnum("Colour", ["GREEN"])),
        ((lambda x: lambda: x + 1), (lambda x: lambda: x + 2)),
    ],
)
def test_another_value_gives_another_fingerprint(value: object, other: object) -> None:
    of: Callable[[Any], str] = lambda each: fingerprint_of(_function(PLAIN, TABLE=each))  # noqa: E731
    assert of(value) == of(value)
    assert of(value) != of(other)


def test_other_code_gives_another_fingerprint() -> None:
    other = PLAIN.replace("+", "-"), PLAIN.replace("0", "1"), PLAIN.replace("(x)", "(x, y=2)")
    texts = [PLAIN, *other, PLAIN.replace("TABLE[0]", "TABLE.size")]
    assert len({fingerprint_of(_function(text, TABLE=TABLE)) for text in texts}) == len(texts)


def test_a_change_deep_down_changes_the_callers() -> None:
    def caller(inner: str) -> Kernel[..., Any]:
        callee = Kernel(_function("def f(x):\n    return TABLE[x]", TABLE=inner))
        return Kernel(_function("def f(x):\n    return TABLE(x)", TABLE=callee))

    assert caller("one").fingerprint != caller("two").fingerprint
    assert caller("one").fingerprint == caller("one").fingerprint


def test_a_kernel_with_a_value_that_nobody_knows_is_not_kept() -> None:
    for table in (object(), np.array([object()])):
        function = _function(PLAIN, TABLE=table)
        with pytest.raises(Unknown):
            fingerprint_of(function)
        assert Kernel(function).cache_file() is None
    with pytest.raises(Unknown):
        source_of("builtins")


# ---- the cache folder -------------------------------------------------------------------------


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Start without a known cache and with an empty temporary folder."""
    code_cache.cache_folder.cache_clear()
    monkeypatch.delenv("WATERMEET_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(
        "watermeet.core.code_cache.tempfile.gettempdir", lambda: str(tmp_path / "temporary")
    )
    yield tmp_path
    code_cache.cache_folder.cache_clear()


def _root_of_cache() -> Path:
    folder = code_cache.cache_folder()
    assert folder is not None
    assert folder.stat().st_mode & 0o777 == 0o700
    return folder.parent


def test_the_chosen_folder_comes_first(roots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATERMEET_CACHE_DIR", str(roots / "chosen"))
    assert _root_of_cache() == roots / "chosen"


def test_the_user_cache_comes_next(roots: Path) -> None:
    assert _root_of_cache() == roots / "home" / "watermeet"


def test_without_a_home_the_temporary_folder_is_used(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: Path("~/.cache"))
    assert _root_of_cache().parent == roots / "temporary"


def test_an_unwritable_home_is_skipped(roots: Path) -> None:
    (roots / "home").write_text("a file where a folder should be")
    assert _root_of_cache().parent == roots / "temporary"


def test_a_folder_writable_by_others_is_never_used(roots: Path) -> None:
    """Compiled code is unpickled: whoever can write it can run anything."""
    (roots / "home" / "watermeet").mkdir(parents=True)
    (roots / "home" / "watermeet").chmod(0o777)
    assert _root_of_cache().parent == roots / "temporary"


def test_kernels_run_without_a_writable_folder(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "_cache_roots", lambda: iter([Path(os.devnull)]))
    assert code_cache.cache_folder() is None
    assert _add_one.cache_file() is None
    assert Kernel(_add_one.python)(1) == 2


def test_code_of_old_versions_and_unused_code_is_removed(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = roots / "home" / "watermeet"
    home.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(code_cache, "FOLDERS_KEPT", 2)
    for age in range(5):
        folder = home / f"kernels-{age}"
        folder.mkdir()
        os.utime(folder, (0, time.time() - 7200 * age))
    folder = _root_of_cache()
    assert {each.name for each in folder.iterdir() if len(each.name) < 12} == {
        "kernels-0",
        "kernels-1",
    }
    made = code_cache.cache_folder()
    assert made is not None
    for name, days in (("used", 1), ("unused", code_cache.DAYS_KEPT + 1)):
        (made / name).touch()
        os.utime(made / name, (time.time() - 86400 * days,) * 2)
    code_cache.cache_folder.cache_clear()
    code_cache.cache_folder()
    assert (made / "used").exists()
    assert not (made / "unused").exists()
    (made / "unused").touch()
    os.utime(made / "unused", (0, 0))
    code_cache.cache_folder.cache_clear()
    code_cache.cache_folder()
    assert (made / "unused").exists(), "looked for again within the same day"


def test_systems_without_user_ids_trust_every_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr("watermeet.core.code_cache.os.getuid")
    assert code_cache._is_private(tmp_path)
    assert list(code_cache._cache_roots())[-1].name == "watermeet-user"


# ---- digests of sources -----------------------------------------------------------------------


def test_every_form_of_import_is_followed(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("start", "start/near", "by_name", "whole", "far/deep")]
    for folder in folders:
        folder.mkdir(parents=True)
    (tmp_path / "start" / "module.py").write_text(
        "from . import near\nfrom project import (\n    by_name,\n)\n"
        "import project.whole as whole, os\n"
    )
    (tmp_path / "whole" / "module.py").write_text("def f():\n    from ..far.deep.module import x\n")
    (tmp_path / "start" / "__main__.py").write_text("import project.unused")
    tops = {"project": tmp_path}
    found = {
        each for file in code_cache._files([folders[0]]) for each in code_cache._imports(file, tops)
    }
    assert found == {folders[0], folders[1], tmp_path, folders[2], folders[3]}
    assert set(code_cache._imports(folders[3] / "module.py", tops)) == {folders[4]}


def test_a_standalone_module_depends_on_its_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "single.py"
    file.write_text("import watermeet.core.rng")
    single = types.ModuleType("single")
    single.__file__ = str(file)
    monkeypatch.setitem(sys.modules, "single", single)
    assert code_cache._source_of("single") == file
    core = Path(code_cache.__file__).parent
    assert code_cache._with_imports({file}, {"single", "watermeet"}) == {file, core}


def test_other_sources_have_another_digest() -> None:
    digest = code_cache.source_digest
    rules, program = {"watermeet.core.rng"}, {"watermeet.cli.main"}
    assert digest(rules) == digest(rules) != digest(program)
    assert digest({"no_such_package"}) == digest(set())


# ---- the two traps, in processes of their own -------------------------------------------------

PACKAGE = {
    "__init__.py": "",
    "helper.py": """
from watermeet.core.kernel import kernel

@kernel
def helper(number):
    return number + 1
""",
    "games.py": """
from watermeet.core.kernel import kernel

@kernel
def first(number):
    return 10 * number

@kernel
def second(number):
    return 100 * number
""",
    "caller.py": """
from watermeet.core.kernel import kernel, slot
from cached_package.helper import helper

@slot
def rule(number): ...

@kernel
def calls_another_file(number):
    return helper(number)

@kernel
def generic(number):
    return rule(number)

@kernel(inline=False, signature="int64")
def linked(number):
    return helper(number) + 1000

@kernel
def calls_linked(number):
    return linked(number)

@kernel
def calls_it_from_afar(number):
    return calls_linked(number)
""",
}

PROGRAM = """
import json, sys
from watermeet.core.linking import specialize
from cached_package import caller, games

results = {}
for name in sys.argv[1:]:
    if hasattr(caller, name):
        kernel = getattr(caller, name)
    else:
        kernel = specialize(caller.generic, name, {"rule": getattr(games, name)})
    value = kernel(7)
    hits = sum(kernel.compiled.stats.cache_hits.values())
    results[name] = [value, hits]
print(json.dumps(results))
"""


class Sandbox:
    """A package with kernels and a cache folder, used by a new process each time."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "cached_package"
        self.package.mkdir()
        for name, content in PACKAGE.items():
            (self.package / name).write_text(content)
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
            "WATERMEET_CACHE_DIR": str(folder / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, *names: str) -> dict[str, list[int]]:
        """What each kernel gives for 7, and how often the cache had it."""
        command = [sys.executable, "-c", PROGRAM, *names]
        done = subprocess.run(
            command, env=self.environment, check=True, capture_output=True, text=True
        )
        results: dict[str, list[int]] = json.loads(done.stdout)
        return results


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.mark.slow
@pytest.mark.compiled
def test_only_edits_of_what_a_kernel_refers_to_recompile(sandbox: Sandbox) -> None:
    """Trap 1: Numba's cache looks at the caller's file only, and would return the old result."""
    assert sandbox.run("calls_another_file") == {"calls_another_file": [8, 0]}
    helper, caller = sandbox.package / "helper.py", sandbox.package / "caller.py"
    for file in (helper, caller):
        file.write_text("# A remark.\n" + file.read_text() + "\nUNUSED = 1\n")
    assert sandbox.run("calls_another_file") == {"calls_another_file": [8, 1]}
    helper.write_text(helper.read_text().replace("number + 1", "number + 2"))
    assert sandbox.run("calls_another_file") == {"calls_another_file": [9, 0]}


@pytest.mark.slow
@pytest.mark.compiled
def test_games_do_not_run_each_others_code(sandbox: Sandbox) -> None:
    """Trap 2: copies of one function share file, line and name unless the name is changed."""
    assert sandbox.run("first") == {"first": [70, 0]}
    assert sandbox.run("second") == {"second": [700, 0]}
    assert sandbox.run("first", "second") == {"first": [70, 1], "second": [700, 1]}


@pytest.mark.slow
@pytest.mark.compiled
def test_linked_kernels_are_found_by_callers_from_the_cache(sandbox: Sandbox) -> None:
    """A caller that is read back knows a name alone; without the symbol the process would die."""
    assert sandbox.run("calls_it_from_afar") == {"calls_it_from_afar": [1008, 0]}
    assert sandbox.run("calls_it_from_afar") == {"calls_it_from_afar": [1008, 1]}
    stored = {"calls_linked": [1008, 0], "linked": [1008, 1]}  # What was only inlined isn't stored.
    assert sandbox.run("calls_linked", "linked") == stored


@pytest.mark.slow
@pytest.mark.compiled
def test_processes_compile_a_kernel_once_and_checkouts_share_it(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """Whoever comes second waits for the first; the path of the sources doesn't matter."""
    others = [tmp_path / name for name in ("one", "two", "three")]
    for other in others:
        shutil.copytree(sandbox.package, other / sandbox.package.name)
    command = [sys.executable, "-c", PROGRAM, "calls_another_file"]
    processes = [
        subprocess.Popen(
            command,
            env={**sandbox.environment, "PYTHONPATH": os.pathsep.join([str(other), *sys.path])},
            stdout=subprocess.PIPE,
            text=True,
        )
        for other in others
    ]
    results = [json.loads(process.communicate()[0]) for process in processes]
    assert sorted(each["calls_another_file"] for each in results) == [[8, 0], [8, 1], [8, 1]]
