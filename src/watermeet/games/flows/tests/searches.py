"""Plain searches over the whole board, with the oracle's strands, to verify explanations.

They share nothing with bottlenecks.py and distances.py: no table of strands, no solver.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product

from watermeet.games.flows.tests.oracle import (
    EDGES,
    ORIENTATIONS,
    PARTNERS,
    Board,
    Cell,
    Port,
    board_cells,
    connected,
    follow,
    neighbour,
    rim,
    side_edges,
)

Node = Cell | str
"""An empty cell, or one of the two ends of a network."""


def empty_cells(board: Board, radius: int) -> set[Cell]:
    return set(board_cells(radius)) - set(board)


def next_node(board: Board, cell: Cell, edge: int, radius: int) -> Port | int:
    """Where leaving an empty cell by an edge leads: into a cell, or out by a side."""
    if (cell, edge) in rim(radius):
        return rim(radius)[cell, edge]
    end = follow(board, (neighbour(cell, edge), (edge + 3) % 6), radius)
    return rim(radius)[end] if end[0] in board else end


def reached(
    board: Board, side: int, radius: int, closed: Iterable[Cell] = ()
) -> tuple[set[Cell], set[int]]:
    """The empty cells that a route from a side can reach, and the sides beyond them.

    Routes avoid closed cells.
    """
    cells: set[Cell] = set()
    sides: set[int] = set()
    shut = set(closed)
    ahead: deque[Port | int] = deque()
    for port in side_edges(side, radius):
        end = follow(board, port, radius)
        if end[0] not in board:
            ahead.append(end)
    while ahead:
        end_or_side = ahead.popleft()
        if isinstance(end_or_side, int):
            sides.add(end_or_side)
            continue
        cell = end_or_side[0]
        if cell not in cells and cell not in shut:
            cells.add(cell)
            ahead.extend(next_node(board, cell, edge, radius) for edge in EDGES)
    return cells, sides


def can_connect(board: Board, axis: int, radius: int, closed: Iterable[Cell] = ()) -> bool:
    """Whether an axis has a route that avoids the closed cells."""
    if connected(board, axis, radius):
        return True
    return axis + 3 in reached(board, axis, radius, closed)[1]


def region_of(board: Board, axis: int, radius: int) -> set[Cell]:
    """The empty cells that both sides of an axis can reach."""
    return reached(board, axis, radius)[0] & reached(board, axis + 3, radius)[0]


def needed_by(board: Board, axis: int, radius: int) -> set[Cell]:
    """The empty cells without which an axis has no route."""
    return {
        cell for cell in empty_cells(board, radius) if not can_connect(board, axis, radius, [cell])
    }


# ---- flows ------------------------------------------------------------------------------------


def max_flow(board: Board, first: set[int], radius: int) -> int:
    """The most edge-disjoint paths from some sides to the opposite ones."""
    second = {(side + 3) % 6 for side in first}
    capacity: dict[tuple[Node, Node], int] = {}
    for one, other in _links(board, first, second, radius):
        for pair in ((one, other), (other, one)):
            capacity[pair] = capacity.get(pair, 0) + 1
    ways = 0
    while (path := _path(capacity)) is not None:
        for one, other in pairwise(path):
            capacity[one, other] -= 1
            capacity[other, one] = capacity.get((other, one), 0) + 1
        ways += 1
    return ways


def _links(
    board: Board, first: set[int], second: set[int], radius: int
) -> Iterator[tuple[Node, Node]]:
    """Every link between empty cells once, and those from the sides to them."""
    for cell in empty_cells(board, radius):
        for edge in EDGES:
            end = next_node(board, cell, edge, radius)
            if isinstance(end, int):
                if end in first:
                    yield "start", cell
                elif end in second:
                    yield cell, "goal"
            elif (cell, edge) < end:
                yield cell, end[0]


def _path(capacity: dict[tuple[Node, Node], int]) -> list[Node] | None:
    came_from: dict[Node, Node] = {"start": "start"}
    ahead: deque[Node] = deque(["start"])
    while ahead:
        node = ahead.popleft()
        if node == "goal":
            path: list[Node] = [node]
            while path[-1] != "start":
                path.append(came_from[path[-1]])
            return path[::-1]
        for (one, other), left in capacity.items():
            if one == node and left > 0 and other not in came_from:
                came_from[other] = node
                ahead.append(other)
    return None


# ---- distances --------------------------------------------------------------------------------


def fewest_tiles(board: Board, axis: int, radius: int) -> int | None:
    """The tiles to go for an axis, by a search over edges; None if it is blocked."""
    cost = dict.fromkeys(side_edges(axis, radius), 0)
    ahead: deque[tuple[int, Port]] = deque((0, port) for port in cost)
    best: int | None = None
    while ahead:
        tiles, (cell, edge) = ahead.popleft()
        if tiles > cost[cell, edge]:
            continue
        if cell in board:
            ways, step = [PARTNERS[board[cell]][edge]], 0
        else:
            ways, step = [way for way in EDGES if way != edge], 1
        for way in ways:
            if (cell, way) in rim(radius):
                if rim(radius)[cell, way] == axis + 3:
                    best = tiles + step if best is None else min(best, tiles + step)
                continue
            port = neighbour(cell, way), (way + 3) % 6
            if tiles + step < cost.get(port, 1 << 30):
                cost[port] = tiles + step
                (ahead.append if step else ahead.appendleft)((tiles + step, port))
    return best


def cells_of_shortest(board: Board, axis: int, radius: int) -> tuple[int, set[Cell]] | None:
    """The fewest tiles that connect an axis, and the cells of all such sets, by exhaustion."""
    empty = sorted(empty_cells(board, radius))
    for count in range(len(empty) + 1):
        sets = [
            chosen
            for chosen in combinations(empty, count)
            if can_connect(board, axis, radius, set(empty) - set(chosen))
        ]
        if sets:
            assert count > 2 or all(_fills(board, chosen, axis, radius) for chosen in sets)
            return count, {cell for chosen in sets for cell in chosen}
    return None


def _fills(board: Board, chosen: tuple[Cell, ...], axis: int, radius: int) -> bool:
    """Whether some tiles on these cells connect an axis, by exhaustion."""
    return any(
        connected({**board, **dict(zip(chosen, orientations, strict=True))}, axis, radius)
        for orientations in product(ORIENTATIONS, repeat=len(chosen))
    )
