"""What an exact solver finds: the function ``solve`` in a game's module ``solver``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from watermeet.core.checks import quote
from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidArgument
from watermeet.core.state import State

Progress = Callable[[int], None]
"""Called with the number of nodes from time to time; may raise to stop the solver."""


Value_co = TypeVar("Value_co", bound=float, covariant=True)


@dataclass(frozen=True)
class Solution(Generic[Value_co]):
    """The result of best play.

    Values are the mover's points minus the opponent's at the end; with ``is_expected``, the return
    that the mover expects, since chance plays a part.
    """

    value: Value_co
    best_actions: tuple[int, ...]
    """Actions that reach the value; with ``every_move`` all of them, ascending."""
    values: Mapping[int, Value_co] | None
    """The value of each action, with ``every_move``."""
    nodes: int
    """Nodes of the search; 0 if none was needed."""
    is_expected: bool = False


class Solver(Protocol):
    """The function ``solve`` of a game's module ``solver``."""

    def __call__(
        self,
        state: State,
        *,
        node_limit: int = ...,
        every_move: bool = ...,
        progress: Progress | None = ...,
    ) -> Solution[float]: ...


def array_to_solve(package: str, state: object) -> StateArray:
    """A writable copy of a state's array, for the solver in the folder of a game.

    Raises InvalidArgument for a state of another game, and NotYourTurn where no seat is to move.
    """
    if not isinstance(state, State):
        raise InvalidArgument(f"{quote(state)} isn't a state", "pass a state")
    game = state.game
    if game.package != package:
        raise InvalidArgument(
            f"{package} can't solve states of {game.describe()}", "use that game's own solver"
        )
    return game.require_turn(state).array.copy()  # Numba would compile again for read-only ones.
