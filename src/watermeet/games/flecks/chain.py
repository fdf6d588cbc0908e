"""The chain that wins, for people to look at; the kernels only ask whether there is one."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import Cell, neighbour
from watermeet.games.flecks.board import touched_borders
from watermeet.games.flecks.notation import stones_of
from watermeet.games.flecks.rules import BORDER, SIDE


def shortest_chain(array: StateArray, colour: int) -> tuple[Cell, ...]:
    """The fewest stones that join the two borders of a colour; empty if they are not joined."""
    side, border = int(array[SIDE]), int(array[BORDER])
    stones = stones_of(array, colour)
    borders = {cell: touched_borders(cell, side, border, colour) for cell in stones}
    reached: dict[Cell, Cell | None] = {cell: None for cell in stones if borders[cell][0]}
    waiting = list(reached)
    for cell in waiting:  # Which grows: breadth first.
        if borders[cell][1]:
            return _way_back(reached, cell)
        for direction in range(6):
            near = neighbour(cell, direction)
            if near in borders and near not in reached:
                reached[near] = cell
                waiting.append(near)
    return ()


def _way_back(reached: dict[Cell, Cell | None], end: Cell) -> tuple[Cell, ...]:
    chain: list[Cell] = []
    cell: Cell | None = end
    while cell is not None:
        chain.append(cell)
        cell = reached[cell]
    return tuple(reversed(chain))
