"""A greedy baseline in kernels: it takes a turn with the most points, breaking ties at random.

It looks only at its own hand. If nothing fits, it trades as many tiles as the bag allows.
"""

from __future__ import annotations

from watermeet.core.contract import CHANCE, OVER, RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.placements import Rows, Scratch, lay_action, list_turns
from watermeet.games.qwirkle.rules import apply, to_move


@kernel
def play_greedy_turn(state: StateArray, buffer: Scratch, rows: Rows, rng: RandomArray) -> int:
    """Play a whole turn in place, up to the draw; return how many tiles it placed."""
    tiles = 0
    if list_turns(state, buffer, rows, True, rng) > 0:
        tiles = int(rows[0, 1])
    elif state[layout.BAG_LEFT] == 0:
        apply(state, layout.PASS)
        return 0
    moves = tiles if tiles > 0 else min(layout.HAND, int(state[layout.BAG_LEFT]))
    for index in range(moves + 1):
        action = layout.TRADE  # The first tile in hand, so that tiles are set aside in order.
        if index == moves:
            action = layout.END
        elif tiles > 0:
            action = lay_action(state, rows, 0, index)
        apply(state, action)
    return tiles


@kernel
def play_chance(state: StateArray, rng: RandomArray) -> None:
    """Sample a chance outcome with the probabilities of ``chance``, without listing them."""
    if state[layout.STAGE] == layout.TIEBREAK:
        outcome = next_below(rng, layout.SEAT_COUNT)
        while (int(state[layout.TIED]) >> outcome) & 1 == 0:
            outcome = next_below(rng, layout.SEAT_COUNT)
        outcome += layout.FIRST_SEAT
    else:
        drawn = next_below(rng, int(state[layout.BAG_LEFT]))
        outcome = layout.DRAW
        while drawn >= state[layout.BAG + outcome - layout.DRAW]:
            drawn -= int(state[layout.BAG + outcome - layout.DRAW])
            outcome += 1
    apply(state, outcome)


@kernel
def play_greedy_matches(
    start: StateArray, state: StateArray, buffer: Scratch, rows: Rows, rng: RandomArray, count: int
) -> int:
    """Play matches between greedy players from a full state; return the number of turns.

    ``state``, ``buffer`` and ``rows`` (one row is enough) are working memory; ``state`` holds the
    last final position.
    """
    turns = 0
    for _ in range(count):
        copy_state(start, state)
        mover = to_move(state)
        while mover != OVER:
            if mover == CHANCE:
                play_chance(state, rng)
            else:
                play_greedy_turn(state, buffer, rows, rng)
                turns += 1
            mover = to_move(state)
    return turns
