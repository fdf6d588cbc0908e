"""Monte Carlo search on games whose answers are known."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.kernel import runs_plain_python
from watermeet.games.flume.solver import solve
from watermeet.search import montecarlo
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.settings import Settings
from watermeet.search.tree import EDGES, NODES, NONE, PROVEN_NOW

pytestmark = pytest.mark.slow

MANY = 200 if runs_plain_python() else 4000


def best(state: wm.State) -> set[int]:
    """The best actions of a small Flume, by its solver."""
    return set(solve(state, every_move=False, progress=lambda _: None).best_actions)


@pytest.mark.parametrize("left", [1, 2, 3, 5, 6, 7])
def test_the_search_takes_the_rest_of_a_pile(pile: wm.Game, left: int) -> None:
    state = pile.with_options(size=left).start()
    result = MonteCarlo(state.game).search(state, Limits(nodes=300))
    assert result.action == left % 4
    assert result.proven
    assert result.value == 1.0


@pytest.mark.parametrize("transpositions", [False, True])
def test_a_lost_pile_is_proven_lost(pile: wm.Game, transpositions: bool) -> None:
    state = pile.with_options(size=8).start()
    search = MonteCarlo(state.game, Settings(transpositions=transpositions))
    result = search.search(state, Limits(nodes=2000))
    assert result.proven
    assert result.value == -1.0
    assert result.nodes < 2000, "what is proven need not be searched"


def test_the_shortest_known_win_and_the_longest_loss_come_first(pile: wm.Game) -> None:
    """Three of seven win within three actions, and whatever one takes of four loses."""
    seven, four = pile.with_options(size=7).start(), pile.with_options(size=4).start()
    won = MonteCarlo(seven.game).search(seven, Limits(nodes=2000)).candidates[0]
    assert won.proven == PROVEN_NOW - 2
    lost = MonteCarlo(four.game).search(four, Limits(nodes=2000)).candidates
    assert [each.proven for each in lost] == [1 - PROVEN_NOW] * 3


@pytest.mark.parametrize("transpositions", [False, True])
def test_proofs_agree_with_the_solver(transpositions: bool) -> None:
    """Wherever the search claims a sure win or loss on the small board, the solver agrees."""
    claims = 0
    for seed in range(12):
        rng = random.Random(seed)
        state = wm.game("flume", size=3, pie=False).start()
        for _ in range(rng.randrange(1, 5)):
            state = state.play(rng.choice(state.legal_actions))
        search = MonteCarlo(
            state.game, Settings(transpositions=transpositions), use_evaluation=False
        )
        result = search.search(state, Limits(nodes=1000))
        if result.proven:
            claims += 1
            value = solve(state, every_move=False, progress=lambda _: None).value
            assert np.sign(value) == result.value
    assert claims >= 6


@pytest.mark.compiled
def test_the_best_opening_is_found() -> None:
    state = wm.game("flume", size=5, pie=False).start()
    result = MonteCarlo(state.game, use_evaluation=False).search(state, Limits(nodes=60_000))
    assert result.action in best(state)


def test_a_proof_ends_the_search_at_once(pile: wm.Game) -> None:
    state = pile.with_options(size=8).start()
    search = MonteCarlo(state.game)
    assert search.search(state, Limits(nodes=2000)).proven
    assert search.search(state, Limits(nodes=2000)).nodes == 1, "the tree is reused"


def test_visits_sum_to_the_nodes() -> None:
    state = wm.game("flume", size=5).start()
    result = MonteCarlo(state.game).search(state, Limits(nodes=MANY))
    assert result.nodes == MANY
    assert sum(each.visits for each in result.candidates) == MANY
    assert {each.action for each in result.candidates} == set(state.legal_actions)
    assert result.pv[0] == result.action


@pytest.mark.parametrize("name", ["flume", pytest.param("qwirkle", marks=pytest.mark.nightly)])
def test_several_threads_share_the_work(name: str) -> None:
    state = wm.game(name).start().sample(random.Random(1))
    search = MonteCarlo(state.game, threads=3)
    result = search.search(state, Limits(nodes=3 * MANY))
    assert result.nodes == 3 * MANY
    assert sum(each.visits for each in result.candidates) == 3 * MANY
    assert search.tree.node_visits[0] in (3 * MANY, 3 * MANY - 1)
    assert all(abs(each.value) <= state.game.returns_range[1] for each in result.candidates)


def test_the_tree_is_reused_from_move_to_move() -> None:
    state = wm.game("flume", size=3).start()
    search = MonteCarlo(state.game, use_evaluation=False)
    result = search.search(state, Limits(nodes=2000))
    reply = result.pv[1]
    after = state.play(result.action).play(reply)
    search.search(after, Limits(nodes=1))
    tree = search.tree
    kept = int(tree.node_visits[0])
    assert 10 < kept < 2000
    assert int(tree.edge_visits[search.edges_of(0)].sum()) in (kept, kept - 1)
    targets = tree.edge_target[: int(tree.used[EDGES])]
    followed = np.flatnonzero(targets != NONE)
    assert len(followed) == int(tree.used[NODES]) - 1
    assert (tree.node_visits[targets[followed]] == tree.edge_visits[followed]).all()


@pytest.mark.parametrize(("played", "is_found"), [(0, True), (2, True), (4, True), (5, False)])
def test_the_tree_is_reused_a_few_actions_below_the_root(played: int, is_found: bool) -> None:
    state = wm.game("flume", size=3, pie=False).start()
    search = MonteCarlo(state.game, use_evaluation=False)
    pv = search.search(state, Limits(nodes=3000)).pv
    after = state.play_all(pv[:played])
    node = search.find_node(after)
    assert (node != NONE) is is_found
    if is_found:
        actions = search.tree.edge_action[search.edges_of(node)]
        assert tuple(actions.tolist()) == after.legal_actions


def test_looking_for_a_state_in_the_tree_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    state = wm.game("flume", size=3, pie=False).start()
    search = MonteCarlo(state.game, use_evaluation=False)
    search.search(state, Limits(nodes=300))
    last = state.play(state.legal_actions[-1])
    monkeypatch.setattr(montecarlo, "REUSE_STATES", 9)
    assert search.find_node(last) != NONE
    monkeypatch.setattr(montecarlo, "REUSE_STATES", 8)
    assert search.find_node(last) == NONE


def test_an_unrelated_state_starts_a_new_tree() -> None:
    game = wm.game("flume", size=5)
    search = MonteCarlo(game)
    search.search(game.start(), Limits(nodes=50))
    other = game.start().play_all(["a1", "b2", "c3", "d4", "e5", "a5", "e1"])
    result = search.search(other, Limits(nodes=60))
    assert sum(each.visits for each in result.candidates) == 60


@pytest.mark.parametrize("transpositions", [False, True])
def test_transpositions_share_a_node(transpositions: bool) -> None:
    state = wm.game("flume", size=3, pie=False).start()
    search = MonteCarlo(state.game, Settings(transpositions=transpositions), use_evaluation=False)
    search.search(state, Limits(nodes=1500))
    tree = search.tree
    targets = tree.edge_target[: int(tree.used[EDGES])]
    led_to = targets[targets != NONE]
    assert (len(set(led_to)) < len(led_to)) is transpositions


def test_a_full_tree_is_searched_without_expansion() -> None:
    state = wm.game("flume", size=5).start()
    search = MonteCarlo(state.game, max_nodes=40)
    result = search.search(state, Limits(nodes=MANY))
    assert result.nodes == MANY
    assert int(search.tree.used[NODES]) <= 40


def test_a_simulation_adds_one_node_even_if_nodes_expand_at_once() -> None:
    state = wm.game("flume", size=5).start()
    search = MonteCarlo(state.game, Settings(expand_after=0, transpositions=False))
    search.search(state, Limits(nodes=30))
    assert int(search.tree.used[NODES]) == 31


# ---- chance and secrets -------------------------------------------------------------------------


def kuhn(cards: str, *moves: int) -> wm.State:
    """Kuhn poker after a deal, such as "KJ": seat 0 has the king."""
    game = wm.game("kuhn_poker")
    return game.start().play_all(["JQK".index(card) for card in cards]).play_all(list(moves))


PASS, BET = 3, 4


@pytest.mark.parametrize("use_priors", [False, True])
def test_every_simulation_with_information_sets_visits_an_action(use_priors: bool) -> None:
    """Just one, which is among those of the root."""
    state = kuhn("KQ", BET)
    settings = Settings(use_priors=use_priors)
    result = MonteCarlo(state.game, settings, seed=5).search(state, Limits(nodes=40))
    visits = [each.visits for each in result.candidates]
    assert sum(visits) == 40
    assert min(visits) > 0


@pytest.mark.parametrize(("cards", "wanted"), [("QK", BET), ("KJ", PASS), ("QJ", PASS)])
def test_a_king_calls_and_a_jack_folds_in_poker(cards: str, wanted: int) -> None:
    """A king calls and a jack folds, whatever the other seat has."""
    state = kuhn(cards, BET)
    known = state.conceal(1)
    result = MonteCarlo(state.game).search(known, Limits(nodes=400))
    assert result.action == wanted


def test_a_search_knows_no_more_than_its_seat() -> None:
    results = [
        MonteCarlo(wm.game("kuhn_poker"), seed=5).search(kuhn(cards, BET), Limits(nodes=200))
        for cards in ("QJ", "KJ")
    ]
    assert results[0].candidates == results[1].candidates


@pytest.mark.compiled
@pytest.mark.parametrize("settings", [{}, {"use_priors": True}, {"progressive_widening": 1.0}])
@pytest.mark.parametrize("name", ["qwirkle", "flows", "flow"])
def test_games_with_chance_are_searched(name: str, settings: dict[str, float]) -> None:
    state = wm.game(name).start().sample(random.Random(3))
    search = MonteCarlo(state.game, Settings.of({"max_rollout_length": 3, **settings}))
    result = search.search(state, Limits(nodes=12))
    assert result.nodes == 12
    assert {each.action for each in result.candidates} <= set(state.legal_actions)
    assert sum(each.visits for each in result.candidates) == 12


def test_mcts_has_chance_nodes() -> None:
    state = wm.game("flow", seats=1).start().sample(random.Random(3))
    search = MonteCarlo(state.game, Settings(max_rollout_length=2), ismcts=False)
    result = search.search(state, Limits(nodes=40))
    assert sum(each.visits for each in result.candidates) == 40


@pytest.mark.parametrize(("stops", "nodes"), [(False, 41), (True, 2)])
def test_ismcts_may_stop_at_chance(stops: bool, nodes: int) -> None:
    """All there is to do is to draw a tile: the tree ends there, or has a node per simulation."""
    state = wm.game("flow", seats=1).start().sample(random.Random(3))
    settings = Settings(max_rollout_length=1, stop_at_chance=stops)
    search = MonteCarlo(state.game, settings, ismcts=True)
    search.search(state, Limits(nodes=40))
    assert int(search.tree.used[NODES]) == nodes


# ---- limits and settings ------------------------------------------------------------------------


def test_a_search_can_be_stopped_from_outside() -> None:
    state = wm.game("flume", size=5).start()
    stop = threading.Event()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    result = MonteCarlo(state.game).search(state, Limits(seconds=3600.0, stop=stop))
    assert result.nodes > 0
    assert stop.is_set()


def test_a_search_with_no_time_has_a_result() -> None:
    state = wm.game("flume", size=5).start()
    assert MonteCarlo(state.game).search(state, Limits(seconds=0.0)).nodes == 1


def test_a_search_stopped_before_it_starts_has_a_result() -> None:
    state = wm.game("flume", size=5).start()
    stop = threading.Event()
    stop.set()
    result = MonteCarlo(state.game).search(state, Limits(seconds=1.0, nodes=0, stop=stop))
    assert result.nodes == 1
    assert result.action in state.legal_actions


def test_by_default_one_thread_searches_with_the_evaluation_of_the_game() -> None:
    search = MonteCarlo(wm.game("flume", size=5))
    assert (len(search._scratches), search.use_evaluation) == (1, True)


def test_limits_are_checked() -> None:
    with pytest.raises(wm.InvalidOptions, match="seconds or nodes"):
        Limits()
    for wrong in ({"seconds": -1.0}, {"seconds": float("nan")}, {"nodes": 1.5}, {"nodes": True}):
        with pytest.raises(wm.InvalidOptions, match="can't be"):
            Limits(**wrong)


def test_settings_are_checked() -> None:
    assert Settings.of({"use_priors": 1, "exploration": 2}) == Settings(2.0, True)
    with pytest.raises(wm.InvalidOptions, match="priors"):
        Settings.of({"use_priers": True})
    with pytest.raises(wm.InvalidOptions, match="isn't a search setting"):
        Settings.of({"best_return": 9.0})
    for name, wrong in (
        ("use_priors", 2),
        ("use_priors", "yes"),
        ("exploration", -0.1),
        ("exploration", True),
        ("exploration", float("inf")),
        ("evaluation_weight", 1.1),
        ("expand_after", 1.5),
    ):
        with pytest.raises(wm.InvalidOptions, match=f"{name} can't be"):
            Settings.of({name: wrong})


def test_loading_code_is_not_the_time_of_a_search(
    pile: wm.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search whose kernel takes ten seconds to compile still gets its time."""
    now, called = [0.0], list[int]()
    state = pile.with_options(size=19).start()
    search = MonteCarlo(state.game)
    simulate = search._simulate

    def slow_at_first(*given: Any) -> int:
        now[0] += 0.01 if called else 10.0
        called.append(given[-1])
        return simulate(*given)

    monkeypatch.setattr(search, "_simulate", slow_at_first)
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    search.search(state, Limits(seconds=0.1))
    assert called[0] == 0
    assert len(called) > 5
