"""A match as a record, the text that people keep and share; and records as matches.

Headers carry what it takes to verify the chance outcomes: ``match``, ``commitment``,
``client_seeds`` and ``secret``. ``watermeet.server.matches.audit`` reads them.
"""

from __future__ import annotations

import msgspec

from watermeet.core.contract import CHANCE
from watermeet.core.contract import OVER as NOBODY
from watermeet.core.record import Entry as RecordEntry
from watermeet.core.record import Record
from watermeet.server.errors import NotFound
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.entries import Created, Entry
from watermeet.server.matches.errors import GameOver, MatchRunning, StillHidden
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import MatchSetup, SeatPlan

NO_SEED = "."
"""Stands in the header ``client_seeds`` for a seat that gave none."""


def record_of(match: Match) -> Record:
    """The record of a match; raises StillHidden while it holds what somebody may not see.

    That is while a match with hidden information hasn't ended: a record is the same for everybody.
    """
    if match.game.hidden and not match.has_ended:
        raise StillHidden(
            f"the record of {match.id} has hidden information", "wait until the match ends"
        )
    headers = {"match": match.id}
    if match.created.commitment:
        headers["commitment"] = match.created.commitment
        headers["client_seeds"] = " ".join(seed or NO_SEED for seed in match.client_seeds)
    if match.secret:
        headers["secret"] = match.secret
    natural = match.state.outcome
    is_by_rules = natural is not None and natural.returns == match.returns
    if match.returns is not None and not is_by_rules:
        headers["ended"] = match.reason
        headers["returns"] = " ".join(f"{value:g}" for value in match.returns)
    return Record(
        match.game,
        tuple(_entries(match)),
        seats=tuple(_name(match, seat) for seat in range(match.game.seats)),
        start=match.game.parse(match.created.start) if match.created.start else None,
        result=match.returns if is_by_rules else None,
        headers=headers,
    )


def _entries(match: Match) -> list[RecordEntry]:
    found = []
    for step in match.steps():
        mark = "~" if step.mover == CHANCE else ""
        text = mark + match.state_before(step).format(step.action)
        found.append(RecordEntry(text, round((step.at - match.began_at) / 1000, 1)))
    return found


def _name(match: Match, number: int) -> str:
    """A name that can stand in a list with commas."""
    seat = match.seats[number]
    name = " ".join((seat.name or seat.level).replace(",", " ").split())
    return name or f"Seat {number + 1}"


def log_of(record: Record, match: str, at: int) -> tuple[Entry, ...]:
    """A record as the log of an ended match; its chance outcomes can't be verified."""
    states, game = record.replay(), record.game
    setup = MatchSetup(game=game.name, options=dict(game.options), seats=(SeatPlan(),) * game.seats)
    start = record.start.text if record.start else ""
    log: list[Entry] = [Created(at=at, match=match, version=game.version, setup=setup, start=start)]
    for seat, name in enumerate(record.seats or ("",) * game.seats):
        # A record may come from anywhere: control characters don't belong in a name.
        shown = "".join(filter(str.isprintable, name))[:40].strip() or f"Seat {seat + 1}"
        user = f"record-{seat}"  # The name may be anybody's: nobody vouches for it.
        log.append(kinds.Joined(at=at, seat=seat, user=user, name=shown, is_guest=True))
    log.append(kinds.Began(at=at))
    for state, entry in zip(states, record.entries, strict=False):
        time = at + round(1000 * (entry.seconds or 0.0))
        action = state.parse_move(entry.move.removeprefix("~"))
        if state.to_move == CHANCE:
            log.append(kinds.Sampled(at=time, action=action))
        else:
            log.append(kinds.Played(at=time, seat=state.to_move, action=action))
    end, last = states[-1].outcome, log[-1].at
    log.append(
        kinds.Ended(at=last, returns=end.returns) if end is not None else kinds.Aborted(at=last)
    )
    return tuple(log)


def check_continuable(match: Match) -> None:
    """Raise MatchRunning while people play the match: they could have a bot try their moves.

    In a casual match against bots, they may.
    """
    players = [seat for seat in match.seats if seat.user and not seat.out]
    if not match.has_ended and (len(players) > 1 or match.setup.is_rated):
        raise MatchRunning("people are still playing this match", "wait until it ends")


def state_after(record: Record, ply: int) -> str:
    """The text of the state after the first ``ply`` actions, to continue from there."""
    states = record.replay()
    if not 0 <= ply < len(states):
        raise NotFound(f"there is no position {ply}", f"there are 0 to {len(states) - 1}")
    if states[ply].to_move == NOBODY:
        raise GameOver("the game is over in that position", "start from an earlier one")
    return states[ply].text


def rematch_setup(match: Match) -> MatchSetup:
    """The setup of the next match: everybody moves one seat on, and keeps their own time."""
    plans = tuple(
        plan if plan.who == "bot" else msgspec.structs.replace(plan, who="invited")
        for plan in match.setup.seats
    )
    return msgspec.structs.replace(match.setup, seats=(plans[-1], *plans[:-1]))
