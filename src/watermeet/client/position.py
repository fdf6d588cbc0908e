"""A position: the state of a match, as far as we may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Position:
    """A match as the server describes it; ``data`` is the whole description."""

    match: str
    data: dict[str, Any]

    @property
    def seq(self) -> int:
        """The number of the last log entry that the position includes."""
        return int(self.data["seq"])

    @property
    def seat(self) -> int | None:
        """Our seat, or None for a spectator."""
        seat: int | None = self.data["view"]["seat"]
        return seat

    @property
    def stage(self) -> str:
        """The stage: open, playing, paused, finished or aborted."""
        return str(self.data["stage"])

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.stage in ("finished", "aborted")

    @property
    def is_our_turn(self) -> bool:
        """Whether the match waits for us, and no bot has taken over our seat."""
        seat = self.seat
        if seat is None or self.stage != "playing" or self.data["view"]["to_move"] != seat:
            return False
        return not self.data["seats"][seat]["stand_in"]

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves, if it is our turn."""
        return [each["move"] for each in self.data["view"]["legal"]]

    @property
    def state(self) -> str:
        """The state as we know it, if it is our turn; ``game.parse`` reads it."""
        return self.data.get("state") or ""

    @property
    def game(self) -> tuple[str, int, dict[str, Any]]:
        """The name of the game, the version of its rules, and its options."""
        view = self.data["view"]
        return view["game"], view["version"], view["options"]

    @property
    def deadline(self) -> int | None:
        """When our clock or the shared timer runs out, by the server's clock; None: never."""
        clocks = self.data["clocks"]
        flag: int | None = clocks["flag_at"] if clocks["running"] == self.seat else None
        ends: int | None = clocks["timer_ends_at"]
        return min((each for each in (flag, ends) if each is not None), default=None)

    @property
    def offers(self) -> list[dict[str, Any]]:
        """The offers of others that we haven't answered."""
        seat, offers = self.seat, self.data["offers"]
        return [each for each in offers if seat is not None and seat not in each["accepted_by"]]

    @property
    def outcome(self) -> dict[str, Any] | None:
        """The result of the match, or None while it is in progress."""
        outcome: dict[str, Any] | None = self.data["outcome"]
        return outcome
