"""A match as a record, the text that people keep and share; and records as matches.

Headers carry what it takes to check the draws: ``match``, ``commitment``, ``salts`` and ``secret``.
``watermeet.server.matches.audit`` reads them.
"""

from __future__ import annotations

from watermeet.core.contract import CHANCE
from watermeet.core.contract import OVER as NOTHING_TO_MOVE
from watermeet.core.errors import InvalidNotation
from watermeet.core.record import Entry as RecordEntry
from watermeet.core.record import Record
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.commands import Create
from watermeet.server.matches.entries import Created, Entry, SeatPlan
from watermeet.server.matches.errors import StillHidden
from watermeet.server.matches.match import Match

NO_SALT = "."
"""Stands in the header ``salts`` for a seat that gave none."""


def record_of(match: Match) -> Record:
    """The record of a match; raises StillHidden while it holds what somebody may not see.

    That is while a match with hidden parts is not over: a record goes to everybody alike.
    """
    if match.game.hidden and not match.is_final:
        raise StillHidden(
            f"the record of {match.id} holds what is hidden", "ask again when the match is over"
        )
    headers = {"match": match.id}
    if match.created.commitment:
        headers["commitment"] = match.created.commitment
        headers["salts"] = " ".join(salt or NO_SALT for salt in match.salts)
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
    name = seat.name or seat.level or f"Seat {number}"
    return " ".join(name.replace(",", " ").split()) or f"Seat {number}"


def imported(record: Record, match: str, at: int) -> tuple[Entry, ...]:
    """A log that tells a record, for replay; its draws were made elsewhere and prove nothing."""
    states = record.replay()
    game = record.game
    log: list[Entry] = [
        Created(
            at=at,
            match=match,
            game=game.name,
            version=game.version,
            options=dict(game.options),
            seats=(SeatPlan(),) * game.seats,
            start=record.start.text if record.start else "",
        )
    ]
    names = record.seats or tuple(f"Seat {seat}" for seat in range(game.seats))
    for seat, name in enumerate(names):
        # A record may come from anywhere: what steers a screen is no part of a name.
        shown = "".join(filter(str.isprintable, name))[:40].strip() or f"Seat {seat}"
        log.append(kinds.Joined(at=at, seat=seat, user=f"record-{seat}", name=shown))
    log.append(kinds.Began(at=at))
    for state, entry in zip(states, record.entries, strict=False):
        time = at + round(1000 * (entry.seconds or 0.0))
        action = state.parse_move(entry.move.removeprefix("~"))
        if state.to_move == CHANCE:
            log.append(kinds.Drawn(at=time, action=action))
        else:
            log.append(kinds.Played(at=time, seat=state.to_move, action=action))
    end = states[-1].outcome
    last = log[-1].at
    log.append(
        kinds.Ended(at=last, returns=end.returns) if end is not None else kinds.Abandoned(at=last)
    )
    return tuple(log)


def played_on(record: Record, ply: int, seats: tuple[SeatPlan, ...]) -> Create:
    """The command that plays on from where a record was after so many actions."""
    states = record.replay()
    if not 0 <= ply < len(states) or states[ply].to_move == NOTHING_TO_MOVE:
        raise InvalidNotation(
            f"one cannot play on after {ply} actions", f"the record has {len(states) - 1}"
        )
    game = record.game
    return Create(game=game.name, options=dict(game.options), seats=seats, start=states[ply].text)


def rematch_of(match: Match) -> Create:
    """The command that makes the next match of the same people, everybody one seat further."""
    created = match.created
    plans = tuple(
        SeatPlan("bot", seat.level) if seat.who == "bot" else SeatPlan("invited")
        for seat in match.seats
    )
    return Create(
        game=created.game,
        options=created.options,
        seats=(plans[-1], *plans[:-1]),
        timing=created.timing,
        absence=created.absence,
        minute_percent=created.minute_percent,
        is_public=created.is_public,
        watch_delay_s=created.watch_delay_s,
        rematch_of=created.match,
    )
