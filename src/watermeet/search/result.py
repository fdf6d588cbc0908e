"""The result of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from watermeet.core.rng import RandomSource


@dataclass(frozen=True)
class Candidate:
    """One action at the root."""

    action: int
    value: float
    """The return that the mover expects, within the game's range of returns."""
    visits: int
    prior: float
    proven: int = 0
    """Above 0 if it surely wins, larger the sooner; below 0 if it surely loses; else 0."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found, with its candidates from best to worst."""

    candidates: tuple[Candidate, ...]
    pv: tuple[int, ...]
    """The principal variation: best play from here, with the likeliest outcomes of chance."""
    nodes: int
    """Simulations, or nodes of alpha-beta."""
    seconds: float
    depth: int = 0
    """Alpha-beta: the last depth that was searched completely."""
    proven: bool = False
    """Whether the value is exact."""

    @property
    def action(self) -> int:
        """The best action."""
        return self.candidates[0].action

    @property
    def value(self) -> float:
        """The return that the mover expects."""
        return self.candidates[0].value

    def choose(self, temperature: float, rng: RandomSource) -> int:
        """The best action; with a temperature above 0, sampled from a softmax over the values.

        A proven win is always taken, and a proven loss only if there is nothing else.
        An action that is worse than another by the temperature is chosen 1/e times as often. The
        softmax is weighted by visits, because the value of a rarely visited action is mostly noise.
        """
        if temperature <= 0.0 or self.candidates[0].proven:
            return self.action
        open_ones = [each for each in self.candidates if each.proven == 0]
        best = max(each.value for each in open_ones)
        weights = np.array(
            [each.visits * np.exp((each.value - best) / temperature) for each in open_ones]
        )
        if not weights.any():
            return self.action  # Whatever was visited is lost.
        index = int(np.searchsorted(np.cumsum(weights), rng.random() * weights.sum(), "right"))
        return open_ones[min(index, len(weights) - 1)].action
