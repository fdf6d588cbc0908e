"""Positions that the tests of Flow share, and queries of states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import watermeet as wm
from watermeet.core.contract import StateArray
from watermeet.core.options import Value
from watermeet.core.squaregrid import point_index
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_CELLS, CELL_COUNT, SIZE
from watermeet.games.flow.connectivity import connected_animals
from watermeet.games.flow.names import cell_name
from watermeet.games.flow.shapes import SHAPES
from watermeet.games.flow.state_text import SHAPE_LETTERS
from watermeet.games.flow.tile_sets import KINDS

# ---- named positions: what lies where, as it is laid --------------------------------------------

BOTTOM = ("EW@b1", "EW@c1", "NESW@d1", "EW@e1", "EW@f1", "NS@d2", "NS@d3")
"""Joins the animals at a1 and g1 with the boat."""
TOP = ("EW@b7", "EW@c7", "NESW@d7", "EW@e7", "EW@f7", "NS@d6", "NS@d5")
"""Joins the animals at a7 and g7 with the boat."""
ALMOST = tuple(tile for tile in (*BOTTOM, *TOP) if tile != "NS@d3")
"""A straight on d3 wins."""
BESIDE_ANIMALS = ("a2", "b1", "f1", "g2", "a6", "b7", "f7", "g6")
ALL_CLOSED = tuple(f"X@{cell}" for cell in BESIDE_ANIMALS)
"""Scenario obstacles beside all animals, so that no tile can be laid: with ``obstacles=4``."""
ONE_EXIT_EACH = ("X@a2", "X@f1", "X@a6", "X@f7")
"""Animals have their ways at b1, g2, b7 and g6 left: with ``obstacles=2`` or more."""
ALL_TILES = "s12b14c8o8"
ALL_BUT_ONE = "s11b14c8o8"
LAST = f"hand=0 lay=straight discarded={ALL_BUT_ONE}"
"""The last tile is in hand."""

_SHAPE_OF = {edges: shape for shape, (_, edges) in enumerate(SHAPES)}

# ---- building -----------------------------------------------------------------------------------


def flow(**options: Value) -> wm.Game:
    return wm.game("flow").with_options(**options)


def board(laid: Iterable[str]) -> str:
    """The word for a board on which these lie: ``NE@c4``, ``X@c4``, ``N@c4*`` with a bird."""
    there = {}
    for text in laid:
        edges, _, cell = text.rstrip("*").partition("@")
        letter = "x" if edges == "X" else SHAPE_LETTERS[_SHAPE_OF[edges]]
        there[cell] = letter + "*" * text.count("*")
    rows = [
        "".join(there.get(f"{letter}{row}", ".") for letter in "abcdefg")
        for row in range(SIZE, 0, -1)
    ]
    return f"board={'/'.join(rows)}"


def position(words: str, laid: Iterable[str] = (), **options: Value) -> wm.State:
    """The state of some words, and of what lies on the board."""
    return flow(**options).parse(f"{words} {board(laid)}")


def number_of(name: str) -> int:
    number = point_index(name, SIZE, SIZE)
    assert number is not None
    return number


# ---- queries ------------------------------------------------------------------------------------


def lays(state: wm.State, cell: str = "") -> set[str]:
    """The ways to lay the tile in hand, in one cell or anywhere."""
    return {move for move in state.legal_moves if "@" in move and move.endswith(cell)}


def moves(state: wm.State, word: str) -> set[str]:
    """What may follow a word: the cells of ``support:``, say."""
    head = f"{word}:"
    return {move.removeprefix(head) for move in state.legal_moves if move.startswith(head)}


def lying(state: wm.State) -> set[str]:
    """What lies on the board, as ``board`` reads it."""
    found = set()
    for cell in range(CELL_COUNT):
        has_bird, tile = divmod(int(state.array[layout.CELLS + cell]), layout.BIRD_ON)
        if tile:
            edges = "X" if tile == layout.SCENARIO_TILE else SHAPES[tile - 1][1]
            found.add(f"{edges}@{cell_name(cell)}{'*' * has_bird}")
    return found


def joined(array: StateArray) -> set[str]:
    """The animals that are joined with the boat, by their cells."""
    cells = int(connected_animals(array.copy()))
    return {cell_name(cell) for cell in ANIMAL_CELLS if cells >> cell & 1}


def _tiles(state: wm.State, first: int) -> Counter[str]:
    counts = state.array[first : first + layout.KIND_COUNT].tolist()
    return +Counter(dict(zip(KINDS, counts, strict=True)))


def down(state: wm.State) -> Counter[str]:
    return _tiles(state, layout.FACE_DOWN)


def up(state: wm.State) -> Counter[str]:
    return _tiles(state, layout.FACE_UP)


def discarded(state: wm.State) -> Counter[str]:
    return _tiles(state, layout.DISCARDED)


def _cards(state: wm.State, first: int) -> Counter[str]:
    counts = state.array[first : first + layout.CARD_KINDS].tolist()
    return +Counter(dict(zip(layout.CARD_NAMES, counts, strict=True)))


def pile(state: wm.State) -> Counter[str]:
    return _cards(state, layout.PILE)


def hand(state: wm.State, seat: int) -> Counter[str]:
    return _cards(state, layout.HANDS + layout.CARD_KINDS * seat)


def chances(state: wm.State) -> dict[str, float]:
    return {state.format(action): weight for action, weight in state.chance_outcomes}


def dealt(cards: str, **options: Value) -> wm.State:
    """The state after these cards were dealt, in their order."""
    return flow(**options).start().play_all([f"card:{card}" for card in cards.split()])
