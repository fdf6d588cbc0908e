"""Positions for tests of views and rendering, from tiles or from random matches."""

from __future__ import annotations

import random
from functools import cache

import watermeet as wm
from watermeet.core.options import Value
from watermeet.core.state import State
from watermeet.games.flow import layout, rules
from watermeet.games.flow.shapes import SHAPES
from watermeet.games.flow.tests.positions import flow, number_of
from watermeet.games.flow.tile_sets import KINDS
from watermeet.testing import random_match

LOWER_CROSS = dict.fromkeys(("b1", "c1", "e1", "f1"), "EW") | {"d1": "NESW", "d2": "NS", "d3": "NS"}
UPPER_CROSS = dict.fromkeys(("b7", "c7", "e7", "f7"), "EW") | {"d7": "NESW", "d6": "NS", "d5": "NS"}
ALL_JOINED = LOWER_CROSS | UPPER_CROSS
"""The background of the rules: an H that lies on its side."""


def shape_of(edges: str) -> int:
    """The shape that is open at some edges."""
    return next(number for number, (_, each) in enumerate(SHAPES) if each == edges)


def laid(tiles: dict[str, str], /, **options: Value) -> State:
    """Seat 0 begins a turn, with these tiles: edges by cell, X for a scenario obstacle, v: bird."""
    game = flow(**options)
    array = game.start().array.copy()
    for name, text in tiles.items():
        edges = text.removesuffix("v")
        place = layout.CELLS + number_of(name)
        array[place] = layout.SCENARIO_TILE if edges == "X" else 1 + shape_of(edges)
        if edges != "X":
            array[layout.FACE_DOWN + SHAPES[shape_of(edges)][0]] -= 1
        if text.endswith("v"):
            array[place] += layout.BIRD_ON
            array[layout.BIRDS_LEFT] -= 1
    array[layout.STAGE] = layout.TURN
    rules.rebuild_cache(array)
    return State(game, array)


def changed(state: State, **fields: int) -> State:
    """The same, but with other numbers at places of the array, by the names in layout.py."""
    array = state.array.copy()
    for name, value in fields.items():
        array[getattr(layout, name)] = value
    rules.rebuild_cache(array)
    return State(state.game, array)


def holding(state: State, seat: int, *cards: str) -> State:
    """The same, but a seat has these cards from the pile."""
    array = state.array.copy()
    for card in map(layout.CARD_NAMES.index, cards):
        array[layout.PILE + card] -= 1
        array[layout.HANDS + seat * layout.CARD_KINDS + card] += 1
    return State(state.game, array)


def in_hand(state: State, kind: str, seat: int = 0) -> State:
    """The same, but a seat has drawn a tile of a kind."""
    array = state.array.copy()
    number = KINDS.index(kind)
    array[layout.FACE_DOWN + number] -= 1
    array[layout.STAGE], array[layout.MOVER], array[layout.TILE] = layout.HAND, seat, 1 + number
    return State(state.game, array)


def positions(count: int, **options: Value) -> list[State]:
    """Evenly spaced states of a fixed random match, the end included."""
    states = _match(flow(**options))
    return [states[place * (len(states) - 1) // count] for place in range(1, count + 1)]


@cache
def _match(game: wm.Game) -> tuple[State, ...]:
    return random_match(game, random.Random(3)).states
