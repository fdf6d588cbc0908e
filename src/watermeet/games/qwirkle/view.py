"""The view of a Qwirkle state as plain data, made from the concealed array."""

from __future__ import annotations

from typing import TypedDict, cast

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.view import SeatView
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.explain import explain_outcome, laid_cells
from watermeet.games.qwirkle.grid import laid_points
from watermeet.games.qwirkle.names import (
    Cell,
    grid_of,
    hand_of,
    kinds_at,
    player_name,
    tied_seats,
    tile_name,
)


class Tile(TypedDict):
    """A tile on the grid."""

    x: int
    y: int
    tile: str


class Board(TypedDict):
    """The tiles in the order in which they were placed, and the state of the turn.

    ``laid``: the cells of this turn; ``last``: those of the one before. ``preview``: the points of
    this turn if it ended now. ``aside``: the tiles to trade. ``unseen``: by tile; None if the
    option is off.
    """

    tiles: list[Tile]
    laid: list[Cell]
    last: list[Cell]
    preview: int | None
    aside: list[str]
    bag: int
    passes: int
    exchanges: int
    unseen: dict[str, int] | None
    tied: list[int]


class Seat(SeatView):
    """A player; ``??`` is a hidden tile."""

    hand: list[str]


class View(TypedDict):
    """What the page gets."""

    sentence: str
    seats: list[Seat]
    board: Board


def view(game: Game, array: StateArray, seat: int) -> View:
    """The grid, the hands as the seat sees them, and the state of the turn."""
    seats: list[Seat] = [
        {
            "label": player_name(index),
            "score": int(rules.points_of(array, index)),
            "hand": [tile_name(kind) for kind in hand_of(array, index)],
        }
        for index in range(game.seats)
    ]
    aside = kinds_at(array, layout.ASIDE)
    return {
        "sentence": sentence(game, array),
        "seats": seats,
        "board": {
            "tiles": [
                {"x": x, "y": y, "tile": tile_name(kind)} for (x, y), kind in grid_of(array).items()
            ],
            "laid": _plain(laid_cells(array)),
            "last": _plain(last_cells(array)),
            "preview": int(laid_points(array)) if array[layout.LAID] else None,
            "aside": [tile_name(kind) for kind in aside],
            "bag": int(array[layout.BAG_LEFT]),
            "passes": int(array[layout.PASSES]),
            "exchanges": int(array[layout.EXCHANGES]),
            "unseen": unseen(game, array),
            "tied": tied_seats(array),
        },
    }


def _plain(cells: list[Cell]) -> list[Cell]:
    """Cells as JSON has them, which knows no tuples."""
    return cast(list[Cell], [list(cell) for cell in cells])


def last_cells(array: StateArray) -> list[Cell]:
    """The cells of the tiles that the previous turn placed."""
    first_laid = int(array[layout.COUNT]) - int(array[layout.LAID])
    return list(grid_of(array))[first_laid - int(array[layout.LAST]) : first_laid]


def unseen(game: Game, array: StateArray) -> dict[str, int] | None:
    """The number of unseen tiles of each kind; None if the option is off."""
    if not game.options["counts"]:
        return None
    return {tile_name(kind): int(array[layout.BAG + kind]) for kind in range(layout.KINDS)}


def sentence(game: Game, array: StateArray) -> str:
    """What happens now, in one sentence."""
    mover, bag = player_name(int(array[layout.MOVER])), int(array[layout.BAG_LEFT])
    stage = int(array[layout.STAGE])
    if stage == layout.FINISHED:
        return explain_outcome(game, array).sentence
    if stage == layout.TIEBREAK:
        return "The largest sets are equal: a random draw decides who begins."
    if stage in (layout.DEAL, layout.REFILL, layout.REPLACE):
        return f"{mover} draws a tile; {bag} in the bag."
    if array[layout.LAID]:
        points = int(laid_points(array))
        return f"{mover} to place another tile or end the turn (+{points})."
    aside = len(kinds_at(array, layout.ASIDE))
    if aside:
        return f"{mover} to set aside another tile or end the turn (trading {aside})."
    if array[layout.COUNT] == 0:
        return f"{mover} has the largest set and begins."
    return f"{mover} to place{' or trade' if bag else ''} tiles; {bag} in the bag."
