"""P16, the rules of a match: the bank of days, vacations, and queued replies."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.matches.conftest import act, due

import watermeet as wm
from watermeet.server.matches import commands, replies
from watermeet.server.matches.setup import DAY, Correspondence, SeatPlan
from watermeet.server.matches.timing import flag_at

SMALL = {"size": 3, "pie": False}
HOUR = DAY // 24


def slow(new_table: Any, days: int = 2, bank: int = 3, **more: Any) -> Any:
    control = Correspondence(days, bank)
    return new_table("flume", options=SMALL, time_control=control, **more).seated()


def test_p16_1_what_a_turn_takes_beyond_its_days_comes_from_the_bank(new_table: Any) -> None:
    table = slow(new_table)
    assert flag_at(table.match) == table.now + 5 * DAY
    table.play("a1", wait=2 * DAY)
    assert table.match.clocks.bank_ms == (3 * DAY, 3 * DAY), "the days of the turn come first"
    table.play("b2", wait=2 * DAY + HOUR)
    assert table.document(0)["clocks"]["bank_ms"] == [3 * DAY, 3 * DAY - HOUR]
    table.play("c3")
    assert flag_at(table.match) == table.now + 5 * DAY - HOUR
    table.do(act(1, commands.Flag()), wait=5 * DAY - HOUR)
    assert table.match.reason == "timeout"
    with pytest.raises(wm.WatermeetError, match="bank_days"):
        slow(new_table, bank=31)


def test_p16_1_a_long_turn_ends_by_its_flag_and_an_undo_gives_nothing_back(new_table: Any) -> None:
    longest = slow(new_table, days=30, bank=30)
    assert due(longest.match, longest.now + 60 * DAY) == act(0, commands.Flag()), (
        "it isn't aborted as idle"
    )
    table = slow(new_table)
    table.play("a1", wait=3 * DAY)
    table.agree("undo", wait=4 * DAY)
    assert table.match.clocks.bank_ms == (2 * DAY, DAY), "both have spent some"
    assert table.replayed() == table.match


def test_p16_2_a_vacation_stops_the_time_of_its_player_alone(new_table: Any) -> None:
    table = slow(new_table, bank=0)
    began = table.now
    table.do(act(0, commands.Vacation(is_on=True)), wait=DAY)
    assert flag_at(table.match) is None
    assert table.document(None)["clocks"]["vacations"] == [True, False]
    table.refuses(act(0, commands.Vacation(is_on=True)), "not_due")
    table.do(act(None, commands.Compensate(since=table.now, until=table.now + HOUR)), wait=HOUR)
    table.do(act(0, commands.Vacation(is_on=False)), wait=10 * DAY)
    assert flag_at(table.match) == began + 12 * DAY + HOUR
    table.do(act(1, commands.Vacation(is_on=True)))
    table.play("a1", wait=DAY - 1)
    assert flag_at(table.match) is None, "now it is their turn, and they are away"
    table.play("b2", wait=9 * DAY)
    assert flag_at(table.match) == table.now + 2 * DAY, "those who are away may play all the same"
    table.play("c3")
    table.do(act(1, commands.Vacation(is_on=False)), wait=5 * DAY)
    assert flag_at(table.match) == table.now + 2 * DAY
    assert table.replayed() == table.match


def test_p16_2_a_vacation_begins_or_ends_in_a_pause(new_table: Any) -> None:
    def offer(what: str, wait: int) -> None:
        table.do(act(0, commands.Offer(what)), wait=wait)
        table.do(act(1, commands.Respond(what, accept=True)))

    table = slow(new_table, bank=0)
    began = table.now
    offer("pause", DAY)
    table.do(act(0, commands.Vacation(is_on=True)), wait=DAY)
    offer("resume", DAY)
    assert flag_at(table.match) is None
    offer("pause", DAY)
    table.do(act(0, commands.Vacation(is_on=False)), wait=DAY)
    offer("resume", DAY)
    assert flag_at(table.match) == began + 7 * DAY, "one day of the first turn was spent"
    new_table("flume", options=SMALL).seated().refuses(
        act(0, commands.Vacation(is_on=True)), "not_due"
    )
    late = slow(new_table, bank=0)
    late.refuses(act(0, commands.Vacation(is_on=True)), "out_of_time", wait=2 * DAY)


def test_p16_4_queued_replies_are_checked_against_the_rules(new_table: Any) -> None:
    table = slow(new_table)
    queue = replies.make_queue(table.match, 1, [["a1", "b2", "c3", "a3"], ["b2", "a1"]])
    assert replies.remaining(table.match, queue) == queue.lines
    for lines, why in (
        ([["a1"]], "a reply"),
        ([["a1", "b2", "c3"]], "isn't yours"),
        ([["a1", "b2"], ["a1", "c3"]], "two replies to a1"),
        ([["a1", "a1"]], "a1"),
        ([["a1", "b2"]] * 21, "too much"),
    ):
        with pytest.raises(wm.WatermeetError, match=why):
            replies.make_queue(table.match, 1, lines)
    with pytest.raises(wm.WatermeetError, match="your turn"):
        replies.make_queue(table.match, 0, [["a1", "b2"]])
    table.do(act(1, commands.Resign()))
    with pytest.raises(wm.WatermeetError) as caught:
        replies.make_queue(table.match, 1, [["a1", "b2"]])
    assert caught.value.code == "wrong_stage"


def test_p16_4_there_are_none_where_chance_or_secrets_would_decide(new_table: Any) -> None:
    for game, why in (("flow", "chance"), ("kuhn_poker", "chance")):
        table = new_table(game, time_control=Correspondence(2)).seated()
        with pytest.raises(wm.WatermeetError, match=why) as caught:
            replies.check_queue(table.match, 0)
        assert caught.value.code == "no_queue"
    fast = new_table("flume", options=SMALL).seated()
    with pytest.raises(wm.WatermeetError, match="days"):
        replies.check_queue(fast.match, 1)


def test_p16_5_replies_are_dropped_when_the_match_leaves_their_line(new_table: Any) -> None:
    table = slow(new_table, seats=(SeatPlan(),) * 2)
    lines = [["a1", "b2", "c3", "a3"], ["a1", "b2", "a3", "c3"]]
    queue = replies.make_queue(table.match, 1, lines)
    table.play("a1")
    assert replies.remaining(table.match, queue)[0][0] == "b2"
    table.play("b2")
    table.play("c3")
    assert replies.remaining(table.match, queue) == (("a3",),)
    table.play("c1")
    assert replies.remaining(table.match, queue) == ()
    later = replies.make_queue(table.match, 1, [["a3", "b1"]])
    table.agree("undo", by=1)
    assert replies.remaining(table.match, later) == (), "the position doesn't exist any more"
    assert replies.remaining(table.match, queue) == (("a3",),)
