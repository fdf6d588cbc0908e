"""Benchmarks of this game alone: questions about the strength of its bots."""

from __future__ import annotations

TRIALS = (
    (
        "5",
        "Flecks, side 5: the top level against plain UCT with ten times the time (aim: 65 of 100)",
        "sea:seconds=0.02 uct:seconds=0.2 --matches 100 -o size=5",
    ),
    (
        "7",
        "Flecks, side 7: the same (aim: 65 of 100)",
        "sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=7",
    ),
    (
        "levels",
        "The levels of Flecks",
        "drop brook stream river sea:nodes=800 --matches 16",
    ),
    (
        "network",
        "Flecks: the network against the search, a second for each move (aim: 75 of 100)",
        "ocean:seconds=1 sea:seconds=1 --openings 2 --matches 100",
    ),
    (
        "network-short",
        "Flecks: the same with a tenth of a second",
        "ocean:seconds=0.1 sea:seconds=0.1 --openings 2 --matches 100",
    ),
    (
        "simulations",
        "Flecks: the network by simulations for each move",
        "ocean:nodes=1 ocean:nodes=10 ocean:nodes=100 ocean:nodes=1000 --openings 2 --matches 20",
    ),
)
"""Questions for the arena: a name, the question, and the arguments of ``watermeet arena``."""
