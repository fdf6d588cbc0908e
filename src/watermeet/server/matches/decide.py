"""decide: what a command leads to. The rules are those of docs/concepts/platform-rules.md.

A refusal raises and changes nothing. Otherwise the result is the entries to append, all or none,
with the match that they lead to; or ``Already``, if the same command was done before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from watermeet.core.errors import Conflict, NotYourTurn
from watermeet.server.matches import absence, commands, offers, seating, timing
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.commands import Command
from watermeet.server.matches.errors import (
    CannotUndo,
    LogFull,
    NoHints,
    NoSuchOffer,
    NotDue,
    OutOfTime,
    StandInPlays,
    UndoNeedsConsent,
)
from watermeet.server.matches.match import OPEN, PAUSED, PLAYING, Match
from watermeet.server.matches.randomness import check_id
from watermeet.server.matches.setup import Correspondence
from watermeet.server.matches.writer import (
    Already,
    Context,
    Decision,
    Writer,
    check_person,
    check_seat,
    check_stage,
    check_time,
)

_SEATLESS = (
    commands.Start, commands.ExpireTimer, commands.Compensate, commands.Wake, commands.Abort
)  # fmt: skip
"""Commands of the server that are for no seat."""
_ASIDES = commands.Join, commands.Seed, commands.Offer, commands.Undo, commands.Hint
MAX_ASIDES = 1_000
"""How many entries a match may have beside its moves; those that were undone count here, too."""


def decide(
    match: Match, seat: int | None, client_id: str, command: Command, context: Context
) -> Decision | Already:
    """Decide a command of a seat, or raise a WatermeetError that says why nothing happens.

    ``client_id`` is the client's name for the command: with the same one, a command that is sent
    again isn't done again. Empty: the command is the server's own.
    """
    assert context.randomness.match == match.id, "each match has its own secret"
    if not isinstance(command, _SEATLESS):
        check_seat(match, seat)
        assert seat is not None
        done = match.entry_of(seat, client_id)
        if done is not None:
            return Already(done)
    if isinstance(command, _ASIDES) and _has_many_asides(match):
        raise LogFull("the log of this match is full", "play on, or start a new one")
    writer = Writer(match, seat, client_id, context)
    already = _DECIDERS[type(command)](writer, command)
    return writer.decision() if already is None else already


def _has_many_asides(match: Match) -> bool:
    if match.seq < MAX_ASIDES:
        return False
    return match.seq - sum(1 for _ in match.steps_back()) >= MAX_ASIDES


# ---- play ---------------------------------------------------------------------------------------


def _play(writer: Writer, command: commands.Play) -> None:
    match, seat = writer.match, writer.seat
    check_stage(match, PLAYING)
    state = match.state
    if state.to_move != seat:
        raise NotYourTurn(f"seat {seat} isn't to move", f"seat {state.to_move} is")
    _check_controller(match, seat, is_bot=isinstance(command, commands.BotPlay))
    if command.at_seq is not None and match.changed_seq > command.at_seq:
        raise Conflict(
            f"the state has changed since entry {command.at_seq}", "look again, then choose"
        )
    # A move that has been started may be finished: the timer is called first.
    if writer.expire_timer():
        match, state = writer.match, writer.match.state
        if state.to_move != seat:
            raise OutOfTime("the timer has run out", "no new move can be started")
    check_time(writer)
    move = command.move
    if isinstance(move, str) or not state.is_legal(move):
        # A refusal may depend only on the state as the seat knows it.
        known = state.conceal(seat)
        move = known.parse_move(move) if isinstance(move, str) else move
        if not state.is_legal(move):
            known.play(command.move)
            raise AssertionError("the player to move knows what is legal")
    spent = 0 if match.waits else writer.at - match.clocks.since
    writer.add_own(kinds.Played, action=move, spent_ms=spent)
    writer.settle()


def _check_controller(match: Match, seat: int, *, is_bot: bool = False) -> None:
    """People play their own seats, and bots theirs."""
    if is_bot == bool(match.seats[seat].bot):
        return
    if is_bot:
        raise StandInPlays(f"a person plays seat {seat}", "the bot isn't needed")
    raise StandInPlays(f"a bot plays seat {seat}", "take the seat back first")


def _undo(writer: Writer, command: commands.Undo) -> None:
    match, seat = writer.match, writer.seat
    check_stage(match, PLAYING)
    check_person(match, seat)
    _check_controller(match, seat)
    check_time(writer)
    steps = offers.undo_steps(match, seat, command.to_seq)
    if why := offers.objection(match, seat, steps):
        if match.setup.is_rated:
            raise CannotUndo("the match is rated", "you can undo within your own turn")
        raise UndoNeedsConsent(why, "offer an undo: the others may agree")
    writer.add_own(kinds.Undone, to_seq=offers.undo_target(steps))


def _hint(writer: Writer, command: commands.Hint) -> Already | None:
    match, seat = writer.match, writer.seat
    check_hint(match, seat)
    check_time(writer)
    if match.changed_seq > command.at_seq:
        raise Conflict(f"the state has changed since entry {command.at_seq}", "ask again")
    last = match.seats[seat].hinted_seq
    if last > match.changed_seq:  # The same hint again: it counts once.
        return Already(last)
    writer.add_own(kinds.Hinted)
    return None


def check_hint(match: Match, seat: int) -> None:
    """Raise unless the seat is to move and belongs to the only person in the match."""
    check_stage(match, PLAYING)
    if match.people() != [seat]:
        raise NoHints("two or more people play this match", "hints are for matches against bots")
    if match.setup.is_rated:
        raise NoHints("the match is rated", "hints are for casual matches")
    check_person(match, seat)
    if match.state.to_move != seat:
        raise NotYourTurn(f"seat {seat} isn't to move", "ask when it is your turn")
    _check_controller(match, seat)


# ---- offers -------------------------------------------------------------------------------------


def _offer(writer: Writer, command: commands.Offer) -> None:
    match, seat, what = writer.match, writer.seat, command.what
    check_time(writer)
    offers.check_offer(match, seat, what)
    if match.offer(what) is not None:
        if what == offers.UNDO:
            raise NoSuchOffer("an undo is offered already", "respond to that first")
        _accept(writer, what)
        return
    to_seq = 0
    if what == offers.UNDO:
        to_seq = offers.undo_target(offers.undo_steps(match, seat, command.to_seq))
    writer.add_own(kinds.Offered, what=what, to_seq=to_seq)
    _carry_out(writer, what)


def _respond(writer: Writer, command: commands.Respond) -> None:
    match, seat, what = writer.match, writer.seat, command.what
    check_time(writer)
    if match.offer(what) is None:
        raise NoSuchOffer(f"nobody offers {what!r}", "offer it yourself")
    if seat not in offers.voters(match, what):
        raise NoSuchOffer(f"seat {seat} has no say any more", "a bot plays it")
    if command.accept:
        _accept(writer, what)
    else:
        writer.add_own(kinds.Responded, what=what, accept=False)


def _accept(writer: Writer, what: str) -> None:
    offer = writer.match.offer(what)
    assert offer is not None, "only what is offered can be accepted"
    if writer.seat in offer.accepted_by:
        raise NoSuchOffer(f"seat {writer.seat} has accepted already", "wait for the others")
    writer.add_own(kinds.Responded, what=what, accept=True)
    _carry_out(writer, what)


def _carry_out(writer: Writer, what: str) -> None:
    """Do what was offered, once everybody has accepted."""
    match, at = writer.match, writer.at
    offer = match.offer(what)
    assert offer is not None, "it has just been offered or accepted"
    if not offers.is_accepted(match, offer):
        return
    if what == offers.UNDO:
        writer.add(kinds.Undone(at=at, seat=offer.seat, to_seq=offer.to_seq))
    elif what == offers.PAUSE:
        writer.add(kinds.Paused(at=at))
    elif what == offers.RESUME:
        writer.add(kinds.Resumed(at=at))
    elif what == offers.ABORT:
        writer.abort("agreed")
    else:
        check_id(writer.context.next_match)
        writer.add(kinds.Rematched(at=at, match=writer.context.next_match))


# ---- leaving ------------------------------------------------------------------------------------


def _resign(writer: Writer, _: commands.Resign) -> None:
    check_stage(writer.match, PLAYING, PAUSED)
    check_person(writer.match, writer.seat)
    check_time(writer)
    writer.add_own(kinds.Resigned)
    writer.leave(writer.seat, "resigned")


def _claim(writer: Writer, command: commands.Claim) -> None:
    match, seat, absent, how = writer.match, writer.seat, command.absent, command.how
    check_stage(match, PLAYING)
    check_person(match, seat)
    _check_controller(match, seat)
    check_seat(match, absent)
    check_time(writer)
    if match.setup.absence.rule != "claim" or absent == seat:
        raise NoSuchOffer("nothing can be claimed here", "the match has another absence rule")
    absence.check_missing(match, absent, writer.context.away_since, writer.at)
    writer.add(
        kinds.Claimed(at=writer.at, by=seat, seat=absent, how=how, client_id=writer.client_id)
    )
    if how == "out":
        writer.leave(absent, "claimed")
    else:
        writer.stand_in(absent)


def _stand_in(writer: Writer, _: commands.StandIn) -> None:
    match = writer.match
    check_stage(match, PLAYING)
    check_time(writer)
    if match.setup.absence.rule != "stand_in":
        raise NotDue("no bot stands in here", "the match has another absence rule")
    absence.check_missing(match, writer.seat, writer.context.away_since, writer.at)
    writer.stand_in(writer.seat)


def _reclaim(writer: Writer, _: commands.Reclaim) -> None:
    match, seat = writer.match, writer.seat
    check_stage(match, PLAYING, PAUSED)
    check_person(match, seat)
    if not match.seats[seat].stand_in:
        raise StandInPlays(f"no bot stands in on seat {seat}", "just play")
    writer.add_own(kinds.Reclaimed)


# ---- the server's own commands ------------------------------------------------------------------


def _flag(writer: Writer, _: commands.Flag) -> None:
    match, seat = writer.match, writer.seat
    check_stage(match, PLAYING)
    falls = timing.flag_at(match)
    if falls is None or writer.at < falls or match.state.to_move != seat:
        raise NotDue(f"seat {seat} has time left", "see due_at")
    writer.add(kinds.TimedOut(at=writer.at, seat=seat))
    writer.leave(seat, "timeout")


def _vacation(writer: Writer, command: commands.Vacation) -> None:
    match, seat = writer.match, writer.seat
    check_stage(match, PLAYING, PAUSED)
    if not isinstance(match.setup.time_control, Correspondence):
        raise NotDue("the match has no days", "a vacation is for slow matches")
    if command.is_on:
        check_person(match, seat)
        check_time(writer)
    if command.is_on == bool(match.clocks.vacations[seat]):
        raise NotDue(f"nothing changes for seat {seat}", "nothing to do")
    kind = kinds.VacationBegan if command.is_on else kinds.VacationEnded
    writer.add(kind(at=writer.at, seat=seat))


def _start(writer: Writer, _: commands.Start) -> None:
    match = writer.match
    check_stage(match, PLAYING)
    due = timing.starts_by(match)
    if due is None or (writer.context.away_since and writer.at < due):
        raise NotDue("the clocks don't start now", "people are arriving, or all have")
    writer.add(kinds.Started(at=writer.at))


def _expire_timer(writer: Writer, _: commands.ExpireTimer) -> None:
    check_stage(writer.match, PLAYING)
    if not writer.expire_timer():
        raise NotDue("the timer hasn't run out", "see due_at")
    writer.settle()


def _compensate(writer: Writer, command: commands.Compensate) -> None:
    match = writer.match
    check_stage(match, PLAYING)
    since, until = max(match.at, command.since), min(writer.at, command.until)
    if since >= until or not timing.has_clock(match):
        raise NotDue("nobody has lost time", "nothing to do")
    writer.add(kinds.Paused(at=since))
    writer.add(kinds.Resumed(at=until))


def _wake(writer: Writer, command: commands.Wake) -> None:
    check_stage(writer.match, PAUSED)
    _check_due(writer, command)
    writer.add(kinds.Resumed(at=writer.at))


def _abort(writer: Writer, command: commands.Abort) -> None:
    check_stage(writer.match, OPEN, PLAYING)
    _check_due(writer, command)
    writer.abort("nobody_joined" if writer.match.stage == OPEN else "idle")


def _check_due(writer: Writer, command: Command) -> None:
    duty = timing.duty_now(writer.match, writer.at)
    if duty is None or duty[2] != command:
        raise NotDue("too early", "see due_at")


_DECIDERS: dict[type[Command], Callable[[Writer, Any], Already | None]] = {
    commands.Join: seating.join,
    commands.Leave: seating.leave,
    commands.Seed: seating.seed,
    commands.Play: _play,
    commands.BotPlay: _play,
    commands.Undo: _undo,
    commands.Hint: _hint,
    commands.Offer: _offer,
    commands.Respond: _respond,
    commands.Resign: _resign,
    commands.Claim: _claim,
    commands.StandIn: _stand_in,
    commands.Reclaim: _reclaim,
    commands.Flag: _flag,
    commands.Vacation: _vacation,
    commands.Start: _start,
    commands.ExpireTimer: _expire_timer,
    commands.Compensate: _compensate,
    commands.Wake: _wake,
    commands.Abort: _abort,
}
