"""How many tiles an axis still lacks at least, and on which cells: what bots and players ask first.

A route that lacks as few tiles as possible goes through as few empty cells as possible, and through
none of them twice; so it is found by counting cells, whatever the tiles. Other axes, whose turn it
is, and whether the tiles may be laid in that order do not matter here.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows.board import AXES, MOST_CELLS
from watermeet.games.flows.layout import RADIUS, ends_at
from watermeet.games.flows.placements import cells_of
from watermeet.games.flows.strands import axis_between
from watermeet.games.flows.tiles import EDGES

BLOCKED = -1
_NEAR = 0  # By cell: tiles from the near side up to it, itself included; 0 if it is not reached.
_FAR = MOST_CELLS  # The same from the far side.
_QUEUE = 2 * MOST_CELLS
_ROOM = 3 * MOST_CELLS


@kernel
def tiles_lacking(state: StateArray, axis: int, on_the_way: Scratch) -> int:
    """How many tiles an axis lacks at least: 0 if it is connected, BLOCKED if it cannot be.

    ``on_the_way[cell]`` becomes 1 for the cells of all routes that lack no more, and 0 for others.
    """
    count = cells_of(state)
    for cell in range(count):
        on_the_way[cell] = 0
    if _is_connected(state, axis):
        return 0
    room = scratch(_ROOM)
    _count_from(state, axis, room, _NEAR)
    _count_from(state, axis + AXES, room, _FAR)
    least = BLOCKED
    for cell in range(count):
        if room[_NEAR + cell] > 0 and room[_FAR + cell] > 0:
            through = int(room[_NEAR + cell]) + int(room[_FAR + cell]) - 1
            if least == BLOCKED or through < least:
                least = through
    for cell in range(count):
        if room[_NEAR + cell] > 0 and room[_FAR + cell] > 0:
            through = int(room[_NEAR + cell]) + int(room[_FAR + cell]) - 1
            on_the_way[cell] = 1 if through == least else 0
    return least


@kernel
def _is_connected(state: StateArray, axis: int) -> bool:
    ends, radius = ends_at(state), int(state[RADIUS])
    length = 2 * radius + 1
    side = EDGES * cells_of(state) + axis * length
    for end in range(side, side + length):
        if axis_between(end, int(state[ends + end]), radius):
            return True
    return False


@kernel
def _count_from(state: StateArray, side: int, room: Scratch, counts: int) -> None:
    """Counts, cell by cell, how many tiles it takes from a side to there."""
    ends, ports = ends_at(state), EDGES * cells_of(state)
    length = 2 * int(state[RADIUS]) + 1
    for cell in range(cells_of(state)):
        room[counts + cell] = 0
    tail = 0
    for end in range(ports + side * length, ports + (side + 1) * length):
        port = int(state[ends + end])
        if port < ports and room[counts + port // EDGES] == 0:
            room[counts + port // EDGES] = 1
            room[_QUEUE + tail] = port // EDGES
            tail += 1
    head = 0
    while head < tail:
        cell = int(room[_QUEUE + head])
        head += 1
        for edge in range(EDGES):
            port = int(state[ends + EDGES * cell + edge])
            if port < ports and room[counts + port // EDGES] == 0:
                room[counts + port // EDGES] = room[counts + cell] + 1
                room[_QUEUE + tail] = port // EDGES
                tail += 1
