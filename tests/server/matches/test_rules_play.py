"""P1 to P3: the log, seating, play."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from tests.server.matches.conftest import act, due

import watermeet as wm
from watermeet.server.api import messages
from watermeet.server.matches.commands import (
    Abort,
    BotPlay,
    Join,
    Leave,
    Offer,
    Play,
    Respond,
    Seed,
)
from watermeet.server.matches.entries import Ended, decode, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import DAY, Absence, SeatPlan

SMALL = {"size": 3}
BOT = SeatPlan("bot", "drop")


def test_p1_1_everything_follows_from_the_log(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    while table.match.stage == "playing":
        table.play(wait=700)
    texts = [encode(entry) for entry in table.log]
    assert Match.of(map(decode, texts)) == table.match
    assert table.match.seq == len(texts)


def test_p1_1_a_match_is_an_immutable_value(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    before = table.match
    table.play()
    assert before == Match.of(table.log[:-1]) != table.match
    assert table.match.last_step.parent is before.last_step


def test_p1_2_a_refusal_changes_nothing_and_has_a_hint(new_table: Any) -> None:
    table = new_table("flume", options=SMALL).seated()
    error = table.refuses(act(1, Play(move="a1")), "not_your_turn")
    assert "seat 0" in error.hint


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
    command = act(0, Play(move="a1"), client_id="first")
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
        table.do(act(0, Offer(what="pause"), client_id=f"o{offered}"))
        table.do(act(0, Respond(what="pause", accept=False), client_id=f"n{offered}"))
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
    table.do(act(1, Offer(what="pause")))
    table.do(act(0, Play(move="a1", at_seq=seen)))  # An offer does not change the state.
    table.refuses(act(1, Play(move="a2", at_seq=seen)), "conflict")
    table.do(act(1, Play(move="a2", at_seq=table.match.seq)))


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
    table.refuses(act(0, Play(move="a1")), "wrong_stage")
    assert table.do(table.join(0)) == ("joined",)
    assert table.do(table.join(1, seed="pepper")) == ("joined", "seeded", "began")
    assert table.match.stage == "playing"
    assert new_table("flume", options=SMALL, seats=(BOT, BOT)).match.stage == "playing"


def test_p2_5_players_may_leave_before_the_start(new_table: Any) -> None:
    table = new_table("qwirkle", options={"seats": 3})
    table.refuses(act(0, Leave()), "no_such_seat")
    table.do(table.join(0, seed="x"))
    table.do(table.join(1))
    assert table.do(act(0, Leave())) == ("left",)
    assert not table.match.seats[0].is_taken
    assert table.match.client_seeds == ("", "", "")
    assert table.do(act(1, Leave())) == ("left", "aborted", "revealed")
    assert table.match.stage == "aborted"
    assert table.document(None)["abort_reason"] == "cancelled"
    table.refuses(table.join(0), "wrong_stage")
    hosted = new_table("flume", options=SMALL, by="u0")
    hosted.do(hosted.join(0))
    assert hosted.do(act(0, Leave())) == ("left", "aborted", "revealed")
    crowded = new_table("qwirkle", options={"seats": 3}, by="u0")
    crowded.do(crowded.join(0))
    crowded.do(crowded.join(1))
    assert crowded.do(act(0, Leave())) == ("left", "aborted", "revealed"), "it was their match"
    playing = new_table("flume", options=SMALL).seated()
    playing.refuses(act(0, Leave()), "wrong_stage")


def test_p2_5_an_open_match_waits_seven_days(new_table: Any) -> None:
    table = new_table("flume", options=SMALL)
    table.refuses(act(None, Abort()), "not_due", wait=7 * DAY - 1)
    assert due(table.match, table.now + 1) == act(None, Abort())
    assert table.do(act(None, Abort()), wait=1) == ("aborted", "revealed")
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
    error = table.refuses(act(1, Play(move="a1")), "illegal_move")
    assert isinstance(error, wm.IllegalMove)
    assert error.explanation is not None
    table.refuses(act(1, Play(move="z9")), "invalid_notation")
    table.refuses(act(1, Play(move=10**9)), "invalid_notation")
    table.refuses(act(7, Play(move="a1")), "no_such_seat")
    table.do(act(1, Play(move=1)))


def test_p3_1_a_refusal_reveals_nothing_hidden(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    seat = table.match.state.to_move
    illegal = next(
        action
        for action in range(table.match.game.sizes.actions)
        if not table.match.state.is_legal(action)
    )
    error = table.refuses(act(seat, Play(move=illegal)), "illegal_move")
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
    table.refuses(act(0, Play(move="a1")), "wrong_stage")


def test_p3_4_people_and_bots_play_only_their_own_seats(new_table: Any) -> None:
    table = new_table("flume", options=SMALL, seats=(SeatPlan(), BOT)).seated()
    table.refuses(act(0, BotPlay(move="a1")), "stand_in_plays")
    table.do(act(0, Play(move="a1")))
    table.refuses(act(1, Play(move="a2")), "stand_in_plays")
    table.do(act(1, BotPlay(move="a2")))


def test_seeds_are_accepted_only_before_the_start(new_table: Any) -> None:
    table = new_table("flume", options=SMALL)
    table.refuses(act(0, Seed(seed="x")), "no_such_seat")
    table.do(act(0, Join(user="a", name="A")))
    table.do(act(0, Seed(seed="x")))
    assert table.match.client_seeds == ("x", "")
