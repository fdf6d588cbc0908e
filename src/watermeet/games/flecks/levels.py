"""The levels of Flecks: one search with more and more nodes."""

from __future__ import annotations

from typing import Any

_SEARCH = {"use_priors": True, "evaluation_weight": 1.0, "exploration": 1.0, "fpu_reduction": 0.0}
"""No rollouts: distances say more about a position than random stones do."""

LEVELS: dict[str, dict[str, Any]] = {
    "drop": {"nodes": 6, "temperature": 0.5, "settings": _SEARCH},
    "brook": {"nodes": 40, "temperature": 0.06, "settings": _SEARCH},
    "stream": {"nodes": 150, "temperature": 0.02, "settings": _SEARCH},
    "river": {"nodes": 400, "settings": _SEARCH},
    "sea": {"seconds": 2.0, "settings": _SEARCH},
}

RATINGS = {
    "drop": (1033, 41),
    "brook": (1226, 30),
    "stream": (1500, 30),
    "river": (1696, 30),
    "sea": (1859, 150),
}
"""What the arena measured, with the standard error, at least 30 (bench/RESULTS.md); the level in
the middle has 1500. The strongest was measured with less time than it has."""
