"""What makes a puzzle of Flume: one turn wins, or ends further ahead than all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watermeet.core.contract import StateArray
from watermeet.core.squaregrid import point_name, symmetries
from watermeet.core.state import State
from watermeet.games.flume import layout
from watermeet.games.flume.rules import CONNECTIONS_TO_MOVE_AGAIN, connections

FEWEST_FREE, MOST_FREE = 7, 26
"""How many free points a puzzle has: fewer are trivial, and more take long to solve."""
MOST_STONES, MOST_MARGIN = 6, 11
"""A longer turn is tedious to play, and whoever is further ahead needs no care."""
_BOTS = ("drop", "brook", "stream")
_OPTIONS = ({"size": 5}, {"size": 7}, {"size": 7})

KINDS: dict[str, dict[str, Any]] = {
    "win": {
        "method": "solver",
        "goal": "win",
        "bots": _BOTS,
        "options": _OPTIONS,
        "noise": 0.1,
        "limits": {"nodes": 100_000},
        "share": 0.7,
    },
    "margin": {
        "method": "solver",
        "goal": "margin",
        "bots": _BOTS,
        "options": _OPTIONS,
        "noise": 0.1,
        "limits": {"nodes": 100_000},
        "share": 0.3,
    },
}


def is_promising(kind: str, state: State) -> bool:
    """Whether the board is neither nearly full nor nearly empty, and nobody may swap."""
    free, size = int(state.array[layout.FREE_LEFT]), int(state.array[layout.SIZE])
    is_size = FEWEST_FREE <= free <= min(MOST_FREE, size * size - 2)
    return is_size and len(_moving_again(state)) < MOST_STONES


def likeness(state: State) -> object:
    """The free points up to symmetry: colours don't matter for what follows."""
    size = int(state.array[layout.SIZE])
    free = [point for point in range(size * size) if _is_free(state.array, size, point)]
    return size, min(tuple(sorted(images[point] for point in free)) for images in symmetries(size))


def describe(
    kind: str, states: Sequence[State], line: Sequence[Sequence[str]], facts: Mapping[str, int]
) -> dict[str, Any] | None:
    """Why the first turn is right: it leaves stones, gives some away, or gives nothing."""
    before, after = states[0], states[1]
    stones = [
        int(each.array[layout.FREE_LEFT]) - int(then.array[layout.FREE_LEFT])
        for each, then in zip(states[::2], states[1::2], strict=False)
    ]
    least = 1 if kind == "win" else 3
    if (
        not least <= facts["margin"] <= MOST_MARGIN
        or max(stones) > MOST_STONES
        or after.to_move < 0
    ):
        return None
    taken = set(_moving_again(before)) & set(_moving_again(after))
    given = _moving_again(after)
    why = "leaves" if taken else "gives" if given else "waits"
    themes = [why]
    if stones[0] > 1:
        themes.append("several")
    if len(states) > 2:
        themes.append("long")
    size = int(before.array[layout.SIZE])
    cells = [point_name(point, size) for point in (sorted(taken) if why == "leaves" else given)]
    return {
        "themes": themes,
        "why": why,
        "facts": {"kind": kind, "count": len(cells), "margin": facts["margin"]},
        "cells": cells,
    }


def _is_free(array: StateArray, size: int, point: int) -> bool:
    return bool(array[layout.CELL_OF[size, point]] == layout.FREE)


def _moving_again(state: State) -> list[int]:
    """The free points where a stone would move again."""
    array = state.array.copy()
    size = int(array[layout.SIZE])
    return [
        point
        for point in range(size * size)
        if _is_free(array, size, point)
        and connections(array, int(layout.CELL_OF[size, point])) >= CONNECTIONS_TO_MOVE_AGAIN
    ]
