"""What makes a puzzle of Flows: one placement connects, stops every threat, or wins by force.

A threat may also be a tile that nobody can place: whoever draws it wins (R4.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from watermeet.core.contract import CHANCE, StateArray
from watermeet.core.state import State
from watermeet.games.flows import layout
from watermeet.games.flows.evaluation import proven_returns

_BOTS = ("drop", "brook", "one_ply")
MANY_PLACEMENTS = 30
"""Where fewer placements are legal, the only route is easily found."""

KINDS: dict[str, dict[str, Any]] = {
    "connect": {
        "method": "exhaustive",
        "goal": "win",
        "bots": _BOTS,
        "noise": 0.1,
        "choices": MANY_PLACEMENTS,
        "easiest": 1.0,
        "limits": {"plies": 1, "states": 2_000, "ends": 2_000},
        "share": 0.2,
    },
    "stop": {
        "method": "exhaustive",
        "goal": "safe",
        "bots": _BOTS,
        "noise": 0.05,
        "choices": 8,
        "limits": {"plies": 1, "states": 20_000, "ends": 2_000},
        "share": 0.6,
    },
    "force": {
        "method": "exhaustive",
        "goal": "win",
        "bots": ("one_ply", "brook"),
        "options": ({"radius": 2}, {}),
        "noise": 0.05,
        "turns": (1, 2),
        "choices": 6,
        "limits": {"plies": 1, "states": 20_000, "ends": 2_000},
        "share": 0.4,
    },
    "unplayable": {
        "method": "exhaustive",
        "goal": "safe",
        "bots": _BOTS,
        "options": ({"radius": 2},),
        "noise": 0.1,
        "choices": 4,
        "limits": {"plies": 1, "states": 20_000, "ends": 2_000},
        "share": 0.1,
    },
}


def wins_now(array: StateArray) -> bool:
    """Whether whoever is to move can connect their team, and no other, with the tile in hand."""
    returns = np.zeros(int(array[layout.SEATS]))
    return int(proven_returns(array, returns)) == 1


def is_promising(kind: str, state: State) -> bool:
    """Whether the match is about to be decided."""
    if int(state.array[layout.STAGE]) != layout.PLACE:
        return False
    if kind == "unplayable":
        return _traps(state) > 0
    return (kind == "connect") <= wins_now(state.array.copy())


def _traps(state: State) -> int:
    """How many placements let nobody connect next, but leave a tile that can't be placed."""
    return sum(_is_trap(state.play(action)) for action in state.legal_actions)


def _is_trap(state: State) -> bool:
    if state.outcome is not None:
        return False
    drawn = [state.play(outcome) for outcome in state.legal_actions]
    if all(each.outcome is None for each in drawn):
        return False
    return not any(each.outcome is None and wins_now(each.array.copy()) for each in drawn)


def falls_short(state: State) -> tuple[str, dict[str, int]] | None:
    """A wrong answer that lets nobody connect, but leaves a tile that can't be placed."""
    return ("unplayable", {}) if state.to_move == CHANCE and _is_trap(state) else None


def describe(
    kind: str, states: Sequence[State], line: Sequence[Sequence[str]], facts: Mapping[str, int]
) -> dict[str, Any] | None:
    """What the placement does; None if another kind asks for it."""
    won = states[1].outcome is not None
    if won != (kind == "connect"):
        return None
    cell = line[0][0].partition("@")[2]
    tile = line[0][0].partition(".")[0]
    found = {"others": facts["ends"] - 1, "turns": facts["turns"]}
    if kind == "unplayable":
        found["traps"] = _traps(states[0])
    return {"themes": [kind, tile.lower()], "why": kind, "facts": found, "cells": [cell]}
