"""A game's kernels for code that serves every game, called and not inlined.

So that code compiles in seconds, however large the game's kernels are: see ``kernel``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watermeet.core.contract import FloatArray, RandomArray, StateArray
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.playout import copy_state

_STATE, _ACTIONS, _LINES, _FLOATS, _RNG, _INT, _FEATURES = (
    "{}[::1]",
    "int32[::1]",
    "int32[:, ::1]",
    "float64[::1]",
    "uint64[::1]",
    "int64",
    "float32[::1]",
)
_TYPES = {
    "to_move": (_STATE,),
    "legal": (_STATE, _ACTIONS),
    "apply": (_STATE, _INT),
    "score": (_STATE, _FLOATS),
    "chance": (_STATE, _FLOATS),
    "conceal": (_STATE, _INT, _STATE),
    "resample": (_STATE, _INT, _RNG, _STATE),
    "sample_action": (_STATE, _ACTIONS, _RNG),
    "evaluate": (_STATE, _FLOATS),
    "priors": (_STATE, _ACTIONS, _INT, _FLOATS),
    "rollout_policy": (_STATE, _ACTIONS, _RNG),
    "proven_returns": (_STATE, _FLOATS),
    "propose_turns": (_STATE, _LINES, _FLOATS),
    "rollout_turn": (_STATE, _ACTIONS, _RNG),
    "observe": (_STATE, _INT, _FEATURES),
    "encode": (_STATE, _INT),
}
"""The argument types of the kernels in Numba's notation; the braces stand for the game's dtype."""


@kernel
def no_chance(state: StateArray, out: FloatArray) -> None:
    """``chance`` for games without it: never called."""


@kernel
def nothing_concealed(state: StateArray, seat: int, out: StateArray) -> None:
    """``conceal`` for games without hidden information."""
    copy_state(state, out)


@kernel
def nothing_hidden(known: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """``resample`` for games without hidden information."""
    copy_state(known, out)


def complete_kernels(game: Game) -> dict[str, Kernel[Any, Any]]:
    """The game's kernels, with trivial ones for chance and hidden information if it has none."""
    trivial: dict[str, Kernel[Any, Any]] = {
        "chance": no_chance,
        "conceal": nothing_concealed,
        "resample": nothing_hidden,
    }
    return trivial | game.kernels.by_name


def without_inlining(
    game: Game, kernels: Mapping[str, Kernel[Any, Any]]
) -> dict[str, Kernel[Any, Any]]:
    """The kernels whose argument types are known, to be called by what is specialised with them."""
    return {
        name: found.without_inlining(", ".join(_TYPES[name]).format(*[game.dtype] * 4))
        for name, found in kernels.items()
        if name in _TYPES
    }
