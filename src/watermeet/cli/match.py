"""A match in progress at one terminal: its moves, taking them back, and its record.

Chance outcomes follow from the seed and the number of actions so far. So a match can be repeated, a
resumed match continues as it would have, and taking a move back doesn't roll the dice again.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from watermeet.cli.seats import HUMAN
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.information import is_seen
from watermeet.core.record import Entry, Record

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.state import State

PLAYERS_HEADER = "played-by"
SEED_HEADER = "seed"


class Match:
    """The states so far and the actions between: action i was chosen in ``states[i]``."""

    def __init__(
        self,
        record: Record,
        kinds: tuple[str, ...],
        names: tuple[str, ...] = (),
        seed: int = 0,
    ) -> None:
        self.kinds = kinds
        self.names = names
        self.seed = seed
        self.states: list[State] = list(record.replay())
        self.entries: list[Entry] = list(record.entries)
        self.actions: list[int] = [
            state.parse_move(entry.move.removeprefix("~"))
            for state, entry in zip(self.states, self.entries, strict=False)
        ]
        self._loaded = record
        played = max((entry.seconds or 0.0 for entry in self.entries), default=0.0)
        self._began = time.monotonic() - played

    @property
    def game(self) -> Game:
        """The game being played."""
        return self._loaded.game

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats played by people."""
        return tuple(seat for seat, kind in enumerate(self.kinds) if kind == HUMAN)

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.state.to_move == OVER

    # ---- play ----

    def play(self, move: str | int) -> None:
        """Play a move; raises IllegalMove or InvalidNotation and then changes nothing."""
        before = self.state
        action = before.parse_move(move) if isinstance(move, str) else move
        after = before.play(move)
        mark = "~" if before.to_move == CHANCE else ""
        self.actions.append(action)
        self.entries.append(Entry(mark + before.format(action), self._seconds()))
        self.states.append(after)

    def _seconds(self) -> float | None:
        """Seconds since the match began, without breaks, if the game has a clock."""
        return round(time.monotonic() - self._began, 1) if self.game.clock else None

    def sample_chance(self) -> int:
        """A chance outcome."""
        rng = random.Random(f"{self.seed}/{len(self.actions)}")
        outcomes, weights = zip(*self.state.chance_outcomes, strict=True)
        return int(rng.choices(outcomes, weights)[0])

    def undo(self) -> bool:
        """Go back to the last choice a person made; False if there is none."""
        for index in range(len(self.actions) - 1, -1, -1):
            if self.states[index].to_move in self.humans:
                del self.states[index + 1 :], self.actions[index:], self.entries[index:]
                return True
        return False

    # ---- what was played ----

    def mover(self, index: int) -> int:
        """Who chose action ``index``: a seat, or CHANCE."""
        return self.states[index].to_move

    def last_turn(self, seat: int | None) -> tuple[int, ...]:
        """The actions of the last turn that a seat (None: anybody) may know."""
        indices: list[int] = []
        for index in reversed(range(len(self.actions))):
            if self.mover(index) == CHANCE:
                continue
            if indices and self.mover(index) != self.mover(indices[-1]):
                break
            indices.append(index)
        return tuple(self.actions[i] for i in reversed(indices) if self.is_seen(i, seat))

    def is_seen(self, index: int, seat: int | None) -> bool:
        """Whether a seat (None: anybody) knows which action ``index`` was."""
        if seat is None:
            return True
        return is_seen(self.states[index], self.actions[index], self.states[index + 1], seat)

    # ---- names ----

    def label(self, seat: int, state: State | None = None) -> str:
        """The game's label for a seat, which may change during a match."""
        seats = (state or self.state).view(None)["seats"]
        return str(seats[seat]["label"])

    def name(self, seat: int, state: State | None = None) -> str:
        """The player at a seat: ``Ada (Red)``, or ``Red`` without names."""
        label = self.label(seat, state)
        return f"{self.names[seat]} ({label})" if self.names else label

    # ---- record ----

    def record(self) -> Record:
        """The match so far as a record that can be resumed."""
        ours = {PLAYERS_HEADER: ", ".join(self.kinds), SEED_HEADER: str(self.seed)}
        outcome = self.state.outcome
        return Record(
            self.game,
            tuple(self.entries),
            seats=self.names,
            start=self._loaded.start,
            result=outcome.returns if outcome else None,
            comment=self._loaded.comment,
            headers=dict(self._loaded.headers) | ours,
        )
