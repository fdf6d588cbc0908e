"""Resampling hidden information many times, and comparing the frequencies with probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import TypeVar

import numpy as np

from watermeet.core.rng import seeded
from watermeet.core.state import State

Key = TypeVar("Key", bound=Hashable)


def samples(state: State, seat: int | None, count: int) -> list[State]:
    """Full states that fit what a seat knows, from the game's ``resample``."""
    known = state.conceal(seat)
    rng = seeded(f"{seat} {count}")
    found = []
    for _ in range(count):
        out = np.zeros_like(known.array)
        state.game.kernels.resample(known.array.copy(), known.known_to, rng, out)
        found.append(State(state.game, out))
    return found


def assert_close(found: Counter[Key], chance_of: Mapping[Key, float]) -> None:
    """Compare frequencies with probabilities, within six standard deviations."""
    total = found.total()
    assert abs(sum(chance_of.values()) - 1) < 1e-9
    assert set(found) <= {key for key, chance in chance_of.items() if chance > 0}
    for key, chance in chance_of.items():
        deviation = (total * chance * (1 - chance)) ** 0.5
        assert abs(found[key] - total * chance) <= 6 * deviation + 1e-9
