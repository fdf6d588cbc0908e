"""Flows as text: moves such as ``T1.2@d4``, and states on one line.

A state is a line of words like ``place=1 first=1 tile=T2 board=4/5/2a3/7/6/3k1/4``. The first
word says what comes next, with the seat that it is about: ``choose`` a side, ``deal`` tiles,
``draw`` one, ``place`` it, ``follow`` an exchange by laying the tile taken off, or nothing, as it
is ``over``; before the lot it is ``lot`` alone. The other words are:

| word | what |
| --- | --- |
| turn | the side whose turn it is, if that is not the seat's own (R3.2) |
| first | the seat that began |
| sides | by seat: its side, ``-`` if it has none yet; only where sides are chosen |
| tile | the tile in the seat's hand; ``!`` follows if it came from the board, so that all know it |
| held | by seat: the tile held, as ``tile``, and ``-`` for none |
| exchanges | how many there were, with supermove=single |
| winners | the seats that have won |
| by | how they have: ``route`` or ``tile``, one that cannot be laid |
| board | the rows from the top: letters for tiles, numbers for runs of empty cells |

The letters ``a`` to ``n`` are the fillings in the order of tiles.py: T0.0, T0.1, T0.2, T1.0 and so
on. A tile that is not known is ``??``. What is zero or empty is left out; ``winners`` and ``by``
follow from the rest and need not be written. The tiles that are face down are not written: they are
the rest, and unknown ones are counted among them. How states are checked is in validation.py.
"""

from __future__ import annotations

import re

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_index, cell_name, cells, parse_cell
from watermeet.core.words import long_row, read_words, short_row
from watermeet.games.flows.board import AXES, SIDES, cell_count
from watermeet.games.flows.layout import (
    BY_ROUTE,
    CELLS,
    CHOSEN,
    EXCHANGES,
    FINISHED,
    FIRST,
    HELD,
    HELD_OPEN,
    LOT,
    MOST_SEATS,
    MOVER,
    NO_TILE,
    SIDE_OF,
    SIDES_OPTION,
    STAGE,
    TILE,
    TILE_OPEN,
    TURN_SIDE,
    UNKNOWN,
    WINNERS,
)
from watermeet.games.flows.names import HIDDEN_TILE, filling_name, tile_name
from watermeet.games.flows.tiles import (
    EDGES,
    FILLINGS,
    TYPES,
    filling_number,
)
from watermeet.games.flows.validation import STAGE_WORDS, TURN_STAGES, Setup, array_of

OPEN_MARK = "!"
NONE = "-"
BY_WORDS = ("tile", "route")
FILLING_LETTERS = "abcdefghijklmn"
# No cell has the letters t and x: the largest board ends with k.
_MOVE = re.compile(
    r"(?P<head>[t0-9][t0-9 ./-]*)?(?P<mark>@|x)? ?(?P<cell>[a-su-wyz] ?[0-9]+)"
    r"(?:[ ./-]?(?P<tail>[t0-9].*))?"
)
_TURNED_TILE = re.compile(
    r"t ?(?P<type>[0-9]{1,2})(?:[ ./-](?P<turns>[0-9]{1,2}))?"
    r"|(?P<bare_type>[0-9]{1,2})\.(?P<bare_turns>[0-9]{1,2})"
    r"|(?P<only_turns>[0-9]{1,2})"
)
_LOT = re.compile(r"(draw|first|side)[: ]?(t?) ?([0-9]{1,2})")
_TILE = re.compile(r"t([0-9])(!?)")


# ---- moves ------------------------------------------------------------------------------------


def _placements(game: Game) -> int:
    """How many actions lay a tile; with ``supermove`` as many exchange one."""
    return FILLINGS * cell_count(game.options.number("radius"))


def _first_draw(game: Game) -> int:
    """The action ``draw:T0``; behind the draws come the lots, then the sides (layout.py)."""
    return _placements(game) * (1 if game.options["supermove"] == "off" else 2)


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The move's text, with the smallest turn that does it."""
    number = action - _first_draw(game)
    if number < 0:
        mark = "@" if action < _placements(game) else "x"
        cell, filling = divmod(action % _placements(game), FILLINGS)
        side = game.options.number("radius") + 1
        return f"{filling_name(filling)}{mark}{cell_name(cells(side)[cell], side)}"
    if number < TYPES:
        return f"draw:T{number}"
    number -= TYPES
    return f"first:{number}" if number < MOST_SEATS else f"side:{number - MOST_SEATS}"


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Reads what people type: ``t1.2@d4``, ``d4 2``, ``d4 T1``, ``xd4-2``; turn 0 by default."""
    word = re.sub(r" ?([.@:/-]) ?", r"\1", " ".join(text.lower().split()))
    if match := _LOT.fullmatch(word):
        return _parse_lot(game, text, match)
    move = _MOVE.fullmatch(word)
    if move is None or (move["head"] and move["tail"]):
        raise _no_move(game, text)
    is_exchange = move["mark"] == "x"
    if is_exchange and game.options["supermove"] == "off":
        raise InvalidNotation(
            f"{text!r}: no tile is exchanged here",
            "that is for matches with the option supermove; lay the tile, as in 'T1.2@d4'",
        )
    cell = _parse_cell(game, text, move["cell"].replace(" ", ""))
    filling = _parse_filling(game, array, text, (move["head"] or move["tail"] or "0").strip())
    return FILLINGS * cell + filling + is_exchange * _placements(game)


def _parse_lot(game: Game, text: str, match: re.Match[str]) -> int:
    """What chance draws, and sides to take."""
    what, letter, number = match[1], match[2], int(match[3])
    if letter and what != "draw":
        raise _no_move(game, text)
    if what == "draw":
        return _first_draw(game) + _checked_type(text, number)
    highest = (MOST_SEATS if what == "first" else SIDES) - 1
    if number > highest:
        name = "seat" if what == "first" else "side"
        raise InvalidNotation(
            f"{text!r}: there is no {name} {number}", f"{name}s are 0 to {highest}"
        )
    return _first_draw(game) + TYPES + number + (MOST_SEATS if what == "side" else 0)


def _parse_cell(game: Game, text: str, name: str) -> int:
    side = game.options.number("radius") + 1
    cell = parse_cell(name, side)
    number = None if cell is None else cell_index(cell, side)
    if number is not None:
        return number
    names = [cell_name(each, side) for each in cells(side)]
    row = [each[0] for each in names if each[1:] == name[1:]]
    where = f"; row {name[1:]} has the letters {row[0]} to {row[-1]}" if row else ""
    raise InvalidNotation(
        f"{text!r}: there is no cell {name!r}",
        f"letters are a to {max(names)[0]}, rows 1 to {2 * side - 1}{where}",
    )


def _parse_filling(game: Game, array: StateArray, text: str, word: str) -> int:
    """The filling of a tile with its turns, or of the tile in hand with turns alone."""
    match = _TURNED_TILE.fullmatch(word)
    if match is None:
        raise _no_move(game, text)
    turns = int(match["turns"] or match["bare_turns"] or match["only_turns"] or 0)
    if turns >= EDGES:
        raise InvalidNotation(
            f"{text!r}: a tile cannot be turned {turns} times", f"turns are 0 to {EDGES - 1}"
        )
    if match["only_turns"] is None:
        return filling_number(_checked_type(text, int(match["type"] or match["bare_type"])), turns)
    if array[TILE] in (NO_TILE, UNKNOWN):
        raise InvalidNotation(
            f"{text!r}: it is not known here which tile is in hand", "name it, as in 'T1.2@d4'"
        )
    return filling_number(int(array[TILE]) - 1, turns)


def _checked_type(text: str, kind: int) -> int:
    if kind >= TYPES:
        raise InvalidNotation(
            f"{text!r}: there is no tile T{kind}", f"types are T0 to T{TYPES - 1}"
        )
    return kind


def _no_move(game: Game, text: str) -> InvalidNotation:
    exchange = "" if game.options["supermove"] == "off" else "exchange it for one by 'T1.2xd4'; "
    return InvalidNotation(
        f"{text!r} is no move",
        "lay a tile by 'T1.2@d4' (type, how often it is turned, cell), or by 'd4 2' if it is in "
        f"hand; {exchange}take a side by 'side:3'; chance is 'draw:T1' and 'first:0'",
    )


# ---- states, written --------------------------------------------------------------------------


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line; a tile that is not known is ``??``."""
    stage, mover = int(array[STAGE]), int(array[MOVER])
    if stage == LOT:
        return STAGE_WORDS[LOT]
    seats = range(game.seats)
    words = [f"{STAGE_WORDS[stage]}={mover}"]
    if stage in TURN_STAGES and array[TURN_SIDE] != array[SIDE_OF + mover] - 1:
        words.append(f"turn={int(array[TURN_SIDE])}")
    if array[FIRST]:
        words.append(f"first={int(array[FIRST])}")
    sides = [int(array[SIDE_OF + seat]) for seat in seats]
    if array[SIDES_OPTION] == CHOSEN and any(sides):
        words.append(f"sides={'/'.join(str(side - 1) if side else NONE for side in sides)}")
    if array[TILE]:
        words.append(f"tile={_format_tile(array, TILE, TILE_OPEN)}")
    if any(array[HELD + seat] for seat in seats):
        held = (_format_tile(array, HELD + seat, HELD_OPEN + seat) for seat in seats)
        words.append(f"held={'/'.join(held)}")
    if array[EXCHANGES]:
        words.append(f"exchanges={int(array[EXCHANGES])}")
    if stage == FINISHED:
        winners = (seat for seat in seats if array[WINNERS] >> ((sides[seat] - 1) % AXES) & 1)
        words += [f"winners={'/'.join(map(str, winners))}", f"by={BY_WORDS[int(array[BY_ROUTE])]}"]
    if array[CELLS : CELLS + cell_count(game.options.number("radius"))].any():
        words.append(f"board={'/'.join(_format_rows(game, array))}")
    return " ".join(words)


def _format_tile(array: StateArray, place: int, open_place: int) -> str:
    name = tile_name(int(array[place]))
    return NONE if name is None else name + OPEN_MARK * int(array[open_place])


def _row_lengths(game: Game) -> list[int]:
    radius = game.options.number("radius")
    return [2 * radius + 1 - abs(row - radius) for row in range(2 * radius + 1)]


def _format_rows(game: Game, array: StateArray) -> list[str]:
    rows, first = [], CELLS
    for length in _row_lengths(game):
        row = array[first : first + length].tolist()
        letters = "".join(FILLING_LETTERS[cell - 1] if cell else "." for cell in row)
        rows.append(short_row(letters))
        first += length
    return rows


# ---- states, read -----------------------------------------------------------------------------


def parse_state(game: Game, text: str) -> StateArray:
    """The array of a state's text; ``game.parse`` adds the memo."""
    try:
        return array_of(game, _parse_words(game, text))
    except ValueError as error:
        raise InvalidNotation(f"{text!r} is no state of {game.describe()}", str(error)) from None


def _parse_words(game: Game, text: str) -> Setup:
    """What the words say; raises ValueError with what would do."""
    values = read_words(text, alone=(STAGE_WORDS[LOT],))  # The lot is about no seat.
    stages = [name for name in STAGE_WORDS if name in values]
    if len(stages) != 1:
        raise ValueError(
            f"write 'lot', or one of {', '.join(STAGE_WORDS[1:])} with a seat, as in 'place=0'"
        )
    tile, tile_open = _parse_tile(values.pop("tile", NONE))
    held = [_parse_tile(each) for each in _parse_list(game, values, "held")]
    setup = Setup(
        stage=STAGE_WORDS.index(stages[0]),
        mover=_parse_number(values.pop(stages[0])),
        first=_parse_number(values.pop("first", "0")),
        turn=_parse_turn(values.pop("turn", None)),
        tile=tile,
        tile_open=tile_open,
        held=[each for each, _ in held],
        held_open=[is_open for _, is_open in held],
        sides=[_parse_side(each) for each in _parse_list(game, values, "sides")],
        exchanges=_parse_number(values.pop("exchanges", "0")),
        winners=_parse_winners(values.pop("winners", None)),
        by_route=_parse_by(values.pop("by", None)),
        cells=_parse_rows(game, values.pop("board", None)),
    )
    if values:
        raise ValueError(f"{min(values)!r} is no word of a state")
    return setup


def _parse_list(game: Game, values: dict[str, str], name: str) -> list[str]:
    """What a word says of every seat."""
    entries = values.pop(name, "/".join(NONE * game.seats)).split("/")
    if len(entries) != game.seats:
        raise ValueError(f"{name!r} has {len(entries)} entries, and there are {game.seats} seats")
    return entries


def _parse_number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise ValueError(f"{text!r} is no number from 0 to 999")
    return int(text)


def _parse_tile(text: str) -> tuple[int, bool]:
    """A tile as the array holds it, and whether all have seen it."""
    if text in (NONE, HIDDEN_TILE):
        return (NO_TILE if text == NONE else UNKNOWN), False
    match = _TILE.fullmatch(text)
    if match is None or int(match[1]) >= TYPES:
        raise ValueError(
            f"{text!r} is no tile: T0 to T{TYPES - 1}, with {OPEN_MARK!r} behind it if it came "
            f"from the board; {HIDDEN_TILE!r} if it is not known"
        )
    return 1 + int(match[1]), bool(match[2])


def _parse_side(text: str) -> int | None:
    return None if text == NONE else _parse_turn(text)


def _parse_turn(text: str | None) -> int | None:
    side = None if text is None else _parse_number(text)
    if side is not None and side >= SIDES:
        raise ValueError(f"there is no side {side}: sides are 0 to {SIDES - 1}")
    return side


def _parse_winners(text: str | None) -> list[int] | None:
    return None if text is None else sorted(_parse_number(seat) for seat in text.split("/"))


def _parse_by(text: str | None) -> bool | None:
    if text is not None and text not in BY_WORDS:
        raise ValueError(f"a match ends by 'tile' or by 'route', not by {text!r}")
    return None if text is None else bool(BY_WORDS.index(text))


def _parse_rows(game: Game, text: str | None) -> list[int]:
    """The cells as the array holds them; a dot is read as one empty cell."""
    lengths = _row_lengths(game)
    if text is None:
        return [0] * sum(lengths)
    rows = text.split("/")
    if len(rows) != len(lengths):
        raise ValueError(f"there are {len(rows)} rows and must be {len(lengths)}")
    found: list[int] = []
    for number, (row, length) in enumerate(zip(rows, lengths, strict=True), 1):
        if not re.fullmatch(r"[a-n0-9.]*", row):
            raise ValueError(
                f"row {number}, {row!r}, must have letters a to n for tiles and numbers for runs "
                "of empty cells"
            )
        letters = long_row(row, length)
        if len(letters) != length:
            raise ValueError(f"row {number}, {row!r}, is {len(letters)} cells long, not {length}")
        found += (1 + FILLING_LETTERS.find(letter) for letter in letters)
    return found
