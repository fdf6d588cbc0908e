"""The test of the tests: a server that loses, doubles, forgets or makes up something is found out.

What the kill test believes rests on ``Seat`` and ``ledger``; so here each fault is made by hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from tests.server.crowd import Asked, Fault, Seat
from tests.server.ledger import check_match

from watermeet.core.errors import WatermeetError
from watermeet.server.matches import projection
from watermeet.server.matches.commands import Join, Play
from watermeet.server.matches.decide import decide
from watermeet.server.matches.entries import Ended, Entry, Played
from watermeet.server.matches.match import FINISHED
from watermeet.server.matches.randomness import Randomness
from watermeet.server.matches.seating import create
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.server.matches.writer import Context, Decision

GAME = "kuhn_poker"


@dataclass
class Story:
    """A match to its end: the log, and what two honest clients would have noted."""

    log: list[Entry]
    seats: list[Seat]

    @property
    def moves(self) -> list[tuple[int, Played]]:
        """The places in the log and the entries of all moves."""
        return [(at, entry) for at, entry in enumerate(self.log) if isinstance(entry, Played)]

    def move(self, number: int = 0) -> tuple[int, Played]:
        return self.moves[number]

    def change(self, at: int, **changes: Any) -> None:
        self.log[at] = msgspec.structs.replace(self.log[at], **changes)


def plain(events: Iterable[projection.Event]) -> list[dict[str, Any]]:
    """Events as a client reads them."""
    return [msgspec.json.decode(msgspec.json.encode(event)) for event in events]


def story() -> Story:
    """One in which the first to move moves twice."""
    return next(told for seed in range(100) if len((told := told_with(seed)).moves) == 3)


def told_with(seed: int) -> Story:
    rng = random.Random(seed)
    context = Context(now=1_000, randomness=Randomness("aaaabbbbcccc", bytes(32)))
    made = create(MatchSetup(game=GAME, seats=(SeatPlan(), SeatPlan())), context)
    match, log = made.match, list(made.entries)

    def do(seat: int, command: Any, client_id: str = "") -> Decision:
        nonlocal match
        decision = decide(match, seat, client_id, command, context)
        assert isinstance(decision, Decision)
        match = decision.match
        log.extend(decision.entries)
        return decision

    seats = [Seat("aaaabbbbcccc", number, "") for number in (0, 1)]
    for seat in seats:
        do(seat.number, Join(user=f"u{seat.number}", name="U"))
    first = match.seq
    while match.stage != FINISHED:
        seat = seats[match.state.to_move]
        asked = Asked(f"{len(seat.asked) + 1}", rng.choice(match.state.legal_actions))
        seat.asked[asked.id] = asked
        seat.acknowledged[asked.id] = do(seat.number, Play(asked.action), asked.id).seq
    for seat in seats:
        seat.first, seat.seen = first, len(log)
        seat.events = plain(projection.events(log, seat.number, after=first))
    return Story(log, seats)


def test_an_honest_server_has_nothing_to_fear() -> None:
    told = story()
    counts = check_match(told.log, told.seats)
    assert counts["matches"] == 1
    assert counts["moves"] == counts["acknowledged"] >= 2


def lose_the_end(told: Story) -> None:
    del told.log[told.move(-1)[0] :]


def play_another_action(told: Story) -> None:
    seat = told.seats[told.move()[1].seat]
    seat.asked["1"] = Asked("1", seat.asked["1"].action + 1)


def write_another_id(told: Story) -> None:
    told.change(told.move()[0], client_id="other")


def acknowledge_another_entry(told: Story) -> None:
    seat = told.seats[told.move()[1].seat]
    seat.acknowledged["1"] += 1


def double_a_move(told: Story) -> None:
    """As if what was asked again had been played again."""
    at, move = told.move(-1)
    seat = told.seats[move.seat]
    told.change(at, client_id="1")
    for noted in (seat.asked, seat.acknowledged):
        noted.popitem()


def make_up_a_move(told: Story) -> None:
    seat = told.seats[told.move(-1)[1].seat]
    seat.asked.popitem()
    seat.acknowledged.popitem()


def leave_an_event_out(told: Story) -> None:
    del told.seats[1].events[1]


def tell_an_event_twice(told: Story) -> None:
    told.seats[0].events.insert(1, told.seats[0].events[1])


def tell_another_kind(told: Story) -> None:
    told.seats[0].events[0] = told.seats[0].events[0] | {"kind": "resigned"}


def never_end(told: Story) -> None:
    at = next(at for at, entry in enumerate(told.log) if isinstance(entry, Ended))
    del told.log[at:]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (lose_the_end, "is playing"),
        (play_another_action, "asked was"),
        (write_another_id, "asked was"),
        (acknowledge_another_entry, "entry"),
        (double_a_move, "DOUBLED"),
        (make_up_a_move, "the log has"),
        (leave_an_event_out, "heard"),
        (tell_an_event_twice, "heard"),
        (tell_another_kind, "resigned"),
        (never_end, "is playing"),
    ],
)
def test_a_fault_is_found(fault: Callable[[Story], None], words: str) -> None:
    told = story()
    fault(told)
    with pytest.raises((AssertionError, WatermeetError), match=words):
        check_match(told.log, told.seats)


def changes(after: int, seq: int, *numbers: int) -> dict[str, Any]:
    events = [{"seq": number} for number in numbers]
    return {"after": after, "seq": seq, "events": events, "position": {"seq": seq}}


@pytest.mark.parametrize(
    "message",
    [
        changes(4, 6, 5, 6),  # Told twice.
        changes(6, 7, 7),  # A hole before it.
        changes(5, 7, 7),  # A hole in it.
        changes(5, 6, 6) | {"position": {"seq": 7}},
    ],
)
def test_a_client_believes_no_events_but_the_next(message: dict[str, Any]) -> None:
    seat = Seat("m", 0, "", seen=5)
    seat.told(changes(5, 5))
    with pytest.raises(Fault):
        seat.told(message)


def test_a_client_that_comes_back_believes_no_snapshot() -> None:
    seat = Seat("m", 0, "")
    seat.told_all({"seq": 4, "document": {}})
    with pytest.raises(Fault):
        seat.told_all({"seq": 3, "document": {}})


def test_a_client_believes_one_acknowledgement_of_what_it_asked() -> None:
    seat = Seat("m", 0, "", asked={"1": Asked("1", 0)})
    seat.told_done({"id": "1", "seq": 7})
    seat.told_done({"id": "1", "seq": 7})
    for wrong in ({"id": "1", "seq": 8}, {"id": "2", "seq": 9}):
        with pytest.raises(Fault):
            seat.told_done(wrong)
