"""Monte Carlo tree search where something is hidden, or chance is too wide for nodes of its own.

Every simulation begins by drawing what the searching seat does not know (``resample``), and plays
through one tree whose nodes are what was done, not what lies where: states that the seat cannot
tell apart meet in one node, and chance passes without a node. So what can be played in a node
differs from visit to visit; an edge counts how often it could have been tried.
"""

from __future__ import annotations

import numpy as np

from watermeet.core import atomics
from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    legal,
    resample,
    to_move,
)
from watermeet.core.evaluation import priors
from watermeet.core.kernel import Scratch, kernel
from watermeet.core.playout import sample_chance
from watermeet.core.rng import next_below
from watermeet.search.ordering import share_out
from watermeet.search.rollout import value_leaf
from watermeet.search.settings import (
    BEFORE_CHANCE,
    BEST_RETURN,
    EXPLORATION,
    FIRST_PLAY,
    PRIORS,
    PRUNED,
    WIDENING,
    WIDENING_POWER,
)
from watermeet.search.tree import (
    ACTION,
    CHANCES,
    COUNT,
    EDGE_WIDTH,
    EDGES,
    FIRST,
    NEXT,
    NODE_WIDTH,
    NONE,
    PRIOR,
    SUM,
    TARGET,
    TRIES,
    VISITS,
    Rows,
    Steps,
    Used,
    Values,
    add_node,
    claim,
    give_up_claim,
    suppose_lost,
    take_room,
    tell,
    write_edge,
)


@kernel
def simulate_unseen(
    known: StateArray,
    seat: int,
    state: StateArray,
    nodes: Rows,
    edges: Rows,
    values: Values,
    sums: FloatArray,
    used: Used,
    claims: Scratch,
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
    """So many simulations from what a seat knows; the root is node 0. Returns how many."""
    for _ in range(simulations):
        resample(known, seat, rng, state)
        node, depth, is_new = 0, 0, False
        mover = _pass_chance(state, actions, weights, rng)
        while mover != OVER and depth < len(path) and not is_new:
            edge = _edge_to_try(
                state, nodes, edges, values, sums, used, claims, node, actions, weights, settings,
                rng,
            )  # fmt: skip
            if edge == NONE:
                break  # No room for one.
            path[depth] = edge
            movers[depth] = mover
            depth += 1
            apply(state, int(edges[edge, ACTION]))
            is_drawn = to_move(state) == CHANCE
            mover = _pass_chance(state, actions, weights, rng)
            if edges[edge, TARGET] == NONE:
                target = add_node(nodes, sums, used, claims, mover)
                atomics.exchange(edges, edge * EDGE_WIDTH + TARGET, target)
                is_new = True
            node = int(edges[edge, TARGET])
            if node == NONE or (is_drawn and settings[BEFORE_CHANCE] > 0.0):
                break
        value_leaf(state, mover, actions, weights, returns, judged, settings, rng)
        tell(
            nodes, edges, values, sums, claims, path, movers, depth, returns, settings[BEST_RETURN]
        )
    return simulations


@kernel
def _pass_chance(
    state: StateArray, actions: ActionArray, weights: FloatArray, rng: RandomArray
) -> int:
    """Lets chance act until a seat is to move or all is over; returns that."""
    mover = to_move(state)
    while mover == CHANCE:
        apply(state, sample_chance(state, actions, weights, rng))
        mover = to_move(state)
    return mover


@kernel
def _edge_to_try(
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
    """The edge that promises most among those that can be tried now; a new one if it is time."""
    count = legal(state, actions)
    tried = _note_chances(nodes, edges, node, actions, count)
    edge = NONE
    if tried < count:
        if settings[PRIORS] > 0.0 or settings[WIDENING] > 0.0:
            priors(state, actions, count, weights)
            share_out(weights, count)
        if claim(
            claims, node
        ):  # Else another thread is giving it edges; there will be a next time.
            edge = _new_edge(
                nodes, edges, values, used, claims, node, actions, weights, count, tried, settings,
                rng,
            )  # fmt: skip
            give_up_claim(claims, node)
    if edge == NONE:
        edge = _best_of(nodes, edges, values, sums, node, actions, count, settings)
    if edge != NONE:
        suppose_lost(edges, values, claims, edge, settings[BEST_RETURN])
    return edge


@kernel
def _new_edge(
    nodes: Rows,
    edges: Rows,
    values: Values,
    used: Used,
    claims: Scratch,
    node: int,
    actions: ActionArray,
    weights: FloatArray,
    count: int,
    tried: int,
    settings: FloatArray,
    rng: RandomArray,
) -> int:
    """Gives a node one more edge if it is time, and returns it; with priors all, and NONE."""
    allowed = count
    if settings[WIDENING] > 0.0:
        visits = int(nodes[node, VISITS])
        allowed = int(settings[WIDENING] * (visits + 1.0) ** settings[WIDENING_POWER]) + 1
    if settings[PRIORS] > 0.0 and settings[WIDENING] == 0.0:
        _add_all(nodes, edges, values, used, claims, node, actions, weights, count)
    elif tried < allowed:
        weighed = settings[WIDENING] > 0.0
        return _add_best(
            nodes, edges, values, used, claims, node, actions, weights, count, weighed, rng
        )
    return NONE


@kernel
def _note_chances(nodes: Rows, edges: Rows, node: int, actions: ActionArray, count: int) -> int:
    """Counts for each edge that it could be tried; returns how many of the actions have one."""
    edge, tried = int(nodes[node, FIRST]), 0
    for place in range(count):
        while edge != NONE and edges[edge, ACTION] < actions[place]:
            edge = int(edges[edge, NEXT])
        if edge != NONE and edges[edge, ACTION] == actions[place]:
            edges[edge, CHANCES] += 1
            tried += 1
    return tried


@kernel
def _insert(
    nodes: Rows,
    edges: Rows,
    values: Values,
    used: Used,
    claims: Scratch,
    node: int,
    action: int,
    prior: float,
) -> int:
    """Puts a new edge in its place in the list; NONE if there is no room."""
    before, after = NONE, int(nodes[node, FIRST])
    while after != NONE and edges[after, ACTION] < action:
        before, after = after, int(edges[after, NEXT])
    if after != NONE and edges[after, ACTION] == action:
        return after
    edge = take_room(used, EDGES, 1, len(edges), claims)
    if edge == NONE:
        return NONE
    write_edge(edges, values, edge, action, prior)
    edges[edge, NEXT] = after
    edges[edge, CHANCES] = 1
    nodes[node, COUNT] += 1
    # Last, in one step: other threads may be reading the list.
    if before == NONE:
        atomics.exchange(nodes, node * NODE_WIDTH + FIRST, edge)
    else:
        atomics.exchange(edges, before * EDGE_WIDTH + NEXT, edge)
    return edge


@kernel
def _add_all(
    nodes: Rows,
    edges: Rows,
    values: Values,
    used: Used,
    claims: Scratch,
    node: int,
    actions: ActionArray,
    weights: FloatArray,
    count: int,
) -> None:
    for place in range(count):
        _insert(nodes, edges, values, used, claims, node, int(actions[place]), weights[place])


@kernel
def _add_best(
    nodes: Rows,
    edges: Rows,
    values: Values,
    used: Used,
    claims: Scratch,
    node: int,
    actions: ActionArray,
    weights: FloatArray,
    count: int,
    weighed: bool,
    rng: RandomArray,
) -> int:
    """An edge for the heaviest action that has none, or for any such if none was weighed."""
    edge, best, equals = int(nodes[node, FIRST]), -1, 0
    for place in range(count):
        while edge != NONE and edges[edge, ACTION] < actions[place]:
            edge = int(edges[edge, NEXT])
        if edge != NONE and edges[edge, ACTION] == actions[place]:
            continue
        if weighed and best >= 0 and weights[place] < weights[best]:
            continue
        if weighed and best >= 0 and weights[place] > weights[best]:
            equals = 0
        equals += 1
        if next_below(rng, equals) == 0:
            best = place
    if best < 0:
        return NONE  # Another thread has been here.
    prior = weights[best] if weighed else 1.0 / count
    return _insert(nodes, edges, values, used, claims, node, int(actions[best]), prior)


@kernel
def _best_of(
    nodes: Rows,
    edges: Rows,
    values: Values,
    sums: FloatArray,
    node: int,
    actions: ActionArray,
    count: int,
    settings: FloatArray,
) -> int:
    visits = float(nodes[node, VISITS])
    uses_priors = settings[PRIORS] > 0.0
    mean = sums[node] / visits if visits > 0.0 else 0.0
    first_value = mean - settings[FIRST_PLAY] * settings[BEST_RETURN]
    curiosity = settings[EXPLORATION] * settings[BEST_RETURN]
    scale = curiosity * np.sqrt(visits + 1.0)
    best, best_score = NONE, -1e300
    edge = int(nodes[node, FIRST])
    for place in range(count):
        while edge != NONE and edges[edge, ACTION] < actions[place]:
            edge = int(edges[edge, NEXT])
        if edge == NONE:
            break
        if edges[edge, ACTION] != actions[place]:
            continue
        tries = int(edges[edge, TRIES])
        if uses_priors:
            value = values[edge, SUM] / tries if tries > 0 else first_value
            score_now = value + scale * values[edge, PRIOR] / (1.0 + tries)
        elif tries == 0:
            score_now = 1e100
        else:
            seldom = np.sqrt(np.log(float(edges[edge, CHANCES])) / tries)
            score_now = values[edge, SUM] / tries + curiosity * seldom
        if settings[PRUNED] > 0.0 and values[edge, PRIOR] <= 0.0:
            score_now -= 1e200  # Only if there is nothing else.
        if score_now > best_score:
            best, best_score = edge, score_now
    return best
