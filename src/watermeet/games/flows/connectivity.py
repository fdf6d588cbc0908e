"""The connectivity of an axis: the weight of all walks between its sides, as in Katz centrality.

A walk starts at a side, follows strands, and crosses empty cells from one edge to another. Its
weight is the product of the weights of its crossings; the more orientations have a crossing, the
more it weighs. Many short walks weigh more than one, and every further tile makes a walk far
lighter. So the total weight says how close an axis is to being connected, more finely than the
number of tiles to go.

Weights are summed by port, from both sides. From these sums ``weight_along`` gets the weight of all
walks through a cell after any placement there. It is exact except for walks that cross a cell
twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES, MAX_CELLS, SIDES
from watermeet.games.flows.tiles import EDGES, MATE

Weights = npt.NDArray[Any]  # [3 * MAX_PORTS] of 32-bit floats

MAX_PORTS = EDGES * MAX_CELLS
ENTERED = 0  # By port: the weight of all walks that enter its cell there.
_NOW = MAX_PORTS  # The same for walks with n crossings, and with n + 1.
_NEXT = 2 * MAX_PORTS
BUFFER_SIZE = 3 * MAX_PORTS

SHARP = np.float32(0.10)
GENTLE = np.float32(0.065)
STRAIGHT = np.float32(0.065)
"""Weights of crossings: roughly a third of the share of orientations that have them."""
_ENOUGH = np.float32(0.02)
"""The sum stops when the next length adds a smaller share than this."""


@kernel
def sum_walks(state: StateArray, side: int, walks: Weights) -> float:
    """The weight of all walks from a side to the opposite one; writes ENTERED."""
    ends, count = layout.ends_at(state), layout.board_size(state)
    ports, length = EDGES * count, 2 * int(state[layout.RADIUS]) + 1
    for port in range(ports):
        walks[ENTERED + port] = 0.0
        walks[_NOW + port] = 0.0
        walks[_NEXT + port] = 0.0
    for end in range(ports + side * length, ports + (side + 1) * length):
        port = int(state[ends + end])
        if port < ports:
            walks[_NOW + port] = 1.0
            walks[ENTERED + port] = 1.0
    far = ports + (side + AXES) % SIDES * length
    now, after = _NOW, _NEXT
    total = 0.0
    for _ in range(4 * length):
        arrived = 0.0
        for cell in range(count):
            if state[layout.CELLS + cell] == 0:
                arrived += _cross(state, ends, ports, far, length, cell, walks, now, after)
        total += arrived
        now, after = after, now
        if total > 0.0 and arrived < _ENOUGH * total:
            break
    return total


@kernel
def _cross(
    state: StateArray,
    ends: int,
    ports: int,
    far: int,
    length: int,
    cell: int,
    walks: Weights,
    now: int,
    after: int,
) -> float:
    """Moves the walks in a cell on through all its edges; returns the weight at the far side."""
    here = EDGES * cell
    a, b, c = walks[now + here], walks[now + here + 1], walks[now + here + 2]
    d, e, f = walks[now + here + 3], walks[now + here + 4], walks[now + here + 5]
    for edge in range(EDGES):
        walks[now + here + edge] = 0.0
    if a + b + c + d + e + f == 0.0:
        return 0.0
    arrived = 0.0
    for edge in range(EDGES):
        left = SHARP * (b + f) + GENTLE * (c + e) + STRAIGHT * d
        a, b, c, d, e, f = b, c, d, e, f, a
        other = int(state[ends + here + edge])
        if other < ports:
            walks[after + other] = left
            walks[ENTERED + other] += left
        elif far <= other < far + length:
            arrived += left
    return arrived


@kernel
def weight_through(near: Weights, far: Weights, cell: int) -> float:
    """The weight of the walks that cross an empty cell, given what ENTERED it from both sides."""
    here = EDGES * cell
    total = 0.0
    for edge in range(EDGES):
        left = (
            SHARP * (far[here + (edge + 1) % EDGES] + far[here + (edge + 5) % EDGES])
            + GENTLE * (far[here + (edge + 2) % EDGES] + far[here + (edge + 4) % EDGES])
            + STRAIGHT * far[here + (edge + 3) % EDGES]
        )
        total += near[here + edge] * left
    return total


@kernel
def weight_along(near: Weights, far: Weights, cell: int, orientation: int) -> float:
    """The weight of the walks that would cross a cell with a tile in this orientation."""
    here = EDGES * cell
    total = 0.0
    for edge in range(EDGES):
        total += near[here + edge] * far[here + int(MATE[orientation, edge])]
    return total
