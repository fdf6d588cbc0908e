"""One match: luck, openings, and bots that fail."""

from __future__ import annotations

import pytest

from watermeet.arena.match import (
    MAKING_S,
    Conditions,
    Played,
    Roster,
    Watch,
    opening,
    play_fixture,
)
from watermeet.arena.pairing import Fixture
from watermeet.core.contract import CHANCE
from watermeet.core.game import Game


def play(game: Game, *bots: str, bout: int = 0, rotation: int = 0, **conditions: bool) -> Played:
    fixture = Fixture(game, "", bots, bout, rotation, 7)
    return play_fixture(fixture, Conditions(**conditions), Roster())


def actions_of(
    game: Game, *bots: str, bout: int = 0, rotation: int = 0, openings: int = 0
) -> list[int]:
    """All actions, read from the record."""
    fixture = Fixture(game, "", bots, bout, rotation, 7)
    played = play_fixture(fixture, Conditions(openings, keeps_record=True), Roster())
    assert not played.error, played.error
    moves = played.record.partition("\n\n")[2].split()
    return [int(word.strip("~")) for word in moves if not word.endswith(".")]


def test_both_rotations_roll_the_same_dice(dice: Game) -> None:
    def rolled(bout: int, rotation: int) -> list[int]:
        actions = actions_of(dice, "counts", "leaves", bout=bout, rotation=rotation)
        return [action for action in actions if action < 6]

    for bout in range(5):
        assert rolled(bout, 0) == rolled(bout, 1)
        assert len(rolled(bout, 0)) == 4


def test_other_bouts_roll_other_dice(dice: Game) -> None:
    rolled = {tuple(actions_of(dice, "counts", "leaves", bout=bout)[::2]) for bout in range(8)}
    assert len(rolled) == 8


def test_the_same_match_again_is_the_same(dice: Game) -> None:
    first, second = (actions_of(dice, "random", "often", bout=3) for _ in range(2))
    assert first == second


def test_an_opening_is_common_to_a_bout_and_differs_between_bouts(dice: Game) -> None:
    long = dice.with_options(rounds=9)
    begun = [
        tuple(actions_of(long, "counts", "leaves", bout=bout, rotation=way, openings=6)[:12])
        for bout in range(4)
        for way in (0, 1)
    ]
    assert begun[0::2] == begun[1::2]
    assert len(set(begun)) == 4
    assert any(7 in each[1::4] for each in begun)  # The one that counts everything did not choose.


def test_an_opening_never_ends_the_match(dice: Game) -> None:
    short = dice.with_options(rounds=1)
    assert opening(short, "x", 2) == ([], short.start())
    actions, state = opening(short, "x", 1)
    assert len(actions) == 2
    assert state.to_move == CHANCE


def test_what_is_kept_of_a_match(dice: Game) -> None:
    played = play(dice, "counts", "leaves", rotation=1, keeps_record=True)
    assert played.seats == ("leaves", "counts")
    assert played.returns == (-1.0, 1.0)
    assert (played.moves, played.seat_moves, played.reason) == (4, (2, 2), "rolled")
    assert played.figures.keys() == {"total"}
    assert not played.points  # This game tells none.
    assert "seats: leaves, counts" in played.record


@pytest.mark.parametrize(("bot", "told"), [("failing", "a six"), ("cheating", "answered 3")])
def test_a_bot_that_fails_is_told(dice: Game, bot: str, told: str) -> None:
    long = dice.with_options(rounds=9)
    played = play(long, "counts", bot)
    assert told in played.error
    assert not played.returns


def test_a_bot_is_not_shared_by_two_seats(dice: Game) -> None:
    roster = Roster()
    assert roster.bot(dice, "often", 0) is not roster.bot(dice, "often", 1)
    assert roster.bot(dice, "often", 0) is roster.bot(dice, "often", 0)


class Noting(Watch):
    """Remembers for whom and how long it was to wait."""

    def __init__(self) -> None:
        self.begun: list[tuple[int, float]] = []
        self.open = 0

    def begin(self, seat: int, seconds: float) -> None:
        self.begun.append((seat, seconds))
        self.open += 1

    def end(self) -> None:
        self.open -= 1


def test_whoever_is_waited_for_is_watched(dice: Game) -> None:
    watch = Noting()
    fixture = Fixture(dice, "", ("counts", "leaves"), 0, 0, 7)
    played = play_fixture(fixture, Conditions(patience=9.0), Roster(watch))
    assert not played.error
    assert watch.open == 0
    making, choosing = watch.begun[:2], watch.begun[2:]
    assert making == [(0, MAKING_S + 9.0), (1, MAKING_S + 9.0)]
    assert [seat for seat, _ in choosing] == [0, 1, 0, 1, 0, 1]  # They begin, then choose.
    assert {seconds for _, seconds in choosing} == {9.0}


def test_who_fails_is_no_longer_watched(dice: Game) -> None:
    watch = Noting()
    fixture = Fixture(dice.with_options(rounds=9), "", ("counts", "failing"), 0, 0, 7)
    assert play_fixture(fixture, Conditions(), Roster(watch)).error
    assert watch.open == 0


def test_an_answer_that_comes_far_too_late_is_none(dice: Game) -> None:
    fixture = Fixture(dice, "", ("counts", "leaves"), 0, 0, 7)
    played = play_fixture(fixture, Conditions(patience=1e-9), Roster())
    assert "nobody waits longer than 1e-09 s" in played.error


def test_limits_take_the_place_of_a_bots_own() -> None:
    assert Conditions().limits() is None
    limits = Conditions(nodes=5).limits()
    assert limits is not None
    assert (limits.seconds, limits.nodes) == (None, 5)
