"""Puts a game's kernels into search code, called and not copied, so that it compiles in seconds."""

from __future__ import annotations

from typing import Any

from watermeet.core.binding import complete_kernels, without_inlining
from watermeet.core.evaluation import default_evaluation
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel
from watermeet.core.linking import specialize


def bind(game: Game, generic: Kernel[Any, Any], *, plain: bool = False) -> Kernel[Any, Any]:
    """A kernel of search with a game's rules in it, and its judgement unless ``plain`` will do."""
    own = complete_kernels(game)
    own |= default_evaluation(game) if plain else game.evaluation.by_name
    package = f"{game.package}.{'plainly_' if plain else ''}searched"
    return specialize(generic, package, without_inlining(game, own))
