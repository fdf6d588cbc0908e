"""The view of a Flow state as plain data, made from the concealed array."""

from __future__ import annotations

from typing import Literal, TypedDict

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.view import SeatView
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_CELLS, BOAT_CELL, CELL_COUNT, SIZE
from watermeet.games.flow.names import (
    ANIMAL_NAMES,
    SCENARIO_OBSTACLE,
    cell_name,
    hand_of,
    laid_at,
    pile_left,
    player_name,
    tile_kind,
)
from watermeet.games.flow.paths import animal_paths, edge_letters
from watermeet.games.flow.sentences import sentence, turns_left
from watermeet.games.flow.tile_sets import KINDS

Clock = Literal["turns", "minute", "free"]
Due = Literal[
    # For an outcome of chance,
    "scenario", "obstacle", "deal", "draw", "card", "fish", "white", "black",
    # for a move,
    "boat", "turn", "lay", "carry", "die",
    "nothing",
]  # fmt: skip
_DUE: dict[int, Due] = {
    layout.DRAW_SCENARIO: "scenario",
    layout.LAY_OBSTACLE: "obstacle",
    layout.DEAL: "deal",
    layout.DRAW_TILE: "draw",
    layout.DRAW_CARD: "card",
    layout.FISH: "fish",
    layout.ROLL_WHITE: "white",
    layout.ROLL_BLACK: "black",
    layout.CHOOSE_BOAT_EDGE: "boat",
    layout.TURN: "turn",
    layout.HAND: "lay",
    layout.CARRY: "carry",
    layout.CHOOSE_DIE: "die",
    layout.FINISHED: "nothing",
}
_CLOCKS: tuple[Clock, ...] = ("turns", "minute", "free")
_DICE: tuple[Literal["white", "black", "both"] | None, ...] = (None, "white", "black", "both")


class Cell(TypedDict):
    """A space; column and row count from 0.

    ``tile``: a kind, None for a scenario obstacle. ``edges``: the open ones, such as ``NE``, also
    of animals and the boat. ``wet``: whether water reaches it from an animal.
    """

    name: str
    column: int
    row: int
    tile: str | None
    edges: str
    bird: bool
    wet: bool
    scenario: bool


class Animal(TypedDict):
    """An animal, and its way to the boat.

    ``path``: the cells of a shortest path from the animal to the boat, both included, empty if it
    isn't connected. ``missing``: a lower bound on the tiles it still needs, None if it is cut off
    (R4.4). ``missing_cells``: the empty cells of all paths that need no more.
    """

    name: str
    cell: str
    connected: bool
    path: list[str]
    missing: int | None
    missing_cells: list[str]


class Boat(TypedDict):
    """The boat."""

    cell: str
    edges: str


class Dice(TypedDict):
    """The dice: which were rolled, and the number of the white one."""

    rolled: Literal["white", "black", "both"] | None
    white: int | None


class Tiles(TypedDict):
    """Tiles off the board, by kind: face down, face up, and discarded."""

    down: dict[str, int]
    up: dict[str, int]
    discarded: dict[str, int]


class _Round(TypedDict):
    """The tile in hand, the clock and the dice.

    ``tile``: the kind that the mover has in hand, ``scenario`` for a scenario obstacle.
    ``lifted_from``: the cell that Current took it from. ``turns_left``: in this round, including
    this one, None if turns aren't counted. ``time_up``: whether a wave comes after this turn.
    ``calm``: whether Calm Waters is in play. ``card_played``: whether a card was, in this round.
    """

    tile: str | None
    lifted_from: str | None
    lifted_bird: bool
    clock: Clock
    turns_left: int | None
    time_up: bool
    calm: bool
    card_played: bool
    dice: Dice


class _Supplies(TypedDict):
    """Tiles, cards and birds off the board, and the scenarios.

    ``face_down``: how many tiles are. ``pile``: its size. ``unseen_cards``: by card, those in the
    pile and in hidden hands. ``scenarios``: those in play, by name.
    """

    tiles: Tiles
    face_down: int
    pile: int
    unseen_cards: dict[str, int]
    birds_left: int
    scenarios: dict[str, int]


class Board(_Round, _Supplies):
    """The board by number of cells, and the state of the round and the match.

    ``mover``: the seat that ``due`` concerns, None before cards are dealt and at the end. ``won``:
    None before the end.
    """

    cells: list[Cell]
    animals: list[Animal]
    boat: Boat
    due: Due
    mover: int | None
    won: bool | None


class Seat(SeatView):
    """A player; ``?`` is a hidden card."""

    hand: list[str]


class View(TypedDict):
    """What the page gets."""

    sentence: str
    seats: list[Seat]
    board: Board


def view(game: Game, array: StateArray, seat: int) -> View:
    """The board, the visible hands, and the state of the round and the match."""
    stage = int(array[layout.STAGE])
    has_no_mover = stage in (layout.DRAW_SCENARIO, layout.LAY_OBSTACLE, layout.FINISHED)
    return {
        "sentence": sentence(game, array),
        "seats": [
            {"label": player_name(index), "score": None, "hand": hand_of(array, index)}
            for index in range(game.seats)
        ],
        "board": {
            "cells": [_cell(array, cell) for cell in range(CELL_COUNT)],
            "animals": _animals(array),
            "boat": {
                "cell": cell_name(BOAT_CELL),
                "edges": edge_letters(int(array[layout.BOAT_EDGES])),
            },
            "due": _DUE[stage],
            "mover": None if has_no_mover else int(array[layout.MOVER]),
            "won": bool(array[layout.WON]) if stage == layout.FINISHED else None,
            **_round(array),
            **_supplies(array),
        },
    }


def _cell(array: StateArray, cell: int) -> Cell:
    laid = laid_at(array, cell)
    is_scenario = laid is not None and laid.kind == SCENARIO_OBSTACLE
    return {
        "name": cell_name(cell),
        "column": cell % SIZE,
        "row": cell // SIZE,
        "tile": None if laid is None or is_scenario else laid.kind,
        "edges": open_edges(array, cell),
        "bird": laid is not None and laid.has_bird,
        "wet": is_wet(array, cell),
        "scenario": is_scenario,
    }


def open_edges(array: StateArray, cell: int) -> str:
    """The open edges of a tile, an animal's space or the boat; none for an empty cell."""
    if cell == BOAT_CELL:
        return edge_letters(int(array[layout.BOAT_EDGES]))
    if cell in ANIMAL_CELLS:
        return ("NE", "NW", "ES", "SW")[ANIMAL_CELLS.index(cell)]
    laid = laid_at(array, cell)
    return "" if laid is None else laid.edges


def is_wet(array: StateArray, cell: int) -> bool:
    """Whether water reaches a cell from an animal."""
    return bool((int(array[layout.WET]) >> cell) & 1)


def _animals(array: StateArray) -> list[Animal]:
    return [
        {
            "name": name,
            "cell": cell_name(cell),
            "connected": bool(found.path),
            "path": [cell_name(each) for each in found.path],
            "missing": found.missing,
            "missing_cells": [cell_name(each) for each in found.missing_cells],
        }
        for name, cell, found in zip(ANIMAL_NAMES, ANIMAL_CELLS, animal_paths(array), strict=True)
    ]


def _round(array: StateArray) -> _Round:
    lifted = int(array[layout.LIFTED_FROM])
    return {
        "tile": tile_kind(int(array[layout.TILE])),
        "lifted_from": cell_name(lifted - 1) if lifted else None,
        "lifted_bird": bool(array[layout.LIFTED_BIRD]),
        "clock": _CLOCKS[int(array[layout.CLOCK])],
        "turns_left": turns_left(array),
        "time_up": bool(array[layout.TIME_UP]),
        "calm": bool(array[layout.CALM_PLAYED]),
        "card_played": bool(array[layout.CARD_PLAYED]),
        "dice": {
            "rolled": _DICE[int(array[layout.DICE])],
            "white": int(array[layout.WHITE]) or None,
        },
    }


def _supplies(array: StateArray) -> _Supplies:
    down = _counts(array, layout.FACE_DOWN, KINDS)
    return {
        "tiles": {
            "down": down,
            "up": _counts(array, layout.FACE_UP, KINDS),
            "discarded": _counts(array, layout.DISCARDED, KINDS),
        },
        "face_down": sum(down.values()),
        "pile": pile_left(array),
        "unseen_cards": _counts(array, layout.PILE, layout.CARD_NAMES),
        "birds_left": int(array[layout.BIRDS_LEFT]),
        "scenarios": {
            name: count
            for name, count in _counts(array, layout.IN_PLAY, layout.SCENARIO_NAMES).items()
            if count
        },
    }


def _counts(array: StateArray, first: int, names: tuple[str, ...]) -> dict[str, int]:
    return {name: int(array[first + place]) for place, name in enumerate(names)}
