"""Simple players of Hex, to measure bots against."""

from __future__ import annotations

import random
from collections import deque

from watermeet.core.state import State

from .chain import neighbours, sides
from .notation import marks_of

_FAR = 10_000


def shortest(state: State, rng: random.Random) -> int:
    """Takes a cell that both players need for their shortest ways; never swaps."""
    size = state.game.options.number("size")
    marks = marks_of(state.game, state.array)
    needs = [_detours(marks, size, seat) for seat in (0, 1)]
    empty = [cell for cell, mark in enumerate(marks) if mark == 0]
    least = min(needs[0][cell] + needs[1][cell] for cell in empty)
    return rng.choice([cell for cell in empty if needs[0][cell] + needs[1][cell] == least])


def _detours(marks: list[int], size: int, seat: int) -> list[int]:
    """For each cell, the stones that a way through it still needs; an empty cell counts twice."""
    first, second = (_distances(marks, size, seat, side) for side in sides(size, seat))
    return [there + back for there, back in zip(first, second, strict=True)]


def _distances(marks: list[int], size: int, seat: int, side: range) -> list[int]:
    """For each cell, how many more stones connect it to a side, its own included."""
    cost = [0 if mark == seat + 1 else 1 if mark == 0 else _FAR for mark in marks]
    distances = [_FAR] * len(marks)
    queue: deque[int] = deque()
    for cell in side:
        if cost[cell] < _FAR:
            distances[cell] = cost[cell]
            queue.append(cell)
    while queue:
        cell = queue.popleft()
        for near in neighbours(cell, size):
            distance = distances[cell] + cost[near]
            if distance < distances[near]:
                distances[near] = distance
                queue.append(near)
    return distances


PLAYERS = {"shortest": shortest}
