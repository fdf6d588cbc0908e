"""Whole turns, for people and bots: every placement that a hand allows, with its points.

The rules play tile by tile; bots, hints and people think in turns. Here are all different sets of
tiles on cells, each once. On the empty grid a placement begins at (0, 0) and goes to the right or
down; elsewhere it would be the same but for the names of its cells.
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
    """A whole placement: its tiles in an order in which they can be laid, and its points."""

    tiles: tuple[tuple[Cell, int], ...]
    points: int

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that play it, with the end of the turn."""
        laid = (f"{tile_name(kind)}@{cell_name(cell)}" for cell, kind in self.tiles)
        return (*laid, "end")


def whole_turns(state: State) -> list[Turn]:
    """Every turn that the mover can place, most points first; none if no seat may lay a tile.

    When tiles are laid already, these are the turns that hold them, with the tiles that are still
    to lay; ``points`` are those of the whole turn. The state may be one that is concealed for the
    mover.
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
    """What the tiles laid in this turn score as they lie."""
    return int(laid_points(state.array.copy()))


def first_placement(array: StateArray) -> tuple[Cell, int]:
    """A cell and the kind that can be laid there, in an array where the mover can lay something."""
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
    """Puts the tiles laid in this turn back into the hand."""
    hand = layout.HANDS + layout.HAND * int(array[layout.MOVER])
    count, laid = int(array[layout.COUNT]), int(array[layout.LAID])
    for tile in range(count - laid, count):
        add_tile(array, hand, int(array[layout.TILES + tile]))
        array[layout.XS + tile] = array[layout.YS + tile] = array[layout.TILES + tile] = 0
    array[layout.COUNT], array[layout.LAID] = count - laid, 0
    rules.rebuild_cache(array)


def _remainder_of(turn: Turn, laid: dict[Cell, int], *, shifts: bool) -> Turn | None:
    """What a turn still lays when some of it lies, or None if other tiles lie."""
    tiles = dict(turn.tiles)
    (x, y), kind = next(iter(laid.items()))
    if shifts:  # On an empty grid: moved, so that one of its tiles comes where it lies.
        there = [cell for cell, other in turn.tiles if other == kind]
        if not there:
            return None
        move_x, move_y = x - there[0][0], y - there[0][1]
        tiles = {(cx + move_x, cy + move_y): other for (cx, cy), other in tiles.items()}
    if any(tiles.get(cell) != other for cell, other in laid.items()):
        return None
    rest = [(cell, other) for cell, other in tiles.items() if cell not in laid]
    # Outwards from what lies: so each tile continues the line.
    rest.sort(key=lambda tile: abs(tile[0][0] - x) + abs(tile[0][1] - y))
    return Turn(tuple(rest), turn.points)
