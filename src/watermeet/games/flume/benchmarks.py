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
    (
        "network-9",
        "Flume 9x9: the network against the search, a second for each move (aim: 75 of 100)",
        "ocean:seconds=1 sea:seconds=1 --openings 2 --matches 100 -o size=9",
    ),
    (
        "network-11",
        "Flume 11x11: the same (aim: 75 of 100)",
        "ocean:seconds=1 sea:seconds=1 --openings 2 --matches 100 -o size=11",
    ),
    (
        "network-short",
        "Flume 9x9: the same with a tenth of a second",
        "ocean:seconds=0.1 sea:seconds=0.1 --openings 2 --matches 200 -o size=9",
    ),
    (
        "simulations",
        "Flume 9x9: the network by simulations for each move, without the solver",
        " ".join(f"ocean:nodes={nodes}:solver_nodes=0" for nodes in (1, 10, 100, 1_000, 10_000))
        + " --openings 2 --matches 20 -o size=9",
    ),
)
"""Questions for the arena: a name, the question, and the arguments of ``watermeet arena``."""
