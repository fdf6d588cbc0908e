"""What happens before a match begins: it is created, and people join and leave."""

from __future__ import annotations

import re

import msgspec

from watermeet.bots.levels import playable_levels
from watermeet.bots.specs import RANDOM
from watermeet.core.contract import OVER as NOBODY
from watermeet.core.errors import suggest
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.server.matches import commands, timing
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.clocks import timer_ms
from watermeet.server.matches.entries import Created
from watermeet.server.matches.errors import GameOver, InvalidMatch, InvitedOnly, SeatTaken
from watermeet.server.matches.match import OPEN, Match
from watermeet.server.matches.randomness import check_id, check_seed
from watermeet.server.matches.setup import MatchSetup, Unlimited
from watermeet.server.matches.writer import (
    Already,
    Context,
    Decision,
    Writer,
    check_person,
    check_stage,
)

_NAME = re.compile(r"[^\x00-\x1f\x7f\u2028\u2029]{1,40}")


def create(
    setup: MatchSetup, context: Context, *, by: str = "", start: str = "", rematch_of: str = ""
) -> Decision:
    """Create a match; ``start`` is the text of the state to begin from, if not the game's first."""
    randomness = context.randomness
    check_id(randomness.match)
    game = find_game(setup.game).with_options(**setup.options)
    _check_setup(setup, game)
    if setup.is_rated:
        _check_rated(setup, start)
    created = Created(
        at=context.now,
        match=randomness.match,
        version=game.version,
        setup=msgspec.structs.replace(setup, options=dict(game.options)),
        commitment=randomness.commitment,
        by=by,
        start=start,
        rematch_of=rematch_of,
    )
    match = Match.of((created,))
    if match.state.to_move == NOBODY:
        raise GameOver("the game is over in that position", "start from an earlier one")
    writer = Writer(match, None, "", context)
    writer.entries, writer.matches = [created], [match]
    _begin_if_full(writer)
    return writer.decision()


def _check_setup(setup: MatchSetup, game: Game) -> None:
    if len(setup.seats) != game.seats:
        raise InvalidMatch(
            f"there are {len(setup.seats)} seats", f"{game.describe()} has {game.seats}"
        )
    levels = [RANDOM, *(level.name for level in playable_levels(game))]
    bots = [seat.level for seat in setup.seats if seat.who == "bot"]
    for level in [*bots, setup.absence.level]:
        if level not in levels:
            raise InvalidMatch(f"{game.name} has no level {level!r}", suggest(level, levels))
    if any(seat.level for seat in setup.seats if seat.who != "bot"):
        raise InvalidMatch("a person has no level", "give levels to bots only")
    try:
        msgspec.json.decode(msgspec.json.encode(setup), type=MatchSetup)
    except msgspec.ValidationError as error:
        raise InvalidMatch(str(error), "see docs/reference/rest.md") from error
    if game.clock is None and setup.timer_percent != 100:
        raise InvalidMatch(f"{game.name} has no shared timer", "leave timer_percent out")
    has_timer = timer_ms(game, setup.timer_percent) is not None
    if has_timer and not isinstance(setup.time_control, Unlimited):
        raise InvalidMatch("a shared timer and another clock", "choose one of them")


def _check_rated(setup: MatchSetup, start: str) -> None:
    """P12.1: everybody has the same chances, and everybody has a rating."""
    hint = "make the match casual"
    if start:
        raise InvalidMatch("a rated match can't start from another position", hint)
    if all(seat.who == "bot" for seat in setup.seats):
        raise InvalidMatch("a rated match of bots alone", hint)
    if any(seat.level == RANDOM for seat in setup.seats):
        raise InvalidMatch("the bot that plays at random has no rating", hint)


def join(writer: Writer, command: commands.Join) -> Already | None:
    """A user takes a seat."""
    match, seat, place = writer.match, writer.seat, writer.match.seats[writer.seat]
    if not command.user or not _NAME.fullmatch(command.name):
        raise InvalidMatch(f"{command.name[:60]!r} isn't a name", "use 1 to 40 letters on one line")
    if place.user == command.user:
        return Already(place.joined_seq)
    check_stage(match, OPEN)
    if place.is_taken:
        raise SeatTaken(f"seat {seat} is taken", "take another, or watch")
    if match.seat_of(command.user) is not None:
        raise SeatTaken("you have another seat in this match", "leave that first")
    if place.who == "invited" and not command.is_invited:
        raise InvitedOnly(f"seat {seat} is by invitation", "use its invitation link")
    if match.setup.is_rated and not command.is_registered:
        raise InvalidMatch("only people with an account play rated matches", "play a casual one")
    if command.seed:
        check_seed(command.seed)
    writer.add_own(kinds.Joined, user=command.user, name=command.name, is_guest=command.is_guest)
    if command.seed:
        writer.add(kinds.Seeded(at=writer.at, seat=seat, seed=command.seed))
    _begin_if_full(writer)
    return None


def _begin_if_full(writer: Writer) -> None:
    if all(seat.is_taken for seat in writer.match.seats):
        waits = timing.has_fast_clock(writer.match) and bool(writer.match.people())
        writer.add(kinds.Began(at=writer.at, waits=waits))
        writer.settle()


def leave(writer: Writer, _: commands.Leave) -> None:
    """A user leaves; if it was the host, or the last of the people, the match is aborted."""
    check_stage(writer.match, OPEN)
    check_person(writer.match, writer.seat)
    is_host = writer.match.seats[writer.seat].user == writer.match.created.by
    writer.add_own(kinds.Left)
    if is_host or not writer.match.people():
        writer.abort("cancelled")


def seed(writer: Writer, command: commands.Seed) -> None:
    """A player gives a client seed."""
    check_stage(writer.match, OPEN)
    check_person(writer.match, writer.seat)
    check_seed(command.seed)
    writer.add_own(kinds.Seeded, seed=command.seed)
