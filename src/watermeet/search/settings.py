"""What a Monte Carlo search is told, as one array of numbers that kernels read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from watermeet.core.contract import FloatArray
from watermeet.core.errors import InvalidOptions, suggest


@dataclass(frozen=True)
class Settings:
    """How a Monte Carlo search behaves; the order of the fields is that of the array."""

    exploration: float = 1.0
    """How curious it is about what it has seldom tried, as a part of the best return."""
    priors: float = 0.0
    """1: choose by the game's ``priors`` (PUCT), 0: try everything once (UCT)."""
    first_play: float = 0.2
    """With priors: how much worse than its node an action counts that nobody tried."""
    judged: float = 0.0
    """The part of a leaf's value that the game's ``evaluate`` says; playing on says the rest."""
    longest: float = float(1 << 30)
    """Playing on stops after so many actions, and is judged there."""
    widening: float = 0.0
    """Above 0: only so many actions are considered at first, those that weigh most ..."""
    widening_power: float = 0.5
    """... and as many times the visits to this power."""
    expand_after: float = 1.0
    """A state gets edges of its own when it was visited so often."""
    shared: float = 0.0
    """1: equal states that are reached on different ways share one node."""
    pruned: float = 0.0
    """1: actions that the game's ``priors`` gives 0 are left out: another is surely as good."""
    before_chance: float = 0.0
    """1: where something is hidden, the tree ends where chance acts; playing on says the rest."""

    def as_array(self, best_return: float) -> FloatArray:
        """For kernels, with the best that a seat of the game can get as the last number."""
        numbers = [float(getattr(self, each.name)) for each in fields(self)]
        return np.array([*numbers, best_return])

    @classmethod
    def of(cls, values: Mapping[str, float]) -> Settings:
        """From plain data; raises InvalidOptions for a name that is none."""
        known = [each.name for each in fields(cls)]
        for name in values:
            if name not in known:
                raise InvalidOptions(f"{name!r} is no setting of a search", suggest(name, known))
        return cls(**values)


(
    EXPLORATION, PRIORS, FIRST_PLAY, JUDGED, LONGEST, WIDENING, WIDENING_POWER, EXPAND_AFTER,
    SHARED, PRUNED, BEFORE_CHANCE, BEST_RETURN,
) = range(12)  # fmt: skip
