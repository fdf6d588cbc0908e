"""Checks afterwards that every draw of a match was made as was promised beforehand.

It works on the log, or on a record that anybody can have; see ``randomness`` for how draws are
made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from watermeet.core.contract import CHANCE
from watermeet.core.record import Record
from watermeet.core.state import State
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.match import Match
from watermeet.server.matches.randomness import choose, commitment_to, draw_word
from watermeet.server.matches.records import NO_SALT


@dataclass(frozen=True)
class Fault:
    """A draw that was not made as promised; or, as number 0, what is wrong with all of them."""

    draw: int
    found: str
    expected: str

    def __str__(self) -> str:
        where = f"draw {self.draw}" if self.draw else "the match"
        return f"{where}: {self.found}, but {self.expected}"


@dataclass(frozen=True)
class Report:
    """What an audit found."""

    match: str
    draws: int
    faults: tuple[Fault, ...]

    @property
    def is_fair(self) -> bool:
        """Whether everything is as was promised."""
        return not self.faults

    def __str__(self) -> str:
        if self.is_fair:
            return f"{self.match}: {self.draws} draws, all as promised"
        return "\n".join(str(fault) for fault in self.faults)


def audit(source: Record | Iterable[Entry]) -> Report:
    """Checks the commitment and every draw of a match, from its record or from its log."""
    return _audit_record(source) if isinstance(source, Record) else _audit_log(source)


def _audit_record(record: Record) -> Report:
    headers = record.headers
    salts = tuple("" if salt == NO_SALT else salt for salt in headers.get("salts", "").split())
    states = record.replay()
    drawn = [
        (state, state.parse_move(entry.move.removeprefix("~")))
        for state, entry in zip(states, record.entries, strict=False)
        if state.to_move == CHANCE
    ]
    return _report(
        headers.get("match", ""),
        headers.get("commitment", ""),
        headers.get("secret", ""),
        salts,
        drawn,
    )


def _audit_log(entries: Iterable[Entry]) -> Report:
    match = Match.of(entries)
    drawn = [
        (match.state_before(step), step.action) for step in match.steps() if step.mover == CHANCE
    ]
    return _report(match.id, match.created.commitment, match.secret, match.salts, drawn)


def _report(
    match: str, commitment: str, secret: str, salts: tuple[str, ...], drawn: list[tuple[State, int]]
) -> Report:
    missing = [
        name
        for name, text in (("match", match), ("commitment", commitment), ("secret", secret))
        if not text
    ]
    try:
        key = bytes.fromhex(secret)
        if not (match.isascii() and all(salt.isascii() for salt in salts)):
            missing.append("plain letters")
    except ValueError:
        key = b""
        missing.append("readable secret")
    if missing:
        fault = Fault(0, f"there is no {' and no '.join(missing)}", "a check needs it")
        return Report(match, len(drawn), (fault,))
    faults = []
    if commitment_to(match, key) != commitment:
        faults.append(Fault(0, "the secret is another than promised", f"promised {commitment}"))
    for number, (state, action) in enumerate(drawn, 1):
        fair = choose(state.chance_outcomes, draw_word(match, key, salts, number))
        if fair != action:
            found, expected = state.format(action), state.format(fair)
            faults.append(Fault(number, f"{found} was drawn", f"{expected} was due"))
    return Report(match, len(drawn), tuple(faults))
