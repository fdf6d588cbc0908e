"""Puts a game's kernels into search code, called and not copied, so that it compiles in seconds."""

from __future__ import annotations

from typing import Any

from watermeet.core.binding import called, complete_kernels
from watermeet.core.game import Game
from watermeet.core.judgement import plain_judgement
from watermeet.core.kernel import Kernel, specialize


def bind(game: Game, generic: Kernel[Any, Any], *, plain: bool = False) -> Kernel[Any, Any]:
    """A kernel of search with a game's rules in it, and its judgement unless ``plain`` will do."""
    own = complete_kernels(game)
    own |= plain_judgement(game) if plain else game.judgement.by_name
    package = f"{game.package}.{'plainly_' if plain else ''}searched"
    return specialize(generic, package, called(game, own))
