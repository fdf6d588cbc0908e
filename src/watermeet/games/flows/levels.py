"""How strong the bots of Flows play.

Nothing is hidden from who is to move, unless tiles are held: then searchers allow for it.
The gentle levels do not look ahead, but take a win that is there: a winning placement has nearly
all the weight, and the others differ by little more than the softness.
"""

from __future__ import annotations

from watermeet.core.levels import NAMES, WEIGHTS, Level

_SETTINGS = {
    "ismcts": False,
    "evaluation_weight": 1.0,
    "use_priors": True,
    "exploration": 1.0,
    "fpu_reduction": 0.2,
}

LEVELS = (
    Level(NAMES[0], method=WEIGHTS, softness=0.04),
    Level(NAMES[1], method=WEIGHTS, softness=0.006),
    Level(NAMES[2], nodes=20, softness=0.05, settings=_SETTINGS),
    Level(NAMES[3], nodes=300, settings=_SETTINGS),
    Level(NAMES[4], seconds=2.0, settings=_SETTINGS),
)
