"""The levels as declared, and what the strongest one sees."""

from __future__ import annotations

import numpy as np
import pytest

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.tests.helpers import SHAPES, row, table
from watermeet.games.qwirkle.tiles import add_tile

pytestmark = pytest.mark.slow


# ---- the end of a match, where nothing is hidden ------------------------------------------------


def late(mine: str, others: str, points: tuple[int, int]) -> wm.State:
    """Seat 0 to move near the end: an empty bag, and these tiles in the hands."""
    state = table([row("Rc Rx Rd"), [("Ox", (1, 1))]], "")
    array = state.array.copy()
    array[layout.HANDS : layout.HANDS + 2 * layout.HAND] = 0
    array[layout.BAG : layout.BAG + layout.KINDS] = 0
    array[layout.BAG_LEFT] = 0
    for seat, text in enumerate((mine, others)):
        array[layout.SCORES + 2 * seat + 1] = points[seat]
        for start in range(0, len(text), 2):
            kind = 6 * "ROYGBP".index(text[start]) + SHAPES.index(text[start + 1])
            add_tile(array, layout.HANDS + layout.HAND * seat, kind + 1)
    return wm.State(state.game, array)


def best_return(state: wm.State) -> float:
    """The return of seat 0 with best play on both sides, by exhaustion."""
    if state.to_move == wm.OVER:
        returns = np.zeros(2)
        state.game.kernels.score(state.array.copy(), returns)
        return float(returns[0])
    values = {best_return(state.play(action)) for action in state.legal_actions}
    return max(values) if state.to_move == 0 else min(values)


@pytest.mark.parametrize("lead", [-9, -7, -5, -3, -1, 1])
def test_the_strongest_level_plays_endgames_perfectly(lead: int) -> None:
    state = late("RsOd", "RbYd", (20 + lead, 20))
    value = best_return(state)
    with make_bot(state.game, "sea:nodes=3000") as bot:
        action = bot.play(state.conceal(0)).action
    assert best_return(state.play(action)) == value
