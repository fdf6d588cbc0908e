"""Qwirkle as text: moves such as ``Rc@3,-2``, and states on one line.

A state is a line of words like ``turn=0 scores=7/3 hands=RcRcOd/BxPv last=1 grid=Rd0,0;Rs1,0``. The
first word says what comes next: ``deal``, ``lot`` (a random draw decides who begins), ``turn``,
``refill`` (drawing after a placement), ``replace`` (drawing in a trade) or ``over``, with the seat.
``grid`` lists the tiles and their cells in the order of play; the last ``laid`` of them were placed
in this turn, and the ``last`` ones before those in the previous turn. Anything zero or empty is
left out. The bag isn't written: it holds the rest of the 108 tiles. validation.py checks states.
"""

from __future__ import annotations

import re

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.notation import (
    parse_fields,
    parse_number,
    require,
    require_no_more,
    take_stage,
)
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.grid import cell_number, cell_x, cell_y
from watermeet.games.qwirkle.names import (
    Cell,
    cell_name,
    grid_of,
    hand_of,
    kind_of,
    kinds_at,
    tied_seats,
    tile_name,
)
from watermeet.games.qwirkle.validation import ParsedState, array_of

STAGE_WORDS = ("deal", "lot", "turn", "refill", "replace", "over")
_NUMBERS = ("laid", "last", "passes", "exchanges")
_MOVE = re.compile(r"(?:(trade|exchange|draw):?)?(.*?)(?:(?:@|\bat\b)(.*))?")
_CELL = re.compile(r"\(?([+-]?[0-9]{1,3})[,;]([+-]?[0-9]{1,3})\)?")
_GRID_TILE = re.compile(r"([a-z]{2})(-?[0-9]{1,3}),(-?[0-9]{1,3})")


# ---- moves ------------------------------------------------------------------------------------


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The text of an action; question marks stand for a tile or cell that doesn't exist."""
    if action < layout.TRADE:
        number, slot = divmod(action, layout.SLOTS)
        cell = cell_at(array, number)
        where = "?" if cell is None else cell_name(cell)
        return f"{_name_at(array, slot)}@{where}"
    if action < layout.END:
        return f"trade:{_name_at(array, action - layout.TRADE)}"
    if action < layout.DRAW:
        return "end" if action == layout.END else "pass"
    return (
        f"draw:{tile_name(action - layout.DRAW)}"
        if action < layout.FIRST_SEAT
        else f"first:{action - layout.FIRST_SEAT}"
    )


def cell_at(array: StateArray, number: int) -> Cell | None:
    """The cell with this number, or None."""
    count = int(array[layout.COUNT])
    if layout.OCCUPIED_CELLS <= number < layout.OCCUPIED_CELLS + count:
        tile = number - layout.OCCUPIED_CELLS
        return int(array[layout.XS + tile]), int(array[layout.YS + tile])
    if number < 4 * count or (count == 0 and number == 0):
        return cell_x(array, number), cell_y(array, number)
    return None


def _name_at(array: StateArray, slot: int) -> str:
    hand = hand_of(array, int(array[layout.MOVER]))
    return tile_name(hand[slot]) if slot < len(hand) else "?"


def slot_of(array: StateArray, kind: int) -> int:
    """The slot of a kind in the mover's hand, or NOT_IN_HAND."""
    hand = hand_of(array, int(array[layout.MOVER]))
    return hand.index(kind) if kind in hand else layout.NOT_IN_HAND


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Parse what people type; case and spaces don't matter, and tiles may be spelled out."""
    word = "".join(text.split()).lower()
    if word in ("end", "pass"):
        return layout.END if word == "end" else layout.PASS
    lot = re.fullmatch(r"first:?([0-9])", word)
    if lot is not None and int(lot[1]) < game.seats:
        return layout.FIRST_SEAT + int(lot[1])
    match = _MOVE.fullmatch(" ".join(text.split()).lower())
    assert match is not None, "the pattern matches any text"
    verb, tile, where = match.groups()
    kind = kind_of(tile)
    if kind is None or (verb is None) == (where is None):
        raise _invalid_move(text)
    if verb == "draw":
        return layout.DRAW + kind
    if verb is not None:
        return layout.TRADE + slot_of(array, kind)
    cell = _parse_cell(where)
    if cell is None:
        raise _invalid_move(text)
    return layout.SLOTS * int(cell_number(array, *cell)) + slot_of(array, kind)


def _parse_cell(text: str) -> Cell | None:
    match = _CELL.fullmatch("".join(text.split()))
    return (int(match[1]), int(match[2])) if match else None


def _invalid_move(text: str) -> InvalidNotation:
    return InvalidNotation(
        f"{text!r} isn't a move",
        "place a tile with 'Rc@3,-2' (colours R O Y G B P; shapes circle c, criss-cross x, diamond "
        "d, square s, starburst b, clover v; column, then row downward, from the first tile), "
        "trade one with 'trade:Rc', then 'end'; or 'pass'",
    )


# ---- states -----------------------------------------------------------------------------------


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line; unknown tiles are ``??``.

    With them it says who had the largest set, as all have seen if a draw decided who begins.
    """
    seats = range(game.seats)
    words = [f"{STAGE_WORDS[int(array[layout.STAGE])]}={int(array[layout.MOVER])}"]
    points = [int(rules.points_of(array, seat)) for seat in seats]
    hands = [_names(hand_of(array, seat)) for seat in seats]
    if any(points):
        words.append(f"scores={'/'.join(map(str, points))}")
    if any(hands):
        words.append(f"hands={'/'.join(hands)}")
    aside = _names(kinds_at(array, layout.ASIDE))
    if aside:
        words.append(f"aside={aside}")
    if tied_seats(array) and layout.UNKNOWN in array[layout.HANDS : layout.ASIDE]:
        words.append(f"tied={'/'.join(map(str, tied_seats(array)))}")  # Full hands say it.
    for name, index in zip(
        _NUMBERS, (layout.LAID, layout.LAST, layout.PASSES, layout.EXCHANGES), strict=True
    ):
        if array[index]:
            words.append(f"{name}={int(array[index])}")
    grid = grid_of(array)
    if grid:
        tiles = (f"{tile_name(kind)}{cell_name(cell)}" for cell, kind in grid.items())
        words.append(f"grid={';'.join(tiles)}")
    return " ".join(words)


def _names(kinds: list[int]) -> str:
    return "".join(map(tile_name, kinds))


def parse_state(game: Game, text: str) -> StateArray:
    """Parse a state; raise ValueError with a hint if it is wrong. ``game.parse`` adds the cache."""
    fields = parse_fields(text)
    hint = f"write one of {', '.join(STAGE_WORDS)} with a seat, such as 'turn=0'"
    stage, mover = take_stage(fields, STAGE_WORDS, hint)
    hands = fields.pop("hands", "/" * (game.seats - 1)).split("/")
    points = fields.pop("scores", "/".join("0" * game.seats)).split("/")
    parsed = ParsedState(
        stage=stage,
        mover=parse_number(mover),
        hands=[_parse_tiles(hand) for hand in hands],
        points=[parse_number(number, 9999) for number in points],
        aside=_parse_tiles(fields.pop("aside", "")),
        grid=_parse_grid(fields.pop("grid", "")),
        numbers={name: parse_number(fields.pop(name, "0")) for name in _NUMBERS},
    )
    require_no_more(fields)
    return array_of(game, parsed)


def _parse_tiles(text: str) -> list[int]:
    kinds = [kind_of(text[index : index + 2]) for index in range(0, len(text), 2)]
    known = [kind for kind in kinds if kind is not None]
    require(len(known) == len(kinds), f"{text!r} isn't a list of tiles such as RcOd")
    return sorted(known)


def _parse_grid(text: str) -> list[tuple[Cell, int]]:
    tiles = []
    for word in text.split(";") if text else ():
        match = _GRID_TILE.fullmatch(word)
        kind = kind_of(match[1]) if match else None
        if match is None or kind is None:
            raise ValueError(f"{word!r} isn't a tile and its cell, such as Rc0,-2")
        tiles.append(((int(match[2]), int(match[3])), kind))
    return tiles
