"""A position: how a match stands, as far as we may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Position:
    """What the server told of a match; ``told`` is all of it."""

    match: str
    told: dict[str, Any]

    @property
    def seq(self) -> int:
        """The number of the last entry of the log that is in it."""
        return int(self.told["seq"])

    @property
    def seat(self) -> int | None:
        """Our own seat; None: we watch."""
        seat: int | None = self.told["view"]["seat"]
        return seat

    @property
    def stage(self) -> str:
        """The stage: open, playing, paused, over or gone."""
        return str(self.told["stage"])

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played."""
        return self.stage in ("over", "gone")

    @property
    def is_our_turn(self) -> bool:
        """Whether the match waits for us, and no bot plays in our place."""
        seat = self.seat
        if seat is None or self.stage != "playing" or self.told["view"]["to_move"] != seat:
            return False
        return not self.told["seats"][seat]["stand_in"]

    @property
    def moves(self) -> list[str]:
        """What we can play, if it is our turn."""
        return [each["move"] for each in self.told["view"]["legal"]]

    @property
    def state(self) -> str:
        """The text of the state as we know it, if it is our turn; ``game.parse`` reads it."""
        return self.told.get("state") or ""

    @property
    def game(self) -> tuple[str, int, dict[str, Any]]:
        """The game's name, the version of its rules, and its options."""
        view = self.told["view"]
        return view["game"], view["version"], view["options"]

    @property
    def time_is_up_at(self) -> int | None:
        """When our clock or the shared minute is over, by the server's time; None: never."""
        clocks = self.told["clocks"]
        flag: int | None = clocks["flag_at"] if clocks["running"] == self.seat else None
        ends: int | None = clocks["minute_ends"]
        return min((each for each in (flag, ends) if each is not None), default=None)

    @property
    def offers(self) -> list[dict[str, Any]]:
        """What others have offered and we have not answered."""
        seat = self.seat
        return [
            each for each in self.told["offers"] if seat is not None and seat not in each["yes"]
        ]

    @property
    def outcome(self) -> dict[str, Any] | None:
        """How the match ended."""
        outcome: dict[str, Any] | None = self.told["outcome"]
        return outcome
