"""Detours of a witness: which cells of its routes can be left out without a search."""

from __future__ import annotations

import numpy as np

from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flows.board import AXES, EDGES_TOWARDS, MAX_CELLS
from watermeet.games.flows.pair_sets import clashes_with, exits_from
from watermeet.games.flows.route_buffer import (
    AVOID,
    ENDS,
    EXIT,
    GOAL,
    OTHERS,
    PLACE,
    RADIUS,
    RIM,
    ROUTE,
    STACKS,
    USED,
    WANTED,
    board_size,
    cell_of,
    lowest_bit,
    note_goal,
    note_others,
    used_in_cell,
)
from watermeet.games.flows.tiles import EDGES, EVERY_PAIR, PAIRS_AT_EDGE

# What PLACE says of a cell that isn't at one place of the route.
_TWICE = 0
_OFF_ROUTE = -1
_VISITED = -2


@kernel
def find_detours(search: Scratch) -> None:
    """Sets AVOID to 0 in cells that the witness in USED can avoid by a detour of one route.

    All detours of a route are found together: from its side, then from each of its places in turn,
    what can be reached without a clash and hasn't been reached before. Where that leads back to a
    later place, or to the goal, the cells between can be left out. No cell is entered twice, so
    this misses some detours.
    """
    for axis in range(AXES):
        if (search[WANTED] >> axis) & 1:
            note_others(search, axis)
            note_goal(search, axis)
            last = _follow_route(search, axis)
            place, furthest = 0, 0
            while place <= last and furthest <= last:
                furthest = _detour_from(search, axis, place, last)
                _skip(search, place, furthest)
                place += 1


@kernel
def _follow_route(search: Scratch, axis: int) -> int:
    """Writes ROUTE, EXIT and PLACE of an axis; returns its last place."""
    count, length = board_size(search), 2 * int(search[RADIUS]) + 1
    for cell in range(count):
        search[np.uint64(PLACE + cell)] = _OFF_ROUTE
    ports = EDGES * count
    port, place = ports, 0
    for end in range(ports + axis * length, ports + (axis + 1) * length):
        start = int(search[np.uint64(ENDS + end)])
        if start < ports:
            cell = cell_of(start)
            used = int(search[np.uint64(USED + axis * MAX_CELLS + cell)])
            if used & int(PAIRS_AT_EDGE[np.uint64(start - EDGES * cell)]):
                port = start
    while port < ports:
        place += 1
        cell = cell_of(port)
        used, edge = int(search[np.uint64(USED + axis * MAX_CELLS + cell)]), port - EDGES * cell
        exit_edge = lowest_bit(exits_from(edge, used))
        search[np.uint64(ROUTE + place)] = port
        search[np.uint64(EXIT + place)] = exit_edge
        is_first = search[np.uint64(PLACE + cell)] == _OFF_ROUTE
        search[np.uint64(PLACE + cell)] = place if is_first else _TWICE
        port = int(search[np.uint64(ENDS + EDGES * cell + exit_edge)])
    return place


@kernel
def _detour_from(search: Scratch, axis: int, place: int, last: int) -> int:
    """The furthest place to which a detour from a place leads: ``last + 1`` if to the goal."""
    root, top = _push_roots(search, axis, place)
    furthest = place
    while top > 0:
        top -= 1
        port = int(search[np.uint64(STACKS + top)])
        cell = cell_of(port)
        there = int(search[np.uint64(PLACE + cell)])
        if there == _VISITED:
            continue
        others = int(search[np.uint64(OTHERS + cell)])
        exits = exits_from(port - EDGES * cell, EVERY_PAIR & ~clashes_with(others))
        if there > furthest and (exits >> int(search[np.uint64(EXIT + there)])) & 1:
            furthest = there
        if there == _OFF_ROUTE:
            search[np.uint64(PLACE + cell)] = _VISITED
        elif port != root or there == _TWICE:
            continue
        if exits & int(search[np.uint64(GOAL + cell)]):
            return last + 1
        exits &= ~int(search[np.uint64(RIM + cell)])
        for turn in range(EDGES):
            edge = int(EDGES_TOWARDS[np.uint64(axis + AXES), np.uint64(turn)])
            search[np.uint64(STACKS + top)] = search[np.uint64(ENDS + EDGES * cell + edge)]
            top += (exits >> edge) & 1
    return furthest


@kernel
def _push_roots(search: Scratch, axis: int, place: int) -> tuple[int, int]:
    """Pushes where detours from a place begin; returns its port, or -1, and how many there are."""
    if place > 0:
        search[STACKS] = search[ROUTE + place]
        return int(search[ROUTE + place]), 1
    ports, length, top = EDGES * board_size(search), 2 * int(search[RADIUS]) + 1, 0
    for end in range(ports + axis * length, ports + (axis + 1) * length):
        search[np.uint64(STACKS + top)] = search[np.uint64(ENDS + end)]
        top += int(search[np.uint64(ENDS + end)] < ports)
    return -1, top


@kernel
def _skip(search: Scratch, before: int, after: int) -> None:
    """Notes that a route can leave out what lies between two places."""
    for place in range(before + 1, after):
        cell = cell_of(int(search[ROUTE + place]))
        used = used_in_cell(search, cell)
        if used & (used - 1) == 0:  # No other route goes through it, nor this one again.
            search[AVOID + cell] = 0
