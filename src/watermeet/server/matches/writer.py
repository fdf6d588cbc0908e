"""Writes what a command gives, entry by entry; and what most commands ask first."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from watermeet.core.contract import CHANCE
from watermeet.core.contract import OVER as NOTHING_TO_MOVE
from watermeet.server.matches import entries as kinds
from watermeet.server.matches import results, timing
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.errors import InvalidTable, NoSuchSeat, TimeIsUp, WrongStage
from watermeet.server.matches.match import PLAYING, Match
from watermeet.server.matches.randomness import Draws

_CLIENT_ID = re.compile(r"[\x21-\x7e]{0,64}")


class Decision(msgspec.Struct, frozen=True):
    """What a command gives: entries to be appended behind ``before``, and the match after them."""

    entries: tuple[Entry, ...]
    matches: tuple[Match, ...]
    """The match after each of the entries."""
    seq: int
    """The number of the command's own entry: what it is acknowledged with."""

    @property
    def match(self) -> Match:
        """The match after all of them."""
        return self.matches[-1]

    @property
    def first(self) -> int:
        """The number of the first of the entries."""
        return self.matches[0].seq


class Already(msgspec.Struct, frozen=True):
    """The command was done before: its entry has this number, and nothing is to be appended."""

    seq: int


class Writer:
    """Writes entries one by one, each decided in the match that those before it have led to."""

    def __init__(self, match: Match, at: int, draws: Draws) -> None:
        self.first, self.match, self.at, self.draws = match.seq + 1, match, at, draws
        self.entries: list[Entry] = []
        self.matches: list[Match] = []

    def add(self, entry: Entry) -> None:
        """One more entry."""
        self.entries.append(entry)
        self.match = self.match.after(entry)
        self.matches.append(self.match)

    def decision(self) -> Decision:
        """All that was written."""
        is_late = len(self.entries) > 1 and isinstance(self.entries[0], kinds.MinuteOver)
        own = isinstance(self.entries[1], kinds.Played) if is_late else False
        return Decision(tuple(self.entries), tuple(self.matches), self.first + own)

    def settle(self) -> None:
        """Draws what chance has to draw, says that a minute is over, ends what is over."""
        while self.match.stage == PLAYING:
            match = self.match
            mover = match.state.to_move
            if mover == CHANCE:
                action = self.draws.draw(match.state, match.salts, match.draws + 1)
                self.add(kinds.Drawn(at=self.at, action=action))
            elif mover == NOTHING_TO_MOVE:
                outcome = match.state.outcome
                assert outcome is not None, "a state in which nobody is to move has an outcome"
                self.end("rules", results.with_leavers_last(match, outcome.returns))
            elif not self.end_minute():
                return

    def is_minute_over(self) -> bool:
        """Whether it is time to say that the minute is over."""
        if self.match.clocks.minute_ends is None:
            return False
        ends = timing.minute_over_at(self.match)
        return ends is not None and ends <= self.at

    def end_minute(self) -> bool:
        """Says that the minute is over, if it is; whether it was."""
        if not self.is_minute_over():
            return False
        action = timing.minute_action(self.match.state)
        assert action is not None, "a minute is over only when that can be said"
        self.add(kinds.MinuteOver(at=self.at, seat=self.match.state.to_move, action=action))
        return True

    def end(self, reason: Any, returns: tuple[float, ...]) -> None:
        """The match is over."""
        self.add(kinds.Ended(at=self.at, returns=returns, reason=reason))
        self.reveal()

    def abandon(self) -> None:
        """The match is gone."""
        self.add(kinds.Abandoned(at=self.at))
        self.reveal()

    def reveal(self) -> None:
        """Tells the secret, for nothing more is drawn."""
        self.add(kinds.Revealed(at=self.at, secret=self.draws.secret.hex()))

    def leave(self, seat: int, reason: str) -> None:
        """What follows when a seat is out: the end, or a bot plays on for it."""
        returns = results.ended_by_leaving(self.match)
        if returns is not None:
            self.end(reason, returns)
        elif not self.match.seats[seat].bot:
            level = self.match.created.absence.level
            self.add(kinds.StoodIn(at=self.at, seat=seat, level=level))


# ---- checks -------------------------------------------------------------------------------------


def check_seat(match: Match, seat: int) -> None:
    """Raises NoSuchSeat."""
    if type(seat) is not int or not 0 <= seat < len(match.seats):
        raise NoSuchSeat(
            f"the match has no seat {seat!r}", f"seats are 0 to {len(match.seats) - 1}"
        )


def check_client_id(client_id: str) -> None:
    """Raises InvalidTable."""
    if not _CLIENT_ID.fullmatch(client_id):
        raise InvalidTable(
            f"{client_id[:80]!r} is no client id", "use up to 64 letters, digits and signs"
        )


def check_stage(match: Match, *stages: str) -> None:
    """Raises WrongStage."""
    if match.stage not in stages:
        raise WrongStage(
            f"the match is {match.stage}", f"that can be done while it is {' or '.join(stages)}"
        )


def check_time(writer: Writer) -> None:
    """Raises TimeIsUp: nobody does anything behind a fallen flag or a minute that is over."""
    match = writer.match
    if match.stage != PLAYING:
        return
    flag = timing.flag_at(match)
    if flag is not None and writer.at >= flag:
        raise TimeIsUp("the time of who is to move is up", "the server is about to say so")
    if writer.is_minute_over():
        raise TimeIsUp("the minute is over", "the server is about to say so")


def check_person(match: Match, seat: int) -> None:
    """Raises unless a person sits there, and is not out."""
    place = match.seats[seat]
    if not place.is_person:
        raise NoSuchSeat(f"nobody sits on seat {seat}", "take it first")
    if place.out:
        raise WrongStage(f"seat {seat} has left the match", "watch it to the end")
