"""States for the tests of Flecks, from the names of cells alone."""

from __future__ import annotations

import watermeet as wm
from watermeet.core.hexgrid import parse_cell
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import BLUE, RED, offset_of

COLOURS = {"r": RED, "b": BLUE}
SKIP_ON_5 = "i5 g4 h5 g5 i4 stop g6 stop h6 stop g7 stop i3 stop h3 stop h4 stop i2 stop"
"""Blue has shut Red in at the right corner, and moves again."""
SKIP_ON_9 = "q9 o8 p9 o9 q8 o10 p10 o11 q7 p7 p8 q6"
"""The same, by the last opening stone."""


def flecks(size: int = 5, **options: bool | str) -> wm.Game:
    return wm.game("flecks", size=size, **options)


def offset(name: str, side: int) -> int:
    cell = parse_cell(name, side)
    assert cell is not None, name
    return offset_of(cell, side)


def position(
    red: str,
    blue: str = "",
    *,
    turn: str = "r",
    last: str = "",
    size: int = 5,
    **options: bool | str,
) -> wm.State:
    """A state of the second phase with any stones; ``last`` has just been added."""
    game = flecks(size, **options)
    array = game.start().array.copy()
    for colour, names in ((RED, red), (BLUE, blue)):
        for name in names.split():
            array[offset(name, size)] = colour
    array[layout.OPENING] = 0
    array[layout.COLOUR] = COLOURS[turn]
    array[layout.LAST] = offset(last, size) if last else 0
    return wm.State(game, array)


def stones(state: wm.State, seat: int) -> set[str]:
    """The cells that hold a seat's stones."""
    letter = "rb"[seat]
    return {cell["name"] for cell in state.view(None)["board"]["cells"] if cell["stone"] == letter}


def row_moves(state: wm.State) -> set[str]:
    return {move for move in state.legal_moves if "-" in move}


def placements(state: wm.State) -> set[str]:
    return {move for move in state.legal_moves if "-" not in move and move != "stop"}
