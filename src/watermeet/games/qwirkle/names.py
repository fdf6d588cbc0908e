"""Names of tiles, cells and players: ``Rc`` is the red circle, ``3,-2`` a cell."""

from __future__ import annotations

import re

from watermeet.core.contract import StateArray
from watermeet.games.qwirkle import layout

COLOUR_LETTERS = "ROYGBP"
SHAPE_LETTERS = "cxdsbv"
COLOUR_NAMES = ("red", "orange", "yellow", "green", "blue", "purple")
SHAPE_NAMES = ("circle", "criss-cross", "diamond", "square", "starburst", "clover")
HIDDEN_TILE = "??"

Cell = tuple[int, int]


def tile_name(kind: int) -> str:
    """The two letters of a kind, or ``??`` for -2, an unknown tile.

    >>> tile_name(0), tile_name(35), tile_name(-2)
    ('Rc', 'Pv', '??')
    """
    if kind < 0:
        return HIDDEN_TILE
    return COLOUR_LETTERS[kind // 6] + SHAPE_LETTERS[kind % 6]


def tile_words(kind: int) -> str:
    """The kind in words.

    >>> tile_words(0)
    'red circle'
    """
    return f"{COLOUR_NAMES[kind // 6]} {SHAPE_NAMES[kind % 6]}"


def kind_of(text: str) -> int | None:
    """The kind that a text names, or None. Case, spaces and hyphens don't matter.

    >>> kind_of("Rc"), kind_of("rc"), kind_of("red circle"), kind_of("BlueCrissCross"), kind_of("x")
    (0, 0, 0, 25, None)
    """
    return _KIND_OF.get(re.sub(r"[\s-]", "", text).lower())


def _spellings() -> dict[str, int]:
    texts = {}
    for kind in range(36):
        texts[tile_name(kind).lower()] = kind
        texts[tile_words(kind).replace(" ", "").replace("-", "")] = kind
    return texts


_KIND_OF = _spellings()


def player_name(seat: int) -> str:
    """What a seat is called, counted from 1.

    >>> player_name(0)
    'Player 1'
    """
    return f"Player {seat + 1}"


def cell_name(cell: Cell) -> str:
    """The name of a cell: its column and row from the first tile, growing right and down.

    >>> cell_name((3, -2))
    '3,-2'
    """
    return f"{cell[0]},{cell[1]}"


def grid_of(array: StateArray) -> dict[Cell, int]:
    """The kinds on the grid by cell, in the order of play."""
    count = int(array[layout.COUNT])
    xs, ys = (
        array[layout.XS : layout.XS + count].tolist(),
        array[layout.YS : layout.YS + count].tolist(),
    )
    kinds = (tile - 1 for tile in array[layout.TILES : layout.TILES + count].tolist())
    return dict(zip(zip(xs, ys, strict=True), kinds, strict=True))


def kinds_at(array: StateArray, first: int) -> list[int]:
    """The kinds in the six slots from ``first``; -2 for unknown tiles."""
    return [tile - 1 for tile in array[first : first + layout.HAND].tolist() if tile != 0]


def hand_of(array: StateArray, seat: int) -> list[int]:
    """The kinds in a seat's hand; -2 for unknown tiles."""
    return kinds_at(array, layout.HANDS + layout.HAND * seat)


def tied_seats(array: StateArray) -> list[int]:
    """The seats whose largest sets are equal, where a draw decides or decided who begins."""
    return [seat for seat in range(int(array[layout.SEATS])) if int(array[layout.TIED]) >> seat & 1]
