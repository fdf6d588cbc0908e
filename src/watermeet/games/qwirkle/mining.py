"""What makes a puzzle of Qwirkle: one turn scores the most, or one turn wins the ending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watermeet.core.state import State
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.names import Cell, cell_name, grid_of
from watermeet.games.qwirkle.rules import points_of
from watermeet.games.qwirkle.tiles import hand_size
from watermeet.games.qwirkle.turns import whole_turns

FEWEST_TURNS = 12
"""Fewer turns can all be compared at a glance."""
LEAST_LEAD = 2
"""By how many points the best turn is ahead of the next one."""
MANY_LINES = 3
MOST_IN_HANDS = 8
"""Endings with more tiles in both hands take long to prove."""

_NAMED = {"lines": ("tiles", "lines"), "fewer": ("tiles", "most"), "qwirkle": ("qwirkles",)}
"""What the sentences name beside the points."""

KINDS: dict[str, dict[str, Any]] = {
    "points": {
        "method": "points",
        "goal": "points",
        "bots": ("drop", "brook", "stream", "greedy"),
        "noise": 0.03,
        "share": 0.97,
        "easiest": 1.0,
    },
    "ending": {
        "method": "exhaustive",
        "goal": "win",
        "bots": ("brook", "stream", "greedy"),
        "noise": 0.02,
        "turns": (12,),
        "share": 0.3,
        "choices": 3,
        "limits": {"plies": 7, "states": 4_000, "ends": 400},
    },
}


def turns_of(state: State) -> list[tuple[int, tuple[str, ...]]]:
    """Every turn that places tiles, with its points."""
    return [(turn.points, turn.moves) for turn in whole_turns(state)]


def is_promising(kind: str, state: State) -> bool:
    """Whether the bag is as the kind needs it, and there is something to choose."""
    array = state.array
    left = int(array[layout.BAG_LEFT])
    if kind == "points":
        return left > 0 and int(array[layout.COUNT]) > 0
    in_hands = sum(int(hand_size(array.copy(), seat)) for seat in range(state.game.seats))
    lead = abs(int(points_of(array.copy(), 0)) - int(points_of(array.copy(), 1)))
    return left == 0 and 4 <= in_hands <= MOST_IN_HANDS and lead <= 24


def describe(
    kind: str, states: Sequence[State], line: Sequence[Sequence[str]], facts: Mapping[str, int]
) -> dict[str, Any] | None:
    """What makes the turn the best: lines, Qwirkles, or fewer tiles than another turn."""
    before, after = states[0], states[1]
    tiles = _placed(before, after)
    lines = _lines(after, tiles)
    qwirkles = sum(length == layout.LONGEST_LINE for length in lines)
    themes = ["qwirkle"] if qwirkles else []
    if len(lines) >= MANY_LINES:
        themes.append("lines")
    cells = [cell_name(cell) for cell in tiles]
    if kind == "ending":
        if not tiles:
            return None
        seat = before.to_move
        gained = int(points_of(after.array.copy(), seat)) - int(
            points_of(before.array.copy(), seat)
        )
        themes.append("ending")
        best = max(turn.points for turn in whole_turns(before))
        if gained < best:
            themes.append("patience")
        why = "patience" if gained < best else "ending"
        return {"themes": themes, "why": why, "facts": {"points": gained}, "cells": cells}
    most = max(len(turn.tiles) for turn in whole_turns(before))
    if len(tiles) < most:
        themes.append("fewer")
    is_hard = len(tiles) < most or len(lines) >= MANY_LINES
    if not is_hard or facts["ends"] < FEWEST_TURNS or facts["points"] - facts["next"] < LEAST_LEAD:
        return None
    why = "qwirkle" if qwirkles else "fewer" if len(tiles) < most else "lines"
    measured = {"lines": len(lines), "tiles": len(tiles), "most": most, "qwirkles": qwirkles}
    words = {
        "points": facts["points"],
        "next": facts["next"],
        **{name: measured[name] for name in _NAMED[why]},
    }
    return {"themes": themes, "why": why, "facts": words, "cells": cells}


def _placed(before: State, after: State) -> list[Cell]:
    older = grid_of(before.array)
    return [cell for cell in grid_of(after.array) if cell not in older]


def _lines(after: State, placed: Sequence[Cell]) -> list[int]:
    """How long the lines are that the placed tiles belong to."""
    grid, found = grid_of(after.array), set()
    for x, y in placed:
        for step_x, step_y in ((1, 0), (0, 1)):
            low = high = 0
            while (x + (low - 1) * step_x, y + (low - 1) * step_y) in grid:
                low -= 1
            while (x + (high + 1) * step_x, y + (high + 1) * step_y) in grid:
                high += 1
            if high > low:
                found.add((step_x, x + low * step_x, y + low * step_y, high - low + 1))
    return [line[-1] for line in found]
