"""Bots play every seat equally often, with the same chance outcomes."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from watermeet.arena.errors import InvalidJob
from watermeet.arena.pairing import Fixture, fixtures, pairings, rotations, round_count
from watermeet.core.game import Game

TABLES = [
    *[{"seats": seats} for seats in range(2, 7)],
    {"seats": 4, "teams": "pairs"},
    {"seats": 6, "teams": "pairs"},
]


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_both_bots_play_every_seat_equally_often(dice: Game, options: dict[str, int | str]) -> None:
    game = dice.with_options(**options)
    ways = rotations(game)
    assert len(set(ways)) == len(ways)
    for seat in range(game.seats):
        assert Counter(way[seat] for way in ways) == {0: len(ways) // 2, 1: len(ways) // 2}


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_partners_are_the_same_bot(dice: Game, options: dict[str, int | str]) -> None:
    game = dice.with_options(**options)
    for way in rotations(game):
        for team in game.teams:
            assert len({way[seat] for seat in team}) == 1
        assert {0, 1} == set(way)


def test_the_number_of_rotations(dice: Game) -> None:
    counts = {seats: len(rotations(dice.with_options(seats=seats))) for seats in range(2, 7)}
    assert counts == {2: 2, 3: 6, 4: 2, 5: 10, 6: 2}
    together = dice.with_options(seats=3, teams="together")
    assert rotations(together) == ((0, 0, 0),)


def test_teams_of_unequal_size() -> None:
    class Uneven:
        seats, teams = 5, ((0, 3), (1, 4), (2,))

    ways = rotations(Uneven())
    assert len(ways) == 6
    assert all(sum(way[seat] for way in ways) == 3 for seat in range(5))


def test_round_robin_or_gauntlet(dice: Game) -> None:
    bots = ["a", "b", "c"]
    assert pairings(dice, bots) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert pairings(dice, bots, gauntlet=1) == (("a", "b"), ("a", "c"))
    four = pairings(dice, (*bots, "d"), gauntlet=2)
    assert set(itertools.combinations("abcd", 2)) - set(four) == {("c", "d")}
    together = dice.with_options(teams="together")
    assert pairings(together, bots) == (("a",), ("b",), ("c",))


@pytest.mark.parametrize("bots", [[], ["a"], ["a", "b", "a"]], ids=str)
def test_invalid_pairings_are_refused(dice: Game, bots: list[str]) -> None:
    with pytest.raises(InvalidJob):
        pairings(dice, bots)


def test_matches_are_rounded_up_to_whole_rounds(dice: Game) -> None:
    three = dice.with_options(seats=3)
    assert round_count(three, 7) == 2
    planned = list(fixtures([("", three)], [("a", "b")], matches=7, seed=0))
    assert len(planned) == 12
    assert len({fixture.key for fixture in planned}) == 12


def test_each_round_has_its_own_seed(dice: Game) -> None:
    planned = list(fixtures([("", dice)], [("a", "b"), ("a", "c")], matches=6, seed=4))
    by_round: dict[tuple[tuple[str, ...], int], set[str]] = {}
    for fixture in planned:
        by_round.setdefault((fixture.bots, fixture.round), set()).add(fixture.chance_seed)
    assert all(len(seeds) == 1 for seeds in by_round.values())
    assert len(set.union(*by_round.values())) == len(by_round)
    assert planned[0].chance_seed != Fixture(dice, "", ("a", "b"), 0, 0, 5).chance_seed


def test_cooperative_bots_get_the_same_chance_outcomes(dice: Game) -> None:
    together = dice.with_options(teams="together")
    seeds = {Fixture(together, "", (bot,), 3, 0, 0).chance_seed for bot in ("a", "b")}
    assert len(seeds) == 1
