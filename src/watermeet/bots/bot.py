"""What a bot is, and how one is made from a text such as ``river`` or ``uct:seconds=2``."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.result import SearchResult

PATIENCE_S = 60.0
PATIENCE_TIMES = 10.0
PATIENCE_PER_NODE_S = 0.05
"""How long a bot is waited for: so long, and so many times its seconds, or so much for each node.

Nobody who thinks within limits comes near it; it tells those apart who never will answer."""


@dataclass(frozen=True)
class Answer:
    """What a bot does, and what it thought, if it tells."""

    action: int
    thought: SearchResult | None = None


class Bot(abc.ABC):
    """Answers states of one game, for any seat. A context manager: at its end the bot is gone."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name
        self.patience: float | None = None
        """How many seconds an answer may take before the bot has failed; None: as it deserves."""

    @abc.abstractmethod
    def answer(self, state: State, limits: Limits | None = None) -> Answer:
        """The action for the seat to move. It is given the state as that seat knows it.

        ``limits`` take the place of the bot's own.
        """

    def patience_for(self, limits: Limits | None = None) -> float:
        """How many seconds an answer may take. Whoever asks gives up then; we do not watch."""
        return self.usual_patience(limits) if self.patience is None else self.patience

    def usual_patience(self, limits: Limits | None) -> float:
        """The same if nobody says, from the limits."""
        if limits is None:
            return PATIENCE_S
        if limits.seconds is not None:
            return PATIENCE_S + PATIENCE_TIMES * limits.seconds
        return PATIENCE_S + PATIENCE_PER_NODE_S * (limits.nodes or 0)

    def begin(self, seed: object) -> None:  # noqa: B027 - not every bot draws lots
        """A match begins: what the bot draws from now on depends on the seed alone."""

    def reseed(self, seed: object) -> None:  # noqa: B027 - not every bot draws lots
        """From now on lots are drawn from another seed; what it knows of the match stays."""

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Gives back what it holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
