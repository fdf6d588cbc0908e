"""What the tests of the match share: a table to play at, and commands in few words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import watermeet as wm
from watermeet.core import registry
from watermeet.core.kernel import plain_python
from watermeet.server.matches import commands, projection
from watermeet.server.matches.commands import Command
from watermeet.server.matches.decide import decide
from watermeet.server.matches.entries import Entry, SeatPlan, decode, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.randomness import Draws
from watermeet.server.matches.writer import Already, Decision

START = 1_800_000_000_000


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    """Nothing is compiled here: matches are few and short."""
    with plain_python():
        yield


class Table:
    """A match, its log, and the time."""

    def __init__(
        self, game: str, *, options: Any = None, name: str = "abcdef", **chosen: Any
    ) -> None:
        self.draws = Draws(name, random.Random(f"secret of {name}").randbytes(32))
        self.now = START
        seats = wm.game(game, **(options or {})).seats
        chosen.setdefault("seats", (SeatPlan(),) * seats)
        made = decide(
            None, commands.Create(game=game, options=options or {}, **chosen), self.now, self.draws
        )
        assert isinstance(made, Decision)
        self.match, self.log = made.match, list(made.entries)

    def seated(self) -> Table:
        """Everybody who is awaited has come."""
        for seat, place in enumerate(self.match.seats):
            if not place.is_taken:
                self.do(self.join(seat))
        return self

    def join(self, seat: int, **more: Any) -> commands.Join:
        given: dict[str, Any] = {"user": f"u{seat}", "name": f"N{seat}", "invited": True}
        return commands.Join(seat=seat, **(given | more))

    def do(self, command: Command, wait: int = 0) -> tuple[str, ...]:
        """Does a command so much later; the kinds of the entries that it gave."""
        self.now += wait
        answer = decide(self.match, command, self.now, self.draws)
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

    def again(self, command: Command) -> Already:
        answer = decide(self.match, command, self.now, self.draws)
        assert isinstance(answer, Already)
        return answer

    def play(self, move: str | int | None = None, wait: int = 0, **more: Any) -> tuple[str, ...]:
        """Who is to move plays, a bot too; without a move the first that can be played."""
        seat = self.match.state.to_move
        chosen = self.match.state.legal_actions[0] if move is None else move
        is_bot = bool(self.match.seats[seat].bot)
        return self.do(commands.Play(seat=seat, move=chosen, is_bot=is_bot, **more), wait)

    def refuses(self, command: Command, code: str, wait: int = 0) -> wm.WatermeetError:
        """Refuses, by the code, and nothing has changed."""
        before, log = self.match, list(self.log)
        with pytest.raises(wm.WatermeetError) as caught:
            self.do(command, wait)
        assert caught.value.code == code, caught.value
        assert caught.value.hint
        assert (self.match, self.log) == (before, log)
        return caught.value

    @property
    def last(self) -> Entry:
        return self.log[-1]

    def document(self, seat: int | None) -> dict[str, Any]:
        return projection.document(self.match, seat)

    def replayed(self) -> Match:
        return Match.of(self.log)


@pytest.fixture
def kettle(monkeypatch: pytest.MonkeyPatch) -> str:
    """A toy with a minute that cannot be ended while the kettle is lifted."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "cli" / "toys"))
    known = dict(registry.packages_by_name())
    monkeypatch.setattr(registry, "packages_by_name", lambda: {**known, "kettle": "kettle"})
    return "kettle"


@pytest.fixture(scope="session")
def lay() -> Callable[..., Table]:
    """Lays a table: see Table."""
    return Table
