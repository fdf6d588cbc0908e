"""Kernels: two faces, slots, specialised copies, and the cache with its two silent traps."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from watermeet.core import atomics
from watermeet.core import kernel as module
from watermeet.core.contract import StateArray
from watermeet.core.kernel import (
    Kernel,
    Scratch,
    kernel,
    plain_python,
    runs_plain_python,
    scratch,
    slot,
    specialize,
)


@slot
def rule(number: int) -> int:
    """A slot for the tests."""
    raise NotImplementedError


@kernel
def _add_one(number: int) -> int:
    return number + 1


@kernel
def _calls_add_one(number: int) -> int:
    return _add_one(number) + 1


@kernel
def _double(number: int) -> int:
    return 2 * number


@kernel
def _inner(number: int) -> int:
    return rule(number) + _add_one(number)


@kernel
def _outer(number: int) -> int:
    """Calls a slot through another kernel."""
    return _inner(number) * 10


def test_a_kernel_keeps_its_name_and_words() -> None:
    assert _outer.__doc__ == "Calls a slot through another kernel."
    assert repr(_outer) == f"<kernel {__name__}._outer>"


def test_slots_are_filled_through_the_kernels_that_are_called() -> None:
    first = specialize(_outer, "first_game", {"rule": _add_one})
    second = specialize(_outer, "second_game", {"rule": _double})
    assert (first(5), second(5)) == ((6 + 6) * 10, (10 + 6) * 10)
    with plain_python():
        assert (first(5), second(5)) == ((6 + 6) * 10, (10 + 6) * 10)


def test_the_same_copy_is_given_again_with_a_name_of_its_own() -> None:
    copy = specialize(_outer, "some.game", {"rule": _add_one})
    assert specialize(_outer, "some.game", {"rule": _add_one}) is copy
    assert copy.__qualname__ == "_outer__some_game"


def test_an_empty_slot_is_a_mistake_that_is_named() -> None:
    with pytest.raises(AssertionError, match="the slot 'rule' is empty"):
        _ = _outer.compiled
    with plain_python(), pytest.raises(AssertionError, match="the slot 'rule' is empty"):
        _outer(1)


def test_plain_python_ends_with_its_block() -> None:
    before = module.runs_plain_python()
    with plain_python():
        assert module.runs_plain_python()
        with plain_python():
            pass
        assert module.runs_plain_python()
    assert module.runs_plain_python() == before


def test_the_compiled_face_is_used_unless_plain_is_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_plain_python", False)
    fresh = Kernel(_calls_add_one.python)
    assert fresh(1) == 3
    assert fresh._compiled is not None
    plain = Kernel(_calls_add_one.python)
    with plain_python():
        assert plain(1) == 3
    assert plain._compiled is None


def test_only_functions_become_kernels() -> None:
    with pytest.raises(AssertionError, match="plain function"):
        kernel(len)
    local = 1
    with pytest.raises(AssertionError, match="must be global"):
        kernel(lambda number: number + local)


@kernel
def _spin(numbers: StateArray, rounds: int) -> int:
    total = 0
    for round_number in range(rounds):
        for index in range(len(numbers)):
            total = (total * 31 + numbers[index] + round_number) % 1_000_003
    return total


@pytest.mark.compiled
def test_kernels_release_the_interpreter_lock() -> None:
    """While one thread is inside a kernel, another runs Python."""
    numbers = np.arange(1000)
    _spin(numbers, 1)
    done = threading.Event()

    def work() -> None:
        _spin(numbers, 300_000)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    ticks = 0
    while not done.wait(0.001):
        ticks += 1
    worker.join()
    assert ticks > 20  # With the lock held there would be next to none.


@pytest.mark.compiled
def test_other_users_of_numba_keep_their_settings() -> None:
    import numba

    before = numba.config.CACHE_DIR
    fresh = Kernel(_add_one.python)
    assert fresh(1) == 2
    assert before == numba.config.CACHE_DIR


@pytest.mark.compiled
def test_one_compilation_for_many_threads() -> None:
    """Threads that ask for the compiled face at once get the same one."""
    fresh = Kernel(_double.python)
    faces: list[object] = []
    threads = [threading.Thread(target=lambda: faces.append(fresh.compiled)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(faces) == 4
    assert len(set(map(id, faces))) == 1


# ---- room to work in --------------------------------------------------------------------------

_SIZE = 10_000


@kernel
def _sum(room: Scratch, count: int) -> int:
    total = 0
    for place in range(count):
        total += int(room[place])
    return total


@kernel
def _sum_of_squares(count: int) -> int:
    room = scratch(_SIZE)
    for place in range(count):
        room[place] = place * place
    return _sum(room, count)


@kernel
def _many_sums(rounds: int) -> int:
    total = 0
    for count in range(rounds):
        total += _sum_of_squares(count % 50)
    return total


def test_scratch_is_room_that_can_be_passed_on() -> None:
    assert _sum_of_squares(4) == 0 + 1 + 4 + 9
    with plain_python():
        assert _sum_of_squares(4) == 14


@pytest.mark.compiled
def test_scratch_is_given_back_each_time() -> None:
    """Else a hundred thousand calls would need four gigabytes of stack."""
    assert _many_sums(100_000) == 2000 * _many_sums(50)


@pytest.mark.compiled
def test_every_thread_has_its_own_scratch() -> None:
    sums: list[int] = []
    threads = [threading.Thread(target=lambda: sums.append(_many_sums(200_000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [4000 * _many_sums(50)] * 4


@kernel
def _count_up(counts: npt.NDArray[np.int32], sums: npt.NDArray[np.float64], times: int) -> None:
    for _ in range(times):
        atomics.add(counts, 3, 1)
        atomics.add(sums, 1, 0.5)


@kernel
def _trade(places: npt.NDArray[np.int32], number: int) -> int:
    return atomics.exchange(places, 1, number + atomics.load(places, 0))


def test_nothing_is_lost_when_threads_add() -> None:
    counts, sums = np.zeros((2, 2), dtype=np.int32), np.zeros(2)
    threads, times = (1, 50) if runs_plain_python() else (4, 200_000)
    _count_up(counts, sums, 1)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: _count_up(counts, sums, times), range(threads)))
    assert counts.tolist() == [[0, 0], [0, 1 + threads * times]]
    assert sums.tolist() == [0.0, 0.5 * (1 + threads * times)]


def test_an_exchange_gives_what_was_there() -> None:
    places = np.array([5, 6, 7], dtype=np.int32)
    assert _trade(places, 9) == 6
    assert _trade(places, 2) == 9 + 5
    assert places.tolist() == [5, 2 + 5, 7]


@pytest.mark.compiled
def test_compiled_code_has_its_own_way_of_doing_that() -> None:
    test_nothing_is_lost_when_threads_add()
    test_an_exchange_gives_what_was_there()


def test_scratch_that_was_not_written_shows_in_plain_python() -> None:
    assert (scratch(3) < -1_000_000).all()


# ---- kernels that are compiled apart ----------------------------------------------------------


@kernel(inline=False, signature="int64[::1], int64, boolean")
def _count_large(numbers: StateArray, limit: int, strictly: bool) -> int:
    count = 0
    for number in numbers:
        count += int(number > limit or (number == limit and not strictly))
    return count


@kernel
def _count_twice(numbers: StateArray, limit: int) -> int:
    return 100 * _count_large(numbers, limit, True) + _count_large(numbers, limit, False)


def test_a_kernel_apart_gives_what_it_gives_within() -> None:
    numbers = np.array([1, 5, 5, 7], dtype=np.int64)
    assert _count_twice(numbers, 5) == 103
    assert _count_large(numbers, 4, True) == 3
    with plain_python():
        assert _count_twice(numbers, 5) == 103


@pytest.mark.compiled
def test_a_kernel_apart_is_called_and_not_taken_in() -> None:
    numbers = np.array([1, 5], dtype=np.int64)
    assert _count_twice(numbers, 5) == 1
    assert _count_large.link is _count_large.link
    compiled = "".join(_count_twice.compiled.inspect_llvm().values())  # type: ignore[attr-defined]
    assert "test_kernel__count_large" in compiled


# ---- the cache folder -------------------------------------------------------------------------


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """No cache is known, and the temporary folder is a new one."""
    importlib.import_module("numba")  # Before the platform is changed under its feet.
    module.cache_folder.cache_clear()
    monkeypatch.delenv("WATERMEET_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(
        "watermeet.core.kernel.tempfile.gettempdir", lambda: str(tmp_path / "temporary")
    )
    monkeypatch.setattr("watermeet.core.kernel.sys.platform", "linux")
    yield tmp_path
    module.cache_folder.cache_clear()


OURS = frozenset({"watermeet"})


def test_the_chosen_folder_comes_first(roots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATERMEET_CACHE_DIR", str(roots / "chosen"))
    folder = module.cache_folder(OURS)
    assert folder is not None
    assert folder.parent == roots / "chosen"


def test_the_users_cache_comes_next(roots: Path) -> None:
    folder = module.cache_folder(OURS)
    assert folder is not None
    assert folder.parent == roots / "home" / "watermeet"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_macs_have_their_own_place(roots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("watermeet.core.kernel.sys.platform", "darwin")
    monkeypatch.setenv("HOME", str(roots))
    folder = module.cache_folder(OURS)
    assert folder is not None
    assert folder.parent == roots / "Library" / "Caches" / "watermeet"


def test_without_a_home_the_temporary_folder_serves(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("watermeet.core.kernel.Path.home", no_home)
    folder = module.cache_folder(OURS)
    assert folder is not None
    assert folder.parent.name.startswith("watermeet-")
    assert folder.parent.parent == roots / "temporary"


def test_a_home_that_cannot_be_written_is_passed_over(roots: Path) -> None:
    (roots / "home").write_text("a file where a folder should be")
    folder = module.cache_folder(OURS)
    assert folder is not None
    assert folder.parent.parent == roots / "temporary"


def test_a_folder_that_others_can_write_to_is_never_taken(roots: Path) -> None:
    """Compiled code is unpickled: whoever can write it can run what he likes."""
    (roots / "home" / "watermeet").mkdir(parents=True)
    (roots / "home" / "watermeet").chmod(0o777)
    folder = module.cache_folder(OURS)
    assert folder is not None
    assert folder.parent.parent == roots / "temporary"


def test_with_nowhere_to_write_kernels_still_run(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_cache_roots", lambda: iter([Path(os.devnull)]))
    assert module.cache_folder(OURS) is None
    assert Kernel(_add_one.python)(1) == 2


def test_code_without_a_file_is_not_cached(roots: Path) -> None:
    assert module.cache_folder(frozenset({"no_such_package"})) is None


def test_a_module_that_is_one_file_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "single.py"
    file.write_text("")
    single = type(sys)("single")
    single.__file__ = str(file)
    monkeypatch.setitem(sys.modules, "single", single)
    assert module._source_files("single") == (file,)
    module._source_files.cache_clear()


def test_old_folders_are_removed_and_young_ones_kept(
    roots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = roots / "home" / "watermeet"
    home.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(module, "OLD_FOLDERS_KEPT", 2)
    for age in range(5):
        folder = home / f"kernels-{age}"
        folder.mkdir()
        os.utime(folder, (0, time.time() - 7200 * age))
    module.cache_folder(OURS)
    left = {folder.name for folder in home.iterdir() if len(folder.name) < 12}
    assert left == {"kernels-0", "kernels-1"}


def test_an_edit_above_the_kernels_makes_no_code_old() -> None:
    folder = Path(module.__file__).parents[1]
    files = {path.relative_to(folder) for path in module._source_files("watermeet")}
    hashed = {path.parts[0] for path in files}
    assert {"core", "games", "search"} <= hashed
    assert hashed.isdisjoint(module.FOLDERS_WITHOUT_KERNELS)
    above = [
        path
        for name in module.FOLDERS_WITHOUT_KERNELS
        for path in (folder / name).rglob("*.py")
        if re.search(r"^@kernel|\bkernel_apart\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert above == []


def test_systems_without_user_numbers_trust_their_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr("watermeet.core.kernel.os.getuid")
    assert module._is_private(tmp_path)
    assert list(module._cache_roots())[-1].name == "watermeet-user"


def test_windows_has_its_own_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Windows:
        name = "nt"
        environ = {"LOCALAPPDATA": str(tmp_path)}  # noqa: RUF012 - stands in for a module

    monkeypatch.setattr(module, "os", Windows)
    monkeypatch.setattr("watermeet.core.kernel.sys.platform", "win32")
    assert next(iter(module._cache_roots())) == tmp_path / "watermeet" / "Cache"


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
def apart(number):
    return helper(number) + 1000

@kernel
def calls_apart(number):
    return apart(number)

@kernel
def calls_it_from_afar(number):
    return calls_apart(number)
""",
}

PROGRAM = """
import json, sys
from watermeet.core.kernel import specialize
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
def test_an_edit_in_another_file_is_seen(sandbox: Sandbox) -> None:
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
def test_kernels_apart_are_found_by_callers_from_the_cache(sandbox: Sandbox) -> None:
    """A caller that is read back knows a name alone; without the symbol the process would die."""
    assert sandbox.run("calls_it_from_afar") == {"calls_it_from_afar": [1008, 0]}
    assert sandbox.run("calls_it_from_afar") == {"calls_it_from_afar": [1008, 1]}
    assert sandbox.run("calls_apart", "apart") == {"calls_apart": [1008, 1], "apart": [1008, 1]}
