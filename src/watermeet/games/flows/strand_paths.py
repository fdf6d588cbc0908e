"""The whole paths of strands, for views and pictures.

Kernels know only the two ends of a strand (strand_ends.py). Here, in plain Python, a strand is
traced tile by tile. A *step* is a cell that it crosses, with the edges where it enters and leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from watermeet.core.contract import StateArray
from watermeet.games.flows import layout
from watermeet.games.flows.board import (
    AXES,
    EMPTY_BOARD,
    SIDES,
    cell_count,
    end_count,
    side_length,
)
from watermeet.games.flows.names import seats_by_side
from watermeet.games.flows.tiles import EDGES, MATE, ORIENTATION_STRANDS, PAIRS


class Step(NamedTuple):
    """A cell, by its number, and the edges where a strand enters and leaves it."""

    cell: int
    enter: int
    leave: int


class RimEnd(NamedTuple):
    """An end of a strand at the rim; ``place`` counts the side's edges clockwise from 0."""

    side: int
    place: int


class OpenEnd(NamedTuple):
    """An end of a strand at an empty cell, and the edge where it would enter that cell."""

    cell: int
    edge: int


End = RimEnd | OpenEnd


@dataclass(frozen=True)
class Strand:
    """A strand from end to end; a loop has no ends.

    ``owners`` are the seats at whose sides it ends (R6.3): none, one or two.
    """

    steps: tuple[Step, ...]
    ends: tuple[End, ...]
    owners: tuple[int, ...] = ()

    @property
    def axis(self) -> int | None:
        """The axis that the strand connects, or None (R6.1)."""
        sides = [end.side for end in self.ends if isinstance(end, RimEnd)]
        if len(sides) == 2 and (sides[0] - sides[1]) % SIDES == AXES:
            return sides[0] % AXES
        return None


def orientation_at(array: StateArray, cell: int) -> int | None:
    """The orientation of the tile in a cell, or None if it is empty."""
    return int(array[layout.CELLS + cell]) - 1 if array[layout.CELLS + cell] else None


def trace_strands(array: StateArray) -> list[Strand]:
    """All strands on the board: first those from the rim, side by side; loops last."""
    seats = seats_by_side(array)
    found: list[Strand] = []
    seen: set[tuple[int, int]] = set()  # The ports of strands that were traced.
    for start, cell, edge in _starts(array):
        if (cell, edge) in seen:
            continue
        steps, end = _trace(array, cell, edge)
        ends = () if start is None else (start, end)
        sides = (each.side for each in ends if isinstance(each, RimEnd))
        owners = dict.fromkeys(seats[side] for side in sides if side in seats)
        found.append(Strand(steps, ends, tuple(owners)))
        for step in steps:
            seen |= {(step.cell, step.enter), (step.cell, step.leave)}
    return found


def _starts(array: StateArray) -> Iterator[tuple[End | None, int, int]]:
    """Where strands can start: an end and the port of a tile; last all ports, for loops."""
    radius = int(array[layout.RADIUS])
    for place in range(SIDES * side_length(radius)):
        port = int(EMPTY_BOARD[radius, EDGES * cell_count(radius) + place])
        if orientation_at(array, port // EDGES) is not None:
            yield RimEnd(*divmod(place, side_length(radius))), *divmod(port, EDGES)
    occupied = [cell for cell in range(cell_count(radius)) if array[layout.CELLS + cell]]
    ports = [(cell, edge) for cell in occupied for edge in range(EDGES)]
    for cell, edge in ports:
        end = beyond(radius, cell, edge)
        if isinstance(end, OpenEnd) and orientation_at(array, end.cell) is None:
            yield end, cell, edge
    for cell, edge in ports:
        yield None, cell, edge


@cache
def beyond(radius: int, cell: int, edge: int) -> End:
    """The other side of an edge: the rim, or an edge of the next cell."""
    end = int(EMPTY_BOARD[radius, EDGES * cell + edge])
    ports = EDGES * cell_count(radius)
    if end >= ports:
        return RimEnd(*divmod(end - ports, side_length(radius)))
    return OpenEnd(*divmod(end, EDGES))


def _trace(array: StateArray, cell: int, edge: int) -> tuple[tuple[Step, ...], End]:
    """Follows a strand from a port to its end, or once around a loop."""
    radius, first = int(array[layout.RADIUS]), (cell, edge)
    steps = []
    while True:
        orientation = orientation_at(array, cell)
        assert orientation is not None, "a strand only crosses tiles"
        leave = int(MATE[orientation, edge])
        steps.append(Step(cell, edge, leave))
        end = beyond(radius, cell, leave)
        if isinstance(end, RimEnd) or orientation_at(array, end.cell) is None or end == first:
            return tuple(steps), end
        cell, edge = end


def strands_by_cell(array: StateArray) -> dict[int, list[Strand]]:
    """By occupied cell: the strands of its three pairs, in order; the same one may occur twice."""
    passing = {
        (step.cell, min(step.enter, step.leave)): strand
        for strand in trace_strands(array)
        for step in strand.steps
    }
    occupied = [
        cell for cell in range(cell_count(int(array[layout.RADIUS]))) if array[layout.CELLS + cell]
    ]
    return {
        cell: [
            passing[cell, low]
            for low, _ in ORIENTATION_STRANDS[int(array[layout.CELLS + cell]) - 1]
        ]
        for cell in occupied
    }


def is_winning(array: StateArray, strand: Strand) -> bool:
    """Whether a strand connects a team (R6.2)."""
    return strand.axis in {side % AXES for side in seats_by_side(array)}


# ---- the witness ------------------------------------------------------------------------------


def witness_routes(array: StateArray) -> dict[int, tuple[Step, ...]]:
    """By axis: a route that can still be completed, from the cached witness; empty without one.

    A route starts at side ``axis`` and ends at the opposite one. It follows strands and crosses
    empty cells, possibly more than once. Axes that nobody plays for have none.
    """
    radius = int(array[layout.RADIUS])
    count = cell_count(radius)
    first = layout.CELLS + count + end_count(radius)
    if array[first + AXES * count] == 0:
        return {}
    routes = {}
    for axis in range(AXES):
        pairs = array[first + axis * count : first + (axis + 1) * count].tolist()
        if any(pairs):
            routes[axis] = _route(array, axis, pairs)
    return routes


def _route(array: StateArray, axis: int, pairs: list[int]) -> tuple[Step, ...]:
    """The route of these pairs, given as bits by cell, from its first side."""
    radius = int(array[layout.RADIUS])
    first = EDGES * cell_count(radius) + axis * side_length(radius)
    for port in EMPTY_BOARD[radius, first : first + side_length(radius)].tolist():
        steps = _follow(array, pairs, port // EDGES, port % EDGES)
        if steps:
            return steps
    raise AssertionError("a route of a witness starts at its side")


def _follow(array: StateArray, pairs: list[int], cell: int, edge: int) -> tuple[Step, ...]:
    """Follows tiles and, in empty cells, pairs to the rim; empty if no pair continues."""
    steps = []
    has_pair = False
    while True:
        orientation = orientation_at(array, cell)
        if orientation is not None:
            leave = int(MATE[orientation, edge])
        else:
            ways = [sum(PAIRS[n]) - edge for n in _bits(pairs[cell]) if edge in PAIRS[n]]
            if not ways:
                return ()
            leave, has_pair = ways[0], True
        steps.append(Step(cell, edge, leave))
        end = beyond(int(array[layout.RADIUS]), cell, leave)
        if isinstance(end, RimEnd):
            return tuple(steps) if has_pair else ()
        cell, edge = end


def _bits(mask: int) -> list[int]:
    return [number for number in range(len(PAIRS)) if (mask >> number) & 1]
