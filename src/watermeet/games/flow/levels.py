"""How strong the bots of Flow plan, from a friendly partner to one that seldom loses."""

from __future__ import annotations

from watermeet.core.levels import NAMES, WEIGHTS, Level

# The gentle ones take what looks useful at first sight; the others plan. States are judged and
# never played on: a judgement costs a tenth of playing a match to its end, and tells more than the
# end of one. Nobody says that time is up, which weighs nothing.
_PLAN = {
    "use_priors": True,
    "exploration": 1.0,
    "fpu_reduction": 0.2,
    "evaluation_weight": 1.0,
    "prune_zero_priors": True,
}

LEVELS = (
    Level(NAMES[0], method=WEIGHTS, softness=0.03),
    Level(NAMES[1], method=WEIGHTS, softness=0.018),
    Level(NAMES[2], nodes=25, softness=0.05, settings=_PLAN),
    Level(NAMES[3], nodes=100, softness=0.01, settings=_PLAN),
    Level(NAMES[4], seconds=2.0, settings=_PLAN),
)
