"""The arrays of a Monte Carlo search: the tree, and the scratch of each thread.

A node is a position (or, in ISMCTS, an information set); an edge is an action considered there.
With transpositions several edges may lead to one node. Values belong to edges: an edge's value is
the mean return of the seat that chose it.

Several threads may grow one tree. They read without locking, add with atomic instructions, and
lock a node before they give it edges. Whatever makes a node or an edge reachable is written last,
by ``atomics.exchange``. Each thread adds a virtual loss to the edges that it follows, so that the
others look elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import ActionArray, FloatArray, RandomArray, StateArray
from watermeet.core.game import Game
from watermeet.core.rng import seeded

NONE = -1
"""No node, or no edge."""
ROOT = 0
NODES, EDGES = range(2)
PROVEN_NOW, PROVEN_SOON = 127, 63
"""How a proof is written in ``node_proven``: with the sign of the winner, larger the sooner it is
over. A match that is over has PROVEN_NOW, and every action before it one less. Where the game's
``proven_returns`` knows the winner but not the way, it is PROVEN_SOON."""
MAX_DEPTH = 512
Ints = npt.NDArray[np.int32]
ArraySize = tuple[int, npt.DTypeLike]


class Tree(NamedTuple):
    """The arrays of a tree: one row per node, one per edge.

    MCTS gives a node all its edges at once, as one block of rows. ISMCTS adds them one by one, as
    a linked list in ascending order of actions.
    """

    node_first_edge: Ints  # [nodes]: the first edge, or NONE
    node_edge_count: Ints  # [nodes]: the number of edges, 0 until the node is expanded
    node_mover: Ints  # [nodes]: the seat to move, or CHANCE, or OVER
    node_visits: Ints  # [nodes]
    node_value_sum: FloatArray  # [nodes]: the sum of the mover's returns
    node_proven: npt.NDArray[np.int8]  # [nodes]: above 0 if seat 0 surely wins, below if seat 1
    edge_action: Ints  # [edges]
    edge_visits: Ints  # [edges]
    edge_value_sum: FloatArray  # [edges]: the sum of the chooser's returns
    edge_prior: FloatArray  # [edges]: the prior, or at chance nodes the probability
    edge_target: Ints  # [edges]: the node it leads to, or NONE
    edge_next: Ints  # [edges] in ISMCTS, else [0]: the next edge of the node, or NONE
    edge_availability: Ints  # [edges] in ISMCTS, else [0]: how often the action was legal
    used: npt.NDArray[np.int64]  # [2]: the number of NODES and of EDGES in use
    locks: Ints  # [nodes]: 1 while a thread adds edges, and in MCTS ever after; [0] for one thread
    key_hash: npt.NDArray[np.uint64]  # [slots]: the hash table of transpositions
    key_node: Ints  # [slots]: the node of a hash, plus 1; 0 is an empty slot


NODE_ARRAYS, EDGE_ARRAYS = slice(0, 6), slice(6, 11)
"""The fields of a tree that MCTS has for each node and edge."""


class Scratch(NamedTuple):
    """The working arrays of one thread."""

    state: StateArray  # [state size]: the state that a simulation has reached
    path: Ints  # [depth]: the edges from the root to it
    movers: Ints  # [depth]: who chose each edge
    actions: ActionArray  # [actions]: legal actions
    weights: FloatArray  # [actions]: their priors or probabilities
    edges: Ints  # [actions]: ISMCTS: their edges, or NONE
    returns: FloatArray  # [seats]: what the seats got in this simulation
    evaluation: FloatArray  # [seats]: what ``evaluate`` expects
    rng: RandomArray  # [1]


def make_tree(nodes: int, edges: int, *, ismcts: bool, threads: int, slots: int) -> Tree:
    """A tree for this many nodes and edges, with slots for transpositions; ``reset`` it first.

    Nothing is cleared here: nodes and edges are written when they are added, and clearing 100 MB
    would take longer than many a search.
    """
    sizes = tree_sizes(nodes, edges, ismcts=ismcts, threads=threads, slots=slots)
    return Tree._make(np.empty(size, dtype=dtype) for size, dtype in sizes)


def tree_sizes(
    nodes: int, edges: int, *, ismcts: bool, threads: int, slots: int
) -> tuple[ArraySize, ...]:
    """The lengths and types of a tree's arrays."""
    ints, floats = np.int32, np.float64
    listed = edges if ismcts else 0
    return (
        *[(nodes, ints)] * 4,
        (nodes, floats),
        (nodes, np.int8),
        *[(edges, ints)] * 2,
        *[(edges, floats)] * 2,
        (edges, ints),
        *[(listed, ints)] * 2,
        (2, np.int64),
        (nodes if threads > 1 else 0, ints),
        (slots, np.uint64),
        (slots, ints),
    )


def make_scratch(game: Game, seed: object) -> Scratch:
    """Working arrays for a game."""
    arrays = [np.zeros(size, dtype=dtype) for size, dtype in scratch_sizes(game)]
    rng = np.repeat(seeded(seed), 16)[:1]  # On a cache line that no other thread writes to.
    return Scratch._make((*arrays, rng))


def scratch_sizes(game: Game) -> tuple[ArraySize, ...]:
    """The lengths and types of the working arrays for a game, but for the generator."""
    depth, actions = min(MAX_DEPTH, game.sizes.max_length), game.sizes.actions
    return (
        (game.sizes.state, game.dtype),
        (depth, np.int32),
        (depth, np.int32),
        (actions, np.int32),
        (actions, np.float64),
        (actions, np.int32),
        (game.seats, np.float64),
        (game.seats, np.float64),
    )


def reset(tree: Tree, mover: int) -> None:
    """Empty the tree but for an unvisited root."""
    for array in (tree.node_edge_count, tree.node_visits, tree.node_value_sum, tree.node_proven):
        array[ROOT] = 0
    tree.node_first_edge[ROOT] = NONE
    tree.node_mover[ROOT] = mover
    tree.used[:] = 1, 0
    tree.locks[:] = 0
    tree.key_node[:] = 0
