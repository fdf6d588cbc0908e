"""P10 and P11: chance, and what is sent."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.server.matches.conftest import act

import watermeet as wm
from watermeet.server.matches import commands, projection
from watermeet.server.matches.audit import audit
from watermeet.server.matches.entries import Ended, Revealed
from watermeet.server.matches.randomness import choose, commitment_to, random_word
from watermeet.server.matches.records import record_of
from watermeet.server.matches.setup import SeatPlan

BOT = SeatPlan("bot", "drop")


def sent(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def test_p10_1_the_commitment_comes_before_any_draw(new_table: Any) -> None:
    table = new_table("kuhn_poker")
    promised = table.document(None)["info"]["commitment"]
    assert promised == commitment_to(table.match.id, table.randomness.secret)
    assert table.match.chance_count == 0


def test_p10_2_seeds_are_added_until_the_match_begins(new_table: Any) -> None:
    table = new_table("kuhn_poker")
    table.do(table.join(0))
    table.do(act(0, commands.Seed("one")))
    table.do(act(0, commands.Seed("two"), client_id="s"))
    for wrong in ("", "a b", "a/b", "x" * 65, "ä"):
        table.refuses(act(0, commands.Seed(wrong)), "invalid_match")
    table.do(table.join(1, seed="three"))
    assert table.match.client_seeds == ("two", "three")
    table.refuses(act(0, commands.Seed("late")), "wrong_stage")
    table.refuses(table.join(1, user="u9", seed="bad salt"), "wrong_stage")


def test_p10_3_draws_follow_from_secret_match_seeds_and_number(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    for _ in range(20):
        table.play()
    number = 0
    for step in table.match.steps():
        if step.mover == wm.CHANCE:
            number += 1
            word = random_word(table.match.id, table.randomness.secret, ("", ""), number)
            state = table.match.state_before(step)
            assert choose(state.chance_outcomes, word) == step.action
    assert number == table.match.chance_count > 12


def test_p10_4_the_secret_is_revealed_at_the_end(new_table: Any) -> None:
    table = new_table("kuhn_poker").seated()
    assert table.document(0)["secret"] is None
    table.do(act(0, commands.Resign()))
    assert isinstance(table.last, Revealed)
    assert table.document(0)["secret"] == table.randomness.secret.hex()
    assert audit(table.log).is_fair
    stopped = new_table("kuhn_poker", seats=(SeatPlan(), BOT)).seated()
    stopped.do(act(0, commands.Offer("abort")))
    assert stopped.document(None)["secret"] == stopped.randomness.secret.hex()


def test_p11_1_a_seat_is_sent_only_what_it_may_know(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    state = table.match.state
    mover = state.to_move
    for seat in (None, 0, 1):
        view = table.document(seat)["view"]
        assert view == state.view(seat)
        assert bool(view["legal"]) == (seat == mover)


def test_p11_2_a_hidden_action_only_shows_that_it_happened(new_table: Any) -> None:
    table = new_table("qwirkle").seated()
    for seat in (0, 1):
        moves = table.document(seat)["moves"]
        texts = [move["move"] for move in moves]
        assert texts.count(None) == 6, "the other's hand was drawn in hiding"
        assert all(move["action"] is None for move in moves)
    table.play()
    seat = table.match.last_step.mover
    own = table.document(seat)["moves"][-1]
    other = table.document(1 - seat)["moves"][-1]
    assert own["action"] == table.match.last_step.action
    assert other["action"] is None
    assert other["move"] == own["move"]


def test_p11_3_never_sent(new_table: Any) -> None:
    start = wm.game("kuhn_poker").start().play(0).play(2)
    table = new_table("kuhn_poker", start=start.text, by="maker", name="here")
    table.do(table.join(0, client_id="client-zero", user="user-zero"))
    table.do(table.join(1, client_id="client-one", user="user-one"))
    table.do(act(0, commands.Play(3), client_id="client-move"))
    table.do(act(0, commands.Offer("pause"), client_id="client-offer"))
    for seat in (None, 0, 1):
        text = sent(table.document(seat)) + sent(list(projection.events(table.log, seat)))
        text += sent(projection.headline(table.match))
        for word in ("client-", "user-", "maker", table.randomness.secret.hex(), start.text):
            assert word not in text
    events = projection.events(table.log, 0, after=3)
    assert [event.seq for event in events] == list(range(4, table.match.seq + 1))
    assert repr(table.randomness) == "Randomness('here')"


def test_p11_4_spectators_see_less_and_later(new_table: Any) -> None:
    table = new_table("kuhn_poker", spectator_delay_s=60).seated()
    began = table.match.seq
    table.play(3, wait=10_000)
    assert projection.last_public_seq(table.log, table.now) == 1, (
        "that the match exists is shown at once"
    )
    assert projection.last_public_seq(table.log, table.now + 59_999) == began
    assert projection.last_public_seq(table.log, table.now + 60_000) == began + 1
    shown = [move["move"] for move in table.document(None)["moves"]]
    assert shown == [None, None, "3"]
    table.do(act(0, commands.Resign()))
    assert projection.last_public_seq(table.log, table.now) == table.match.seq
    assert isinstance(table.log[-2], Ended)
    live = new_table("kuhn_poker").seated()
    live.play(3)
    assert projection.last_public_seq(live.log, live.now) == live.match.seq, "no delay unless asked"


def test_p11_5_everything_is_shown_at_the_end(new_table: Any) -> None:
    table = new_table("kuhn_poker").seated()
    with pytest.raises(wm.WatermeetError) as caught:
        record_of(table.match)
    assert caught.value.code == "still_hidden"
    table.do(act(0, commands.Resign()))
    for seat in (None, 0, 1):
        assert None not in [move["move"] for move in table.document(seat)["moves"]]
    assert record_of(table.match).moves[0].startswith("~")
    open_match = new_table("flume", options={"size": 3}).seated()
    open_match.play("a1")
    assert record_of(open_match.match).moves == ("a1",)


@pytest.mark.parametrize("name", wm.games())
def test_shared_views_equal_those_of_each_seat(new_table: Any, name: str) -> None:
    """A seat that isn't to move has no legal moves, and sees what everybody sees."""
    table = new_table(name).seated()
    for _ in range(3):
        moment = projection.Moment(table.match)
        for seat in (None, *range(len(table.match.seats))):
            assert moment.position(seat).view == table.match.state.view(seat)
        if table.match.state.to_move >= 0 and table.match.stage == "playing":
            table.play()
