"""Gymnasium's observation and action spaces of a game."""

from __future__ import annotations

import numpy as np

from watermeet.core.game import Game
from watermeet.envs.extra import from_extra

with from_extra():
    from gymnasium import spaces

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
