"""P8 and P9: leaving, and absence."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.server.matches.conftest import act, due

import watermeet as wm
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.matches import absence, commands, results
from watermeet.server.matches.setup import DAY, Absence, Correspondence, RealTime, SeatPlan
from watermeet.server.matches.timing import due_at
from watermeet.server.presence import Presence

SMALL = {"size": 3, "pie": False}
BOT = SeatPlan("bot", "drop")
THREE = {"seats": 3}


def test_p8_1_with_two_teams_the_other_wins(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    assert table.do(act(0, commands.Resign())) == ("resigned", "ended", "revealed")
    assert table.match.returns == (-1.0, 1.0)
    assert table.match.reason == "resigned"
    assert table.document(1)["outcome"]["winners"] == [1]
    table.refuses(act(1, commands.Resign()), "wrong_stage")
    assert (
        new_table("flume", options=SMALL, seats=(SeatPlan(), BOT))
        .seated()
        .do(act(0, commands.Resign()))
    )


def test_p8_1_players_may_resign_in_a_pause_and_out_of_turn(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    table.do(act(0, commands.Offer("pause")))
    table.do(act(0, commands.Resign()))
    assert table.match.stage == "finished"
    table.refuses(act(0, commands.Resign()), "wrong_stage")


def test_p8_2_with_more_teams_a_bot_takes_over(new_table: Any) -> None:
    table = new_table("qwirkle", options=THREE, absence=Absence(level="brook")).seated()
    assert table.do(act(1, commands.Resign())) == ("resigned", "stood_in")
    assert table.match.seats[1].bot == "brook"
    table.refuses(act(1, commands.Reclaim()), "wrong_stage")
    table.refuses(act(1, commands.Resign()), "wrong_stage")
    assert table.do(act(0, commands.Resign())) == ("resigned", "ended", "revealed")
    assert table.match.returns == (-0.5, -0.5, 1.0)


def test_p8_2_leavers_come_last(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 4}).seated()
    table.do(act(2, commands.Resign()))
    match = table.match
    assert results.with_leavers_last(match, (-1.0, -1.0, 1.0, -1.0)) == pytest.approx(
        (-1 / 3, -1 / 3, -1.0, -1 / 3)
    )
    assert results.with_leavers_last(match, (0.5, -0.5, 0.0, -0.25)) == (0.5, -0.25, -0.5, 0.0)
    table.do(act(0, commands.Resign()))
    assert results.with_leavers_last(table.match, (0.5, 0.25, 0.0, -0.5)) == (0.0, 0.5, -0.5, 0.25)
    quiet = new_table("qwirkle").seated().match
    assert results.with_leavers_last(quiet, (0.25, -0.25)) == (0.25, -0.25)


def test_p8_2_returns_are_redistributed_at_the_end(new_table: Any) -> None:
    table = new_table("qwirkle", options=THREE, name="leaver").seated()
    table.do(act(0, commands.Resign()))
    while table.match.stage == "playing":
        table.play()
    assert table.match.returns[0] == min(table.match.returns)
    assert sum(table.match.returns) == pytest.approx(0)
    by, ended_by, left, sentence = outcome_of(table)
    assert (by, ended_by, left) == ("rules", None, ["resigned", "", ""])
    moved = table.match.returns != table.match.state.outcome.returns
    assert ("N0 resigned. " in sentence) == moved


def test_p8_3_a_team_leaves_when_all_its_people_have(new_table: Any) -> None:
    table = new_table("flow").seated()
    assert table.do(act(0, commands.Resign())) == ("resigned", "stood_in")
    assert table.do(act(1, commands.Resign())) == ("resigned", "ended", "revealed")
    assert table.match.returns == (-1.0, -1.0)
    pairs = new_table("flows", options={"seats": 4, "radius": 2}).seated()
    assert pairs.match.game.teams == ((0, 2), (1, 3))
    pairs.do(act(0, commands.Resign()))
    assert pairs.match.stage == "playing"
    pairs.do(act(2, commands.Resign()))
    assert pairs.match.returns == (-1.0, 1.0, -1.0, 1.0)


def test_p8_3_bots_of_a_team_do_not_continue_alone(new_table: Any) -> None:
    table = new_table("flow", options=THREE, seats=(SeatPlan(), BOT, BOT)).seated()
    assert table.do(act(0, commands.Resign())) == ("resigned", "ended", "revealed")


def test_p8_4_without_people_the_match_is_over(new_table: Any) -> None:
    table = new_table("qwirkle", options=THREE, seats=(BOT, SeatPlan(), BOT)).seated()
    assert table.do(act(1, commands.Resign())) == ("resigned", "ended", "revealed")
    assert table.match.returns == (0.5, -1.0, 0.5)


def test_p8_5_an_inactive_match_is_aborted(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, absence=Absence("wait")).seated()
    table.play()
    table.refuses(act(None, commands.Abort()), "not_due", wait=60 * DAY - 1)
    assert due(table.match, table.now + 1) == act(None, commands.Abort())
    assert table.do(act(None, commands.Abort()), wait=1) == ("aborted", "revealed")
    assert table.match.stage == "aborted"


def outcome_of(table: Any) -> tuple[str, int | None, list[str], str]:
    outcome = table.document(None)["outcome"]
    return outcome["by"], outcome["ended_by"], outcome["left"], outcome["sentence"]


def test_every_ending_has_a_true_sentence(new_table: Any) -> None:
    one = new_table("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    one.do(act(0, commands.Resign()))
    assert outcome_of(one) == ("resigned", 0, ["resigned", ""], "N0 resigned. Drop wins.")
    late = new_table("flume", options=SMALL, time_control=RealTime(1_000)).seated()
    late.do(due(late.match, late.now + 60_000), wait=60_000)
    while late.match.stage == "playing":
        late.do(due(late.match, late.now), wait=0)
    assert outcome_of(late) == ("timeout", 0, ["timeout", ""], "N0 ran out of time. N1 wins.")
    away = new_table("flume", options=SMALL).seated()
    away.do(act(1, commands.Claim(0), away_since={0: away.now}), wait=300_000)
    assert outcome_of(away) == ("claimed", 0, ["claimed", ""], "N0 was away for too long. N1 wins.")
    pairs = new_table("flows", options={"seats": 4, "radius": 2}).seated()
    pairs.do(act(2, commands.Resign()))
    pairs.do(act(0, commands.Resign()))
    sentence = "N2 and N0 resigned. N1 and N3 win."
    assert outcome_of(pairs) == ("resigned", 0, ["resigned", "", "resigned", ""], sentence)
    together = new_table("flow").seated()
    together.do(act(0, commands.Resign()))
    together.do(act(1, commands.Resign()))
    assert outcome_of(together)[3] == "N0 and N1 resigned. Everybody loses."
    names = [seat["left"] for seat in together.document(0)["seats"]]
    assert names == ["resigned", "resigned"]


@pytest.mark.parametrize("name", wm.games())
def test_returns_of_leavers_match_the_declared_range(name: str) -> None:
    for seats in range(*wm.game(name).seat_range):
        game = wm.game(name, seats=seats) if "seats" in wm.game(name).options else wm.game(name)
        low, high = game.returns_range
        for count in range(game.seats):
            returns = results.shared(game, tuple(range(count)))
            assert all(low <= value <= high for value in returns)
            if game.returns_sum is not None and count:
                assert sum(returns) == pytest.approx(game.returns_sum)


# ---- absence ------------------------------------------------------------------------------------


def test_p9_1_grace_grows_with_the_clock(new_table: Any) -> None:
    expected = {1: 30, 2: 30, 3: 60, 7: 60, 8: 120, 24: 120, 25: 300}
    for minutes, seconds in expected.items():
        match = new_table("flume", time_control=RealTime(minutes * 60_000)).seated().match
        assert absence.grace_ms(match) == seconds * 1000
    assert (
        absence.grace_ms(new_table("flume", time_control=RealTime(60_000, 3_000)).seated().match)
        == 60_000
    )
    assert absence.grace_ms(new_table("flume").seated().match) == 300_000
    assert absence.grace_ms(new_table("flow", options={"clock": "minute"}).seated().match) == 30_000


def test_p9_1_only_the_player_to_move_can_be_absent(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    away = {0: table.now - 900_000, 1: table.now - 900_000}
    table.refuses(act(0, commands.Claim(1), away_since=away), "not_absent")
    table.refuses(act(1, commands.Claim(0), away_since={}), "not_absent", wait=299_999)
    table.refuses(act(1, commands.Claim(0), away_since=away), "not_absent")  # The turn came later.
    assert table.do(act(1, commands.Claim(0), away_since=away), wait=1) == (
        "claimed",
        "ended",
        "revealed",
    )


def test_p9_2_a_claim_wins_or_calls_in_a_bot(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, absence=Absence("claim", "brook")).seated()
    away = {0: table.now}
    assert absence.stand_in_due_at(table.match, away) is None
    table.refuses(act(0, commands.Claim(0), away_since=away), "no_such_offer", wait=300_000)
    kind = act(1, commands.Claim(0, how="stand_in"), away_since=away, client_id="k")
    assert table.do(kind) == ("claimed", "stood_in")
    assert table.again(kind)
    assert table.match.seats[0].bot == "brook"
    table.refuses(act(1, commands.Claim(0), away_since=away), "not_absent")
    stern = new_table("flume", options=SMALL).seated()
    stern.do(act(1, commands.Claim(0), away_since={0: stern.now}), wait=300_000)
    assert stern.match.returns == (-1.0, 1.0)
    assert stern.match.reason == "claimed"


def test_p9_3_a_bot_takes_over_automatically(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, absence=Absence("stand_in", "brook")).seated()
    away = {0: table.now + 5_000}
    assert absence.stand_in_due_at(table.match, away) == table.now + 305_000
    assert absence.stand_in_due_at(table.match, {1: 0}) is None
    table.refuses(act(0, commands.StandIn(), away_since=away), "not_absent", wait=304_999)
    table.refuses(act(1, commands.Claim(0), away_since=away), "no_such_offer", wait=1)
    assert table.do(act(0, commands.StandIn(), away_since=away)) == ("stood_in",)
    table.refuses(act(0, commands.Play("a1")), "stand_in_plays")
    table.refuses(act(0, commands.Undo()), "stand_in_plays")
    table.do(act(0, commands.BotPlay("a1")))


def test_p9_3_a_deadline_is_set_for_a_bot_to_take_over(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, absence=Absence("stand_in", "brook")).seated()
    assert absence.check_at(table.match) == table.now + 300_000
    table.do(act(0, commands.StandIn(), away_since={0: table.now}), wait=300_000)
    assert absence.check_at(table.match) == due_at(table.match), "a bot is not missed"
    claims = new_table("flume", options=SMALL, time_control=RealTime(1_000)).seated()
    assert absence.check_at(claims.match) == due_at(claims.match) == claims.now + 1_000
    days = new_table(
        "flume", options=SMALL, time_control=Correspondence(1), absence=Absence("stand_in")
    ).seated()
    assert absence.check_at(days.match) == due_at(days.match)
    hurried = new_table(
        "flume", options=SMALL, time_control=RealTime(1_000), absence=Absence("stand_in")
    ).seated()
    assert absence.check_at(hurried.match) == hurried.now + 1_000, "the flag falls before"
    assert absence.check_at(new_table("flume").match) is not None


def test_p9_4_a_match_may_wait_for_absent_players(new_table: Any) -> None:
    for chosen in ({"absence": Absence("wait")}, {"time_control": Correspondence(3)}):
        table = new_table("flume", options=SMALL, **chosen).seated()
        away = {0: table.now}
        code = "not_absent" if "time_control" in chosen else "no_such_offer"
        table.refuses(act(1, commands.Claim(0), away_since=away), code, wait=DAY)
        table.refuses(act(0, commands.StandIn(), away_since=away), "not_due")
        assert absence.stand_in_due_at(table.match, away) is None


def test_p9_5_returning_players_get_their_seats_back(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, absence=Absence("stand_in")).seated()
    table.refuses(act(0, commands.Reclaim()), "stand_in_plays")
    table.do(act(0, commands.StandIn(), away_since={0: table.now}), wait=300_000)
    table.do(act(0, commands.BotPlay("a1")))
    assert table.do(act(0, commands.Reclaim())) == ("reclaimed",)
    assert table.match.seats[0].bot == ""
    table.play()
    table.do(act(0, commands.Play("c3")))


def test_p9_6_servers_measure_absence(new_table: Any) -> None:
    """Each on its own, from when it first missed somebody, as long as it checks often."""
    match, now = new_table("flume", options=SMALL).seated().match, 1_000_000

    async def look() -> None:
        nonlocal now
        bus = MemoryBus()
        old = Presence(bus, lambda: now)
        await old.touch(match.id, 0)
        assert await old.away_since(match) == {1: 1_000_000}
        now += 10_000
        await old.leave(match.id, 0)
        assert await old.away_since(match) == {0: 1_010_000, 1: 1_000_000}
        now += 10_000
        new = Presence(bus, lambda: now)
        assert await new.away_since(match) == {0: 1_020_000, 1: 1_020_000}, "it has just started"
        assert await old.away_since(match) == {0: 1_010_000, 1: 1_000_000}
        now += 60_000  # Nobody checked: both may have been present.
        assert await old.away_since(match) == {0: 1_080_000, 1: 1_080_000}
        await bus.close()

    asyncio.run(look())
