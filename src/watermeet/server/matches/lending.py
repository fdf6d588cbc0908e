"""Lending a bot's seat: where the only person's device may think for the bots.

It sees nothing that its person doesn't: seats that know more, or something else, stay with the
server. So do seats on a clock, which a device could waste, and levels that engines can't play.
"""

from __future__ import annotations

from watermeet.bots.engine import can_run
from watermeet.bots.levels import TURNS, Level, levels_of
from watermeet.core.state import State
from watermeet.server.matches import timing
from watermeet.server.matches.errors import CannotLend
from watermeet.server.matches.match import PLAYING, Match
from watermeet.server.matches.writer import check_person, check_stage


def check_lending(match: Match, person: int) -> tuple[int, ...]:
    """The bots' seats that a person's device may play; raises CannotLend if there are none."""
    check_stage(match, PLAYING)
    if match.people() != [person]:
        raise CannotLend("two or more people play this match", "the server's bots play")
    check_person(match, person)
    if match.setup.is_rated:
        raise CannotLend("the match is rated", "the server's bots play")
    if match.game.has_secrets:
        raise CannotLend("the bots have secrets from the players", "the server's bots play")
    if timing.has_fast_clock(match):
        raise CannotLend("a clock is running, which a device could waste", "the server's bots play")
    seats = tuple(
        seat
        for seat in range(len(match.seats))
        if level_of(match, seat) is not None and know_the_same(match.state, person, seat)
    )
    if not seats:
        raise CannotLend("a device can't play these bots", "the server's bots play")
    return seats


def check_borrowed(match: Match, seat: int) -> None:
    """Raise CannotLend unless the only person's device may play this seat now."""
    people = match.people()
    if len(people) != 1:
        raise CannotLend("two or more people play this match", "the server's bots play")
    if seat not in check_lending(match, people[0]):
        raise CannotLend(f"a device can't play seat {seat}", "the server's bots play")


def level_of(match: Match, seat: int) -> Level | None:
    """The level of a bot that an engine plays exactly as the server does; None otherwise."""
    place = match.seats[seat]
    if place.who != "bot":
        return None
    level = next((each for each in levels_of(match.game) if each.name == place.level), None)
    if level is None or not can_run(match.game, level) or level.method == TURNS:
        return None
    if level.solver_nodes or level.threads > 1:
        return None
    return level


def know_the_same(state: State, one: int, other: int) -> bool:
    """Whether two seats know the same of a state."""
    if not state.game.hidden:
        return True
    size = state.game.sizes.identity
    known = [state.conceal(seat).array[:size] for seat in (one, other)]
    return bool((known[0] == known[1]).all())
