"""Bottlenecks of routes, for explanations: blocked axes, minimal conflicts and minimum cuts.

All functions look at the board as it is; to explain a placement, place the tile first.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch
from watermeet.games.flows import exchanges, layout
from watermeet.games.flows.board import AXES, SIDES
from watermeet.games.flows.route_buffer import SEARCH_SIZE, restrict_cell, start_search
from watermeet.games.flows.route_search import find_route_alone
from watermeet.games.flows.routes import find_witness
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.tiles import EDGES, EVERY_PAIR

Link = tuple[int, int]
"""A directed link between empty cells or the rim: the two ends of a strand or of an edge."""


@dataclass(frozen=True)
class Conflict:
    """A minimal set of axes that can't all be connected at the same time."""

    axes: tuple[int, ...]
    cells: tuple[int, ...]
    """The cells that show it."""
    ways: int | None = None
    """The size of the minimum cut at these cells, if it is smaller than the number of axes."""
    all_needed: bool = False
    """Whether every route of every axis crosses all these cells."""


def axes_of(array: StateArray) -> list[int]:
    """The axes that somebody plays for, ascending."""
    return _axes(int(axes_taken(array)))


def _axes(bits: int) -> list[int]:
    return [axis for axis in range(AXES) if (bits >> axis) & 1]


def _search_for(array: StateArray, axes: tuple[int, ...]) -> Scratch:
    search = np.zeros(SEARCH_SIZE, dtype=np.int32)
    wanted = sum(1 << axis for axis in axes)
    start_search(search, array, layout.ends_at(array), int(array[layout.RADIUS]), wanted)
    return search


def blocked_axes(array: StateArray) -> list[int]:
    """The axes that have no route even alone."""
    return _axes(int(exchanges.blocked_axes(array)))


def minimal_conflict(array: StateArray) -> Conflict | None:
    """The fewest axes that can't be connected at the same time; None if all can.

    Every axis must have a route alone.
    """
    axes = axes_of(array)
    for size in range(2, len(axes) + 1):
        for together in combinations(axes, size):
            if not find_witness(_search_for(array, together)):
                return _shown_by_cut(array, together) or _shown_by_cells(array, together)
    return None


# ---- regions ----------------------------------------------------------------------------------


def region(array: StateArray, side: int) -> set[int]:
    """The empty cells that a route from a side can reach."""
    ends, ports = layout.ends_at(array), EDGES * layout.board_size(array)
    length = 2 * int(array[layout.RADIUS]) + 1
    rim = range(ports + side * length, ports + (side + 1) * length)
    found: set[int] = set()
    ahead = deque(int(array[ends + end]) for end in rim)
    while ahead:
        end = ahead.popleft()
        if end < ports and end // EDGES not in found:
            cell = end // EDGES
            found.add(cell)
            ahead.extend(int(array[ends + EDGES * cell + edge]) for edge in range(EDGES))
    return found


def useful_cells(array: StateArray, axis: int) -> set[int]:
    """The empty cells that both sides of an axis can reach."""
    return region(array, axis) & region(array, axis + AXES)


def cells_needed(array: StateArray, axis: int) -> set[int]:
    """The empty cells that every route of an axis crosses."""
    search = _search_for(array, (axis,))
    needed = set()
    for cell in useful_cells(array, axis):
        restrict_cell(search, cell, 0)
        if not find_route_alone(search, axis):
            needed.add(cell)
        restrict_cell(search, cell, EVERY_PAIR)
    return needed


def _shown_by_cells(array: StateArray, axes: tuple[int, ...]) -> Conflict:
    """The cells that all these axes need; if there are none, those that two or more can use."""
    needed = set.intersection(*(cells_needed(array, axis) for axis in axes))
    if needed:
        return Conflict(axes, tuple(sorted(needed)), all_needed=True)
    uses = Counter(cell for axis in axes for cell in useful_cells(array, axis))
    return Conflict(axes, tuple(sorted(cell for cell, count in uses.items() if count > 1)))


# ---- minimum cuts -----------------------------------------------------------------------------


def _shown_by_cut(array: StateArray, axes: tuple[int, ...]) -> Conflict | None:
    """A minimum cut, between one side of each axis and their opposite sides, that is too small.

    Each axis needs a path of its own across the cut, whichever of its sides is the source.
    """
    fewest: tuple[int, tuple[int, ...]] | None = None
    for flips in product((0, AXES), repeat=len(axes) - 1):
        first = {(axis + flip) % SIDES for axis, flip in zip(axes, (0, *flips), strict=True)}
        ways, cells = _minimum_cut(array, first, {(side + AXES) % SIDES for side in first})
        if ways < len(axes) and (fewest is None or len(cells) < len(fewest[1])):
            fewest = ways, cells
    return None if fewest is None else Conflict(axes, fewest[1], fewest[0])


def _minimum_cut(
    array: StateArray, first: set[int], second: set[int]
) -> tuple[int, tuple[int, ...]]:
    """The maximum flow between sides, by Edmonds and Karp, and the cells at a minimum cut.

    Every link has a capacity of one, so the flow is the number of edge-disjoint paths.
    """
    flow: set[Link] = set()
    ways = 0
    entered_by, last = _augmenting_path(array, first, second, flow)
    while last is not None:
        ways += 1
        _augment(array, entered_by, last, flow)
        entered_by, last = _augmenting_path(array, first, second, flow)
    return ways, _cells_at_cut(array, first, second, set(entered_by))


def _rim_links(array: StateArray, sides: set[int]) -> list[Link]:
    """The links from the rim edges of some sides to empty cells."""
    ends, ports = layout.ends_at(array), EDGES * layout.board_size(array)
    length = 2 * int(array[layout.RADIUS]) + 1
    rim = (ports + side * length + place for side in sorted(sides) for place in range(length))
    return [(end, int(array[ends + end])) for end in rim if array[ends + end] < ports]


def _links_from(array: StateArray, cell: int) -> list[Link]:
    ends = layout.ends_at(array)
    return [(port, int(array[ends + port])) for port in range(EDGES * cell, EDGES * (cell + 1))]


def _augmenting_path(
    array: StateArray, first: set[int], second: set[int], flow: set[Link]
) -> tuple[dict[int, Link], Link | None]:
    """A breadth-first search of the residual graph: the link into each cell, and the last one."""
    ports, length = EDGES * layout.board_size(array), 2 * int(array[layout.RADIUS]) + 1
    entered_by: dict[int, Link] = {}
    ahead = deque(link for link in _rim_links(array, first) if link not in flow)
    while ahead:
        link = ahead.popleft()
        if link[1] >= ports:
            if (link[1] - ports) // length in second:
                return entered_by, link
        elif link[1] // EDGES not in entered_by:
            cell = link[1] // EDGES
            entered_by[cell] = link
            ahead.extend(each for each in _links_from(array, cell) if each not in flow)
    return entered_by, None


def _augment(array: StateArray, entered_by: dict[int, Link], last: Link, flow: set[Link]) -> None:
    """Adds the augmenting path that ends with a link; links against the flow cancel out."""
    link: Link | None = last
    while link is not None:
        back = (link[1], link[0])
        if back in flow:
            flow.remove(back)
        else:
            flow.add(link)
        link = entered_by[link[0] // EDGES] if link[0] < EDGES * layout.board_size(array) else None


def _cells_at_cut(
    array: StateArray, first: set[int], second: set[int], reached: set[int]
) -> tuple[int, ...]:
    """The cells on both sides of the links that lead out of the part reached."""
    ports, length = EDGES * layout.board_size(array), 2 * int(array[layout.RADIUS]) + 1
    links = _rim_links(array, first)
    for cell in reached:
        links += _links_from(array, cell)
    cells: set[int] = set()
    for start, end in links:
        if end < ports:
            leads_out = end // EDGES not in reached
        else:
            leads_out = (end - ports) // length in second
        if leads_out:
            cells.update(each // EDGES for each in (start, end) if each < ports)
    return tuple(sorted(cells))
