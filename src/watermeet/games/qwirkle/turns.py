"""Whole turns: every placement that a hand allows, with its points.

The rules play tile by tile, but people and bots think in turns. A turn is a set of tiles on cells,
listed once whatever their order. On the empty grid a placement starts at (0, 0) and runs right or
down; anywhere else it would be the same turn with other cell names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.rng import seeded
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.grid import laid_points
from watermeet.games.qwirkle.names import Cell, cell_name, grid_of, kinds_at, tile_name
from watermeet.games.qwirkle.placements import BUFFER_COLUMNS, BUFFER_ROWS, ROW, list_turns
from watermeet.games.qwirkle.tiles import add_tile

if TYPE_CHECKING:
    from watermeet.core.state import State


@dataclass(frozen=True)
class Turn:
    """A whole placement: its tiles, in an order in which they can be placed, and its points."""

    tiles: tuple[tuple[Cell, int], ...]
    points: int

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that play it, including the end of the turn."""
        laid = (f"{tile_name(kind)}@{cell_name(cell)}" for cell, kind in self.tiles)
        return (*laid, "end")


def whole_turns(state: State) -> list[Turn]:
    """Every placement of the mover, most points first; empty if nobody may place a tile now.

    After some tiles have been placed, only the turns that include them are listed, with the tiles
    that remain; ``points`` always counts the whole turn. The state may be concealed for the mover.
    """
    array = state.array.copy()
    if array[layout.STAGE] != layout.TURN or kinds_at(array, layout.ASIDE):
        return []
    laid = dict(list(grid_of(array).items())[int(array[layout.COUNT]) - int(array[layout.LAID]) :])
    _take_back(array)
    turns = _all_turns(array)
    if laid:
        continuations = (
            _remainder_of(turn, laid, shifts=bool(array[layout.COUNT] == 0)) for turn in turns
        )
        turns = [turn for turn in continuations if turn is not None]
    return sorted(turns, key=lambda turn: -turn.points)


def best_turns(state: State) -> list[Turn]:
    """The turns with the most points."""
    turns = whole_turns(state)
    return [turn for turn in turns if turn.points == turns[0].points]


def preview(state: State) -> int:
    """What the tiles placed in this turn score so far."""
    return int(laid_points(state.array.copy()))


def first_placement(array: StateArray) -> tuple[Cell, int]:
    """A cell and a kind that fits there; the mover must be able to place something."""
    return _all_turns(array)[0].tiles[0]


def _all_turns(array: StateArray) -> list[Turn]:
    buffer = np.zeros((BUFFER_ROWS, BUFFER_COLUMNS), dtype=np.int64)
    rows = np.zeros((256, ROW), dtype=np.int16)
    count = int(list_turns(array, buffer, rows, False, seeded(0)))
    if count > len(rows):
        rows = np.zeros((count, ROW), dtype=np.int16)
        list_turns(array, buffer, rows, False, seeded(0))
    return [_turn_of(row) for row in rows[:count].tolist()]


def _turn_of(row: list[int]) -> Turn:
    points, tiles = row[0], row[1]
    places = range(2, 2 + 3 * tiles, 3)
    return Turn(tuple(((row[i], row[i + 1]), row[i + 2]) for i in places), points)


def _take_back(array: StateArray) -> None:
    """Put the tiles placed in this turn back into the hand."""
    hand = layout.HANDS + layout.HAND * int(array[layout.MOVER])
    count, laid = int(array[layout.COUNT]), int(array[layout.LAID])
    for tile in range(count - laid, count):
        add_tile(array, hand, int(array[layout.TILES + tile]))
        array[layout.XS + tile] = array[layout.YS + tile] = array[layout.TILES + tile] = 0
    array[layout.COUNT], array[layout.LAID] = count - laid, 0
    rules.rebuild_cache(array)


def _remainder_of(turn: Turn, laid: dict[Cell, int], *, shifts: bool) -> Turn | None:
    """The rest of a turn after ``laid``, or None if the turn doesn't include those tiles."""
    tiles = dict(turn.tiles)
    (x, y), kind = next(iter(laid.items()))
    if shifts:  # The first turn: shift it so that its tile is where it was placed.
        there = [cell for cell, other in turn.tiles if other == kind]
        if not there:
            return None
        move_x, move_y = x - there[0][0], y - there[0][1]
        tiles = {(cx + move_x, cy + move_y): other for (cx, cy), other in tiles.items()}
    if any(tiles.get(cell) != other for cell, other in laid.items()):
        return None
    rest = [(cell, other) for cell, other in tiles.items() if cell not in laid]
    # Outwards from the placed tiles, so that each tile continues the line.
    rest.sort(key=lambda tile: abs(tile[0][0] - x) + abs(tile[0][1] - y))
    return Turn(tuple(rest), turn.points)
