"""Boards for tests of traces, views and rendering, from tiles or from random matches."""

from __future__ import annotations

import random
from functools import cache

import watermeet as wm
from watermeet.core.options import Value
from watermeet.core.state import State
from watermeet.games.flows import layout, rules
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tests.positions import number_of
from watermeet.games.flows.tiles import orientation_number
from watermeet.testing import random_match

STRAIGHT_DOWN = dict.fromkeys(("e1", "e2", "d3", "d4", "c5", "c6", "b7"), "T0.0")
"""One winning strand between top and bottom."""
WALL = dict.fromkeys(("a7", "b7", "c7", "d7"), "T3.0")
"""Strands that turn back all along the bottom, so that Red is blocked."""


def laid(tiles: dict[str, str], **options: Value) -> State:
    """A state before seat 0 draws, with these tiles on the board: orientations by cell name."""
    game = flows(**options)
    state = game.start()
    array = state.play(next(iter(state.legal_actions))).array.copy()
    for name, text in tiles.items():
        kind, turns = int(text[1]), int(text[3])
        place = layout.CELLS + number_of(name, int(array[layout.RADIUS]))
        array[place] = 1 + orientation_number(kind, turns)
        array[layout.BAG + kind] -= 1
    rules.rebuild_cache(array)
    return State(game, array)


def in_hand(state: State, kind: int, seat: int = 0) -> State:
    """The same state, but a seat is to lay a tile of this type."""
    array = state.array.copy()
    array[layout.BAG + kind] -= 1
    array[layout.STAGE], array[layout.MOVER], array[layout.TILE] = layout.PLACE, seat, 1 + kind
    return State(state.game, array)


def holding(state: State, seat: int, kind: int) -> State:
    """The same state, but a seat holds a tile of this type."""
    array = state.array.copy()
    array[layout.BAG + kind] -= 1
    array[layout.HELD + seat] = 1 + kind
    return State(state.game, array)


def positions(count: int, **options: Value) -> list[State]:
    """Evenly spaced states of a fixed random match, the end included."""
    states = _match(flows(**options))
    return [states[place * (len(states) - 1) // count] for place in range(1, count + 1)]


@cache
def _match(game: wm.Game) -> tuple[State, ...]:
    longest = None if game.options.number("radius") <= 3 else 60  # Slow in plain Python.
    return random_match(game, random.Random(3), max_length=longest).states
