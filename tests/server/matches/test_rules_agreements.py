"""P6 and P7: offers, and undo."""

from __future__ import annotations

import json
from typing import Any

from tests.server.matches.conftest import Act, act, due

from watermeet.core.state import State
from watermeet.server.matches import commands, offers, projection
from watermeet.server.matches.records import rematch_setup
from watermeet.server.matches.setup import DAY, Absence, RealTime, SeatPlan

SMALL = {"size": 3, "pie": False}
BOT = SeatPlan("bot", "drop")


def yes(seat: int, what: str, **more: Any) -> Act:
    return act(seat, commands.Respond(what, accept=True), **more)


def no(seat: int, what: str) -> Act:
    return act(seat, commands.Respond(what, accept=False))


def test_p6_1_each_offer_has_its_stages(new_table: Any) -> None:
    table = new_table("flume", options=SMALL)
    table.do(table.join(0))
    for what in offers.STAGES:
        table.refuses(act(0, commands.Offer(what)), "wrong_stage")
    table.do(table.join(1))
    for what in ("resume", "rematch"):
        table.refuses(act(0, commands.Offer(what)), "wrong_stage")
    table.refuses(act(0, commands.Offer("peace")), "no_such_offer")
    table.agree("pause")
    table.refuses(act(0, commands.Offer("undo")), "wrong_stage")
    table.refuses(act(0, commands.Play("a1")), "wrong_stage")
    table.agree("abort")
    table.refuses(act(0, commands.Offer("abort")), "wrong_stage")
    table.do(act(0, commands.Offer("rematch")))


def test_p6_2_all_people_must_agree(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 4}, seats=(*[SeatPlan()] * 3, BOT)).seated()
    table.refuses(yes(1, "pause"), "no_such_offer")
    assert table.do(act(1, commands.Offer("pause"))) == ("offered",)
    assert table.document(None)["offers"] == [
        {"what": "pause", "seat": 1, "to_seq": 0, "accepted_by": [1]}
    ]
    table.refuses(act(1, commands.Offer("pause")), "no_such_offer")
    assert table.do(yes(0, "pause")) == ("responded",)
    table.refuses(yes(0, "pause"), "no_such_offer")
    table.refuses(yes(3, "pause"), "no_such_offer")
    assert table.do(act(2, commands.Offer("pause"))) == ("responded", "paused")
    table.do(act(0, commands.Offer("resume")))
    table.do(no(1, "resume"))
    assert table.match.offers == ()
    table.do(act(1, commands.Offer("resume")))
    table.do(no(1, "resume"))
    table.do(act(1, commands.Offer("resume")))


def test_p6_2_bots_agree_at_once(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    assert table.do(act(0, commands.Offer("pause"))) == ("offered", "paused")
    assert table.do(act(0, commands.Offer("resume"))) == ("offered", "resumed")


def test_p6_3_a_declined_offer_waits_for_the_next_action(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    table.do(act(1, commands.Offer("pause")))
    table.do(no(0, "pause"))
    table.refuses(act(1, commands.Offer("pause")), "no_such_offer")
    table.do(act(0, commands.Offer("pause")))
    table.do(no(0, "pause"))
    table.play()
    table.do(act(1, commands.Offer("pause")))


def test_p6_4_offers_lapse(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 3}).seated()
    first = table.match.state.to_move
    table.play()
    table.do(act(first, commands.Offer("undo")))
    table.do(act(first, commands.Offer("pause")))
    table.play()
    assert [offer.what for offer in table.match.offers] == ["pause"]
    table.do(act((first + 1) % 3, commands.Offer("abort")))
    table.do(act((first + 2) % 3, commands.Resign()))
    assert table.match.offers == ()
    two = new_table("flume", options=SMALL).seated()
    two.do(act(0, commands.Offer("pause")))
    two.do(act(0, commands.Offer("abort")))
    two.do(yes(1, "pause"))
    assert two.match.offers == ()


def test_p6_5_a_pause_ends_by_agreement_or_automatically(new_table: Any) -> None:
    for time_control, longest in ((RealTime(5_000), 3_600_000), (None, 30 * DAY)):
        chosen = {} if time_control is None else {"time_control": time_control}
        table = new_table("flume", options=SMALL, **chosen).seated()
        table.agree("pause")
        assert due(table.match, table.now + longest - 1) is None
        assert due(table.match, table.now + longest) == act(None, commands.Wake())
        table.refuses(act(None, commands.Wake()), "not_due", wait=longest - 1)
        assert table.do(act(None, commands.Wake()), wait=1) == ("resumed",)


def test_p6_6_an_aborted_match_has_no_result(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    table.do(act(0, commands.Offer("abort")))
    assert table.do(yes(1, "abort")) == ("responded", "aborted", "revealed")
    assert table.match.stage == "aborted"
    document = table.document(0)
    assert (document["outcome"], document["abort_reason"]) == (None, "agreed")


def test_p6_7_a_rematch_needs_everybody_and_rotates_the_seats(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 3}, seats=(SeatPlan(), BOT, SeatPlan())).seated()
    table.do(act(0, commands.Resign()))
    table.do(act(2, commands.Resign()))
    assert table.match.stage == "finished"
    assert table.do(act(0, commands.Offer("rematch"))) == ("offered",)
    table.refuses(yes(2, "rematch", next_match="no/id"), "invalid_match")
    assert table.do(yes(2, "rematch", next_match="next1")) == ("responded", "rematched")
    assert table.match.rematch == "next1"
    table.refuses(act(0, commands.Offer("rematch")), "no_such_offer")
    alone = new_table("flume", options=SMALL)
    alone.do(alone.join(0))
    alone.do(act(0, commands.Leave()))
    alone.refuses(act(0, commands.Offer("rematch")), "no_such_offer")
    again = rematch_setup(table.match)
    assert [plan.who for plan in again.seats] == ["invited", "invited", "bot"]
    assert again.options == table.match.setup.options


# ---- undo --------------------------------------------------------------------------------


def may_undo(table: Any) -> list[str]:
    """What each seat's page shows at its button."""
    moment = projection.Moment(table.match)
    assert [json.loads(moment.text(seat))["undo"] for seat in (0, 1)] == [
        moment.position(seat).undo for seat in (0, 1)
    ]
    assert moment.position(None).undo == ""
    return [moment.position(seat).undo for seat in (0, 1)]


def ended_turn(table: Any, seat: int) -> State:
    """The state before the last action of the seat's next turn in Qwirkle; it has drawn since."""
    while table.match.state.to_move != seat:
        table.play()
    count = table.match.chance_count
    while table.match.chance_count == count:
        before: State = table.match.state
        table.play("end" if "end" in before.legal_moves else None)
    return before


def test_p7_3_what_is_undone_against_bots_is_drawn_again(new_table: Any) -> None:
    table = new_table("qwirkle", seats=(SeatPlan(), BOT)).seated()
    assert may_undo(table) == ["", ""], "nothing was played"
    before = ended_turn(table, 0)
    after, count = table.match.state, table.match.chance_count
    assert may_undo(table) == ["free", ""]
    table.do(act(0, commands.Undo()))
    assert table.match.state == before
    table.play("end")
    assert (table.match.state, table.match.chance_count) == (after, count)


def test_p7_1_people_agree_to_undo_chance(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    before = ended_turn(table, 0)
    error = table.refuses(act(0, commands.Undo()), "undo_needs_consent")
    assert "chance" in error.message
    assert may_undo(table)[0] == "consent"
    table.do(act(0, commands.Offer("undo")))
    table.do(act(1, commands.Respond("undo", accept=False)))
    assert may_undo(table)[0] == "", "it was declined"
    table.play()
    table.do(act(0, commands.Offer("undo")))
    table.do(yes(1, "undo"))
    assert table.match.state == before


def test_p7_2_an_expired_timer_cannot_be_undone(new_table: Any, kettle: str) -> None:
    table = new_table(kettle, options={"seconds": 10, "cups": 9}).seated()
    table.play("pour")
    table.do(act(None, commands.ExpireTimer()), wait=10_000)
    error = table.refuses(act(0, commands.Offer("undo")), "cannot_undo")
    assert "timer" in error.message
    assert may_undo(table)[0] == ""
    table.play("lift")
    table.do(act(0, commands.Undo()))


def test_p7_4_players_may_undo_what_they_showed_opponents(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    before, first = table.match.state, table.match.state.to_move
    table.play()
    assert table.match.state.to_move == first, "tiles are placed one by one"
    table.do(act(first, commands.Undo()))
    assert table.match.state == before


def test_p7_4_what_partners_have_learned_takes_their_consent(new_table: Any) -> None:
    options = {"no_communication": True, "clock": "free", "seats": 3}
    table = new_table("flow", options=options, name="silent4").seated()
    cards = ("calm", "bird:", "support:", "current:", "return:")
    seat, played = -1, list[str]()
    while not played or table.match.state.to_move != seat:
        moves, seat = table.match.state.legal_moves, table.match.state.to_move
        played = [move for move in moves if move.startswith(cards)]
        table.play(played[0] if played else "draw" if "draw" in moves else None)
    assert table.match.last_step.mover == seat
    error = table.refuses(act(seat, commands.Undo()), "undo_needs_consent")
    assert "learned" in error.message


def test_p7_6_a_move_that_reveals_nothing_can_be_undone(new_table: Any) -> None:
    table = new_table("kuhn_poker").seated()
    table.play(3)
    error = table.refuses(act(0, commands.Undo()), "undo_needs_consent")
    assert error.message == "your turn is over", "nobody has played since"
    table.agree("undo")
    assert table.match.state.to_move == 0, "a pass reveals nothing about the cards"


def test_p7_4_undo_within_your_turn_needs_no_consent(new_table: Any) -> None:
    table = new_table("flecks", options={"size": 5}).seated()
    for _ in range(4):
        table.play()
    before = table.match.state
    seat = before.to_move
    table.play()
    assert table.do(act(seat, commands.Undo(), client_id="back")) == ("undone",)
    assert table.match.state == before
    assert table.again(act(seat, commands.Undo(), client_id="back")).seq == table.match.seq
    table.refuses(act(seat, commands.Undo()), "undo_needs_consent")
    table.refuses(act(1 - seat, commands.Undo(table.match.seq + 5)), "nothing_to_undo")


def test_p7_5_undo_against_bots_needs_no_consent(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    before = table.match.state
    table.play("a1")
    table.play("b2")
    table.do(act(0, commands.Undo()))
    assert table.match.state == before
    table.refuses(act(1, commands.Undo()), "no_such_seat")


def test_p7_5_a_bot_that_took_over_is_a_bot(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, absence=Absence("claim", "drop")).seated()
    table.play("a1")
    away = {1: table.now}
    table.do(act(0, commands.Claim(1, how="stand_in"), away_since=away), wait=300_000)
    table.do(act(0, commands.Undo()))
    table.play("a1")
    table.do(act(1, commands.Reclaim()))
    table.refuses(act(0, commands.Undo()), "undo_needs_consent")


def test_p7_6_what_an_absent_player_has_played_stays(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, absence=Absence("claim", "drop")).seated()
    table.play("a1")
    table.play("b2")
    table.play("c3")
    away = {1: table.now}
    table.play("a2")
    table.do(act(0, commands.Claim(1, how="stand_in"), away_since=away), wait=300_000)
    first = table.match.seq - 4
    table.refuses(act(0, commands.Undo(to_seq=first)), "cannot_undo")
    table.refuses(act(0, commands.Offer("undo", to_seq=first)), "cannot_undo")
    table.do(act(1, commands.Reclaim()))
    table.do(act(0, commands.Offer("undo", to_seq=first)))


def test_p7_6_otherwise_everybody_else_must_agree(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    before = table.match.state
    table.play("a1")
    middle = table.match.state
    table.play("b2")
    table.play("c3")
    table.refuses(act(0, commands.Undo()), "undo_needs_consent")
    table.do(act(0, commands.Offer("undo", to_seq=table.match.seq - 3)))
    table.refuses(act(1, commands.Offer("undo")), "no_such_offer")
    assert table.do(yes(1, "undo")) == ("responded", "undone")
    assert table.match.state == before
    table.play("a1")
    assert table.match.state == middle
    table.do(act(0, commands.Offer("undo")))
    table.do(no(1, "undo"))
    assert table.match.state == middle


def test_p7_7_undo_does_not_return_time(new_table: Any) -> None:
    live = RealTime(60_000, 5_000)
    table = new_table("flume", options=SMALL, time_control=live, seats=(SeatPlan(), BOT)).seated()
    for _ in range(5):
        table.play("a1", wait=1_000)
        table.play("b2", wait=1_000)
        table.do(act(0, commands.Undo()), wait=1_000)
    left = table.match.clocks.remaining_ms
    assert left == (60_000, 60_000), "increments cannot be pumped"
    own = new_table("flecks", options={"size": 5}, time_control=live).seated()
    for _ in range(4):
        own.play()
    before = own.match.clocks.remaining_ms
    seat = own.match.state.to_move
    own.play(wait=2_000)
    own.do(act(seat, commands.Undo()), wait=3_000)
    assert own.match.clocks.remaining_ms[seat] == before[seat] - 5_000
