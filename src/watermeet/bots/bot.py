"""What a bot is, and how one is made from a text such as ``river`` or ``uct:seconds=2``."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.thought import Thought


@dataclass(frozen=True)
class Answer:
    """What a bot does, and what it thought, if it tells."""

    action: int
    thought: Thought | None = None


class Bot(abc.ABC):
    """Answers states of one game, for any seat. A context manager: at its end the bot is gone."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name

    @abc.abstractmethod
    def answer(self, state: State, limits: Limits | None = None) -> Answer:
        """The action for the seat to move. It is given the state as that seat knows it.

        ``limits`` take the place of the bot's own.
        """

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
