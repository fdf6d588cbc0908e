"""Flecks as text: moves such as ``e5``, ``e5-ne2`` and ``stop``, and states on one line.

A stone is the name of its cell; a row move is the name of its rear stone, the direction, and how
many steps it goes. A state is three words: the rows from the top, set apart by ``/``, with ``r``
and ``b`` for stones and numbers for runs of free cells; the colour whose turn it is, or that won;
and what is due: ``add`` a stone, ``move@e5`` a row (or stop) after a stone on e5, or nothing, as
it has ``won``. Where a turn may be a row move alone, ``add`` is followed by the number of turns in
succession that were, if there were any. A dot is read as one free cell: ``..r..`` is ``2r2``.
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
from watermeet.core.words import long_row, short_row
from watermeet.games.flecks import rules
from watermeet.games.flecks.board import BLUE, CELLS, FREE, RED, place_of, places, stride
from watermeet.games.flecks.rules import COLOUR, IDLE, LAST, OPENING, SIDE, WINNER

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
    """What an action moves; None if it is a stone or the stop."""
    number = action - rules.cell_count(side)
    if number < 0 or action == rules.stop_action(side):
        return None
    row, steps = divmod(number, side - 1)
    return cells(side)[row // 6], row % 6, steps + 1


def row_action(side: int, move: RowMove) -> int:
    """The action of a row move; the cell and the steps must be possible on the board."""
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
    """Reads what people type: ``E5 NE 2``, ``e5ne2``, ``e5>g3``; without a number, one step."""
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
        f"a stone is the name of its cell, as in 'a{side}' (letters a-{last}, numbers "
        f"1-{2 * side - 1}, without the corners); a row move is 'a{side}-ne2'; else it is {STOP!r}"
    )
    if re.fullmatch(r"[a-z][0-9]+", name):
        raise InvalidNotation(f"{text!r}: there is no cell {name!r} on a board of {side}", hint)
    raise InvalidNotation(f"{text!r} is no move", hint)


def _parse_target(side: int, text: str, rear_name: str, target_name: str) -> int:
    rear, target = _parse_cell(side, text, rear_name), _parse_cell(side, text, target_name)
    dq, dr = target[0] - rear[0], target[1] - rear[1]
    steps = ring((dq, dr))
    for direction, (q, r) in enumerate(DIRECTIONS):
        if steps and (dq, dr) == (steps * q, steps * r):
            return _row_action(side, text, rear, direction, steps)
    raise InvalidNotation(
        f"{text!r}: {target_name} lies in none of the six directions from {rear_name}",
        "a row moves along itself; name its rear stone and where that goes",
    )


def _row_action(side: int, text: str, rear: Cell, direction: int, steps: int) -> int:
    if not 1 <= steps < side:
        raise InvalidNotation(
            f"{text!r}: no row moves {steps} steps on a board of {side}",
            f"it moves 1 to {side - 1} steps, and none farther than it is long",
        )
    return row_action(side, (rear, direction, steps))


# ---- states -----------------------------------------------------------------------------------


def stone_at(array: StateArray, cell: Cell) -> int:
    """What lies on a cell of the board: FREE, RED or BLUE."""
    return int(array[place_of(cell, int(array[SIDE]))])


def cell_at(side: int, place: int) -> Cell:
    """The cell of a place in the array."""
    row, column = divmod(place - CELLS, stride(side))
    return column - side, row - side


def stones_at(array: StateArray) -> list[int]:
    """What lies on all cells of the board, by their numbers."""
    stones: list[int] = array[places(int(array[SIDE]))].tolist()
    return stones


def stones_of(array: StateArray, colour: int) -> list[Cell]:
    """The cells with stones of a colour."""
    on_board = zip(cells(int(array[SIDE])), stones_at(array), strict=True)
    return [cell for cell, stone in on_board if stone == colour]


def board_rows(array: StateArray) -> list[list[int]]:
    """What lies on the cells, row by row from the top, each from the left."""
    side = int(array[SIDE])
    rows: list[list[int]] = [[] for _ in range(2 * side - 1)]
    for cell, stone in zip(cells(side), stones_at(array), strict=True):
        rows[cell[1] + side - 1].append(stone)
    return rows


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line."""
    side = game.options.number("size")
    rows = "/".join(_format_row(row) for row in board_rows(array))
    due = "add"
    if array[WINNER] != FREE:
        due = "won"
    elif array[LAST] != 0:
        due = f"move@{cell_name(cell_at(side, int(array[LAST])), side)}"
    elif array[IDLE] != 0:
        due = f"add {int(array[IDLE])}"
    return f"{rows} {_LETTER_OF[int(array[COLOUR])]} {due}"


def _format_row(row: list[int]) -> str:
    letters = "".join(_LETTER_OF.get(stone, ".") for stone in row)
    return short_row(letters)


def parse_state(game: Game, text: str) -> StateArray:
    """The array of a state's text; refuses what no match can lead to as far as kernels care."""
    match = _STATE.fullmatch(" ".join(text.split()).lower())
    if match is None:
        raise _no_state(game, text, "write rows/rows, r or b, and add, move@CELL or won")
    array = _parse_rows(game, text, match[1])
    array[COLOUR] = _STONES[match[2]]
    counts = {colour: len(stones_of(array, colour)) for colour in (RED, BLUE)}
    array[OPENING] = max(0, int(array[OPENING]) - sum(counts.values()))
    if match[6]:
        array[WINNER] = array[COLOUR]
    if match[5]:
        array[LAST] = _parse_last(game, text, array, match[5])
    array[IDLE] = int(match[4] or 0)
    if array[OPENING] > 0:
        _check_opening(game, text, array)
    else:
        _check_counts(game, text, array, counts)
        _check_idle(game, text, array)
        _check_connections(game, text, array)
        _check_turn(game, text, array)
    return array


def _parse_rows(game: Game, text: str, written: str) -> StateArray:
    """An array with the stones on the board and all else as at the start."""
    side = game.options.number("size")
    rows = written.split("/")
    if len(rows) != 2 * side - 1:
        raise _no_state(game, text, f"there are {len(rows)} rows and must be {2 * side - 1}")
    array = game.start_array()
    stones: list[int] = []
    for height, row in enumerate(rows):
        length = 2 * side - 1 - abs(height - side + 1)
        found = [_STONES[letter] for letter in long_row(row, length)]
        if len(found) != length:
            raise _no_state(
                game, text, f"row {height + 1}, {row!r}, is {len(found)} cells long, not {length}"
            )
        stones += found
    for cell, stone in zip(cells(side), stones, strict=True):
        array[place_of(cell, side)] = stone
    return array


def _parse_last(game: Game, text: str, array: StateArray, name: str) -> int:
    """The place of the stone just added, which was added beside another."""
    side = game.options.number("size")
    cell = parse_cell(name, side)
    colour = int(array[COLOUR])
    if cell is None or stone_at(array, cell) != colour:
        raise _no_state(game, text, f"{name!r} must hold a stone of the colour whose turn it is")
    place = place_of(cell, side)
    if not rules.touches(array, place, colour):
        raise _no_state(game, text, f"the stone on {name!r} must touch another of its colour")
    return place


def _check_opening(game: Game, text: str, array: StateArray) -> None:
    """Stones are added in turns, nothing moves, and one of the red ones lies on the rim."""
    red, blue = stones_of(array, RED), stones_of(array, BLUE)
    if array[LAST] or array[IDLE] or array[WINNER]:
        raise _no_state(game, text, "with so few stones a stone is due, so write add at the end")
    if len(red) - len(blue) != int(array[COLOUR] == BLUE):
        raise _no_state(game, text, "in the opening Red and Blue add stones in turns, Red first")
    side = game.options.number("size")
    if red and all(ring(cell) < side - 1 for cell in red):
        raise _no_state(game, text, "the first red stone lies on the rim, and none has moved yet")


def _check_counts(game: Game, text: str, array: StateArray, counts: dict[int, int]) -> None:
    """Each colour has its opening stones, and the one just added comes on top."""
    each = game.options.number("size") - 3
    for colour, count in counts.items():
        needed = each + int(array[LAST] != 0 and array[COLOUR] == colour)
        if count < needed:
            letter = _LETTER_OF[colour]
            raise _no_state(game, text, f"{count} stones {letter!r} are too few, at least {needed}")


def _check_idle(game: Game, text: str, array: StateArray) -> None:
    """Turns without a stone are counted only where they are allowed, and only so far."""
    highest = 0 if game.options["must_place"] else game.options.number("size")
    if array[IDLE] > highest:
        raise _no_state(game, text, f"the number behind add must be at most {highest}")


def _check_connections(game: Game, text: str, array: StateArray) -> None:
    """Whoever is connected has won, unless the turn goes on and only its end counts (R7.4)."""
    winner, mover = int(array[WINNER]), int(array[COLOUR])
    may_wait = bool(game.options["win_at_end_only"]) and array[LAST] != 0
    for colour, letter in _LETTER_OF.items():
        connected = rules.is_connected(array, colour)
        if connected and winner != colour and not (may_wait and colour == mover):
            raise _no_state(game, text, f"{letter!r} is connected, so write '{letter} won'")
        if winner == colour and not connected:
            raise _no_state(game, text, f"{letter!r} is not connected, so nobody has won yet")


def _check_turn(game: Game, text: str, array: StateArray) -> None:
    """Who cannot add a stone has no turn (R4.4)."""
    if array[WINNER] or array[LAST] or rules.can_add(array, int(array[COLOUR])):
        return
    other = RED + BLUE - int(array[COLOUR])
    raise _no_state(
        game,
        text,
        f"{_LETTER_OF[int(array[COLOUR])]!r} cannot add a stone and is skipped, "
        f"so write {_LETTER_OF[other]!r}",
    )


def _no_state(game: Game, text: str, hint: str) -> InvalidNotation:
    return InvalidNotation(f"{text!r} is no state of {game.describe()}", hint)
