"""How a match ended: each seat's return, and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from watermeet.core.explanation import Explanation


class OutcomeFacts(TypedDict):
    """How a match ended, as plain data; ``facts`` are the values in the sentence."""

    returns: list[float]
    winners: list[int]
    reason: str
    sentence: str
    facts: dict[str, str | int]


@dataclass(frozen=True)
class Outcome:
    """The end of a match: ``returns`` per seat and the ``reason``.

    >>> Outcome((1.0, -1.0), Explanation("most_stones", "Red has more stones.")).winners
    (0,)
    """

    returns: tuple[float, ...]
    reason: Explanation

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest return, if it is positive; several if they share the win."""
        best = max(self.returns)
        return tuple(seat for seat, gain in enumerate(self.returns) if gain == best and gain > 0)

    def as_json(self) -> OutcomeFacts:
        """The outcome as plain data."""
        return {
            "returns": list(self.returns),
            "winners": list(self.winners),
            "reason": self.reason.code,
            "sentence": self.reason.sentence,
            "facts": dict(self.reason.facts),
        }
