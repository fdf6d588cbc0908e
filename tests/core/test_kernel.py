"""Kernels: their two faces, scratch memory, atomics, and kernels that are not inlined."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt
import pytest

import watermeet as wm
from watermeet.core import atomics
from watermeet.core import kernel as module
from watermeet.core.contract import StateArray
from watermeet.core.kernel import (
    Kernel,
    Scratch,
    deferred_compiling,
    kernel,
    load_compiled,
    plain_python,
    runs_plain_python,
    scratch,
    slot,
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


def test_a_kernel_keeps_its_name_and_docstring() -> None:
    assert _outer.__doc__ == "Calls a slot through another kernel."
    assert repr(_outer) == f"<kernel {__name__}._outer>"


def test_an_empty_slot_cannot_be_called() -> None:
    with pytest.raises(wm.InvalidKernel, match="_inner calls the slot 'rule', which is empty"):
        _ = _outer.compiled
    with plain_python(), pytest.raises(wm.InvalidKernel, match="the slot 'rule' is empty"):
        _outer(1)


def test_plain_python_is_limited_to_its_block() -> None:
    before = module.runs_plain_python()
    with plain_python():
        assert module.runs_plain_python()
        with plain_python():
            pass
        assert module.runs_plain_python()
    assert module.runs_plain_python() == before


def test_the_compiled_face_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_plain_python", False)
    fresh = Kernel(_calls_add_one.python)
    assert fresh(1) == 3
    assert fresh._compiled is not None
    plain = Kernel(_calls_add_one.python)
    with plain_python():
        assert plain(1) == 3
    assert plain._compiled is None


def test_loading_returns_what_the_work_returns() -> None:
    assert load_compiled(_add_one, 1) == 2


@pytest.mark.compiled
def test_deferred_kernels_run_as_python_until_they_are_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner, outer = Kernel(_add_one.python), Kernel(_calls_add_one.python)
    monkeypatch.setitem(outer.python.__globals__, "_add_one", inner)
    ran: list[str] = []

    def compiled(number: int, name: str) -> int:
        ran.append(name)
        return number

    for each in (inner, outer):
        monkeypatch.setattr(each, "_compiled", partial(compiled, name=each.__name__))
    with deferred_compiling():
        assert (outer(1), ran) == (3, [])
        assert load_compiled(inner, 1) == 1
        assert inner(1) == 1, "compiled, in any thread"
        assert outer(1) == 3, "plain Python all the way down"
        load_compiled(outer, 1)
        assert outer(1) == 1
    assert ran == ["_add_one", "_add_one", "_calls_add_one", "_calls_add_one"]


def test_only_functions_can_be_kernels() -> None:
    with pytest.raises(wm.InvalidKernel, match="is not a function"):
        kernel(len)
    local = 1
    with pytest.raises(wm.InvalidKernel, match="uses local variables"):
        kernel(lambda number: number + local)
    with pytest.raises(wm.InvalidKernel, match="no arguments or both"):
        kernel(inline=False, signature="")


@kernel
def _spin(numbers: StateArray, rounds: int) -> int:
    total = 0
    for round_number in range(rounds):
        for index in range(len(numbers)):
            total = (total * 31 + numbers[index] + round_number) % 1_000_003
    return total


@pytest.mark.slow
@pytest.mark.compiled
def test_kernels_release_the_interpreter_lock() -> None:
    """While one thread is inside a kernel, another runs Python."""
    numbers = np.arange(1000)
    _spin(numbers, 1)
    done = threading.Event()

    def work() -> None:
        _spin(numbers, 100_000)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    ticks = 0
    while not done.wait(0.001):
        ticks += 1
    worker.join()
    assert ticks > 20  # With the lock held there would be almost none.


@pytest.mark.compiled
def test_other_users_of_numba_keep_their_settings() -> None:
    import numba

    before = numba.config.CACHE_DIR
    fresh = Kernel(_add_one.python)
    assert fresh(1) == 2
    assert before == numba.config.CACHE_DIR


@pytest.mark.compiled
def test_threads_share_one_compilation() -> None:
    """Threads that need the compiled face at the same time share it."""
    fresh = Kernel(_double.python)
    faces: list[object] = []
    threads = [threading.Thread(target=lambda: faces.append(fresh.compiled)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(faces) == 4
    assert len(set(map(id, faces))) == 1


# ---- scratch memory -------------------------------------------------------------------------

_SIZE = 10_000


@kernel
def _sum(numbers: Scratch, count: int) -> int:
    total = 0
    for place in range(count):
        total += int(numbers[place])
    return total


@kernel
def _sum_of_squares(count: int) -> int:
    numbers = scratch(_SIZE)
    for place in range(count):
        numbers[place] = place * place
    return _sum(numbers, count)


@kernel
def _many_sums(rounds: int) -> int:
    total = 0
    for count in range(rounds):
        total += _sum_of_squares(count % 50)
    return total


def test_scratch_memory_can_be_passed_to_kernels() -> None:
    assert _sum_of_squares(4) == 0 + 1 + 4 + 9
    with plain_python():
        assert _sum_of_squares(4) == 14


@pytest.mark.compiled
def test_scratch_memory_is_released_on_return() -> None:
    """Otherwise a hundred thousand calls would need four gigabytes of stack."""
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


def test_atomic_additions_are_not_lost() -> None:
    counts, sums = np.zeros((2, 2), dtype=np.int32), np.zeros(2)
    threads, times = (1, 50) if runs_plain_python() else (4, 200_000)
    _count_up(counts, sums, 1)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: _count_up(counts, sums, times), range(threads)))
    assert counts.tolist() == [[0, 0], [0, 1 + threads * times]]
    assert sums.tolist() == [0.0, 0.5 * (1 + threads * times)]


def test_an_exchange_returns_the_previous_value() -> None:
    places = np.array([5, 6, 7], dtype=np.int32)
    assert _trade(places, 9) == 6
    assert _trade(places, 2) == 9 + 5
    assert places.tolist() == [5, 2 + 5, 7]


@pytest.mark.compiled
def test_atomics_work_in_compiled_code() -> None:
    test_atomic_additions_are_not_lost()
    test_an_exchange_returns_the_previous_value()


def test_plain_python_exposes_uninitialised_scratch_memory() -> None:
    assert (scratch(3) < -1_000_000).all()


# ---- kernels that are not inlined -----------------------------------------------------------


@kernel(inline=False, signature="int64[::1], int64, boolean")
def _count_large(numbers: StateArray, limit: int, strictly: bool) -> int:
    count = 0
    for number in numbers:
        count += int(number > limit or (number == limit and not strictly))
    return count


@kernel
def _count_twice(numbers: StateArray, limit: int) -> int:
    return 100 * _count_large(numbers, limit, True) + _count_large(numbers, limit, False)


def test_a_kernel_that_is_not_inlined_gives_the_same_results() -> None:
    numbers = np.array([1, 5, 5, 7], dtype=np.int64)
    assert _count_twice(numbers, 5) == 103
    assert _count_large(numbers, 4, True) == 3
    assert _count_large.without_inlining("int64[::1]") is _count_large
    with plain_python():
        assert _count_twice(numbers, 5) == 103


@pytest.mark.compiled
def test_a_kernel_that_is_not_inlined_is_called() -> None:
    numbers = np.array([1, 5], dtype=np.int64)
    assert _count_twice(numbers, 5) == 1
    assert _count_large.link is _count_large.link
    compiled = "".join(_count_twice.compiled.inspect_llvm().values())  # type: ignore[attr-defined]
    assert "test_kernel__count_large" in compiled


@kernel(inline=False, signature="int64")
def _never(number: int) -> int:
    return 0


@kernel
def _shared(number: int) -> int:
    return number * number + 1


@kernel
def _hardly_calls(number: int) -> int:
    return _shared(number) if _never(number) else number


@kernel
def _calls(number: int) -> int:
    return _shared(number) + 1


@kernel
def _calls_first(number: int) -> int:
    return _hardly_calls(_calls(number))


@kernel
def _calls_last(number: int) -> int:
    return _calls(_hardly_calls(number))


@pytest.mark.compiled
def test_what_one_caller_leaves_out_is_linked_for_the_next() -> None:
    """Numba drops a call that can't happen, and with it what is called, though others call it."""
    assert _calls_first(3) == _calls_last(3) == 11
