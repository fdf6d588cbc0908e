"""Flows as text: moves such as ``T1.2@d4``, and states on one line.

A state is a line of words like ``place=1 first=1 tile=T2 board=4/5/2a3/7/6/3k1/4``. The first
word is the stage with the seat to move: ``choose`` a side, ``deal`` tiles, ``draw`` one, ``place``
it, ``follow`` an exchange by placing the tile taken off, or ``over``. Before it is decided who
moves first it is ``lot``, without a seat. The other words are:

| word | meaning |
| --- | --- |
| turn | the side whose turn it is, unless it is the seat's own (R3.2) |
| first | the seat that moved first |
| sides | by seat: its side, ``-`` if it has none yet; only where sides are chosen |
| tile | the tile in the seat's hand, with a ``!`` if everyone knows it because it left the board |
| held | by seat: the tile held, like ``tile``, and ``-`` for none |
| exchanges | how many there were, with supermove=single |
| winners | the seats that won |
| by | how they won: by ``route``, or by ``tile`` if it can't be placed |
| board | the rows from the top: letters for tiles, numbers for runs of empty cells |

The letters ``a`` to ``n`` are the orientations in the order of tiles.py: T0.0, T0.1, T0.2, T1.0 and
so on. An unknown tile is ``??``. Zeros and empty values are left out; ``winners`` and ``by`` follow
from the rest and may be left out. Tiles that are face down aren't written: they are the rest,
unknown ones included. States are checked in validation.py.
"""

from __future__ import annotations

import re

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_index, cell_name, cells, parse_cell
from watermeet.core.notation import (
    compact_row,
    expand_row,
    parse_fields,
    parse_number,
    require_no_more,
    take_stage,
)
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES, SIDES, cell_count
from watermeet.games.flows.names import HIDDEN_TILE, orientation_name, tile_name
from watermeet.games.flows.tiles import (
    EDGES,
    ORIENTATIONS,
    TYPES,
    orientation_number,
)
from watermeet.games.flows.validation import STAGE_WORDS, TURN_STAGES, Setup, build_array

OPEN_MARK = "!"
NONE = "-"
BY_WORDS = ("tile", "route")
ORIENTATION_LETTERS = "abcdefghijklmn"
# No cell has the letters t and x: the largest board ends with k.
_MOVE = re.compile(
    r"(?P<head>[t0-9][t0-9 ./-]*)?(?P<mark>@|x)? ?(?P<cell>[a-su-wyz] ?[0-9]+)"
    r"(?:[ ./-]?(?P<tail>[t0-9].*))?"
)
_ROTATED_TILE = re.compile(
    r"t ?(?P<type>[0-9]{1,2})(?:[ ./-](?P<rotation>[0-9]{1,2}))?"
    r"|(?P<bare_type>[0-9]{1,2})\.(?P<bare_rotation>[0-9]{1,2})"
    r"|(?P<only_rotation>[0-9]{1,2})"
)
_DRAW_OR_SIDE = re.compile(r"(draw|first|side)[: ]?(t?) ?([0-9]{1,2})")
_TILE = re.compile(r"t([0-9])(!?)")


# ---- moves ------------------------------------------------------------------------------------


def _placements(game: Game) -> int:
    """How many actions place a tile; with ``supermove`` as many exchange one."""
    return ORIENTATIONS * cell_count(game.options.number("radius"))


def _first_draw(game: Game) -> int:
    """The action ``draw:T0``; after the draws come first seats, then sides (layout.py)."""
    return _placements(game) * (1 if game.options["supermove"] == "off" else 2)


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The move's text, with the smallest equivalent rotation."""
    number = action - _first_draw(game)
    if number < 0:
        mark = "@" if action < _placements(game) else "x"
        cell, orientation = divmod(action % _placements(game), ORIENTATIONS)
        side = game.options.number("radius") + 1
        return f"{orientation_name(orientation)}{mark}{cell_name(cells(side)[cell], side)}"
    if number < TYPES:
        return f"draw:T{number}"
    number -= TYPES
    return f"first:{number}" if number < layout.MAX_SEATS else f"side:{number - layout.MAX_SEATS}"


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Reads a move: ``t1.2@d4``, ``d4 2``, ``d4 T1``, ``xd4-2``; by default rotation 0."""
    word = re.sub(r" ?([.@:/-]) ?", r"\1", " ".join(text.lower().split()))
    if match := _DRAW_OR_SIDE.fullmatch(word):
        return _parse_draw_or_side(game, text, match)
    move = _MOVE.fullmatch(word)
    if move is None or (move["head"] and move["tail"]):
        raise _not_a_move(game, text)
    is_exchange = move["mark"] == "x"
    if is_exchange and game.options["supermove"] == "off":
        raise InvalidNotation(
            f"{text!r}: tiles can't be exchanged in this match",
            "that needs the option supermove; place the tile, as in 'T1.2@d4'",
        )
    cell = _parse_cell(game, text, move["cell"].replace(" ", ""))
    orientation = _parse_orientation(
        game, array, text, (move["head"] or move["tail"] or "0").strip()
    )
    return layout.placement(cell, orientation) + is_exchange * _placements(game)


def _parse_draw_or_side(game: Game, text: str, match: re.Match[str]) -> int:
    """Outcomes of chance, and sides to take."""
    what, letter, number = match[1], match[2], int(match[3])
    if letter and what != "draw":
        raise _not_a_move(game, text)
    if what == "draw":
        return _first_draw(game) + _checked_type(text, number)
    highest = (layout.MAX_SEATS if what == "first" else SIDES) - 1
    if number > highest:
        name = "seat" if what == "first" else "side"
        raise InvalidNotation(
            f"{text!r}: there is no {name} {number}", f"{name}s are 0 to {highest}"
        )
    return _first_draw(game) + TYPES + number + (layout.MAX_SEATS if what == "side" else 0)


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


def _parse_orientation(game: Game, array: StateArray, text: str, word: str) -> int:
    """The orientation of a tile and its rotation, or of the tile in hand and a rotation alone."""
    match = _ROTATED_TILE.fullmatch(word)
    if match is None:
        raise _not_a_move(game, text)
    rotation = int(match["rotation"] or match["bare_rotation"] or match["only_rotation"] or 0)
    if rotation >= EDGES:
        raise InvalidNotation(
            f"{text!r}: there is no rotation {rotation}", f"rotations are 0 to {EDGES - 1}"
        )
    if match["only_rotation"] is None:
        return orientation_number(
            _checked_type(text, int(match["type"] or match["bare_type"])), rotation
        )
    if array[layout.TILE] in (layout.NO_TILE, layout.UNKNOWN):
        raise InvalidNotation(
            f"{text!r}: the tile in hand isn't known here", "name it, as in 'T1.2@d4'"
        )
    return orientation_number(int(array[layout.TILE]) - 1, rotation)


def _checked_type(text: str, kind: int) -> int:
    if kind >= TYPES:
        raise InvalidNotation(
            f"{text!r}: there is no tile T{kind}", f"types are T0 to T{TYPES - 1}"
        )
    return kind


def _not_a_move(game: Game, text: str) -> InvalidNotation:
    exchange = "" if game.options["supermove"] == "off" else "exchange one with 'T1.2xd4'; "
    return InvalidNotation(
        f"{text!r} isn't a move",
        "place a tile with 'T1.2@d4' (type, rotation, cell), or the tile in hand with 'd4 2'; "
        f"{exchange}take a side with 'side:3'; chance is 'draw:T1' and 'first:0'",
    )


# ---- states, written --------------------------------------------------------------------------


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line; an unknown tile is ``??``."""
    stage, mover = int(array[layout.STAGE]), int(array[layout.MOVER])
    if stage == layout.LOT:
        return STAGE_WORDS[layout.LOT]
    seats = range(game.seats)
    words = [f"{STAGE_WORDS[stage]}={mover}"]
    if stage in TURN_STAGES and array[layout.TURN_SIDE] != array[layout.SIDE_OF + mover] - 1:
        words.append(f"turn={int(array[layout.TURN_SIDE])}")
    if array[layout.FIRST]:
        words.append(f"first={int(array[layout.FIRST])}")
    sides = [int(array[layout.SIDE_OF + seat]) for seat in seats]
    if array[layout.SIDES_OPTION] == layout.CHOSEN and any(sides):
        words.append(f"sides={'/'.join(str(side - 1) if side else NONE for side in sides)}")
    if array[layout.TILE]:
        words.append(f"tile={_format_tile(array, layout.TILE, layout.TILE_OPEN)}")
    if any(array[layout.HELD + seat] for seat in seats):
        held = (_format_tile(array, layout.HELD + seat, layout.HELD_OPEN + seat) for seat in seats)
        words.append(f"held={'/'.join(held)}")
    if array[layout.EXCHANGES]:
        words.append(f"exchanges={int(array[layout.EXCHANGES])}")
    if stage == layout.FINISHED:
        winners = (
            seat for seat in seats if array[layout.WINNERS] >> ((sides[seat] - 1) % AXES) & 1
        )
        words += [
            f"winners={'/'.join(map(str, winners))}",
            f"by={BY_WORDS[int(array[layout.BY_ROUTE])]}",
        ]
    if array[layout.CELLS : layout.CELLS + cell_count(game.options.number("radius"))].any():
        words.append(f"board={'/'.join(_format_rows(game, array))}")
    return " ".join(words)


def _format_tile(array: StateArray, place: int, open_place: int) -> str:
    name = tile_name(int(array[place]))
    return NONE if name is None else name + OPEN_MARK * int(array[open_place])


def _row_lengths(game: Game) -> list[int]:
    radius = game.options.number("radius")
    return [2 * radius + 1 - abs(row - radius) for row in range(2 * radius + 1)]


def _format_rows(game: Game, array: StateArray) -> list[str]:
    rows, first = [], layout.CELLS
    for length in _row_lengths(game):
        row = array[first : first + length].tolist()
        letters = "".join(ORIENTATION_LETTERS[cell - 1] if cell else "." for cell in row)
        rows.append(compact_row(letters))
        first += length
    return rows


# ---- states, read -----------------------------------------------------------------------------


def parse_state(game: Game, text: str) -> StateArray:
    """The array of a state's text; ``game.parse`` rebuilds the cache."""
    return build_array(game, _parse_words(game, text))


def _parse_words(game: Game, text: str) -> Setup:
    """Parses the words; raises ValueError with a hint."""
    values = parse_fields(text, flags=(STAGE_WORDS[layout.LOT],))  # It names no seat.
    hint = f"write 'lot', or one of {', '.join(STAGE_WORDS[1:])} with a seat, as in 'place=0'"
    stage, mover = take_stage(values, STAGE_WORDS, hint)
    tile, tile_open = _parse_tile(values.pop("tile", NONE))
    held = [_parse_tile(each) for each in _parse_list(game, values, "held")]
    setup = Setup(
        stage=stage,
        mover=parse_number(mover),
        first=parse_number(values.pop("first", "0")),
        turn=_parse_turn(values.pop("turn", None)),
        tile=tile,
        tile_open=tile_open,
        held=[each for each, _ in held],
        held_open=[is_open for _, is_open in held],
        sides=[_parse_side(each) for each in _parse_list(game, values, "sides")],
        exchanges=parse_number(values.pop("exchanges", "0")),
        winners=_parse_winners(values.pop("winners", None)),
        by_route=_parse_by(values.pop("by", None)),
        cells=_parse_rows(game, values.pop("board", None)),
    )
    require_no_more(values)
    return setup


def _parse_list(game: Game, values: dict[str, str], name: str) -> list[str]:
    """A word's entries, one for each seat."""
    entries = values.pop(name, "/".join(NONE * game.seats)).split("/")
    if len(entries) != game.seats:
        raise ValueError(f"{name!r} has {len(entries)} entries, but there are {game.seats} seats")
    return entries


def _parse_tile(text: str) -> tuple[int, bool]:
    """A tile, encoded as in the array, and whether everyone has seen it."""
    if text in (NONE, HIDDEN_TILE):
        return (layout.NO_TILE if text == NONE else layout.UNKNOWN), False
    match = _TILE.fullmatch(text)
    if match is None or int(match[1]) >= TYPES:
        raise ValueError(
            f"{text!r} isn't a tile: T0 to T{TYPES - 1}, followed by {OPEN_MARK!r} if it came "
            f"from the board, or {HIDDEN_TILE!r} if it is unknown"
        )
    return 1 + int(match[1]), bool(match[2])


def _parse_side(text: str) -> int | None:
    return None if text == NONE else _parse_turn(text)


def _parse_turn(text: str | None) -> int | None:
    side = None if text is None else parse_number(text)
    if side is not None and side >= SIDES:
        raise ValueError(f"there is no side {side}; sides are 0 to {SIDES - 1}")
    return side


def _parse_winners(text: str | None) -> list[int] | None:
    return None if text is None else sorted(parse_number(seat) for seat in text.split("/"))


def _parse_by(text: str | None) -> bool | None:
    if text is not None and text not in BY_WORDS:
        raise ValueError(f"a match is won by 'tile' or by 'route', not by {text!r}")
    return None if text is None else bool(BY_WORDS.index(text))


def _parse_rows(game: Game, text: str | None) -> list[int]:
    """The cells, encoded as in the array; a dot is read as one empty cell."""
    lengths = _row_lengths(game)
    if text is None:
        return [0] * sum(lengths)
    rows = text.split("/")
    if len(rows) != len(lengths):
        raise ValueError(f"there are {len(rows)} rows instead of {len(lengths)}")
    found: list[int] = []
    for number, (row, length) in enumerate(zip(rows, lengths, strict=True), 1):
        if not re.fullmatch(r"[a-n0-9.]*", row):
            raise ValueError(
                f"row {number}, {row!r}, must have letters a to n for tiles and numbers for runs "
                "of empty cells"
            )
        letters = expand_row(row, length)
        if len(letters) != length:
            raise ValueError(f"row {number}, {row!r}, is {len(letters)} cells long, not {length}")
        found += (1 + ORIENTATION_LETTERS.find(letter) for letter in letters)
    return found
