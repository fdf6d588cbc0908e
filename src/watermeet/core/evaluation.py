"""Evaluation: the kernels that guide a search, their names, shapes and laws.

A game defines those it has in its ``evaluation.py``. Defaults serve for the others, so search plays
any game. An evaluation is an opinion: it may be wrong, but it never contradicts the rules. It gets
full states, drawn by ``resample`` where something is hidden, so it knows nothing that the seat
doesn't. Only ``priors`` is also called with concealed states, by bots that don't search.

No kernel changes the state it gets, and each gives the same result for the same state. Arrays to
write to are not initialised, and everything asked for is written. The conformance kit checks these
laws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import (
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    sample_action,
    to_move,
)
from watermeet.core.errors import InvalidGame
from watermeet.core.hooks import import_optional
from watermeet.core.kernel import Kernel, kernel, slot
from watermeet.core.linking import specialize

if TYPE_CHECKING:
    from watermeet.core.game import Game

NAMES = (
    "evaluate",
    "priors",
    "rollout_policy",
    "proven_returns",
    "propose_turns",
    "rollout_turn",
)
NO_ACTION = -1
"""Fills the rows of ``propose_turns`` after the last action of a turn."""

Lines = npt.NDArray[np.int32]  # [turns, actions]: whole turns, one per row


@slot
def evaluate(state: StateArray, out: FloatArray) -> None:
    """Write each seat's expected return, within the range of returns that the game declares.

    Stay a hundredth away from both ends: those stand for certainty. If the game declares the sum of
    its returns, the expected returns have that sum; seats of a team expect the same. Never called
    when OVER; it may be called at CHANCE.
    """
    raise NotImplementedError


@slot
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Write how promising each legal action is for the mover: weights of at least 0, not all 0.

    ``actions`` holds the ``count`` legal ones, and is not changed. The weights need not sum to 1.
    Called only when a seat is to move.
    """
    raise NotImplementedError


@slot
def rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A sensible legal action for a rollout; ``actions`` is a buffer to list them in.

    Called only when a seat is to move; all randomness comes from ``rng``.
    """
    raise NotImplementedError


@slot
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """1, with the returns under best play written, if they are certain; else 0.

    Search calls it for every new state that is not OVER, so it must be fast.
    """
    raise NotImplementedError


@slot
def propose_turns(state: StateArray, lines: Lines, weights: FloatArray) -> int:
    """Write the most promising whole turns of the mover, best first; return how many.

    A turn is what one seat does until somebody else, or chance, is to move. A row of ``lines``
    holds its actions, then NO_ACTION if there is room. No two rows lead to the same state.
    ``weights`` are as those of ``priors``. The state may be concealed for the mover. 0 means that
    the search is to look for turns itself, action by action.
    """
    raise NotImplementedError


@slot
def rollout_turn(state: StateArray, actions: ActionArray, rng: RandomArray) -> None:
    """Play the mover's turn in place, to its end, as sensibly as ``rollout_policy`` does.

    ``actions`` is a buffer, and all randomness comes from ``rng``. Worth defining if a whole turn
    is found faster than its actions one by one.
    """
    raise NotImplementedError


# ---- defaults ---------------------------------------------------------------------------------


@kernel
def evaluate_neutral(state: StateArray, out: FloatArray) -> None:
    """The default of ``evaluate``: all seats stand equal."""
    for seat in range(len(out)):
        out[seat] = 0.0


@kernel
def uniform_priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """The default of ``priors``: all actions are equally promising."""
    for index in range(count):
        out[index] = 1.0


@kernel
def uniform_rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """The default of ``rollout_policy``: all actions are equally likely."""
    return sample_action(state, actions, rng)


@kernel
def nothing_proven(state: StateArray, out: FloatArray) -> int:
    """The default of ``proven_returns``: nothing is certain before the end."""
    return 0


@kernel
def no_turns_proposed(state: StateArray, lines: Lines, weights: FloatArray) -> int:
    """The default of ``propose_turns``: leave it to the search."""
    return 0


@kernel
def turn_by_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> None:
    """The default of ``rollout_turn``: follow ``rollout_policy`` until somebody else is to move."""
    mover = to_move(state)
    while to_move(state) == mover:
        apply(state, rollout_policy(state, actions, rng))


_DEFAULTS: dict[str, Kernel[Any, Any]] = {
    "evaluate": evaluate_neutral,
    "priors": uniform_priors,
    "rollout_policy": uniform_rollout_policy,
    "proven_returns": nothing_proven,
    "propose_turns": no_turns_proposed,
}


def default_evaluation(game: Game) -> dict[str, Kernel[Any, Any]]:
    """The default kernels for a game, whether or not it defines its own."""
    found: dict[str, Kernel[Any, Any]] = {
        name: specialize(default, game.package, game.kernels.by_name)
        for name, default in _DEFAULTS.items()
    }
    return found | {"rollout_turn": _turn_by_policy_of(game, found, "default_evaluation")}


def _turn_by_policy_of(
    game: Game, evaluation: dict[str, Kernel[Any, Any]], which: str
) -> Kernel[Any, Any]:
    kernels = game.kernels.by_name | evaluation
    return specialize(turn_by_policy, f"{game.package}.{which}", kernels)


class Evaluation:
    """A game's evaluation kernels, with defaults for those that it leaves out."""

    def __init__(self, game: Game) -> None:
        module = import_optional(game.package, "evaluation")
        self.own: frozenset[str] = frozenset(name for name in NAMES if hasattr(module, name))
        """The names that the game defines."""
        self.by_name: dict[str, Kernel[Any, Any]] = default_evaluation(game)
        for name in self.own:
            found = getattr(module, name)
            if not isinstance(found, Kernel):
                raise InvalidGame(
                    f"{name!r} in {game.package}.evaluation isn't a kernel",
                    f"put @kernel on it; watermeet.core.evaluation.{name} describes it",
                )
            self.by_name[name] = found
        if "rollout_turn" not in self.own:
            self.by_name["rollout_turn"] = _turn_by_policy_of(game, self.by_name, "evaluation")
