"""Writes the entries that a command leads to, and the checks that most commands begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from watermeet.core.contract import CHANCE
from watermeet.core.contract import OVER as NOBODY
from watermeet.core.errors import NoSuchSeat
from watermeet.server.matches import entries as kinds
from watermeet.server.matches import results, timing
from watermeet.server.matches.clocks import timer_action
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.errors import OutOfTime, WrongStage
from watermeet.server.matches.match import PLAYING, Match
from watermeet.server.matches.randomness import Randomness


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision depends on besides the match and the command."""

    now: int
    randomness: Randomness
    away_since: Mapping[int, int] = msgspec.field(default_factory=dict)
    """When the seats that are away left, by the server's time."""
    next_match: str = ""
    """The id of the rematch, if this command completes the agreement."""


class Decision(msgspec.Struct, frozen=True):
    """The entries to append, and the match after each of them."""

    entries: tuple[Entry, ...]
    matches: tuple[Match, ...]
    seq: int
    """The number of the command's own entry, by which it is acknowledged."""

    @property
    def match(self) -> Match:
        """The match after all entries."""
        return self.matches[-1]

    @property
    def first(self) -> int:
        """The number of the first entry."""
        return self.matches[0].seq


class Already(msgspec.Struct, frozen=True):
    """The command was done before, by this entry: nothing is to be appended."""

    seq: int


class Writer:
    """Writes entries one by one, each decided in the match that the previous ones led to."""

    def __init__(self, match: Match, seat: int | None, client_id: str, context: Context) -> None:
        self.match, self.context = match, context
        self.seat = -1 if seat is None else seat
        self.client_id = client_id
        self.at = max(context.now, match.at)  # Times of a log never go back.
        self.entries: list[Entry] = []
        self.matches: list[Match] = []

    def add(self, entry: Entry) -> None:
        """Write one entry."""
        self.entries.append(entry)
        self.match = self.match.after(entry)
        self.matches.append(self.match)

    def add_own(self, kind: type[kinds.SeatEntry], **fields: Any) -> None:
        """Write the entry of the seat's own command."""
        self.add(kind(at=self.at, seat=self.seat, client_id=self.client_id, **fields))

    def decision(self) -> Decision:
        """Everything that was written."""
        is_late = len(self.entries) > 1 and isinstance(self.entries[0], kinds.TimerExpired)
        own = is_late and isinstance(self.entries[1], kinds.Played)
        seq = self.matches[0].seq + own
        return Decision(tuple(self.entries), tuple(self.matches), seq)

    def settle(self) -> None:
        """Sample chance, call the timer, and end the match, as far as each is due."""
        while self.match.stage == PLAYING:
            match = self.match
            mover = match.state.to_move
            if mover == CHANCE:
                number = match.chance_count + 1
                action = self.context.randomness.sample(match.state, match.client_seeds, number)
                self.add(kinds.Sampled(at=self.at, action=action))
            elif mover == NOBODY:
                outcome = match.state.outcome
                assert outcome is not None, "a state in which nobody is to move has an outcome"
                self.end("rules", results.with_leavers_last(match, outcome.returns))
            elif not self.expire_timer():
                return

    def is_timer_over(self) -> bool:
        """Whether the shared timer has to be called."""
        if self.match.clocks.timer_ends_at is None:
            return False
        ends = timing.timer_due_at(self.match)
        return ends is not None and ends <= self.at

    def expire_timer(self) -> bool:
        """Call the shared timer if it is over; return whether it was."""
        if not self.is_timer_over():
            return False
        action = timer_action(self.match.state)
        assert action is not None, "the timer is over only when its move can be played"
        self.add(kinds.TimerExpired(at=self.at, seat=self.match.state.to_move, action=action))
        return True

    def end(self, reason: Any, returns: tuple[float, ...]) -> None:
        """End the match with a result."""
        self.add(kinds.Ended(at=self.at, returns=returns, reason=reason))
        self._reveal()

    def abort(self, why: kinds.AbortReason) -> None:
        """End the match without a result."""
        self.add(kinds.Aborted(at=self.at, why=why))
        self._reveal()

    def _reveal(self) -> None:
        self.add(kinds.Revealed(at=self.at, secret=self.context.randomness.secret.hex()))

    def leave(self, seat: int, reason: str) -> None:
        """What follows when a seat is out: the end, or a bot stands in."""
        returns = results.ended_by_leaving(self.match)
        if returns is not None:
            self.end(reason, returns)
        elif not self.match.seats[seat].bot:
            self.stand_in(seat)

    def stand_in(self, seat: int) -> None:
        """Let a bot play the seat."""
        level = self.match.setup.absence.level
        self.add(kinds.StoodIn(at=self.at, seat=seat, level=level))


# ---- checks -------------------------------------------------------------------------------------


def check_seat(match: Match, seat: int | None) -> None:
    """Raise NoSuchSeat."""
    if type(seat) is not int or not 0 <= seat < len(match.seats):
        raise NoSuchSeat(
            f"the match has no seat {seat!r}", f"seats are 0 to {len(match.seats) - 1}"
        )


def check_stage(match: Match, *stages: str) -> None:
    """Raise WrongStage."""
    if match.stage not in stages:
        raise WrongStage(f"the match is {match.stage}", f"it has to be {' or '.join(stages)}")


def check_time(writer: Writer) -> None:
    """Raise OutOfTime: nothing happens after a flag has fallen or the timer has run out."""
    match = writer.match
    if match.stage != PLAYING:
        return
    flag = timing.flag_at(match)
    if flag is not None and writer.at >= flag:
        raise OutOfTime("the player to move is out of time", "the server is about to call it")
    if writer.is_timer_over():
        raise OutOfTime("the timer has run out", "the server is about to call it")


def check_person(match: Match, seat: int) -> None:
    """Raise unless a user has the seat and hasn't left the match."""
    place = match.seats[seat]
    if not place.user:
        raise NoSuchSeat(f"nobody has seat {seat}", "join first")
    if place.out:
        raise WrongStage(f"seat {seat} has left the match", "you can still watch")
