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
