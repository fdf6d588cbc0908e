"""P6 and P7: offers, and taking back."""

from __future__ import annotations

import random
from typing import Any

from tests.server.matches.conftest import Act, act, due

from watermeet.server.matches import offers
from watermeet.server.matches.commands import (
    Claim,
    ExpireTimer,
    Leave,
    Offer,
    Play,
    Reclaim,
    Resign,
    Respond,
    Undo,
    Wake,
)
from watermeet.server.matches.records import rematch_setup
from watermeet.server.matches.setup import DAY, Absence, RealTime, SeatPlan

SMALL = {"size": 3, "pie": False}
BOT = SeatPlan("bot", "drop")


def yes(seat: int, what: str, **more: Any) -> Act:
    return act(seat, Respond(what=what, accept=True), **more)


def no(seat: int, what: str) -> Act:
    return act(seat, Respond(what=what, accept=False))


def test_p6_1_each_offer_has_its_stages(lay: Any) -> None:
    table = lay("flume", options=SMALL)
    table.do(table.join(0))
    for what in offers.STAGES:
        table.refuses(act(0, Offer(what=what)), "wrong_stage")
    table.do(table.join(1))
    for what in ("resume", "rematch"):
        table.refuses(act(0, Offer(what=what)), "wrong_stage")
    table.refuses(act(0, Offer(what="peace")), "no_such_offer")
    table.do(act(0, Offer(what="pause")))
    table.do(yes(1, "pause"))
    table.refuses(act(0, Offer(what="undo")), "wrong_stage")
    table.refuses(act(0, Play(move="a1")), "wrong_stage")
    table.do(act(0, Offer(what="abort")))
    table.do(yes(1, "abort"))
    table.refuses(act(0, Offer(what="abort")), "wrong_stage")
    table.do(act(0, Offer(what="rematch")))


def test_p6_2_all_people_must_agree(lay: Any) -> None:
    table = lay("qwirkle", options={"seats": 4}, seats=(*[SeatPlan()] * 3, BOT)).seated()
    table.refuses(yes(1, "pause"), "no_such_offer")
    assert table.do(act(1, Offer(what="pause"))) == ("offered",)
    assert table.document(None)["offers"] == [
        {"what": "pause", "seat": 1, "to_seq": 0, "accepted_by": [1]}
    ]
    table.refuses(act(1, Offer(what="pause")), "no_such_offer")
    assert table.do(yes(0, "pause")) == ("responded",)
    table.refuses(yes(0, "pause"), "no_such_offer")
    table.refuses(yes(3, "pause"), "no_such_offer")
    assert table.do(act(2, Offer(what="pause"))) == ("responded", "paused")
    table.do(act(0, Offer(what="resume")))
    table.do(no(1, "resume"))
    assert table.match.offers == ()
    table.do(act(1, Offer(what="resume")))
    table.do(no(1, "resume"))
    table.do(act(1, Offer(what="resume")))


def test_p6_2_bots_agree_at_once(lay: Any) -> None:
    table = lay("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    assert table.do(act(0, Offer(what="pause"))) == ("offered", "paused")
    assert table.do(act(0, Offer(what="resume"))) == ("offered", "resumed")


def test_p6_3_what_was_declined_waits_for_the_next_action(lay: Any) -> None:
    table = lay("flume", options=SMALL).seated()
    table.do(act(1, Offer(what="pause")))
    table.do(no(0, "pause"))
    table.refuses(act(1, Offer(what="pause")), "no_such_offer")
    table.do(act(0, Offer(what="pause")))
    table.do(no(0, "pause"))
    table.play()
    table.do(act(1, Offer(what="pause")))


def test_p6_4_offers_lapse(lay: Any) -> None:
    table = lay("qwirkle", options={"seats": 3}).seated()
    first = table.match.state.to_move
    table.play()
    table.do(act(first, Offer(what="undo")))
    table.do(act(first, Offer(what="pause")))
    table.play()
    assert [offer.what for offer in table.match.offers] == ["pause"]
    table.do(act((first + 1) % 3, Offer(what="abort")))
    table.do(act((first + 2) % 3, Resign()))
    assert table.match.offers == ()
    two = lay("flume", options=SMALL).seated()
    two.do(act(0, Offer(what="pause")))
    two.do(act(0, Offer(what="abort")))
    two.do(yes(1, "pause"))
    assert two.match.offers == ()


def test_p6_5_a_pause_ends_by_agreement_or_by_itself(lay: Any) -> None:
    for time_control, longest in ((RealTime(5_000), 3_600_000), (None, 30 * DAY)):
        chosen = {} if time_control is None else {"time_control": time_control}
        table = lay("flume", options=SMALL, **chosen).seated()
        table.do(act(0, Offer(what="pause")))
        table.do(yes(1, "pause"))
        assert due(table.match, table.now + longest - 1) is None
        assert due(table.match, table.now + longest) == act(None, Wake())
        table.refuses(act(None, Wake()), "not_due", wait=longest - 1)
        assert table.do(act(None, Wake()), wait=1) == ("resumed",)


def test_p6_6_a_stopped_match_has_no_result(lay: Any) -> None:
    table = lay("flume", options=SMALL).seated()
    table.do(act(0, Offer(what="abort")))
    assert table.do(yes(1, "abort")) == ("responded", "aborted", "revealed")
    assert table.match.stage == "aborted"
    document = table.document(0)
    assert (document["outcome"], document["abort_reason"]) == (None, "agreed")


def test_p6_7_a_rematch_takes_all_and_turns_the_seats(lay: Any) -> None:
    table = lay("qwirkle", options={"seats": 3}, seats=(SeatPlan(), BOT, SeatPlan())).seated()
    table.do(act(0, Resign()))
    table.do(act(2, Resign()))
    assert table.match.stage == "finished"
    assert table.do(act(0, Offer(what="rematch"))) == ("offered",)
    table.refuses(yes(2, "rematch", next_match="no/id"), "invalid_match")
    assert table.do(yes(2, "rematch", next_match="next1")) == ("responded", "rematched")
    assert table.match.rematch == "next1"
    table.refuses(act(0, Offer(what="rematch")), "no_such_offer")
    alone = lay("flume", options=SMALL)
    alone.do(alone.join(0))
    alone.do(act(0, Leave()))
    alone.refuses(act(0, Offer(what="rematch")), "no_such_offer")
    again = rematch_setup(table.match)
    assert [plan.who for plan in again.seats] == ["invited", "invited", "bot"]
    assert again.options == table.match.setup.options


# ---- taking back --------------------------------------------------------------------------------


def test_p7_1_nothing_is_taken_back_past_a_draw(lay: Any) -> None:
    table = lay("qwirkle", seats=(SeatPlan(), BOT)).seated()
    while table.match.state.to_move != 0:
        table.play()
    count = table.match.chance_count
    while table.match.chance_count == count:
        table.play("end" if "end" in table.match.state.legal_moves else None)
    error = table.refuses(act(0, Undo()), "cannot_undo")
    assert "chance" in error.message
    table.refuses(act(0, Offer(what="undo")), "cannot_undo")


def test_p7_2_nothing_is_taken_back_past_a_minute(lay: Any, kettle: str) -> None:
    table = lay(kettle, options={"seconds": 10, "cups": 9}).seated()
    table.play("pour")
    table.do(act(None, ExpireTimer()), wait=10_000)
    error = table.refuses(act(0, Offer(what="undo")), "cannot_undo")
    assert "timer" in error.message
    table.play("lift")
    table.do(act(0, Undo()))


def test_p7_3_what_one_has_shown_to_opponents_may_be_taken_back(lay: Any) -> None:
    table = lay("qwirkle").seated()
    before, first = table.match.state, table.match.state.to_move
    table.play()
    assert table.match.state.to_move == first, "tiles are laid one by one"
    table.do(act(first, Undo()))
    assert table.match.state == before


def test_p7_3_what_another_has_shown_may_not(lay: Any) -> None:
    """When the bag is empty nothing is drawn between the turns: the tile that was shown counts.

    With two seats it would not: who counts knows the other's hand then.
    """
    table, rng = lay("qwirkle", options={"seats": 3}).seated(), random.Random(1)
    movers: list[int] = []
    last = ""
    while len(set(movers[-2:])) < 2 or "@" not in last:
        last = rng.choice(table.match.state.legal_moves)
        movers.append(table.match.state.to_move)
        if "sampled" in table.play(last):
            movers.clear()
    error = table.refuses(act(movers[-2], Offer(what="undo")), "cannot_undo")
    assert "learned" in error.message


def test_p7_3_what_was_shown_to_the_own_side_stands(lay: Any) -> None:
    options = {"no_communication": True, "clock": "free", "seats": 3}
    table = lay("flow", options=options, name="silent4").seated()
    cards = ("calm", "bird:", "support:", "current:", "return:")
    played: list[str] = []
    while not played:
        moves, seat = table.match.state.legal_moves, table.match.state.to_move
        played = [move for move in moves if move.startswith(cards)]
        table.play(played[0] if played else "draw" if "draw" in moves else None)
    assert table.match.last_step.mover == seat
    error = table.refuses(act(seat, Offer(what="undo")), "cannot_undo")
    assert "learned" in error.message


def test_p7_3_what_another_has_shown_stands(lay: Any) -> None:
    table = lay("kuhn_poker").seated()
    table.play(3)
    error = table.refuses(act(0, Undo()), "undo_needs_consent")
    assert error.message == "your turn is over", "nobody has played since"
    table.do(act(0, Offer(what="undo")))
    table.do(yes(1, "undo"))
    assert table.match.state.to_move == 0, "a pass tells nothing of the cards"


def test_p7_4_within_the_own_turn_nobody_is_asked(lay: Any) -> None:
    table = lay("flecks", options={"size": 5}).seated()
    for _ in range(4):
        table.play()
    before = table.match.state
    seat = before.to_move
    table.play()
    assert table.do(act(seat, Undo(), client_id="back")) == ("undone",)
    assert table.match.state == before
    assert table.again(act(seat, Undo(), client_id="back")).seq == table.match.seq
    table.refuses(act(seat, Undo()), "undo_needs_consent")
    table.refuses(act(1 - seat, Undo(to_seq=table.match.seq + 5)), "nothing_to_undo")


def test_p7_5_against_bots_alone_nobody_is_asked(lay: Any) -> None:
    table = lay("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    before = table.match.state
    table.play("a1")
    table.play("b2")
    table.do(act(0, Undo()))
    assert table.match.state == before
    table.refuses(act(1, Undo()), "no_such_seat")


def test_p7_5_a_bot_that_stands_in_is_a_bot(lay: Any) -> None:
    table = lay("flume", options=SMALL, absence=Absence("claim", "drop")).seated()
    table.play("a1")
    away = {1: table.now}
    table.do(act(0, Claim(absent=1, how="stand_in"), away_since=away), wait=300_000)
    table.do(act(0, Undo()))
    table.play("a1")
    table.do(act(1, Reclaim()))
    table.refuses(act(0, Undo()), "undo_needs_consent")


def test_p7_6_otherwise_all_others_must_agree(lay: Any) -> None:
    table = lay("flume", options=SMALL).seated()
    before = table.match.state
    table.play("a1")
    middle = table.match.state
    table.play("b2")
    table.play("c3")
    table.refuses(act(0, Undo()), "undo_needs_consent")
    table.do(act(0, Offer(what="undo", to_seq=table.match.seq - 3)))
    table.refuses(act(1, Offer(what="undo")), "no_such_offer")
    assert table.do(yes(1, "undo")) == ("responded", "undone")
    assert table.match.state == before
    table.play("a1")
    assert table.match.state == middle
    table.do(act(0, Offer(what="undo")))
    table.do(no(1, "undo"))
    assert table.match.state == middle


def test_p7_7_time_stays_spent_and_nobody_gains(lay: Any) -> None:
    live = RealTime(60_000, 5_000)
    table = lay("flume", options=SMALL, time_control=live, seats=(SeatPlan(), BOT)).seated()
    for _ in range(5):
        table.play("a1", wait=1_000)
        table.play("b2", wait=1_000)
        table.do(act(0, Undo()), wait=1_000)
    left = table.match.clocks.remaining_ms
    assert left == (60_000, 60_000), "increments cannot be pumped"
    own = lay("flecks", options={"size": 5}, time_control=live).seated()
    for _ in range(4):
        own.play()
    before = own.match.clocks.remaining_ms
    seat = own.match.state.to_move
    own.play(wait=2_000)
    own.do(act(seat, Undo()), wait=3_000)
    assert own.match.clocks.remaining_ms[seat] == before[seat] - 5_000
