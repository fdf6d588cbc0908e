"""P12: ratings. Which matches may be rated, which count, and as what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.server.matches.conftest import START, Table, act

import watermeet as wm
from watermeet.server.matches import commands
from watermeet.server.matches.records import check_continuable
from watermeet.server.matches.setup import Absence, SeatPlan
from watermeet.server.people.ratings.anchors import start
from watermeet.server.people.ratings.counting import counted
from watermeet.server.people.ratings.fold import Player, Pool, fold

NewTable = Callable[..., Table]
SMALL = {"size": 3}
BOT = SeatPlan(who="bot", level="drop")
ANN, BOB, CLEO, DAN = (Player("user", f"u{seat}") for seat in range(4))


def finished(table: Table) -> Table:
    while not table.match.has_ended:
        table.play()
    return table


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"seats": (BOT, BOT)}, "bots alone"),
        ({"seats": (SeatPlan(), SeatPlan(who="bot", level="random"))}, "at random"),
        ({"start": wm.game("flume", size=3).start().play("a1").text}, "another position"),
    ],
)
def test_p12_1_a_rated_match_gives_everybody_the_same_chances(
    new_table: NewTable, changes: dict[str, Any], word: str
) -> None:
    assert new_table("flume", options=SMALL, **changes).match.setup.is_rated is False
    with pytest.raises(wm.WatermeetError, match=word):
        new_table("flume", options=SMALL, is_rated=True, **changes)


def test_p12_2_only_people_with_an_account_play_rated_matches(new_table: NewTable) -> None:
    rated = new_table("flume", options=SMALL, is_rated=True)
    rated.refuses(rated.join(0, is_registered=False), "invalid_match")
    rated.do(rated.join(0))
    casual = new_table("flume", options=SMALL)
    casual.do(casual.join(0, is_registered=False))


def test_p12_3_a_rated_match_is_played_without_help(new_table: NewTable) -> None:
    for is_rated in (False, True):
        table = new_table(
            "flume", options=SMALL, seats=(SeatPlan(), BOT), is_rated=is_rated
        ).seated()
        table.play()
        table.play()
        hint = act(0, commands.Hint(table.match.seq))
        undo, offer = act(0, commands.Undo()), act(0, commands.Offer("undo"))
        if is_rated:
            table.refuses(hint, "no_hints")
            table.refuses(undo, "cannot_undo")
            table.refuses(offer, "no_such_offer")
            with pytest.raises(wm.WatermeetError, match="still playing"):
                check_continuable(table.match)
        else:
            check_continuable(table.match)
            table.do(hint)
            table.do(undo)


def test_p12_4_matches_count_that_were_played_and_have_a_result(new_table: NewTable) -> None:
    assert counted(finished(new_table("flume", options=SMALL).seated()).match) is None
    table = new_table("flume", options=SMALL, is_rated=True).seated()
    assert counted(table.match) is None
    finished(table)
    found = counted(table.match)
    assert found is not None
    assert (found.at, found.pool) == (START, Pool("flume", "two"))
    assert found.places == ((1, 2) if table.match.returns == (1.0, -1.0) else (2, 1))
    table.do(act(0, commands.Offer("rematch")), wait=5000)
    assert counted(table.match) == found, "it has ended when it ended"

    for moves, is_counted in ((0, False), (1, False), (2, True)):
        left = new_table("flume", options=SMALL, is_rated=True).seated()
        for _ in range(moves):
            left.play()
        left.do(act(1, commands.Resign()))
        found = counted(left.match)
        assert (found is not None) == is_counted
    assert found is not None
    assert (found.places, found.left) == ((1, 2), (BOB,))

    aborted = new_table("flume", options=SMALL, is_rated=True).seated()
    for _ in range(2):
        aborted.play()
    aborted.agree("abort")
    assert counted(aborted.match) is None


def test_p12_5_those_who_have_left_come_last_and_gain_nothing(new_table: NewTable) -> None:
    """Also those for whom a bot stands in at the end, whatever the bot achieves."""
    for away in (0, 1):
        table = new_table(
            "flume", options=SMALL, is_rated=True, absence=Absence("stand_in")
        ).seated()
        while table.match.state.to_move != away:
            table.play()
        table.now += 3_600_000
        gone: dict[int, int] = {away: START}
        table.do(act(away, commands.StandIn(), away_since=gone))
        found = counted(finished(table).match)
        assert found is not None
        assert found.places == ((2, 1) if away == 0 else (1, 2))
        assert found.left == ((ANN, BOB)[away],)

    teams = new_table("flows", options={"seats": 4}, is_rated=True).seated()
    for _ in range(8):
        teams.play()
    teams.do(act(0, commands.Resign()))
    teams.do(act(1, commands.Resign()))
    teams.do(act(3, commands.Resign()))
    found = counted(teams.match)
    assert found is not None
    assert found.teams == ((ANN, CLEO), (BOB, DAN))
    assert found.places == (1, 2)
    after = fold([found], start).pool(found.pool)
    assert after[CLEO].rating.value > 1500 == after[ANN].rating.value


def test_p12_6_a_cooperative_match_is_played_against_its_difficulty(new_table: NewTable) -> None:
    table = new_table(
        "flow",
        options={"seats": 2, "clock": "minute"},
        seats=(SeatPlan(), SeatPlan(who="bot", level="brook")),
        is_rated=True,
        timer_percent=200,
    ).seated()
    while not any(step.mover >= 0 for step in table.match.steps()):
        table.play()
    table.do(act(0, commands.Resign()))
    found = counted(table.match)
    assert found is not None
    group, (difficulty,) = found.teams
    assert group == (ANN, Player("bot", "brook"))
    assert difficulty.id == f"{table.match.game.describe()} timer=200%"
    assert found.places == (2, 1)


def test_p12_7_ratings_follow_from_the_logs_alone(new_table: NewTable) -> None:
    tables = [
        finished(new_table("flume", options=SMALL, is_rated=True, name=name).seated())
        for name in ("first1", "second", "third3")
    ]
    found = [counted(table.match) for table in tables]
    again = [counted(table.replayed()) for table in reversed(tables)]
    pool = Pool("flume", "two")
    ratings = fold([each for each in found if each], start).pool(pool)
    assert ratings == fold([each for each in again if each], start).pool(pool)
    assert [standing.count for standing in ratings.values()] == [3, 3]
