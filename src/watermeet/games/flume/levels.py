"""The levels of Flume.

The weakest knows nothing of control, like people who are new to the game: it uses random rollouts.
The next two play by what looks good at first sight, with a temperature. The others use the game's
evaluation and search; the strongest asks the solver too.
"""

from __future__ import annotations

from typing import Any

_NEWCOMER = {"use_evaluation": False}
_EXPERT = {"evaluation_weight": 1.0, "use_priors": True, "prune_zero_priors": True}

LEVELS: dict[str, dict[str, Any]] = {
    "drop": {"nodes": 300, "temperature": 0.2, "settings": _NEWCOMER},
    "brook": {"method": "priors", "temperature": 0.2},
    "stream": {"method": "priors", "temperature": 0.06},
    "river": {"nodes": 500, "settings": _EXPERT},
    "sea": {"seconds": 2.0, "solver_nodes": 150_000, "settings": _EXPERT},
}

RATINGS = {
    "drop": (620, 121),
    "brook": (1211, 42),
    "stream": (1500, 38),
    "river": (1913, 57),
    "sea": (2256, 150),
}
"""What the arena measured, with the standard error, at least 30 (bench/RESULTS.md); the level in
the middle has 1500. The strongest was measured with less time than it has."""
