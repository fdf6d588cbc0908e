"""The panel beside the board in a picture of Flow: the round, the tile in hand, hands, supplies."""

from __future__ import annotations

import textwrap

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import svg_element
from watermeet.games.flow import layout
from watermeet.games.flow.names import (
    CARD_EFFECTS,
    CARD_TITLES,
    SCENARIO_TITLES,
    counted,
    pile_left,
    player_name,
    tile_title,
)
from watermeet.games.flow.paint import (
    FAINT_INK,
    GOLD,
    HALF,
    INK,
    WHITE,
    at,
    bird,
    box,
    scenario_obstacle,
    shape,
    tile,
    words,
)
from watermeet.games.flow.sentences import turns_left
from watermeet.games.flow.shapes import FIRST_EDGES, OBSTACLE, SHAPES
from watermeet.games.flow.tile_sets import KINDS, TILE_SETS

PANEL_WIDTH = 300.0
_LEAST_CHIP_WIDTH, _CHIP_GAP, _CHIP_ROW = 90.0, 5.0, 27.0
_TILE_HEIGHT = 112.0
_LETTERS_UNDER_BOARD = 54
_UNBROKEN = str.maketrans(" ", "\N{NO-BREAK SPACE}")


def panel(game: Game, array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """The whole panel with its top left corner at a point, and its bottom."""
    elements: list[str] = []
    for part in (_round, _tile):
        drawn, y = part(array, x, y)
        elements += drawn
    for seat in range(game.seats):
        drawn, y = _seat(array, seat, x, y)
        elements += drawn
    drawn, y = _supplies(array, x, y + 10)
    return elements + drawn, y


def _line(text: str, x: float, y: float, *, is_bold: bool = False, fill: str = INK) -> str:
    weight = "bold" if is_bold else "normal"
    return words(text, x, y + 5, 14, anchor="start", weight=weight, fill=fill)


def _round(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """The state of the round, with details on a second line; the height is fixed."""
    left = turns_left(array)
    if array[layout.STAGE] == layout.FINISHED:
        text = "Won" if array[layout.WON] else "Lost"
    else:
        text = "Rounds end by the clock" if left is None else f"{counted(left, 'turn')} left"
    facts = ["time is up"] if array[layout.TIME_UP] else []
    facts += ["Calm Waters"] if array[layout.CALM_PLAYED] else []
    facts += (
        ["no more cards"]
        if array[layout.IN_PLAY + layout.ONE_CARD] and array[layout.CARD_PLAYED]
        else []
    )
    elements = [_line(text, x, y, is_bold=True)]
    if facts:
        elements.append(_line(", ".join(facts), x, y + 19))
    return elements, y + 42


def _tile(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """The tile in hand in all rotations, with the edges to type; the height is fixed."""
    held = int(array[layout.TILE])
    if not held:
        slot = box(HALF - 1, 7, "none", FAINT_INK, 1.2, dashes="4 4")
        text = _line("No tile in hand", x, y, fill=FAINT_INK)
        return [text, at(x + 30, y + 44, slot, scale=0.85)], y + _TILE_HEIGHT
    elements = [_line(f"In hand: {tile_title(held)}", x, y)]
    if held == layout.SCENARIO_TILE:
        elements.append(at(x + 30, y + 44, scenario_obstacle(), scale=0.85))
        elements.append(words("X", x + 30, y + 92, 14, weight="bold"))
    else:
        turned = [edges for kind, edges in SHAPES if kind == held - 1]
        for turns, edges in enumerate(turned):
            drawn = tile(edges, is_dead_end=held - 1 == OBSTACLE, is_wet=False)
            place = x + 30 + 70 * turns
            elements.append(
                at(place, y + 44, drawn, title=f"{tile_title(held)} {edges}", scale=0.85)
            )
            elements.append(words(edges, place, y + 92, 14, weight="bold"))
    return elements, y + _TILE_HEIGHT


# ---- seats ------------------------------------------------------------------------------------


def _seat(array: StateArray, seat: int, x: float, y: float) -> tuple[list[str], float]:
    """A player's name, with an arrow if they are to move, and their cards."""
    acts = (
        seat == array[layout.MOVER]
        and layout.CHOOSE_BOAT_EDGE <= array[layout.STAGE] < layout.FINISHED
    )
    elements = [_line(player_name(seat), x, y, is_bold=bool(acts))]
    if acts:
        elements.append(at(x - 10, y, shape("M-4 -6L5 0L-4 6Z", GOLD, INK, 1)))
    chips = _chips(array, seat)
    right, down = 0.0, 11.0
    for text, title in chips:
        width = _chip_width(text)
        if right + width > PANEL_WIDTH:
            right, down = 0.0, down + _CHIP_ROW
        elements.append(at(x + right, y + down, _chip(text), title=title))
        right += width + _CHIP_GAP
    if not chips:
        elements.append(words("no cards", x + 2, y + 26, 12, anchor="start", fill=FAINT_INK))
    return elements, y + down + _CHIP_ROW + 14


def _chips(array: StateArray, seat: int) -> list[tuple[str, str]]:
    """The text and the tooltip of each of a seat's cards."""
    chips = []
    for card, title in enumerate(CARD_TITLES):
        count = int(array[layout.HANDS + seat * layout.CARD_KINDS + card])
        if count:
            chips.append((_times(title, count), f"{title}: {CARD_EFFECTS[card]}"))
    hidden = int(array[layout.HIDDEN_CARDS + seat])
    return chips + ([(f"? x{hidden}", counted(hidden, "hidden card"))] if hidden else [])


def _times(title: str, count: int) -> str:
    return title if count == 1 else f"{title} x{count}"


def _chip_width(text: str) -> float:
    """The width of a chip, wide enough for any font."""
    return max(_LEAST_CHIP_WIDTH, 7.0 * len(text) + 10)


def _chip(text: str) -> str:
    width = _chip_width(text)
    card = svg_element(
        "rect", width=width, height=23, rx=5, fill=WHITE, stroke=FAINT_INK, stroke_width=1.2
    )
    return card + words(text, width / 2, 16, 12)


# ---- supplies ---------------------------------------------------------------------------------


def _supplies(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """The number of tiles of each kind, the pile and the birds."""
    tiles = list(TILE_SETS.values())[int(array[layout.TILE_SET])]
    kinds = [kind for kind, name in enumerate(KINDS) if tiles[name]]
    elements = []
    for row, (title, first) in enumerate(
        (
            ("face down", layout.FACE_DOWN),
            ("face up", layout.FACE_UP),
            ("discarded", layout.DISCARDED),
        )
    ):
        line = y + 48 + 20 * row
        elements.append(_line(title, x, line, fill=FAINT_INK))
        for place, kind in enumerate(kinds):
            count = str(int(array[first + kind]))
            elements.append(words(count, x + 104 + 41 * place, line + 5, 14))
    for place, kind in enumerate(kinds):
        drawn = tile(FIRST_EDGES[KINDS[kind]], is_dead_end=kind == OBSTACLE, is_wet=False)
        elements.append(at(x + 104 + 41 * place, y + 15, drawn, title=KINDS[kind], scale=0.55))
    line = y + 118
    elements.append(_line(f"Pile: {counted(pile_left(array), 'card')}", x, line))
    for place in range(int(array[layout.BIRDS_LEFT])):
        elements.append(at(x + 150 + 36 * place, line, bird(), title="a bird in the supply"))
    return elements, line + 24


def scenarios(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """The scenarios in play, below the board, and their bottom."""
    counts = (int(array[layout.IN_PLAY + scenario]) for scenario in range(len(SCENARIO_TITLES)))
    in_play = [
        _times(title, count) for title, count in zip(SCENARIO_TITLES, counts, strict=True) if count
    ]
    if not in_play:
        return [], y
    text = ", ".join(title.translate(_UNBROKEN) for title in in_play)
    lines = textwrap.wrap(f"Scenarios: {text}", _LETTERS_UNDER_BOARD)
    elements = [_line(text, x, y + 10 + 20 * line) for line, text in enumerate(lines)]
    return elements, y + 20 * len(lines) + 6
