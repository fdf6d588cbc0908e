"""Random matches by native code, whose checksums a game's WebAssembly module must repeat.

    python -m tests.web.engine_traces [--matches 1000] [--only-defaults] [--node PATH] GAME...

plays that many matches of each game and set of options, here and in Node.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import watermeet as wm
from watermeet.core.game import Game
from watermeet.server.engines import built_file
from watermeet.testing.matches import option_sets
from watermeet.testing.traces import seed_of, trace

SCRIPT = Path(__file__).with_name("engine_trace.js").read_text(encoding="utf-8")
_RUN = """
const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
console.log(JSON.stringify(trace(module, JSON.parse(require('fs').readFileSync(0)))));
"""
SEED = "engine"
Run = Callable[[dict[str, Any]], Any]
"""Has ``trace`` of the script play with these arguments."""


def compare(game: Game, matches: int, run: Run) -> None:
    """Play matches natively and elsewhere; raise AssertionError where they differ first."""
    given = {
        "options": [int(each) for each in game.kernels.options],
        "size": game.sizes.state,
        "identity": game.sizes.identity,
        "action_count": game.sizes.actions,
        "seats": game.seats,
        "steps": False,
    }
    rngs = [seed_of(game, SEED, match) for match in range(matches)]
    expected = [trace(game, rng, everything=False)[-1] for rng in rngs]
    found = run(given | {"seeds": [str(rng[0]) for rng in rngs]})
    for match, rng in enumerate(rngs):
        if found[match] != expected[match]:
            steps = game.sizes.max_length + 1
            natively = trace(game, rng, everything=False, steps=steps)[:-1]
            (elsewhere,) = run(given | {"seeds": [str(rng[0])], "steps": True})
            pairs = enumerate(zip(natively, elsewhere, strict=False))
            step = next((step for step, (a, b) in pairs if a != b), "the end")
            raise AssertionError(f"{game.describe()}: match {match} differs at step {step}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Hold modules against native code.")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--only-defaults", action="store_true")
    parser.add_argument("--node", default="node")
    chosen = parser.parse_args()
    for name in chosen.games:
        file = built_file(name)
        assert file is not None, "there is a folder for compiled code"
        command = [chosen.node, "-e", SCRIPT + _RUN, str(file)]

        def run(given: dict[str, Any], command: list[str] = command) -> Any:
            text = json.dumps(given)
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
            return json.loads(done.stdout)

        for options in option_sets(wm.game(name))[: 1 if chosen.only_defaults else None]:
            game, started = wm.game(name, **options), time.monotonic()
            compare(game, chosen.matches, run)
            took = time.monotonic() - started
            sys.stdout.write(f"{game.describe()}: {chosen.matches} matches, {took:.1f} s\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
