"""State: a position as an immutable value. For people and programs; search calls the kernels.

Every method copies and checks, and nothing here changes a state. The rules are in the game's
kernels.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from watermeet.core.caching import cached
from watermeet.core.checks import (
    QUOTED_LENGTH,
    integer,
    quote,
    require_items,
    require_random,
    require_type,
)
from watermeet.core.contract import CHANCE, OVER, SPECTATOR, StateArray
from watermeet.core.errors import (
    HiddenInformation,
    IllegalMove,
    InvalidArgument,
    InvalidNotation,
    NoSuchSeat,
)
from watermeet.core.explanation import Explanation
from watermeet.core.outcome import Outcome
from watermeet.core.rendering import crop_svg
from watermeet.core.rng import RandomSource, seeded
from watermeet.core.view import LegalMove, View

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.rendering import Rendering

OMNISCIENT = -2
"""``known_to`` of a full state, from which nothing is hidden."""


class State:
    """A position of a match: a value that can be compared, hashed, pickled, printed and played on.

    ``game.start()`` and ``game.parse()`` make one. ``known_to`` says whose knowledge it holds:
    OMNISCIENT for a full state, else the seat (or SPECTATOR) that it was concealed for.
    """

    def __init__(self, game: Game, array: StateArray, known_to: int = OMNISCIENT) -> None:
        # Writable, because Numba would compile again for read-only arrays; nothing writes to it.
        self._array = array
        self.game = game
        self.known_to = known_to

    # ---- value ----

    @property
    def array(self) -> StateArray:
        """The flat integer array of the state, read-only."""
        view = self._array.view()
        view.flags.writeable = False
        return view

    @cached
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
        return self  # An immutable value is its own copy.

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __repr__(self) -> str:
        return f"<state of {self.game.describe()}: {self.text}>"

    def __str__(self) -> str:
        return self.render().plain

    @cached
    def text(self) -> str:
        """The state on one line; ``game.parse`` reads it back."""
        return self.game.hooks.format_state(self.game, self._array)

    # ---- whose turn, what can be played ----

    @cached
    def to_move(self) -> int:
        """The seat that chooses the next action, or CHANCE, or OVER."""
        return int(self.game.kernels.to_move(self._array))

    @cached
    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions, ascending; at CHANCE the possible outcomes."""
        out = np.zeros(self.game.sizes.actions, dtype=np.int32)
        count = self.game.kernels.legal(self._array, out)
        return tuple(out[:count].tolist())

    @cached
    def legal_moves(self) -> tuple[str, ...]:
        """The texts of ``legal_actions``, in the same order."""
        game, array, format_action = self.game, self._array, self.game.hooks.format_action
        return tuple([format_action(game, array, action) for action in self.legal_actions])

    @cached
    def chance_outcomes(self) -> tuple[tuple[int, float], ...]:
        """At CHANCE: each possible outcome and its probability; else empty."""
        if self.to_move != CHANCE:
            return ()
        weights = np.zeros(self.game.sizes.actions, dtype=np.float64)
        self.game.kernels.chance(self._array, weights)
        return tuple(zip(self.legal_actions, weights.tolist(), strict=False))

    def is_legal(self, action: int) -> bool:
        """Whether an action is legal here."""
        number = integer(action)
        if number is None:
            raise InvalidArgument(f"{quote(action)} isn't an action", "pass an integer")
        return self._is_legal(number)

    def _is_legal(self, action: int) -> bool:
        index = bisect.bisect_left(self.legal_actions, action)
        return index < len(self.legal_actions) and self.legal_actions[index] == action

    # ---- text of moves ----

    def format(self, action: int) -> str:
        """The text of an action here; raises InvalidNotation if the game has no such action."""
        return self.game.hooks.format_action(self.game, self._array, self._action(action))

    def parse_move(self, text: str) -> int:
        """The action that a text names here, legal or not; raises InvalidNotation."""
        require_type(text, str, "the text of a move")
        return self.game.hooks.parse_action(self.game, self._array, text)

    def _action(self, action: int) -> int:
        number = integer(action)
        if number is None:
            raise InvalidArgument(f"{quote(action)} isn't an action", "pass an integer")
        if not 0 <= number < self.game.sizes.actions:
            raise InvalidNotation(
                f"{quote(action)} isn't an action of {self.game.describe()}",
                f"actions are 0 to {self.game.sizes.actions - 1}",
            )
        return number

    def _parse(self, move: str | int) -> int:
        """The action of a move, given as text or number, legal or not."""
        return self.parse_move(move) if isinstance(move, str) else self._action(move)

    # ---- play ----

    def play(self, move: str | int) -> State:
        """The state after a move (its text) or an action (its number); raises IllegalMove."""
        action = self._parse(move)
        if not self._is_legal(action):
            reason = self.explain(action)
            shown = quote(move) if isinstance(move, str) else f"action {action}"
            raise IllegalMove(
                f"{self.game.name}: {shown} is illegal in {self.text!r}", reason.sentence, reason
            )
        array = self._array.copy()
        self.game.kernels.apply(array, action)
        return State(self.game, array, self.known_to)

    def play_all(self, moves: Iterable[str | int]) -> State:
        """The state after several moves."""
        state = self
        for move in require_items(moves, "moves"):
            state = state.play(move)
        return state

    def sample(self, rng: RandomSource) -> State:
        """The state after random chance outcomes, where a seat is to move or the match is over."""
        require_random(rng)
        state = self
        while state.to_move == CHANCE:
            rest = rng.random()
            action = state.legal_actions[-1]
            for candidate, probability in state.chance_outcomes:
                rest -= probability
                if rest < 0:
                    action = candidate
                    break
            state = state.play(action)
        return state

    @cached
    def outcome(self) -> Outcome | None:
        """Each seat's return and the reason, once the match is over; None before."""
        if self.to_move != OVER:
            return None
        returns = np.zeros(self.game.seats, dtype=np.float64)
        self.game.kernels.score(self._array, returns)
        reason = self.game.hooks.explain_outcome(self.game, self._array)
        return Outcome(tuple(returns.tolist()), reason)

    def explain(self, move: str | int) -> Explanation:
        """Why a move is legal here or not: code, sentence, cells.

        A text that isn't a move, or a number that isn't an action, has the code ``unreadable``.
        """
        try:
            action = self._parse(move)
        except InvalidNotation as error:
            return Explanation("unreadable", f"{error}.", facts={"move": _shown(move)})
        if self.to_move == OVER:
            return Explanation("match_over", "The match is over.")
        return self.game.hooks.explain_action(
            self.game, self._array, action, legal=self._is_legal(action)
        )

    def describe(self, move: str | int) -> str:
        """What a legal move does, in a few words that follow a name: ``places a stone on c3``.

        Empty if the game has no words for it.
        """
        return self.game.hooks.describe_action(self.game, self._array, self._parse(move))

    # ---- what a seat knows ----

    def conceal(self, seat: int | None) -> State:
        """The state as a seat (None: a spectator) knows it; bots and pages get nothing else."""
        known_to = self._seat(seat)
        if self.known_to not in (OMNISCIENT, known_to):
            raise HiddenInformation(
                f"this state only has what seat {self.known_to} knows, not {quote(seat)}",
                "conceal the full state",
            )
        known = State(self.game, self._concealed(known_to), known_to)
        if not self.game.hidden:  # What has been computed of this state holds for that one, too.
            known.__dict__.update(self.__dict__ | {"known_to": known_to})
        return known

    def _concealed(self, seat: int) -> StateArray:
        if not self.game.hidden:
            return self._array
        out = np.zeros_like(self._array)
        self.game.kernels.conceal(self._array, seat, out)
        return out

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            return SPECTATOR
        number = integer(seat)
        if number is None or not 0 <= number < self.game.seats:
            raise NoSuchSeat(
                f"{self.game.name} has no seat {quote(seat)}",
                f"seats are 0 to {self.game.seats - 1}, and None is a spectator",
            )
        return number

    def resample(self, rng: RandomSource) -> State:
        """A full state that is consistent with this one, with the right probability."""
        require_random(rng)
        if self.known_to == OMNISCIENT or not self.game.hidden:
            return State(self.game, self._array)
        out = np.zeros_like(self._array)
        self.game.kernels.resample(self._array, self.known_to, seeded(rng.random()), out)
        return State(self.game, out)

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat (None: a spectator) sees, as plain data, from the concealed state alone."""
        known = self.conceal(seat)
        known_to, outcome = known.known_to, known.outcome
        legal: list[LegalMove] = []
        if seat is not None and known.to_move == known_to:
            moves = zip(known.legal_actions, known.legal_moves, strict=True)
            legal = [{"action": action, "move": move} for action, move in moves]
        shown: View = {
            "game": self.game.name,
            "version": self.game.version,
            "options": dict(self.game.options),
            "seat": None if seat is None else known_to,
            "to_move": known.to_move,
            "legal": legal,
            "outcome": outcome.as_json() if outcome else None,
            **self.game.hooks.view(self.game, known._array, known_to),
        }
        return {**shown}  # A game's seats have more than is declared for all.

    # ---- pictures ----

    def render(self, seat: int | None = OMNISCIENT, last: Sequence[int] = ()) -> Rendering:
        """The picture for a terminal: of everything known here, or of what a seat (or None) sees.

        ``last`` are actions to mark, such as those of the turn that led here.
        """
        known = self._seen_by(seat)
        return self.game.hooks.render_text(
            self.game, known._array, known.known_to, self._actions(last)
        )

    def render_svg(
        self, seat: int | None = OMNISCIENT, last: Sequence[int] = (), *, part: str = ""
    ) -> str | None:
        """The same picture as SVG, or None if the game has none.

        ``part`` is a part of its layout, such as ``board``; without that part it is the whole.
        """
        require_type(part, str, "the name of a part")
        known, hooks = self._seen_by(seat), self.game.hooks
        svg = hooks.render_svg(self.game, known._array, known.known_to, self._actions(last))
        layout = hooks.picture_layout(self.game, known._array) if part else None
        if svg is None or layout is None or part not in layout.parts:
            return svg
        return crop_svg(svg, layout.parts[part])

    def _seen_by(self, seat: int | None) -> State:
        return self if integer(seat) == OMNISCIENT else self.conceal(seat)

    def _actions(self, actions: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._action(action) for action in require_items(actions, "actions"))

    def _repr_svg_(self) -> str | None:
        """The picture, for notebooks."""
        return self.render_svg()


def _shown(move: str | int) -> str:
    return move[:QUOTED_LENGTH] if isinstance(move, str) else quote(move)


def _restore_state(game: Game, content: bytes, known_to: int) -> State:
    array = np.frombuffer(content, dtype=game.dtype).copy()
    return State(game, array, known_to)


def explain(state: State, move: str | int) -> Explanation:
    """Why a move is legal in a state or not: code, sentence, cells."""
    require_type(state, State, "a state")
    return state.explain(move)
