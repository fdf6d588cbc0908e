"""Square and hexagonal boards: names and indices, neighbours, symmetries."""

from __future__ import annotations

import math

import pytest

from watermeet.core import hexgrid, squaregrid


@pytest.mark.parametrize("size", [1, 3, 7, 19])
def test_square_names_and_indices_agree(size: int) -> None:
    for index in range(size * size):
        assert squaregrid.point_index(squaregrid.point_name(index, size), size, size) == index


@pytest.mark.parametrize("name", ["", "a", "1", "a0", "h1", "a8", "a01", "aa1", "A1", "a1 "])
def test_invalid_point_names_are_refused(name: str) -> None:
    assert squaregrid.point_index(name, 7, 7) is None


def test_boards_may_be_rectangular() -> None:
    assert squaregrid.point_index("c1", 3, 2) == 2
    assert squaregrid.point_index("a3", 3, 2) is None
    assert squaregrid.neighbours(0, 3, 2) == [1, 3]


@pytest.mark.parametrize("size", [3, 4, 7])
def test_square_symmetries_preserve_neighbours(size: int) -> None:
    maps = squaregrid.symmetries(size)
    assert maps[0] == list(range(size * size))
    assert len({tuple(images) for images in maps}) == 8
    for images in maps:
        for index in range(size * size):
            near = {images[other] for other in squaregrid.neighbours(index, size, size)}
            assert near == set(squaregrid.neighbours(images[index], size, size))


@pytest.mark.parametrize(("side", "count"), [(1, 1), (4, 37), (5, 61), (7, 127), (9, 217)])
def test_hexagon_cells_are_counted_and_named(side: int, count: int) -> None:
    cells = hexgrid.cells(side)
    assert len(cells) == count
    for number, cell in enumerate(cells):
        assert hexgrid.cell_index(cell, side) == number
        assert hexgrid.parse_cell(hexgrid.cell_name(cell, side), side) == cell
        assert hexgrid.ring(cell) <= side - 1
    assert sum(hexgrid.ring(cell) == side - 1 for cell in cells) == max(1, 6 * (side - 1))


@pytest.mark.parametrize("name", ["", "e", "5", "a1", "i9", "e10", "e0", "E5", "z5"])
def test_invalid_cell_names_are_refused(name: str) -> None:
    assert hexgrid.parse_cell(name, 5) is None


def test_every_side_has_letters() -> None:
    side = hexgrid.LARGEST_SIDE
    names = {hexgrid.cell_name(cell, side) for cell in hexgrid.cells(side)}
    assert len(names) == len(hexgrid.cells(side))


def test_directions_go_clockwise_on_the_screen() -> None:
    angles = []
    for direction in range(6):
        x, y = hexgrid.centre_of(hexgrid.neighbour((0, 0), direction), 1.0)
        angles.append(round(math.degrees(math.atan2(y, x))) % 360)
    assert angles == [0, 60, 120, 180, 240, 300]  # y grows downward, so this is clockwise.
    assert hexgrid.DIRECTION_NAMES == ("E", "SE", "SW", "W", "NW", "NE")


def test_opposite_directions_cancel() -> None:
    for direction in range(6):
        there = hexgrid.neighbour((1, -2), direction, 3)
        assert hexgrid.neighbour(there, hexgrid.opposite(direction), 3) == (1, -2)
    assert hexgrid.cell_index((5, 0), 5) is None


def test_rotation_rotates_directions() -> None:
    for direction in range(6):
        assert (
            hexgrid.rotated(hexgrid.DIRECTIONS[direction])
            == hexgrid.DIRECTIONS[(direction + 1) % 6]
        )
    assert hexgrid.mirrored(hexgrid.DIRECTIONS[0]) == hexgrid.DIRECTIONS[1]


def test_hexagon_symmetries_preserve_neighbours() -> None:
    side = 4
    cells = hexgrid.cells(side)
    maps = hexgrid.symmetries(side)
    assert maps[0] == list(range(len(cells)))
    assert len({tuple(images) for images in maps}) == 12

    def near(number: int) -> set[int]:
        found = (hexgrid.cell_index(hexgrid.neighbour(cells[number], d), side) for d in range(6))
        return {index for index in found if index is not None}

    for images in maps:
        for number in range(len(cells)):
            assert {images[other] for other in near(number)} == near(images[number])


def test_neighbours_share_corners() -> None:
    def rounded(cell: hexgrid.Cell) -> set[tuple[float, float]]:
        return {(round(x, 6), round(y, 6)) for x, y in hexgrid.corners_of(cell, 2.0)}

    for direction in range(6):
        assert len(rounded((0, 0)) & rounded(hexgrid.neighbour((0, 0), direction))) == 2
