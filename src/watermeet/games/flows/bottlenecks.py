"""What stands in the way of routes: for explanations, in plain Python on a state's array.

All functions look at the board as it is; to explain a placement, lay the tile first.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch
from watermeet.games.flows import exchanges
from watermeet.games.flows.board import AXES, SIDES
from watermeet.games.flows.layout import RADIUS, ends_at
from watermeet.games.flows.placements import cells_of
from watermeet.games.flows.routes import (
    ROOM,
    allow_in_cell,
    begin_search,
    find_route_alone,
    find_witness,
)
from watermeet.games.flows.seating import axes_taken
from watermeet.games.flows.tiles import EDGES, EVERY_PAIR

Link = tuple[int, int]
"""The two ends of a strand, or of an edge, between empty cells, or between one and the rim."""


@dataclass(frozen=True)
class Conflict:
    """Axes that cannot be connected at the same time, though fewer of them could."""

    axes: tuple[int, ...]
    cells: tuple[int, ...]
    """Where it shows."""
    ways: int | None = None
    """How many ways lead through these cells, if there are fewer ways than axes; else None."""
    all_needed: bool = False
    """Whether every route of every axis goes through all these cells."""


def axes_of(array: StateArray) -> list[int]:
    """The axes that somebody plays for."""
    return _axes(int(axes_taken(array)))


def _axes(bits: int) -> list[int]:
    return [axis for axis in range(AXES) if (bits >> axis) & 1]


def _room(array: StateArray, axes: tuple[int, ...]) -> Scratch:
    room = np.zeros(ROOM, dtype=np.int32)
    asked = sum(1 << axis for axis in axes)
    begin_search(room, array, ends_at(array), int(array[RADIUS]), asked)
    return room


def blocked_axes(array: StateArray) -> list[int]:
    """The axes that have no route even if they are alone."""
    return _axes(int(exchanges.blocked_axes(array)))


def smallest_conflict(array: StateArray) -> Conflict | None:
    """The fewest axes that cannot be connected at the same time; None if all can.

    Every axis alone must have a route.
    """
    axes = axes_of(array)
    for size in range(2, len(axes) + 1):
        for together in combinations(axes, size):
            if not find_witness(_room(array, together)):
                return _shown_by_ways(array, together) or _shown_by_cells(array, together)
    return None


# ---- regions ----------------------------------------------------------------------------------


def region(array: StateArray, side: int) -> set[int]:
    """The empty cells that a route from a side can come to."""
    ends, ports = ends_at(array), EDGES * cells_of(array)
    length = 2 * int(array[RADIUS]) + 1
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
    """The empty cells that both sides of an axis can come to."""
    return region(array, axis) & region(array, axis + AXES)


def cells_needed(array: StateArray, axis: int) -> set[int]:
    """The empty cells that every route of an axis goes through."""
    room = _room(array, (axis,))
    needed = set()
    for cell in useful_cells(array, axis):
        allow_in_cell(room, cell, 0)
        if not find_route_alone(room, axis):
            needed.add(cell)
        allow_in_cell(room, cell, EVERY_PAIR)
    return needed


def _shown_by_cells(array: StateArray, axes: tuple[int, ...]) -> Conflict:
    """The cells that all the axes need; if there is none, those that two or more may use."""
    needed = set.intersection(*(cells_needed(array, axis) for axis in axes))
    if needed:
        return Conflict(axes, tuple(sorted(needed)), all_needed=True)
    uses = Counter(cell for axis in axes for cell in useful_cells(array, axis))
    return Conflict(axes, tuple(sorted(cell for cell, count in uses.items() if count > 1)))


# ---- ways through -----------------------------------------------------------------------------


def _shown_by_ways(array: StateArray, axes: tuple[int, ...]) -> Conflict | None:
    """Too few ways between one side of each axis and the other sides of them all, if so.

    Each axis needs a way from the first sides to the second ones, whichever of its two is among the
    first.
    """
    fewest: tuple[int, tuple[int, ...]] | None = None
    for flips in product((0, AXES), repeat=len(axes) - 1):
        first = {(axis + flip) % SIDES for axis, flip in zip(axes, (0, *flips), strict=True)}
        ways, cells = _ways_between(array, first, {(side + AXES) % SIDES for side in first})
        if ways < len(axes) and (fewest is None or len(cells) < len(fewest[1])):
            fewest = ways, cells
    return None if fewest is None else Conflict(axes, fewest[1], fewest[0])


def _ways_between(
    array: StateArray, first: set[int], second: set[int]
) -> tuple[int, tuple[int, ...]]:
    """How many ways without a common edge lead between sides, and the cells at their narrowest.

    Ways are added one by one, each by a search that may undo parts of the earlier ones. When there
    is no more, the links from what the search came to, to what it did not, are as many as the ways.
    """
    used: set[Link] = set()  # Directed: from where a way leaves a cell or a side to where it comes.
    ways = 0
    came_by, last = _search_way(array, first, second, used)
    while last is not None:
        ways += 1
        _add_way(array, came_by, last, used)
        came_by, last = _search_way(array, first, second, used)
    return ways, _narrowest(array, first, second, set(came_by))


def _rim_links(array: StateArray, sides: set[int]) -> list[Link]:
    """From the rim edges of some sides to the empty cells behind them."""
    ends, ports = ends_at(array), EDGES * cells_of(array)
    length = 2 * int(array[RADIUS]) + 1
    rim = (ports + side * length + place for side in sorted(sides) for place in range(length))
    return [(end, int(array[ends + end])) for end in rim if array[ends + end] < ports]


def _links_from(array: StateArray, cell: int) -> list[Link]:
    ends = ends_at(array)
    return [(port, int(array[ends + port])) for port in range(EDGES * cell, EDGES * (cell + 1))]


def _search_way(
    array: StateArray, first: set[int], second: set[int], used: set[Link]
) -> tuple[dict[int, Link], Link | None]:
    """By which link each cell was come to, and the one that leaves through a second side."""
    ports, length = EDGES * cells_of(array), 2 * int(array[RADIUS]) + 1
    came_by: dict[int, Link] = {}
    ahead = deque(link for link in _rim_links(array, first) if link not in used)
    while ahead:
        link = ahead.popleft()
        if link[1] >= ports:
            if (link[1] - ports) // length in second:
                return came_by, link
        elif link[1] // EDGES not in came_by:
            cell = link[1] // EDGES
            came_by[cell] = link
            ahead.extend(each for each in _links_from(array, cell) if each not in used)
    return came_by, None


def _add_way(array: StateArray, came_by: dict[int, Link], last: Link, used: set[Link]) -> None:
    """Follows a way back from its last link; where it runs against another, both go elsewhere."""
    link: Link | None = last
    while link is not None:
        back = (link[1], link[0])
        if back in used:
            used.remove(back)
        else:
            used.add(link)
        link = came_by[link[0] // EDGES] if link[0] < EDGES * cells_of(array) else None


def _narrowest(
    array: StateArray, first: set[int], second: set[int], reached: set[int]
) -> tuple[int, ...]:
    """The cells on both sides of the links that lead out of what was reached."""
    ports, length = EDGES * cells_of(array), 2 * int(array[RADIUS]) + 1
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
