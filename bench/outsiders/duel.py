"""Two players of Qwirkle against each other, with the CPU time that each takes for a turn.

    python -m bench.outsiders.duel sea:nodes=450:solver_nodes=20000 outsider:0.02 --pairs 50

A player is a bot's spec, or ``outsider:SECONDS``. A pair is two matches with the seats exchanged,
in which chance gives each seat the same random numbers. On a busy machine, limits of time are
unfair to whoever counts them by the clock; here both play in one process, by nodes or CPU time.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import watermeet as wm
from bench.outsiders.qwirkle_turns import Player
from watermeet.bots.specs import make_bot
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.rules import points_of

GAME = wm.game("qwirkle")


class Timed:
    """A player, with the CPU time that it has used."""

    def __init__(self, spec: str) -> None:
        self.spec, self.seconds, self.turns = spec, 0.0, 0
        self._choose: Callable[[wm.State], int]
        if spec.startswith("outsider:"):
            outsider = Player(GAME, float(spec.partition(":")[2]))
            self._choose = lambda state: outsider.choose(state, 1.0)
        else:
            bot = make_bot(GAME, spec)
            self._choose = lambda state: bot.play(state).action

    def __call__(self, state: wm.State) -> int:
        before = time.process_time()
        action = self._choose(state)
        self.seconds += time.process_time() - before
        self.turns += int(state.array[layout.LAID] == 0 and state.array[layout.ASIDE] == 0)
        return action


def play(players: list[Timed], seed: object) -> int:
    """Play a match; return the margin of the first player."""
    chance = [random.Random(repr((seed, seat))) for seat in range(2)]
    state = GAME.start()
    while state.to_move != wm.OVER:
        mover = state.to_move
        if mover == wm.CHANCE:
            # The first two hands are dealt before anybody plays, one after the other.
            seat = min(int(state.array[layout.MOVER]), 1)
            weights = [weight for _, weight in state.chance_outcomes]
            action = chance[seat].choices(state.legal_actions, weights)[0]
        else:
            action = players[mover](state.conceal(mover))
        state = state.play(action)
    array = state.array.copy()
    return int(points_of(array, 0)) - int(points_of(array, 1))


def main() -> None:
    """Play pairs of matches until the time is up, and print what they say."""
    parser = argparse.ArgumentParser(prog="python -m bench.outsiders.duel")
    parser.add_argument("players", nargs=2)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1e9, help="start no pair after this")
    parser.add_argument("--seed", default="0")
    chosen = parser.parse_args()
    one, other = map(Timed, chosen.players)
    play([one, other], "compile")
    for each in (one, other):
        each.seconds, each.turns = 0.0, 0
    started, scores, margins = time.monotonic(), list[float](), list[float]()
    while len(scores) < chosen.pairs and time.monotonic() < started + chosen.seconds:
        seed = (chosen.seed, len(scores))
        pair = play([one, other], seed), -play([other, one], seed)
        scores.append(statistics.mean((margin > 0) + (margin == 0) / 2 for margin in pair))
        margins.append(statistics.mean(pair))
    half = 1.96 / len(scores) ** 0.5
    print(
        f"{one.spec} against {other.spec}: {2 * len(scores)} matches, "
        f"{statistics.mean(scores):.1%} ± {half * statistics.stdev(scores):.1%}, "
        f"{statistics.mean(margins):+.1f} ± {half * statistics.stdev(margins):.1f} points a match; "
        f"CPU time a turn {1000 * one.seconds / one.turns:.0f} and "
        f"{1000 * other.seconds / other.turns:.0f} ms"
    )


if __name__ == "__main__":
    main()
