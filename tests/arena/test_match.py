"""One match: chance, openings, and bots that fail."""

from __future__ import annotations

import pytest

from watermeet.arena.match import (
    STARTUP_SECONDS,
    Conditions,
    MatchResult,
    Roster,
    Watchdog,
    opening,
    play_fixture,
)
from watermeet.arena.pairing import Fixture
from watermeet.core.contract import CHANCE
from watermeet.core.game import Game


def play(
    game: Game, *bots: str, number: int = 0, rotation: int = 0, **conditions: bool
) -> MatchResult:
    fixture = Fixture(game, "", bots, number, rotation, 7)
    return play_fixture(fixture, Conditions(**conditions), Roster())


def actions_of(
    game: Game, *bots: str, number: int = 0, rotation: int = 0, openings: int = 0
) -> list[int]:
    """All actions, read from the record."""
    fixture = Fixture(game, "", bots, number, rotation, 7)
    played = play_fixture(fixture, Conditions(openings, keeps_record=True), Roster())
    assert not played.error, played.error
    moves = played.record.partition("\n\n")[2].split()
    return [int(word.strip("~")) for word in moves if not word.endswith(".")]


def test_both_rotations_of_a_round_roll_the_same_dice(dice: Game) -> None:
    def rolled(number: int, rotation: int) -> list[int]:
        actions = actions_of(dice, "counts", "leaves", number=number, rotation=rotation)
        return [action for action in actions if action < 6]

    for number in range(5):
        assert rolled(number, 0) == rolled(number, 1)
        assert len(rolled(number, 0)) == 4


def test_each_round_rolls_its_own_dice(dice: Game) -> None:
    rolled = {
        tuple(actions_of(dice, "counts", "leaves", number=number)[::2]) for number in range(8)
    }
    assert len(rolled) == 8


def test_a_match_can_be_reproduced(dice: Game) -> None:
    first, second = (actions_of(dice, "random", "often", number=3) for _ in range(2))
    assert first == second


def test_matches_of_a_round_share_an_opening(dice: Game) -> None:
    long = dice.with_options(rounds=9)
    begun = [
        tuple(actions_of(long, "counts", "leaves", number=number, rotation=way, openings=6)[:12])
        for number in range(4)
        for way in (0, 1)
    ]
    assert begun[0::2] == begun[1::2]
    assert len(set(begun)) == 4
    assert any(7 in each[1::4] for each in begun)  # By the opening, not by the bot.


def test_an_opening_never_ends_the_match(dice: Game) -> None:
    short = dice.with_options(rounds=1)
    assert opening(short, "x", 2) == ([], short.start())
    actions, state = opening(short, "x", 1)
    assert len(actions) == 2
    assert state.to_move == CHANCE


def test_the_result_of_a_match(dice: Game) -> None:
    played = play(dice, "counts", "leaves", rotation=1, keeps_record=True)
    assert played.seats == ("leaves", "counts")
    assert played.returns == (-1.0, 1.0)
    assert (played.moves, played.seat_moves, played.reason) == (4, (2, 2), "rolled")
    assert played.figures.keys() == {"total"}
    assert not played.points  # This game has no points.
    assert "seats: leaves, counts" in played.record


@pytest.mark.parametrize(("bot", "words"), [("failing", "a six"), ("cheating", "played 3")])
def test_a_bot_that_fails_is_reported(dice: Game, bot: str, words: str) -> None:
    long = dice.with_options(rounds=9)
    played = play(long, "counts", bot)
    assert words in played.error
    assert not played.returns


def test_a_bot_is_not_shared_by_two_seats(dice: Game) -> None:
    roster = Roster()
    assert roster.bot(dice, "often", 0) is not roster.bot(dice, "often", 1)
    assert roster.bot(dice, "often", 0) is roster.bot(dice, "often", 0)


class Noting(Watchdog):
    """Remembers its countdowns."""

    def __init__(self) -> None:
        self.started: list[tuple[int, float]] = []
        self.open = 0

    def start(self, seat: int, seconds: float) -> None:
        self.started.append((seat, seconds))
        self.open += 1

    def stop(self) -> None:
        self.open -= 1


def test_every_move_has_a_countdown(dice: Game) -> None:
    watchdog = Noting()
    fixture = Fixture(dice, "", ("counts", "leaves"), 0, 0, 7)
    played = play_fixture(fixture, Conditions(timeout=9.0), Roster(watchdog))
    assert not played.error
    assert watchdog.open == 0
    making, playing = watchdog.started[:2], watchdog.started[2:]
    assert making == [(0, STARTUP_SECONDS + 9.0), (1, STARTUP_SECONDS + 9.0)]
    assert [seat for seat, _ in playing] == [0, 1, 0, 1, 0, 1]  # A new match, then moves.
    assert {seconds for _, seconds in playing} == {9.0}


def test_a_failure_stops_the_countdown(dice: Game) -> None:
    watchdog = Noting()
    fixture = Fixture(dice.with_options(rounds=9), "", ("counts", "failing"), 0, 0, 7)
    assert play_fixture(fixture, Conditions(), Roster(watchdog)).error
    assert watchdog.open == 0


def test_a_move_after_the_timeout_fails(dice: Game) -> None:
    fixture = Fixture(dice, "", ("counts", "leaves"), 0, 0, 7)
    played = play_fixture(fixture, Conditions(timeout=1e-9), Roster())
    assert "its timeout is 1e-09 s" in played.error


def test_limits_replace_those_of_the_bots() -> None:
    assert Conditions().limits() is None
    limits = Conditions(nodes=5).limits()
    assert limits is not None
    assert (limits.seconds, limits.nodes) == (None, 5)
