"""Flecks as text: moves such as ``e5``, ``e5-ne2`` and ``stop``, and states on one line.

A stone is written as its cell; a row move as its rear stone, the direction, and the number of
steps. A state is three words: the rows from the top, separated by ``/``, with ``r``
and ``b`` for stones and numbers for runs of free cells; the colour to move, or that won; and what
comes next: ``add`` a stone, ``move@e5`` a row (or stop) after a stone on e5, or ``won``. Where a
turn may be a row move alone, ``add`` is followed by the number of consecutive turns that were, if
any. A dot is read as one free cell: ``..r..`` is ``2r2``.
"""

from __future__ import annotations

import re

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.hexgrid import (
    DIRECTION_NAMES,
    DIRECTIONS,
    Cell,
    cell_index,
    cell_name,
    cells,
    parse_cell,
    ring,
)
from watermeet.core.notation import compact_row, expand_row, require
from watermeet.games.flecks import layout, rules
from watermeet.games.flecks.board import BLUE, FREE, RED, offset_of, offsets, stride

STOP = "stop"
_STOP_WORDS = frozenset({STOP, "s", "end", "skip"})
_DIRECTIONS = {name.lower(): index for index, name in enumerate(DIRECTION_NAMES)}
# Directions are tried before cells, so that e5-e2 is always two steps to the east.
_ROW = re.compile(r"([a-z][0-9]+)[-:]*(ne|nw|se|sw|e|w)-?([0-9]{0,2})")
_TARGET = re.compile(r"([a-z][0-9]+)(?:-+>?|>|to)([a-z][0-9]+)")
_STONES = {"r": RED, "b": BLUE, ".": FREE}
_LETTER_OF = {RED: "r", BLUE: "b"}
_STATE = re.compile(r"([0-9rb./]+) ([rb]) (?:(add)(?: ([0-9]{1,3}))?|move@([a-z][0-9]+)|(won))")

RowMove = tuple[Cell, int, int]
"""The rear cell, the direction, and the steps."""


# ---- moves ------------------------------------------------------------------------------------


def row_move_of(side: int, action: int) -> RowMove | None:
    """The row move that an action stands for; None for a stone or the stop."""
    number = action - rules.cell_count(side)
    if number < 0 or action == rules.stop_action(side):
        return None
    row, steps = divmod(number, side - 1)
    return cells(side)[row // 6], row % 6, steps + 1


def row_action(side: int, move: RowMove) -> int:
    """The action of a row move; the cell and the steps must fit the board."""
    rear, direction, steps = move
    number = cell_index(rear, side)
    assert number is not None, "the rear is a cell of the board"
    return rules.cell_count(side) + (number * 6 + direction) * (side - 1) + steps - 1


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The cell's name, the row move, or ``stop``."""
    side = game.options.number("size")
    if action == rules.stop_action(side):
        return STOP
    move = row_move_of(side, action)
    if move is None:
        return cell_name(cells(side)[action], side)
    rear, direction, steps = move
    return f"{cell_name(rear, side)}-{DIRECTION_NAMES[direction].lower()}{steps}"


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Parse what people type: ``E5 NE 2``, ``e5ne2``, ``e5>g3``; without a number, one step."""
    side = game.options.number("size")
    word = "".join(text.split()).lower()
    if word in _STOP_WORDS:
        return rules.stop_action(side)
    if match := _ROW.fullmatch(word):
        rear = _parse_cell(side, text, match[1])
        return _row_action(side, text, rear, _DIRECTIONS[match[2]], int(match[3] or 1))
    if match := _TARGET.fullmatch(word):
        return _parse_target(side, text, match[1], match[2])
    number = cell_index(_parse_cell(side, text, word), side)
    assert number is not None, "a parsed cell is on the board"
    return number


def _parse_cell(side: int, text: str, name: str) -> Cell:
    cell = parse_cell(name, side)
    if cell is not None:
        return cell
    last = cell_name((side - 1, 0), side)[0]
    hint = (
        f"write a stone as its cell, such as 'a{side}' (letters a-{last}, numbers "
        f"1-{2 * side - 1}, without the corners), a row move as 'a{side}-ne2', or {STOP!r}"
    )
    if re.fullmatch(r"[a-z][0-9]+", name):
        raise InvalidNotation(f"{text!r}: a board of side {side} has no cell {name!r}", hint)
    raise InvalidNotation(f"{text!r} isn't a move", hint)


def _parse_target(side: int, text: str, rear_name: str, target_name: str) -> int:
    rear, target = _parse_cell(side, text, rear_name), _parse_cell(side, text, target_name)
    dq, dr = target[0] - rear[0], target[1] - rear[1]
    steps = ring((dq, dr))
    for direction, (q, r) in enumerate(DIRECTIONS):
        if steps and (dq, dr) == (steps * q, steps * r):
            return _row_action(side, text, rear, direction, steps)
    raise InvalidNotation(
        f"{text!r}: {target_name} isn't in a straight line from {rear_name}",
        "a row moves along its own line; name its rear stone and where that stone goes",
    )


def _row_action(side: int, text: str, rear: Cell, direction: int, steps: int) -> int:
    if not 1 <= steps < side:
        raise InvalidNotation(
            f"{text!r}: no row can move {steps} steps on a board of side {side}",
            f"a row moves 1 to {side - 1} steps, and at most as many as it has stones",
        )
    return row_action(side, (rear, direction, steps))


# ---- states -----------------------------------------------------------------------------------


def stone_at(array: StateArray, cell: Cell) -> int:
    """The content of a cell: FREE, RED or BLUE."""
    return int(array[offset_of(cell, int(array[layout.SIDE]))])


def cell_at(side: int, offset: int) -> Cell:
    """The cell at an offset."""
    row, column = divmod(offset - layout.CELLS, stride(side))
    return column - side, row - side


def stones_at(array: StateArray) -> list[int]:
    """The contents of all cells, in order of their numbers."""
    stones: list[int] = array[offsets(int(array[layout.SIDE]))].tolist()
    return stones


def stones_of(array: StateArray, colour: int) -> list[Cell]:
    """The cells that hold a colour's stones."""
    on_board = zip(cells(int(array[layout.SIDE])), stones_at(array), strict=True)
    return [cell for cell, stone in on_board if stone == colour]


def board_rows(array: StateArray) -> list[list[int]]:
    """The contents of the cells, row by row from the top, each from the left."""
    side = int(array[layout.SIDE])
    rows: list[list[int]] = [[] for _ in range(2 * side - 1)]
    for cell, stone in zip(cells(side), stones_at(array), strict=True):
        rows[cell[1] + side - 1].append(stone)
    return rows


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line."""
    side = game.options.number("size")
    rows = "/".join(_format_row(row) for row in board_rows(array))
    due = "add"
    if array[layout.WINNER] != FREE:
        due = "won"
    elif array[layout.LAST] != 0:
        due = f"move@{cell_name(cell_at(side, int(array[layout.LAST])), side)}"
    elif array[layout.IDLE] != 0:
        due = f"add {int(array[layout.IDLE])}"
    return f"{rows} {_LETTER_OF[int(array[layout.COLOUR])]} {due}"


def _format_row(row: list[int]) -> str:
    letters = "".join(_LETTER_OF.get(stone, ".") for stone in row)
    return compact_row(letters)


def parse_state(game: Game, text: str) -> StateArray:
    """Parse a state; raise ValueError for positions that the kernels can't handle."""
    match = _STATE.fullmatch(" ".join(text.split()).lower())
    require(match, "write the rows separated by /, then r or b, then add, move@CELL or won")
    assert match is not None
    array = _parse_rows(game, match[1])
    array[layout.COLOUR] = _STONES[match[2]]
    counts = {colour: len(stones_of(array, colour)) for colour in (RED, BLUE)}
    array[layout.OPENING] = max(0, int(array[layout.OPENING]) - sum(counts.values()))
    if match[6]:
        array[layout.WINNER] = array[layout.COLOUR]
    if match[5]:
        array[layout.LAST] = _parse_last(array, match[5])
    array[layout.IDLE] = int(match[4] or 0)
    if array[layout.OPENING] > 0:
        _check_opening(array)
        return array
    _check_counts(array, counts)
    highest = 0 if game.options["must_place"] else game.options.number("size")
    require(array[layout.IDLE] <= highest, f"the number after add must be at most {highest}")
    _check_connections(game, array)
    _check_turn(array)
    return array


def _parse_rows(game: Game, written: str) -> StateArray:
    """A starting state with the stones placed on the board."""
    side = game.options.number("size")
    rows = written.split("/")
    require(len(rows) == 2 * side - 1, f"expected {2 * side - 1} rows, found {len(rows)}")
    array = game.start_array()
    stones: list[int] = []
    for height, row in enumerate(rows):
        length = 2 * side - 1 - abs(height - side + 1)
        found = [_STONES[letter] for letter in expand_row(row, length)]
        hint = f"row {height + 1}, {row!r}, has {len(found)} cells instead of {length}"
        require(len(found) == length, hint)
        stones += found
    for cell, stone in zip(cells(side), stones, strict=True):
        array[offset_of(cell, side)] = stone
    return array


def _parse_last(array: StateArray, name: str) -> int:
    """The offset of the stone just added, which must touch another of its colour."""
    side, colour = int(array[layout.SIDE]), int(array[layout.COLOUR])
    cell = parse_cell(name, side)
    is_own = cell is not None and stone_at(array, cell) == colour
    require(is_own, f"{name!r} must hold a stone of the colour to move")
    assert cell is not None
    offset = offset_of(cell, side)
    touches = rules.touches(array, offset, colour)
    require(touches, f"the stone on {name!r} must touch another of its colour")
    return offset


def _check_opening(array: StateArray) -> None:
    """Check an opening: stones alternate, nothing has moved, and one red stone is on the rim."""
    red, blue = stones_of(array, RED), stones_of(array, BLUE)
    is_due = not (array[layout.LAST] or array[layout.IDLE] or array[layout.WINNER])
    require(is_due, "this is still the opening, so write add at the end")
    alternate = len(red) - len(blue) == int(array[layout.COLOUR] == BLUE)
    require(alternate, "Red and Blue alternate in the opening, and Red goes first")
    on_rim = not red or any(ring(cell) == int(array[layout.SIDE]) - 1 for cell in red)
    require(on_rim, "in the opening one red stone must be on the outer ring")


def _check_counts(array: StateArray, counts: dict[int, int]) -> None:
    """Check that each colour has its opening stones, plus the one just added."""
    for colour, count in counts.items():
        is_added = array[layout.LAST] != 0 and array[layout.COLOUR] == colour
        needed = int(array[layout.SIDE]) - 3 + int(is_added)
        letter = _LETTER_OF[colour]
        require(count >= needed, f"expected at least {needed} stones {letter!r}, found {count}")


def _check_connections(game: Game, array: StateArray) -> None:
    """Check that a connected colour has won, unless only the end of the turn counts (R7.4)."""
    winner, mover = int(array[layout.WINNER]), int(array[layout.COLOUR])
    may_wait = bool(game.options["win_at_end_only"]) and array[layout.LAST] != 0
    for colour, letter in _LETTER_OF.items():
        connected = rules.is_connected(array, colour)
        has_won = winner == colour
        is_fine = not connected or has_won or (may_wait and colour == mover)
        require(is_fine, f"{letter!r} is connected, so write '{letter} won'")
        require(connected or not has_won, f"{letter!r} isn't connected, so nobody has won yet")


def _check_turn(array: StateArray) -> None:
    """Check that the colour to move can add a stone (R4.4)."""
    colour = int(array[layout.COLOUR])
    can_play = array[layout.WINNER] or array[layout.LAST] or rules.can_add(array, colour)
    mover, other = _LETTER_OF[colour], _LETTER_OF[RED + BLUE - colour]
    require(can_play, f"{mover!r} can't add a stone and is skipped, so write {other!r}")
