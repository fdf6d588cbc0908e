"""How well a seat played: 0 is what random moves are worth in its positions, 100 the best ones.

    accuracy = 100 * max(0, 1 - mean loss / mean loss of random turns)

So the scale fits every game and every position: where all moves are worth the same, neither mean
grows, and nobody gets a high figure for playing on in a lost match.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TypeVar

from watermeet.bots.players import choose_any
from watermeet.core.state import State

LEAST_STAKE = 0.001
"""If random turns cost a seat less than this share of the range of returns, on average, it had
nothing to decide, and it has no accuracy."""

T = TypeVar("T")


def accuracies(
    losses: Mapping[int, Sequence[float]],
    at_random: Mapping[int, Sequence[float | None]],
    value_range: tuple[float, float],
) -> dict[int, float]:
    """By seat, 0 to 100; a seat that had nothing to decide is missing.

    Both have a number for each of its turns: what it lost, and what a random turn would have, as
    far as that is known.
    """
    low, high = value_range
    found = {}
    for seat, lost in sorted(losses.items()):
        known = [each for each in at_random[seat] if each is not None]
        if known and fmean(known) >= LEAST_STAKE * (high - low):
            found[seat] = 100.0 * min(1.0, max(0.0, 1.0 - fmean(lost) / fmean(known)))
    return found


def random_turn(state: State, rng: random.Random, most: int) -> list[str]:
    """Random moves of the seat to move, up to the end of its turn or what is left to chance."""
    seat, moves = state.to_move, list[str]()
    while state.to_move == seat and len(moves) < most:
        moves.append(state.format(choose_any(state, rng)))
        state = state.play(moves[-1])
    return moves


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most this many of them, evenly from the first to the last."""
    if len(items) <= most:
        return list(items)
    return [items[place * (len(items) - 1) // (most - 1)] for place in range(most)]
