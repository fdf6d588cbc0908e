"""A Monte Carlo player of Qwirkle that shares nothing with our search: the yardstick for it.

It judges whole turns: the best by points, and two trades. All are tried in the same sampled worlds,
in which every seat also draws the same tiles; greedy players continue for some turns, to the end
once the bag is small; and again and again the worse half of the turns is dropped. It thinks once a
turn, and then plays what it decided.

    watermeet arena qwirkle sea "exec:python -m bench.outsiders.qwirkle_turns 0.2" --matches 200

The argument is the CPU time for a turn; without it, the limit that the arena sets for a move.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from typing import Any

import numpy as np

import watermeet as wm
from watermeet.core.contract import CHANCE, OVER, ActionArray, RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.rng import seeded, seeded_many
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.greedy import play_chance, play_greedy_turn
from watermeet.games.qwirkle.placements import BUFFER_COLUMNS, BUFFER_ROWS, ROW, Rows, Scratch
from watermeet.games.qwirkle.rules import apply, points_of, resample, to_move
from watermeet.games.qwirkle.tiles import colour_set, hand_kinds, shape_set, size_of
from watermeet.games.qwirkle.turns import whole_turns

CANDIDATES = 32
HORIZON = 4
"""Turns that are played after the candidate while the bag holds more than SMALL_BAG tiles."""
SMALL_BAG = 18
WIN = 15.0
"""What winning is worth, in points, at the end of a match."""
BATCH = 8


@kernel
def judge(
    known: StateArray, line: ActionArray, length: int, seeds: RandomArray, horizon: int,
    state: StateArray, buffer: Scratch, rows: Rows,
    rng: RandomArray, draws: RandomArray,
) -> float:  # fmt: skip
    """The mean lead of the mover after a turn, in one sampled world for each seed."""
    seat, total = to_move(known), 0.0
    for world in range(len(seeds)):
        rng[0] = seeds[world]
        resample(known, seat, rng, state)
        for each in range(len(draws)):  # Each seat has draws of its own.
            draws[each] = rng[0] + np.uint64(each)
        for index in range(length):
            apply(state, line[index])
        turns, mover = 0, to_move(state)
        while mover == CHANCE or (mover != OVER and turns < horizon):
            if mover == CHANCE:
                drawer = int(state[layout.MOVER])
                play_chance(state, draws[drawer : drawer + 1])
            else:
                play_greedy_turn(state, buffer, rows, rng)
                turns += 1
            mover = to_move(state)
        best = -1000
        for other in range(int(state[layout.SEATS])):
            if other != seat:
                best = max(best, points_of(state, other))
        lead = points_of(state, seat) - best
        total += lead
        if mover == OVER:
            total += WIN * (int(lead > 0) - int(lead < 0))
    return total / len(seeds)


def candidates(state: wm.State) -> list[list[int]]:
    """The turns to judge, as actions."""
    lines = [list(turn.moves) for turn in whole_turns(state)[:CANDIDATES]]
    found = []
    for line in lines:
        after, actions = state, []
        for move in line:
            actions.append(after.parse_move(move))
            after = after.play(actions[-1])
        found.append(actions)
    seat = state.to_move
    if any(layout.TRADE <= action < layout.END for action in state.legal_actions):
        kinds = hand_kinds(state.array.copy(), seat)
        sets = [kinds & chosen(each) for each in range(36) for chosen in (colour_set, shape_set)]
        for kept in {0, max(sets, key=size_of)}:
            found.append(trade(state, kept))
    return found or [[state.legal_actions[0]]]


def trade(state: wm.State, kept: int) -> list[int]:
    """Trade all tiles but one of each kept kind, as far as the bag allows."""
    actions: list[int] = []
    first = layout.HANDS + layout.HAND * state.to_move
    while True:
        hand, chosen = state.array[first : first + layout.HAND], None
        for action in state.legal_actions:
            if layout.TRADE <= action < layout.END and chosen is None:
                tile = int(hand[action - layout.TRADE])
                others = int(np.sum(hand == tile)) > 1
                if others or not (kept >> (tile - 1)) & 1:
                    chosen = action
        if chosen is None:
            return [*actions, layout.END] if actions else trade(state, 0)
        actions.append(chosen)
        state = state.play(chosen)


def parse(game: wm.Game, text: str, seat: int) -> wm.State:
    """A state from its text with ``??`` for unknown tiles: any deal of them, concealed again."""
    tiles = [f"{colour}{shape}" for colour in "ROYGBP" for shape in "cxdsbv"] * layout.COPIES
    for tile in re.findall(r"[ROYGBP][cxdsbv]", text):
        tiles.remove(tile)
    while True:
        random.shuffle(tiles)
        full = text
        for tile in tiles:
            full = full.replace("??", tile, 1)
        try:
            return game.parse(full).conceal(seat)
        except wm.InvalidNotation:
            continue  # The first player has the largest set.


class Player:
    """Chooses turns, and remembers the rest of the one it plays."""

    def __init__(self, game: wm.Game, seconds: float | None) -> None:
        self.game, self.seconds, self.rest = game, seconds, list[int]()
        self.worlds = 0
        self.memory = (
            np.zeros(game.sizes.state, dtype=game.dtype),
            np.zeros((BUFFER_ROWS, BUFFER_COLUMNS), dtype=np.int64),
            np.zeros((1, ROW), dtype=np.int16),
            seeded(0),
            np.zeros(layout.SEAT_COUNT, dtype=np.uint64),
        )

    def choose(self, state: wm.State, seconds: float) -> int:
        """The next action."""
        if not self.rest:
            self.rest = self.best(state, self.seconds or seconds)
        return self.rest.pop(0)

    def best(self, state: wm.State, seconds: float) -> list[int]:
        """The best turn by sequential halving."""
        began = time.thread_time()
        lines = [np.array(line, dtype=np.int32) for line in candidates(state)]
        known = state.array.copy()
        horizon = HORIZON if known[layout.BAG_LEFT] > SMALL_BAG else 1000
        totals, counts = np.zeros(len(lines)), np.zeros(len(lines))
        alive = list(range(len(lines)))
        rounds = max(1, (len(lines) - 1).bit_length())
        left = time.thread_time() - began
        for each in range(rounds if len(lines) > 1 else 0):
            until = began + left + (seconds - left) * (each + 1) / rounds
            while True:
                self.worlds += 1
                seeds = seeded_many(BATCH, self.worlds).reshape(-1)
                for index in alive:
                    line = lines[index]
                    totals[index] += judge(known, line, len(line), seeds, horizon, *self.memory)
                    counts[index] += 1
                if time.thread_time() >= until:
                    break
            alive.sort(key=lambda index: -totals[index] / counts[index])
            alive = alive[: (len(alive) + 1) // 2]
        return lines[alive[0]].tolist()  # type: ignore[no-any-return]


def main() -> None:
    """Reply line by line."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else None
    player: Player | None = None
    for line in sys.stdin:
        message: dict[str, Any] = json.loads(line)
        if message["type"] == "hello":
            game = wm.game(message["game"]).with_options(**message["options"])
            player = Player(game, seconds)
            print(json.dumps({"type": "ready", "name": "flat Monte Carlo"}), flush=True)
        elif message["type"] == "begin" and player is not None:
            player.rest, player.worlds = [], int(seeded(message["seed"])[0] >> np.uint64(33))
        elif message["type"] == "choose" and player is not None:
            state = parse(player.game, message["state"], message["seat"])
            move = state.format(player.choose(state, message["seconds"] or 1.0))
            print(json.dumps({"type": "choice", "id": message["id"], "move": move}), flush=True)
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
