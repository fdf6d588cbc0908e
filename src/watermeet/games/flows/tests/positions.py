"""Positions that the tests of Flows share, and queries of states."""

from __future__ import annotations

import random
from collections import Counter

import watermeet as wm
from watermeet.core.hexgrid import cell_index, parse_cell
from watermeet.core.options import Value
from watermeet.games.flows import layout
from watermeet.games.flows.notation import ORIENTATION_LETTERS
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tiles import ORIENTATION_TYPES, TYPES

# ---- named positions --------------------------------------------------------------------------

ZIGZAG = ("b7", "c6", "c5", "d4", "d3", "e2", "e1")
"""With T0.0 on all these cells a strand runs from side 0 to side 3."""
COLUMN = ("d1", "d2", "d3", "d5", "d6", "d7")
"""With T2.1 on these and on d4, side 0 is connected, and nothing gets past from left to right."""
WALL = ("a4", "b4", "c4", "e4", "f4", "g4")
"""T1.0 on these and on d4 is a wall between bottom and top."""

UNPLAYABLE = {
    2: "draw=1 board=c1cd/andnk/fkilim/ldnbcin/cllbnl/cee1n/klic",
    3: "draw=2 board=fjbm/ehnlk/mkfdnj/kjgj1bc/gj1jga/iaamn/cbbm",
    4: "draw=3 board=gmlc/leblm/1cmnle/lnnf1jb/jnndgf/jcfmd/ebbk",
    5: "draw=2 turn=5 board=fjbm/ehnlk/mkfdnj/kjgj1bc/gj1jga/iaamn/cbbm",
    6: "draw=0 board=fjbm/ehnlk/mkfdnj/kjgj1bc/gj1jga/iaamn/cbbm",
}
"""By number of seats: the next tile drawn may be of a type that can't be placed."""
DEAD_TYPES = {2: "T3", 3: "T3", 4: "T0", 5: "T3", 6: "T3"}

TWO_TEAMS_CONNECT = "ckmc/l1dae/fjehik/enlnmbk/mbibcl/nammc/1nki"  # By T0.0 on a7: axes 0 and 1.
THREE_TEAMS_CONNECT = "kjmm/lamdi/baamak/nlm1ghh/mccdnb/meckn/jfjb"  # By T1.3 on d4.

NARROW = "place=0 tile=T1 board=dn1n/m1kmh/m2fkd/1jb1nmj/ac2a1/mnjk1/a1bk"
"""T1.2 on c5 leaves each of two players a route, but not both at the same time."""

BOARD_ALMOST_FULL = "place=0 tile=T0 board=bdm/gdkn/1lnlb/jfhb/mcm"
"""With radius 2: T0.1 on a3 fills the board, and connects nobody."""

# ---- building ---------------------------------------------------------------------------------


def rows_of(moves: list[str], radius: int = 3) -> str:
    """The text of a board with the tiles of some moves."""
    letters = {move[5:]: ORIENTATION_LETTERS[orientation_of(move)] for move in moves}
    rows = []
    for row in range(1, 2 * radius + 2):
        names = [f"{chr(97 + q)}{row}" for q in range(2 * radius + 1)]
        there = [name for name in names if parse_cell(name, radius + 1) is not None]
        rows.append("".join(letters.get(name, ".") for name in there))
    return "/".join(rows)


def orientation_of(move: str) -> int:
    """The number of the orientation in a move such as T1.2@d4."""
    return list(oracle.ORIENTATIONS).index((int(move[1]), int(move[3])))


def placing(tile: str, moves: list[str], seat: int = 0, **options: Value) -> wm.State:
    """A seat has a tile to lay, after the tiles of some moves were laid."""
    return flows(**options).parse(f"place={seat} tile={tile} board={rows_of(moves)}")


def laid(orientation: str, cells: tuple[str, ...]) -> list[str]:
    """The moves that lay the same orientation on several cells."""
    return [f"{orientation}@{cell}" for cell in cells]


def number_of(name: str, radius: int = 3) -> int:
    """The number of a cell."""
    cell = parse_cell(name, radius + 1)
    assert cell is not None
    number = cell_index(cell, radius + 1)
    assert number is not None
    return number


# ---- queries ----------------------------------------------------------------------------------


def unseen(state: wm.State) -> Counter[str]:
    """The tiles that are face down or hidden, by type."""
    return Counter({f"T{kind}": int(state.array[layout.BAG + kind]) for kind in range(TYPES)})


def tiles_on_board(state: wm.State) -> Counter[str]:
    """The tiles on the board in a state's text, by type."""
    board = state.text.partition("board=")[2]
    letters = (letter for letter in board if letter in ORIENTATION_LETTERS)
    return Counter(f"T{ORIENTATION_TYPES[ORIENTATION_LETTERS.index(letter)]}" for letter in letters)


def hand(state: wm.State) -> str:
    """The type of the tile to lay."""
    return f"T{int(state.array[layout.TILE]) - 1}"


def held(state: wm.State, seat: int) -> str:
    """The type of the tile that a seat holds."""
    return f"T{int(state.array[layout.HELD + seat]) - 1}"


def chances(state: wm.State) -> dict[str, float]:
    """The probabilities of chance outcomes, by their texts."""
    return {state.format(action): chance for action, chance in state.chance_outcomes}


def play_turns(state: wm.State, count: int, rng: random.Random) -> list[wm.State]:
    """The states before each tile is laid, along some random turns."""
    states: list[wm.State] = []
    while len(states) < count and state.to_move != wm.OVER:
        if state.to_move == wm.CHANCE:
            state = state.sample(rng)
        else:
            states.append(state)
            state = state.play(rng.choice(state.legal_actions))
    return states
