"""How strong bots of Flume play.

The gentlest knows nothing of control, as people who are new to the game: it plays on at random. The
next two know what looks good at first sight, and choose softly. The others know what ``evaluate``
knows and look ahead; the last one asks the solver who wins, too.
"""

from __future__ import annotations

from watermeet.core.levels import NAMES, WEIGHTS, Level

_NEWCOMER = {"use_evaluation": False}
_EXPERT = {"evaluation_weight": 1.0, "use_priors": True, "prune_zero_priors": True}

LEVELS = (
    Level(NAMES[0], nodes=300, softness=0.2, settings=_NEWCOMER),
    Level(NAMES[1], method=WEIGHTS, softness=0.2),
    Level(NAMES[2], method=WEIGHTS, softness=0.06),
    Level(NAMES[3], nodes=500, settings=_EXPERT),
    Level(NAMES[4], seconds=2.0, solver_nodes=150_000, settings=_EXPERT),
)
