"""Perft: how many sequences of actions of a given length a state has. Known counts catch rule bugs.

Chance outcomes count like any other action. A sequence that ends before the length does not count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from watermeet.core.checks import require_type
from watermeet.core.contract import ActionArray, StateArray, apply, legal
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.state import State
from watermeet.testing.folders import folder_of


@kernel
def _count_sequences(
    states: StateArray,  # [depth + 1, state size]; the first row is where the counting starts
    actions: ActionArray,  # [depth + 1, actions]
    counts: ActionArray,  # [depth + 1]: how many actions each level has
    places: ActionArray,  # [depth + 1]: which of them is next
    depth: int,
) -> int:
    """Walk the tree with an explicit stack; the last level is counted, not walked."""
    total = 0
    level = 0
    counts[0] = legal(states[0], actions[0])
    places[0] = 0
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif places[level] == counts[level]:
            level -= 1
        else:
            copy_state(states[level], states[level + 1])
            apply(states[level + 1], int(actions[level, places[level]]))
            places[level] += 1
            level += 1
            counts[level] = legal(states[level], actions[level])
            places[level] = 0
    return total


def perft(state: State, depth: int) -> int:
    """The number of sequences of exactly ``depth`` actions from here."""
    require_type(state, State, "a state")
    if depth < 1:
        return 1
    game = state.game
    states = np.zeros((depth + 1, game.sizes.state), dtype=game.dtype)
    states[0] = state.array
    actions = np.zeros((depth + 1, game.sizes.actions), dtype=np.int32)
    counts, places = (np.zeros(depth + 1, dtype=np.int32) for _ in range(2))
    count = game.specialize(_count_sequences)
    return int(count(states, actions, counts, places, depth))


def divide(state: State, depth: int) -> dict[str, int]:
    """The same count, split by the first move, to find where two programs differ."""
    if depth < 1:
        return {}
    return {
        move: perft(state.play(action), depth - 1)
        for action, move in zip(state.legal_actions, state.legal_moves, strict=True)
    }


# ---- known counts -------------------------------------------------------------------------------


class PerftRow(NamedTuple):
    """A line of ``tests/perft.txt``: a state, and its counts by depth."""

    line: str
    state: State
    counts: dict[int, int]


def perft_rows(game: Game) -> list[PerftRow]:
    """The known counts of a game; none if its folder has no ``tests/perft.txt``.

    Each line is ``options | state | depth:count …``; the state may be ``start``. Lines that begin
    with ``#`` are comments.
    """
    return [parse_row(game, line) for line in perft_lines(game)]


def perft_lines(game: Game, file: str = "perft.txt") -> list[str]:
    """The lines of a file in ``tests/`` that have counts."""
    path = folder_of(game) / "tests" / file
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def parse_row(game: Game, line: str) -> PerftRow:
    """What a line of ``tests/perft.txt`` says; ``version=1`` among the options is for old rules."""
    options, text, counts = (part.strip() for part in line.split("|"))
    values = dict(word.split("=") for word in options.split())
    version = int(values.pop("version", game.version))
    chosen = game.at_version(version).with_option_texts(values)
    state = chosen.start() if text == "start" else chosen.parse(text)
    pairs = (entry.split(":") for entry in counts.split())
    return PerftRow(line, state, {int(depth): int(count) for depth, count in pairs})


def check_perft(game: Game) -> None:
    """Count again what ``tests/perft.txt`` lists; raises AssertionError."""
    for row in perft_rows(game):
        for depth, count in row.counts.items():
            found = perft(row.state, depth)
            assert found == count, f"perft {depth} of {row.line!r} is {found}"
