"""Levels: how strong bots of a game play, declared as plain data; and players that do not search.

A game lists five levels in its ``levels.py`` as ``LEVELS``; one that does not gets plain ones. What
they are worth is measured in the arena, never claimed by their names. In its ``players.py`` it may
offer simple players as ``PLAYERS``, by name, to be measured against.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from watermeet.core.state import State

Player = Callable[[State, random.Random], int]
"""Chooses an action in a state as its mover knows it."""

MONTE_CARLO = "monte-carlo"
ALPHA_BETA = "alpha-beta"
WEIGHTS = "weights"
METHODS = (MONTE_CARLO, ALPHA_BETA, WEIGHTS)

NAMES = ("drop", "brook", "stream", "river", "sea")
"""From gentle to very strong."""


@dataclass(frozen=True)
class Level:
    """How a bot thinks."""

    name: str
    method: str = MONTE_CARLO
    """How it searches; WEIGHTS: not at all, it takes what the game's ``priors`` likes."""
    seconds: float | None = None
    """For each choice, on one core; None: no limit by time."""
    nodes: int | None = None
    """At the most; weak levels have few, so that they are equally weak on every machine."""
    softness: float = 0.0
    """How much worse an action may look and still be chosen at times."""
    threads: int = 1
    """Of the search, each with a tree of its own; weak levels need no more."""
    solver_nodes: int = 0
    """Above 0: the game's exact solver is asked first, with so many nodes."""
    settings: Mapping[str, float] = field(default_factory=dict)
    """Of the search: see ``watermeet.search.settings`` and ``AlphaBeta``."""

    def with_limits(self, seconds: float | None, nodes: int | None) -> Level:
        """The same with other limits, if any is given; the solver's keeps step with the time."""
        if seconds is None and nodes is None:
            return self
        solver_nodes = self.solver_nodes
        if seconds is not None and self.seconds is not None:
            solver_nodes = int(solver_nodes * seconds / self.seconds)
        return replace(self, seconds=seconds, nodes=nodes, solver_nodes=solver_nodes)


PLAIN = (
    Level(NAMES[0], nodes=30, softness=0.3),
    Level(NAMES[1], nodes=150, softness=0.1),
    Level(NAMES[2], nodes=1_000, softness=0.03),
    Level(NAMES[3], nodes=8_000),
    Level(NAMES[4], seconds=2.0),
)
"""For games that declare none."""
