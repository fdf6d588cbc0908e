"""Ratings recover known strengths, and intervals have the coverage they promise."""

from __future__ import annotations

import itertools
import random

import pytest

from watermeet.arena.match import MatchResult
from watermeet.arena.ratings import (
    elo_difference,
    elo_of_score,
    expected_score,
    los,
    rate,
    wilson_interval,
)
from watermeet.arena.score import RoundScores, match_score, round_scores
from watermeet.core.game import Game

TRUE = {"a": 150.0, "b": 30.0, "c": -40.0, "d": -140.0}


def simulated_round(rng: random.Random, elo: float, *, draws: float, luck: float) -> float:
    """Two matches. With probability ``luck`` the seat decides both, else strength does.

    A match that is decided by strength is drawn with probability ``draws``; the expected score is
    what the difference says.
    """
    wanted = expected_score(elo)
    decided = (wanted - 0.5) / (1 - luck) + 0.5  # So that the mean over both kinds is right.
    if rng.random() < luck:
        return 0.5
    edge = min(draws, 2 * decided, 2 * (1 - decided))
    total = 0.0
    for _ in range(2):
        drawn = rng.random()
        total += 0.5 if drawn < edge else float(drawn < edge + decided - edge / 2)
    return total / 2


def simulated(rng: random.Random, rounds: int) -> list[RoundScores]:
    return [
        RoundScores(
            (first, second),
            tuple(
                simulated_round(rng, TRUE[first] - TRUE[second], draws=0.2, luck=0.2)
                for _ in range(rounds)
            ),
        )
        for first, second in itertools.combinations(TRUE, 2)
    ]


def coverage(simulations: int, rounds: int) -> float:
    """How often an interval contains the true rating."""
    rng, hits = random.Random(5), 0
    for _ in range(simulations):
        found = rate(list(TRUE), simulated(rng, rounds))
        hits += sum(found[name].low <= elo <= found[name].high for name, elo in TRUE.items())
    return hits / (simulations * len(TRUE))


def test_known_strengths_are_recovered() -> None:
    found = rate(list(TRUE), simulated(random.Random(1), 4000))
    for name, elo in TRUE.items():
        assert abs(found[name].value - elo) < 8
        assert found[name].low < elo < found[name].high


def test_intervals_have_their_nominal_coverage() -> None:
    assert 0.92 < coverage(150, 40) < 0.98


@pytest.mark.nightly
@pytest.mark.parametrize("rounds", [6, 25, 100])
def test_coverage_for_few_and_many_rounds(rounds: int) -> None:
    assert 0.94 < coverage(1500, rounds) < 0.985


def test_shared_chance_narrows_the_intervals() -> None:
    """Rounds that end 1-1 say more than independent matches that happen to split."""
    paired = elo_difference(RoundScores(("a", "b"), (0.5,) * 80 + (0.0,) * 10 + (1.0,) * 10))
    coins = elo_difference(RoundScores(("a", "b"), (0.5,) * 50 + (0.0,) * 25 + (1.0,) * 25))
    assert (paired.high - paired.low) < 0.7 * (coins.high - coins.low)


def test_no_rating_is_infinite() -> None:
    found = elo_difference(RoundScores(("a", "b"), (1.0,) * 30))
    assert 200 < found.low < found.value < 1000
    assert los(found) > 0.99


def test_all_ratings_start_equal_and_uncertain() -> None:
    found = rate(
        ["a", "b", "c"], [RoundScores(pair, ()) for pair in itertools.combinations("abc", 2)]
    )
    assert all(each.value == 0 and each.high > 100 for each in found.values())


def test_bots_that_never_met_are_rated_through_others() -> None:
    """In a gauntlet b and c meet through a."""
    found = rate(
        ["a", "b", "c"],
        [RoundScores(("a", "b"), (0.75,) * 200), RoundScores(("a", "c"), (0.25,) * 200)],
    )
    assert abs((found["c"].value - found["b"].value) - 2 * elo_of_score(0.75)) < 5
    assert sum(each.value for each in found.values()) == pytest.approx(0)


def test_ratings_can_be_relative_to_some_bots() -> None:
    pairs = [RoundScores(pair, (0.75, 0.5) * 50) for pair in itertools.combinations("abc", 2)]
    free, fixed = rate(["a", "b", "c"], pairs), rate(["a", "b", "c"], pairs, anchors=["b"])
    assert fixed["b"].low == fixed["b"].value == fixed["b"].high == pytest.approx(0)
    assert fixed["a"].value == pytest.approx(free["a"].value - free["b"].value)
    assert fixed["a"].high - fixed["a"].low > free["a"].high - free["a"].low


def test_wilson() -> None:
    assert wilson_interval(0, 0).value == 0.5
    found = wilson_interval(50, 100)
    assert (round(found.low, 3), round(found.high, 3)) == (0.404, 0.596)


@pytest.mark.parametrize(
    ("seats", "returns", "score"),
    [
        (2, (1, -1), 1.0),
        (2, (0, 0), 0.5),
        (4, (1, -1, -1, -1), 1.0),  # The losers aren't ranked.
        (4, (1, 1, -1, -1), (1 + 0.5 + 1 * 0) / 3 + 0.0),
        (4, (3, 2, 1, 0), 0.75),
        (3, (-1, 1, -1), 0.0),
    ],
    ids=str,
)
def test_the_score_of_a_match(
    dice: Game, seats: int, returns: tuple[float, ...], score: float
) -> None:
    assert match_score(dice.with_options(seats=seats), 0, returns) == pytest.approx(score)


def test_only_complete_rounds_count(dice: Game) -> None:
    def played(number: int, rotation: int, gain: float, error: str = "") -> MatchResult:
        seats = ("a", "b") if rotation == 0 else ("b", "a")
        return MatchResult("", ("a", "b"), number, rotation, "", seats, (gain, -gain), error=error)

    matches = [played(0, 0, 1), played(0, 1, 1), played(1, 0, 1), played(2, 0, 1), played(2, 1, -1)]
    matches += [played(3, 0, 1), played(3, 1, 1, error="fell over")]
    assert round_scores(dice, ("a", "b"), matches).scores == (0.5, 1.0)
