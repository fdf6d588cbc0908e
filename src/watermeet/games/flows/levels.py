"""The levels of Flows.

Nothing is hidden from the seat to move unless tiles are held; then searches allow for that. The
weak levels don't look ahead, but they take a win that is there: a winning placement has almost all
of the prior, and the others differ by little more than the temperature. The strongest asks the
solver (solver.py) when nine cells or fewer are empty.
"""

from __future__ import annotations

from typing import Any

_SEARCH = {
    "ismcts": False,
    "evaluation_weight": 1.0,
    "use_priors": True,
    "exploration": 1.0,
    "fpu_reduction": 0.2,
}

LEVELS: dict[str, dict[str, Any]] = {
    "drop": {"method": "priors", "temperature": 0.04},
    "brook": {"method": "priors", "temperature": 0.022},
    "stream": {"method": "priors", "temperature": 0.006},
    "river": {"nodes": 100, "settings": _SEARCH},
    "sea": {"seconds": 2.0, "solver_nodes": 1_000_000, "settings": _SEARCH},
}

RATINGS = {
    "drop": (1147, 30),
    "brook": (1306, 30),
    "stream": (1500, 30),
    "river": (1730, 60),
    "sea": (1796, 150),
}
"""What the arena measured, with the standard error, at least 30 (bench/RESULTS.md); the level in
the middle has 1500. The strongest was measured with less time than it has."""
