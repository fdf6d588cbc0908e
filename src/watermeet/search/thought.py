"""What a search thinks, for display and for choosing softly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from watermeet.core.rng import RandomSource


@dataclass(frozen=True)
class Candidate:
    """One action at the root."""

    action: int
    value: float
    """What the mover expects to get, within the returns that the game declares."""
    visits: int
    prior: float


@dataclass(frozen=True)
class Thought:
    """The end of a search. Candidates are in order, the best first."""

    candidates: tuple[Candidate, ...]
    line: tuple[int, ...]
    """What would follow if everybody played the best that was found; chance as it came most."""
    nodes: int
    seconds: float
    depth: int = 0
    """How deep the search looked throughout, where it knows."""
    is_certain: bool = False
    """Whether the best action's value is proven."""

    @property
    def action(self) -> int:
        """The best action."""
        return self.candidates[0].action

    @property
    def value(self) -> float:
        """What the mover may expect."""
        return self.candidates[0].value

    def choose(self, softness: float, rng: RandomSource) -> int:
        """The best action; or with softness another one that is not much worse.

        Softness is a difference of values that hardly matters to who chooses: an action that is
        worse by so much is taken a third as often. Among equals one is taken as often as the search
        looked at it: what it saw a few times only may look good by luck.
        """
        if softness <= 0.0:
            return self.action
        best = max(each.value for each in self.candidates)
        weights = np.array(
            [each.visits * np.exp((each.value - best) / softness) for each in self.candidates]
        )
        drawn = rng.random() * float(weights.sum())
        for each, weight in zip(self.candidates, weights, strict=True):
            drawn -= float(weight)
            if drawn < 0:
                return each.action
        return self.action
