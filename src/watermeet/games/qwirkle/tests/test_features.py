"""What a network sees of the score."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.testing.matches import random_match


@pytest.mark.parametrize("seats", [2, 3])
def test_leads_are_over_the_best_other_seat_and_level_at_a_half(seats: int) -> None:
    game = wm.game("qwirkle", seats=seats)
    states = [state for state in random_match(game, random.Random(7)).states if state.to_move >= 0]
    spec = game.features.spec
    seen = set()
    for state in states[:: len(states) // 20]:
        points = [each["score"] for each in state.view(state.to_move)["seats"]]
        _, numbers = spec.split(game.features.of(state, state.to_move)[None])
        values = dict(zip(spec.numbers, numbers[0], strict=True))
        for step in range(seats):
            seat = (state.to_move + step) % seats
            ahead = points[seat] - max(points[:seat] + points[seat + 1 :])
            lead = values[f"lead, seat +{step}"]
            assert lead == pytest.approx(min(max(0.5 + ahead / 100, 0), 1), abs=1e-6)
            seen.add(lead)
    assert len(seen) > 10
