"""Hidden information: nothing leaks, and resampled deals have the right distribution."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import product

import pytest

import watermeet as wm
from watermeet.core.kernel import runs_plain_python
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.tests import oracle
from watermeet.games.qwirkle.tests.helpers import (
    bag_of,
    dealt,
    hands_of,
    is_turn_start,
    qwirkle,
    random_move,
    row,
    table,
)
from watermeet.testing.samples import samples

Hand = tuple[str, ...]


def small_bag(seats: int, bag: int, seed: int = 0) -> wm.State:
    """A state of a random match at the start of a turn with ``bag`` tiles in the bag."""
    while True:
        rng = random.Random(f"{seats} {bag} {seed}")
        state = qwirkle(seats=seats).start()
        while state.to_move != wm.OVER:
            if state.array[layout.BAG_LEFT] == bag and is_turn_start(state):
                return state
            state = state.play(random_move(state, rng))
        seed += 1


def hand_chances(unseen: Counter[str], size: int) -> dict[Hand, float]:
    """The exact probability of each hand of that size, drawn from the unseen tiles."""
    kinds = sorted(unseen)
    chances: dict[Hand, float] = {}
    for counts in product(*(range(unseen[kind] + 1) for kind in kinds)):
        if sum(counts) == size:
            ways = math.prod(math.comb(unseen[k], n) for k, n in zip(kinds, counts, strict=True))
            hand = tuple(k for k, n in zip(kinds, counts, strict=True) for _ in range(n))
            chances[hand] = ways / math.comb(unseen.total(), size)
    return chances


def in_order(tiles: list[str]) -> Hand:
    return tuple(sorted(tiles))


def assert_fits(counts: Counter[Hand], chances: dict[Hand, float]) -> None:
    """Pearson's test, six deviations wide: chance alone fails it in no lifetime."""
    total = counts.total()
    assert set(counts) <= set(chances)
    error = sum((counts[h] - total * p) ** 2 / (total * p) for h, p in chances.items())
    freedom = len(chances) - 1
    assert error < freedom + 6 * math.sqrt(2 * freedom) + 6


@pytest.mark.compiled
@pytest.mark.parametrize("bag", [1, 2, 3])
def test_another_hand_is_resampled_with_exact_probabilities(bag: int) -> None:
    state = small_bag(2, bag)
    other = 1 - state.to_move
    unseen = bag_of(state) + Counter(hands_of(state)[other])
    chances = hand_chances(unseen, 6)
    count = 600 if runs_plain_python() else 150 * len(chances)
    found = Counter(in_order(hands_of(s)[other]) for s in samples(state, state.to_move, count))
    assert_fits(found, chances)


@pytest.mark.compiled
def test_two_other_hands_are_resampled_with_exact_joint_probabilities() -> None:
    """Towards the end of a match of three, when hands are short."""
    state = short_hands()
    seat = state.to_move
    others = [other for other in range(3) if other != seat]
    hands = hands_of(state)
    unseen = Counter(tile for other in others for tile in hands[other])
    chances = {
        (*first, "|", *second): chance
        for first, chance in hand_chances(unseen, len(hands[others[0]])).items()
        for second in [in_order(list((unseen - Counter(first)).elements()))]
    }
    count = 600 if runs_plain_python() else 150 * len(chances)
    found = Counter(
        (*in_order(hands_of(s)[others[0]]), "|", *in_order(hands_of(s)[others[1]]))
        for s in samples(state, seat, count)
    )
    assert_fits(found, chances)


def short_hands() -> wm.State:
    seed = 0
    while True:
        rng = random.Random(f"short {seed}")
        state = qwirkle(seats=3).start()
        while state.to_move != wm.OVER:
            hands = hands_of(state)
            if not bag_of(state) and is_turn_start(state) and sum(map(len, hands)) < 11:
                return state
            state = state.play(random_move(state, rng))
        seed += 1


@pytest.mark.compiled
def test_spectators_and_tiles_set_aside() -> None:
    """What another seat sets aside is drawn from the same unseen tiles as its hand."""
    state = small_bag(2, 3).play(small_bag(2, 3).legal_moves[-1])
    other = 1 - state.to_move
    unseen = bag_of(state) + Counter(hands_of(state)[state.to_move])
    aside = state.view(state.to_move)["board"]["aside"]
    unseen += Counter(aside)
    chances = hand_chances(unseen, 1)
    count = 600 if runs_plain_python() else 4000
    found = Counter(
        tuple(s.view(s.to_move)["board"]["aside"]) for s in samples(state, other, count)
    )
    assert_fits(found, chances)
    for again in samples(state, None, 5):
        assert again.conceal(None) == state.conceal(None)


# ---- the first turn ---------------------------------------------------------------------------


def test_whether_a_draw_decided_who_begins_is_told_with_what_a_seat_knows() -> None:
    drawn = dealt("RcRdYxGsBbPv", "OxOdYsGbBvPc", tie="random").play("first:1").conceal(None)
    alone = dealt("RcOxYdGsBbPv", "RxRdOsYbBvPc", tie="random").conceal(None)
    assert drawn != alone
    assert (drawn.text, alone.text) == (
        f"{alone.text} tied=0/1",
        drawn.text.removesuffix(" tied=0/1"),
    )
    assert [each.view(None)["board"]["tied"] for each in (drawn, alone)] == [[0, 1], []]


@pytest.mark.parametrize("tie", ["oldest", "youngest", "random"])
@pytest.mark.parametrize("full", [False, True])
def test_resampled_hands_in_the_first_turn_let_this_seat_begin(tie: str, full: bool) -> None:
    state = dealt("RcRdRvOcYsGb", "YcYxYbOsGvBb", "RsOxYdGsBbPv", tie=tie, first_play_full=full)
    if state.to_move == wm.CHANCE:
        assert {s.legal_moves for s in samples(state, 2, 5)} == {("first:0", "first:1")}
        state = state.play("first:1")
    laid = state.play(state.legal_moves[0])
    for now in (state, laid):
        for seat in (0, 1, 2, None):
            for again in samples(now, seat, 3 if runs_plain_python() else 20):
                assert state.game.parse(again.text) == again
                assert again.legal_actions


def test_after_the_first_turn_any_deal_fits() -> None:
    state = table([row("Rd Rs")], "RcYxBv")
    (again,) = samples(state, 1, 1)
    assert again.conceal(1) == state.conceal(1)


@pytest.mark.compiled
def test_probabilities_in_the_first_turn_are_right() -> None:
    """Compared with an independent simulation: the size of the first player's largest set."""
    state = dealt("RcRdRvOcYsGb", "YcYxOdOsGvBb")
    assert state.to_move == 0
    own = hands_of(state)[1]
    unseen = sorted((oracle.full_bag() - Counter(own)).elements())
    rng = random.Random(1)
    count = 300 if runs_plain_python() else 6000
    expected: Counter[int] = Counter()
    while expected.total() < count:
        hand = rng.sample(unseen, 6)
        if oracle.first_player([hand, own]) == 0:
            expected[oracle.largest_set(hand)] += 1
    found = Counter(oracle.largest_set(hands_of(s)[0]) for s in samples(state, 1, count))
    for size in (2, 3, 4):
        p = expected[size] / count
        assert abs(found[size] - expected[size]) < 6 * math.sqrt(2 * count * p * (1 - p)) + 1


@pytest.mark.compiled  # 131,072 deals are too many for plain Python.
def test_if_no_consistent_deal_is_found_any_deal_is_used() -> None:
    """A set of six at a seat that doesn't begin: the search gives up, and play continues."""
    state = dealt("RcOcYcGcBcPc", "RxOxYxGxBxPx", "RdOdYdGdBdPd")
    (again,) = samples(state, 2, 1)
    assert again.conceal(2) == state.conceal(2)
    assert again.legal_actions
