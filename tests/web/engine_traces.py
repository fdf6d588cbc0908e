"""Random matches by Python's kernels, with checksums that a game's WebAssembly module must repeat.

    python -m tests.web.engine_traces [--matches 1000] [--only-defaults] [--node PATH] GAME...

plays that many matches of each game and set of options, and has Node replay them.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np

import watermeet as wm
from watermeet.core.binding import complete_kernels
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.game import Game
from watermeet.server.engines import built_file
from watermeet.testing.matches import option_sets

BATCH = 100
REPLAY = Path(__file__).with_name("engine_replay.js")
_RUN = """
const matches = JSON.parse(require('fs').readFileSync(0));
const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
console.log(JSON.stringify(replay(module, matches)));
"""


def play(game: Game, rng: random.Random) -> tuple[dict[str, Any], list[int]]:
    """A random match as the module is to replay it, and a checksum after every action."""
    kernels, sizes = complete_kernels(game) | game.evaluation.by_name, game.sizes
    state, other = game.start_array(), game.start_array()
    legal, floats = np.zeros(sizes.actions, np.int32), np.zeros(sizes.actions)
    returns = np.zeros(game.seats)
    actions: list[int] = []
    sums: list[int] = []
    total = 0
    while True:
        mover = int(kernels["to_move"](state))
        count = int(kernels["legal"](state, legal))
        pieces = [np.int32(mover).tobytes(), state.tobytes(), legal[:count].tobytes()]
        kernels["score" if mover == OVER else "evaluate"](state, returns)
        pieces.append(returns.tobytes())
        if mover != OVER:
            if mover == CHANCE:
                kernels["chance"](state, floats)
            else:
                kernels["priors"](state, legal, count, floats)
            pieces.append(floats[:count].tobytes())
            for seat in range(-1, game.seats):
                kernels["conceal"](state, seat, other)
                pieces.append(other.tobytes())
            if sizes.cache:
                other[: sizes.identity] = state[: sizes.identity]
                kernels["rebuild_cache"](other)
                pieces.append(other.tobytes())
        total = zlib.crc32(b"".join(pieces), total)
        sums.append(total - (1 << 32) if total >> 31 else total)
        if mover == OVER:
            break
        weights = floats[:count].tolist() if mover == CHANCE else None
        actions.append(int(rng.choices(legal[:count].tolist(), weights)[0]))
        kernels["apply"](state, actions[-1])
    match = {
        "options": [int(each) for each in game.kernels.options],
        "size": sizes.state,
        "cache": sizes.cache,
        "action_count": sizes.actions,
        "seats": game.seats,
        "actions": actions,
    }
    return match, sums


def difference(expected: list[list[int]], found: list[list[int]]) -> str:
    """Where a module first computes something else; empty if it doesn't."""
    for index, (one, other) in enumerate(zip(expected, found, strict=True)):
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            ply = next((ply for ply, (a, b) in pairs if a != b), min(len(one), len(other)))
            return f"match {index} differs after {ply} actions"
    return ""


def replay_in_node(node: str, module: Path, matches: list[dict[str, Any]]) -> list[list[int]]:
    """The checksums that a module computes."""
    command = [node, "-e", REPLAY.read_text(encoding="utf-8") + _RUN, str(module)]
    given = json.dumps(matches)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[int]] = json.loads(done.stdout)
    return found


def compare(name: str, matches: int, node: str, *, only_defaults: bool) -> None:
    """Play and replay that many matches with each set of options; raise where they differ."""
    file = built_file(name)
    assert file is not None, "there is a folder for compiled code"
    for options in option_sets(wm.game(name))[: 1 if only_defaults else None]:
        game, rng, started = wm.game(name, **options), random.Random(name), time.monotonic()
        actions = 0
        for first in range(0, matches, BATCH):
            played = [play(game, rng) for _ in range(min(BATCH, matches - first))]
            found = replay_in_node(node, file, [match for match, _ in played])
            problem = difference([sums for _, sums in played], found)
            assert not problem, f"{game.describe()}: {problem}"
            actions += sum(len(match["actions"]) for match, _ in played)
        took = time.monotonic() - started
        what = f"{game.describe()}: {matches} matches, {actions} actions, {took:.0f} s"
        sys.stdout.write(f"{what}\n")
        sys.stdout.flush()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Hold modules against Python's kernels.")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--only-defaults", action="store_true")
    parser.add_argument("--node", default="node")
    chosen = parser.parse_args()
    for name in chosen.games:
        compare(name, chosen.matches, chosen.node, only_defaults=chosen.only_defaults)


if __name__ == "__main__":
    main()
