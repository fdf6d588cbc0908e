"""The CUDA face, without a GPU: programs are translated, and played by numba-cuda's simulator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import watermeet as wm
from watermeet.core import cuda_batch
from watermeet.core.batch import VectorGame
from watermeet.core.contract import StateArray, to_move
from watermeet.core.cuda_batch import find_gpu
from watermeet.core.cuda_device import type_text
from watermeet.core.cuda_simulator import SimulatedGpu
from watermeet.core.errors import InvalidArgument, InvalidKernel, NotInstalled
from watermeet.core.kernel import Kernel, kernel, scratch

ROOT = Path(__file__).parents[2]
HOPPER = (9, 0)


@pytest.mark.slow
def test_batches_on_a_gpu_play_what_batches_on_the_cpu_play() -> None:
    settings = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = (sys.executable, "-m", "tests.core.simulated_gpu")
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


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


@pytest.mark.compiled
def test_a_kernel_is_translated_with_all_that_it_calls() -> None:
    from watermeet.core.cuda import translate

    library = translate(write.cuda_function(), ("int64[::1]",), HOPPER).library
    code = "".join(str(each.get_llvm_str()) for each in (library, *library._linking_libraries))
    assert "noinline" in code, "look_up is called, not inlined"
    assert "addrspace(1) constant [160000 x i8]" in code
    assert "addrspace(4)" not in code, "constant memory has room for 64 kB"


@kernel
def call_a_slot(state: StateArray) -> None:
    to_move(state)


@pytest.mark.compiled
def test_an_empty_slot_is_named() -> None:
    with pytest.raises(InvalidKernel, match="call_a_slot calls the slot 'to_move'"):
        call_a_slot.cuda_function()


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", wm.games())
def test_every_game_can_be_translated_for_a_gpu(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from watermeet.core.cuda import translate

    gpu = Recording()
    monkeypatch.setattr(cuda_batch, "find_gpu", lambda: gpu)
    batch = VectorGame(wm.game(name), 2, device="cuda")
    batch.step(batch.sample_actions())
    _ = batch.features
    assert len(gpu.programs) == 4
    for program, types in gpu.programs.values():
        code = str(translate(program.cuda_function(), types, HOPPER).library.get_llvm_str())
        assert "define i32 @" in code


def test_without_a_gpu_there_is_a_clear_error() -> None:
    find_gpu.cache_clear()
    with pytest.raises(NotInstalled, match=r"GPU|driver"):
        VectorGame(wm.game("flume"), 4, device="cuda")


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="'tpu' isn't a device"):
        VectorGame(wm.game("flume"), 4, device="tpu")
