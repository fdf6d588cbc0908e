"""The panel beside the board in the SVG of a Flows state: seats, the tile in hand, unseen tiles.

Nothing is written in words, not even in titles, so that the picture suits every language.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import svg_element
from watermeet.games.flows import layout
from watermeet.games.flows.names import (
    SEAT_LETTERS,
    orientation_name,
    partner,
    tile_name,
    tile_of,
    tile_shown,
    type_name,
    winning_teams,
)
from watermeet.games.flows.svg_style import (
    FAINT_INK,
    TILE,
    face_down_tile,
    loose_tile,
    owned_path,
    text_element,
)
from watermeet.games.flows.tiles import (
    ORIENTATION_STRANDS,
    ROTATIONS_OF_TYPE,
    TYPES,
    orientation_number,
)
from watermeet.games.flows.view import blocked_teams

PANEL_WIDTH = 236.0
_SEAT_STEP = 42.0
_TILE_SIZE = 23.0
_TILE_STEP = 76.0


def panel_height(game: Game) -> float:
    """The most height that the panel needs."""
    return _SEAT_STEP * game.seats + 2 * 76 + 30 + 96


def panel(game: Game, array: StateArray, seat: int, x: float, y: float) -> list[str]:
    """The elements of the panel, with its upper left corner at a point."""
    elements = []
    blocked = blocked_teams(game, array) or []
    for index in range(game.seats):
        is_blocked = any(index in team for team in blocked)
        elements.append(_seat(game, array, index, is_blocked, x, y + _SEAT_STEP * index))
    y += _SEAT_STEP * game.seats + 18
    elements += _tile(array, seat, x, y)
    y += 30 + 2 * 76
    elements.append(_bag(array, x, y))
    return elements


def _seat(game: Game, array: StateArray, seat: int, is_blocked: bool, x: float, y: float) -> str:
    """A piece of the seat's strand, its letter, signs for winning and being blocked, its tile."""
    won = any(seat in team for team in winning_teams(game, array))
    acts = seat == array[layout.MOVER] and array[layout.STAGE] not in (layout.LOT, layout.FINISHED)
    other = partner(game, seat)
    team = SEAT_LETTERS[seat] + ("" if other is None else f"+{SEAT_LETTERS[other]}")
    signs = SEAT_LETTERS[seat] + " ⊘" * is_blocked + " ★" * won
    weight = "bold" if acts or won else "normal"
    elements = [
        svg_element("title", team),
        svg_element("rect", x=x - 4, y=y, width=54, height=24, rx=6, fill=TILE),
        *owned_path(f"M{x:.6g} {y + 12:.6g}H{x + 46:.6g}", (seat,), 10.0),
        text_element(signs, x + 60, y + 18, 17, anchor="start", weight=weight),
    ]
    if acts:
        elements.append(text_element("▸", x - 12, y + 18, 18))
    tile = tile_of(array, seat)
    if tile == layout.UNKNOWN:
        elements.append(face_down_tile(x + 218, y + 13, 12))
    elif tile != layout.NO_TILE:
        elements.append(text_element(tile_name(tile) or "", x + 214, y + 17, 14, weight="bold"))
    return svg_element("g", "".join(elements))


def tile_box(game: Game, array: StateArray) -> tuple[float, float, float, float]:
    """The box around the tile in hand in all rotations, within the panel."""
    shown = tile_shown(array, -2)
    is_known = shown is not None and 0 < shown[1] != layout.UNKNOWN
    rotations = ROTATIONS_OF_TYPE[shown[1] - 1] if shown and is_known else 1
    top = _SEAT_STEP * game.seats + 18 + 14
    return -6.0, top, 12 + _TILE_STEP * min(rotations, 3), 54.0 + 76 * ((rotations - 1) // 3)


def _tile(array: StateArray, seat: int, x: float, y: float) -> list[str]:
    """The tile in hand in all rotations, or its back."""
    shown = tile_shown(array, seat)
    if shown is None:
        return []
    owner, tile = shown
    if tile == layout.UNKNOWN:
        back = face_down_tile(x + 28, y + 44, 1.2 * _TILE_SIZE)
        return [_heading(SEAT_LETTERS[owner], x, y), back]
    kind = tile - 1
    elements = [_heading(f"{SEAT_LETTERS[owner]} {type_name(kind)}", x, y)]
    for rotation in range(ROTATIONS_OF_TYPE[kind]):
        orientation = orientation_number(kind, rotation)
        centre_x = x + 24 + _TILE_STEP * (rotation % 3)
        centre_y = y + 40 + 76 * (rotation // 3)
        name = orientation_name(orientation)
        elements += [
            loose_tile(orientation, centre_x, centre_y, _TILE_SIZE, name),
            text_element(str(rotation), centre_x, centre_y + 39, 13),
        ]
    return elements


def _heading(text: str, x: float, y: float) -> str:
    return text_element(text, x - 4, y, 13, anchor="start", fill=FAINT_INK)


def _bag(array: StateArray, x: float, y: float) -> str:
    elements = []
    for kind in range(TYPES):
        place = x + 16 + 58 * kind
        orientation = orientation_number(kind, 0)
        strands = ", ".join(f"{a}-{b}" for a, b in ORIENTATION_STRANDS[orientation])
        count = int(array[layout.BAG + kind])
        elements += [
            loose_tile(orientation, place, y + 30, 18, f"{type_name(kind)}: {strands}"),
            text_element(f"{count} {type_name(kind)}", place, y + 65, 13),
        ]
    return svg_element("g", "".join(elements))
