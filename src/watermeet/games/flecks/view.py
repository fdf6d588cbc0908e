"""The view of a Flecks state as plain data. The game has no hidden information."""

from __future__ import annotations

from functools import cache
from typing import Literal, TypedDict, cast

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_name, cells
from watermeet.core.view import SeatView
from watermeet.games.flecks import layout, rules
from watermeet.games.flecks.board import BLUE, FREE, RED, touched_borders
from watermeet.games.flecks.connection import shortest_chain
from watermeet.games.flecks.explain import COLOUR_NAMES, explain_outcome
from watermeet.games.flecks.notation import cell_at, stones_at

Letter = Literal["", "r", "b"]
Due = Literal["opening", "add", "move", "either", "nothing"]
_LETTERS: dict[int, Letter] = {FREE: "", RED: "r", BLUE: "b"}


class Cell(TypedDict):
    """A cell at axial coordinates; ``borders`` has the letters of the borders that it touches."""

    name: str
    q: int
    r: int
    stone: Letter
    borders: str


class Board(TypedDict):
    """The cells by number: rows from the top, each from the left.

    ``turn``: when the match is over, who won. ``opening_left``: of Red, of Blue.
    """

    size: int
    border: str
    cells: list[Cell]
    turn: Letter
    due: Due
    opening_left: tuple[int, int]
    last_added: str | None
    idle: int
    chain: list[str]


class Seat(SeatView):
    """A colour; only a chain counts, so the number of stones is no score."""

    stones: int


class View(TypedDict):
    """What the page gets."""

    sentence: str
    seats: list[Seat]
    board: Board


def view(game: Game, array: StateArray, seat: int) -> View:
    """The cells with their stones and borders, and the state of the turn."""
    side = int(array[layout.SIDE])
    last, stones = int(array[layout.LAST]), stones_at(array)
    return {
        "sentence": sentence(game, array),
        "seats": [
            {"label": COLOUR_NAMES[colour], "score": None, "stones": stones.count(colour)}
            for colour in (RED, BLUE)
        ],
        "board": {
            "size": side,
            "border": str(game.options["border"]),
            "cells": _cells(array, stones),
            "turn": _LETTERS[int(array[layout.COLOUR])],
            "due": due(array),
            "opening_left": cast(tuple[int, int], list(opening_left(array))),  # JSON has no tuples.
            "last_added": cell_name(cell_at(side, last), side) if last else None,
            "idle": int(array[layout.IDLE]),
            "chain": [cell_name(cell, side) for cell in _winning_chain(array)],
        },
    }


def due(array: StateArray) -> Due:
    """What to play now: ``opening``, ``add``, ``move``, ``either`` of the two, or ``nothing``."""
    if array[layout.WINNER] != FREE:
        return "nothing"
    if array[layout.OPENING] > 0:
        return "opening"
    if array[layout.LAST] != 0:
        return "move"
    return "either" if rules.may_move_row(array) else "add"


def opening_left(array: StateArray) -> tuple[int, int]:
    """How many opening stones Red and Blue still have to place."""
    left = int(array[layout.OPENING])
    return left // 2, left - left // 2


def _winning_chain(array: StateArray) -> tuple[tuple[int, int], ...]:
    winner = int(array[layout.WINNER])
    return shortest_chain(array, winner) if winner != FREE else ()


def _cells(array: StateArray, stones: list[int]) -> list[Cell]:
    empty = _empty_cells(int(array[layout.SIDE]), int(array[layout.BORDER]))
    return [{**cell, "stone": _LETTERS[stone]} for cell, stone in zip(empty, stones, strict=True)]


@cache
def _empty_cells(side: int, border: int) -> tuple[Cell, ...]:
    """The part of the cells that never changes, cached because every view needs it."""
    return tuple(
        {
            "name": cell_name(cell, side),
            "q": cell[0],
            "r": cell[1],
            "stone": "",
            "borders": "".join(
                _LETTERS[colour]
                for colour in (RED, BLUE)
                if any(touched_borders(cell, side, border, colour))
            ),
        }
        for cell in cells(side)
    )


def sentence(game: Game, array: StateArray) -> str:
    """What happens now, in one sentence, with the number of stones."""
    if array[layout.WINNER] != FREE:
        return explain_outcome(game, array).sentence
    mover = COLOUR_NAMES[int(array[layout.COLOUR])]
    stones = stones_at(array)
    red, blue = stones.count(RED), stones.count(BLUE)
    return f"{mover} to {_choice(array)}. Red {red}, Blue {blue}.{_skipped(array)}"


def _skipped(array: StateArray) -> str:
    """A note if the other colour can't place a stone and is skipped (R4.4)."""
    other = RED + BLUE - int(array[layout.COLOUR])
    if array[layout.OPENING] > 0 or rules.can_add(array, other):
        return ""
    return f" {COLOUR_NAMES[other]} can't place a stone and is skipped."


def _choice(array: StateArray) -> str:
    colour = int(array[layout.COLOUR])
    beside = f"next to another {COLOUR_NAMES[colour].lower()} one"
    choices = {
        "move": "move a row or stop",
        "add": f"place a stone {beside}",
        "either": f"place a stone {beside}, or move a row",
    }
    if array[layout.OPENING] == 0:
        return choices[due(array)]
    side = int(array[layout.SIDE])
    if array[layout.OPENING] == rules.opening_stones(side):
        return f"place the first of {side - 3} opening stones, on the outer ring"
    left = opening_left(array)[int(colour == BLUE)]
    which = "the last opening stone" if left == 1 else f"an opening stone ({left} left)"
    return f"place {which} anywhere"
