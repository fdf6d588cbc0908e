"""Monte Carlo tree search where everything is seen: chance has nodes of its own.

One simulation goes down the tree by ``edge_to_try`` (or by the dice), adds a node, values it, and
tells the value to all edges on the way. Every seat's return is kept, so any number of seats and
teams may play; each chooses what is best for itself.
"""

from __future__ import annotations

from watermeet.core import atomics
from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    chance,
    legal,
    score,
    to_move,
)
from watermeet.core.evaluation import priors, proven_returns
from watermeet.core.kernel import Scratch, kernel
from watermeet.core.playout import copy_state
from watermeet.search.ordering import share_out, sort_by_weight
from watermeet.search.rollout import value_leaf
from watermeet.search.settings import (
    BEST_RETURN,
    EXPAND_AFTER,
    EXPLORATION,
    FIRST_PLAY,
    PRIORS,
    PRUNED,
    SHARED,
    WIDENING,
    WIDENING_POWER,
)
from watermeet.search.transpositions import Keys, find_or_add, hash_state
from watermeet.search.tree import (
    ACTION,
    COUNT,
    EDGE_WIDTH,
    EDGES,
    FIRST,
    MOVER,
    NODE_WIDTH,
    NONE,
    PROVEN,
    TARGET,
    VISITS,
    Rows,
    Steps,
    Used,
    Values,
    add_node,
    claim,
    edge_by_chance,
    edge_to_try,
    give_up_claim,
    prove,
    suppose_lost,
    take_room,
    tell,
    tell_node,
    write_edge,
)


@kernel
def simulate(
    root: StateArray,
    state: StateArray,
    nodes: Rows,
    edges: Rows,
    values: Values,
    sums: FloatArray,
    used: Used,
    claims: Scratch,
    keys: Keys,
    identity: int,
    path: Steps,
    movers: Steps,
    actions: ActionArray,
    weights: FloatArray,
    returns: FloatArray,
    judged: FloatArray,
    settings: FloatArray,
    rng: RandomArray,
    simulations: int,
) -> int:
    """So many simulations from ``root``, whose node is 0; returns how many were done.

    ``path`` holds the edges of one simulation; what is longer is valued where it is.
    """
    zero_sum = len(returns) == 2
    for done in range(simulations):
        copy_state(root, state)
        node, depth = 0, 0
        while True:
            if nodes[node, PROVEN] != 0 and depth > 0:
                break
            if nodes[node, MOVER] == OVER or depth == len(path):
                break
            edge = _edge_from(
                state, nodes, edges, values, sums, used, claims, node, actions, weights, settings,
                rng,
            )  # fmt: skip
            if edge == NONE:
                break
            apply(state, int(edges[edge, ACTION]))
            path[depth] = edge
            movers[depth] = nodes[node, MOVER]
            depth += 1
            target = int(edges[edge, TARGET])
            if target == NONE:
                node = _arrive(
                    state, nodes, edges, sums, used, claims, keys, identity, edge, returns, settings
                )
                if node == NONE or nodes[node, VISITS] == 0:
                    break
            else:
                node = target
        _value(state, nodes, node, actions, weights, returns, judged, settings, rng)
        tell(
            nodes, edges, values, sums, claims, path, movers, depth, returns, settings[BEST_RETURN]
        )
        _tell_last(nodes, sums, claims, node, returns)
        if zero_sum:
            _prove_back(nodes, edges, path, depth, node)
            if nodes[0, PROVEN] != 0:
                return done + 1
    return simulations


@kernel
def _edge_from(
    state: StateArray,
    nodes: Rows,
    edges: Rows,
    values: Values,
    sums: FloatArray,
    used: Used,
    claims: Scratch,
    node: int,
    actions: ActionArray,
    weights: FloatArray,
    settings: FloatArray,
    rng: RandomArray,
) -> int:
    """The edge by which a simulation goes on from a node, or NONE if it ends there."""
    if atomics.load(nodes, node * NODE_WIDTH + COUNT) == 0 and not _expand(
        state, nodes, edges, values, used, claims, node, actions, weights, settings
    ):
        return NONE
    edge = _choose(nodes, edges, values, sums, node, weights, settings, rng)
    suppose_lost(edges, values, claims, edge, settings[BEST_RETURN])
    return edge


@kernel
def _expand(
    state: StateArray,
    nodes: Rows,
    edges: Rows,
    values: Values,
    used: Used,
    claims: Scratch,
    node: int,
    actions: ActionArray,
    weights: FloatArray,
    settings: FloatArray,
) -> bool:
    """Gives a node its edges; False if it is too early, another thread does, or no room is left."""
    if nodes[node, VISITS] < settings[EXPAND_AFTER] and node != 0:
        return False
    if not claim(claims, node):
        return False
    count = legal(state, actions)
    if nodes[node, MOVER] == CHANCE:
        chance(state, weights)
    elif settings[PRIORS] > 0.0 or settings[WIDENING] > 0.0 or settings[PRUNED] > 0.0:
        priors(state, actions, count, weights)
        share_out(weights, count)
        sort_by_weight(actions, weights, count)
        while settings[PRUNED] > 0.0 and count > 1 and weights[count - 1] <= 0.0:
            count -= 1
    else:
        for place in range(count):
            weights[place] = 1.0 / count
    first = take_room(used, EDGES, count, len(edges), claims)
    if first == NONE:
        give_up_claim(claims, node)
        return False
    for place in range(count):
        write_edge(edges, values, first + place, int(actions[place]), weights[place])
    nodes[node, FIRST] = first
    atomics.exchange(nodes, node * NODE_WIDTH + COUNT, count)  # Last: who sees it sees the edges.
    return True


@kernel
def _choose(
    nodes: Rows,
    edges: Rows,
    values: Values,
    sums: FloatArray,
    node: int,
    weights: FloatArray,
    settings: FloatArray,
    rng: RandomArray,
) -> int:
    if nodes[node, MOVER] == CHANCE:
        return edge_by_chance(nodes, edges, values, node, weights, rng)
    considered, visits = int(nodes[node, COUNT]), int(nodes[node, VISITS])
    if settings[WIDENING] > 0.0:
        wide = int(settings[WIDENING] * (visits + 1.0) ** settings[WIDENING_POWER]) + 1
        considered = min(considered, wide)
    mean = sums[node] / visits if visits > 0 else 0.0
    return edge_to_try(
        nodes,
        edges,
        values,
        node,
        considered,
        settings[EXPLORATION] * settings[BEST_RETURN],
        settings[PRIORS] > 0.0,
        mean - settings[FIRST_PLAY] * settings[BEST_RETURN],
        rng,
    )


@kernel
def _arrive(
    state: StateArray,
    nodes: Rows,
    edges: Rows,
    sums: FloatArray,
    used: Used,
    claims: Scratch,
    keys: Keys,
    identity: int,
    edge: int,
    returns: FloatArray,
    settings: FloatArray,
) -> int:
    """The node that an untried edge leads to: a new one, or one that was reached on another way."""
    mover = to_move(state)
    if settings[SHARED] > 0.0:
        key = hash_state(state, identity)
        node = find_or_add(keys, key, nodes, sums, used, claims, mover)
    else:
        node = add_node(nodes, sums, used, claims, mover)
    if node != NONE and nodes[node, VISITS] == 0 and len(returns) == 2:
        if nodes[node, MOVER] == OVER:
            score(state, returns)
            _note_win(nodes, node, returns, settings[BEST_RETURN])
        elif proven_returns(state, returns) == 1:
            _note_win(nodes, node, returns, settings[BEST_RETURN])
    atomics.exchange(edges, edge * EDGE_WIDTH + TARGET, node)  # Last: who sees it sees the node.
    return node


@kernel
def _note_win(nodes: Rows, node: int, returns: FloatArray, best: float) -> None:
    """Notes that one seat has got the best there is, and the other one the worst."""
    if returns[0] >= best and returns[1] <= -best:
        nodes[node, PROVEN] = 1
    elif returns[0] <= -best and returns[1] >= best:
        nodes[node, PROVEN] = -1


@kernel
def _value(
    state: StateArray,
    nodes: Rows,
    node: int,
    actions: ActionArray,
    weights: FloatArray,
    returns: FloatArray,
    judged: FloatArray,
    settings: FloatArray,
    rng: RandomArray,
) -> None:
    """Writes what the seats may expect where a simulation ended."""
    if node != NONE and nodes[node, PROVEN] != 0:
        returns[0] = settings[BEST_RETURN] * nodes[node, PROVEN]
        returns[1] = -returns[0]
        return
    value_leaf(state, to_move(state), actions, weights, returns, judged, settings, rng)


@kernel
def _tell_last(
    nodes: Rows, sums: FloatArray, claims: Scratch, last: int, returns: FloatArray
) -> None:
    """Adds what the mover got to the node where a simulation ended."""
    if last != NONE:
        mover = int(nodes[last, MOVER])
        tell_node(nodes, sums, claims, last, returns[mover] if mover >= 0 else 0.0)


@kernel
def _prove_back(nodes: Rows, edges: Rows, path: Steps, depth: int, last: int) -> None:
    """Carries a sure win or loss of the last node towards the root, as far as it goes."""
    if last == NONE or nodes[last, PROVEN] == 0:
        return
    for step in range(depth - 1, -1, -1):
        node = int(edges[int(path[step - 1]), TARGET]) if step > 0 else 0
        prove(nodes, edges, node)
        if nodes[node, PROVEN] == 0:
            return
