"""The kernels by which a game may judge its states, for search: their names, shapes and laws.

A game defines those that it has in its ``evaluation.py``; for the others plain ones serve, so that
search plays any game. Evaluation is opinion: it may be wrong, but never against the rules. It gets
full states, drawn by ``resample`` where something is hidden, and so it may know no more than that.
Only ``priors`` is also asked of states as their mover knows them, by bots that do not look ahead.

None changes the state that it gets, and each says the same of the same state. Where room is handed
over it holds anything: what is asked for is written, all of it. The conformance kit checks these
laws.
"""

from __future__ import annotations

from typing import Any

from watermeet.core.contract import (
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    sample_action,
)
from watermeet.core.errors import InvalidGame
from watermeet.core.game import Game, import_part
from watermeet.core.kernel import Kernel, kernel, slot
from watermeet.core.linking import specialize

NAMES = ("evaluate", "priors", "rollout_policy", "proven_returns")


@slot
def evaluate(state: StateArray, out: FloatArray) -> None:
    """Writes what each seat may expect to get, within the returns that the game declares.

    It keeps off their ends by a hundredth: those are for what is certain. If the game declares the
    sum of its returns, this has the same; seats of a team expect the same. Not called when OVER; it
    may be called at CHANCE.
    """
    raise NotImplementedError


@slot
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Writes how promising each of the legal actions is to the mover: weights of at least 0.

    ``actions`` are the ``count`` legal ones, and stay as they are. The weights need not sum to 1;
    not all are 0. Called only when a seat is to move.
    """
    raise NotImplementedError


@slot
def rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A legal action for playing on at random, sensibly; ``actions`` is room to list them.

    Called only when a seat is to move; what it draws depends on ``rng`` alone.
    """
    raise NotImplementedError


@slot
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """1 if it is certain what best play leads to, with the returns written; else 0.

    Search asks it of every new state that is not OVER, so it must be quick.
    """
    raise NotImplementedError


# ---- what serves games that do not say ----------------------------------------------------------


@kernel
def no_opinion(state: StateArray, out: FloatArray) -> None:
    """As ``evaluate``: no opinion."""
    for seat in range(len(out)):
        out[seat] = 0.0


@kernel
def uniform_priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """As ``priors``: every action is as promising as any other."""
    for place in range(count):
        out[place] = 1.0


@kernel
def uniform_rollout_policy(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """As ``rollout_policy``: every action is as likely as any other."""
    return sample_action(state, actions, rng)


@kernel
def nothing_proven(state: StateArray, out: FloatArray) -> int:
    """As ``proven_returns``: nothing is certain before the end."""
    return 0


_PLAIN: dict[str, Kernel[Any, Any]] = {
    "evaluate": no_opinion,
    "priors": uniform_priors,
    "rollout_policy": uniform_rollout_policy,
    "proven_returns": nothing_proven,
}


def default_evaluation(game: Game) -> dict[str, Kernel[Any, Any]]:
    """The plain kernels for a game, whatever it defines itself."""
    return {word: specialize(_PLAIN[word], game.package, game.kernels.by_name) for word in NAMES}


class Evaluation:
    """A game's kernels of judgement, with the plain ones in the place of those that it lacks."""

    def __init__(self, game: Game) -> None:
        module = import_part(game.package, "evaluation")
        self.own: frozenset[str] = frozenset(word for word in NAMES if hasattr(module, word))
        """The names of those that the game defines itself."""
        self.by_name: dict[str, Kernel[Any, Any]] = default_evaluation(game)
        for word in NAMES:
            found = getattr(module, word, None) or self.by_name[word]
            if not isinstance(found, Kernel):
                raise InvalidGame(
                    f"{game.package}.evaluation has no @kernel on {word!r}",
                    f"define it as watermeet.core.evaluation.{word} says",
                )
            self.by_name[word] = found
