"""Verifies that every chance outcome of a match was sampled as the server committed to.

It works on the log, or on a record, which anybody can get; see ``randomness`` for the method.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    if isinstance(source, Record):
        known = {"match": "", "commitment": "", "secret": "", **source.headers}
        given = known.get("client_seeds", "").split()
        seeds = tuple("" if seed == NO_SEED else seed for seed in given)
        moves = zip(source.replay(), source.entries, strict=False)
        sampled = [
            (state, state.parse_move(entry.move.removeprefix("~")))
            for state, entry in moves
            if state.to_move == CHANCE
        ]
    else:
        match = Match.of(source)
        created, seeds = match.created, match.client_seeds
        known = {"match": match.id, "commitment": created.commitment, "secret": match.secret}
        steps = [step for step in match.steps() if step.mover == CHANCE]
        sampled = [(match.state_before(step), step.action) for step in steps]
    return Report(known["match"], len(sampled), tuple(_faults(known, seeds, sampled)))


def _faults(
    known: dict[str, str], seeds: tuple[str, ...], sampled: list[tuple[State, int]]
) -> Iterator[Fault]:
    match, commitment, secret = known["match"], known["commitment"], known["secret"]
    missing = [name for name in ("match", "commitment", "secret") if not known[name]]
    if not all(text.isascii() for text in (match, *seeds)):
        missing.append("plain letters")
    try:
        key = bytes.fromhex(secret)
    except ValueError:
        missing.append("readable secret")
    if missing:
        yield Fault(0, f"there is no {' and no '.join(missing)}", "an audit needs it")
        return
    if commitment_to(match, key) != commitment:
        promised = f"the commitment is {commitment}"
        yield Fault(0, "the secret isn't the one committed to", promised)
    for number, (state, action) in enumerate(sampled, 1):
        fair = choose(state.chance_outcomes, random_word(match, key, seeds, number))
        if fair != action:
            found, expected = state.format(action), state.format(fair)
            yield Fault(number, f"{found} was sampled", f"{expected} was due")
