"""Random play of Flecks: every legal action is sampled, and no other."""

from __future__ import annotations

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.hexgrid import cells
from watermeet.core.rng import seeded
from watermeet.games.flecks import rules
from watermeet.games.flecks.tests.positions import flecks, position

FULL = position(
    " ".join(f"{'abcdefghi'[q + 4]}{r + 5}" for q, r in cells(5) if r < 1 and (q, r) != (0, -4)),
    " ".join(f"{'abcdefghi'[q + 4]}{r + 5}" for q, r in cells(5) if r > 0),
    last="f1",
    new_stone_fixed=True,
)


@pytest.mark.parametrize(
    "state",
    [
        flecks().start(),
        flecks().start().play_all(["a5", "e5", "e4", "f4"]),
        flecks().start().play_all(["a5", "e5", "e4", "f4", "e3"]),
        flecks(must_place=False).start().play_all(["a5", "e5", "e4", "f4"]),
        position("e1 e2 e3 e4", "a5 b5 c5", last="e4"),
        FULL,
    ],
    ids=["opening", "add", "move", "either", "a row as far as it goes", "hardly anything"],
)
def test_every_legal_action_is_sampled(state: wm.State) -> None:
    array, rng = state.array.copy(), seeded("fair")
    buffer = np.zeros(state.game.sizes.actions, dtype=np.int32)
    draws = 15 * len(state.legal_actions)
    found = {rules.sample_action(array, buffer, rng) for _ in range(draws)}
    assert found == set(state.legal_actions)
