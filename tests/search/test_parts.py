"""Pieces of the search library by themselves."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.rng import seeded
from watermeet.search.binding import bind
from watermeet.search.limits import Limits, run_in_pieces
from watermeet.search.ordering import share_out, sort_by_weight
from watermeet.search.rollout import play_on
from watermeet.search.transpositions import hash_state

pytestmark = pytest.mark.costly


def test_lists_are_sorted_by_weight() -> None:
    rng = np.random.default_rng(1)
    for count in (1, 2, 7, 30):
        actions = np.arange(count, dtype=np.int32)
        weights = rng.integers(0, 5, count).astype(float) + 0.5
        wanted = sorted(zip(-weights, actions, strict=True))
        sort_by_weight(actions, weights, count)
        assert [(-w, a) for w, a in zip(weights, actions, strict=True)] == wanted
        share_out(weights, count)
        assert weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ["flume", "flecks", "qwirkle", "flows", "flow"])
def test_different_states_have_different_hashes(name: str) -> None:
    game = wm.game(name)
    rng = random.Random(2)
    seen: dict[bytes, int] = {}
    for _ in range(4):
        state = game.start()
        for _ in range(60):
            if state.to_move == wm.OVER:
                break
            identity = state.array[: game.sizes.identity].tobytes()
            hashed = int(hash_state(state.array.copy(), game.sizes.identity))
            assert seen.setdefault(identity, hashed) == hashed
            state = state.play(rng.choice(state.legal_actions))
    assert len(set(seen.values())) == len(seen) > 100


@pytest.mark.parametrize("name", ["flume", "flecks", "qwirkle", "flows", "flow"])
def test_playing_on_ends_with_returns(name: str) -> None:
    game = wm.game(name)
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    weights, returns = np.zeros(game.sizes.actions), np.full(game.seats, np.nan)
    array = game.start().array.copy()
    bind(game, play_on)(array, actions, weights, seeded(1), 1 << 30, returns)
    assert game.kernels.to_move(array) == wm.OVER
    assert all(game.returns_range[0] <= each <= game.returns_range[1] for each in returns)


def test_work_is_cut_into_pieces_that_add_up() -> None:
    pieces: list[int] = []

    def work(count: int) -> tuple[int, bool]:
        pieces.append(count)
        return count, False

    assert run_in_pieces(work, Limits(nodes=1000), 0.0) == 1000
    assert pieces[0] == 1
    assert sum(pieces) == 1000
    assert all(later <= 4 * earlier for earlier, later in pairwise(pieces))


def test_work_that_is_done_ends() -> None:
    assert run_in_pieces(lambda count: (count, True), Limits(nodes=1000), 0.0) == 1
