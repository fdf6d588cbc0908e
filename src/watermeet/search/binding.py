"""Puts a game's kernels into search code, called and not copied, so that it compiles in seconds."""

from __future__ import annotations

from typing import Any

from watermeet.core.contract import FloatArray, RandomArray, StateArray
from watermeet.core.game import Game
from watermeet.core.judgement import plain_judgement
from watermeet.core.kernel import Kernel, apart, kernel, specialize
from watermeet.core.playout import copy_state

_STATE, _ACTIONS, _FLOATS, _RNG, _INT = (
    "{}[::1]",
    "int32[::1]",
    "float64[::1]",
    "uint64[::1]",
    "int64",
)
_TYPES = {
    "to_move": (_STATE,),
    "legal": (_STATE, _ACTIONS),
    "apply": (_STATE, _INT),
    "score": (_STATE, _FLOATS),
    "chance": (_STATE, _FLOATS),
    "resample": (_STATE, _INT, _RNG, _STATE),
    "draw": (_STATE, _ACTIONS, _RNG),
    "evaluate": (_STATE, _FLOATS),
    "weigh": (_STATE, _ACTIONS, _INT, _FLOATS),
    "pick": (_STATE, _ACTIONS, _RNG),
    "settle": (_STATE, _FLOATS),
    "play_on": (_STATE, _ACTIONS, _FLOATS, _RNG, _INT, _FLOATS),
}
"""The types of the kernels' arguments, in Numba's words; the braces stand for the game's own."""


@kernel
def no_chance(state: StateArray, out: FloatArray) -> None:
    """As ``chance``, for games without: never called."""


@kernel
def nothing_hidden(known: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """As ``resample``, for games in which everything is seen."""
    copy_state(known, out)


def bind(game: Game, generic: Kernel[Any, Any], *, plain: bool = False) -> Kernel[Any, Any]:
    """A kernel of search with a game's rules in it, and its judgement unless ``plain`` will do."""
    own: dict[str, Kernel[Any, Any]] = {"chance": no_chance, "resample": nothing_hidden}
    own |= game.kernels.by_name
    own |= plain_judgement(game) if plain else game.judgement.by_name
    called: dict[str, Kernel[Any, Any]] = {
        name: apart(found, ", ".join(_TYPES[name]).format(*[game.dtype] * 4))
        for name, found in own.items()
        if name in _TYPES
    }
    return specialize(generic, f"{game.package}.{'plainly_' if plain else ''}searched", called)
