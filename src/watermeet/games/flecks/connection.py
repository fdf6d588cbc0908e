"""The shortest winning chain, for display; the kernels only need to know that one exists."""

# Held to full coverage, as the rules are.
from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import Cell, neighbour
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import touched_borders
from watermeet.games.flecks.notation import stones_of


def shortest_chain(array: StateArray, colour: int) -> tuple[Cell, ...]:
    """The shortest chain between the two borders of a colour, empty if they aren't connected."""
    side, border = int(array[layout.SIDE]), int(array[layout.BORDER])
    stones = stones_of(array, colour)
    borders = {cell: touched_borders(cell, side, border, colour) for cell in stones}
    parents: dict[Cell, Cell | None] = {cell: None for cell in stones if borders[cell][0]}
    queue = list(parents)
    for cell in queue:  # Grows while we iterate: breadth first.
        if borders[cell][1]:
            return _path_to(parents, cell)
        for direction in range(6):
            near = neighbour(cell, direction)
            if near in borders and near not in parents:
                parents[near] = cell
                queue.append(near)
    return ()


def _path_to(parents: dict[Cell, Cell | None], end: Cell) -> tuple[Cell, ...]:
    chain: list[Cell] = []
    cell: Cell | None = end
    while cell is not None:
        chain.append(cell)
        cell = parents[cell]
    return tuple(reversed(chain))
