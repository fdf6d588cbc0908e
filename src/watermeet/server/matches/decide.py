"""decide: what becomes of a command. The rules of the platform are docs/concepts/platform-rules.md.

A refusal raises and changes nothing. Otherwise the answer is the entries to be appended, all or
none, with the match that they lead to; or ``Already``, if the same command was done before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from watermeet.core.errors import Conflict, NotYourTurn
from watermeet.server.matches import absence, commands, offers, results, seating, timing
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.commands import Command, Create
from watermeet.server.matches.errors import (
    CannotUndo,
    NoSuchOffer,
    NotDue,
    StandInPlays,
    TimeIsUp,
)
from watermeet.server.matches.match import OPEN, PAUSED, PLAYING, Match
from watermeet.server.matches.randomness import Draws, check_id
from watermeet.server.matches.writer import (
    Already,
    Decision,
    Writer,
    check_client_id,
    check_person,
    check_seat,
    check_stage,
    check_time,
)


def decide(match: Match | None, command: Command, now: int, draws: Draws) -> Decision | Already:
    """What becomes of a command at a time, or a WatermeetError that says why nothing does.

    ``match`` is None for Create alone. Times of a log never go back: if the clock of the machine is
    behind the last entry, that one's time is taken.
    """
    if isinstance(command, Create):
        return seating.create(command, now, draws)
    assert match is not None, "only Create makes a match"
    assert draws.match == match.id, "each match has a secret of its own"
    writer = Writer(match, max(now, match.at), draws)
    if isinstance(command, commands._OfSeat):
        check_seat(match, command.seat)
        check_client_id(command.client_id)
        done = match.remembered(command.seat, command.client_id)
        if done is not None:
            return Already(done)
    answer = _DECIDERS[type(command)](writer, command)
    return answer if isinstance(answer, Already) else writer.decision()


# ---- play ---------------------------------------------------------------------------------------


def _play(writer: Writer, command: commands.Play) -> None:
    match, seat = writer.match, command.seat
    check_stage(match, PLAYING)
    state = match.state
    if state.to_move != seat:
        raise NotYourTurn(f"seat {seat} is not to move", f"seat {state.to_move} is")
    _check_player(match, command)
    if command.at_seq is not None and match.changed_seq > command.at_seq:
        raise Conflict(
            f"the state has changed since entry {command.at_seq}", "look at it and choose anew"
        )
    if writer.is_minute_over():
        # What was begun may be finished: it is said first that the minute is over.
        writer.end_minute()
        match, state = writer.match, writer.match.state
        if state.to_move != seat:
            raise TimeIsUp("the minute is over", "nothing new is begun")
    check_time(writer)
    move = command.move
    if isinstance(move, str) or not state.is_legal(move):
        # What is said of a move is said of the state as the seat knows it, and of no other.
        known = state.conceal(seat)
        move = known.parse_move(move) if isinstance(move, str) else move
        if not state.is_legal(move):
            known.play(command.move)
            raise AssertionError("who moves knows what can be played")
    spent = writer.at - match.clocks.since
    writer.add(
        kinds.Played(
            at=writer.at, seat=seat, action=move, spent_ms=spent, client_id=command.client_id
        )
    )
    writer.settle()


def _check_player(match: Match, command: commands.Play) -> None:
    """People play their own seats, and bots theirs."""
    if command.is_bot == bool(match.seats[command.seat].bot):
        return
    if command.is_bot:
        raise StandInPlays(f"a person plays seat {command.seat}", "the bot has nothing to do")
    raise StandInPlays(f"a bot plays seat {command.seat}", "take the seat back first")


def _undo(writer: Writer, command: commands.Undo) -> None:
    match, seat = writer.match, command.seat
    check_stage(match, PLAYING)
    _check_human(match, seat)
    check_time(writer)
    steps = offers.undo_steps(match, seat, command.to_seq)
    if not offers.is_free(match, seat, steps):
        raise CannotUndo("others have played since then", "offer it: they may agree")
    to_seq = offers.undo_target(steps)
    writer.add(kinds.Undone(at=writer.at, seat=seat, to_seq=to_seq, client_id=command.client_id))


def _check_human(match: Match, seat: int) -> None:
    check_person(match, seat)
    if match.seats[seat].stand_in:
        raise StandInPlays(f"a bot plays seat {seat}", "take the seat back first")


# ---- offers -------------------------------------------------------------------------------------


def _offer(writer: Writer, command: commands.Offer) -> None:
    match, seat, what = writer.match, command.seat, command.what
    check_time(writer)
    offers.check_offer(match, seat, what)
    if match.offer(what) is not None and what != offers.UNDO:
        _agree(writer, seat, what, command.client_id, command.new_match)
        return
    if match.offer(what) is not None:
        raise NoSuchOffer("an undo is offered already", "answer that first")
    to_seq = 0
    if what == offers.UNDO:
        to_seq = offers.undo_target(offers.undo_steps(match, seat, command.to_seq))
    writer.add(
        kinds.Offered(
            at=writer.at, seat=seat, what=what, to_seq=to_seq, client_id=command.client_id
        )
    )
    _carry_out(writer, what, command.new_match)


def _answer(writer: Writer, command: commands.Answer) -> None:
    match, seat, what = writer.match, command.seat, command.what
    check_time(writer)
    offer = match.offer(what)
    if offer is None:
        raise NoSuchOffer(f"nobody offers {what!r}", "offer it yourself")
    if seat not in offers.asked(match, what):
        raise NoSuchOffer(f"seat {seat} has no say any more", "a bot plays it")
    if command.yes:
        _agree(writer, seat, what, command.client_id, command.new_match)
        return
    writer.add(
        kinds.Answered(at=writer.at, seat=seat, what=what, yes=False, client_id=command.client_id)
    )


def _agree(writer: Writer, seat: int, what: str, client_id: str, new_match: str) -> None:
    offer = writer.match.offer(what)
    assert offer is not None, "only what is offered can be agreed to"
    if seat in offer.yes:
        raise NoSuchOffer(f"seat {seat} has agreed already", "wait for the others")
    writer.add(kinds.Answered(at=writer.at, seat=seat, what=what, yes=True, client_id=client_id))
    _carry_out(writer, what, new_match)


def _carry_out(writer: Writer, what: str, new_match: str) -> None:
    """Does what was offered, if all have agreed."""
    match, at = writer.match, writer.at
    offer = match.offer(what)
    assert offer is not None, "it has just been offered or agreed to"
    if not offers.is_agreed(match, offer):
        return
    if what == offers.UNDO:
        writer.add(kinds.Undone(at=at, seat=offer.seat, to_seq=offer.to_seq))
    elif what == offers.PAUSE:
        writer.add(kinds.Paused(at=at))
    elif what == offers.RESUME:
        writer.add(kinds.Resumed(at=at))
    elif what == offers.STOP:
        writer.abandon()
    elif what == offers.DRAW:
        writer.end("agreed", results.equal(match.game))
    else:
        check_id(new_match)
        writer.add(kinds.Rematched(at=at, match=new_match))


# ---- leaving ------------------------------------------------------------------------------------


def _resign(writer: Writer, command: commands.Resign) -> None:
    check_stage(writer.match, PLAYING, PAUSED)
    check_person(writer.match, command.seat)
    check_time(writer)
    writer.add(kinds.Resigned(at=writer.at, seat=command.seat, client_id=command.client_id))
    writer.leave(command.seat, "resigned")


def _claim(writer: Writer, command: commands.Claim) -> None:
    match = writer.match
    check_stage(match, PLAYING)
    _check_human(match, command.seat)
    check_seat(match, command.absent)
    check_time(writer)
    if match.created.absence.rule != "claim" or command.absent == command.seat:
        raise NoSuchOffer("nothing can be claimed here", "the table chose another way")
    absence.check_missing(match, command.absent, command.away_since, writer.at)
    writer.add(
        kinds.Claimed(
            at=writer.at,
            by=command.seat,
            seat=command.absent,
            how=command.how,
            client_id=command.client_id,
        )
    )
    if command.how == "out":
        writer.leave(command.absent, "claimed")
    else:
        level = match.created.absence.level
        writer.add(kinds.StoodIn(at=writer.at, seat=command.absent, level=level))


def _stand_in(writer: Writer, command: commands.StandIn) -> None:
    match = writer.match
    check_stage(match, PLAYING)
    check_seat(match, command.seat)
    check_time(writer)
    if match.created.absence.rule != "stand_in":
        raise NotDue("no bot stands in at this table", "the table chose another way")
    absence.check_missing(match, command.seat, command.away_since, writer.at)
    level = match.created.absence.level
    writer.add(kinds.StoodIn(at=writer.at, seat=command.seat, level=level))


def _hand_back(writer: Writer, command: commands.HandBack) -> None:
    match, seat = writer.match, command.seat
    check_stage(match, PLAYING, PAUSED)
    check_person(match, seat)
    if not match.seats[seat].stand_in:
        raise StandInPlays(f"no bot stands in on seat {seat}", "play")
    writer.add(kinds.HandedBack(at=writer.at, seat=seat, client_id=command.client_id))


# ---- what the server does by itself -------------------------------------------------------------


def _flag(writer: Writer, command: commands.Flag) -> None:
    match = writer.match
    check_stage(match, PLAYING)
    falls = timing.flag_at(match)
    if falls is None or writer.at < falls or match.state.to_move != command.seat:
        raise NotDue(f"the time of seat {command.seat} is not up", "look at due_at")
    writer.add(kinds.TimeUp(at=writer.at, seat=command.seat))
    writer.leave(command.seat, "time")


def _end_minute(writer: Writer, command: commands.EndMinute) -> None:
    check_stage(writer.match, PLAYING)
    if not writer.end_minute():
        raise NotDue("the minute is not over", "look at due_at")
    writer.settle()


def _make_good(writer: Writer, command: commands.MakeGood) -> None:
    match = writer.match
    check_stage(match, PLAYING)
    since, until = max(match.at, command.since), min(writer.at, command.until)
    if since >= until or not timing.has_clock(match):
        raise NotDue("nobody has lost time", "look at the next match")
    writer.add(kinds.Paused(at=since))
    writer.add(kinds.Resumed(at=until))


def _wake(writer: Writer, command: commands.Wake) -> None:
    check_stage(writer.match, PAUSED)
    _check_due(writer, command)
    writer.add(kinds.Resumed(at=writer.at))


def _abandon(writer: Writer, command: commands.Abandon) -> None:
    check_stage(writer.match, OPEN, PLAYING)
    _check_due(writer, command)
    writer.abandon()


def _check_due(writer: Writer, command: Command) -> None:
    if timing.duty(writer.match, writer.at) != command:
        raise NotDue("it is too early for that", "look at due_at")


_DECIDERS: dict[type[Command], Callable[[Writer, Any], Already | None]] = {
    commands.Join: seating.join,
    commands.Leave: seating.leave,
    commands.Salt: seating.salt,
    commands.Play: _play,
    commands.Undo: _undo,
    commands.Offer: _offer,
    commands.Answer: _answer,
    commands.Resign: _resign,
    commands.Claim: _claim,
    commands.StandIn: _stand_in,
    commands.HandBack: _hand_back,
    commands.Flag: _flag,
    commands.EndMinute: _end_minute,
    commands.MakeGood: _make_good,
    commands.Wake: _wake,
    commands.Abandon: _abandon,
}
