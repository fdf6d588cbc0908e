"""Flow as text: moves such as ``NE@c4``, and states on one line.

A state is a line of words like ``turn=1 done=3 hands=sb/w2 up=bc board=7/7/1c5/7/7/7/7``. The first
word says what comes next, with the seat that it is about: ``turn``, ``hand`` (the seat has drawn a
tile), ``carry`` (it lays the tile of Current or Return), ``die`` (it chooses one), ``boat`` (it
chooses the boat's way); by chance ``scenario`` and ``obstacle`` (about no seat), ``deal``,
``tile``, ``card``, ``fish``, ``white`` and ``black`` (the die to roll). At the end it is
``over=won`` or ``over=lost``. The other words are:

| word | what |
| --- | --- |
| seat | the seat whose turn was the last, at the end |
| drawn | the scenario cards that were drawn, by their names; named options are not written |
| way | the edge of the boat's only way, with single path |
| lay | the kind of the tile in hand, or ``x`` for a scenario obstacle |
| from | the cell that Current has lifted it from; ``*`` follows if a bird sits on it |
| left | how many tiles Fishing still turns up |
| done | turns done in this round |
| time | ``up`` if it was said that time is up, and the seat still finishes |
| played | ``card``, or ``calm`` if Calm Waters was among the cards played in this round |
| idle | rounds in succession in which nobody did anything |
| rolled | what the white die shows, before the black one is rolled |
| hands | by seat: action cards, and ``-`` for none; ``?`` is a card that is not known |
| used | the action cards that were played |
| up | the tiles that Fishing has turned up |
| discarded | the tiles that are discarded, also the one that Return is just laying |
| board | the rows from the top: letters for tiles, numbers for runs of empty cells |

Cards are ``s`` Support, ``b`` Bird, ``c`` Current, ``f`` Fishing, ``w`` Calm Waters, ``r`` Return;
tiles are the first letters of their kinds; a number behind a letter says how many. On the board
``a`` to ``o`` are the shapes in the order of shapes.py (NS, EW; NE, ES, SW, NW; NESW; N, E, S, W;
NES, ESW, NSW, NEW), ``x`` is a scenario obstacle, and ``*`` follows if a bird sits there; animals
and the boat count as empty cells. What is zero or empty is left out. The tiles that are face down
and the pile of cards are not written: they are the rest, and cards that are not known are counted
among them. How states are checked is in validation.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.notation import compact_row, expand_row, parse_fields
from watermeet.core.squaregrid import point_index, point_name
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT, SIZE
from watermeet.games.flow.shapes import EDGE_LETTERS, SHAPE_COUNT, SHAPES
from watermeet.games.flow.tile_sets import KINDS
from watermeet.games.flow.validation import (
    ALL_EDGES,
    STAGE_WORDS,
    ParsedState,
    array_of,
    scenarios_drawn,
    used_cards,
)

SHAPE_LETTERS = "abcdefghijklmno"
OBSTACLE_LETTER = "x"
CARD_LETTERS = "sbcfwr"
KIND_LETTERS = "".join(kind[0] for kind in KINDS)
HIDDEN = "?"
BIRD_MARK = "*"
NONE = "-"
RESULTS = ("lost", "won")
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
# With what may follow, in the order of the actions.
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
_FROM = re.compile(r"([a-z][0-9]+)(\*?)")


# ---- moves, written ---------------------------------------------------------------------------


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The move's text."""
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


def cell_name(cell: int) -> str:
    """The name of a cell.

    >>> cell_name(0), cell_name(24)
    ('a1', 'd4')
    """
    return point_name(cell, SIZE)


# ---- moves, read ------------------------------------------------------------------------------


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Reads what people type: ``ne@c4``, ``c4 EN``, ``Support c4``, ``take:b``, ``draw``."""
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
    """The place of the only name that begins with a word, or is it."""
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
            f"{text!r}: {name!r} is not what {word!r} is about" if name else f"{text!r}: which?",
            f"behind {word!r} comes {', '.join(names[:-1])} or {names[-1]}",
        )
    return first + place


def _parse_at_cell(text: str, head: str, name: str) -> int:
    """What is laid in a cell, or done there."""
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
        f"{text!r} is no move",
        "lay a tile by 'NE@c4' (its open edges, N, E, S, W, and a cell from a1 to g7), 'X@c4' is a "
        "scenario obstacle; begin with 'draw', 'take:bend', 'support:c4', 'bird:c4', 'current:c4', "
        "'fishing', 'calm' or 'return:bend'; else 'swap', 'discard', 'time', 'roll:white', "
        "'boat:N'; chance is 'tile:bend', 'card:bird', 'white:3', 'black:2', "
        "'scenario:obstacles' and 'obstacle:c4'",
    )


# ---- states, written --------------------------------------------------------------------------


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line; cards that are not known are ``?``."""
    words = [
        *_format_stage(array),
        *_format_scenarios(game, array),
        *_format_turn(array),
        *_format_cards(game, array),
    ]
    for name, first in (("up", layout.FACE_UP), ("discarded", layout.DISCARDED)):
        if counts := _format_counts(array[first : first + layout.KIND_COUNT], KIND_LETTERS):
            words.append(f"{name}={counts}")
    if array[layout.CELLS : layout.CELLS + CELL_COUNT].any():
        words.append(f"board={'/'.join(_format_rows(array))}")
    return " ".join(words)


def _format_stage(array: StateArray) -> list[str]:
    stage, mover = int(array[layout.STAGE]), int(array[layout.MOVER])
    word = STAGE_WORDS[stage]
    if stage in (layout.DRAW_SCENARIO, layout.LAY_OBSTACLE):
        return [word]
    if stage == layout.FINISHED:
        return [f"{word}={RESULTS[int(array[layout.WON])]}"] + ([f"seat={mover}"] if mover else [])
    return [f"{word}={mover}"]


def _format_scenarios(game: Game, array: StateArray) -> list[str]:
    """The scenario cards that were drawn, and the way of the boat."""
    words = []
    names = [
        name
        for name, count in zip(layout.SCENARIO_NAMES, scenarios_drawn(game, array), strict=True)
        for _ in range(count)
    ]
    if names:
        words.append(f"drawn={'/'.join(names)}")
    if array[layout.BOAT_EDGES] != ALL_EDGES:
        words.append(f"way={EDGE_LETTERS[int(array[layout.BOAT_EDGES]).bit_length() - 1]}")
    return words


def _format_turn(array: StateArray) -> list[str]:
    """What the mover has in hand, and what is counted in a round."""
    tile, cell = int(array[layout.TILE]), int(array[layout.LIFTED_FROM]) - 1
    words = []
    if tile:
        words.append(f"lay={OBSTACLE_LETTER if tile == layout.SCENARIO_TILE else KINDS[tile - 1]}")
    if cell >= 0:
        words.append(f"from={cell_name(cell)}{BIRD_MARK * int(array[layout.LIFTED_BIRD])}")
    if array[layout.STAGE] == layout.FISH:
        words.append(f"left={int(array[layout.PENDING])}")
    if array[layout.TURNS_DONE]:
        words.append(f"done={int(array[layout.TURNS_DONE])}")
    if array[layout.TIME_UP]:
        words.append("time=up")
    if array[layout.CARD_PLAYED]:
        words.append(f"played={'calm' if array[layout.CALM_PLAYED] else 'card'}")
    if array[layout.IDLE_ROUNDS]:
        words.append(f"idle={int(array[layout.IDLE_ROUNDS])}")
    if array[layout.WHITE]:
        words.append(f"rolled={int(array[layout.WHITE])}")
    return words


def _format_cards(game: Game, array: StateArray) -> list[str]:
    words, hands = [], []
    for seat in range(game.seats):
        first = layout.HANDS + layout.CARD_KINDS * seat
        counts = [*array[first : first + layout.CARD_KINDS], array[layout.HIDDEN_CARDS + seat]]
        hands.append(_format_counts(counts, CARD_LETTERS + HIDDEN) or NONE)
    if set(hands) != {NONE}:
        words.append(f"hands={'/'.join(hands)}")
    if used := _format_counts(used_cards(array), CARD_LETTERS):
        words.append(f"used={used}")
    return words


def _format_counts(counts: Sequence[int] | StateArray, letters: str) -> str:
    """A letter for each count that is not zero, with the count behind it if that is not one."""
    return "".join(
        letter + (str(int(count)) if count > 1 else "")
        for letter, count in zip(letters, counts, strict=True)
        if count
    )


def _format_rows(array: StateArray) -> list[str]:
    rows = []
    for row in reversed(range(SIZE)):
        first = layout.CELLS + SIZE * row
        letters = "".join(_format_cell(int(cell)) for cell in array[first : first + SIZE])
        rows.append(compact_row(letters))
    return rows


def _format_cell(cell: int) -> str:
    if cell == 0:
        return "."
    has_bird, tile = divmod(cell, layout.BIRD_ON)
    letter = OBSTACLE_LETTER if tile == layout.SCENARIO_TILE else SHAPE_LETTERS[tile - 1]
    return letter + BIRD_MARK * has_bird


# ---- states, read -----------------------------------------------------------------------------


def parse_state(game: Game, text: str) -> StateArray:
    """The array of a state's text."""
    try:
        return array_of(game, _parse_words(game, text))
    except ValueError as error:
        raise InvalidNotation(f"{text!r} is no state of {game.describe()}", str(error)) from None


def _parse_words(game: Game, text: str) -> ParsedState:
    """What the words say; raises ValueError with what would do."""
    # Those are about no seat, so they have no value.
    alone = (STAGE_WORDS[layout.DRAW_SCENARIO], STAGE_WORDS[layout.LAY_OBSTACLE])
    values = parse_fields(text, alone)
    stage, mover, won = _parse_stage(values)
    hands = _parse_hands(game, values.pop("hands", None))
    played = values.pop("played", None)
    lifted_from, lifted_bird = _parse_from(values.pop("from", None))
    parsed = ParsedState(
        stage=stage,
        mover=mover,
        won=won,
        drawn=_parse_drawn(values.pop("drawn", None)),
        boat_edge=_parse_boat_edge(values.pop("way", None)),
        tile=_parse_tile(values.pop("lay", None)),
        lifted_from=lifted_from,
        lifted_bird=lifted_bird,
        left=_parse_number(values.pop("left", "0")),
        done=_parse_number(values.pop("done", "0")),
        time_up=_one_of(values.pop("time", NONE), (NONE, "up"), "time") == 1,
        card_played=played is not None,
        calm=played is not None and _one_of(played, ("card", "calm"), "'played'") == 1,
        idle=_parse_number(values.pop("idle", "0")),
        white=_parse_number(values.pop("rolled", "0")),
        hands=[hand[: layout.CARD_KINDS] for hand in hands],
        hidden=[hand[layout.CARD_KINDS] for hand in hands],
        used=_parse_counts(values.pop("used", NONE), CARD_LETTERS, "cards"),
        up=_parse_counts(values.pop("up", NONE), KIND_LETTERS, "tiles"),
        discarded=_parse_counts(values.pop("discarded", NONE), KIND_LETTERS, "tiles"),
        cells=_parse_rows(values.pop("board", None)),
    )
    if values:
        raise ValueError(f"{min(values)!r} is no word of a state, or does not go with the others")
    return parsed


def _parse_stage(values: dict[str, str]) -> tuple[int, int, bool | None]:
    """Takes out what comes next: the stage, the seat, and at the end whether the match is won."""
    stages = [name for name in STAGE_WORDS if name in values]
    if len(stages) != 1:
        raise ValueError(
            "write one of turn, hand, carry, die, boat, deal, tile, card, fish, white, black with "
            "a seat, as in 'turn=0'; or 'scenario' or 'obstacle' alone; or 'over=won', 'over=lost'"
        )
    stage = STAGE_WORDS.index(stages[0])
    value = values.pop(stages[0])
    if stage != layout.FINISHED:
        return stage, _parse_number(value), None
    won = bool(_one_of(value, RESULTS, "result"))
    return stage, _parse_number(values.pop("seat", "0")), won


def _one_of(text: str, names: Sequence[str], what: str) -> int:
    if text not in names:
        raise ValueError(f"{text!r} is no {what}: there is {', '.join(names)}")
    return names.index(text)


def _parse_number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise ValueError(f"{text!r} is no number from 0 to 999")
    return int(text)


def _parse_drawn(text: str | None) -> list[int]:
    """By scenario: how many of its cards were drawn."""
    drawn = [0] * layout.SCENARIO_KINDS
    for name in text.split("/") if text else ():
        drawn[_one_of(name, layout.SCENARIO_NAMES, "scenario")] += 1
    return drawn


def _parse_boat_edge(text: str | None) -> int:
    return 0 if text is None else 1 << _one_of(text.upper(), EDGE_LETTERS, "edge")


def _parse_tile(text: str | None) -> int:
    """A tile in hand as the array holds it."""
    if text is None:
        return 0
    if text == OBSTACLE_LETTER:
        return layout.SCENARIO_TILE
    return 1 + _one_of(text, KINDS, "kind of tile")


def _parse_from(text: str | None) -> tuple[int | None, bool]:
    """The cell that a tile was lifted from, and whether a bird sits on it."""
    if text is None:
        return None, False
    match = _FROM.fullmatch(text)
    cell = point_index(match[1], SIZE, SIZE) if match else None
    if match is None or cell is None:
        raise ValueError(
            f"{text!r} is no cell: a1 to g7, and {BIRD_MARK!r} behind it if a bird sits on the tile"
        )
    return cell, bool(match[2])


def _parse_hands(game: Game, text: str | None) -> list[list[int]]:
    """By seat: how many cards of each kind, and how many that are not known."""
    hands = [NONE] * game.seats if text is None else text.split("/")
    if len(hands) != game.seats:
        raise ValueError(f"'hands' has {len(hands)} entries, and there are {game.seats} seats")
    return [_parse_counts(hand, CARD_LETTERS + HIDDEN, "cards") for hand in hands]


def _parse_counts(text: str, letters: str, what: str) -> list[int]:
    counts = [0] * len(letters)
    if text == NONE:
        return counts
    if not re.fullmatch(rf"(?:[{letters}][0-9]{{0,2}})+", text):
        raise ValueError(
            f"{text!r} are no {what}: write the letters {', '.join(letters)}, with numbers behind "
            "them if there are several"
        )
    for letter, number in re.findall(r"(\D)([0-9]*)", text):
        counts[letters.index(letter)] += int(number or 1)
    return counts


def _parse_rows(text: str | None) -> list[int]:
    """The cells as the array holds them; a dot is read as one empty cell."""
    if text is None:
        return [0] * CELL_COUNT
    rows = text.split("/")
    if len(rows) != SIZE:
        raise ValueError(f"there are {len(rows)} rows and must be {SIZE}")
    found: list[int] = []
    for number, row in zip(range(SIZE, 0, -1), rows, strict=True):
        found = _parse_row(number, row) + found
    return found


def _parse_row(number: int, row: str) -> list[int]:
    if not re.fullmatch(r"(?:[a-ox]\*?|[0-9.])*", row):
        raise ValueError(
            f"row {number}, {row!r}, must have letters a to o and x for tiles, {BIRD_MARK!r} "
            "behind them for birds, and numbers for runs of empty cells"
        )
    cells = re.findall(r"[a-ox.]\*?", expand_row(row, SIZE))
    if len(cells) != SIZE:
        raise ValueError(f"row {number}, {row!r}, is {len(cells)} cells long, not {SIZE}")
    return [_parse_cell(cell) for cell in cells]


def _parse_cell(text: str) -> int:
    if text == ".":
        return 0
    is_obstacle = text[0] == OBSTACLE_LETTER
    tile = layout.SCENARIO_TILE if is_obstacle else 1 + SHAPE_LETTERS.index(text[0])
    return tile + layout.BIRD_ON * (len(text) - 1)
