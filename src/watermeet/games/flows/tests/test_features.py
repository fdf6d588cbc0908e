"""What networks see of routes."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.games.flows.tests.helpers import flows


@pytest.mark.parametrize("seat", [0, 1])
def test_edges_say_how_far_they_are_from_the_sides(seat: int) -> None:
    state, rng = flows().start(), random.Random(1)
    while state.to_move == wm.CHANCE:
        state = state.sample(rng)
    spec = state.game.features.spec
    planes, numbers = spec.split(state.game.features.of(state, seat)[None])
    near = dict(zip(spec.planes, planes[0], strict=True))
    for whose in ("my side", "my goal", "their side", "their goal"):
        edges = [near[f"{whose} by edge {edge}"] for edge in range(6)]
        assert sum((edge == 1).sum() for edge in edges) == 7, "the edges of a side"
        assert {round(1 / each) - 1 for edge in edges for each in edge[edge > 0]} == set(range(8))
    values = dict(zip(spec.numbers, numbers[0], strict=True))
    assert values["near a route of mine"] == values["near a route of theirs"] == 1 / 8
