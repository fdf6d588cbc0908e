"""The cache of compiled code: where it is, when it is valid, and its two silent traps."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.core import code_cache
from watermeet.core.kernel import Kernel, kernel


@kernel
def _add_one(number: int) -> int:
    return number + 1


# ---- the cache folder -------------------------------------------------------------------------


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Start without a known cache and with an empty temporary folder."""
    code_cache._folder_of.cache_clear()
    monkeypatch.delenv("WATERMEET_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(
        "watermeet.core.code_cache.tempfile.gettempdir", lambda: str(tmp_path / "temporary")
    )
    yield tmp_path
    code_cache._folder_of.cache_clear()


CORE = Path(code_cache.__file__).parent
OURS = frozenset({"watermeet.core.rng"})


def test_the_chosen_folder_comes_first(roots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATERMEET_CACHE_DIR", str(roots / "chosen"))
    folder = code_cache.cache_folder(OURS)
    assert folder is not None
    assert folder.parent == roots / "chosen"


def test_the_user_cache_comes_next(roots: Path) -> None:
    folder = code_cache.cache_folder(OURS)
    assert folder is not None
    assert folder.parent == roots / "home" / "watermeet"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_without_a_home_the_temporary_folder_is_used(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: Path("~/.cache"))
    folder = code_cache.cache_folder(OURS)
    assert folder is not None
    assert folder.parent.name.startswith("watermeet-")
    assert folder.parent.parent == roots / "temporary"


def test_an_unwritable_home_is_skipped(roots: Path) -> None:
    (roots / "home").write_text("a file where a folder should be")
    folder = code_cache.cache_folder(OURS)
    assert folder is not None
    assert folder.parent.parent == roots / "temporary"


def test_a_folder_writable_by_others_is_never_used(roots: Path) -> None:
    """Compiled code is unpickled: whoever can write it can run anything."""
    (roots / "home" / "watermeet").mkdir(parents=True)
    (roots / "home" / "watermeet").chmod(0o777)
    folder = code_cache.cache_folder(OURS)
    assert folder is not None
    assert folder.parent.parent == roots / "temporary"


def test_kernels_run_without_a_writable_folder(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "_cache_roots", lambda: iter([Path(os.devnull)]))
    assert code_cache.cache_folder(OURS) is None
    assert Kernel(_add_one.python)(1) == 2


def test_code_without_a_file_is_not_cached(roots: Path) -> None:
    assert code_cache.cache_folder(frozenset({"no_such_package"})) is None


def test_a_game_depends_on_its_folder_and_its_imports() -> None:
    """Editing one game, a bot or the server leaves the compiled code of other games valid."""
    for name in wm.games():
        rules = wm.game(name).kernels.to_move.__module__
        home = Path(str(sys.modules[rules].__file__)).parent
        source = code_cache._source_of(rules)
        assert source == home
        sources = code_cache._with_imports({home}, {"watermeet"})
        assert {home, CORE} <= sources <= {home, CORE, CORE.parent}


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
    assert code_cache._with_imports({file}, {"single", "watermeet"}) == {file, CORE}


def test_only_old_folders_are_removed(roots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = roots / "home" / "watermeet"
    home.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(code_cache, "FOLDERS_KEPT", 2)
    for age in range(5):
        folder = home / f"kernels-{age}"
        folder.mkdir()
        os.utime(folder, (0, time.time() - 7200 * age))
    code_cache.cache_folder(OURS)
    left = {folder.name for folder in home.iterdir() if len(folder.name) < 12}
    assert left == {"kernels-0", "kernels-1"}


def test_systems_without_user_ids_trust_every_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr("watermeet.core.code_cache.os.getuid")
    assert code_cache._is_private(tmp_path)
    assert list(code_cache._cache_roots())[-1].name == "watermeet-user"


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
def test_an_edit_in_an_imported_file_recompiles(sandbox: Sandbox) -> None:
    """Trap 1: Numba's cache looks at the caller's file only, and would return the old result."""
    assert sandbox.run("calls_another_file") == {"calls_another_file": [8, 0]}
    assert sandbox.run("calls_another_file") == {"calls_another_file": [8, 1]}, (
        "unchanged sources must come from the cache"
    )
    helper = sandbox.package / "helper.py"
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
def test_checkouts_with_equal_sources_share_compiled_code(sandbox: Sandbox, tmp_path: Path) -> None:
    """Numba's own cache looks at the path of the source, too."""
    assert sandbox.run("calls_another_file") == {"calls_another_file": [8, 0]}
    other = tmp_path / "other"
    shutil.copytree(sandbox.package, other / sandbox.package.name)
    shutil.rmtree(sandbox.package)
    sandbox.environment["PYTHONPATH"] = os.pathsep.join([str(other), *sys.path])
    assert sandbox.run("calls_another_file") == {"calls_another_file": [8, 1]}


def test_other_sources_have_another_digest() -> None:
    digest = code_cache.source_digest
    rules, program = {"watermeet.core.rng"}, {"watermeet.cli.main"}
    assert digest(rules) == digest(rules) != digest(program)
