"""A table: one match, played on in place by kernels, with chance drawn inside.

What all environments share. A seat gets its features, and the mover its mask; nothing else leaves.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.batch import MaskArray, advance, bind_features, look, mark_legal
from watermeet.core.contract import OVER, FloatArray, StateArray
from watermeet.core.errors import IllegalMove, InvalidNotation
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.core.rng import seeded
from watermeet.core.state import ALL_KNOWING, State

AGENT = "seat_{}"
"""The name of an agent: its seat."""


class Table:
    """A match that begins with ``begin`` and goes on with ``play``."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._start = game.start().array.copy()
        self._array = self._start.copy()
        self._known = self._start.copy()
        self._room = np.zeros(game.sizes.actions, dtype=np.int32)
        self._weights = np.zeros(game.sizes.actions, dtype=np.float64)
        self._rng = seeded(np.random.SeedSequence().entropy)
        self._advance, self._mark, self._look = (
            bind_features(game, each) for each in (advance, mark_legal, look)
        )
        self.mover = OVER
        """The seat that chooses next, or OVER."""
        self.mask: MaskArray = np.zeros(game.sizes.actions, dtype=np.int8)
        """[actions]: 1 for what the mover may play; actions are checked by it, so it stays here."""

    def begin(self, seed: object = None, state: State | str | None = None) -> None:
        """A new match, or one that goes on from a state of this game, which may be its text.

        Without a seed chance goes on from where it was.
        """
        if seed is not None:
            self._rng = seeded(seed)
        self._array[:] = self._start if state is None else self._array_of(state)
        self._go_on()

    def _array_of(self, state: State | str) -> StateArray:
        found = self.game.parse(state) if isinstance(state, str) else state
        if found.game != self.game or found.known_to != ALL_KNOWING:
            raise InvalidNotation(
                f"{found!r} is no full state of {self.game.describe()}", "take one of this game"
            )
        return found.array

    def play(self, action: int) -> None:
        """The mover's action, then chance; raises IllegalMove and leaves all as it was."""
        if not 0 <= action < len(self.mask) or not self.mask[action]:
            self._refuse(action)
        self.game.kernels.apply(self._array, action)
        self._go_on()

    def _go_on(self) -> None:
        self.mover = self._advance(self._array, self._room, self._weights, self._rng)
        self._mark(self._array, self._room, self.mask)

    def _refuse(self, action: int) -> None:
        self.state.play(action)  # Says why, if it is an action at all.
        raise IllegalMove(
            f"{self.game.name}: action {action!r} cannot be played in {self.state.text!r}",
            "take one that the mask allows",
        )

    def features(self, seat: int) -> FeatureArray:
        """What a seat knows, as a new array."""
        out = np.empty(self.game.features.layout.size, dtype=np.float32)
        self._look(self._array, seat, self._known, out)
        return out

    @property
    def returns(self) -> FloatArray:
        """What each seat got, once the match is over."""
        out = np.zeros(self.game.seats, dtype=np.float64)
        self.game.kernels.score(self._array, out)
        return out

    @property
    def state(self) -> State:
        """The full state, for whoever may know all."""
        return State(self.game, self._array.copy())
