"""Monte Carlo search on games whose answers are known."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.kernel import runs_plain_python
from watermeet.games.flume.solver import solve
from watermeet.search import montecarlo
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.settings import Settings
from watermeet.search.tree import ACTION, COUNT, EDGES, NODES, NONE, TARGET, TRIES, VISITS

pytestmark = pytest.mark.costly

MANY = 200 if runs_plain_python() else 4000


def best(state: wm.State) -> set[int]:
    """The best actions of a small Flume, by its solver."""
    return set(solve(state.array.copy(), every_move=False, progress=lambda _: None).best_actions)


@pytest.mark.parametrize("left", [1, 2, 3, 5, 6, 7])
def test_the_last_of_a_pile_is_taken(pile: wm.Game, left: int) -> None:
    state = pile.with_options(size=left).start()
    thought = MonteCarlo(pile).think(state, Limits(nodes=300))
    assert thought.action == left % 4
    assert thought.is_certain
    assert thought.value == 1.0


@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_a_lost_pile_is_seen_to_be_lost(pile: wm.Game, shared: float) -> None:
    state = pile.with_options(size=8).start()
    search = MonteCarlo(pile, Settings(shared=shared))
    thought = search.think(state, Limits(nodes=2000))
    assert thought.is_certain
    assert thought.value == -1.0
    assert thought.nodes < 2000, "what is proven need not be searched"


@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_what_is_proven_is_true(shared: float) -> None:
    """Wherever the search claims a sure win or loss on the small board, the solver agrees."""
    claims = 0
    for seed in range(12):
        rng = random.Random(seed)
        state = wm.game("flume", size=3, pie=False).start()
        for _ in range(rng.randrange(1, 5)):
            state = state.play(rng.choice(state.legal_actions))
        search = MonteCarlo(state.game, Settings(shared=shared), plain=True)
        thought = search.think(state, Limits(nodes=1000))
        if thought.is_certain:
            claims += 1
            value = solve(state.array.copy(), every_move=False, progress=lambda _: None).value
            assert np.sign(value) == thought.value
    assert claims >= 6


@pytest.mark.compiled
def test_the_best_opening_is_found() -> None:
    state = wm.game("flume", size=5, pie=False).start()
    thought = MonteCarlo(state.game, plain=True).think(state, Limits(nodes=60_000))
    assert thought.action in best(state)


def test_visits_are_the_nodes() -> None:
    state = wm.game("flume", size=5).start()
    thought = MonteCarlo(state.game).think(state, Limits(nodes=MANY))
    assert thought.nodes == MANY
    assert sum(each.visits for each in thought.candidates) == MANY
    assert {each.action for each in thought.candidates} == set(state.legal_actions)
    assert thought.line[0] == thought.action


@pytest.mark.parametrize("name", ["flume", "qwirkle"])
def test_several_threads_share_the_work(name: str) -> None:
    state = wm.game(name).start().sample(random.Random(1))
    search = MonteCarlo(state.game, threads=3)
    thought = search.think(state, Limits(nodes=3 * MANY))
    assert thought.nodes == 3 * MANY
    assert sum(each.visits for each in thought.candidates) == 3 * MANY
    assert search._grown.tree.nodes[0, VISITS] in (3 * MANY, 3 * MANY - 1)
    assert all(abs(each.value) <= state.game.returns_range[1] for each in thought.candidates)


def test_the_tree_is_kept_when_the_match_goes_on() -> None:
    state = wm.game("flume", size=3).start()
    search = MonteCarlo(state.game, plain=True)
    thought = search.think(state, Limits(nodes=2000))
    reply = thought.line[1]
    after = state.play(thought.action).play(reply)
    grown = search._grown
    search.think(after, Limits(nodes=1))
    kept = int(grown.tree.nodes[0, VISITS])
    assert 10 < kept < 2000
    first, count = int(grown.tree.nodes[0, 0]), int(grown.tree.nodes[0, COUNT])
    assert int(grown.tree.edges[first : first + count, TRIES].sum()) in (kept, kept - 1)
    edges = grown.tree.edges[: int(grown.tree.used[EDGES])]
    tried = edges[edges[:, TARGET] != NONE]
    assert (grown.tree.nodes[tried[:, TARGET], VISITS] == tried[:, TRIES]).all()


@pytest.mark.parametrize(("played", "is_found"), [(0, True), (2, True), (4, True), (5, False)])
def test_a_tree_is_found_again_a_few_actions_later(played: int, is_found: bool) -> None:
    state = wm.game("flume", size=3, pie=False).start()
    search = MonteCarlo(state.game, plain=True)
    line = search.think(state, Limits(nodes=3000)).line
    grown = search._grown
    after = state.play_all(line[:played])
    node = grown.node_of(after)
    assert (node != NONE) is is_found
    if is_found:
        edges = grown.edges_of(node)
        tried = tuple(grown.tree.edges[edges, ACTION].tolist())
        assert tried == after.legal_actions


def test_no_more_states_are_looked_at_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    state = wm.game("flume", size=3, pie=False).start()
    search = MonteCarlo(state.game, plain=True)
    search.think(state, Limits(nodes=300))
    grown = search._grown
    last = state.play(state.legal_actions[-1])
    monkeypatch.setattr(montecarlo, "MOST_LOOKED_AT", 9)
    assert grown.node_of(last) != NONE
    monkeypatch.setattr(montecarlo, "MOST_LOOKED_AT", 8)
    assert grown.node_of(last) == NONE


def test_a_state_from_elsewhere_begins_a_new_tree() -> None:
    game = wm.game("flume", size=5)
    search = MonteCarlo(game)
    search.think(game.start(), Limits(nodes=50))
    other = game.start().play_all(["a1", "b2", "c3", "d4", "e5", "a5", "e1"])
    thought = search.think(other, Limits(nodes=60))
    assert sum(each.visits for each in thought.candidates) == 60


@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_equal_states_share_a_node_if_they_may(shared: float) -> None:
    state = wm.game("flume", size=3, pie=False).start()
    search = MonteCarlo(state.game, Settings(shared=shared), plain=True)
    search.think(state, Limits(nodes=1500))
    tree = search._grown.tree
    targets = tree.edges[: int(tree.used[EDGES]), TARGET]
    led_to = targets[targets != NONE]
    assert (len(set(led_to)) < len(led_to)) is bool(shared)


def test_a_full_tree_goes_on_without_growing() -> None:
    state = wm.game("flume", size=5).start()
    search = MonteCarlo(state.game, nodes_kept=40)
    thought = search.think(state, Limits(nodes=MANY))
    assert thought.nodes == MANY
    assert int(search._grown.tree.used[NODES]) <= 40


# ---- chance and secrets -------------------------------------------------------------------------


def kuhn(cards: str, *moves: int) -> wm.State:
    """Kuhn poker after a deal, such as "KJ": seat 0 has the king."""
    game = wm.game("kuhn_poker")
    return game.start().play_all(["JQK".index(card) for card in cards]).play_all(list(moves))


PASS, BET = 3, 4


@pytest.mark.parametrize(("cards", "wanted"), [("QK", BET), ("KJ", PASS), ("QJ", PASS)])
def test_who_answers_a_bet_in_poker_knows_the_best_and_the_worst_card(
    cards: str, wanted: int
) -> None:
    """A king calls and a jack folds, whatever the other seat has."""
    state = kuhn(cards, BET)
    known = state.conceal(1)
    thought = MonteCarlo(state.game).think(known, Limits(nodes=400))
    assert thought.action == wanted


def test_a_search_knows_no_more_than_its_seat() -> None:
    thoughts = [
        MonteCarlo(wm.game("kuhn_poker"), seed=5).think(kuhn(cards, BET), Limits(nodes=200))
        for cards in ("QJ", "KJ")
    ]
    assert thoughts[0].candidates == thoughts[1].candidates


@pytest.mark.compiled
@pytest.mark.parametrize("settings", [{}, {"priors": 1.0}, {"widening": 1.0}])
@pytest.mark.parametrize("name", ["qwirkle", "flows", "flow"])
def test_games_with_chance_are_searched(name: str, settings: dict[str, float]) -> None:
    state = wm.game(name).start().sample(random.Random(3))
    search = MonteCarlo(state.game, Settings.of({"longest": 3.0, **settings}))
    thought = search.think(state, Limits(nodes=12))
    assert thought.nodes == 12
    assert {each.action for each in thought.candidates} <= set(state.legal_actions)
    assert sum(each.visits for each in thought.candidates) == 12


def test_chance_may_have_nodes_of_its_own() -> None:
    state = wm.game("flow", seats=1).start().sample(random.Random(3))
    search = MonteCarlo(state.game, Settings(longest=2.0), unseen=False)
    thought = search.think(state, Limits(nodes=40))
    assert sum(each.visits for each in thought.candidates) == 40


# ---- limits and settings ------------------------------------------------------------------------


def test_a_search_can_be_stopped_from_outside() -> None:
    state = wm.game("flume", size=5).start()
    stop = threading.Event()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    thought = MonteCarlo(state.game).think(state, Limits(seconds=3600.0, stop=stop))
    assert thought.nodes > 0
    assert stop.is_set()


def test_a_search_without_time_still_answers() -> None:
    state = wm.game("flume", size=5).start()
    assert MonteCarlo(state.game).think(state, Limits(seconds=0.0)).nodes == 1


def test_a_search_that_is_stopped_before_it_begins_still_answers() -> None:
    state = wm.game("flume", size=5).start()
    stop = threading.Event()
    stop.set()
    thought = MonteCarlo(state.game).think(state, Limits(seconds=1.0, nodes=0, stop=stop))
    assert thought.nodes == 1
    assert thought.action in state.legal_actions


def test_limits_must_limit() -> None:
    with pytest.raises(ValueError, match="seconds or nodes"):
        Limits()


def test_settings_are_read_by_name() -> None:
    assert Settings.of({"priors": 1.0}).priors == 1.0
    with pytest.raises(wm.InvalidOptions, match="priers"):
        Settings.of({"priers": 1.0})
