"""Strands traced in full, for views and pictures: through which tiles they run, and whose they are.

Kernels know of a strand only its two ends (strands.py); here is all that lies between, in plain
Python, from the tiles on the board. A *step* is a cell that a strand runs through, with the edges
where it comes in and goes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from watermeet.core.contract import StateArray
from watermeet.games.flows.board import (
    AXES,
    EMPTY_BOARD,
    SIDES,
    cell_count,
    end_count,
    side_length,
)
from watermeet.games.flows.layout import CELLS, RADIUS
from watermeet.games.flows.names import seats_by_side
from watermeet.games.flows.tiles import EDGES, FILLING_STRANDS, MATE, PAIRS


class Step(NamedTuple):
    """A cell, by its number, and the edges where a strand comes in and goes out."""

    cell: int
    enter: int
    leave: int


class RimEnd(NamedTuple):
    """An end of a strand at a side; ``place`` counts the side's edges clockwise from 0."""

    side: int
    place: int


class OpenEnd(NamedTuple):
    """An end of a strand at an empty cell, and the edge of that cell where it would come in."""

    cell: int
    edge: int


End = RimEnd | OpenEnd


@dataclass(frozen=True)
class Strand:
    """A strand from end to end; a ring has no ends.

    ``owners`` are the seats at whose sides it ends (R6.3), none, one or two.
    """

    steps: tuple[Step, ...]
    ends: tuple[End, ...]
    owners: tuple[int, ...] = ()

    @property
    def axis(self) -> int | None:
        """The axis that the strand connects, whosever it is; None if it connects none (R6.1)."""
        sides = [end.side for end in self.ends if isinstance(end, RimEnd)]
        if len(sides) == 2 and (sides[0] - sides[1]) % SIDES == AXES:
            return sides[0] % AXES
        return None


def filling_at(array: StateArray, cell: int) -> int | None:
    """The filling in a cell; None if it is empty."""
    return int(array[CELLS + cell]) - 1 if array[CELLS + cell] else None


def strands(array: StateArray) -> list[Strand]:
    """All strands through tiles that lie: first those from the rim, side by side; last rings."""
    seats = seats_by_side(array)
    found: list[Strand] = []
    seen: set[tuple[int, int]] = set()  # Ports that strands have passed.
    for start, cell, edge in _starts(array):
        if (cell, edge) in seen:
            continue
        steps, end = _walk(array, cell, edge)
        ends = () if start is None else (start, end)
        sides = (each.side for each in ends if isinstance(each, RimEnd))
        owners = dict.fromkeys(seats[side] for side in sides if side in seats)
        found.append(Strand(steps, ends, tuple(owners)))
        for step in steps:
            seen |= {(step.cell, step.enter), (step.cell, step.leave)}
    return found


def _starts(array: StateArray) -> Iterator[tuple[End | None, int, int]]:
    """Where strands may begin: an end, and the port of a tile; last all ports, for rings."""
    radius = int(array[RADIUS])
    for place in range(SIDES * side_length(radius)):
        port = int(EMPTY_BOARD[radius, EDGES * cell_count(radius) + place])
        if filling_at(array, port // EDGES) is not None:
            yield RimEnd(*divmod(place, side_length(radius))), *divmod(port, EDGES)
    laid = [cell for cell in range(cell_count(radius)) if array[CELLS + cell]]
    ports = [(cell, edge) for cell in laid for edge in range(EDGES)]
    for cell, edge in ports:
        end = beyond(radius, cell, edge)
        if isinstance(end, OpenEnd) and filling_at(array, end.cell) is None:
            yield end, cell, edge
    for cell, edge in ports:
        yield None, cell, edge


@cache
def beyond(radius: int, cell: int, edge: int) -> End:
    """What lies on the other side of an edge: the rim, or the next cell with its edge."""
    end = int(EMPTY_BOARD[radius, EDGES * cell + edge])
    ports = EDGES * cell_count(radius)
    if end >= ports:
        return RimEnd(*divmod(end - ports, side_length(radius)))
    return OpenEnd(*divmod(end, EDGES))


def _walk(array: StateArray, cell: int, edge: int) -> tuple[tuple[Step, ...], End]:
    """Follows a strand into a tile through an edge, as far as tiles go, or once around a ring."""
    radius, first = int(array[RADIUS]), (cell, edge)
    steps = []
    while True:
        filling = filling_at(array, cell)
        assert filling is not None, "a walk goes through tiles only"
        leave = int(MATE[filling, edge])
        steps.append(Step(cell, edge, leave))
        end = beyond(radius, cell, leave)
        if isinstance(end, RimEnd) or filling_at(array, end.cell) is None or end == first:
            return tuple(steps), end
        cell, edge = end


def strands_by_cell(array: StateArray) -> dict[int, list[Strand]]:
    """For each cell with a tile the strand of each of its three pairs, in the order of the pairs.

    A strand that runs through a cell twice is there twice.
    """
    passing = {
        (step.cell, min(step.enter, step.leave)): strand
        for strand in strands(array)
        for step in strand.steps
    }
    laid = [cell for cell in range(cell_count(int(array[RADIUS]))) if array[CELLS + cell]]
    return {
        cell: [passing[cell, low] for low, _ in FILLING_STRANDS[int(array[CELLS + cell]) - 1]]
        for cell in laid
    }


def wins(array: StateArray, strand: Strand) -> bool:
    """Whether a strand connects somebody (R6.2)."""
    return strand.axis in {side % AXES for side in seats_by_side(array)}


# ---- the witness ------------------------------------------------------------------------------


def witness(array: StateArray) -> dict[int, tuple[Step, ...]]:
    """By axis a route that can still be made, of the witness kept in the memo; empty if none is.

    A route begins at side ``axis`` and ends at the opposite one. It runs along strands and through
    empty cells, which it may visit more than once. Axes for which nobody plays have none.
    """
    radius = int(array[RADIUS])
    count = cell_count(radius)
    first = CELLS + count + end_count(radius)
    if array[first + AXES * count] == 0:
        return {}
    routes = {}
    for axis in range(AXES):
        pairs = array[first + axis * count : first + (axis + 1) * count].tolist()
        if any(pairs):
            routes[axis] = _route(array, axis, pairs)
    return routes


def _route(array: StateArray, axis: int, pairs: list[int]) -> tuple[Step, ...]:
    """The route of these pairs, which are bits by cell, from the side on."""
    radius = int(array[RADIUS])
    first = EDGES * cell_count(radius) + axis * side_length(radius)
    for port in EMPTY_BOARD[radius, first : first + side_length(radius)].tolist():
        steps = _follow(array, pairs, port // EDGES, port % EDGES)
        if steps:
            return steps
    raise AssertionError("a witness has a route that begins at its side")


def _follow(array: StateArray, pairs: list[int], cell: int, edge: int) -> tuple[Step, ...]:
    """Follows tiles and, in empty cells, pairs up to the rim; nothing if no pair goes on."""
    steps = []
    has_pair = False
    while True:
        filling = filling_at(array, cell)
        if filling is not None:
            leave = int(MATE[filling, edge])
        else:
            ways = [sum(PAIRS[n]) - edge for n in _bits(pairs[cell]) if edge in PAIRS[n]]
            if not ways:
                return ()
            leave, has_pair = ways[0], True
        steps.append(Step(cell, edge, leave))
        end = beyond(int(array[RADIUS]), cell, leave)
        if isinstance(end, RimEnd):
            return tuple(steps) if has_pair else ()
        cell, edge = end


def _bits(mask: int) -> list[int]:
    return [number for number in range(len(PAIRS)) if (mask >> number) & 1]
