"""Evaluation kernels: a game's own, and defaults for the rest."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.evaluation import NAMES, Evaluation, default_evaluation
from watermeet.core.kernel import kernel, plain_python
from watermeet.core.rng import seeded

KUHN = wm.game("kuhn_poker")


def with_part(monkeypatch: pytest.MonkeyPatch, **content: object) -> Evaluation:
    """Kuhn poker's evaluation, if its folder had an ``evaluation.py`` with this in it."""
    name = f"{KUHN.package}.evaluation"
    module = types.ModuleType(name)
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, name, module)
    return Evaluation(KUHN)


def test_a_game_without_evaluation_has_the_default() -> None:
    assert KUHN.evaluation.own == frozenset()
    assert set(KUHN.evaluation.by_name) == set(NAMES)


def test_the_default_evaluation_is_neutral() -> None:
    state = KUHN.start().play(0).play(1)
    actions = np.array([*state.legal_actions, 0, 0, 0], dtype=np.int32)
    plain: dict[str, Any] = default_evaluation(KUHN)
    returns, weights = np.full(2, 5.0), np.zeros(5)
    with plain_python():
        plain["evaluate"](state.array.copy(), returns)
        plain["priors"](state.array.copy(), actions, 2, weights)
        assert returns.tolist() == [0.0, 0.0]
        assert weights.tolist() == [1.0, 1.0, 0.0, 0.0, 0.0]
        assert plain["proven_returns"](state.array.copy(), returns) == 0
        rng = seeded(1)
        picked = {plain["rollout_policy"](state.array.copy(), actions, rng) for _ in range(40)}
        lines = np.zeros((1, 3), dtype=np.int32)
        assert plain["propose_turns"](state.array.copy(), lines, weights) == 0
        after = state.array.copy()
        plain["rollout_turn"](after, actions, rng)
    assert picked == set(state.legal_actions)
    expected = {state.play(action).array.tobytes() for action in state.legal_actions}
    assert after.tobytes() in expected


def test_kernels_of_a_game_replace_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    @kernel
    def proven_returns(state: Any, out: Any) -> int:
        return 1

    found = with_part(monkeypatch, proven_returns=proven_returns)
    assert found.own == {"proven_returns"}
    assert found.by_name["proven_returns"] is proven_returns


def test_a_function_that_is_not_a_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(wm.InvalidGame, match=r"'proven_returns' in .* isn't a kernel"):
        with_part(monkeypatch, proven_returns=lambda state, out: 1)
