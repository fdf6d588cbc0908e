"""Puts a game's kernels into code that serves every game, called and not copied.

So the code compiles in seconds, however large the kernels are: see ``kernel``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watermeet.core.contract import FloatArray, RandomArray, StateArray
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.playout import copy_state

_STATE, _ACTIONS, _FLOATS, _RNG, _INT, _FEATURES = (
    "{}[::1]",
    "int32[::1]",
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
    "play_on": (_STATE, _ACTIONS, _FLOATS, _RNG, _INT, _FLOATS),
    "observe": (_STATE, _INT, _FEATURES),
}
"""The types of the kernels' arguments, in Numba's words; the braces stand for the game's own."""


@kernel
def no_chance(state: StateArray, out: FloatArray) -> None:
    """As ``chance``, for games without: never called."""


@kernel
def nothing_concealed(state: StateArray, seat: int, out: StateArray) -> None:
    """As ``conceal``, for games in which everything is seen."""
    copy_state(state, out)


@kernel
def nothing_hidden(known: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """As ``resample``, for games in which everything is seen."""
    copy_state(known, out)


def complete_kernels(game: Game) -> dict[str, Kernel[Any, Any]]:
    """The game's kernels, with idle ones for chance and secrets where it has none."""
    idle: dict[str, Kernel[Any, Any]] = {
        "chance": no_chance,
        "conceal": nothing_concealed,
        "resample": nothing_hidden,
    }
    return idle | game.kernels.by_name


def without_inlining(
    game: Game, kernels: Mapping[str, Kernel[Any, Any]]
) -> dict[str, Kernel[Any, Any]]:
    """Those kernels whose types are known, to be called by what is specialized with them."""
    return {
        name: found.without_inlining(", ".join(_TYPES[name]).format(*[game.dtype] * 4))
        for name, found in kernels.items()
        if name in _TYPES
    }
