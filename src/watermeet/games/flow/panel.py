"""What stands beside the board in a picture of Flow: hands, the tile in hand, what is left."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.drawing import svg_element
from watermeet.core.game import Game
from watermeet.games.flow.layout import (
    AIM_BOAT,
    BIRDS_LEFT,
    CALM_PLAYED,
    CARD_KINDS,
    CARD_PLAYED,
    DISCARDED,
    DOWN,
    FINISHED,
    HANDS,
    HIDDEN_CARDS,
    IN_PLAY,
    MOVER,
    ONE_CARD,
    SCENARIO_TILE,
    STAGE,
    TILE,
    TILE_SET,
    TIME_UP,
    UP,
    WON,
)
from watermeet.games.flow.names import (
    CARD_EFFECTS,
    CARD_TITLES,
    SCENARIO_TITLES,
    counted,
    pile_left,
    seat_name,
    tile_title,
)
from watermeet.games.flow.paint import (
    FAINT_INK,
    GOLD,
    INK,
    WHITE,
    at,
    bird,
    scenario_obstacle,
    shape,
    tile,
    words,
)
from watermeet.games.flow.sentences import turns_left
from watermeet.games.flow.shapes import FIRST_EDGES, OBSTACLE, SHAPES
from watermeet.games.flow.tile_sets import KINDS, TILE_SETS

PANEL_WIDTH = 284.0
_CHIP_WIDTH, _CHIP_STEP = 90.0, 95.0
_CHIPS_A_ROW = 3


def panel(game: Game, array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """All of it, from a point on; and how far down it reaches."""
    elements: list[str] = []
    for part in (_round, _tile, _supplies, _scenarios):
        drawn, y = part(array, x, y)
        elements += drawn
        if part == _tile:
            for seat in range(game.seats):
                drawn, y = _seat(array, seat, x, y)
                elements += drawn
            y += 14
    return elements, y


def _line(text: str, x: float, y: float, *, is_bold: bool = False, fill: str = INK) -> str:
    weight = "bold" if is_bold else "normal"
    return words(text, x, y + 5, 14, anchor="start", weight=weight, fill=fill)


def _round(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """How the round stands."""
    left = turns_left(array)
    if array[STAGE] == FINISHED:
        told = "Won" if array[WON] else "Lost"
    else:
        told = "The round ends by the clock" if left is None else f"{counted(left, 'turn')} left"
    facts = ["time is up"] if array[TIME_UP] else []
    facts += ["Calm Waters"] if array[CALM_PLAYED] else []
    facts += ["no more cards"] if array[IN_PLAY + ONE_CARD] and array[CARD_PLAYED] else []
    return [_line(", ".join([told, *facts]), x, y, is_bold=True)], y + 26


def _tile(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """The tile in hand in all its turns, with the edges to type; always as tall."""
    held = int(array[TILE])
    elements = []
    if held:
        elements.append(_line(f"In hand: {tile_title(held)}", x, y))
    if held == SCENARIO_TILE:
        elements.append(at(x + 30, y + 44, scenario_obstacle(), scale=0.85))
        elements.append(words("X", x + 30, y + 92, 14, weight="bold"))
    elif held:
        turned = [edges for kind, edges in SHAPES if kind == held - 1]
        for turns, edges in enumerate(turned):
            drawn = tile(edges, is_dead_end=held - 1 == OBSTACLE, is_wet=False)
            place = x + 30 + 70 * turns
            elements.append(
                at(place, y + 44, drawn, title=f"{tile_title(held)} {edges}", scale=0.85)
            )
            elements.append(words(edges, place, y + 92, 14, weight="bold"))
    return elements, y + 116


# ---- seats ------------------------------------------------------------------------------------


def _seat(array: StateArray, seat: int, x: float, y: float) -> tuple[list[str], float]:
    """The name of a seat, an arrow at the mover's, and its cards."""
    acts = seat == array[MOVER] and AIM_BOAT <= array[STAGE] < FINISHED
    elements = [_line(seat_name(seat), x, y, is_bold=bool(acts))]
    if acts:
        elements.append(at(x - 10, y, shape("M-4 -6L5 0L-4 6Z", GOLD, INK, 1)))
    chips = _chips(array, seat)
    for place, (text, title) in enumerate(chips):
        row, column = divmod(place, _CHIPS_A_ROW)
        elements.append(at(x + _CHIP_STEP * column, y + 13 + 27 * row, _chip(text), title=title))
    if not chips:
        elements.append(words("no card", x + 2, y + 28, 12, anchor="start", fill=FAINT_INK))
    rows = max(1, -(-len(chips) // _CHIPS_A_ROW))
    return elements, y + 20 + 27 * rows


def _chips(array: StateArray, seat: int) -> list[tuple[str, str]]:
    """What stands on the cards of a seat, and what they do."""
    chips = []
    for card, title in enumerate(CARD_TITLES):
        count = int(array[HANDS + seat * CARD_KINDS + card])
        if count:
            text = title if count == 1 else f"{title} x{count}"
            chips.append((text, f"{title}: {CARD_EFFECTS[card]}"))
    hidden = int(array[HIDDEN_CARDS + seat])
    return chips + ([(f"? x{hidden}", counted(hidden, "hidden card"))] if hidden else [])


def _chip(text: str) -> str:
    card = svg_element(
        "rect", width=_CHIP_WIDTH, height=23, rx=5, fill=WHITE, stroke=FAINT_INK, stroke_width=1.2
    )
    return card + words(text, _CHIP_WIDTH / 2, 16, 12)


# ---- what is left -----------------------------------------------------------------------------


def _supplies(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    """Kinds of tiles with their numbers, the pile and the birds."""
    tiles = list(TILE_SETS.values())[int(array[TILE_SET])]
    kinds = [kind for kind, name in enumerate(KINDS) if tiles[name]]
    elements = []
    for row, (title, first) in enumerate(
        (("face down", DOWN), ("turned up", UP), ("discarded", DISCARDED))
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
    for place in range(int(array[BIRDS_LEFT])):
        elements.append(at(x + 150 + 36 * place, line, bird(), title="a bird beside the board"))
    return elements, line + 24


def _scenarios(array: StateArray, x: float, y: float) -> tuple[list[str], float]:
    elements = []
    for scenario, title in enumerate(SCENARIO_TITLES):
        count = int(array[IN_PLAY + scenario])
        if count:
            text = title if count == 1 else f"{title} x{count}"
            elements.append(_line(f"Scenario: {text}", x, y, fill=FAINT_INK))
            y += 20
    return elements, y
