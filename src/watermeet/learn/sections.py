"""The parts into which a game divides a match for its review: ``sections`` of its ``review.py``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from watermeet.core.hooks import import_optional
from watermeet.core.state import State
from watermeet.learn.findings import Sentence


def sections_of(
    states: Sequence[State], moves: Sequence[str]
) -> Iterator[tuple[int, int, tuple[Sentence, ...]]]:
    """Where each part begins and ends, by numbers of actions, and what is to be said about it."""
    module = import_optional(states[0].game.package, "review")
    if module is None:
        return
    for start, end, found in module.sections(states, moves):
        yield start, end, tuple(Sentence(each.code, each.sentence, each.facts) for each in found)
