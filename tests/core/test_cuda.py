"""The CUDA face, without a GPU: programs are translated, and played by numba-cuda's simulator."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.core.native_gpu import NativeGpu
from tests.core.simulated_gpu import ARRAYS

import watermeet as wm
from watermeet.core import atomics, cuda_batch, device
from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import clear_mask, share, write_mask
from watermeet.core.contract import StateArray, to_move
from watermeet.core.cuda_batch import find_gpu
from watermeet.core.cuda_device import type_text
from watermeet.core.cuda_simulator import SimulatedGpu
from watermeet.core.errors import InvalidArgument, InvalidKernel, NotInstalled
from watermeet.core.intrinsic import THREADS, on_gpu, thread
from watermeet.core.kernel import Kernel, kernel, plain_python, scratch
from watermeet.envs import vector
from watermeet.testing import option_sets

ROOT = Path(__file__).parents[2]
HOPPER = (9, 0)
FEATURES_EVERY = 7
"""After so many steps, features are compared: those of some games are larger than all else."""


@pytest.mark.nightly
def test_batches_on_a_gpu_play_what_batches_on_the_cpu_play() -> None:
    settings = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = (sys.executable, "-m", "tests.core.simulated_gpu")
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("name", wm.games())
def test_many_matches_are_the_same_by_the_programs_of_a_gpu(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first action to the last; the programs are compiled natively."""
    compare_natively(wm.game(name), 300, monkeypatch)


@pytest.mark.slow
@pytest.mark.compiled
def test_matches_with_other_options_are_the_same_by_the_programs_of_a_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for options in option_sets(wm.game("flume")):
        compare_natively(wm.game("flume", **options), 60, monkeypatch)


def compare_natively(game: wm.Game, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play whole matches by the programs of a GPU and by those of the CPU, and compare them."""
    monkeypatch.setattr(cuda_batch, "find_gpu", NativeGpu)
    monkeypatch.setattr(cuda_batch, "_smallest", lambda limit: np.int32)  # As native kernels want.
    cpu = VectorGame(game, count, seed=5, autoreset=False)
    gpu = VectorGame(game, count, seed=5, autoreset=False, device="cuda")
    step = 0
    while (cpu.to_move >= 0).any():
        chosen = cpu.sample_actions()
        assert np.array_equal(chosen, np.asarray(gpu.sample_actions()))
        cpu.step(chosen)
        gpu.step(chosen)
        step += 1
        for array in ARRAYS:
            if array == "features" and step % FEATURES_EVERY:
                continue
            is_same = np.array_equal(getattr(cpu, array), np.asarray(getattr(gpu, array)))
            assert is_same, f"{game.describe()}: {array} at step {step}"
    gpu.check()


class Recording(SimulatedGpu):
    """Runs nothing, and notes what it should run."""

    def __init__(self) -> None:
        self.programs: dict[str, tuple[Kernel[Any, Any], tuple[str, ...]]] = {}

    def prepare(self, kernel: Kernel[Any, Any], count: int, *arguments: Any) -> Any:
        self.programs[kernel.__name__] = kernel, tuple(map(type_text, arguments))
        return lambda: None


TABLE = np.arange(20_000, dtype=np.int64)
"""Too large for constant memory."""


@kernel(inline=False, signature="int64")
def look_up(index: int) -> int:
    return int(TABLE[index])


@kernel
def write(out: npt.NDArray[np.int64]) -> None:
    buffer = scratch(2)
    buffer[0] = look_up(len(out))
    out[0] = buffer[0]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_kernel_is_translated_with_all_that_it_calls() -> None:
    from watermeet.core.cuda import translate

    library = translate(write, ("int64[::1]",), HOPPER).library
    code = "".join(str(each.get_llvm_str()) for each in (library, *library._linking_libraries))
    assert "noinline" in code, "look_up is called, not inlined"
    assert "addrspace(1) constant [160000 x i8]" in code
    assert "addrspace(4)" not in code, "constant memory has room for 64 kB"


@kernel
def use_intrinsics(out: npt.NDArray[np.int64]) -> None:
    first, end = share(len(out))
    atomics.add(out, first, end + int(on_gpu()))
    atomics.exchange(out, 1, atomics.load(out, first) + thread())


@pytest.mark.slow
@pytest.mark.compiled
def test_intrinsics_have_code_for_every_face() -> None:
    from watermeet.core.cuda import translate

    plain, compiled = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    use_intrinsics.python(plain)
    use_intrinsics(compiled)
    assert plain.tolist() == compiled.tolist() == [3, 3, 0]
    assert translate(use_intrinsics, ("int64[::1]",), HOPPER).library


@pytest.mark.slow
def test_on_a_gpu_a_thread_has_arrays_of_its_own() -> None:
    """So what is atomic elsewhere is plain there."""
    array = np.zeros(2, dtype=np.int64)
    assert atomics.exchange.make_cuda().py_func(array, 1, 7) == 0
    assert atomics.add.make_cuda().py_func(array, 1, 2) == 7
    assert atomics.load.make_cuda().py_func(array, 1) == 9


class Simulated(threading.Thread):
    """A thread as numba-cuda's simulator has them: the third one of the second block."""

    blockIdx = SimpleNamespace(x=1)  # noqa: N815 - numba-cuda's names
    threadIdx = SimpleNamespace(x=2)  # noqa: N815

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__()
        self._work = work
        self.found: Any = None

    def run(self) -> None:
        with plain_python():
            self.found = self._work()


def on_simulated_thread(work: Callable[[], Any]) -> Any:
    simulated = Simulated(work)
    simulated.start()
    simulated.join()
    return simulated.found


def test_a_thread_on_a_gpu_works_on_one_row() -> None:
    number = THREADS + 2
    assert on_simulated_thread(thread) == number
    assert on_simulated_thread(lambda: share(1000)) == (number, number + 1)
    assert on_simulated_thread(lambda: share(5)) == (number, 5), "which is none"
    assert share(1000) == (0, 1000)


def test_masks_are_the_same_on_a_gpu() -> None:
    codes = np.array([1, 2, 5, 9], dtype=np.int32)
    masks = np.ones((2, 7), dtype=np.bool_)

    def fill(mask: npt.NDArray[np.bool_]) -> None:
        clear_mask(mask, False, codes, 3)
        write_mask(mask, False, codes, 3)

    fill(masks[0])
    on_simulated_thread(lambda: fill(masks[1]))
    assert masks.tolist() == [[code in (1, 2, 5) for code in range(7)]] * 2


def test_devices_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu: Any = SimulatedGpu()
    monkeypatch.setattr(device, "find_gpu", lambda: gpu)
    assert device.find_device("cuda") is gpu
    assert isinstance(device.find_device("cpu"), device.Cpu)
    with pytest.raises(InvalidArgument, match="'tpu' isn't a device"):
        device.find_device("tpu")
    with pytest.raises(InvalidArgument, match="'tpu' isn't a device"):
        VectorGame(wm.game("flume"), 2, device="tpu")


@kernel
def call_a_slot(state: StateArray) -> None:
    to_move(state)


@pytest.mark.slow
@pytest.mark.compiled
def test_an_empty_slot_is_named() -> None:
    with pytest.raises(InvalidKernel, match="call_a_slot calls the slot 'to_move'"):
        call_a_slot.cuda_function()


@kernel
def reshape_scratch(out: npt.NDArray[np.int64]) -> None:
    rows = scratch(10).reshape(2, 5)
    out[0] = rows[1, 2]


@kernel
def reshape_below(out: npt.NDArray[np.int64]) -> None:
    reshape_scratch(out)


@kernel
def allocate(out: npt.NDArray[np.int64]) -> None:
    counts = np.zeros(3)
    out[0] = int(counts[0])


@kernel
def round_as_a_gpu_does(out: npt.NDArray[np.int64]) -> None:
    out[0] = int(math.sin(float(out[1])))


@kernel
def raise_to_a_power(out: npt.NDArray[np.int64]) -> None:
    out[0] = int(float(out[1]) ** 0.5)


@kernel
def sort(out: npt.NDArray[np.int64]) -> None:
    out.sort()


@kernel
def round_down(out: npt.NDArray[np.int64]) -> None:
    out[0] = int(np.floor(float(out[1])))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("broken", "culprit", "law"),
    [
        (reshape_scratch, reshape_scratch, "a kernel doesn't reshape arrays"),
        (reshape_below, reshape_scratch, "see it as a table with in_rows"),
        (allocate, allocate, "a kernel allocates nothing"),
        (round_as_a_gpu_does, round_as_a_gpu_does, "a GPU rounds 'sin' its own way; use watermeet"),
        (raise_to_a_power, raise_to_a_power, "a GPU rounds 'pow' its own way"),
        (sort, sort, "a GPU has no 'sort'"),
        (round_down, round_down, "a GPU has no 'floor'"),
    ],
)
def test_a_law_that_a_kernel_breaks_is_named_with_its_line(
    broken: Kernel[Any, Any], culprit: Kernel[Any, Any], law: str
) -> None:
    from watermeet.core.cuda import translate

    line = culprit.python.__code__.co_firstlineno + 2
    words = f"{culprit.__name__} (test_cuda.py:{line}) does not compile for a GPU: "
    with pytest.raises(InvalidKernel, match=re.escape(words)) as refused:
        translate(broken, ("int64[::1]",), HOPPER)
    assert law in str(refused.value)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("name", wm.games())
def test_every_game_can_be_translated_for_a_gpu(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its environments, whose programs are the same for all games."""
    from watermeet.core.cuda import translate

    gpu = Recording()
    monkeypatch.setattr(cuda_batch, "find_gpu", lambda: gpu)
    batch = VectorGame(wm.game(name), 2, device="cuda")
    batch.step(batch.sample_actions())
    _ = batch.features
    assert len(gpu.programs) == 4
    if name == "flume":
        many = vector.make(name, num_envs=2, device="cuda", seat="random")
        many.reset(seed=1)
        many.step([0, 0])
        assert {"restart_thread", "learn_thread"} <= set(gpu.programs)
    for program, types in gpu.programs.values():
        code = str(translate(program, types, HOPPER).library.get_llvm_str())
        assert "define i32 @" in code


def test_environments_on_a_gpu_refuse_what_it_can_not_do() -> None:
    for settings, match in (
        ({"opponents": "sea"}, "'sea' can't play on a GPU"),
        ({"opponents": [None, "random"]}, "can't play on a GPU"),
        ({"seat": 2}, "no seat 2"),
        ({"device": "tpu"}, "'tpu' isn't a device"),
    ):
        with pytest.raises(wm.WatermeetError, match=match):
            vector.make("flume", num_envs=2, **{"device": "cuda", **settings})


def test_without_a_gpu_there_is_a_clear_error() -> None:
    find_gpu.cache_clear()
    with pytest.raises(NotInstalled, match=r"GPU|driver"):
        VectorGame(wm.game("flume"), 4, device="cuda")
    with pytest.raises(NotInstalled, match=r"GPU|driver"):
        vector.make("flume", num_envs=4, device="cuda")
