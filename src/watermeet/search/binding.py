"""Fills the slots of search kernels with a game's kernels."""

from __future__ import annotations

from typing import Any

from watermeet.core.binding import complete_kernels, without_inlining
from watermeet.core.evaluation import default_evaluation
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel
from watermeet.core.linking import specialize


def bind(game: Game, generic: Kernel[Any, Any], *, use_evaluation: bool = True) -> Kernel[Any, Any]:
    """A search kernel for a game, with the game's own evaluation or with the default one.

    The game's kernels are called and not inlined, so that search code compiles in seconds.
    """
    kernels = complete_kernels(game)
    kernels |= game.evaluation.by_name if use_evaluation else default_evaluation(game)
    package = f"{game.package}.{'search' if use_evaluation else 'search_default'}"
    return specialize(generic, package, without_inlining(game, kernels))
