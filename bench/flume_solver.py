"""Measures the exact solver of Flume: the figures of docs/concepts/flume-solved.md, as tables.

python -m bench.flume_solver counts          positions of 3x3, 5x5 and 7x7, and how many remain
python -m bench.flume_solver empty 3 4 5 6   empty boards: value, nodes, CPU seconds
python -m bench.flume_solver centre 3 5 7    whether a first stone on the centre wins
python -m bench.flume_solver random          7x7 after random play, by the number of free points
python -m bench.flume_solver loops           several loops together
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator

from watermeet.core.errors import TooLarge
from watermeet.core.squaregrid import symmetries
from watermeet.games.flume.canonical_keys import canonical_key
from watermeet.games.flume.core_search import CoreSearch, make_graph, make_pair_table
from watermeet.games.flume.solver import solve_free_points
from watermeet.games.flume.two_core import peel


def main() -> None:
    """Runs one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(required=True)
    counts = commands.add_parser("counts")
    counts.set_defaults(run=lambda _: print_counts())
    empty = commands.add_parser("empty")
    empty.add_argument("sizes", type=int, nargs="+")
    empty.add_argument("--node-limit", type=int, default=10_000_000)
    empty.set_defaults(run=lambda chosen: print_empty(chosen.sizes, chosen.node_limit))
    centre = commands.add_parser("centre")
    centre.add_argument("sizes", type=int, nargs="+")
    centre.add_argument("--node-limit", type=int, default=10_000_000)
    centre.set_defaults(run=lambda chosen: print_centre(chosen.sizes, chosen.node_limit))
    from_play = commands.add_parser("random")
    from_play.add_argument(
        "points", type=int, nargs="*", default=[16, 20, 24, 28, *range(30, 43, 2)]
    )
    from_play.add_argument("--positions", type=int, default=20)
    from_play.add_argument("--node-limit", type=int, default=2_000_000)
    from_play.set_defaults(run=print_random)
    loops = commands.add_parser("loops")
    loops.set_defaults(run=lambda _: print_loops())
    chosen = parser.parse_args()
    solve_free_points(3, range(9))  # Compile first.
    chosen.run(chosen)


def print_row(*cells: object) -> None:
    """One row of a Markdown table."""
    print(
        "|", " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells), "|"
    )


def print_head(*cells: str) -> None:
    """The head of a Markdown table."""
    print_row(*cells)
    print("|" + " --- |" * len(cells))


# ---- counts -----------------------------------------------------------------------------------


def has_two_each(below: int, row: int, above: int) -> bool:
    """Whether every point of a row has two neighbours, given the rows below and above."""
    left, right = row << 1, row >> 1
    two = (below & above) | (left & right) | ((below | above) & (left | right))
    return row & ~two == 0


def count_cores(size: int) -> int:
    """How many sets of points are their own 2-core; counted row by row."""
    rows = range(1 << size)
    ends = Counter({(0, row): 1 for row in rows})
    for index in range(size):
        after: Counter[tuple[int, int]] = Counter()
        for (below, row), count in ends.items():
            for above in rows if index < size - 1 else (0,):
                if has_two_each(below, row, above):
                    after[row, above] += count
        ends = after
    return ends.total()


def all_cores(size: int, rows: tuple[int, ...] = ()) -> Iterator[int]:
    """The same sets, one by one, the empty one among them."""
    if len(rows) > size:
        yield sum(row << size * index for index, row in enumerate(rows))
        return
    for row in range(1 << size) if len(rows) < size else (0,):
        below = rows[-2] if len(rows) > 1 else 0
        if not rows or has_two_each(below, rows[-1], row):
            yield from all_cores(size, (*rows, row))


def count_classes(size: int) -> int:
    """How many sets of points there are up to the eight symmetries, by Burnside's lemma."""
    fixed = 0
    for images in symmetries(size):
        seen: set[int] = set()
        cycles = 0
        for point in range(size * size):
            cycles += point not in seen
            while point not in seen:
                seen.add(point)
                point = images[point]  # noqa: PLW2901, the walk along a cycle
        fixed += 1 << cycles
    return fixed // 8


def lowest(core: int, maps: Iterable[list[int]], points: int) -> int:
    """The lowest image of a set by these maps."""
    members = [point for point in range(points) if core >> point & 1]
    return min(sum(1 << images[point] for point in members) for images in maps)


def print_counts() -> None:
    """How many positions there are, and how many each reduction leaves."""
    print_head("size", "sets", "classes of sets", "cores", "classes of cores", "keys")
    for size in (3, 5):
        points = size * size
        cores = [core for core in all_cores(size) if core]
        classes = {lowest(core, symmetries(size), points) for core in cores}
        graph, pair_table = make_graph(size, range(points)), make_pair_table(1 << 14)
        keys = {canonical_key(core, graph, pair_table) for core in cores}
        print_row(size, 1 << points, count_classes(size), len(cores), len(classes), len(keys))
    print_row(7, 1 << 49, count_classes(7), count_cores(7) - 1, "not counted", "not counted")


# ---- nodes ------------------------------------------------------------------------------------


def print_empty(sizes: Iterable[int], node_limit: int) -> None:
    """The cost of empty boards: of the value, without canonical keys, and of all first stones."""
    print_head("size", "value", "nodes", "entries", "CPU s", "without keys", "all stones", "are")
    for size in sizes:
        full = (1 << size * size) - 1
        search = CoreSearch(size, range(size * size), node_limit)
        begin = time.process_time()
        value = search.value(full)
        seconds = f"{time.process_time() - begin:.2f}"
        every = solve_free_points(size, range(size * size), every_move=True, node_limit=node_limit)
        assert every.values is not None, "every_move was asked for"
        stones = sorted(Counter(every.values.values()).items(), reverse=True)
        shown = ", ".join(f"{count} of {each:+}" for each, count in stones)
        without = nodes_without_keys(size, node_limit)
        print_row(size, value, search.nodes, search.entries, seconds, without, every.nodes, shown)


def nodes_without_keys(size: int, node_limit: int) -> int:
    """The nodes of an empty board if the place and orientation of regions matter."""
    search = CoreSearch(size, range(size * size), node_limit)
    search.graph.columns[:] *= 100  # So wide that only loops fit a canonical key.
    search.value((1 << size * size) - 1)
    return search.nodes


def print_centre(sizes: Iterable[int], node_limit: int) -> None:
    """Whether the first player wins with the centre, without the pie rule."""
    print_head("size", "the centre wins", "nodes", "entries", "CPU s")
    for size in sizes:
        begin = time.process_time()
        search = CoreSearch(size, range(size * size), node_limit)
        rest = (1 << size * size) - 1 - (1 << size * size // 2)
        wins = not search.is_at_least(
            rest, 1
        )  # One for the centre, and an even number for the rest.
        seconds = f"{time.process_time() - begin:.2f}"
        print_row(size, "yes" if wins else "no", search.nodes, search.entries, seconds)


def print_random(chosen: argparse.Namespace) -> None:
    """The cost of 7x7 positions after random play: all sets of points are equally likely."""
    print_head(
        "free", "in the core", "solved", "median nodes", "most nodes", "median CPU s", "+ 0 -"
    )
    medians = {}
    for count in chosen.points:
        rng = random.Random(count)
        runs = [
            measure(rng.sample(range(49), count), chosen.node_limit)
            for _ in range(chosen.positions)
        ]
        nodes, seconds = [run[0] for run in runs], [run[1] for run in runs]
        values = [run[2] for run in runs if run[2] is not None]
        medians[count] = statistics.median(nodes)
        signs = f"{sum(v > 0 for v in values)} {values.count(0)} {sum(v < 0 for v in values)}"
        core = statistics.median(run[3] for run in runs)
        print_row(
            count, core, f"{len(values)} of {len(runs)}", int(medians[count]), max(nodes),
            f"{statistics.median(seconds):.4f}", signs,
        )  # fmt: skip
    large = [count for count in medians if medians[count] > 100]
    if len(large) > 1:
        slope, start = statistics.linear_regression(large, [math.log(medians[c]) for c in large])
        at_49 = math.exp(start + 49 * slope)
        print(f"Nodes grow {math.exp(slope):.2f}fold a point: {at_49:.1e} at 49 points")


def measure(free: list[int], node_limit: int) -> tuple[int, float, int | None, int]:
    """Nodes, CPU seconds, value (None if out of reach) and core size of one position."""
    full = (1 << len(free)) - 1
    core = peel(full, full, make_graph(7, free).neighbours)
    begin = time.process_time()
    try:
        solution = solve_free_points(7, free, node_limit=node_limit)
    except TooLarge:
        return node_limit, time.process_time() - begin, None, core.bit_count()
    return solution.nodes, time.process_time() - begin, solution.value, core.bit_count()


# ---- loops ------------------------------------------------------------------------------------


def loop_sum(lengths: tuple[int, ...]) -> int:
    """The value of loops of these lengths (4, or even from 8 on), side by side on 19x19."""
    free: set[int] = set()
    left, bottom = 0, 0
    for length in lengths:
        width = 2 if length == 4 else length // 2 - 1
        if left + width > 19:
            left, bottom = 0, bottom + 4
        for row in range(bottom, bottom + (2 if length == 4 else 3)):
            for column in range(left, left + width):
                is_inside = row == bottom + 1 and left < column < left + width - 1
                if length == 4 or not is_inside:
                    free.add(row * 19 + column)
        left += width + 1
    assert len(free) == sum(lengths), "the loops do not touch"
    return solve_free_points(19, free).value


def print_loops() -> None:
    """The values of several loops together."""
    print_head("loops", *(str(count) for count in range(1, 8)))
    for name, lengths in (
        ("of 4", (4,)), ("of 8", (8,)), ("of 10", (10,)), ("of 12", (12,)), ("of 4 and 8", (4, 8)),
    ):  # fmt: skip
        sums = [lengths * count for count in range(1, 8)]
        print_row(name, *(f"{loop_sum(each):+}" if sum(each) <= 62 else "" for each in sums))


if __name__ == "__main__":
    main()
