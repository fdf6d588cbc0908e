"""What a seat knows of a Flecks match, as plain data. Nothing is hidden in this game."""

from __future__ import annotations

from functools import cache
from typing import Any

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_name, cells
from watermeet.games.flecks import rules
from watermeet.games.flecks.board import BLUE, FREE, RED, touched_borders
from watermeet.games.flecks.chain import shortest_chain
from watermeet.games.flecks.explain import COLOUR_NAMES, explain_outcome
from watermeet.games.flecks.notation import cell_at, stones_at
from watermeet.games.flecks.rules import BORDER, COLOUR, IDLE, LAST, OPENING, SIDE, WINNER

_LETTERS = {FREE: "", RED: "r", BLUE: "b"}


def view(game: Game, array: StateArray, seat: int) -> dict[str, Any]:
    """The cells with their stones and borders, and how the match stands."""
    side = int(array[SIDE])
    last, stones = int(array[LAST]), stones_at(array)
    return {
        "sentence": sentence(game, array),
        "seats": [
            {"label": COLOUR_NAMES[colour], "score": stones.count(colour)} for colour in (RED, BLUE)
        ],
        "board": {
            "size": side,
            "border": str(game.options["border"]),
            "cells": _cells(array, stones),  # By number: rows from the top, each from the left.
            "turn": _LETTERS[int(array[COLOUR])],  # When the match is over: who won.
            "due": due(array),
            "opening_left": list(opening_left(array)),  # Of red, of blue.
            "last_added": cell_name(cell_at(side, last), side) if last else None,
            "idle": int(array[IDLE]),
            "chain": [cell_name(cell, side) for cell in _winning_chain(array)],
        },
    }


def due(array: StateArray) -> str:
    """What is to be done: an ``opening`` stone, ``add``, ``move``, either of these, or nothing."""
    if array[WINNER] != FREE:
        return "nothing"
    if array[OPENING] > 0:
        return "opening"
    if array[LAST] != 0:
        return "move"
    return "either" if rules.may_move_row(array) else "add"


def opening_left(array: StateArray) -> tuple[int, int]:
    """How many opening stones Red and Blue have still to place."""
    left = int(array[OPENING])
    return left // 2, left - left // 2


def _winning_chain(array: StateArray) -> tuple[tuple[int, int], ...]:
    winner = int(array[WINNER])
    return shortest_chain(array, winner) if winner != FREE else ()


def _cells(array: StateArray, stones: list[int]) -> list[dict[str, Any]]:
    empty = _empty_cells(int(array[SIDE]), int(array[BORDER]))
    return [{**cell, "stone": _LETTERS[stone]} for cell, stone in zip(empty, stones, strict=True)]


@cache
def _empty_cells(side: int, border: int) -> tuple[dict[str, Any], ...]:
    """What no match changes: made once, for a page asks for it after every move."""
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
    """What happens now, for people."""
    if array[WINNER] != FREE:
        return explain_outcome(game, array).sentence
    mover = COLOUR_NAMES[int(array[COLOUR])]
    stones = stones_at(array)
    red, blue = stones.count(RED), stones.count(BLUE)
    return f"{mover} {_choice(array)}. Red {red}, Blue {blue}.{_skipped(array)}"


def _skipped(array: StateArray) -> str:
    """Why the other colour may have had no turn (R4.4)."""
    other = RED + BLUE - int(array[COLOUR])
    if array[OPENING] > 0 or rules.can_add(array, other):
        return ""
    return f" {COLOUR_NAMES[other]} has no room to add a stone."


def _choice(array: StateArray) -> str:
    colour = int(array[COLOUR])
    beside = f"beside a {COLOUR_NAMES[colour].lower()} one"
    choices = {
        "move": "moves a row, or stops",
        "add": f"adds a stone {beside}",
        "either": f"adds a stone {beside}, or moves a row",
    }
    if array[OPENING] == 0:
        return choices[due(array)]
    side = int(array[SIDE])
    if array[OPENING] == rules.opening_stones(side):
        return f"adds the first of {side - 3} opening stones, on the rim"
    left = opening_left(array)[int(colour == BLUE)]
    which = "the last opening stone" if left == 1 else f"an opening stone, one of {left} left"
    return f"adds {which}, anywhere"
