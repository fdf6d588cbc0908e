"""Simple players without search, as baselines for bots."""

from __future__ import annotations

import random

from watermeet.core.state import State
from watermeet.games.flume import layout
from watermeet.games.flume.rules import CONNECTIONS_TO_MOVE_AGAIN, connections


def take(state: State, rng: random.Random) -> int:
    """Moves again if possible; otherwise leaves the opponent as few such points as possible."""
    stones = [
        action for action in state.legal_actions if action < int(state.array[layout.SIZE]) ** 2
    ]
    again = _moving_again(state)
    if again:
        return rng.choice(again)
    given = {action: len(_moving_again(state.play(action))) for action in stones}
    least = min(given.values())
    return rng.choice([action for action in stones if given[action] == least])


def _moving_again(state: State) -> list[int]:
    array = state.array.copy()
    size = int(array[layout.SIZE])
    return [
        action
        for action in state.legal_actions
        if action < size * size
        and connections(array, int(layout.CELL_OF[size, action])) >= CONNECTIONS_TO_MOVE_AGAIN
    ]


PLAYERS = {"taker": take}
