"""What happens before a match begins: a table is laid, people sit down and stand up."""

from __future__ import annotations

import re

from watermeet.bots.levels import levels_of
from watermeet.bots.specs import RANDOM
from watermeet.core.contract import OVER as NOTHING_TO_MOVE
from watermeet.core.errors import suggest
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.server.matches import commands, timing
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.commands import Create
from watermeet.server.matches.entries import Created, Days, Live, NoTiming
from watermeet.server.matches.errors import InvalidTable, InvitedOnly, SeatTaken
from watermeet.server.matches.match import OPEN, Match
from watermeet.server.matches.randomness import Draws, check_id, check_salt
from watermeet.server.matches.writer import Already, Decision, Writer, check_person, check_stage

_NAME = re.compile(r"[^\x00-\x1f\x7f\u2028\u2029]{1,40}")
LONGEST_WATCH_DELAY_S = 3600


def create(command: Create, now: int, draws: Draws) -> Decision:
    """Lays a table."""
    check_id(draws.match)
    game = find_game(command.game).with_options(**command.options)
    _check_table(command, game)
    created = Created(
        at=now,
        match=draws.match,
        game=game.name,
        version=game.version,
        options=dict(game.options),
        seats=command.seats,
        timing=command.timing,
        absence=command.absence,
        minute_percent=command.minute_percent,
        is_public=command.is_public,
        watch_delay_s=command.watch_delay_s,
        commitment=draws.commitment,
        by=command.by,
        start=command.start,
        rematch_of=command.rematch_of,
    )
    match = Match.of((created,))
    if match.state.to_move == NOTHING_TO_MOVE:
        raise InvalidTable("nothing can be played in that state", "begin from an earlier one")
    writer = Writer(match, now, draws)
    writer.first, writer.entries, writer.matches = 1, [created], [match]
    _begin_if_full(writer)
    return writer.decision()


def _check_table(command: Create, game: Game) -> None:
    if len(command.seats) != game.seats:
        raise InvalidTable(
            f"there are {len(command.seats)} seats", f"{game.describe()} has {game.seats}"
        )
    levels = [RANDOM, *(level.name for level in levels_of(game))]
    bots = [seat.level for seat in command.seats if seat.who == "bot"]
    for level in [*bots, command.absence.level]:
        if level not in levels:
            raise InvalidTable(f"{game.name} has no level {level!r}", suggest(level, levels))
    if any(seat.level for seat in command.seats if seat.who != "bot"):
        raise InvalidTable("a person has no level", "give levels to bots only")
    _check_timing(command, game)
    if not 0 <= command.watch_delay_s <= LONGEST_WATCH_DELAY_S:
        raise InvalidTable(
            f"a delay of {command.watch_delay_s} seconds",
            f"watchers may wait 0 to {LONGEST_WATCH_DELAY_S} seconds",
        )


def _check_timing(command: Create, game: Game) -> None:
    chosen, percent = command.timing, command.minute_percent
    if isinstance(chosen, Days) and not 1 <= chosen.days <= timing.MOST_DAYS:
        raise InvalidTable(f"{chosen.days} days a turn", f"take 1 to {timing.MOST_DAYS}")
    if isinstance(chosen, Live) and not (
        timing.SECOND <= chosen.bank_ms <= timing.LONGEST_BANK
        and 0 <= chosen.increment_ms <= timing.LONGEST_INCREMENT
    ):
        raise InvalidTable(
            f"a bank of {chosen.bank_ms} ms and {chosen.increment_ms} ms a turn",
            "take a bank of a second to a day, and up to an hour a turn",
        )
    if not 0 <= percent <= timing.MOST_MINUTE_PERCENT or (game.clock is None and percent != 100):
        raise InvalidTable(
            f"a minute of {percent} %",
            f"0 to {timing.MOST_MINUTE_PERCENT} where the game has one, else leave it at 100",
        )
    if timing.minute_ms(game, percent) is not None and not isinstance(chosen, NoTiming):
        raise InvalidTable("a shared minute and another clock", "choose one of them")


def join(writer: Writer, command: commands.Join) -> Already | None:
    """A user sits down."""
    match, place = writer.match, writer.match.seats[command.seat]
    if not command.user or not _NAME.fullmatch(command.name):
        raise InvalidTable(
            f"{command.name[:60]!r} is no name", "use 1 to 40 letters on one line, and be somebody"
        )
    if place.user == command.user:
        return Already(place.joined_seq)
    check_stage(match, OPEN)
    if place.is_taken:
        raise SeatTaken(f"seat {command.seat} is taken", "take another, or watch")
    if command.user in [seat.user for seat in match.seats]:
        raise SeatTaken("you sit on another seat of this match", "leave that first")
    if place.who == "invited" and not command.invited:
        raise InvitedOnly(f"seat {command.seat} is kept for somebody", "use the link for it")
    if command.salt:
        check_salt(command.salt)
    at, seat = writer.at, command.seat
    writer.add(
        kinds.Joined(
            at=at, seat=seat, user=command.user, name=command.name, client_id=command.client_id
        )
    )
    if command.salt:
        writer.add(kinds.Salted(at=at, seat=seat, salt=command.salt))
    _begin_if_full(writer)
    return None


def _begin_if_full(writer: Writer) -> None:
    if all(seat.is_taken for seat in writer.match.seats):
        writer.add(kinds.Began(at=writer.at))
        writer.settle()


def leave(writer: Writer, command: commands.Leave) -> None:
    """A user stands up."""
    check_stage(writer.match, OPEN)
    check_person(writer.match, command.seat)
    writer.add(kinds.Left(at=writer.at, seat=command.seat, client_id=command.client_id))
    if not writer.match.people():
        writer.abandon()


def salt(writer: Writer, command: commands.Salt) -> None:
    """A player adds salt."""
    check_stage(writer.match, OPEN)
    check_person(writer.match, command.seat)
    check_salt(command.salt)
    writer.add(
        kinds.Salted(
            at=writer.at, seat=command.seat, salt=command.salt, client_id=command.client_id
        )
    )
