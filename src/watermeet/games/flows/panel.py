"""What stands beside the board in a picture of Flows: seats, the tile in hand, what is unseen."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import svg_element
from watermeet.games.flows.layout import BAG, FINISHED, LOT, MOVER, NO_TILE, STAGE, UNKNOWN
from watermeet.games.flows.names import (
    SIDE_NAMES,
    filling_name,
    partner,
    seat_name,
    side_of,
    tile_name,
    tile_of,
    tile_shown,
    type_name,
    winning_teams,
)
from watermeet.games.flows.paint import (
    FAINT_INK,
    TILE,
    face_down_tile,
    loose_tile,
    owned_path,
    words,
)
from watermeet.games.flows.tiles import FILLING_STRANDS, TURNS_OF_TYPE, TYPES, filling_number
from watermeet.games.flows.view import blocked_teams

PANEL_WIDTH = 236.0
_SEAT_STEP = 42.0
_TILE_SIZE = 23.0
_TILE_STEP = 76.0


def panel_height(game: Game) -> float:
    """How much room the panel needs at most."""
    return _SEAT_STEP * game.seats + 2 * 76 + 30 + 96


def panel(game: Game, array: StateArray, seat: int, x: float, y: float) -> list[str]:
    """All of it, from a point on."""
    elements = []
    blocked = blocked_teams(game, array) or []
    for index in range(game.seats):
        is_blocked = any(index in team for team in blocked)
        elements += _seat(game, array, index, is_blocked, x, y + _SEAT_STEP * index)
    y += _SEAT_STEP * game.seats + 18
    elements += _tile(array, seat, x, y)
    y += 30 + 2 * 76
    elements += _bag(array, x, y, is_concealed=seat >= -1)
    return elements


def _seat(
    game: Game, array: StateArray, seat: int, is_blocked: bool, x: float, y: float
) -> list[str]:
    """A piece of the seat's strand, its name, and where it sits."""
    won = any(seat in team for team in winning_teams(game, array))
    acts = seat == array[MOVER] and array[STAGE] not in (LOT, FINISHED)
    side, other = side_of(array, seat), partner(game, seat)
    facts = ["no side yet" if side is None else SIDE_NAMES[side]]
    facts += [] if other is None else [f"with {seat_name(other)}"]
    facts += ["blocked"] if is_blocked else []
    name = seat_name(seat) + (" wins" if won else "")
    sample = f"M{x:.6g} {y + 12:.6g}H{x + 46:.6g}"
    elements = [
        svg_element("rect", x=x - 4, y=y, width=54, height=24, rx=6, fill=TILE),
        *owned_path(sample, (seat,), 10.0),
        words(name, x + 60, y + 10, 15, anchor="start", weight="bold" if acts or won else "normal"),
        words(", ".join(facts), x + 60, y + 26, 12, anchor="start", fill=FAINT_INK),
    ]
    if acts:
        elements.append(words("▸", x - 12, y + 18, 18))
    tile = tile_of(array, seat)
    if tile == UNKNOWN:
        elements.append(face_down_tile(x + 218, y + 13, 12))
    elif tile != NO_TILE:
        elements.append(words(tile_name(tile) or "", x + 214, y + 17, 14, weight="bold"))
    return elements


def _tile(array: StateArray, seat: int, x: float, y: float) -> list[str]:
    """The tile in hand in all its turns, or its back."""
    shown = tile_shown(array, seat)
    if shown is None:
        return []
    owner, tile = shown
    if tile == UNKNOWN:
        head = f"{seat_name(owner)}'s tile"
        return [_head(head, x, y), face_down_tile(x + 28, y + 44, 1.2 * _TILE_SIZE)]
    kind = tile - 1
    elements = [_head(f"{seat_name(owner)}'s tile, {type_name(kind)}, and its turns", x, y)]
    for turns in range(TURNS_OF_TYPE[kind]):
        filling = filling_number(kind, turns)
        centre_x = x + 24 + _TILE_STEP * (turns % 3)
        centre_y = y + 40 + 76 * (turns // 3)
        elements += [
            loose_tile(filling, centre_x, centre_y, _TILE_SIZE, filling_name(filling)),
            words(str(turns), centre_x, centre_y + 39, 13),
        ]
    return elements


def _head(text: str, x: float, y: float) -> str:
    return words(text, x - 4, y, 13, anchor="start", fill=FAINT_INK)


def _bag(array: StateArray, x: float, y: float, *, is_concealed: bool) -> list[str]:
    elements = [_head("Unseen tiles" if is_concealed else "Tiles in the bag", x, y)]
    for kind in range(TYPES):
        place = x + 16 + 58 * kind
        filling = filling_number(kind, 0)
        strands = ", ".join(f"{a}-{b}" for a, b in FILLING_STRANDS[filling])
        elements += [
            loose_tile(filling, place, y + 30, 18, f"{type_name(kind)}: {strands}"),
            words(f"{int(array[BAG + kind])} {type_name(kind)}", place, y + 65, 13),
        ]
    return elements
