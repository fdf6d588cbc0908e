"""What an exact solver finds: the function ``solve`` in a game's module ``solver``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from watermeet.core.contract import StateArray

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
        array: StateArray,
        *,
        node_limit: int = ...,
        every_move: bool = ...,
        progress: Progress | None = ...,
    ) -> Solution[float]: ...
