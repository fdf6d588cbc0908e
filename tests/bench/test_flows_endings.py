"""The exact values of the last placements of Flows."""

from __future__ import annotations

import importlib
import itertools
from pathlib import Path
from typing import Any

import pytest

import watermeet as wm

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def endings(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("bench.flows_endings")


def expected_return(state: wm.State, team: int) -> float:
    """The expected return of seat 0 of two, by the rules alone, without memory or shortcuts."""
    if state.outcome is not None:
        return state.outcome.returns[team]
    if state.to_move == wm.CHANCE:
        return sum(
            probability * expected_return(state.play(outcome), team)
            for outcome, probability in state.chance_outcomes
        )
    values = [expected_return(state.play(action), team) for action in state.legal_actions]
    return max(values) if state.to_move == team else min(values)


def test_the_values_are_those_of_brute_force(endings: Any) -> None:
    for state in itertools.islice(endings.endings(2, 3), 4):
        values = endings.Solver(10**9).values(state)
        for action, value in values.items():
            assert value == pytest.approx(expected_return(state.play(action), state.to_move))
