"""The levels of Flow, from a friendly partner to one that rarely loses."""

from __future__ import annotations

from typing import Any

# The weak levels play what looks useful at first sight; the others search. There are no rollouts:
# an evaluation takes a tenth of the time of playing a match out, and says more. Nobody claims that
# time is up, since that has a prior of 0.
_SEARCH = {
    "use_priors": True,
    "exploration": 1.0,
    "fpu_reduction": 0.2,
    "evaluation_weight": 1.0,
    "prune_zero_priors": True,
}

LEVELS: dict[str, dict[str, Any]] = {
    "drop": {"method": "priors", "temperature": 0.034},
    "brook": {"method": "priors", "temperature": 0.017},
    "stream": {"nodes": 25, "temperature": 0.05, "settings": _SEARCH},
    "river": {"nodes": 400, "settings": _SEARCH},
    "sea": {"seconds": 2.0, "settings": _SEARCH},
    "ocean": {
        "method": "network",
        "network": "network.onnx",
        "leaves": 16,
        "seconds": 2.0,
        "settings": {"evaluation_weight": 0.5, "prune_zero_priors": True},
        "only": {
            "seats": (2,),
            "scenarios": (6,),
            "obstacles": (0,),
            "clock": ("turns",),
            "turns": (10,),
            "tiles": ("ours",),
            "boat_stops": (False,),
        },
    },
}

RATINGS = {
    "drop": (1445, 30),
    "brook": (1598, 30),
    "stream": (1730, 30),
    "river": (1936, 74),
    "sea": (2136, 150),
    "ocean": (2224, 150),
}
"""What the arena measured, with the standard error, at least 30 (bench/RESULTS.md); the standard
difficulty has 1500. The strongest was measured with less time than it has."""
