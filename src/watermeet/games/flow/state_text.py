"""The states of Flow as text, on one line.

A state is a line of fields like ``turn=1 done=3 hands=sb/w2 up=bc board=7/7/1c5/7/7/7/7``. The
first field says what comes next, with the seat it concerns: ``turn``, ``hand`` (the seat has drawn
a tile), ``carry`` (it places the tile of Current or Return), ``die`` (it chooses one), ``boat`` (it
chooses the boat's open edge); for chance ``scenario`` and ``obstacle`` (without a seat), ``deal``,
``tile``, ``card``, ``fish``, ``white`` and ``black`` (the die to roll). At the end it is
``over=won`` or ``over=lost``. The other fields are:

| field | value |
| --- | --- |
| seat | at the end, the seat that moved last |
| drawn | the scenario cards that were drawn, by name; those set by options aren't written |
| way | the open edge of the boat, with single path |
| lay | the kind of the tile in hand, or ``x`` for a scenario obstacle |
| from | the cell that Current took it from; ``*`` follows if it has a bird |
| left | how many tiles Fishing still turns face up |
| done | turns done in this round |
| time | ``up`` if time was called and the seat still finishes |
| played | ``card``, or ``calm`` if Calm Waters was among the cards played in this round |
| idle | consecutive rounds in which nobody did anything |
| rolled | what the white die shows, before the black one is rolled |
| hands | by seat: action cards, and ``-`` for none; ``?`` is an unknown card |
| shown | by seat: the cards of its hand that all saw at a wave, with no communication |
| used | the action cards that were played |
| up | the face-up tiles |
| discarded | the discarded tiles, including the one that Return is placing |
| board | the rows from the top: letters for tiles, numbers for runs of empty cells |

Cards are ``s`` Support, ``b`` Bird, ``c`` Current, ``f`` Fishing, ``w`` Calm Waters, ``r`` Return;
tiles are the first letters of their kinds; a number after a letter is a count. On the board ``a``
to ``o`` are the shapes in the order of shapes.py (NS, EW; NE, ES, SW, NW; NESW; N, E, S, W; NES,
ESW, NSW, NEW), ``x`` is a scenario obstacle, and ``*`` follows if there is a bird; animals and the
boat count as empty cells. Anything zero or empty is left out. Face-down tiles and the pile of cards
aren't written: they are the rest, and unknown cards count among them. validation.py checks states.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.notation import (
    compact_row,
    expand_row,
    parse_fields,
    parse_number,
    require,
    require_no_more,
    take_stage,
)
from watermeet.core.squaregrid import point_index
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT, SIZE
from watermeet.games.flow.names import cell_name
from watermeet.games.flow.shapes import EDGE_LETTERS
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
_FROM = re.compile(r"([a-z][0-9]+)(\*?)")


# ---- formatting -------------------------------------------------------------------------------


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line; unknown cards are ``?``."""
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
    """The scenario cards that were drawn, and the open edge of the boat."""
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
    """The tile in hand, and the counters of the round."""
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
    shown = [
        _format_counts(array[first : first + layout.CARD_KINDS], CARD_LETTERS) or NONE
        for first in range(
            layout.SHOWN, layout.SHOWN + game.seats * layout.CARD_KINDS, layout.CARD_KINDS
        )
    ]
    if set(shown) != {NONE}:
        words.append(f"shown={'/'.join(shown)}")
    if used := _format_counts(used_cards(array), CARD_LETTERS):
        words.append(f"used={used}")
    return words


def _format_counts(counts: Sequence[int] | StateArray, letters: str) -> str:
    """A letter for each count that isn't zero, followed by the count if it isn't one."""
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


# ---- parsing ----------------------------------------------------------------------------------


def parse_state(game: Game, text: str) -> StateArray:
    """Parse a state; raise ValueError with a hint if it is wrong."""
    # These stages concern no seat, so they need no value.
    flags = (STAGE_WORDS[layout.DRAW_SCENARIO], STAGE_WORDS[layout.LAY_OBSTACLE])
    fields = parse_fields(text, flags)
    stage, mover, won = _parse_stage(fields)
    hands = _parse_hands(game, fields.pop("hands", None))
    shown = _parse_hands(game, fields.pop("shown", None))
    played = fields.pop("played", None)
    lifted_from, lifted_bird = _parse_from(fields.pop("from", None))
    parsed = ParsedState(
        stage=stage,
        mover=mover,
        won=won,
        drawn=_parse_drawn(fields.pop("drawn", None)),
        boat_edge=_parse_boat_edge(fields.pop("way", None)),
        tile=_parse_tile(fields.pop("lay", None)),
        lifted_from=lifted_from,
        lifted_bird=lifted_bird,
        left=parse_number(fields.pop("left", "0")),
        done=parse_number(fields.pop("done", "0")),
        time_up=_one_of(fields.pop("time", NONE), (NONE, "up"), "a value of 'time'") == 1,
        card_played=played is not None,
        calm=played is not None and _one_of(played, ("card", "calm"), "a value of 'played'") == 1,
        idle=parse_number(fields.pop("idle", "0")),
        white=parse_number(fields.pop("rolled", "0")),
        hands=[hand[: layout.CARD_KINDS] for hand in hands],
        hidden=[hand[layout.CARD_KINDS] for hand in hands],
        shown=[hand[: layout.CARD_KINDS] for hand in shown],
        used=_parse_counts(fields.pop("used", NONE), CARD_LETTERS, "cards"),
        up=_parse_counts(fields.pop("up", NONE), KIND_LETTERS, "tiles"),
        discarded=_parse_counts(fields.pop("discarded", NONE), KIND_LETTERS, "tiles"),
        cells=_parse_rows(fields.pop("board", None)),
    )
    require_no_more(fields)
    return array_of(game, parsed)


def _parse_stage(fields: dict[str, str]) -> tuple[int, int, bool | None]:
    """Take out the stage, its seat, and at the end whether the match is won."""
    hint = (
        "write one of turn, hand, carry, die, boat, deal, tile, card, fish, white, black with a "
        "seat, such as 'turn=0'; or 'scenario' or 'obstacle' alone; or 'over=won' or 'over=lost'"
    )
    stage, value = take_stage(fields, STAGE_WORDS, hint)
    if stage != layout.FINISHED:
        return stage, parse_number(value), None
    won = bool(_one_of(value, RESULTS, "a result"))
    return stage, parse_number(fields.pop("seat", "0")), won


def _one_of(text: str, names: Sequence[str], what: str) -> int:
    require(text in names, f"{text!r} isn't {what}; write one of {', '.join(names)}")
    return names.index(text)


def _parse_drawn(text: str | None) -> list[int]:
    """By scenario: the number of its cards that were drawn."""
    drawn = [0] * layout.SCENARIO_KINDS
    for name in text.split("/") if text else ():
        drawn[_one_of(name, layout.SCENARIO_NAMES, "a scenario")] += 1
    return drawn


def _parse_boat_edge(text: str | None) -> int:
    return 0 if text is None else 1 << _one_of(text.upper(), EDGE_LETTERS, "an edge")


def _parse_tile(text: str | None) -> int:
    """A tile in hand, as encoded in the array."""
    if text is None:
        return 0
    if text == OBSTACLE_LETTER:
        return layout.SCENARIO_TILE
    return 1 + _one_of(text, KINDS, "a kind of tile")


def _parse_from(text: str | None) -> tuple[int | None, bool]:
    """The cell that a tile was taken from, and whether it has a bird."""
    if text is None:
        return None, False
    match = _FROM.fullmatch(text)
    cell = point_index(match[1], SIZE, SIZE) if match else None
    if match is None or cell is None:
        raise ValueError(
            f"{text!r} isn't a cell from a1 to g7, with {BIRD_MARK!r} after it for a bird"
        )
    return cell, bool(match[2])


def _parse_hands(game: Game, text: str | None) -> list[list[int]]:
    """By seat: the cards of each kind, and the unknown ones."""
    hands = [NONE] * game.seats if text is None else text.split("/")
    require(len(hands) == game.seats, f"expected {game.seats} hands, found {len(hands)}")
    return [_parse_counts(hand, CARD_LETTERS + HIDDEN, "cards") for hand in hands]


def _parse_counts(text: str, letters: str, what: str) -> list[int]:
    counts = [0] * len(letters)
    if text == NONE:
        return counts
    require(
        re.fullmatch(rf"(?:[{letters}][0-9]{{0,2}})+", text),
        f"{text!r} aren't {what}: write the letters {', '.join(letters)}, each with a number after "
        "it if there are several",
    )
    for letter, number in re.findall(r"(\D)([0-9]*)", text):
        counts[letters.index(letter)] += int(number or 1)
    return counts


def _parse_rows(text: str | None) -> list[int]:
    """The cells as encoded in the array; a dot is read as one empty cell."""
    if text is None:
        return [0] * CELL_COUNT
    rows = text.split("/")
    require(len(rows) == SIZE, f"expected {SIZE} rows, found {len(rows)}")
    found: list[int] = []
    for number, row in zip(range(SIZE, 0, -1), rows, strict=True):
        found = _parse_row(number, row) + found
    return found


def _parse_row(number: int, row: str) -> list[int]:
    require(
        re.fullmatch(r"(?:[a-ox]\*?|[0-9.])*", row),
        f"row {number}, {row!r}, must have letters a to o and x for tiles, {BIRD_MARK!r} after "
        "them for birds, and numbers for runs of empty cells",
    )
    cells = re.findall(r"[a-ox.]\*?", expand_row(row, SIZE))
    require(len(cells) == SIZE, f"row {number}, {row!r}, has {len(cells)} cells instead of {SIZE}")
    return [_parse_cell(cell) for cell in cells]


def _parse_cell(text: str) -> int:
    if text == ".":
        return 0
    is_obstacle = text[0] == OBSTACLE_LETTER
    tile = layout.SCENARIO_TILE if is_obstacle else 1 + SHAPE_LETTERS.index(text[0])
    return tile + layout.BIRD_ON * (len(text) - 1)
