"""What a bot is. ``watermeet.bots.specs`` makes one from a spec such as ``sea:seconds=0.5``."""

from __future__ import annotations

import abc
import random
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from watermeet.core.checks import require_type
from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.result import SearchResult

Player = Callable[[State, random.Random], int]
"""A function that chooses an action in a state as its mover knows it: a game's ``PLAYERS``."""

BASE_TIMEOUT = 60.0
TIMEOUT_PER_SECOND = 10.0
TIMEOUT_PER_NODE = 0.05
"""A move times out after BASE_TIMEOUT, plus this much per second or per node of its limit.

Bots that respect their limits never get near that; it catches those that hang."""


@dataclass(frozen=True)
class PlayResult:
    """A bot's action, and the result of its search if it reports one."""

    action: int
    search: SearchResult | None = None


class Bot(abc.ABC):
    """Plays one game, for any seat. A context manager, which closes the bot at its end."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name
        self.timeout: float | None = None
        """How many seconds a move may take; None for ``default_timeout``."""

    def play(self, state: State, limits: Limits | None = None) -> PlayResult:
        """Choose an action for the seat to move. ``state`` is what that seat knows.

        ``limits`` replace the bot's own. Raises InvalidArgument for a state of another game, and
        NotYourTurn where no seat is to move.
        """
        require_type(limits, (Limits, type(None)), "limits")
        return self.choose(self.game.require_turn(state), limits)

    @abc.abstractmethod
    def choose(self, state: State, limits: Limits | None) -> PlayResult:
        """What ``play`` does, once it has checked what it was given."""

    def timeout_for(self, limits: Limits | None = None) -> float:
        """How many seconds a move may take. The caller enforces it, not the bot."""
        return self.default_timeout(limits) if self.timeout is None else self.timeout

    def default_timeout(self, limits: Limits | None) -> float:
        """The timeout that follows from limits, if nobody set one."""
        if limits is None:
            return BASE_TIMEOUT
        if limits.seconds is not None:
            return BASE_TIMEOUT + TIMEOUT_PER_SECOND * limits.seconds
        return BASE_TIMEOUT + TIMEOUT_PER_NODE * (limits.nodes or 0)

    def new_match(self, seed: object) -> None:  # noqa: B027 - not every bot needs it
        """Start a match: forget the last one; from now on randomness depends on the seed alone."""

    def reseed(self, seed: object) -> None:  # noqa: B027 - not every bot is random
        """Take randomness from another seed, and keep what is known of the match."""

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Release what the bot holds, such as a process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
