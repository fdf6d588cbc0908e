"""Pairing: nobody waits for ever, meets somebody they have blocked, or is seated twice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watermeet.server.matches.setup import SECOND, RealTime
from watermeet.server.people import pairing
from watermeet.server.people.pairing import Pairing, Place, Seek, Variant, may_meet, pair

TWO = Variant("flume", is_rated=True)
BOTS = (("drop", 1000.0), ("stream", 1500.0), ("sea", 2000.0))
VARIANTS = (
    TWO,
    Variant("flume"),
    Variant("qwirkle", (("seats", 3),), RealTime(60 * SECOND), teams=(1, 1, 1), bots=BOTS),
    Variant("qwirkle", (("seats", 4),), teams=(2, 2), bots=BOTS),
    Variant("flume", teams=(3,), bots=BOTS),
)
USERS = [f"u{number}" for number in range(9)]
SEEK = st.builds(
    Seek,
    st.integers(0, 10**6).map(str),
    st.sampled_from(USERS),
    st.integers(0, 60).map(lambda seconds: seconds * SECOND),
    st.sampled_from(VARIANTS),
    st.floats(100, 4000),
    st.floats(45, 350),
    st.frozensets(st.sampled_from(USERS), max_size=2),
    st.sampled_from([None, None, 0, 20 * SECOND]),
)
SEEKS = st.lists(SEEK, max_size=10, unique_by=lambda each: each.id)


def seek(user: str, rating: float = 1500, at: int = 0, **changes: object) -> Seek:
    return Seek(user, user, at, **{"variant": TWO, "rating": rating, "deviation": 60} | changes)  # type: ignore[arg-type]


def users(pairing: Pairing) -> list[str]:
    return [place.user for team in pairing.teams for place in team if place.user]


def run(seeks: Sequence[Seek], until: int) -> tuple[list[Pairing], list[Seek]]:
    """Pair every five seconds; what was paired, and who still waits. Nobody comes back."""
    found: list[Pairing] = []
    waiting: list[Seek] = []
    coming = sorted(seeks, key=lambda each: each.at)
    for now in range(0, until, 5 * SECOND):
        while coming and coming[0].at <= now:
            waiting.append(coming.pop(0))
        new = pair(waiting, now)
        found += new
        seated = {user for each in new for user in users(each)}
        waiting = [each for each in waiting if each.user not in seated]
        coming = [each for each in coming if each.user not in seated]
    return found, waiting


def are_strangers(group: Sequence[Seek]) -> bool:
    return all(
        one.user != other.user and one.user not in other.blocked and other.user not in one.blocked
        for one, other in combinations(group, 2)
    )


@given(SEEKS)
def test_nobody_waits_for_ever_or_is_seated_twice_or_meets_a_blocked_person(
    seeks: list[Seek],
) -> None:
    found, waiting = run(seeks, 150 * SECOND)
    seated = [user for each in found for user in users(each)]
    assert len(seated) == len(set(seated))
    for each in found:
        assert are_strangers(each.seeks)
        assert {one.user for one in each.seeks} == set(users(each))
        assert all(one.variant == each.variant for one in each.seeks)
        assert tuple(len(team) for team in each.teams) == each.variant.teams
        if len(each.seeks) < each.variant.seats:
            assert all(one.bot_after is not None for one in each.seeks)
    assert not any(one.bot_after is not None and one.variant.bots for one in waiting)
    for variant in VARIANTS:
        left = [one for one in waiting if one.variant == variant]
        assert not any(are_strangers(group) for group in combinations(left, variant.seats))


@given(SEEKS, st.integers(0, 100), st.integers(0, 9))
def test_pairings_depend_on_the_seeks_alone(seeks: list[Seek], now: int, seed: int) -> None:
    shuffled = random.Random(seed).sample(seeks, len(seeks))
    assert pair(seeks, now * SECOND) == pair(shuffled, now * SECOND)


def test_the_nearest_rating_is_chosen_and_the_longest_wait_chooses_first() -> None:
    seeks = [seek("a", 1500, 0), seek("b", 1540, 1), seek("c", 1510, 2), seek("d", 1550, 3)]
    assert [set(users(each)) for each in pair(seeks, 4)] == [{"a", "c"}, {"b", "d"}]


def test_windows_widen_while_people_wait() -> None:
    far = [seek("a", 1500), seek("b", 1900)]
    assert pair(far, 20 * SECOND) == []
    assert len(pair(far, 25 * SECOND)) == 1
    assert len(pair([seek("a", 100), seek("b", 4000)], 60 * SECOND)) == 1
    late = [seek("a", 1500), seek("b", 1900, at=24 * SECOND)]
    assert pair(late, 25 * SECOND) == [], "somebody new isn't at once given a distant opponent"


def test_whoever_is_blocked_by_a_crowd_is_paired_in_time_and_the_crowd_costs_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pairing, "REFUSALS", 20)
    crowd = frozenset(f"m{number}" for number in range(200))
    seeks = [seek(name, at=9, blocked=crowd | {"a", "b"}) for name in crowd]
    seeks += [seek("a"), seek("b", 1600)]
    meetings = []

    def meet(*given: Any) -> bool:
        meetings.append(given)
        return may_meet(*given)

    monkeypatch.setattr(pairing, "may_meet", meet)
    rounds = [pair(seeks, 60 * SECOND + now) for now in range(40)]
    found = [set(users(each)) for one in rounds for each in one]
    assert found
    assert found == [{"a", "b"}] * len(found)
    assert len(meetings) < 40 * len(seeks) * (2 * 20 + 2)


def test_teams_are_even() -> None:
    ratings = {"a": 1900, "b": 1600, "c": 1500, "d": 1200}
    seeks = [seek(user, rating, variant=VARIANTS[3]) for user, rating in ratings.items()]
    (found,) = pair(seeks, 60 * SECOND)
    assert {frozenset(place.user for place in team) for team in found.teams} == {
        frozenset("ad"),
        frozenset("bc"),
    }


def test_bots_of_ones_own_strength_come_when_nobody_else_does() -> None:
    alone = [
        seek(user, rating, variant=VARIANTS[2], bot_after=20 * SECOND)
        for user, rating in (("a", 1900), ("b", 2100))
    ]
    assert pair(alone, 19 * SECOND) == []
    (found,) = pair(alone, 20 * SECOND)
    assert sorted(place for (place,) in found.teams) == [Place("", "sea"), Place("a"), Place("b")]


def test_nobody_has_the_first_move_more_often_for_having_waited() -> None:
    firsts = [pair([seek("a"), seek("b", at=1)], now)[0].teams[0][0].user for now in range(1, 401)]
    assert 150 < firsts.count("a") < 250
