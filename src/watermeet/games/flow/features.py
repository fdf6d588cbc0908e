"""Network input for Flow: see ``watermeet.core.features``.

Planes list the cells in order of their numbers, bottom row first. The hand-made features of
``evaluate`` are in evaluation_features.py.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.features import NO_PLACE, FeatureArray, FeatureSpec, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import (
    ANIMAL_CELL,
    ANIMAL_COUNT,
    ANIMAL_EDGES,
    BOAT_CELL,
    CELL_COUNT,
    SIZE,
)
from watermeet.games.flow.rules import to_move
from watermeet.games.flow.shapes import (
    EDGE_LETTERS,
    EDGES,
    OBSTACLE,
    SHAPE_COUNT,
    SHAPE_EDGES,
    SHAPE_KIND,
    SHAPES,
)
from watermeet.games.flow.tile_sets import KINDS, TILE_COUNT

PIPS = 6
STAGES = layout.FINISHED + 1
IN_HAND = 2 + layout.KIND_COUNT  # Nothing, each kind, a scenario tile.
MAX_PENDING = 12
_CARDS = np.array(layout.CARD_COUNTS)
_SCENARIOS = np.array(layout.SCENARIO_COUNTS)
_ALL_CARDS = sum(layout.CARD_COUNTS)
_LIFTED_TILE = 1 + layout.KIND_COUNT

PLANES = (
    *(f"open {edge}" for edge in EDGE_LETTERS),  # Tiles, animals and the boat.
    "tile",
    "obstacle",
    "scenario tile",
    "bird",
    "boat",
    "animal",
    "lifted from",  # Where Current took the tile in hand from.
)
_OPEN, _TILE = 0, EDGES
_OBSTACLE, _SCENARIO, _BIRD, _BOAT, _ANIMAL, _LIFTED = range(_TILE + 1, len(PLANES))
_FIRST_NUMBERS = (
    *(f"stage {stage}" for stage in range(STAGES)),
    "nothing in hand",
    *(f"{kind} in hand" for kind in KINDS),
    "scenario tile in hand",
    *(f"white die {pip}" for pip in range(1, PIPS + 1)),
)
_NUMBERS = (
    "white die due",
    "black die due",
    "bird lifted",
    "turns done",  # As a fraction of the round.
    "time up",
    "card played",
    "calm waters",
    "idle rounds",
    "to come",
    "birds left",
    "scenarios to draw",
    *(f"{name} in play" for name in layout.SCENARIO_NAMES),
    *(f"{kind} {where}" for kind in KINDS for where in ("face down", "face up", "discarded")),
    *(f"{card} unseen" for card in layout.CARD_NAMES),
)
_BY_CELL = (
    layout.LAY_SCENARIO,
    layout.PLAY_SUPPORT,
    layout.PLAY_BIRD,
    layout.PLAY_CURRENT,
    layout.CHANCE_OBSTACLE,
)
"""The first actions of those that count cells."""
_FOR_EACH_SEAT = ("to move", *(f"{card} held" for card in layout.CARD_NAMES), "hidden cards")


def spec_of(game: Game) -> FeatureSpec:
    """Planes of the cells, then numbers for the round and for each seat."""
    seats = [f"{what}, seat +{step}" for step in range(game.seats) for what in _FOR_EACH_SEAT]
    numbers = (*_FIRST_NUMBERS, *_NUMBERS, *seats)
    return FeatureSpec(game.sizes.actions, PLANES, SIZE, SIZE, numbers)


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Encode the board, the round, the supplies and the hands."""
    for cell in range(CELL_COUNT):
        _observe_cell(known, cell, out)
    for animal in range(ANIMAL_COUNT):
        cell = int(ANIMAL_CELL[animal])
        _observe_edges(int(ANIMAL_EDGES[animal]), cell, out)
        out[_ANIMAL * CELL_COUNT + cell] = np.float32(1)
    _observe_edges(int(known[layout.BOAT_EDGES]), BOAT_CELL, out)
    out[_BOAT * CELL_COUNT + BOAT_CELL] = np.float32(1)
    if known[layout.LIFTED_FROM] > 0:
        out[_LIFTED * CELL_COUNT + int(known[layout.LIFTED_FROM]) - 1] = np.float32(1)
    at = len(PLANES) * CELL_COUNT
    out[at + int(known[layout.STAGE])] = np.float32(1)
    at += STAGES
    tile = int(known[layout.TILE])
    out[at + (_LIFTED_TILE if tile == layout.SCENARIO_TILE else tile)] = np.float32(1)
    at += IN_HAND
    if known[layout.WHITE] > 0:
        out[at + int(known[layout.WHITE]) - 1] = np.float32(1)
    _observe_round(known, out, at + PIPS)
    _observe_seats(known, seat, out, at + PIPS + len(_NUMBERS))


@kernel
def _observe_cell(known: StateArray, cell: int, out: FeatureArray) -> None:
    content = int(known[layout.CELLS + cell])
    tile = content % layout.BIRD_ON
    if tile == 0:
        return
    out[_TILE * CELL_COUNT + cell] = np.float32(1)
    out[_BIRD * CELL_COUNT + cell] = np.float32(content >= layout.BIRD_ON)
    if tile == layout.SCENARIO_TILE:
        out[_SCENARIO * CELL_COUNT + cell] = np.float32(1)
        return
    out[_OBSTACLE * CELL_COUNT + cell] = np.float32(SHAPE_KIND[tile - 1] == OBSTACLE)
    _observe_edges(int(SHAPE_EDGES[tile - 1]), cell, out)


@kernel
def _observe_edges(edges: int, cell: int, out: FeatureArray) -> None:
    for edge in range(EDGES):
        out[(_OPEN + edge) * CELL_COUNT + cell] = np.float32((edges >> edge) & 1)


@kernel
def _observe_round(known: StateArray, out: FeatureArray, at: int) -> None:
    """Encode what concerns everybody, in the order of _NUMBERS."""
    out[at] = np.float32((int(known[layout.DICE]) & layout.WHITE_DIE) != 0)
    out[at + 1] = np.float32((int(known[layout.DICE]) & layout.BLACK_DIE) != 0)
    out[at + 2] = np.float32(known[layout.LIFTED_BIRD] != 0)
    out[at + 3] = np.float32(min(int(known[layout.TURNS_DONE]) / int(known[layout.TURNS]), 1.0))
    out[at + 4] = np.float32(known[layout.TIME_UP] != 0)
    out[at + 5] = np.float32(known[layout.CARD_PLAYED] != 0)
    out[at + 6] = np.float32(known[layout.CALM_PLAYED] != 0)
    out[at + 7] = np.float32(min(int(known[layout.IDLE_ROUNDS]) / layout.MAX_IDLE_ROUNDS, 1.0))
    out[at + 8] = np.float32(min(int(known[layout.PENDING]) / MAX_PENDING, 1.0))
    out[at + 9] = np.float32(int(known[layout.BIRDS_LEFT]) / layout.BIRD_COUNT)
    out[at + 10] = np.float32(int(known[layout.SCENARIOS]) / 6)
    at += 11
    for scenario in range(layout.SCENARIO_KINDS):
        in_play = int(known[layout.IN_PLAY + scenario]) / int(_SCENARIOS[scenario])
        out[at + scenario] = np.float32(min(in_play, 1.0))
    at += layout.SCENARIO_KINDS
    for kind in range(layout.KIND_COUNT):
        out[at] = np.float32(int(known[layout.FACE_DOWN + kind]) / TILE_COUNT)
        out[at + 1] = np.float32(int(known[layout.FACE_UP + kind]) / TILE_COUNT)
        out[at + 2] = np.float32(int(known[layout.DISCARDED + kind]) / TILE_COUNT)
        at += 3
    for card in range(layout.CARD_KINDS):
        out[at + card] = np.float32(int(known[layout.PILE + card]) / int(_CARDS[card]))


@kernel
def _observe_seats(known: StateArray, seat: int, out: FeatureArray, at: int) -> None:
    """Encode each seat's hand, starting with the seat's own."""
    seats = int(known[layout.SEATS])
    for step in range(seats):
        other = (seat + step) % seats
        out[at] = np.float32(to_move(known) == other)
        for card in range(layout.CARD_KINDS):
            held = int(known[layout.HANDS + other * layout.CARD_KINDS + card])
            out[at + 1 + card] = np.float32(held / int(_CARDS[card]))
        out[at + 1 + layout.CARD_KINDS] = np.float32(
            int(known[layout.HIDDEN_CARDS + other]) / _ALL_CARDS
        )
        at += len(_FOR_EACH_SEAT)


# ---- symmetries ---------------------------------------------------------------------------------


def symmetries_of(game: Game) -> list[Symmetry]:
    """The reflections of rows, columns or both; rows and columns have different dice."""
    return [_flip(game, rows, columns) for rows in (False, True) for columns in (False, True)]


def _flip(game: Game, rows: bool, columns: bool) -> Symmetry:
    features, last = spec_of(game), SIZE - 1
    cells = [
        (last - row if rows else row) * SIZE + (last - column if columns else column)
        for row in range(SIZE)
        for column in range(SIZE)
    ]
    edges = [2, 1, 0, 3] if rows else [0, 1, 2, 3]
    edges = [(edge + 2) % EDGES if columns and edge % 2 else edge for edge in edges]
    shapes = [SHAPES.index((kind, _flipped(letters, edges))) for kind, letters in SHAPES]
    white = [PIPS - 1 - pip if rows else pip for pip in range(PIPS)]
    black = [PIPS - 1 - pip if columns else pip for pip in range(PIPS)]
    codes = [SHAPE_COUNT * cell + shape for cell in cells for shape in shapes]
    codes += range(len(codes), features.codes)
    for first in _BY_CELL:
        codes[first : first + CELL_COUNT] = [first + cell for cell in cells]
    for first, images in (
        (layout.BOAT_EDGE, edges),
        (layout.CHANCE_WHITE, white),
        (layout.CHANCE_BLACK, black),
    ):
        codes[first : first + len(images)] = [first + image for image in images]
    numbers = list(range(len(features.numbers)))
    die = STAGES + IN_HAND
    numbers[die : die + PIPS] = [die + pip for pip in white]
    return symmetry(features, cells, codes, [*edges, *range(EDGES, len(PLANES))], numbers)


def _flipped(letters: str, edges: list[int]) -> str:
    """The images of a shape's edges, in the order N, E, S, W."""
    places = sorted(edges[EDGE_LETTERS.index(letter)] for letter in letters)
    return "".join(EDGE_LETTERS[place] for place in places)


def places_of(game: Game) -> list[int]:
    """Whatever is done to a cell belongs to it: a shape laid there, cards, chance's obstacles."""
    places = [NO_PLACE] * layout.ACTION_COUNT
    for cell in range(CELL_COUNT):
        for shape in range(SHAPE_COUNT):
            places[layout.LAY + SHAPE_COUNT * cell + shape] = shape * CELL_COUNT + cell
        for step, first in enumerate(_BY_CELL):
            places[first + cell] = (SHAPE_COUNT + step) * CELL_COUNT + cell
    return places
