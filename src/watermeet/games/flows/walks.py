"""How much leads from one side of an axis to the other: walks through empty cells, weighed.

A walk comes in at a side, goes along strands, and crosses empty cells from one edge to another; it
weighs the product of its crossings, and a crossing weighs the more the more tiles have it. So many
short ways weigh more than a single one, and a way that lacks a tile more weighs far less. What all
walks from side to side weigh together tells how near an axis is to being connected, more finely
than the tiles it lacks.

The walks are counted through each port into its cell, from both sides. So it is known at once, for
every cell and tile, what walks would weigh if that tile lay there: see ``weight_along``. That is
exact but for walks that come through a cell twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows.board import AXES, MOST_CELLS, SIDES
from watermeet.games.flows.layout import CELLS, RADIUS, ends_at
from watermeet.games.flows.placements import cells_of
from watermeet.games.flows.tiles import EDGES, MATE

Weights = npt.NDArray[Any]  # [3 * MOST_PORTS] of 32-bit floats

MOST_PORTS = EDGES * MOST_CELLS
ENTERED = 0  # By port: the weight of all walks that come into its cell there.
_NOW = MOST_PORTS  # The same of the walks with so many crossings as are looked at.
_NEXT = 2 * MOST_PORTS
ROOM = 3 * MOST_PORTS

SHARP = np.float32(0.10)
GENTLE = np.float32(0.065)
STRAIGHT = np.float32(0.065)
"""What a crossing weighs: a good third of the part of all fillings that have it."""
_ENOUGH = np.float32(0.02)
"""Longer walks are left out when they add a smaller part than this."""


@kernel
def weigh_walks(state: StateArray, side: int, room: Weights) -> float:
    """The weight of all walks from a side to the opposite one; writes what ENTERED each port."""
    ends, count = ends_at(state), cells_of(state)
    ports, length = EDGES * count, 2 * int(state[RADIUS]) + 1
    for port in range(ports):
        room[ENTERED + port] = 0.0
        room[_NOW + port] = 0.0
        room[_NEXT + port] = 0.0
    for end in range(ports + side * length, ports + (side + 1) * length):
        port = int(state[ends + end])
        if port < ports:
            room[_NOW + port] = 1.0
            room[ENTERED + port] = 1.0
    far = ports + (side + AXES) % SIDES * length
    now, after = _NOW, _NEXT
    total = 0.0
    for _ in range(4 * length):
        arrived = 0.0
        for cell in range(count):
            if state[CELLS + cell] == 0:
                arrived += _cross(state, ends, ports, far, length, cell, room, now, after)
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
    room: Weights,
    now: int,
    after: int,
) -> float:
    """Lets what has come into a cell leave it by all its edges; returns what is at the far side."""
    here = EDGES * cell
    a, b, c = room[now + here], room[now + here + 1], room[now + here + 2]
    d, e, f = room[now + here + 3], room[now + here + 4], room[now + here + 5]
    for edge in range(EDGES):
        room[now + here + edge] = 0.0
    if a + b + c + d + e + f == 0.0:
        return 0.0
    arrived = 0.0
    for edge in range(EDGES):
        left = SHARP * (b + f) + GENTLE * (c + e) + STRAIGHT * d
        a, b, c, d, e, f = b, c, d, e, f, a
        other = int(state[ends + here + edge])
        if other < ports:
            room[after + other] = left
            room[ENTERED + other] += left
        elif far <= other < far + length:
            arrived += left
    return arrived


@kernel
def weight_through(near: Weights, far: Weights, cell: int) -> float:
    """What the walks weigh that cross an empty cell, given what entered it from both sides."""
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
def weight_along(near: Weights, far: Weights, cell: int, filling: int) -> float:
    """What the walks would weigh that cross a cell if it were filled so."""
    here = EDGES * cell
    total = 0.0
    for edge in range(EDGES):
        total += near[here + edge] * far[here + int(MATE[filling, edge])]
    return total
