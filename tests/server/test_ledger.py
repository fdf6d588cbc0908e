"""A test of the tests: a server that loses, duplicates, forgets or invents something is caught.

The kill test relies on ``Seat`` and ``ledger``, so here each fault is made by hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from tests.server.crowd import Fault, Seat, Sent
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
    """A finished match: its log, and what two clients of an honest server would have recorded."""

    log: list[Entry]
    seats: list[Seat]

    def move(self, number: int) -> tuple[int, Played]:
        """The index and the entry of a move in the log."""
        moves = [(at, entry) for at, entry in enumerate(self.log) if isinstance(entry, Played)]
        return moves[number]

    def mover(self, number: int) -> Seat:
        return self.seats[self.move(number)[1].seat]

    def change(self, at: int, **changes: Any) -> None:
        self.log[at] = msgspec.structs.replace(self.log[at], **changes)


def make_story() -> Story:
    """One in which the first player moves twice."""
    stories = map(random_story, range(100))
    return next(
        story for story in stories if sum(isinstance(each, Played) for each in story.log) == 3
    )


def random_story(seed: int) -> Story:
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
        sent = Sent(f"{len(seat.sent) + 1}", rng.choice(match.state.legal_actions))
        seat.sent[sent.id] = sent
        seat.acknowledged[sent.id] = do(seat.number, Play(sent.action), sent.id).seq
    for seat in seats:
        seat.first, seat.seen = first, len(log)
        events = projection.events(log, seat.number, after=first)
        seat.events = msgspec.json.decode(msgspec.json.encode(list(events)))
    return Story(log, seats)


def test_an_honest_server_passes() -> None:
    story = make_story()
    counts = check_match(story.log, story.seats)
    assert counts["matches"] == 1
    assert counts["moves"] == counts["acknowledged"] >= 2


def lose_the_end(story: Story) -> None:
    del story.log[story.move(-1)[0] :]


def never_end(story: Story) -> None:
    del story.log[next(at for at, entry in enumerate(story.log) if isinstance(entry, Ended)) :]


def play_another_action(story: Story) -> None:
    sent = story.mover(0).sent
    sent["1"] = Sent("1", sent["1"].action + 1)


def write_another_id(story: Story) -> None:
    story.change(story.move(0)[0], client_id="other")


def acknowledge_another_entry(story: Story) -> None:
    story.mover(0).acknowledged["1"] += 1


def invent_a_move(story: Story) -> None:
    story.mover(-1).sent.popitem()
    story.mover(-1).acknowledged.popitem()


def duplicate_a_move(story: Story) -> None:
    """As if a resent command had been played again."""
    story.change(story.move(-1)[0], client_id="1")
    invent_a_move(story)


def skip_an_event(story: Story) -> None:
    del story.seats[1].events[1]


def send_an_event_twice(story: Story) -> None:
    story.seats[0].events.insert(1, story.seats[0].events[1])


def send_another_kind(story: Story) -> None:
    story.seats[0].events[0]["kind"] = "resigned"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (lose_the_end, "is playing"),
        (play_another_action, "sent was"),
        (write_another_id, "sent was"),
        (acknowledge_another_entry, "entry"),
        (duplicate_a_move, "DUPLICATED"),
        (invent_a_move, "the log has"),
        (skip_an_event, "received"),
        (send_an_event_twice, "received"),
        (send_another_kind, "resigned"),
        (never_end, "is playing"),
    ],
)
def test_a_fault_is_found(fault: Callable[[Story], None], words: str) -> None:
    story = make_story()
    fault(story)
    with pytest.raises((AssertionError, WatermeetError), match=words):
        check_match(story.log, story.seats)


def changes(after: int, seq: int, *numbers: int) -> dict[str, Any]:
    events = [{"seq": number} for number in numbers]
    return {"after": after, "seq": seq, "events": events, "position": {"seq": seq}}


def test_a_client_accepts_only_what_it_has_not_seen() -> None:
    seat = Seat("m", 0, "", sent={"1": Sent("1", 0)})
    seat.receive_snapshot({"seq": 5, "document": {}})
    seat.receive_changes(changes(5, 5))
    for _ in range(2):
        seat.receive_ack({"id": "1", "seq": 7})
    with pytest.raises(Fault):
        seat.receive_snapshot({"seq": 3, "document": {}})
    for news in (
        changes(4, 6, 5, 6),  # Sent twice.
        changes(6, 7, 7),  # A gap before it.
        changes(5, 7, 7),  # A gap in it.
        changes(5, 6, 6) | {"position": {"seq": 7}},
    ):
        with pytest.raises(Fault):
            seat.receive_changes(news)
    for wrong in ({"id": "1", "seq": 8}, {"id": "2", "seq": 9}):
        with pytest.raises(Fault):
            seat.receive_ack(wrong)
