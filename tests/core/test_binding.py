"""Kernels for code that serves every game."""

from __future__ import annotations

import numpy as np

import watermeet as wm
from watermeet.core.binding import complete_kernels, without_inlining
from watermeet.core.rng import seeded


def test_games_without_chance_or_hidden_information_get_trivial_kernels() -> None:
    game = wm.game("flume", size=3)
    kernels = complete_kernels(game)
    array, out = game.start().array.copy(), np.zeros(game.sizes.state, dtype=game.dtype)
    kernels["conceal"](array, 1, out)
    assert out.tolist() == array.tolist()
    out[:] = 0
    kernels["resample"](array, 1, seeded(0), out)
    assert out.tolist() == array.tolist()
    kernels["chance"](array, np.zeros(1))


def test_game_kernels_are_not_inlined() -> None:
    game = wm.game("kuhn_poker")
    bound = without_inlining(game, complete_kernels(game))
    assert bound["apply"].signature == f"{game.dtype}[::1], int64"
    assert bound["conceal"].python is game.kernels.by_name["conceal"].python
