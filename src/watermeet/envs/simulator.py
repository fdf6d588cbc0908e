"""One match, stepped in place by kernels, with chance outcomes sampled inside.

Shared by all environments. A seat gets its features and the mover its mask, nothing else.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.batch import MaskArray, bind_features, observe_as, play_chance, write_mask
from watermeet.core.contract import OVER, FloatArray, StateArray
from watermeet.core.errors import IllegalMove, InvalidNotation
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.core.rng import seeded
from watermeet.core.state import OMNISCIENT, State

AGENT = "seat_{}"
"""An agent's name, by seat."""


class Simulator:
    """A match that starts with ``reset`` and continues with ``play``."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._start = game.start().array.copy()
        self._array = self._start.copy()
        self._known = self._start.copy()
        self._actions = np.zeros(game.sizes.actions, dtype=np.int32)
        self._weights = np.zeros(game.sizes.actions, dtype=np.float64)
        self._rng = seeded(np.random.SeedSequence().entropy)
        self._advance, self._mark, self._look = (
            bind_features(game, each) for each in (play_chance, write_mask, observe_as)
        )
        self.mover = OVER
        """The seat to move, or OVER."""
        self.mask: MaskArray = np.zeros(game.sizes.actions, dtype=np.int8)
        """[actions]: 1 for each legal action. Actions are checked against it: hand out copies."""

    def reset(self, seed: object = None, state: State | str | None = None) -> None:
        """Start a new match, or continue from a state of this game or its text.

        Without a seed, the random generator continues where it was.
        """
        if seed is not None:
            self._rng = seeded(seed)
        self._array[:] = self._start if state is None else self._array_of(state)
        self._advance_to_mover()

    def _array_of(self, state: State | str) -> StateArray:
        found = self.game.parse(state) if isinstance(state, str) else state
        if found.game != self.game or found.known_to != OMNISCIENT:
            raise InvalidNotation(
                f"{found!r} isn't a full state of {self.game.describe()}", "use one of this game"
            )
        return found.array

    def play(self, action: int) -> None:
        """Play the mover's action, then chance; raises IllegalMove and changes nothing."""
        if not 0 <= action < len(self.mask) or not self.mask[action]:
            self._refuse(action)
        self.game.kernels.apply(self._array, action)
        self._advance_to_mover()

    def _advance_to_mover(self) -> None:
        self.mover = self._advance(self._array, self._actions, self._weights, self._rng)
        self._mark(self._array, self._actions, self.mask)

    def _refuse(self, action: int) -> None:
        self.state.play(action)  # Raises with the reason, if it is an action at all.
        raise IllegalMove(
            f"{self.game.name}: action {action!r} is illegal in {self.state.text!r}",
            "choose one that the mask allows",
        )

    def features(self, seat: int) -> FeatureArray:
        """A seat's features, as a new array."""
        out = np.empty(self.game.features.spec.size, dtype=np.float32)
        self._look(self._array, seat, self._known, out)
        return out

    @property
    def returns(self) -> FloatArray:
        """Each seat's return, once the match is over."""
        out = np.zeros(self.game.seats, dtype=np.float64)
        self.game.kernels.score(self._array, out)
        return out

    @property
    def state(self) -> State:
        """The full state, hidden information included."""
        return State(self.game, self._array.copy())
