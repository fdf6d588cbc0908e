"""Verifies that every chance outcome of a match was sampled as the server committed to.

It works on the log, or on a record, which anybody can get; see ``randomness`` for the method.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from watermeet.core.contract import CHANCE
from watermeet.core.record import Record
from watermeet.core.state import State
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.match import Match
from watermeet.server.matches.randomness import choose, commitment_to, random_word
from watermeet.server.matches.records import NO_SEED


@dataclass(frozen=True)
class Fault:
    """A chance outcome that doesn't match the commitment; number 0 is the match as a whole."""

    number: int
    found: str
    expected: str

    def __str__(self) -> str:
        where = f"chance outcome {self.number}" if self.number else "the match"
        return f"{where}: {self.found}, but {self.expected}"


@dataclass(frozen=True)
class Report:
    """What an audit found."""

    match: str
    count: int
    faults: tuple[Fault, ...]

    @property
    def is_fair(self) -> bool:
        """Whether everything matches the commitment."""
        return not self.faults

    def __str__(self) -> str:
        if self.is_fair:
            return f"{self.match}: {self.count} chance outcomes, all verified"
        return "\n".join(str(fault) for fault in self.faults)


def audit(source: Record | Iterable[Entry]) -> Report:
    """Verify the commitment and every chance outcome of a match, from its record or its log."""
    return _audit_record(source) if isinstance(source, Record) else _audit_log(source)


def _audit_record(record: Record) -> Report:
    headers = record.headers
    seeds = tuple(
        "" if seed == NO_SEED else seed for seed in headers.get("client_seeds", "").split()
    )
    states = record.replay()
    sampled = [
        (state, state.parse_move(entry.move.removeprefix("~")))
        for state, entry in zip(states, record.entries, strict=False)
        if state.to_move == CHANCE
    ]
    return _report(
        headers.get("match", ""),
        headers.get("commitment", ""),
        headers.get("secret", ""),
        seeds,
        sampled,
    )


def _audit_log(entries: Iterable[Entry]) -> Report:
    match = Match.of(entries)
    sampled = [
        (match.state_before(step), step.action) for step in match.steps() if step.mover == CHANCE
    ]
    return _report(match.id, match.created.commitment, match.secret, match.client_seeds, sampled)


def _report(
    match: str,
    commitment: str,
    secret: str,
    seeds: tuple[str, ...],
    sampled: list[tuple[State, int]],
) -> Report:
    missing = [
        name
        for name, text in (("match", match), ("commitment", commitment), ("secret", secret))
        if not text
    ]
    try:
        key = bytes.fromhex(secret)
        if not (match.isascii() and all(seed.isascii() for seed in seeds)):
            missing.append("plain letters")
    except ValueError:
        key = b""
        missing.append("readable secret")
    if missing:
        fault = Fault(0, f"there is no {' and no '.join(missing)}", "an audit needs it")
        return Report(match, len(sampled), (fault,))
    faults = []
    if commitment_to(match, key) != commitment:
        faults.append(
            Fault(0, "the secret isn't the one committed to", f"the commitment is {commitment}")
        )
    for number, (state, action) in enumerate(sampled, 1):
        fair = choose(state.chance_outcomes, random_word(match, key, seeds, number))
        if fair != action:
            found, expected = state.format(action), state.format(fair)
            faults.append(Fault(number, f"{found} was sampled", f"{expected} was due"))
    return Report(match, len(sampled), tuple(faults))
