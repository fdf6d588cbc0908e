"""Random play of Flecks: matches end, without draws, and actions are sampled uniformly."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.hexgrid import cells
from watermeet.core.playout import playout
from watermeet.core.rng import seeded
from watermeet.games.flecks import layout, rules
from watermeet.games.flecks.board import BLUE, RED
from watermeet.games.flecks.notation import stones_of
from watermeet.games.flecks.tests.oracle import connected
from watermeet.games.flecks.tests.positions import flecks, position

SETS: list[dict[str, bool | str]] = [
    {"border": border, "must_place": must, "new_stone_fixed": fixed, "win_at_end_only": end}
    for border, must, fixed, end in itertools.product(
        ("quarters", "sides"), (True, False), (True, False), (True, False)
    )
]


def play_out(game: wm.Game, seed: object) -> None:
    """Play a match, and ask the oracle who won."""
    array = game.start().array.copy()
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    length = game.specialize(playout)(array, actions, seeded(seed))
    assert length <= game.sizes.max_length
    winner = int(array[layout.WINNER])
    side, border = int(array[layout.SIDE]), str(game.options["border"])
    joined = {
        colour: connected(stones_of(array, colour), side, name, border)
        for colour, name in ((RED, "red"), (BLUE, "blue"))
    }
    assert joined == {winner: True, RED + BLUE - winner: False}
    returns = np.zeros(2)
    rules.score(array, returns)
    assert returns.tolist() == ([1.0, -1.0] if winner == RED else [-1.0, 1.0])


@pytest.mark.parametrize("options", SETS, ids=str)
def test_matches_end_with_one_winner(options: dict[str, bool | str]) -> None:
    play_out(flecks(5, **options), "one")


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 7, 9, 11, 13])
def test_thousands_of_matches_end_with_one_winner(size: int) -> None:
    for options in SETS:
        game = flecks(size, **options)
        for seed in range(300 if size < 11 else 40):
            play_out(game, seed)


FULL = position(
    " ".join(f"{'abcdefghi'[q + 4]}{r + 5}" for q, r in cells(5) if r < 1 and (q, r) != (0, -4)),
    " ".join(f"{'abcdefghi'[q + 4]}{r + 5}" for q, r in cells(5) if r > 0),
    last="f1",
    new_stone_fixed=True,
)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "state",
    [
        flecks().start(),
        flecks().start().play_all(["a5", "e5", "e4", "f4"]),
        flecks().start().play_all(["a5", "e5", "e4", "f4", "e3"]),
        flecks(must_place=False).start().play_all(["a5", "e5", "e4", "f4"]),
        position("e1 e2 e3 e4", "a5 b5 c5", last="e4"),
        FULL,
    ],
    ids=["opening", "add", "move", "either", "a row as far as it goes", "hardly anything"],
)
def test_actions_are_equally_likely(state: wm.State) -> None:
    array, rng = state.array.copy(), seeded("fair")
    buffer = np.zeros(state.game.sizes.actions, dtype=np.int32)
    draws = 100 * len(state.legal_actions)
    counts = Counter(rules.sample_action(array, buffer, rng) for _ in range(draws))
    assert set(counts) == set(state.legal_actions)
    assert all(40 < count < 180 for count in counts.values())


def test_the_last_case_has_hardly_any_legal_actions() -> None:
    """Only one stone can move to the last free cell, so guessing often fails."""
    assert len(FULL.legal_moves) < 12
