"""Measures the exact solver of Flows: how long it takes, and the hardest positions to be found.

python -m bench.flows_routes lists           all placements of a tile in positions of play
python -m bench.flows_routes hunt            hill climbing towards the hardest positions
python -m bench.flows_routes weaker          how often weaker readings of the rule are wrong

A position is written as after "board=" in the text of a state. With --write the tables become a
section of RESULTS.md.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import re
import time
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np

import watermeet as wm
from bench.report import machine, with_section
from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch
from watermeet.games.flows import layout
from watermeet.games.flows.benchmarks import (
    MIDDLE,
    greedy_turns,
    random_turns,
    tiles_on,
    timed_lists,
)
from watermeet.games.flows.exchanges import rebuild_ends
from watermeet.games.flows.placements import orientations_in_hand
from watermeet.games.flows.route_buffer import CLASHES_SEEN, SEARCH_SIZE, WANTED, start_search
from watermeet.games.flows.route_search import axes_without_route, find_route
from watermeet.games.flows.routes import find_clash, find_witness
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.tiles import ORIENTATIONS

RESULTS = Path(__file__).parent / "RESULTS.md"
TITLES = {
    "lists": "Flows: all exact placements of a tile, 12 to 24 tiles on the board, in milliseconds",
    "hunt": "Flows: the hardest boards that a hunt found, for a single question",
    "weaker": "Flows: how often weaker readings of the legality rule are wrong",
}
LIMITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, float("inf"))  # Milliseconds.
PATIENCE = 2500  # Changes without an improvement before the hunt restarts.


def main() -> None:
    """Runs one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("lists", "hunt", "weaker"))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    chosen = parser.parse_args()
    printer = {"lists": print_lists, "hunt": print_hunt, "weaker": print_weaker}[chosen.what]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        printer(chosen.seconds, random.Random(chosen.seed))
    print(printed.getvalue())
    if chosen.write:
        options = f"--seconds {chosen.seconds:g} --seed {chosen.seed}"
        command = f"`python -m bench.flows_routes {chosen.what} {options}`"
        heading = f"## {TITLES[chosen.what]}\n\n{command}; {machine()}."
        page = RESULTS.read_text(encoding="utf-8")
        section = f"{heading}\n\n{printed.getvalue().strip()}"
        RESULTS.write_text(with_section(page, f"flows {chosen.what}", section), encoding="utf-8")


def game_for(routes: int) -> wm.Game:
    """The game with two or three routes."""
    return wm.game("flows", seats=routes)


def rows_of(game: wm.Game, array: StateArray) -> str:
    """The tiles on the board, as in the text of a state."""
    board = array.copy()
    board[layout.STAGE] = layout.DRAW  # At the start no board is written.
    found = re.search(r"board=(\S+)", game.hooks.format_state(game, board))
    return found[1] if found else ""


# ---- lists ------------------------------------------------------------------------------------


def print_lists(seconds: float, rng: random.Random) -> None:
    """The time to list all placements of a tile in the middle of matches, as a histogram."""
    print("| routes | play | positions | median | p90 | p99 | p99.9 | slowest |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    histograms: list[tuple[str, list[float]]] = []
    slowest: dict[int, tuple[float, str]] = {}
    for routes in (2, 3):
        game = game_for(routes)
        for words, player in (("random", random_turns), ("greedy", greedy_turns)):
            times = []
            for spent, array in timed_lists(game, player, MIDDLE, seconds / 4):
                if spent > slowest.get(routes, (0.0, ""))[0]:
                    slowest[routes] = spent, game.hooks.format_state(game, array)
                times.append(spent)
            times.sort()
            marks = [times[int(part * len(times))] for part in (0.5, 0.9, 0.99, 0.999)]
            cells = " | ".join(f"{mark:.3f}" for mark in (*marks, times[-1]))
            print(f"| {routes} | {words} | {len(times):,} | {cells} |")
            histograms.append((f"{routes}, {words}", times))
    print("\n| milliseconds |", " | ".join(name for name, _ in histograms), "|")
    print("|---|", "---:|" * len(histograms), sep="")
    counts = [_histogram(times) for _, times in histograms]
    for limit, row in zip(LIMITS, zip(*counts, strict=True), strict=True):
        label = "more" if limit == LIMITS[-1] else f"up to {limit:g}"
        print(f"| {label} |", " | ".join(f"{share:.1%}" for share in row), "|")
    print()
    for routes, (spent, text) in slowest.items():
        print(f"The slowest with {routes} routes, {spent:.2f} ms: `{text}`.")


def _histogram(times: list[float]) -> list[float]:
    """The share of the times up to each limit and above the previous one."""
    ends = np.searchsorted(times, LIMITS, side="right")
    return [float(share) for share in np.diff(ends, prepend=0) / len(times)]


# ---- hunt -------------------------------------------------------------------------------------


def print_hunt(seconds: float, rng: random.Random) -> None:
    """Climbs from random boards by changing tiles, and prints the hardest boards."""
    worst: dict[tuple[int, bool], tuple[int, float, str]] = {}
    end = time.perf_counter() + seconds
    climbs: Counter[int] = Counter()
    while time.perf_counter() < end:
        routes = rng.choice((2, 3, 3))
        game = game_for(routes)
        climbs[routes] += 1
        for clashes, answer, milliseconds, array in _climb(game, rng, end):
            if clashes > worst.get((routes, answer), (0,))[0]:
                worst[routes, answer] = clashes, milliseconds, rows_of(game, array)
    print(f"{climbs[2]} climbs with two routes and {climbs[3]} with three.\n")
    print("| routes | answer | clashes | milliseconds | position |")
    print("|---|---|---:|---:|---|")
    for (routes, answer), (clashes, milliseconds, rows) in sorted(worst.items()):
        word = "yes" if answer else "no"
        print(f"| {routes} | {word} | {clashes:,} | {milliseconds:.2f} | `{rows}` |")


def _climb(
    game: wm.Game, rng: random.Random, end: float
) -> list[tuple[int, bool, float, StateArray]]:
    """The improvements on the way from a random board to a local maximum."""
    array = game.start().array.copy()
    cells = range(layout.CELLS, game.sizes.identity)
    for place in rng.sample(cells, rng.randint(len(cells) // 4, len(cells) * 9 // 10)):
        array[place] = rng.randint(1, ORIENTATIONS)
    best, way, in_vain = -1, [], 0
    while in_vain < PATIENCE and time.perf_counter() < end:
        changed = array.copy()
        for place in rng.sample(cells, rng.choice((1, 1, 2, 3))):
            is_emptied = changed[place] and rng.random() < 0.4
            changed[place] = 0 if is_emptied else rng.randint(1, ORIENTATIONS)
        clashes, answer, milliseconds = _cost(changed)
        in_vain += 1
        if clashes >= best:
            if clashes > best:
                in_vain = 0
                way.append((clashes, answer, milliseconds, changed))
            best, array = clashes, changed
    return way


def _cost(array: StateArray) -> tuple[int, bool, float]:
    """The clashes that the solver branches on, its answer and the time; -1 if it isn't needed."""
    search = np.zeros(SEARCH_SIZE, dtype=np.int32)
    if not _prepare(array, search):
        return -1, True, 0.0
    before = time.perf_counter()
    answer = bool(find_witness(search))
    return int(search[CLASHES_SEEN]), answer, 1000 * (time.perf_counter() - before)


def _prepare(array: StateArray, search: Scratch) -> bool:
    """Prepares a search on these tiles; False if they connect someone."""
    board = array.copy()
    connected = rebuild_ends(array, -1, board, layout.ends_at(array))
    start_search(search, board, layout.ends_at(array), int(array[layout.RADIUS]), axes_taken(array))
    return not connected & axes_taken(array)


# ---- weaker readings --------------------------------------------------------------------------


def print_weaker(seconds: float, rng: random.Random) -> None:
    """How many placements in random play the weaker readings get wrong."""
    print(
        "| routes | tiles | placements | legal | reach allows, wrongly | greedy refuses, wrongly |"
    )
    print("|---|---|---:|---:|---:|---:|")
    for routes in (2, 3):
        game = game_for(routes)
        counts: dict[int, Counter[str]] = {}
        end = time.perf_counter() + seconds / 2
        while time.perf_counter() < end:
            for array in random_turns(game, f"weaker {rng.random()}"):
                tiles = tiles_on(game, array)
                if tiles >= 12 and tiles % 4 == 0:
                    counts.setdefault(tiles, Counter()).update(_judge(game, array))
        for tiles, judged in sorted(counts.items()):
            legal, refused = judged["legal"], judged["refused"]
            reach = f"{judged['reach'] / max(judged['reach'] + legal, 1):.2%}"
            greedy = f"{judged['greedy'] / max(legal, 1):.3%}"
            print(f"| {routes} | {tiles} | {legal + refused:,} | {legal:,} | {reach} | {greedy} |")


def _judge(game: wm.Game, array: StateArray) -> Counter[str]:
    """Counts the placements of the tile in hand by what the readings say."""
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    legal = set(actions[: game.kernels.legal(array, actions)].tolist())
    orientations = int(orientations_in_hand(array))
    counts: Counter[str] = Counter()
    search = np.zeros(SEARCH_SIZE, dtype=np.int32)
    for cell in range(layout.ends_at(array) - layout.CELLS):
        for orientation in range(ORIENTATIONS):
            if array[layout.CELLS + cell] or not (orientations >> orientation) & 1:
                continue
            after = array.copy()
            after[layout.CELLS + cell] = 1 + orientation
            is_legal = layout.placement(cell, orientation) in legal
            counts["legal" if is_legal else "refused"] += 1
            if not _prepare(after, search):
                continue  # It connects someone: legal by any reading.
            if not is_legal:
                counts["reach"] += not axes_without_route(search, int(search[WANTED]))
            else:
                counts["greedy"] += not _greedy_finds_routes(after, search)
    return counts


def _greedy_finds_routes(array: StateArray, search: Scratch) -> bool:
    """Whether routes, found one after the other in some order, don't clash."""
    axes = [axis for axis in range(3) if (int(search[WANTED]) >> axis) & 1]
    for order in permutations(axes):
        _prepare(array, search)
        for axis in order:
            find_route(search, axis)
        if find_clash(search) < 0:
            return True
    return False


if __name__ == "__main__":
    main()
