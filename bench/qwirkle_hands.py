"""What an opponent's last turn says about the hand they kept, and what knowing that is worth.

python -m bench.qwirkle_hands --matches 40 --positions 300

Who could have scored more with a tile doesn't hold it. So the worlds in which the last turn was far
from the best one are less likely: by exp(-missed points / TEMPERATURE), but never by more than
FLOOR. The state remembers the tiles of the last turn, so nothing else is needed. Printed are:

- how much likelier these worlds make the hand that was really kept, in nats;
- how often a search that samples them chooses another turn, and what that one is worth more, in
  such worlds. That assumes the model to be right: it is a bound for what the inference can gain.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import watermeet as wm
from watermeet.core.contract import RandomArray, StateArray
from watermeet.core.evaluation import NO_ACTION
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below, seeded, seeded_many
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.grid import laid_points
from watermeet.games.qwirkle.placements import (
    BUFFER_COLUMNS,
    BUFFER_ROWS,
    ROW,
    Rows,
    Scratch,
    list_turns,
)
from watermeet.games.qwirkle.rules import rebuild_cache, resample
from watermeet.games.qwirkle.tiles import add_tile, hand_size
from watermeet.search.binding import bind
from watermeet.search.limits import Limits
from watermeet.search.result import SearchResult
from watermeet.search.turns import MAX_LENGTH, TurnSearch, judge_turns, make_workspace

GAME = wm.game("qwirkle")
TEMPERATURE, FLOOR = 0.7, 0.05
SAMPLES = 200
TO_THE_END = 18
"""With fewer tiles in the bag, choices are judged at the end of the match."""


class Memory(NamedTuple):
    """Working memory."""

    world: StateArray
    state: StateArray
    buffer: Scratch
    rows: Rows


MEMORY = Memory(
    np.zeros(GAME.sizes.state, dtype=GAME.dtype),
    np.zeros(GAME.sizes.state, dtype=GAME.dtype),
    np.zeros((BUFFER_ROWS, BUFFER_COLUMNS), dtype=np.int64),
    np.zeros((1, ROW), dtype=np.int16),
)


class LastTurn(NamedTuple):
    """A placement, and the state before it, in which the hand has only the tiles placed."""

    before: StateArray
    seat: int
    tiles: int
    points: int


def last_turn(known: StateArray) -> LastTurn | None:
    """The previous turn, if it was a placement; a turn begins in ``known``."""
    array, tiles, count = known.copy(), int(known[layout.LAST]), int(known[layout.COUNT])
    if tiles == 0:
        return None
    array[layout.LAID] = tiles
    points = int(laid_points(array))
    seat = (int(array[layout.MOVER]) - 1) % int(array[layout.SEATS])
    hand = layout.HANDS + layout.HAND * seat
    array[hand : hand + layout.HAND] = 0
    for tile in array[layout.TILES + count - tiles : layout.TILES + count].tolist():
        add_tile(array, hand, tile)
    array[layout.COUNT], array[layout.LAID], array[layout.MOVER] = count - tiles, 0, seat
    rebuild_cache(array)
    return LastTurn(array, seat, tiles, points)


@kernel
def missed_points(
    before: StateArray, seat: int, tiles: int, points: int, rng: RandomArray, memory: Memory
) -> int:
    """How much more the last turn could have scored, had some of the world's hand been kept."""
    world, state = memory.world, memory.state
    copy_state(before, state)
    hand, left = layout.HANDS + layout.HAND * seat, hand_size(world, seat)
    kept = min(left, layout.HAND - tiles)
    for slot in range(hand_size(world, seat)):
        if next_below(rng, left) < kept:  # The others were drawn later: any are as likely.
            add_tile(state, hand, int(world[hand + slot]))
            kept -= 1
        left -= 1
    list_turns(state, memory.buffer, memory.rows, True, rng)
    return int(memory.rows[0, 0]) - points


@kernel
def missed_in_worlds(
    known: StateArray, before: StateArray, seat: int, tiles: int, points: int,
    seeds: npt.NDArray[np.uint64], memory: Memory, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write the missed points in the world of each seed; each seed is changed."""
    for index in range(len(seeds)):
        resample(known, int(known[layout.MOVER]), seeds[index], memory.world)
        out[index] = missed_points(before, seat, tiles, points, seeds[index], memory)


def likelihood(missed: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """How likely a turn is that misses some points, compared with the best one."""
    likely = FLOOR + (1.0 - FLOOR) * np.exp(-np.maximum(missed, 0) / TEMPERATURE)
    return np.asarray(likely, dtype=np.float64)


class Guesser(TurnSearch):
    """The search, in worlds that are as likely as the last turn makes them."""

    turn: LastTurn | None = None
    known: StateArray

    def search(self, state: wm.State, limits: Limits) -> SearchResult:
        """Search in worlds that the last turn makes likely."""
        self.known = state.conceal(state.to_move).array.copy()
        self.turn = last_turn(self.known)
        return super().search(state, limits)

    def new_seeds(self, count: int) -> npt.NDArray[np.uint64]:
        """The seeds of accepted worlds, by rejection sampling."""
        if self.turn is None or count == 0:
            return super().new_seeds(count)
        found = list[npt.NDArray[np.uint64]]()
        while sum(map(len, found)) < count:
            seeds = super().new_seeds(2 * count).copy()
            hidden = seeds[:, -1:].copy()
            missed = np.zeros(len(seeds), dtype=np.int64)
            missed_in_worlds(self.known, *self.turn, hidden, MEMORY, missed)
            drawn = np.array([next_below(each, 1 << 20) for each in hidden]) / (1 << 20)
            found.append(seeds[drawn < likelihood(missed)])
        return np.ascontiguousarray(np.concatenate(found)[:count])


def play_matches(count: int, nodes: int) -> list[list[wm.State]]:
    """The full states of matches in which turns begin."""
    rng, search = random.Random("hands"), TurnSearch(GAME, seed="hands")
    matches = list[list[wm.State]]()
    for _ in range(count):
        state, turns = GAME.start().sample(rng), list[wm.State]()
        while state.to_move >= 0:
            turns.append(state)
            found = search.search(state.conceal(state.to_move), Limits(nodes=nodes))
            state = state.play_all(found.pv).sample(rng)
        matches.append(turns)
    return matches


def information(previous: wm.State, state: wm.State, seed: object) -> float:
    """How much likelier the inference makes the hand that was really kept, in nats."""
    known = state.conceal(state.to_move).array.copy()
    turn = last_turn(known)
    assert turn is not None
    full = turn.before.copy()
    hand = layout.HANDS + layout.HAND * turn.seat
    full[hand : hand + layout.HAND] = previous.array[hand : hand + layout.HAND]
    list_turns(full, MEMORY.buffer, MEMORY.rows, True, seeded(0))
    true = likelihood(np.array([MEMORY.rows[0, 0] - turn.points], dtype=np.int64))
    missed = np.zeros(SAMPLES, dtype=np.int64)
    missed_in_worlds(known, *turn, seeded_many(SAMPLES, seed).reshape(-1, 1), MEMORY, missed)
    return float(np.log(true[0] / likelihood(missed).mean()))


def gain(state: wm.State, plain: TurnSearch, guesser: Guesser, nodes: int, worlds: int) -> float:
    """What the guesser's turn is worth more, in percentage points; 0 if both choose the same."""
    known = state.conceal(state.to_move)
    choices = [each.search(known, Limits(nodes=nodes)).pv for each in (plain, guesser)]
    if choices[0] == choices[1]:
        return 0.0
    lines = np.full((2, MAX_LENGTH), NO_ACTION, dtype=np.int32)
    for row, choice in enumerate(choices):
        lines[row, : len(choice)] = choice
    work, order = make_workspace(GAME), np.arange(2, dtype=np.int32)
    horizon = 4 if known.array[layout.BAG_LEFT] > TO_THE_END else 1 << 30
    judge = bind(GAME, judge_turns)
    seeds = guesser.new_seeds(worlds)
    judge(work, lines, order, 2, known.array.copy(), known.to_move, seeds, horizon)
    return float(50.0 * (work.sums[1] - work.sums[0]) / worlds)


def main() -> None:
    """Prints both measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--worlds", type=int, default=1000)
    chosen = parser.parse_args()
    pairs = [
        (previous, state)
        for turns in play_matches(chosen.matches, 400)
        for previous, state in itertools.pairwise(turns)
        if state.array[layout.LAST] > 0 and state.array[layout.BAG_LEFT] > 0
    ]
    nats = [information(*pair, number) for number, pair in enumerate(pairs)]
    half = 1.96 * statistics.stdev(nats) / len(nats) ** 0.5
    print(f"{len(nats)} hands: {statistics.mean(nats):.3f} ± {half:.3f} nats", flush=True)
    random.Random("positions").shuffle(pairs)
    plain, guesser = TurnSearch(GAME, horizon=4, seed="gain"), Guesser(GAME, horizon=4, seed="gain")
    gains = [
        gain(state, plain, guesser, chosen.nodes, chosen.worlds)
        for _, state in pairs[: chosen.positions]
    ]
    half = 1.96 * statistics.stdev(gains) / len(gains) ** 0.5
    print(
        f"{len(gains)} positions: another turn in {sum(each != 0.0 for each in gains)}, "
        f"{statistics.mean(gains):.3f} ± {half:.3f} percentage points a turn"
    )


if __name__ == "__main__":
    main()
