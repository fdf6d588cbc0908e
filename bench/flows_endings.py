"""Solves the last placements of Flows exactly, and measures what a bot loses there.

python -m bench.flows_endings --cells 6 --positions 30 --bot sea:nodes=1000

The value is the expected return, over all draws, if every team plays for itself alone: exact for
two teams, who have opposite aims; with more it is the value of maxn, where ties go to the lowest
action. Positions come from matches of `stream` against itself: from each, the first with this many
empty cells or fewer, with a choice.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

import numpy as np

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.games.flows import layout

Returns = tuple[float, ...]


class TooManyNodes(Exception):
    """The limit is reached."""


class Solver:
    """Expectimax with a memory of all positions, whatever the order of placements."""

    def __init__(self, node_limit: int) -> None:
        self.nodes, self.limit = 0, node_limit
        self._known: dict[wm.State, Returns] = {}

    def returns(self, state: wm.State) -> Returns:
        """The expected return of each seat."""
        if state.outcome is not None:
            return state.outcome.returns
        if state not in self._known:
            self.nodes += 1
            if self.nodes > self.limit:
                raise TooManyNodes
            self._known[state] = self._search(state)
        return self._known[state]

    def _search(self, state: wm.State) -> Returns:
        if state.to_move == wm.CHANCE:
            expected = np.zeros(state.game.seats)
            for outcome, probability in state.chance_outcomes:
                expected += probability * np.array(self.returns(state.play(outcome)))
            return tuple(expected.tolist())
        best: Returns | None = None
        for action in state.legal_actions:
            after = self.returns(state.play(action))
            if best is None or after[state.to_move] > best[state.to_move] + 1e-12:
                best = after
            if best[state.to_move] >= state.game.returns_range[1]:
                break  # A certain win.
        assert best is not None, "a seat to move has a legal action"
        return best

    def values(self, state: wm.State) -> dict[int, float]:
        """The expected return of the mover after each action."""
        mover = state.to_move
        return {action: self.returns(state.play(action))[mover] for action in state.legal_actions}


def empty_cells(state: wm.State) -> int:
    """How many cells have no tile."""
    cells = state.array[layout.CELLS : layout.CELLS + 37]
    return int((cells == 0).sum())


def endings(seats: int, cells: int) -> Iterator[wm.State]:
    """Positions with at most this many empty cells, one from each match that has one."""
    game = wm.game("flows").with_options(seats=seats)
    bot = make_bot(game, "stream", seed=5)
    seed = 0
    while True:
        rng = random.Random(f"endings {seed}")
        state = game.start().sample(rng)
        bot.new_match(seed)
        seed += 1
        while state.to_move >= 0:
            if empty_cells(state) <= cells and len(state.legal_actions) > 1:
                yield state
                break
            state = state.play(bot.play(state.conceal(state.to_move)).action).sample(rng)


def main() -> None:
    """Prints a row for each position, and a summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--cells", type=int, default=6)
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--node-limit", type=int, default=200_000)
    parser.add_argument("--bot", default="sea:nodes=1000")
    parser.add_argument("--seconds", type=float, default=300, help="stop after that")
    chosen = parser.parse_args()
    begin = time.time()
    lost, nodes, spent, missed, decided = [], [], [], 0, 0
    bot = make_bot(wm.game("flows").with_options(seats=chosen.seats), chosen.bot, seed=1)
    for state, _ in zip(endings(chosen.seats, chosen.cells), range(chosen.positions), strict=False):
        if time.time() > begin + chosen.seconds:
            break
        solver, started = Solver(chosen.node_limit), time.thread_time()
        try:
            values = solver.values(state)
        except TooManyNodes:
            missed += 1
            continue
        spent.append(time.thread_time() - started)
        nodes.append(solver.nodes)
        best = max(values.values())
        decided += best - min(values.values()) < 1e-9
        action = bot.play(state.conceal(state.to_move)).action
        lost.append(best - values[action])
        print(
            f"{empty_cells(state)} empty, {len(values)} actions, {solver.nodes:,} nodes, "
            f"{spent[-1]:.2f} s, value {best:+.3f}, {chosen.bot} loses {lost[-1]:.3f}",
            flush=True,
        )
    print(
        f"{len(lost)} solved, {missed} beyond {chosen.node_limit:,} nodes; median "
        f"{np.median(nodes):,.0f} nodes, {np.median(spent):.2f} s, most {max(nodes):,} and "
        f"{max(spent):.2f} s; all actions equal in {decided}; {chosen.bot} plays best in "
        f"{sum(each < 1e-9 for each in lost)}, and loses {np.mean(lost):.4f} on average, "
        f"{max(lost):.3f} at most"
    )


if __name__ == "__main__":
    main()
