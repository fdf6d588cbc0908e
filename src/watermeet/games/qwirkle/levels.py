"""How strong bots of Qwirkle play.

The gentle ones see what a turn is worth at first sight, and choose softly among those. The others
search, and see what a turn gives away. Their tree holds the turn at hand alone, for what is drawn
then is too wide; others answer greedily. When the bag is empty nothing is drawn, and the tree goes
on to the end.
"""

from __future__ import annotations

from watermeet.core.levels import NAMES, WEIGHTS, Level

_SEARCH = {
    "exploration": 1.0,
    "use_priors": True,
    "fpu_reduction": 0.1,
    "max_rollout_length": 14,  # Some four turns.
    "stop_at_chance": True,
}

LEVELS = (
    Level(NAMES[0], method=WEIGHTS, softness=0.12),
    Level(NAMES[1], method=WEIGHTS, softness=0.06),
    Level(NAMES[2], method=WEIGHTS, softness=0.03),
    Level(NAMES[3], nodes=40, settings=_SEARCH),
    Level(NAMES[4], seconds=2.0, settings=_SEARCH),
)
