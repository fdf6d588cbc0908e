"""The steps of a search, one at a time."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

import watermeet as wm
from watermeet.search import mcts
from watermeet.search.binding import bind
from watermeet.search.ismcts import insert_edge
from watermeet.search.limits import CHUNKS_AT_LEAST, Limits, run_in_chunks
from watermeet.search.rollout import rollout
from watermeet.search.settings import Settings
from watermeet.search.steps import normalize, prove, sort_by_weight, widening_limit
from watermeet.search.transpositions import hash_state
from watermeet.search.tree import EDGES, NONE, ROOT, make_scratch, make_tree, reset
from watermeet.testing.folders import built_in_games

pytestmark = pytest.mark.slow


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


def test_a_node_that_another_thread_expands_is_left_alone() -> None:
    game = wm.game("flume", size=5)
    scratch, tree = make_scratch(game, 1), make_tree(4, 80, ismcts=False, threads=2, slots=1)
    scratch.state[:] = game.start().array
    reset(tree, 0)
    expand = bind(game, mcts.expand)
    tree.locks[ROOT] = 1
    assert not expand(tree, scratch, Settings(), ROOT)
    assert int(tree.used[EDGES]) == 0
    tree.locks[ROOT] = 0
    assert expand(tree, scratch, Settings(), ROOT)
    assert int(tree.used[EDGES]) == int(tree.node_edge_count[ROOT]) == 25


def test_an_action_has_one_edge_however_often_it_is_inserted() -> None:
    """States that a seat can't tell apart share a node, and have different actions there."""
    tree = make_tree(4, 8, ismcts=True, threads=1, slots=0)
    reset(tree, 0)
    scratch = make_scratch(wm.game("flume", size=5), 1)
    scratch.actions[:3] = 9, 4, 6
    edges = [insert_edge(tree, scratch, ROOT, NONE, index, 0.5) for index in (0, 1, 2, 1, 0)]
    assert edges == [0, 1, 2, 1, 0]
    assert (int(tree.node_edge_count[ROOT]), int(tree.used[EDGES])) == (3, 3)
    assert [int(tree.node_first_edge[ROOT]), *tree.edge_next[:3].tolist()] == [1, NONE, 2, 0]


@pytest.mark.parametrize(("exponent", "limits"), [(1.0, [3, 5, 7, 9]), (0.5, [3, 3, 4, 5])])
def test_widening_grows_with_the_visits(exponent: float, limits: list[int]) -> None:
    settings = Settings(progressive_widening=2.0, widening_exponent=exponent)
    tree = make_tree(4, 8, ismcts=True, threads=1, slots=0)
    found = []
    for visits in range(4):
        tree.node_visits[ROOT] = visits
        found.append(widening_limit(tree, settings, ROOT))
    assert found == limits


def test_chunks_of_work_add_up() -> None:
    chunks: list[int] = []

    def work(count: int) -> tuple[int, bool]:
        chunks.append(count)
        return count, False

    assert run_in_chunks(work, Limits(nodes=1000), 0.0) == (1000, False)
    assert chunks[0] == 1
    assert sum(chunks) == 1000
    assert all(later <= 4 * earlier for earlier, later in pairwise(chunks))


@pytest.mark.parametrize("slowdown", [1.0, 30.0])
def test_a_search_is_late_by_one_chunk_at_most(slowdown: float) -> None:
    """Also on a machine that gets busy on the way, when a node takes 30 times as long."""
    now, node, limit = 0.0, 1e-5, 0.05

    def work(count: int) -> tuple[int, bool]:
        nonlocal now
        now += count * node * (slowdown if now > limit / 2 else 1.0)
        return count, False

    nodes, _ = run_in_chunks(work, Limits(seconds=limit), 0.0, clock=lambda: now)
    assert limit <= now < limit + slowdown * limit / CHUNKS_AT_LEAST
    assert nodes > limit / 2 / node


def test_finished_work_stops() -> None:
    assert run_in_chunks(lambda count: (count, True), Limits(nodes=1000), 0.0) == (1, True)


@pytest.mark.parametrize(
    ("mover", "children", "expected"),
    [
        (0, (100, 126, -127), 125),
        (1, (-100, -126, 5), -125),
        (1, (100, 126, 127), 99),
        (0, (-1, -1, -1), -1),
        (0, (0, -127, -126), 0),
        (wm.CHANCE, (100, 126, 127), 99),
        (wm.CHANCE, (100, 126, -127), 0),
    ],
)
def test_a_proof_keeps_how_soon_it_is_over(
    mover: int, children: tuple[int, ...], expected: int
) -> None:
    """The winner goes the shortest way, the loser the longest; chance must agree."""
    tree = make_tree(8, 8, ismcts=False, threads=1, slots=1)
    reset(tree, mover)
    tree.node_first_edge[ROOT], tree.node_edge_count[ROOT] = 0, len(children)
    for edge, proven in enumerate(children):
        tree.edge_target[edge] = edge + 1
        tree.node_proven[edge + 1] = proven
    prove(tree, ROOT)
    assert tree.node_proven[ROOT] == expected
