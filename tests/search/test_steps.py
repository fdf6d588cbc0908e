"""The steps of a search, one at a time."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

import watermeet as wm
from watermeet.search.binding import bind
from watermeet.search.limits import Limits, run_in_chunks
from watermeet.search.rollout import rollout
from watermeet.search.steps import normalize, sort_by_weight
from watermeet.search.transpositions import hash_state
from watermeet.search.tree import make_scratch
from watermeet.testing.folders import built_in_games

pytestmark = pytest.mark.costly


def test_actions_are_sorted_by_weight() -> None:
    rng = np.random.default_rng(1)
    for count in (1, 2, 7, 30):
        actions = np.arange(count, dtype=np.int32)
        weights = rng.integers(0, 5, count).astype(float) + 0.5
        wanted = sorted(zip(-weights, actions, strict=True))
        sort_by_weight(actions, weights, count)
        assert [(-w, a) for w, a in zip(weights, actions, strict=True)] == wanted
        normalize(weights, count)
        assert weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", built_in_games())
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


@pytest.mark.parametrize("name", built_in_games())
def test_a_rollout_ends_with_returns(name: str) -> None:
    game = wm.game(name)
    scratch = make_scratch(game, 1)
    scratch.state[:] = game.start().array
    scratch.returns[:] = np.nan
    bind(game, rollout)(scratch, 1 << 30)
    assert game.kernels.to_move(scratch.state) == wm.OVER
    assert all(game.returns_range[0] <= each <= game.returns_range[1] for each in scratch.returns)


def test_chunks_of_work_add_up() -> None:
    chunks: list[int] = []

    def work(count: int) -> tuple[int, bool]:
        chunks.append(count)
        return count, False

    assert run_in_chunks(work, Limits(nodes=1000), 0.0) == (1000, False)
    assert chunks[0] == 1
    assert sum(chunks) == 1000
    assert all(later <= 4 * earlier for earlier, later in pairwise(chunks))


def test_finished_work_stops() -> None:
    assert run_in_chunks(lambda count: (count, True), Limits(nodes=1000), 0.0) == (1, True)
