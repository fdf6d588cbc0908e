"""A match in progress at one terminal: its moves, taking them back, and its record.

Chance outcomes follow from the seed and the number of actions so far. So a match can be repeated, a
resumed match continues as it would have, and taking a move back doesn't roll the dice again.
"""

from __future__ import annotations

import random
import secrets
import time
from typing import TYPE_CHECKING

from watermeet.cli.console import can_show
from watermeet.cli.seats import HUMAN, RANDOM
from watermeet.cli.wording import (
    YOU,
    called,
    default_names,
    is_number,
    listed,
    to_you,
    with_names,
)
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.information import is_seen
from watermeet.core.record import Entry, Record

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.state import State

PLAYERS_HEADER = "played-by"
SEED_HEADER = "seed"
FRESH_SEED_BITS = 48


def names_of(record: Record) -> tuple[str, ...]:
    """What to call the players of a record; empty for those it says nothing about."""
    if record.seats:
        return record.seats
    kinds = tuple(filter(None, record.headers.get(PLAYERS_HEADER, "").split(", ")))
    if len(kinds) != record.game.seats:
        return ("",) * record.game.seats
    return tuple("" if name == YOU else name for name in default_names(kinds, HUMAN))


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
        self.names = names  # As given, for the record; ``name`` has one for everybody.
        self._called = names or default_names(kinds, HUMAN)
        self.seed = seed
        self.states: list[State] = list(record.replay())
        self.entries: list[Entry] = list(record.entries)
        self.actions: list[int] = [
            state.parse_move(entry.move.removeprefix("~"))
            for state, entry in zip(self.states, self.entries, strict=False)
        ]
        self._loaded = record
        self._seen: dict[tuple[int, int], bool] = {}
        played = max((entry.seconds or 0.0 for entry in self.entries), default=0.0)
        self._began = time.monotonic() - played

    @classmethod
    def of_record(cls, record: Record) -> Match:
        """A match to look at: nobody plays on."""
        match = cls(record, (RANDOM,) * record.game.seats)
        match._called = names_of(record)
        return match

    @property
    def players(self) -> tuple[str, ...]:
        """What the players are called; empty for those without a name."""
        return self._called

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
                self._seen.clear()
                return True
        return False

    def rematch(self) -> Match:
        """Another match from the start; the players move on by one seat."""
        kinds, names = (*self.kinds[1:], self.kinds[0]), (*self.names[1:], *self.names[:1])
        return Match(Record(self.game), kinds, names, secrets.randbits(FRESH_SEED_BITS))

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
        if seat is None or not self.game.hidden:
            return True
        if (index, seat) not in self._seen:
            before, after = self.states[index : index + 2]
            self._seen[index, seat] = is_seen(before, self.actions[index], after, seat)
        return self._seen[index, seat]

    # ---- names ----

    def label(self, seat: int, state: State | None = None) -> str:
        """The game's label for a seat, which may change during a match."""
        seats = (state or self.state).view(None)["seats"]
        return str(seats[seat]["label"])

    def name(self, seat: int, state: State | None = None) -> str:
        """The player at a seat: ``Ada (Red)``; a label that only counts seats is left out."""
        return called(self._called[seat], self.label(seat, state))

    def is_you(self, seat: int) -> bool:
        """Whether a seat's player is addressed, not named."""
        return seat >= 0 and self._called[seat] == YOU

    @property
    def names_by_label(self) -> dict[str, str]:
        """The names that take the place of labels in a game's own texts."""
        labels = {self.label(seat): name for seat, name in enumerate(self._called)}
        return {label: name for label, name in labels.items() if name and is_number(label)}

    def named(self, text: str) -> str:
        """A game's sentence with the players' names in it."""
        return with_names(text, self.names_by_label)

    def words(self, index: int) -> str:
        """What action ``index`` did, in a few words that follow its player's name."""
        words = self.states[index].describe(self.actions[index])
        return to_you(words) if self.is_you(self.mover(index)) else self.named(words)

    # ---- the result ----

    def result(self, encoding: str = "utf-8") -> str:
        """Who won, and by how much if the game has a score."""
        outcome = self.state.outcome
        assert outcome is not None, "only a finished match has a result"
        winners = outcome.winners
        if len(self.game.teams) == 1:
            together = " together" if self.game.seats > 1 else ""
            return f"You {'won' if winners else 'lost'}{together}."
        if not winners:
            return "It's a draw."
        is_plural = len(winners) > 1 or self.is_you(winners[0])
        names = listed([self.name(seat) for seat in winners])
        return f"{names} {'win' if is_plural else 'wins'}{self._score(winners[0], encoding)}."

    def _score(self, winner: int, encoding: str) -> str:
        scores = [seat["score"] for seat in self.state.view(None)["seats"]]
        if None in scores:
            return ""
        dash = "–" if can_show("–", encoding) else "-"  # noqa: RUF001 - a score
        mine = scores.pop(winner)
        return f", {dash.join(map(str, (mine, *sorted(scores, reverse=True))))}"

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
