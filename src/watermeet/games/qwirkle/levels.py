"""The levels of Qwirkle.

The weak ones see what a turn scores, and choose among good turns with a temperature. The others try
whole turns in sampled worlds, so they see what a turn gives away and what it keeps. Once the bag is
empty, the strongest one solves the rest if there are two players.

The settings are for browsers, whose engines search a tree instead. It holds only the current turn,
because what is drawn next is too wide; opponents answer greedily.
"""

from __future__ import annotations

from typing import Any

_TREE = {
    "exploration": 1.0,
    "use_priors": True,
    "fpu_reduction": 0.1,
    "max_rollout_length": 14,  # About four turns.
    "stop_at_chance": True,
}

LEVELS: dict[str, dict[str, Any]] = {
    "drop": {"method": "priors", "temperature": 0.1},
    "brook": {"method": "priors", "temperature": 0.06},
    "stream": {"method": "priors", "temperature": 0.03},
    "river": {"method": "turns", "nodes": 120, "settings": _TREE},
    "sea": {"method": "turns", "seconds": 2.0, "solver_nodes": 1_000_000, "settings": _TREE},
}

RATINGS = {
    "drop": (1109, 35),
    "brook": (1324, 34),
    "stream": (1500, 32),
    "river": (1754, 38),
    "sea": (1800, 150),
}
"""What the arena measured, with the standard error, at least 30 (bench/RESULTS.md); the level in
the middle has 1500. The strongest was measured in few matches, with less time than it has."""
