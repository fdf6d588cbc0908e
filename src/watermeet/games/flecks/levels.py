"""The levels of Flecks: the same search, with more and more nodes."""

from __future__ import annotations

from watermeet.core.levels import NAMES, Level

_SETTINGS = {"use_priors": True, "evaluation_weight": 1.0, "exploration": 1.0, "fpu_reduction": 0.0}
"""Leaves are judged and not played on: distances tell more than random stones do."""

LEVELS = (
    Level(NAMES[0], nodes=6, softness=0.5, settings=_SETTINGS),
    Level(NAMES[1], nodes=40, softness=0.06, settings=_SETTINGS),
    Level(NAMES[2], nodes=150, softness=0.02, settings=_SETTINGS),
    Level(NAMES[3], nodes=400, settings=_SETTINGS),
    Level(NAMES[4], seconds=2.0, settings=_SETTINGS),
)
