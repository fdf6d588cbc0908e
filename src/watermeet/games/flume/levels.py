"""How strong bots of Flume play.

The two gentle ones know nothing of control, as people who are new to the game: they play on at
random. The others know what ``evaluate`` knows, and differ in how far they look; the last one asks
the solver who wins, too.
"""

from __future__ import annotations

from watermeet.core.levels import NAMES, Level

_NEWCOMER = {"plain": 1.0}
_EXPERT = {"judged": 1.0, "priors": 1.0, "pruned": 1.0}

LEVELS = (
    Level(NAMES[0], nodes=100, softness=0.2, settings=_NEWCOMER),
    Level(NAMES[1], nodes=1_500, softness=0.05, settings=_NEWCOMER),
    Level(NAMES[2], nodes=8, softness=0.5, settings=_EXPERT),
    Level(NAMES[3], nodes=500, settings=_EXPERT),
    Level(NAMES[4], seconds=2.0, solver_nodes=150_000, settings=_EXPERT),
)
