"""The levels of Flume.

The three weakest play by what looks good at first sight, with a temperature. The others use the
game's evaluation and search; the strongest asks the solver too. The network has learnt three sizes.
"""

from __future__ import annotations

from typing import Any

_EXPERT = {"evaluation_weight": 1.0, "use_priors": True, "prune_zero_priors": True}

LEVELS: dict[str, dict[str, Any]] = {
    "drop": {"method": "priors", "temperature": 0.25},
    "brook": {"method": "priors", "temperature": 0.17},
    "stream": {"method": "priors", "temperature": 0.04},
    "river": {"nodes": 300, "settings": _EXPERT},
    "sea": {"seconds": 2.0, "solver_nodes": 250_000, "settings": _EXPERT},
    "ocean": {
        "method": "network",
        "network": "network.onnx",
        "leaves": 16,
        "seconds": 2.0,
        "solver_nodes": 250_000,
        "only": {"size": (7, 9, 11)},
    },
}

RATINGS = {
    "drop": (879, 64),
    "brook": (1168, 42),
    "stream": (1500, 40),
    "river": (1769, 63),
    "sea": (2061, 150),
    "ocean": (2200, 150),
}
"""What the arena measured, with the standard error, at least 30 (bench/RESULTS.md); the level in
the middle has 1500. The search was measured with less time than it has; the network's rating is an
estimate from its matches against the search on 9x9."""
