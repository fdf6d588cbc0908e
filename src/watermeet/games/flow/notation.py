"""The moves of Flow as text, such as ``NE@c4``; states are in state_text.py."""

from __future__ import annotations

import re
from collections.abc import Sequence

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.squaregrid import point_index
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT, SIZE
from watermeet.games.flow.names import cell_name
from watermeet.games.flow.shapes import EDGE_LETTERS, SHAPE_COUNT, SHAPES
from watermeet.games.flow.state_text import OBSTACLE_LETTER, format_state, parse_state
from watermeet.games.flow.tile_sets import KINDS

__all__ = ["format_action", "format_state", "parse_action", "parse_state"]

PIPS = ("1", "2", "3", "4", "5", "6")

_BARE_WORDS = {
    "draw": layout.DRAW_FACE_DOWN,
    "fishing": layout.PLAY_FISHING,
    "calm": layout.PLAY_CALM,
    "swap": layout.SWAP,
    "discard": layout.DISCARD,
    "time": layout.TIME,
}
_CELL_WORDS = {
    "support": layout.PLAY_SUPPORT,
    "bird": layout.PLAY_BIRD,
    "current": layout.PLAY_CURRENT,
    "obstacle": layout.CHANCE_OBSTACLE,
}
# With what may follow, in order of the actions.
_NAME_WORDS: dict[str, tuple[int, Sequence[str]]] = {
    "take": (layout.TAKE_FACE_UP, KINDS),
    "return": (layout.PLAY_RETURN, KINDS),
    "roll": (layout.CHOOSE_WHITE, ("white", "black")),
    "boat": (layout.BOAT_EDGE, EDGE_LETTERS),
    "tile": (layout.CHANCE_TILE, KINDS),
    "card": (layout.CHANCE_CARD, layout.CARD_NAMES),
    "white": (layout.CHANCE_WHITE, PIPS),
    "black": (layout.CHANCE_BLACK, PIPS),
    "scenario": (layout.CHANCE_SCENARIO, layout.SCENARIO_NAMES),
}
_SHAPE_OF = {frozenset(edges.lower()): shape for shape, (_, edges) in enumerate(SHAPES)}
_NAMED = re.compile(rf"({'|'.join(_NAME_WORDS)})(.*)")
_AT_CELL = re.compile(
    r"(?P<head>[a-z]+?)(?P<cell>[a-z][0-9]+)|(?P<first>[a-z][0-9]+)(?P<tail>[a-z]+)"
)
_MAX_LETTERS = 40


# ---- moves, written ---------------------------------------------------------------------------


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The text of an action."""
    if action < layout.LAY_SCENARIO:
        cell, shape = divmod(action - layout.LAY, SHAPE_COUNT)
        return f"{SHAPES[shape][1]}@{cell_name(cell)}"
    if action < layout.PLAY_SUPPORT:
        return f"X@{cell_name(action - layout.LAY_SCENARIO)}"
    for word, first in _CELL_WORDS.items():
        if first <= action < first + CELL_COUNT:
            return f"{word}:{cell_name(action - first)}"
    for word, (first, names) in _NAME_WORDS.items():
        if first <= action < first + len(names):
            return f"{word}:{names[action - first]}"
    return next(word for word, number in _BARE_WORDS.items() if number == action)


# ---- moves, read ------------------------------------------------------------------------------


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Parse what people type: ``ne@c4``, ``c4 EN``, ``Support c4``, ``take:b``, ``draw``."""
    word, separators = re.subn(r"[@:=]", "", re.sub(r"[\s_]", "", text.lower()))
    if separators > 1 or len(word) > _MAX_LETTERS:
        raise _invalid_move(text)
    if (bare := _of_prefix(word, list(_BARE_WORDS))) is not None:
        return list(_BARE_WORDS.values())[bare]
    if match := _NAMED.fullmatch(word):
        return _parse_named(text, match[1], match[2])
    if match := _AT_CELL.fullmatch(word):
        return _parse_at_cell(text, match["head"] or match["tail"], match["cell"] or match["first"])
    raise _invalid_move(text)


def _of_prefix(word: str, names: Sequence[str]) -> int | None:
    """The index of the only name that is or starts with a word, or None."""
    known = [name.lower().replace("_", "") for name in names]
    if word in known:
        return known.index(word)
    found = [place for place, name in enumerate(known) if word and name.startswith(word)]
    return found[0] if len(found) == 1 else None


def _parse_named(text: str, word: str, name: str) -> int:
    first, names = _NAME_WORDS[word]
    place = _of_prefix(name, names)
    if place is None:
        raise InvalidNotation(
            f"{text!r}: {name!r} can't follow {word!r}" if name else f"{text!r} is incomplete",
            f"after {word!r} write {', '.join(names[:-1])} or {names[-1]}",
        )
    return first + place


def _parse_at_cell(text: str, head: str, name: str) -> int:
    """A placement, or a card or obstacle on a cell."""
    shape = _SHAPE_OF.get(frozenset(head)) if len(set(head)) == len(head) else None
    word = _of_prefix(head, list(_CELL_WORDS))
    if shape is None and word is None and head != OBSTACLE_LETTER:
        raise _invalid_move(text)
    cell = point_index(name, SIZE, SIZE)
    if cell is None:
        raise InvalidNotation(f"{text!r}: there is no cell {name!r}", "cells are a1 to g7")
    if shape is not None:
        return layout.LAY + SHAPE_COUNT * cell + shape
    if word is None:
        return layout.LAY_SCENARIO + cell
    return list(_CELL_WORDS.values())[word] + cell


def _invalid_move(text: str) -> InvalidNotation:
    return InvalidNotation(
        f"{text!r} isn't a move",
        "place a tile with 'NE@c4' (its open edges of N, E, S, W, and a cell from a1 to g7), a "
        "scenario obstacle with 'X@c4'; start with 'draw', 'take:bend', 'support:c4', 'bird:c4', "
        "'current:c4', 'fishing', 'calm' or 'return:bend'; then 'swap', 'discard', 'time', "
        "'roll:white', 'boat:N'; chance outcomes are 'tile:bend', 'card:bird', 'white:3', "
        "'black:2', 'scenario:obstacles' and 'obstacle:c4'",
    )
