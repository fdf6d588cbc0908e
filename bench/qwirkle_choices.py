"""How good Qwirkle's choices of a turn are, by the number of rollouts and their horizon.

python -m bench.qwirkle_choices --positions 60 --worlds 400
python -m bench.qwirkle_choices --nodes 4000 --horizons 2 4 6 --judged 12

Matches are a blunt measure: luck hides differences of a few points. Here the same positions are
given to searches with few and with many rollouts, short and long ones. What a choice is worth is
then measured in worlds that no search has seen, with longer rollouts, and compared with the turn
that is best in as many other worlds, and with the choice of the first search.
"""

from __future__ import annotations

import argparse
import random
import statistics

import numpy as np

import watermeet as wm
from watermeet.core.contract import FloatArray
from watermeet.core.evaluation import NO_ACTION
from watermeet.core.rng import seeded_many
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.players import choose_greedily
from watermeet.search.binding import bind
from watermeet.search.limits import Limits
from watermeet.search.turns import (
    HORIZON,
    MAX_LENGTH,
    Turn,
    TurnSearch,
    find_turns,
    judge_turns,
    make_workspace,
)

CANDIDATES = 20
LEAST_BAG = 18
GAME = wm.game("qwirkle")


def positions(count: int) -> list[wm.State]:
    """Positions of greedy matches in which a turn begins, as the mover knows them."""
    found = list[wm.State]()
    rng = random.Random("choices")
    while len(found) < count:
        state = GAME.start().sample(rng)
        for _ in range(rng.randrange(2, 36)):
            mover = state.to_move
            while state.to_move == mover:
                state = state.play(choose_greedily(state, rng))
            state = state.sample(rng)
            if state.to_move < 0 or state.array[layout.BAG_LEFT] <= LEAST_BAG:
                break
        else:
            found.append(state.conceal(state.to_move))
    return found


def values(
    known: wm.State, turns: list[Turn], worlds: int, seed: object, horizon: int
) -> FloatArray:
    """The mover's mean return after each turn, all in the same worlds."""
    lines = np.full((len(turns), MAX_LENGTH), NO_ACTION, dtype=np.int32)
    for index, turn in enumerate(turns):
        lines[index, : len(turn.actions)] = turn.actions
    work = make_workspace(GAME)
    order = np.arange(len(turns), dtype=np.int32)
    columns = GAME.seats + 1
    seeds = seeded_many(worlds * columns, seed).reshape(worlds, columns)
    judge = bind(GAME, judge_turns, use_evaluation=True)
    array = known.array.copy()
    judge(work, lines, order, len(turns), array, known.to_move, seeds, horizon)
    means: FloatArray = work.sums[: len(turns)] / worlds
    return means


def main() -> None:
    """Prints what choices give away, in percentage points of the score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--worlds", type=int, default=400)
    parser.add_argument("--nodes", type=int, nargs="+", default=[100, 400, 1600])
    parser.add_argument("--horizons", type=int, nargs="+", default=[HORIZON])
    parser.add_argument("--judged", type=int, default=2 * HORIZON, help="turns of long rollouts")
    chosen = parser.parse_args()
    searches = {
        horizon: TurnSearch(GAME, candidates=CANDIDATES, horizon=horizon, seed="choices")
        for horizon in chosen.horizons
    }
    settings = [(0, 0), *((each, nodes) for nodes in chosen.nodes for each in searches)]
    given = {setting: list[float]() for setting in settings}
    for number, known in enumerate(positions(chosen.positions)):
        turns = find_turns(known, CANDIDATES)
        best = int(values(known, turns, chosen.worlds, ("best", number), chosen.judged).argmax())
        worth = values(known, turns, chosen.worlds, ("worth", number), chosen.judged)
        actions = [turn.actions for turn in turns]
        for (horizon, nodes), losses in given.items():
            choice = 0
            if nodes > 0:
                choice = actions.index(searches[horizon].search(known, Limits(nodes=nodes)).pv)
            losses.append(50.0 * float(worth[best] - worth[choice]))
    first = given[settings[1]]
    for (horizon, nodes), losses in given.items():
        gained = [before - after for before, after in zip(first, losses, strict=True)]
        print(
            f"{nodes} rollouts of {horizon} turns: gives away {_mean(losses)} percentage points a "
            f"turn, {_mean(gained)} less than the first search"
        )


def _mean(numbers: list[float]) -> str:
    half = 1.96 * statistics.stdev(numbers) / len(numbers) ** 0.5
    return f"{statistics.mean(numbers):.2f} ± {half:.2f}"


if __name__ == "__main__":
    main()
