"""The spaces of observations and actions, in Gymnasium's words."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from watermeet.core.game import Game

OBSERVATION, ACTION_MASK = "observation", "action_mask"


def feature_space(game: Game) -> spaces.Box:
    """The features of one seat."""
    layout = game.features.layout
    return spaces.Box(layout.low, layout.high, (layout.size,), np.float32)


def observation_space(game: Game) -> spaces.Dict:
    """Features and mask, as PettingZoo's own board games have them."""
    mask = spaces.Box(0, 1, (game.sizes.actions,), np.int8)
    return spaces.Dict({OBSERVATION: feature_space(game), ACTION_MASK: mask})
