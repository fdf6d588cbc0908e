"""Gymnasium's observation and action spaces of a game, and what environments put into them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from watermeet.core.features import FeatureArray
from watermeet.core.game import Game

OBSERVATION, ACTION_MASK = "observation", "action_mask"


def feature_space(game: Game) -> spaces.Box:
    """The space of one seat's features."""
    layout = game.features.spec
    return spaces.Box(layout.low, layout.high, (layout.size,), np.float32)


def observation_space(game: Game) -> spaces.Dict:
    """Features and action mask, as in PettingZoo's board games."""
    mask = spaces.Box(0, 1, (game.features.spec.codes,), np.int8)
    return spaces.Dict({OBSERVATION: feature_space(game), ACTION_MASK: mask})


def action_space(game: Game) -> spaces.Discrete:
    """The codes of the game's actions."""
    return spaces.Discrete(game.features.spec.codes)


def state_space(game: Game) -> spaces.Box:
    """What all seats see together, for centralised critics."""
    layout = game.features.spec
    return spaces.Box(layout.low, layout.high, (game.seats * layout.size,), np.float32)


def space_mask(mask: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """A copy of a mask as Gymnasium's and PettingZoo's spaces want it: 8-bit integers."""
    return mask.astype(np.int8)


def observation(features: FeatureArray, mask: npt.NDArray[Any]) -> dict[str, Any]:
    """The observation of one match, or of many."""
    return {OBSERVATION: features, ACTION_MASK: space_mask(mask)}
