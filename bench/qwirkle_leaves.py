"""What the tiles in a hand are worth in Qwirkle: a least-squares fit to how greedy matches end.

python -m bench.qwirkle_leaves --matches 3000

For every turn of a match it counts the pairs of tiles in both hands that share a colour or a shape,
and those that are equal, and fits the points that the mover makes from there to the end, less those
of the opponent.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

import watermeet as wm
from watermeet.core.contract import CHANCE, OVER, StateArray
from watermeet.core.rng import seeded
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.greedy import play_chance, play_greedy_turn
from watermeet.games.qwirkle.placements import BUFFER_COLUMNS, BUFFER_ROWS, ROW
from watermeet.games.qwirkle.rules import points_of, to_move

NAMES = ("to move", "own fitting pair", "own equal pair", "other's fitting", "other's equal")


def pairs(state: StateArray, seat: int) -> tuple[int, int]:
    """The fitting and the equal pairs in a hand."""
    first = layout.HANDS + layout.HAND * seat
    hand = [tile - 1 for tile in state[first : first + layout.HAND].tolist() if tile > 0]
    fitting, equal = 0, 0
    for one, other in itertools.combinations(hand, 2):
        equal += one == other
        fitting += one != other and (one // 6 == other // 6 or one % 6 == other % 6)
    return fitting, equal


def play(start: StateArray, seed: object) -> list[tuple[float, ...]]:
    """The features of each turn of a greedy match, and the difference of the points to come."""
    state, rng = start.copy(), seeded(seed)
    buffer = np.zeros((BUFFER_ROWS, BUFFER_COLUMNS), dtype=np.int64)
    rows, turns = np.zeros((1, ROW), dtype=np.int16), list[tuple[int, int, tuple[int, ...]]]()
    while (mover := to_move(state)) != OVER:
        if mover == CHANCE:
            play_chance(state, rng)
            continue
        if state[layout.BAG_LEFT] > 0 and state[layout.COUNT] > 0:
            lead = int(points_of(state, mover)) - int(points_of(state, 1 - mover))
            turns.append((mover, lead, (*pairs(state, mover), *pairs(state, 1 - mover))))
        play_greedy_turn(state, buffer, rows, rng)
    final = int(points_of(state, 0)) - int(points_of(state, 1))
    return [
        (1.0, *features, (final if mover == 0 else -final) - lead)
        for mover, lead, features in turns
    ]


def main() -> None:
    """Prints what each pair is worth, in points."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--matches", type=int, default=3000)
    chosen = parser.parse_args()
    start = wm.game("qwirkle").start().array.copy()
    found = [np.array(play(start, ("leaves", each))) for each in range(chosen.matches)]
    table = np.concatenate(found)
    given, wanted = table[:, :-1], table[:, -1]
    fit = np.linalg.lstsq(given, wanted, rcond=None)[0]
    # Turns of a match aren't independent: the errors are by match.
    inverse = np.linalg.inv(given.T @ given)
    pulls = np.array([each[:, :-1].T @ (each[:, -1] - each[:, :-1] @ fit) for each in found])
    errors = np.sqrt(np.diag(inverse @ (pulls.T @ pulls) @ inverse))
    print(f"{len(table)} turns")
    for name, worth, error in zip(NAMES, fit, errors, strict=True):
        print(f"{name}: {worth:+.2f} ± {1.96 * error:.2f} points")


if __name__ == "__main__":
    main()
