"""P4 and P5: clocks, and the shared timer."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.matches.conftest import act, due

import watermeet as wm
from watermeet.server.matches import commands, timing
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import DAY, Correspondence, RealTime, SeatPlan, Unlimited
from watermeet.server.matches.timing import due_at, remaining_at

SMALL = {"size": 3, "pie": False}
LIVE = RealTime(initial_ms=60_000, increment_ms=2_000)
MINUTE = {"clock": "minute"}


def test_p4_1_a_match_chooses_its_time_control(new_table: Any) -> None:
    for good in (
        Unlimited(),
        Correspondence(1),
        Correspondence(30),
        LIVE,
        RealTime(1000),
        RealTime(86_400_000, 3_600_000),
    ):
        assert new_table("flume", time_control=good).match.setup.time_control == good
    for wrong in (
        Correspondence(0),
        Correspondence(31),
        RealTime(999),
        RealTime(86_400_001),
        RealTime(5000, -1),
        RealTime(5000, 10**9),
    ):
        with pytest.raises(wm.WatermeetError) as caught:
            new_table("flume", time_control=wrong)
        assert caught.value.code == "invalid_match"
    assert timing.flag_at(new_table("flume").seated().match) is None


def test_p4_2_a_clock_runs_while_its_seat_is_to_move(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=LIVE).seated()
    began = table.now
    assert remaining_at(table.match, 0, began + 7_000) == 53_000
    assert remaining_at(table.match, 1, began + 7_000) == 60_000
    table.play(wait=10_000)
    assert table.last.spent_ms == 10_000
    assert table.match.clocks.remaining_ms == (52_000, 60_000)
    table.play(wait=5_000)
    assert table.match.clocks.remaining_ms == (52_000, 57_000)


def test_p4_2_the_increment_is_added_at_the_end_of_the_turn(new_table: Any) -> None:
    table = new_table("flecks", options={"size": 5}, time_control=LIVE).seated()
    for _ in range(4):  # The opening has turns of one action.
        table.play()
    before = table.match.clocks.remaining_ms
    seat = table.match.state.to_move
    table.play(wait=1_000)
    assert table.match.state.to_move == seat, "placing is not all of a turn"
    assert table.match.clocks.remaining_ms[seat] == before[seat] - 1_000
    table.play("stop", wait=1_000)
    assert table.match.state.to_move != seat
    assert table.match.clocks.remaining_ms[seat] == before[seat] - 2_000 + 2_000


def test_p4_3_chance_takes_no_time(new_table: Any) -> None:
    table = new_table("qwirkle", time_control=RealTime(60_000)).seated()
    seat = table.match.state.to_move
    while table.match.chance_count == 12:
        table.play(wait=1_000)
    drawn = [entry for entry in table.log if type(entry).__name__ == "Sampled"]
    assert drawn[-1].at == table.now
    other = table.match.state.to_move
    assert other != seat
    assert table.match.clocks.remaining_ms[other] == 60_000
    assert (
        remaining_at(table.match, seat, table.now + 9_000) == table.match.clocks.remaining_ms[seat]
    )


def test_p4_3_a_pause_takes_no_time(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=LIVE).seated()
    table.do(act(0, commands.Offer("pause")), wait=4_000)
    table.do(act(1, commands.Respond("pause", accept=True)), wait=1_000)
    assert table.match.clocks.remaining_ms == (55_000, 60_000)
    assert remaining_at(table.match, 0, table.now + 50_000) == 55_000
    table.refuses(act(0, commands.Flag()), "wrong_stage", wait=500_000)
    table.agree("resume", by=1)
    table.play(wait=5_000)
    assert table.match.clocks.remaining_ms == (52_000, 60_000)


def test_p4_4_days_are_counted_from_the_start_of_the_turn(new_table: Any) -> None:
    table = new_table("flecks", options={"size": 5}, time_control=Correspondence(2)).seated()
    for _ in range(4):
        table.play(wait=DAY)
    came = table.now
    table.play(wait=DAY)
    assert timing.flag_at(table.match) == came + 2 * DAY, "the second action is the same turn"
    table.refuses(act(table.match.state.to_move, commands.Play("stop")), "out_of_time", wait=DAY)
    table.now -= 1
    table.play("stop")
    assert timing.flag_at(table.match) == table.now + 2 * DAY


def test_p4_4_a_pause_extends_the_deadline(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=Correspondence(2)).seated()
    began = table.now
    table.agree("pause", wait=DAY)
    table.agree("resume", wait=5 * DAY)
    assert timing.flag_at(table.match) == began + 7 * DAY


def test_p4_5_flags_fall_by_the_servers_clock_to_the_millisecond(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=LIVE).seated()
    flag = table.now + 60_000
    assert due_at(table.match) == timing.flag_at(table.match) == flag
    table.refuses(act(0, commands.Flag()), "not_due", wait=59_999)
    assert due(table.match, table.now) is None
    table.refuses(act(0, commands.Play("a1")), "out_of_time", wait=1)
    for command in (
        act(1, commands.Resign()),
        act(1, commands.Offer("pause")),
        act(0, commands.Undo()),
    ):
        table.refuses(command, "out_of_time")
    table.refuses(act(1, commands.Flag()), "not_due")
    assert due(table.match, table.now) == act(0, commands.Flag())
    assert table.do(act(0, commands.Flag())) == ("timed_out", "ended", "revealed")
    in_time = new_table("flume", options=SMALL, time_control=LIVE).seated()
    in_time.play(wait=59_999)
    assert in_time.match.clocks.remaining_ms == (2_001, 60_000)


def test_p4_6_a_player_out_of_time_has_left(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=LIVE).seated()
    table.do(act(0, commands.Flag()), wait=60_000)
    assert table.match.returns == (-1.0, 1.0)
    assert table.match.reason == "timeout"
    assert table.match.clocks.remaining_ms == (0, 60_000)
    against = new_table(
        "flume", options=SMALL, time_control=LIVE, seats=(SeatPlan("bot", "drop"), SeatPlan())
    ).seated()
    assert against.do(act(0, commands.Flag()), wait=60_000) == ("timed_out", "ended", "revealed")
    assert against.match.returns == (-1.0, 1.0), "a bot's time is up as anybody's"
    three = new_table("qwirkle", options={"seats": 3}, time_control=LIVE).seated()
    seat = three.match.state.to_move
    assert three.do(act(seat, commands.Flag()), wait=60_000) == ("timed_out", "stood_in")
    assert timing.flag_at(three.match) is None, "who has left has no clock"
    three.play(wait=999_999)


def test_p4_7_network_latency_is_not_compensated(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=RealTime(60_000)).seated()
    table.play(wait=300)
    assert table.match.clocks.remaining_ms == (59_700, 60_000)


def test_p4_8_server_downtime_counts_for_nobody(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=LIVE).seated()
    began = table.now
    table.do(act(None, commands.Compensate(began + 20_000, began + 500_000)), wait=501_000)
    assert [type(entry).__name__ for entry in table.log[-2:]] == ["Paused", "Resumed"]
    assert [entry.at - began for entry in table.log[-2:]] == [20_000, 500_000]
    assert timing.flag_at(table.match) == began + 540_000
    assert remaining_at(table.match, 0, table.now) == 39_000
    assert table.replayed() == table.match
    table.refuses(act(None, commands.Compensate(began, began + 500_000)), "not_due")
    table.refuses(act(None, commands.Compensate(table.now + 9, table.now + 5)), "not_due", wait=10)
    new_table("flume").seated().refuses(
        act(None, commands.Compensate(began, began + 9_000)), "not_due", wait=9_000
    )


def test_p4_8_a_flag_that_was_already_due_still_falls(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, time_control=LIVE).seated()
    table.do(
        act(None, commands.Compensate(table.now + 60_001, table.now + 90_000)),
        wait=90_000,
    )
    assert due(table.match, table.now) == act(0, commands.Flag())
    table.do(act(0, commands.Flag()))
    assert table.match.clocks.remaining_ms == (0, 60_000)


def test_p4_8_downtime_extends_days_and_the_timer_too(new_table: Any) -> None:
    days = new_table("flume", options=SMALL, time_control=Correspondence(2)).seated()
    falls = timing.flag_at(days.match)
    assert falls is not None
    days.do(act(None, commands.Compensate(days.now, days.now + 9_000)), wait=9_000)
    assert timing.flag_at(days.match) == falls + 9_000
    minute = new_table("flow", options=MINUTE).seated()
    ends = minute.match.clocks.timer_ends_at
    minute.do(act(None, commands.Compensate(minute.now + 1, minute.now + 90_001)), wait=90_001)
    assert minute.match.clocks.timer_ends_at == ends + 90_000


# ---- the shared timer --------------------------------------------------------------------------


def joined(table: Any) -> Any:
    """All have joined, and none is there."""
    for seat in range(2):
        table.do(table.join(seat))
    return table


def test_p4_9_the_first_clock_waits_until_all_have_arrived(new_table: Any) -> None:
    table = joined(new_table("flume", options=SMALL, time_control=LIVE))
    clocks = table.document(0)["clocks"]
    assert (clocks["running"], clocks["flag_at"]) == (None, None)
    assert clocks["starts_by"] == table.now + 8_000
    one_is_away = act(None, commands.Start(), away_since={1: table.now})
    table.refuses(one_is_away, "not_due", wait=3_000)
    table.play("a1", wait=1_000)
    assert table.match.clocks.remaining_ms == (60_000 + LIVE.increment_ms, 60_000)
    assert remaining_at(table.match, 1, table.now + 2_000) == 60_000
    table.do(act(None, commands.Start()), wait=2_000)
    table.refuses(act(None, commands.Start()), "not_due")
    table.play("b2", wait=5_000)
    assert table.match.clocks.remaining_ms[1] == 55_000 + LIVE.increment_ms
    assert table.document(0)["clocks"]["starts_by"] is None
    assert table.replayed() == table.match


def test_p4_9_but_for_eight_seconds_at_most(new_table: Any) -> None:
    table = joined(new_table("flume", options=SMALL, time_control=LIVE))
    assert due(table.match, table.now + 7_999) is None
    assert due(table.match, table.now + 8_000) == act(None, commands.Start())
    both_are_away = act(None, commands.Start(), away_since={0: table.now, 1: table.now})
    table.refuses(both_are_away, "not_due", wait=7_999)
    assert table.do(both_are_away, wait=1) == ("started",)
    assert timing.flag_at(table.match) == table.now + 60_000
    for unhurried in (Unlimited(), Correspondence(2)):
        other = joined(new_table("flume", options=SMALL, time_control=unhurried))
        other.refuses(act(None, commands.Start()), "not_due")


def test_p4_9_the_shared_timer_waits_too(new_table: Any, kettle: str) -> None:
    table = new_table(kettle, options={"seconds": 10, "cups": 9})
    for seat in range(len(table.match.seats)):
        table.do(table.join(seat))
    assert table.match.clocks.timer_ends_at is None
    table.do(act(None, commands.Start()), wait=4_000)
    assert table.match.clocks.timer_ends_at == table.now + 10_000


def test_p5_1_the_timer_runs_and_restarts(new_table: Any) -> None:
    table = new_table("flow", options=MINUTE).seated()
    assert table.match.clocks.timer_ends_at == table.now + 60_000
    table.play("draw", wait=5_000)
    assert table.match.clocks.timer_ends_at == table.now + 55_000
    table.play()  # Lays the tile somewhere.
    table.play("time", wait=1_000)
    assert table.match.clocks.timer_ends_at == table.now + 60_000, "a player may say it early"
    assert new_table("flow").seated().match.clocks.timer_ends_at is None, "turns are counted there"


def test_p5_1_the_timer_can_be_extended_or_turned_off(new_table: Any) -> None:
    slow = new_table("flow", options=MINUTE, timer_percent=250).seated()
    assert slow.match.clocks.timer_ends_at == slow.now + 150_000
    still = new_table("flow", options=MINUTE, timer_percent=0).seated()
    assert still.match.clocks.timer_ends_at is None
    still.play("time")
    assert still.match.clocks.timer_ends_at is None
    for game, percent in (("flow", -1), ("flow", 1001), ("flume", 200)):
        with pytest.raises(wm.WatermeetError, match="timer"):
            new_table(game, options=MINUTE if game == "flow" else {}, timer_percent=percent)


def test_p5_2_the_server_announces_that_time_is_up(new_table: Any) -> None:
    table = new_table("flow", options=MINUTE).seated()
    ends = table.now + 60_000
    assert due_at(table.match) == ends
    table.refuses(act(None, commands.ExpireTimer()), "not_due", wait=59_999)
    assert due(table.match, ends) == act(None, commands.ExpireTimer())
    assert table.do(act(None, commands.ExpireTimer()), wait=1) == (
        "timer_expired",
        "sampled",
        "sampled",
    )
    assert table.match.clocks.timer_ends_at == ends + 60_000
    assert table.document(None)["moves"][-3]["by_timer"]
    assert table.document(None)["moves"][-3]["move"] == "time"


def test_p5_3_an_action_in_progress_is_finished_first(new_table: Any) -> None:
    table = new_table("flow", options=MINUTE).seated()
    table.play("draw", wait=59_000)
    assert table.do(act(None, commands.ExpireTimer()), wait=1_000) == ("timer_expired",)
    assert table.match.clocks.timer_ends_at is None, "who finishes is not hurried"
    assert table.play(wait=5_000) == ("played", "sampled", "sampled")
    assert table.match.clocks.timer_ends_at == table.now + 60_000
    quick = new_table("flow", options=MINUTE).seated()
    quick.play("draw", wait=59_000)
    lay_it = quick.match.state.legal_actions[0]
    late = act(quick.match.state.to_move, commands.Play(lay_it), client_id="late")
    assert quick.do(late, wait=1_500)[:2] == ("timer_expired", "played"), (
        "before the deadline fired"
    )
    assert type(quick.log[quick.again(late).seq - 1]).__name__ == "Played"


def test_p5_3_or_right_after_if_the_game_says_so(new_table: Any, kettle: str) -> None:
    table = new_table(kettle, options={"seconds": 10}).seated()
    table.play("lift", wait=9_000)
    assert timing.timer_due_at(table.match) is None
    table.refuses(act(None, commands.ExpireTimer()), "not_due", wait=2_000)
    assert table.play("pour") == ("played", "timer_expired")
    assert table.match.clocks.timer_ends_at == table.now + 10_000


def test_p5_4_nothing_new_starts_after_time_is_up(new_table: Any) -> None:
    table = new_table("flow", options=MINUTE).seated()
    table.refuses(act(0, commands.Play("draw")), "out_of_time", wait=60_000)
    table.refuses(act(0, commands.Offer("pause")), "out_of_time")


def test_p5_5_a_pause_stops_the_timer_and_the_log_restores_it(new_table: Any) -> None:
    table = new_table("flow", options=MINUTE).seated()
    table.agree("pause", wait=20_000)
    assert table.document(1)["clocks"]["timer_remaining_ms"] == 40_000
    assert table.document(1)["clocks"]["timer_ends_at"] is None
    table.agree("resume", wait=500_000)
    assert table.match.clocks.timer_ends_at == table.now + 40_000
    assert Match.of(table.log).clocks == table.match.clocks


def test_p5_6_there_is_no_other_clock(new_table: Any) -> None:
    for other in (Correspondence(1), LIVE):
        with pytest.raises(wm.WatermeetError, match="another clock"):
            new_table("flow", options=MINUTE, time_control=other)
    new_table("flow", options=MINUTE, time_control=LIVE, timer_percent=0)
