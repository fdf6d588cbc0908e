"""The kit compares all faces of a game's kernels, and finds one that differs."""

from __future__ import annotations

import importlib.util
import random
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.intrinsic import Intrinsic
from watermeet.core.kernel import Kernel, kernel
from watermeet.testing import Nonconformance, all_faces, face_notes, faces, run_check
from watermeet.testing.__main__ import main as run_kit

pytestmark = [pytest.mark.compiled, pytest.mark.slow]
NAME = "kuhn_poker"
REFERENCE: Kernel[Any, Any] = wm.game(NAME).kernels.by_name["legal"]


class _Constant(Intrinsic):
    """A number that should be 0, and is 1 in one of the faces."""

    def __init__(self, face: str) -> None:
        self._face = face

    def __call__(self) -> int:
        return int(self._face == "plain")

    def _make(self, face: str) -> Any:
        from numba.core import types
        from numba.core.extending import intrinsic

        def typed(typing: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return context.get_constant(types.int64, int(self._face == face))

            return types.int64(), generate

        return intrinsic(typed)

    def make_native(self) -> Any:
        return self._make("native")

    def make_wasm(self) -> Any:
        return self._make("wasm")


wrong_natively, wrong_in_a_browser = _Constant("native"), _Constant("wasm")


@kernel
def legal_natively(state: StateArray, out: ActionArray) -> int:
    return int(REFERENCE(state, out)) - wrong_natively() * int(state[2] == 1)


@kernel
def legal_in_a_browser(state: StateArray, out: ActionArray) -> int:
    return int(REFERENCE(state, out)) - wrong_in_a_browser() * int(state[2] == 1)


def broken(name: str, legal: Kernel[Any, Any]) -> wm.Game:
    """Kuhn poker that lists one action less after the first one, in one of the faces."""
    game = wm.game(NAME)
    fields = {field: getattr(game, field) for field in game.__dataclass_fields__}
    made = wm.Game(**(fields | {"name": name}))
    made.kernels.by_name["legal"] = legal
    vars(made.kernels)["legal"] = legal
    return made


def test_native_code_that_differs_is_named_with_its_step() -> None:
    words = r"legal must agree in plain Python and native code, and differs at step 3 .*wrong_here"
    game = broken("wrong_here", legal_natively)
    with pytest.raises(Nonconformance, match=words):
        run_check("faces_agree", game, random.Random(0))


def test_a_browser_that_differs_is_named_with_its_step() -> None:
    words = r"the browser differs from native code at step 3 of match 0 \(in wrong_there@1\)"
    game = broken("wrong_there", legal_in_a_browser)
    run_check("faces_agree", game, random.Random(0))
    assert face_notes(game)[faces.BROWSER].startswith("left out")
    with all_faces(), pytest.raises(Nonconformance, match=words):
        run_check("faces_agree", game, random.Random(0))


def test_the_kit_says_which_faces_it_compared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_kit([NAME]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    at = next(index for index, line in enumerate(lines) if "faces_agree" in line)
    noted = dict(line.split("  ", 1) for line in lines[at + 1 : at + 5])
    assert "random matches" in noted["native code"]
    assert noted["browser"].endswith("run by Node")
    assert "translated for one, but not run: " in noted["GPU"]
    monkeypatch.setattr(faces, "find_node", lambda: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with all_faces():
        run_check("faces_agree", wm.game(NAME), random.Random(0))
    noted = face_notes(wm.game(NAME))
    assert noted[faces.BROWSER] == faces.NO_NODE
    assert noted[faces.GPU] == faces.NO_CUDA


def test_a_gpu_is_compared_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it is the CPU, which runs the same program for all rows."""
    from watermeet.core.cuda_simulator import SimulatedGpu

    class Rows(SimulatedGpu):
        def prepare(self, kernel: Kernel[Any, Any], count: int, *arguments: Any) -> Any:
            plain = [np.asarray(each) if np.ndim(each) else each for each in arguments]
            return lambda: kernel(*plain)

    monkeypatch.setattr(faces, "find_gpu", Rows)
    monkeypatch.setattr(faces, "find_node", lambda: None)
    with all_faces(20):
        run_check("faces_agree", wm.game(NAME), random.Random(0))
    assert face_notes(wm.game(NAME))[faces.GPU].endswith("on the GPU")
