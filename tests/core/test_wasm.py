"""The WebAssembly face: a module of small kernels, run by Node."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from tests.bots.test_external import node

from watermeet.core import atomics, portable_math
from watermeet.core.errors import InvalidKernel
from watermeet.core.kernel import Kernel, in_rows, kernel, scratch
from watermeet.core.wasm_object import STACK, add_section, make_module

pytestmark = pytest.mark.compiled

TOO_MUCH = STACK // 4 + 1
TABLE = np.array([3, 1, 4, 1, 5], dtype=np.int64)


class Shapes(NamedTuple):
    """A tuple as the search passes them: arrays, a float, a flag."""

    counts: npt.NDArray[np.int32]
    scale: float
    is_doubled: bool


@kernel(inline=False, signature="int64")
def look_up(index: int) -> int:
    return int(TABLE[index])


@kernel
def compute(shapes: Shapes, out: npt.NDArray[np.float64], number: int) -> int:
    """Use what kernels use: scratch memory, tables, atomics, roots, tuples, bytes that move."""
    buffer = scratch(1000)
    rows = in_rows(buffer, 100)
    for row in range(10):
        for column in range(100):
            rows[row, column] = row * column
    for index in range(len(shapes.counts)):
        buffer[index] = shapes.counts[index] + look_up(index)
        atomics.add(shapes.counts, index, 1)
    total = 0
    for index in range(1000):
        total += int(buffer[index])
    out[0] = np.sqrt(shapes.scale) * (2.0 if shapes.is_doubled else 1.0)
    out[1] = portable_math.exp(portable_math.log(shapes.scale))
    return total - number


@kernel
def is_positive(number: float) -> bool:
    return number > 0.0


@kernel
def halve(number: float) -> float:
    return number / 2.0


@kernel
def clear(counts: npt.NDArray[np.int32]) -> None:
    for index in range(len(counts)):
        counts[index] = 0


@kernel
def dig(number: int) -> int:
    """Ask for more scratch memory than the stack has."""
    buffer = scratch(TOO_MUCH)
    for index in range(len(buffer)):
        buffer[index] = number + index
    return int(buffer[number]) + int(buffer[number + 1])


@kernel
def sine(x: float) -> float:
    half = x / 2.0
    return float(np.sin(half))


@kernel
def area(x: float) -> float:
    return x * sine(x)


@kernel
def sums_in_rows(counts: npt.NDArray[np.int32]) -> int:
    rows = counts.reshape(2, 5)
    return int(rows[1, 2])


SCRIPT = """
const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
const { exports } = new WebAssembly.Instance(module);
const heap = exports.heap.value, view = new DataView(exports.memory.buffer);
const [tuple, counts, out] = [heap, heap + 64, heap + 128];
[10, 20, 30].forEach((value, index) => view.setInt32(counts + 4 * index, value, true));
view.setInt32(tuple, counts, true);
view.setInt32(tuple + 4, 3, true);
view.setFloat64(tuple + 8, 2.5, true);
view.setBigInt64(tuple + 16, 1n, true);
const found = [
  WebAssembly.Module.imports(module).length,
  exports.compute(tuple, out, 2, 5),
  view.getFloat64(out, true), view.getFloat64(out + 8, true),
  view.getInt32(counts, true), exports.is_positive(0.5), exports.is_positive(-0.5),
  exports.halve(0.5), (exports.clear(counts, 2), view.getInt32(counts + 4, true)),
  new TextDecoder().decode(WebAssembly.Module.customSections(module, 'note')[0]),
];
try { exports.dig(3); } catch (error) { found.push(error.constructor.name); }
console.log(JSON.stringify(found));
"""


def run_in_node(script: str, module: Path) -> str:
    """What a script prints about a module."""
    found = node()
    if found is None:
        pytest.skip("Node runs the module")
    command = (found, "-e", script, str(module))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_module_computes_what_python_computes(tmp_path: Path) -> None:
    from watermeet.core.wasm import Export, compile_module

    counts, out = np.array([10, 20, 30], dtype=np.int32), np.zeros(2)
    shapes = Shapes(counts, 2.5, True)
    exports = (
        Export("compute", compute, (shapes, out, 5)),
        Export("is_positive", is_positive, (0.5,)),
        Export("halve", halve, (0.5,)),
        Export("clear", clear, (counts,)),
        Export("dig", dig, (3,)),
    )
    file = tmp_path / "module.wasm"
    file.write_bytes(add_section(compile_module(exports), "note", b"seven"))
    number = compute.python(shapes, out, 5)
    expected = [0, number, *out.tolist(), int(counts[0]), 1, 0, 0.25, 0, "seven", "RuntimeError"]
    assert json.loads(run_in_node(SCRIPT, file)) == expected


def line_of(function: Kernel[Any, Any], after: int) -> str:
    """A place as errors name it: the line that comes so many lines after the decorator."""
    return f"test_wasm.py:{function.python.__code__.co_firstlineno + after}"


def test_a_function_that_is_missing_in_a_browser_is_named() -> None:
    from watermeet.core.wasm import Export, compile_module

    words = (
        f"sine ({line_of(sine, 3)}) does not compile for a browser: a kernel calls only what every "
        "face has, and a browser has no 'sin'; use watermeet.core.portable_math"
    )
    with pytest.raises(InvalidKernel, match=re.escape(words)):
        compile_module([Export("halve", halve, (0.5,)), Export("area", area, (0.5,))])
    words = f"sums_in_rows ({line_of(sums_in_rows, 2)}) does not compile for a browser: a kernel"
    with pytest.raises(InvalidKernel, match=re.escape(words) + " doesn't reshape arrays.*in_rows"):
        compile_module([Export("sums", sums_in_rows, (np.zeros(10, dtype=np.int32),))])


@kernel
def append(number: int) -> None:
    _ = "a" + number  # type: ignore[operator]


def test_a_kernel_that_does_not_compile_is_named() -> None:
    from watermeet.core.wasm import Export, compile_module

    with pytest.raises(InvalidKernel, match="append"):
        compile_module([Export("append", append, (5,))])
    with pytest.raises(AssertionError, match="str"):
        append.translate(("no type",))


POINTERS = """
@numbers = global [2 x i32] [i32 7, i32 9]
@place = global ptr getelementptr ([2 x i32], ptr @numbers, i32 0, i32 1)
define i32 @peek() {
  %at = load volatile ptr, ptr @place
  %number = load volatile i32, ptr %at
  ret i32 %number
}
"""


def test_data_may_point_to_data(tmp_path: Path) -> None:
    from watermeet.core.wasm import compile_text

    file = tmp_path / "module.wasm"
    file.write_bytes(make_module(compile_text(POINTERS, {"peek"}), ["peek"]))
    script = """
    const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
    console.log(new WebAssembly.Instance(module).exports.peek());
    """
    assert run_in_node(script, file) == "9"
