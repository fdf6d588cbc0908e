"""What makes a puzzle of Hex: one stone wins by force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watermeet.core.state import State

KINDS: dict[str, dict[str, Any]] = {
    "win": {
        "method": "alpha-beta",
        "goal": "win",
        "bots": ("random", "drop"),
        "options": ({"size": 5, "pie": False},),
        "turns": (1, 2, 3, 4),
        "choices": 6,
        "limits": {"plies": 1, "nodes": 400_000},
    },
}


def describe(
    kind: str, states: Sequence[State], line: Sequence[Sequence[str]], facts: Mapping[str, int]
) -> dict[str, Any] | None:
    """In how many turns the stone wins; a single missing stone is too easy."""
    turns = facts["turns"]
    if turns == 1:
        return None
    return {
        "themes": [f"win{turns}"],
        "why": "wins",
        "facts": {"turns": turns, "stone": line[0][0]},
        "cells": list(line[0]),
    }
