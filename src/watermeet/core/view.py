"""The view: what a seat may know of a state, as plain data."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from watermeet.core.options import Value
from watermeet.core.outcome import OutcomeFacts


class LegalMove(TypedDict):
    """A legal action: its number, and its notation."""

    action: int
    move: str


class SeatView(TypedDict):
    """What all games show of a seat; a game adds its own. A team's seats have the same ``team``."""

    label: str
    score: int | None
    team: NotRequired[int]


class GameView(TypedDict):
    """What a game's ``view`` returns; a game declares its own ``seats`` and ``board``."""

    sentence: str
    seats: list[SeatView]
    board: Any


class View(GameView):
    """What a seat may know of a state; ``seat`` is null for a spectator."""

    game: str
    version: int
    options: dict[str, Value]
    seat: int | None
    to_move: int
    legal: list[LegalMove]
    outcome: OutcomeFacts | None
