"""Matches and records on a board in a notebook: what the board asks for, and what it gets to show.

The board knows no rules: whatever somebody does comes here as a message, and is checked and played
here. Rules run as plain Python, as in the terminal: compiling them isn't worth it for one person's
moves. Bots are compiled.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from watermeet.cli.match import FRESH_SEED_BITS, Match
from watermeet.cli.opponents import Opponents
from watermeet.cli.seats import HUMAN, default_kinds, parse_kinds
from watermeet.core.contract import CHANCE
from watermeet.core.errors import InvalidArgument, WatermeetError
from watermeet.core.game import Game
from watermeet.core.kernel import plain_python
from watermeet.core.options import Value
from watermeet.core.record import Record
from watermeet.core.registry import game as find_game
from watermeet.core.state import State
from watermeet.notebook.position import Shown, show, stops_of, thoughts

Publish = Callable[[Shown], None]
ADVISER = "Sea"
"""Who thinks when somebody asks: the strongest level."""


class PlayedMatch:
    """A match of at most one person against bots; ``publish`` gets what to show."""

    @plain_python()
    def __init__(
        self,
        what: str | Game | State | Record,
        players: str | None,
        publish: Publish,
        *,
        seed: int | None = None,
        thinking: bool = False,
        options: Mapping[str, Value],
    ) -> None:
        record = _record_of(what, options)
        kinds = parse_kinds(record.game, players) if players else default_kinds(record.game)
        if kinds.count(HUMAN) > 1:
            raise InvalidArgument("several people can't share a notebook's board", "name one human")
        seed = secrets.randbits(FRESH_SEED_BITS) if seed is None else seed
        self._publish_to, self._thinks = publish, thinking
        self._begin(Match(record, kinds, (), seed))

    def _begin(self, match: Match) -> None:
        self.match = match
        self._viewer = match.humans[0] if match.humans else None
        self._opponents = Opponents(match.game, match.kinds, match.seed)
        self._since = len(match.actions)
        self._continue()

    @plain_python()
    def play(self, move: str | int) -> None:
        """Play a move for whoever is to move, and let the bots answer; raises IllegalMove."""
        self.match.play(move)
        self._continue()

    @plain_python()
    def receive(self, message: Mapping[str, Any]) -> None:
        """Do what the board asks for; what isn't possible now changes nothing."""
        match, kind = self.match, message.get("kind")
        if kind == "play" and match.state.to_move == self._viewer:
            try:
                self.play(int(message["action"]))
            except WatermeetError:
                self._publish()
        elif kind == "explain":
            found = match.state.conceal(self._viewer).explain(str(message.get("move")))
            self._publish(refusal=None if found.legal else found.as_json())
        elif kind == "undo" and match.undo():
            self._continue()
        elif kind == "again":
            self.close()
            self._begin(match.rematch())
        elif kind == "think":
            self._think()
        elif kind == "dismiss":
            self._publish()

    def _continue(self) -> None:
        """Let chance and bots act until it is a person's turn, and show every step."""
        match = self.match
        self._publish()
        while not match.is_over and match.state.to_move != self._viewer:
            mover = match.state.to_move
            if mover == CHANCE:
                match.play(match.sample_chance())
            else:
                name = match.players[mover]
                self._publish(thinking=name)
                match.play(self._opponents.answer(match.state, len(match.actions), name).action)
            self._publish()
        if self._thinks and not match.is_over:
            self._think()

    def _think(self) -> None:
        state = self.match.state
        if state.to_move >= 0 and state.to_move == self._viewer:
            self._publish(thinking=ADVISER)
            self._publish(thoughts=thoughts(state, self._opponents.hint(state)))

    def _publish(self, **more: object) -> None:
        match, at = self.match, len(self.match.actions)
        can_undo = any(match.mover(index) == self._viewer for index in range(at))
        shown = show(
            match,
            self._viewer,
            at,
            since=min(self._since, at),
            result=match.result() if match.is_over else "",
            canUndo=can_undo and not more.get("thinking"),
            **more,
        )
        self._since = at
        self._publish_to(shown)

    def close(self) -> None:
        """Close the bots."""
        self._opponents.close()


class RecordedMatch:
    """A record to step through; ``seat`` sees what that seat saw, None what spectators saw."""

    @plain_python()
    def __init__(self, record: Record | str, publish: Publish, *, seat: int | None = None) -> None:
        record = Record.parse(record) if isinstance(record, str) else record
        self.match = Match.of_record(record)
        self._publish_to, self._viewer = publish, seat
        self._opponents = Opponents(record.game, self.match.kinds, 0)
        self._stops = stops_of(self.match.states)
        self.at = 0
        self._publish(0)

    @plain_python()
    def step(self, to: int) -> None:
        """Show the position after ``to`` actions."""
        before, self.at = self.at, max(0, min(len(self.match.actions), to))
        self._publish(before)

    @plain_python()
    def receive(self, message: Mapping[str, Any]) -> None:
        """Do what the board asks for."""
        if message.get("kind") == "step":
            self.step(int(message["to"]))
        elif message.get("kind") == "think":
            state = self.match.states[self.at]
            if state.to_move >= 0:
                self._publish(self.at, thinking=ADVISER)
                self._publish(self.at, thoughts=thoughts(state, self._opponents.hint(state)))

    def _publish(self, since: int, **more: object) -> None:
        match, at = self.match, self.at
        step = {"at": at, "of": len(match.actions), "stops": self._stops}
        is_end = match.is_over and at == len(match.actions)
        result = match.result() if is_end else ""
        shown = show(match, self._viewer, at, since=since, result=result, step=step, **more)
        self._publish_to(shown | {"you": None})

    def close(self) -> None:
        """Close the bots."""
        self._opponents.close()


def _record_of(what: str | Game | State | Record, options: Mapping[str, Value]) -> Record:
    if isinstance(what, str):
        return Record(find_game(what, **options))
    if options:
        raise InvalidArgument("only a game's name takes options", "leave them out")
    if isinstance(what, State):
        return Record.from_actions(what, ())
    return what if isinstance(what, Record) else Record(what)
