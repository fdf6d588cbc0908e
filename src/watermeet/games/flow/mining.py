"""What makes a puzzle of Flow: the only way to save all four animals without drawing anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watermeet.core.state import State
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_COUNT, count_cells
from watermeet.games.flow.connectivity import connected_animals
from watermeet.games.flow.total_distance import total_distance

MOST_MISSING = 5
"""If the animals need more tiles together, nothing that is at hand saves them."""
_PLACING = (layout.CURRENT, layout.RETURN)

_SAVE: dict[str, Any] = {
    "method": "alone",
    "goal": "win",
    "bots": ("drop", "brook", "greedy"),
    "options": ({"seats": 1},),
    "noise": 0.15,
    "choices": 3,
    "easiest": 0.9,
    "limits": {"plies": 2, "nodes": 1_500_000, "ends": 60_000},
}
KINDS: dict[str, dict[str, Any]] = {
    "save1": {**_SAVE, "share": 0.55},
    "save2": {**_SAVE, "turns": (1, 2), "share": 0.75},
}


def is_promising(kind: str, state: State) -> bool:
    """Whether a turn begins, few tiles are missing, and some are at hand."""
    array = state.array
    if int(array[layout.STAGE]) != layout.TURN or not _supply(state):
        return False
    return 1 <= int(total_distance(array.copy())) <= MOST_MISSING


def _supply(state: State) -> int:
    """How many tiles can be placed without drawing."""
    array, hand = state.array, layout.HANDS + layout.CARD_KINDS * state.to_move
    up = sum(int(array[layout.FACE_UP + kind]) for kind in range(layout.KIND_COUNT))
    return up + sum(int(array[hand + card]) for card in _PLACING)


def falls_short(state: State) -> tuple[str, dict[str, int]]:
    """How many animals a wrong answer leaves behind."""
    left = ANIMAL_COUNT - int(count_cells(int(connected_animals(state.array.copy()))))
    return "animals", {"left": left}


def describe(
    kind: str, states: Sequence[State], line: Sequence[Sequence[str]], facts: Mapping[str, int]
) -> dict[str, Any] | None:
    """Which cards and tiles save the animals."""
    cards = [word.partition(":")[0] for word in line[0]]
    used = [card for card in layout.CARD_NAMES if card in cards]
    taken = cards.count("take")
    turns = int(states[1].array[layout.TURNS_DONE]) - int(states[0].array[layout.TURNS_DONE]) + 1
    if f"save{turns}" != kind:
        return None
    themes = [*used, *(["face_up"] if taken else []), *(["two_turns"] if turns > 1 else [])]
    cells = [word.partition("@")[2] for word in line[0] if "@" in word]
    why = used[0] if len(used) == 1 and not taken else "tiles" if not used else "several"
    return {"themes": themes, "why": why, "facts": {"turns": turns}, "cells": cells}
