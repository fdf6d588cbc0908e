"""P1 to P3: the log, seating, play."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from tests.server.matches.conftest import START, act, due

import watermeet as wm
from watermeet.server.api import messages
from watermeet.server.matches import commands, decide
from watermeet.server.matches.entries import Ended, decode, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.projection import seats
from watermeet.server.matches.setup import DAY, Absence, RealTime, SeatPlan

SMALL = {"size": 3}
BOT = SeatPlan("bot", "drop")
REFUSED_BEFORE_THE_START = """
0 b yes N seat_taken: seat 0 is taken; take another, or watch
1 u0 yes N seat_taken: you have another seat in this match; leave that first
1 b no N invited_only: seat 1 is by invitation; use its invitation link
3 b yes N no_such_seat: the match has no seat 3; seats are 0 to 2
1 b yes  invalid_match: '' isn't a name; use 1 to 40 letters on one line
"""
"""The seat, the user, whether invited, the name, and the refusal; u0 has the first seat."""
REFUSED_IN_A_MATCH = (
    (act(1, commands.Play("a1")), "not_your_turn: seat 1 isn't to move; seat 0 is"),
    (act(0, commands.BotPlay("a1")), "stand_in_plays: a person plays seat 0; the bot isn't needed"),
    (act(0, commands.Undo()), ("nothing_to_undo: you have nothing to undo there; "
     "an undo goes back to before an action of your own")),
    (act(0, commands.Offer("resume")),
     "wrong_stage: resume can't be offered while the match is playing; it can while it is paused"),
    (act(0, commands.Offer("pause")),
     "no_such_offer: pause is offered already; wait for the others, or withdraw it"),
    (act(0, commands.Respond("pause", accept=True)),
     "no_such_offer: seat 0 has accepted already; wait for the others"),
    (act(0, commands.Respond("undo", accept=True)),
     "no_such_offer: nobody offers 'undo'; offer it yourself"),
    (act(0, commands.Claim(0)),
     "no_such_offer: nothing can be claimed here; the match has another absence rule"),
    (act(0, commands.Claim(1)),
     "not_absent: seat 1 isn't holding up the match; absence counts on a player's own turn"),
    (act(1, commands.Claim(0), away_since={0: START}),
     "not_absent: seat 0 hasn't been away for long enough; wait 300 seconds"),
    (act(0, commands.Claim(2)), "no_such_seat: the match has no seat 2; seats are 0 to 1"),
    (act(0, commands.StandIn()),
     "not_due: no bot stands in here; the match has another absence rule"),
    (act(0, commands.Reclaim()), "stand_in_plays: no bot stands in on seat 0; just play"),
    (act(0, commands.Flag()), "not_due: seat 0 has time left; see due_at"),
    (act(None, commands.Start()),
     "not_due: the clocks don't start now; people are arriving, or all have"),
    (act(None, commands.ExpireTimer()), "not_due: the timer hasn't run out; see due_at"),
    (act(None, commands.Compensate(0, 1)), "not_due: nobody has lost time; nothing to do"),
)  # fmt: skip
"""Where seat 0 is to move and has offered a pause."""


def test_p1_1_everything_follows_from_the_log(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    while table.match.stage == "playing":
        table.play(wait=700)
    texts = [encode(entry) for entry in table.log]
    assert Match.of(map(decode, texts)) == table.match
    assert table.match.seq == len(texts)
    again = new_table("flume", options=SMALL).seated()
    before = again.match
    again.play()
    assert before == Match.of(again.log[:-1]) != again.match, "a match is an immutable value"


def said(error: wm.WatermeetError) -> str:
    return f"{error.code}: {error}"


def test_p1_2_a_refusal_before_the_start_changes_nothing_and_says_what_to_do(
    new_table: Any,
) -> None:
    seats = (SeatPlan(), SeatPlan("invited"), BOT)
    table = new_table("qwirkle", options={"seats": 3}, seats=seats)
    table.do(table.join(0))
    for line in REFUSED_BEFORE_THE_START.strip().splitlines():
        seat, user, is_invited, name, refusal = line.split(" ", 4)
        request = table.join(int(seat), user=user, name=name, is_invited=is_invited == "yes")
        assert said(table.refuses(request, refusal.partition(":")[0])) == refusal
    for request, refusal in (
        (act(0, commands.Play("a1")), "wrong_stage: the match is open; it has to be playing"),
        (act(1, commands.Leave()), "no_such_seat: nobody has seat 1; join first"),
        (act(None, commands.Abort()), "not_due: too early; see due_at"),
    ):
        assert said(table.refuses(request, refusal.partition(":")[0])) == refusal


def test_p1_2_a_refusal_in_a_match_changes_nothing_and_says_what_to_do(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    table.do(act(0, commands.Offer("pause")))
    for request, refusal in REFUSED_IN_A_MATCH:
        assert said(table.refuses(request, refusal.partition(":")[0])) == refusal
    table.do(act(1, commands.Respond("pause", accept=False)))
    error = table.refuses(act(0, commands.Offer("pause")), "no_such_offer")
    assert str(error) == "pause was declined; offer it again after the next action"
    late = new_table("flume", options=SMALL, time_control=RealTime(1_000)).seated()
    error = late.refuses(act(0, commands.Play("a1")), "out_of_time", wait=1_000)
    assert str(error) == "the player to move is out of time; the server is about to call it"


def test_p1_2_draws_and_the_end_come_with_the_action(new_table: Any) -> None:
    table = new_table("kuhn_poker")
    table.do(table.join(0))
    assert table.do(table.join(1)) == ("joined", "began", "sampled", "sampled")
    table.play(3)
    assert table.play(3) == ("played", "ended", "revealed")


def test_p1_3_times_never_go_back(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    table.play(wait=5000)
    table.play(wait=-4000)
    times = [entry.at for entry in table.log]
    assert times == sorted(times)
    assert table.last.spent_ms == 0


def test_p1_4_a_resent_command_is_not_repeated(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    command = act(0, commands.Play("a1"), client_id="first")
    table.do(command)
    seq = table.match.seq
    assert table.again(command).seq == seq
    table.play()
    assert table.again(command).seq == seq, "even when it would not be legal any more"
    again = new_table("flume", options=SMALL)
    again.do(again.join(0))
    assert again.again(again.join(0)).seq == 2, "a user is known by the seat"


def test_p1_4_64_ids_are_remembered_per_seat(new_table: Any) -> None:
    table = new_table("flume", options={"size": 13}).seated()
    for number in range(66):
        seat = table.match.state.to_move
        table.play(client_id=f"{seat}-{number}")
    assert len(table.match.client_ids[0]) <= 64
    offered = 0
    while offered < 70:
        table.do(act(0, commands.Offer("pause"), client_id=f"o{offered}"))
        table.do(act(0, commands.Respond("pause", accept=False), client_id=f"n{offered}"))
        offered += 1
    assert len(table.match.client_ids[0]) == 64
    assert table.match.entry_of(0, "n69") == table.match.seq
    assert table.match.entry_of(0, "o0") is None


def test_p1_4_a_client_id_is_short_and_plain() -> None:
    command = {"type": "command", "match": "m", "command": {"type": "resign"}}
    messages.decode(json.dumps(command | {"id": "a-1"}))
    for wrong in ("x" * 65, "a b", "ö", ""):
        with pytest.raises(msgspec.ValidationError):
            messages.decode(json.dumps(command | {"id": wrong}))


def test_p1_5_a_move_for_an_outdated_state_is_refused(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    seen = table.match.seq
    table.do(act(1, commands.Offer("pause")))
    table.do(act(0, commands.Play("a1", at_seq=seen)))  # An offer does not change the state.
    table.refuses(act(1, commands.Play("a2", at_seq=seen)), "conflict")
    table.do(act(1, commands.Play("a2", at_seq=table.match.seq)))


def test_p1_6_a_log_does_not_grow_without_end(
    new_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "MAX_ASIDES", 30)
    table = new_table("flume", options=SMALL).seated()
    while table.match.seq + 2 <= 30:  # The longest course of some games has 170,000 moves.
        table.do(act(0, commands.Offer("pause")))
        table.do(act(0, commands.Respond("pause", accept=False)))
    if table.match.seq < 30:
        table.do(act(0, commands.Offer("pause")))
    table.refuses(act(0, commands.Offer("abort")), "log_full")
    table.play()
    table.refuses(act(0, commands.Undo()), "log_full")
    table.do(act(1, commands.Resign()))


def test_p2_1_a_match_has_the_seats_of_its_game(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 3})
    assert [seat.who for seat in table.match.seats] == ["open"] * 3
    assert dict(table.match.setup.options) == dict(wm.game("qwirkle", seats=3).options)
    with pytest.raises(wm.WatermeetError, match="2 seats"):
        new_table("qwirkle", options={"seats": 3}, seats=(SeatPlan(),) * 2)
    with pytest.raises(wm.InvalidOptions):
        new_table("qwirkle", options={"seats": 9}, seats=(SeatPlan(),) * 9)
    with pytest.raises(wm.UnknownGame):
        new_table("no such game")


def test_p2_1_invalid_setups_are_refused(new_table: Any) -> None:
    for wrong in (
        {"spectator_delay_s": -1},
        {"spectator_delay_s": 99999},
        {"name": "a/b"},
        {"name": ""},
    ):
        with pytest.raises(wm.WatermeetError) as caught:
            new_table("flume", **wrong)
        assert caught.value.code == "invalid_match"


def test_p2_2_bots_have_levels_of_the_game(new_table: Any) -> None:
    new_table("flume", options=SMALL, seats=(SeatPlan(), BOT))
    new_table("flume", options=SMALL, seats=(SeatPlan(), SeatPlan("bot", "random")))
    for level in ("exec:sh", "sea:seconds=9999", "", "ocean"):
        with pytest.raises(wm.WatermeetError, match="no level"):
            new_table("flume", options=SMALL, seats=(SeatPlan(), SeatPlan("bot", level)))
        with pytest.raises(wm.WatermeetError, match="no level"):
            new_table("flume", options=SMALL, absence=Absence("stand_in", level))
    with pytest.raises(wm.WatermeetError, match="no level"):
        new_table("flume", options=SMALL, seats=(SeatPlan(), SeatPlan("open", "drop")))


def test_p2_3_a_user_takes_one_free_seat(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 3}, seats=(SeatPlan(), SeatPlan("invited"), BOT))
    table.do(table.join(0))
    assert [seat["who"] for seat in table.document(None)["seats"]] == ["person", "invited", "bot"]
    table.refuses(table.join(0, user="other"), "seat_taken")
    table.refuses(table.join(2, user="other"), "seat_taken")
    table.refuses(table.join(1, user="u0"), "seat_taken")
    table.refuses(table.join(1, is_invited=False), "invited_only")
    table.refuses(table.join(3), "no_such_seat")
    table.refuses(table.join(-1), "no_such_seat")
    for name in ("", "two\nlines", "x" * 41):
        table.refuses(table.join(1, name=name), "invalid_match")
    table.do(table.join(1))
    table.refuses(table.join(1, user="late"), "wrong_stage")


def test_p2_4_the_match_begins_when_all_seats_are_taken(new_table: Any) -> None:
    table = new_table("flume", options=SMALL)
    table.refuses(act(0, commands.Play("a1")), "wrong_stage")
    assert table.do(table.join(0)) == ("joined",)
    assert table.do(table.join(1, seed="pepper")) == ("joined", "seeded", "began")
    assert table.match.stage == "playing"
    assert new_table("flume", options=SMALL, seats=(BOT, BOT)).match.stage == "playing"


def test_p2_5_players_may_leave_before_the_start(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 3})
    table.refuses(act(0, commands.Leave()), "no_such_seat")
    table.do(table.join(0, seed="x"))
    table.do(table.join(1))
    assert table.do(act(0, commands.Leave())) == ("left",)
    assert not table.match.seats[0].is_taken
    assert table.match.client_seeds == ("", "", "")
    assert table.do(act(1, commands.Leave())) == ("left", "aborted", "revealed")
    assert table.match.stage == "aborted"
    assert table.document(None)["abort_reason"] == "cancelled"
    table.refuses(table.join(0), "wrong_stage")
    hosted = new_table("flume", options=SMALL, by="u0")
    hosted.do(hosted.join(0))
    assert hosted.do(act(0, commands.Leave())) == ("left", "aborted", "revealed")
    crowded = new_table("qwirkle", options={"seats": 3}, by="u0")
    crowded.do(crowded.join(0))
    crowded.do(crowded.join(1))
    assert crowded.do(act(0, commands.Leave())) == ("left", "aborted", "revealed"), (
        "it was their match"
    )
    playing = new_table("flume", options=SMALL).seated()
    playing.refuses(act(0, commands.Leave()), "wrong_stage")


def test_p2_5_an_open_match_waits_seven_days(new_table: Any) -> None:
    table = new_table("flume", options=SMALL)
    table.refuses(act(None, commands.Abort()), "not_due", wait=7 * DAY - 1)
    assert due(table.match, table.now + 1) == act(None, commands.Abort())
    assert table.do(act(None, commands.Abort()), wait=1) == ("aborted", "revealed")
    assert table.document(None)["abort_reason"] == "nobody_joined"


def test_p2_6_a_match_may_start_from_another_state(new_table: Any) -> None:
    game = wm.game("flume", size=3, pie=False)
    start = game.start().play("a1").play("b2")
    options = {"size": 3, "pie": False}
    table = new_table("flume", options=options, start=start.text).seated()
    assert table.match.state == start
    assert table.document(None)["info"]["is_continuation"]
    end = start
    while end.to_move != wm.OVER:
        end = end.play(end.legal_actions[0])
    with pytest.raises(wm.WatermeetError, match="the game is over"):
        new_table("flume", options=options, start=end.text)
    with pytest.raises(wm.InvalidNotation):
        new_table("flume", options=options, start="nonsense")


def test_p3_1_only_the_player_to_move_plays_legal_moves(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    table.play("a1")
    error = table.refuses(act(1, commands.Play("a1")), "illegal_move")
    assert isinstance(error, wm.IllegalMove)
    assert error.explanation is not None
    table.refuses(act(1, commands.Play("z9")), "invalid_notation")
    table.refuses(act(1, commands.Play(10**9)), "invalid_notation")
    table.refuses(act(7, commands.Play("a1")), "no_such_seat")
    table.do(act(1, commands.Play(1)))


def test_p3_1_a_refusal_reveals_nothing_hidden(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    seat = table.match.state.to_move
    illegal = next(
        action
        for action in range(table.match.game.sizes.actions)
        if not table.match.state.is_legal(action)
    )
    error = table.refuses(act(seat, commands.Play(illegal)), "illegal_move")
    assert table.match.state.conceal(seat).text in error.message
    assert table.match.state.text not in str(error)


def test_p3_2_chance_draws_at_once(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    assert table.match.state.to_move >= 0
    while table.match.chance_count == 12:
        table.play()
    assert table.match.state.to_move >= 0
    kinds = [type(entry).__name__ for entry in table.log]
    assert kinds[-2:] == ["Played", "Sampled"] or kinds[-1] == "Sampled"


def test_p3_3_a_match_ends_with_the_returns_of_the_game(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    while table.match.stage == "playing":
        table.play()
    assert table.match.stage == "finished"
    assert table.match.returns == table.match.state.outcome.returns
    assert isinstance(table.log[-2], Ended)
    assert table.document(0)["outcome"]["winners"]
    table.refuses(act(0, commands.Play("a1")), "wrong_stage")


def test_p3_4_people_and_bots_play_only_their_own_seats(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    table.refuses(act(0, commands.BotPlay("a1")), "stand_in_plays")
    table.do(act(0, commands.Play("a1")))
    table.refuses(act(1, commands.Play("a2")), "stand_in_plays")
    table.do(act(1, commands.BotPlay("a2")))


def test_p3_5_hints_are_for_the_only_person_and_count_once_for_each_state(new_table: Any) -> None:
    shared = new_table("flume", options=SMALL).seated()
    refusal = shared.refuses(act(0, commands.Hint(shared.match.seq)), "no_hints")
    assert refusal.message == "two or more people play this match"
    assert refusal.hint == "hints are for matches against bots"
    table = new_table("flume", options=SMALL, seats=(SeatPlan(), BOT))
    table.refuses(act(0, commands.Hint(table.match.seq)), "wrong_stage")
    table.seated()
    before = table.match
    assert table.do(act(0, commands.Hint(before.seq))) == ("hinted",)
    table.again(act(0, commands.Hint(table.match.seq)))
    assert [seat.hints for seat in table.match.seats] == [1, 0]
    assert (table.match.state, table.match.clocks) == (before.state, before.clocks)
    table.play("b2", at_seq=before.seq)  # A hint changes no state.
    table.refuses(act(0, commands.Hint(table.match.seq)), "not_your_turn")
    table.refuses(act(1, commands.Hint(table.match.seq)), "no_hints")
    table.play()
    table.refuses(act(0, commands.Hint(before.seq)), "conflict")
    table.do(act(0, commands.Hint(table.match.seq)))
    assert [seat["hints"] for seat in map(msgspec.to_builtins, seats(table.match))] == [2, 0]
