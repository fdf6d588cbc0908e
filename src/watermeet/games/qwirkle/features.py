"""Network input for Qwirkle: see ``watermeet.core.features``.

The planes show a window of 31 by 31 cells around the first tile of the match. What grows out of it
on one side comes in again on the other, so that a grid anywhere fits if it is at most 29 wide and
high, which all of 400 random matches were; 3 in 100 left the window. Beyond that, tiles outside
the window aren't shown, and placing one there has no code.

Codes name tiles by kind and cells by their place in the window, while actions count slots in a hand
and neighbours of tiles. So the code of a placement is the same throughout a match, however the
grid and the hand change, and symmetries can permute codes.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.features import NO_CODE, NO_PLACE, FeatureArray, FeatureSpec, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.squaregrid import symmetries
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.grid import cell_x, cell_y
from watermeet.games.qwirkle.names import tile_name
from watermeet.games.qwirkle.rules import points_of, to_move

REACH = 15
"""How far the window extends from the first tile."""
WIDTH = 2 * REACH + 1
WINDOW = WIDTH * WIDTH
COLOURS = 6
STAGES = 6
MANY_POINTS = 250.0
"""The points that count as 1; more are clipped."""
LEAD = 50.0
"""The lead over the best other seat that counts as 1, level points being 0.5. The lead says most
about who wins, and a network finds it much sooner than in the points."""

PLANES = (
    *(f"colour {index}" for index in range(COLOURS)),
    *(f"shape {index}" for index in range(COLOURS)),
    "laid",  # In this turn,
    "last",  # and in the turn before.
)
_LAID, _LAST = 2 * COLOURS, 2 * COLOURS + 1
FOR_EACH_KIND = ("in my hand", "set aside", "unseen")  # Each as a fraction of three.
FOR_EACH_SEAT = ("to move", "points", "hand size", "lead")

TRADES = layout.KINDS * WINDOW
ENDS = TRADES + layout.KINDS  # Ending the turn, and passing.
DRAWS = ENDS + 2
LOTS_FROM = DRAWS + layout.KINDS
CODES = LOTS_FROM + layout.SEAT_COUNT


def spec_of(game: Game) -> FeatureSpec:
    """Planes by colour and by shape, then counts by kind and numbers for each seat."""
    kinds = [f"{what} {tile_name(kind)}" for what in FOR_EACH_KIND for kind in range(layout.KINDS)]
    seats = [f"{what}, seat +{step}" for step in range(game.seats) for what in FOR_EACH_SEAT]
    stages = [f"stage {stage}" for stage in range(STAGES)]
    others = ["aside", "bag", "passes", "exchanges"]
    return FeatureSpec(CODES, PLANES, WIDTH, WIDTH, (*kinds, *stages, *others, *seats))


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Encode the tiles in the window, the seat's own and unseen tiles, and all seats."""
    _observe_tiles(known, out)
    at = len(PLANES) * WINDOW
    aside = 0
    for slot in range(layout.HAND):
        tile = int(known[layout.HANDS + layout.HAND * seat + slot])
        if tile > 0:
            out[at + tile - 1] += np.float32(1 / layout.COPIES)
        tile = int(known[layout.ASIDE + slot])
        aside += int(tile != 0)
        if tile > 0:
            out[at + layout.KINDS + tile - 1] += np.float32(1 / layout.COPIES)
    for kind in range(layout.KINDS):
        out[at + 2 * layout.KINDS + kind] = np.float32(
            int(known[layout.BAG + kind]) / layout.COPIES
        )
    at += 3 * layout.KINDS
    out[at + int(known[layout.STAGE])] = np.float32(1)
    at += STAGES
    seats = int(known[layout.SEATS])
    out[at] = np.float32(aside / layout.HAND)
    out[at + 1] = np.float32(int(known[layout.BAG_LEFT]) / layout.TILE_COUNT)
    out[at + 2] = np.float32(int(known[layout.PASSES]) / seats)
    out[at + 3] = np.float32(int(known[layout.EXCHANGES]) / (int(known[layout.LIMIT]) * seats))
    _observe_seats(known, seat, out, at + 4)


@kernel
def _observe_tiles(known: StateArray, out: FeatureArray) -> None:
    """Fill the planes, which hold zeros."""
    first_laid = int(known[layout.COUNT]) - int(known[layout.LAID])
    for tile in range(int(known[layout.COUNT])):
        cell = window_cell(known, int(known[layout.XS + tile]), int(known[layout.YS + tile]))
        if cell == NO_CODE:
            continue
        kind = int(known[layout.TILES + tile]) - 1
        out[kind // COLOURS * WINDOW + cell] = np.float32(1)
        out[(COLOURS + kind % COLOURS) * WINDOW + cell] = np.float32(1)
        if tile >= first_laid:
            out[_LAID * WINDOW + cell] = np.float32(1)
        elif tile >= first_laid - int(known[layout.LAST]):
            out[_LAST * WINDOW + cell] = np.float32(1)


@kernel
def _observe_seats(known: StateArray, seat: int, out: FeatureArray, at: int) -> None:
    """Encode each seat, starting with the seat's own."""
    seats = int(known[layout.SEATS])
    for step in range(seats):
        other = (seat + step) % seats
        held = 0
        for slot in range(layout.HAND):
            held += int(known[layout.HANDS + layout.HAND * other + slot] != 0)
        out[at] = np.float32(to_move(known) == other)
        out[at + 1] = np.float32(min(points_of(known, other) / MANY_POINTS, 1.0))
        out[at + 2] = np.float32(held / layout.HAND)
        lead = 0.5 + 0.5 * _lead(known, other) / LEAD
        out[at + 3] = np.float32(min(max(lead, 0.0), 1.0))
        at += len(FOR_EACH_SEAT)


@kernel
def _lead(known: StateArray, seat: int) -> int:
    """By how many points a seat is ahead of the best other one; negative if it is behind."""
    best = -1
    for other in range(int(known[layout.SEATS])):
        if other != seat:
            best = max(best, points_of(known, other))
    return points_of(known, seat) - best


@kernel
def window_cell(known: StateArray, x: int, y: int) -> int:
    """The index in a plane of a cell with a tile or next to one; NO_CODE if it has none."""
    column, row = _wrapped(known, layout.XS, x), _wrapped(known, layout.YS, y)
    return NO_CODE if min(column, row) < 0 else row * WIDTH + column


@kernel
def _wrapped(known: StateArray, places: int, at: int) -> int:
    """The column (or row) of the window for one of the grid; ``places`` are those of the tiles."""
    if -REACH <= at <= REACH:
        return at + REACH
    low, high = 0, 0
    for tile in range(int(known[layout.COUNT])):
        low = min(low, int(known[places + tile]))
        high = max(high, int(known[places + tile]))
    if high - low + 3 > WIDTH:  # With a cell on either side: two would fall on the same.
        return NO_CODE
    return (at + REACH) % WIDTH


@kernel
def encode(known: StateArray, action: int) -> int:
    """Encode placements by kind and cell, trades by kind, and the rest in order."""
    if action >= layout.FIRST_SEAT:
        return LOTS_FROM + action - layout.FIRST_SEAT
    if action >= layout.DRAW:
        return DRAWS + action - layout.DRAW
    if action >= layout.END:
        return ENDS + action - layout.END
    hand = layout.HANDS + layout.HAND * int(known[layout.MOVER])
    if action >= layout.TRADE:
        return TRADES + int(known[hand + action - layout.TRADE]) - 1
    number, slot = divmod(action, layout.SLOTS)
    cell = window_cell(known, cell_x(known, number), cell_y(known, number))
    if cell == NO_CODE:
        return NO_CODE
    return (int(known[hand + slot]) - 1) * WINDOW + cell


# ---- symmetries ---------------------------------------------------------------------------------


def symmetries_of(game: Game) -> list[Symmetry]:
    """The eight symmetries of the grid.

    Permuting colours or shapes isn't one, because tiles are set aside in order of kind.
    """
    features = spec_of(game)
    found = []
    for images in symmetries(WIDTH):
        codes = [kind * WINDOW + cell for kind in range(layout.KINDS) for cell in images]
        found.append(symmetry(features, images, [*codes, *range(TRADES, CODES)]))
    return found


def places_of(game: Game) -> list[int]:
    """Placements belong to their cells, a kind of tile each; nothing else has a place."""
    return [*range(TRADES), *[NO_PLACE] * (CODES - TRADES)]
