"""``sample_action``, the greedy player, and the benchmarks that use them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from watermeet.core.rng import seeded
from watermeet.games.flows.benchmarks import greedy_turns, measure, random_turns
from watermeet.games.flows.tests.helpers import flows


@pytest.mark.parametrize("options", [{"sides": "chosen"}, {"supermove": "full"}], ids=str)
def test_sample_action_handles_every_decision(options: dict[str, str]) -> None:
    """Also where no tile is laid, or one may be exchanged: then it samples from the list."""
    game = flows(radius=2, **options)
    rng = random.Random(2)
    search = np.zeros(game.sizes.actions, dtype=np.int32)
    generator = seeded(3)
    state = game.start().sample(rng)
    for _ in range(6):
        drawn = int(game.kernels.sample_action(state.array.copy(), search, generator))
        assert drawn in state.legal_actions
        state = state.play(drawn).sample(rng)


@pytest.mark.slow
@pytest.mark.compiled
def test_benchmarks_run() -> None:
    rows = measure(flows(), 0.2)
    assert [row[0] for row in rows] == [
        "all placements of a tile, random play",
        "all placements of a tile, greedy play",
    ]
    assert all(value > 0 and unit == "ms" and "p99" in note for _, value, unit, note in rows)


@pytest.mark.slow
@pytest.mark.compiled
def test_greedy_play_needs_fewer_tiles() -> None:
    game = flows(seats=3)
    greedy, at_random = (
        sum(sum(1 for _ in player(game, str(seed))) for seed in range(20))
        for player in (greedy_turns, random_turns)
    )
    assert greedy < at_random
