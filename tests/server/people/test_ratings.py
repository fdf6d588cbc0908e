"""Ratings: the published formulas, checked by other means, and what has to hold for every match."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

import watermeet as wm
from watermeet.bots.levels import declared_levels, ratings_of
from watermeet.server.people.ratings import glicko, weng_lin
from watermeet.server.people.ratings.anchors import difficulty_of, kind_of, start
from watermeet.server.people.ratings.fold import (
    HIGHEST,
    LEAST_DEVIATION,
    LOWEST,
    Player,
    Pool,
    RatedMatch,
    Ratings,
    Standing,
    fold,
    rate,
)
from watermeet.server.people.ratings.glicko import PERIOD, Rating
from watermeet.testing.folders import built_in_games

DAY = 24 * 3600 * 1000
TWO = Pool("flume", "two")
ANN, BOB, CLEO, DAN = (Player("user", name) for name in ("ann", "bob", "cleo", "dan"))
RATINGS = st.builds(
    Rating, st.floats(200, 3000), st.floats(30, 350), st.sampled_from([0.0, 0.03, 0.06, 0.1])
)
SCORES = st.sampled_from([0.0, 0.5, 1.0])


# ---- Glicko-2 -----------------------------------------------------------------------------------


def test_the_example_of_glickmans_paper() -> None:
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    found = glicko.rate(Rating(1500, 200, 0.06), opponents, periods=1.0)
    assert found.value == pytest.approx(1464.06, abs=0.02)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=1e-5)


def by_the_paper(
    player: Rating, results: list[tuple[Rating, float]], periods: float, sigma: float
) -> tuple[float, float, float]:
    """Written from the paper's steps alone: the rating, its deviation, and whether sigma is right.

    After great surprises the equation of step 5 has several solutions, so a new sigma is tested.
    """
    mu, phi = (player.value - 1500) / 173.7178, player.deviation / 173.7178
    v_inverse = total = 0.0
    for opponent, score in results:
        g = 1 / math.sqrt(1 + 3 * (opponent.deviation / 173.7178) ** 2 / math.pi**2)
        e = 1 / (1 + math.exp(-g * (mu - (opponent.value - 1500) / 173.7178)))
        v_inverse += g**2 * e * (1 - e)
        total += g * (score - e)
    v, error = 1 / v_inverse, 0.0
    if player.volatility:
        square, a = sigma**2, math.log(player.volatility**2)
        top = square * ((v * total) ** 2 - phi**2 - v - square)
        error = top / (2 * (phi**2 + v + square) ** 2) - (math.log(square) - a) / 0.5**2
    star = min(math.sqrt(phi**2 + periods * sigma**2), 350 / 173.7178)
    new_phi = 1 / math.sqrt(1 / star**2 + v_inverse)
    return 173.7178 * (mu + new_phi**2 * total) + 1500, 173.7178 * new_phi, error


@given(RATINGS, st.lists(st.tuples(RATINGS, SCORES), min_size=1, max_size=4), st.floats(0, 50))
def test_glicko_2_agrees_with_another_implementation(
    player: Rating, results: list[tuple[Rating, float]], periods: float
) -> None:
    found = glicko.rate(player, results, periods)
    value, deviation, error = by_the_paper(player, results, periods, found.volatility)
    assert found.value == pytest.approx(value, abs=0.01)
    assert found.deviation == pytest.approx(deviation, abs=0.01)
    assert error == pytest.approx(0, abs=1e-5)


def test_a_year_without_matches_makes_a_rating_unsure_but_never_more_than_a_new_one() -> None:
    assert Rating(1700, 60).after(365 * DAY / PERIOD).deviation == pytest.approx(110, abs=0.5)
    assert Rating(1700, 60).after(1e9).deviation == 350
    assert Rating(1700, 60, volatility=0).after(1e9).deviation == 60


# ---- Weng and Lin -------------------------------------------------------------------------------


def test_several_seats_are_rated_as_openskill_does_on_its_own_scale() -> None:
    """The library with its usual numbers, where we use the scale of Glicko-2."""
    beta = 25 / 6
    unit = glicko.SCALE / math.sqrt(3) / beta
    model = PlackettLuce(mu=25, sigma=weng_lin.UNKNOWN / unit, beta=beta, gamma=lambda *_: 1, tau=0)
    ours = [[Rating(1500, 250)], [Rating(1700, 80)], [Rating(1400, 120)]]
    theirs = [
        [model.rating(25 + (each.value - 1500) / unit, each.deviation / unit)] for (each,) in ours
    ]
    for places in ([1, 2, 3], [2, 1, 1], [3, 2, 1], [1, 1, 1], [2, 3, 1]):
        found = weng_lin.rate(ours, places)
        expected = model.rate(theirs, ranks=[float(place) for place in places])
        for (one,), (other,) in zip(found, expected, strict=True):
            assert one.value == pytest.approx(1500 + unit * (other.mu - 25))
            assert one.deviation == pytest.approx(unit * other.sigma)


def test_a_team_is_the_mean_of_its_members() -> None:
    """Twice the same player is as strong as once, against anybody; the unsure member moves more."""
    strong, weak = Rating(1700, 60), Rating(1300, 60)
    assert weng_lin.predicted([strong, weak], [Rating(1500, 60)] * 2) == 0.5
    assert weng_lin.predicted([strong] * 3, [weak]) > weng_lin.predicted([strong], [weak]) > 0.9
    ((sure, unsure), _) = weng_lin.rate(
        [[Rating(1500, 60), Rating(1500, 200)], [weak, weak]], [1, 2]
    )
    assert unsure.value - 1500 > 5 * (sure.value - 1500) > 0


# ---- the fold -----------------------------------------------------------------------------------


def two(winner: Player, loser: Player, at: int = 1, *, draw: bool = False) -> RatedMatch:
    places = (1, 1) if draw else (1, 2)
    return RatedMatch(f"{winner.id}-{loser.id}-{at}", at, TWO, ((winner,), (loser,)), places)


def random_matches(count: int, seed: int) -> list[RatedMatch]:
    rng = random.Random(seed)
    found = []
    for number in range(count):
        at, teams = 1 + rng.randrange(50) * DAY // 10, rng.sample([ANN, BOB, CLEO, DAN], 4)
        kind = rng.choice(["two", "several", "teams", "cooperative"])
        groups: list[list[Player]] = [[each] for each in teams]
        if kind == "two":
            groups = groups[:2]
        elif kind == "teams":
            groups = [teams[:2], teams[2:]]
        elif kind == "cooperative":
            groups = [teams[:3], [Player("difficulty", rng.choice(["flow@1", "flow@1 seats=2"]))]]
        game = "flow" if kind == "cooperative" else "flume"
        places = tuple(rng.randint(1, len(groups)) for _ in groups)
        pool = Pool(game, kind)  # type: ignore[arg-type]
        found.append(RatedMatch(f"m{number}", at, pool, tuple(map(tuple, groups)), places))
    return found


def standings(ratings: Ratings) -> dict[Pool, dict[Player, Standing]]:
    return {pool: ratings.pool(pool) for pool in ratings.pools()}


def test_a_fold_depends_on_the_matches_alone_not_on_the_order_of_the_list() -> None:
    matches = random_matches(120, seed=1)
    shuffled = random.Random(2).sample(matches, len(matches))
    assert standings(fold(matches, start)) == standings(fold(shuffled, start))
    assert len(fold(matches, start).pools()) == 4


def test_matches_of_other_people_may_be_counted_in_any_order() -> None:
    apart = [two(ANN, BOB, 1), two(CLEO, DAN, 2), two(BOB, ANN, 3), two(DAN, CLEO, 4)]
    ratings = Ratings(start)
    for match in (apart[1], apart[3], apart[0], apart[2]):
        ratings.add(match)
    assert standings(ratings) == standings(fold(apart, start))


@given(st.integers(0, 2**20))
def test_ratings_stay_within_bounds_and_a_match_makes_them_surer(seed: int) -> None:
    ratings = Ratings(start)
    for match in sorted(random_matches(12, seed), key=lambda each: each.at):
        players = [player for team in match.teams for player in team]
        before = {each: ratings.of(match.pool, each).now(match.at) for each in players}
        for player, after in ratings.add(match).items():
            assert LOWEST <= after.rating.value <= HIGHEST
            least = LEAST_DEVIATION if player.kind == "user" else 30
            assert least <= after.rating.deviation <= before[player].deviation + 0.01


@given(st.floats(800, 2200), st.floats(45, 350), SCORES)
def test_what_one_wins_the_other_loses_if_both_are_equally_sure(
    value: float, deviation: float, score: float
) -> None:
    before = {
        ANN: Standing(Rating(1500, deviation), 3, 1),
        BOB: Standing(Rating(value, deviation), 3, 1),
    }
    after = rate(two(ANN, BOB, 1, draw=score == 0.5), before)
    won, lost = (after[each].rating.value - before[each].rating.value for each in (ANN, BOB))
    assert won == pytest.approx(-lost, abs=0.05 * abs(won) + 0.01)
    if score != 0.5:
        assert won > 0


def test_a_player_who_left_gains_nothing_though_the_team_wins() -> None:
    teams = Pool("flows", "teams")
    match = RatedMatch("m", 1, teams, ((ANN, BOB), (CLEO, DAN)), (1, 2), left=(BOB,))
    after = fold([match], start).pool(teams)
    assert after[ANN].rating.value > 1500 == after[BOB].rating.value


def test_a_bot_on_several_seats_is_one_player() -> None:
    river = Player("bot", "river")
    match = RatedMatch("m", 1, Pool("qwirkle", "several"), ((ANN,), (river,), (river,)), (1, 2, 3))
    after = fold([match], start).pool(match.pool)
    assert set(after) == {ANN, river}
    assert after[river].count == 1
    assert after[river].rating.value < start(match.pool, river).value


def test_a_difficulty_that_beats_groups_is_rated_higher() -> None:
    pool, hard = Pool("flow", "cooperative"), Player("difficulty", "flow@1 scenarios=6")
    matches = [RatedMatch(f"m{at}", at, pool, ((ANN, BOB), (hard,)), (2, 1)) for at in range(9)]
    after = fold(matches, start).pool(pool)
    assert after[hard].rating.value > 1600
    assert after[ANN].rating.value < 1500
    assert after[hard].rating.deviation < 250


# ---- where players start ------------------------------------------------------------------------


@pytest.mark.parametrize("name", built_in_games())
def test_stronger_levels_have_higher_ratings(name: str) -> None:
    game = wm.game(name)
    found = ratings_of(game)
    assert tuple(found) == tuple(level.name for level in declared_levels(game))
    assert sorted(value for value, _ in found.values()) == [value for value, _ in found.values()]
    measured = start(Pool(name, kind_of(game)), Player("bot", "stream"))
    elsewhere = start(Pool(name, "several"), Player("bot", "stream"))
    assert measured.value == elsewhere.value
    assert measured.deviation < 100
    assert elsewhere.deviation >= 150


def test_kinds_and_difficulties_follow_from_the_game() -> None:
    assert kind_of(wm.game("flows", seats=2)) == "two"
    assert kind_of(wm.game("flows", seats=3)) == "several"
    assert kind_of(wm.game("flows", seats=4)) == "teams"
    assert kind_of(wm.game("flow", seats=1)) == "cooperative"
    hard = wm.game("flow", scenarios=2, clock="minute")
    assert difficulty_of(hard) != difficulty_of(hard, 50) != difficulty_of(hard, 0)
    assert difficulty_of(wm.game("flow"), 50) == difficulty_of(wm.game("flow"))
