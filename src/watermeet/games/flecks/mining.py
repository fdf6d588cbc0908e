"""What makes a puzzle of Flecks: one turn wins at once, or by force with the next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from watermeet.core.contract import StateArray
from watermeet.core.state import State
from watermeet.games.flecks import layout
from watermeet.games.flecks.exact_threats import wins_this_turn

_ROW = re.compile(r"([a-z]\d+)-([a-z]+)(\d+)")

KINDS: dict[str, dict[str, Any]] = {
    "win1": {
        "method": "alpha-beta",
        "goal": "win",
        "bots": ("drop", "drop", "brook"),
        "options": ({"size": 5}, {"size": 5}, {}),
        "noise": 0.12,
        "choices": 6,
        "easiest": 0.95,
        "limits": {"plies": 2, "nodes": 100_000},
        "share": 0.8,
    },
    "win2": {
        "method": "exhaustive",
        "goal": "win",
        "bots": ("drop", "brook", "brook"),
        "options": ({"size": 5},),
        "noise": 0.08,
        "turns": (1, 2),
        "choices": 6,
        "easiest": 0.95,
        "limits": {"plies": 2, "states": 60_000, "ends": 6_000},
        "share": 0.5,
    },
}


def wins_now(array: StateArray) -> bool:
    """Whether whoever is to move can win in this turn."""
    return bool(wins_this_turn(array))


def is_promising(kind: str, state: State) -> bool:
    """Whether the opening is over, and this turn wins or doesn't, as the kind needs it."""
    if int(state.array[layout.OPENING]) > 0:
        return False
    return wins_now(state.array.copy()) == (kind == "win1")


def describe(
    kind: str, states: Sequence[State], line: Sequence[Sequence[str]], facts: Mapping[str, int]
) -> dict[str, Any] | None:
    """What the first turn does: a stone and a row connect, or threaten more than can be stopped."""
    stone, *rest = line[0]
    row = _ROW.fullmatch(rest[0]) if rest else None
    turns = facts["turns"]
    themes = [f"win{turns}"]
    if row is not None:
        themes.append("row" if int(row[3]) > 1 else "step")
        if row[1] == stone:
            themes.append("new_stone")
    else:
        themes.append("stone")
    if f"win{turns}" != kind or (turns == 1 and row is None):
        return None  # Whoever sees the chain sees the cell.
    why = "connects" if turns == 1 else "threatens"
    named: dict[str, str | int] = {"stone": stone}
    if row is not None:
        named |= {"rear": row[1], "steps": int(row[3])}
    return {
        "themes": themes,
        "why": why if row is not None else f"{why}_stone",
        "facts": {"turns": turns, **named},
        "cells": [stone] if row is None else [stone, row[1]],
    }
