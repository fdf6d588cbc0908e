"""The geometry of the SVG: strands as arcs, sides as bands, and places of labels.

Lengths are multiples of ``size``, the distance from a cell's centre to its corners. The origin is
the centre of the board, y grows downwards, and cells have a corner at the top.
"""

from __future__ import annotations

import math

from watermeet.core.hexgrid import Cell, cells, centre_of, corners_of
from watermeet.games.flows.board import SIDES, rim_ports, side_length
from watermeet.games.flows.strand_paths import Step
from watermeet.games.flows.tiles import EDGES

Point = tuple[float, float]
BAND = 0.62  # How far a side's band reaches beyond the corners of the cells.
_SHARP, _GENTLE = 0.5, 1.5  # The radii of arcs that meet the middles of edges at right angles.


def middle_of(centre: Point, edge: int, size: float) -> Point:
    """The middle of an edge of the cell around a point."""
    angle = math.radians(120 + 60 * edge)  # Edge 0 lies south-west; angles grow clockwise.
    reach = size * 3**0.5 / 2
    return centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)


def number(value: float) -> str:
    """A length with two decimals."""
    return f"{round(value, 2) + 0.0:.2f}"  # Adding zero makes -0.0 plain.


def points(places: list[Point]) -> str:
    """Points as SVG lists them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def piece_path(centre: Point, enter: int, leave: int, size: float) -> str:
    """The continuation of a path from the middle of one edge to the middle of another.

    Arcs bend around the point where the lines of the two edges meet.
    """
    x, y = middle_of(centre, leave, size)
    turn = (leave - enter) % EDGES
    if turn == 3:
        return f"L{number(x)} {number(y)}"
    radius = number(size * (_SHARP if turn in (1, 5) else _GENTLE))
    sweep = 0 if turn in (1, 2) else 1
    return f"A{radius} {radius} 0 0 {sweep} {number(x)} {number(y)}"


def piece_length(enter: int, leave: int, size: float) -> float:
    """The length of a strand within a cell."""
    turn = (leave - enter) % EDGES
    if turn == 3:
        return size * 3**0.5
    return size * math.pi * (_SHARP * 2 / 3 if turn in (1, 5) else _GENTLE / 3)


def strand_path(radius: int, steps: tuple[Step, ...], size: float) -> str:
    """A strand, or a part of one, as one path."""
    board = cells(radius + 1)
    x, y = middle_of(centre_of(board[steps[0].cell], size), steps[0].enter, size)
    pieces = [
        piece_path(centre_of(board[step.cell], size), step.enter, step.leave, size)
        for step in steps
    ]
    return f"M{number(x)} {number(y)}{''.join(pieces)}"


# ---- sides ------------------------------------------------------------------------------------


def reach_of(radius: int, size: float) -> float:
    """The distance of each side's outer line from the centre."""
    return size * (1.5 * radius + 1 + BAND)


def corner(radius: int, side: int, size: float, inset: float = 0.0) -> Point:
    """The outer corner where a side starts; with ``inset`` that of a smaller hexagon."""
    angle = math.radians(60 + 60 * side)  # Side 0 begins at the lower right.
    reach = (reach_of(radius, size) - inset) * 2 / 3**0.5
    return reach * math.cos(angle), reach * math.sin(angle)


def band(radius: int, side: int, size: float) -> list[Point]:
    """The polygon between a side's rim edges and its outer line."""
    length = side_length(radius)
    ports = rim_ports(radius)[side * length : (side + 1) * length]
    inner = [_edge_corners(cell, edge, size)[0] for cell, edge in ports]
    inner.append(_edge_corners(*ports[-1], size)[1])
    return [*inner, corner(radius, side + 1, size), corner(radius, side, size)]


def _edge_corners(cell: Cell, edge: int, size: float) -> tuple[Point, Point]:
    """The two corners of an edge, clockwise."""
    around = corners_of(cell, size)
    return around[(edge + 3) % EDGES], around[(edge + 4) % EDGES]


def band_middle(radius: int, side: int, size: float) -> tuple[Point, float]:
    """The middle of a band, and the rotation of text along it that keeps it upright."""
    reach = reach_of(radius, size) - size * BAND * 0.55
    angle = math.radians(90 + 60 * side)
    return (reach * math.cos(angle), reach * math.sin(angle)), (0.0, 60.0, -60.0)[side % 3]


def band_line(radius: int, side: int, size: float, gap: float) -> tuple[list[Point], list[Point]]:
    """The line along the middle of a band, in two halves with a gap for its label."""
    inset = size * BAND * 0.55
    start = corner(radius, side, size, inset)
    end = corner(radius, (side + 1) % SIDES, size, inset)
    length = math.dist(start, end)
    halves = ((0.045, 0.5 - gap / 2 / length), (0.5 + gap / 2 / length, 0.955))
    first, second = ([_between(start, end, part) for part in half] for half in halves)
    return first, second


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


# ---- labels -----------------------------------------------------------------------------------


def row_label(radius: int, row: int, size: float, gap: float) -> Point:
    """The place of a row's number, left of the board."""
    y = size * 1.5 * row
    reach = reach_of(radius, size) * 2 / 3**0.5
    return abs(y) / 3**0.5 - reach - gap, y


def column_label(radius: int, column: int, size: float, gap: float) -> Point:
    """The place of a column's letter, beyond its lower end."""
    x, y = centre_of((column, 0), size)
    along = (0.5, 3**0.5 / 2)  # Columns run to the lower right.
    normal = (0.0, 1.0) if column <= 0 else (3**0.5 / 2, 0.5)
    ahead = reach_of(radius, size) + gap - x * normal[0] - y * normal[1]
    steps = ahead / (along[0] * normal[0] + along[1] * normal[1])
    return x + steps * along[0], y + steps * along[1]
