"""Fixtures of the match's tests: a match with its log and its clock, and short commands."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import watermeet as wm
from watermeet.core import registry
from watermeet.core.kernel import plain_python
from watermeet.server.matches import commands, projection, timing
from watermeet.server.matches.commands import Command
from watermeet.server.matches.decide import decide
from watermeet.server.matches.entries import Entry, decode, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.randomness import Randomness
from watermeet.server.matches.seating import create
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.server.matches.writer import Already, Context, Decision

START = 1_800_000_000_000


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    """Run as plain Python: the matches are few and short."""
    with plain_python():
        yield


class Act(NamedTuple):
    """A command of a seat, and what the server adds."""

    seat: int | None
    command: Command
    client_id: str = ""
    away_since: Mapping[int, int] = {}
    next_match: str = "next"


act = Act


class Table:
    """A match, its log, and the time."""

    def __init__(
        self,
        game: str,
        *,
        options: Any = None,
        name: str = "abcdef",
        start: str = "",
        by: str = "",
        now: int = START,
        **chosen: Any,
    ) -> None:
        self.randomness = Randomness(name, random.Random(f"secret of {name}").randbytes(32))
        self.now = now
        seats = wm.game(game, **(options or {})).seats
        chosen.setdefault("seats", (SeatPlan(),) * seats)
        setup = MatchSetup(game=game, options=options or {}, **chosen)
        made = create(setup, Context(now=self.now, randomness=self.randomness), start=start, by=by)
        self.match, self.log = made.match, list(made.entries)

    def seated(self) -> Table:
        """Everybody has joined and is there: clocks run."""
        for seat, place in enumerate(self.match.seats):
            if not place.is_taken:
                self.do(self.join(seat))
        if self.match.waits:
            self.do(act(None, commands.Start()))
        return self

    def join(self, seat: int, *, client_id: str = "", **more: Any) -> Act:
        given: dict[str, Any] = {"user": f"u{seat}", "name": f"N{seat}", "is_invited": True}
        given["is_registered"] = True
        return act(seat, commands.Join(**(given | more)), client_id)

    def decided(self, request: Act) -> Decision | Already:
        context = Context(
            now=self.now,
            randomness=self.randomness,
            away_since=request.away_since,
            next_match=request.next_match,
        )
        return decide(self.match, request.seat, request.client_id, request.command, context)

    def do(self, request: Act, wait: int = 0) -> tuple[str, ...]:
        """Do a command ``wait`` ms later; return the kinds of the new entries."""
        self.now += wait
        answer = self.decided(request)
        assert isinstance(answer, Decision), "the command was done before"
        before = self.match
        assert before.seq < answer.seq <= before.seq + 2
        for entry in answer.entries:
            assert decode(encode(entry)) == entry
            before = before.after(entry)
        assert before == answer.match
        self.match = answer.match
        self.log += answer.entries
        return tuple(str(type(entry).__struct_config__.tag) for entry in answer.entries)

    def agree(self, what: str, by: int = 0, wait: int = 0) -> tuple[str, ...]:
        """One of two offers something ``wait`` ms later, and the other accepts."""
        self.do(act(by, commands.Offer(what)), wait)
        return self.do(act(1 - by, commands.Respond(what, accept=True)))

    def again(self, request: Act) -> Already:
        answer = self.decided(request)
        assert isinstance(answer, Already)
        return answer

    def play(
        self, move: str | int | None = None, wait: int = 0, *, client_id: str = "", **more: Any
    ) -> tuple[str, ...]:
        """Play for the player to move, bot or not; by default the first legal action."""
        seat = self.match.state.to_move
        chosen = self.match.state.legal_actions[0] if move is None else move
        kind = commands.BotPlay if self.match.seats[seat].bot else commands.Play
        return self.do(act(seat, kind(chosen, **more), client_id), wait)

    def refuses(self, request: Act, code: str, wait: int = 0) -> wm.WatermeetError:
        """Check that a command is refused with this code and changes nothing."""
        before, log = self.match, list(self.log)
        with pytest.raises(wm.WatermeetError) as caught:
            self.do(request, wait)
        assert caught.value.code == code, caught.value
        assert caught.value.hint
        assert (self.match, self.log) == (before, log)
        return caught.value

    @property
    def last(self) -> Entry:
        return self.log[-1]

    def document(self, seat: int | None) -> dict[str, Any]:
        """The document as a client reads it."""
        text = msgspec.json.encode(projection.document(self.match, seat))
        document: dict[str, Any] = msgspec.json.decode(text)
        return document

    def replayed(self) -> Match:
        return Match.of(self.log)


def due(match: Match, now: int) -> Act | None:
    """What is due in a match, as a command."""
    duty = timing.duty_now(match, now)
    return None if duty is None else act(duty[1], duty[2])


@pytest.fixture
def kettle(monkeypatch: pytest.MonkeyPatch) -> str:
    """A toy whose timer can't run out while the kettle is lifted."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "cli" / "toys"))
    known = dict(registry.packages_by_name())
    monkeypatch.setattr(registry, "packages_by_name", lambda: {**known, "kettle": "kettle"})
    return "kettle"


@pytest.fixture(scope="session")
def new_table() -> Callable[..., Table]:
    """Create a match: see Table."""
    return Table
