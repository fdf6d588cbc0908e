"""State: a position as an immutable value. What people and programs call; search calls kernels.

Every method copies and checks; nothing here changes a state. The rules live in the game's kernels.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from watermeet.core.contract import CHANCE, OVER, SPECTATOR, StateArray
from watermeet.core.errors import IllegalMove, InvalidNotation, NotYourTurn
from watermeet.core.explanation import Explanation
from watermeet.core.outcome import Outcome
from watermeet.core.rng import RandomSource, seeded

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.rendering import Rendering

OMNISCIENT = -2
"""``known_to`` of a state that nothing is hidden from."""


class State:
    """A position of a match: a value that can be compared, hashed, pickled, printed and played on.

    ``known_to`` says whose knowledge it is: OMNISCIENT for the full state, else the seat (or
    SPECTATOR) that it was concealed for.
    """

    def __init__(self, game: Game, array: StateArray, known_to: int = OMNISCIENT) -> None:
        # Kept writable, for Numba compiles anew for read-only arrays; nothing writes to it.
        self._array = array
        self.game = game
        self.known_to = known_to

    # ---- value ----

    @property
    def array(self) -> StateArray:
        """The flat integer array behind the state, read-only."""
        shown = self._array.view()
        shown.flags.writeable = False
        return shown

    @cached_property
    def _identity(self) -> bytes:
        return self._array[: self.game.sizes.identity].tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same_knowledge = self.game == other.game and self.known_to == other.known_to
        return same_knowledge and self._identity == other._identity

    def __hash__(self) -> int:
        return hash((self.game, self.known_to, self._identity))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_state, (self.game, self._array.tobytes(), self.known_to)

    def __copy__(self) -> State:
        return self  # A value that nothing changes is its own copy.

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __repr__(self) -> str:
        return f"<state of {self.game.describe()}: {self.text}>"

    def __str__(self) -> str:
        return self.render().plain

    @cached_property
    def text(self) -> str:
        """The state on one line; ``game.parse`` reads it back."""
        return self.game.hooks.format_state(self.game, self._array)

    # ---- whose turn, what can be played ----

    @cached_property
    def to_move(self) -> int:
        """The seat that chooses the next action, or CHANCE, or OVER."""
        return int(self.game.kernels.to_move(self._array))

    @cached_property
    def legal_actions(self) -> tuple[int, ...]:
        """The actions that can be played, ascending; at CHANCE those that can be drawn."""
        out = np.zeros(self.game.sizes.actions, dtype=np.int32)
        count = self.game.kernels.legal(self._array, out)
        return tuple(out[:count].tolist())

    @cached_property
    def legal_moves(self) -> tuple[str, ...]:
        """The texts of ``legal_actions``, in the same order."""
        return tuple(self.format(action) for action in self.legal_actions)

    @cached_property
    def chance_outcomes(self) -> tuple[tuple[int, float], ...]:
        """At CHANCE: each action that can be drawn, with its probability; else empty."""
        if self.to_move != CHANCE:
            return ()
        weights = np.zeros(self.game.sizes.actions, dtype=np.float64)
        self.game.kernels.chance(self._array, weights)
        return tuple(zip(self.legal_actions, weights.tolist(), strict=False))

    def is_legal(self, action: int) -> bool:
        """Whether an action can be played here."""
        place = bisect.bisect_left(self.legal_actions, action)
        return place < len(self.legal_actions) and self.legal_actions[place] == action

    # ---- text of moves ----

    def format(self, action: int) -> str:
        """The text of an action here."""
        return self.game.hooks.format_action(self.game, self._array, action)

    def parse_move(self, text: str) -> int:
        """The action that a text names here, legal or not; raises InvalidNotation."""
        return self.game.hooks.parse_action(self.game, self._array, text)

    def _action(self, move: str | int) -> int:
        if isinstance(move, str):
            return self.parse_move(move)
        action = int(move)
        if not 0 <= action < self.game.sizes.actions:
            raise InvalidNotation(
                f"{move!r} is no action of {self.game.describe()}",
                f"actions are 0 to {self.game.sizes.actions - 1}",
            )
        return action

    # ---- play ----

    def play(self, move: str | int) -> State:
        """The state after a move (its text) or an action (its number); raises IllegalMove."""
        action = self._action(move)
        if not self.is_legal(action):
            reason = self.explain(action)
            raise IllegalMove(
                f"{self.game.name}: {self._shown(move, action)} cannot be played in {self.text!r}",
                reason.sentence,
                reason,
            )
        array = self._array.copy()
        self.game.kernels.apply(array, action)
        return State(self.game, array, self.known_to)

    def _shown(self, move: str | int, action: int) -> str:
        return repr(move) if isinstance(move, str) else f"action {action}"

    def play_all(self, moves: Sequence[str | int]) -> State:
        """The state after several moves."""
        state = self
        for move in moves:
            state = state.play(move)
        return state

    def sample(self, rng: RandomSource) -> State:
        """Plays chance actions at random until a seat is to move or all is over."""
        state = self
        while state.to_move == CHANCE:
            drawn = rng.random()
            action = state.legal_actions[-1]
            for candidate, probability in state.chance_outcomes:
                drawn -= probability
                if drawn < 0:
                    action = candidate
                    break
            state = state.play(action)
        return state

    @cached_property
    def outcome(self) -> Outcome | None:
        """What each seat got and why, once the match is over; None before."""
        if self.to_move != OVER:
            return None
        returns = np.zeros(self.game.seats, dtype=np.float64)
        self.game.kernels.score(self._array, returns)
        reason = self.game.hooks.explain_outcome(self.game, self._array)
        return Outcome(tuple(returns.tolist()), reason)

    def explain(self, move: str | int) -> Explanation:
        """Why a move can be played here or not: code, sentence, cells. Raises for no move."""
        try:
            action = self._action(move)
        except InvalidNotation as error:
            return Explanation("unreadable", f"{error}.", facts={"move": str(move)})
        if self.to_move == OVER:
            return Explanation("match_over", "The match is over: nothing more can be played.")
        return self.game.hooks.explain_action(
            self.game, self._array, action, legal=self.is_legal(action)
        )

    # ---- what a seat knows ----

    def conceal(self, seat: int | None) -> State:
        """The state as a seat (None: a watcher) may know it; bots and pages get nothing else."""
        known_to = self._checked_seat(seat)
        if self.known_to not in (OMNISCIENT, known_to):
            raise NotYourTurn(
                f"this state is known to seat {self.known_to} only, not to {seat!r}",
                "conceal the full state",
            )
        return State(self.game, self._concealed(known_to), known_to)

    def _concealed(self, seat: int) -> StateArray:
        if not self.game.hidden:
            return self._array
        out = np.zeros_like(self._array)
        self.game.kernels.conceal(self._array, seat, out)
        return out

    def _checked_seat(self, seat: int | None) -> int:
        if seat is None:
            return SPECTATOR
        if type(seat) is not int or not 0 <= seat < self.game.seats:
            raise NotYourTurn(
                f"{self.game.name} has no seat {seat!r}",
                f"seats are 0 to {self.game.seats - 1}, None is a watcher",
            )
        return seat

    def resample(self, rng: RandomSource) -> State:
        """A full state that fits what is known here, drawn with the right probability."""
        if self.known_to == OMNISCIENT or not self.game.hidden:
            return State(self.game, self._array)
        out = np.zeros_like(self._array)
        self.game.kernels.resample(self._array, self.known_to, seeded(rng.random()), out)
        return State(self.game, out)

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat (None: a watcher) may know, as plain data, from the concealed state alone."""
        known = self.conceal(seat)
        may_move = known.to_move == seat and seat is not None
        outcome = known.outcome
        return {
            "game": self.game.name,
            "version": self.game.version,
            "options": dict(self.game.options),
            "seat": seat,
            "to_move": known.to_move,
            "legal": [
                {"action": action, "move": move}
                for action, move in zip(known.legal_actions, known.legal_moves, strict=True)
            ]
            if may_move
            else [],
            "outcome": outcome.as_json() if outcome else None,
            **self.game.hooks.view(self.game, known._array, known.known_to),
        }

    # ---- pictures ----

    def render(self, seat: int | None = OMNISCIENT, last: Sequence[int] = ()) -> Rendering:
        """The picture for a terminal: all that is known here, or what a seat (or None) sees.

        ``last`` are actions to mark, such as those of the turn that led here.
        """
        known = self if seat == OMNISCIENT else self.conceal(seat)
        return self.game.hooks.render_text(self.game, known._array, known.known_to, tuple(last))

    def render_svg(self, seat: int | None = OMNISCIENT, last: Sequence[int] = ()) -> str | None:
        """The same picture as SVG, or None if the game draws none."""
        known = self if seat == OMNISCIENT else self.conceal(seat)
        return self.game.hooks.render_svg(self.game, known._array, known.known_to, tuple(last))

    def _repr_svg_(self) -> str | None:
        """Lets notebooks show the picture."""
        return self.render_svg()


def _restore_state(game: Game, content: bytes, known_to: int) -> State:
    array = np.frombuffer(content, dtype=game.dtype).copy()
    return State(game, array, known_to)


def explain(state: State, move: str | int) -> Explanation:
    """Why a move can be played in a state or not: code, sentence, cells."""
    return state.explain(move)
