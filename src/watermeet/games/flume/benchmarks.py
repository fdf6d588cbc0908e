"""Benchmarks of this game alone: questions about the strength of its bots."""

from __future__ import annotations

TRIALS = (
    (
        "7",
        "Flume 7x7: the top level against plain UCT with ten times the time (aim: 60 of 100)",
        "sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=7",
    ),
    (
        "9",
        "Flume 9x9: the same (aim: 60 of 100)",
        "sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=9",
    ),
    (
        "levels",
        "The levels of Flume",
        "drop brook stream river sea:nodes=5000:solver_nodes=3750 --matches 50",
    ),
)
"""Questions for the arena: a name, the question, and the arguments of ``watermeet arena``."""
