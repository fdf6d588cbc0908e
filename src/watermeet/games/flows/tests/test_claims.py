"""What explanations of Flows claim along random matches is true.

It is checked by the oracle and by searches.py, which share nothing with explain.py.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest

import watermeet as wm
from watermeet.core.explanation import Explanation
from watermeet.games.flows.names import SEAT_NAMES, side_of
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tests.completion import completion
from watermeet.games.flows.tests.helpers import board_of, flows
from watermeet.games.flows.tests.searches import (
    can_connect,
    max_flow,
    needed_by,
    reached,
    region_of,
)
from watermeet.testing import random_match

CONFLICTS = ("too_few_ways", "same_cells", "in_the_way")


# ---- illegal placements ----------------------------------------------------------------------


def axes_named(state: wm.State, names: str) -> list[int]:
    """The axes of players without partners, from their names in a sentence."""
    words = names.replace(" and ", ", ").split(", ")
    sides = [side_of(state.array, SEAT_NAMES.index(word)) for word in words]
    return sorted(side % 3 for side in sides if side is not None)


def cells_named(names: object, radius: int) -> set[oracle.Cell]:
    return {oracle.cell_named(name, radius) for name in str(names).split()}


def radius_of(state: wm.State) -> int:
    return state.game.options.number("radius")


def board_after(state: wm.State, move: str) -> dict[oracle.Cell, oracle.Orientation]:
    radius = radius_of(state)
    cell = oracle.cell_named(move[5:], radius)
    return board_of(state.array, radius) | {cell: (int(move[1]), int(move[3]))}


def check_block(state: wm.State, move: str, found: Explanation) -> None:
    """Exactly the players without a route are named, with the cells that their sides reach."""
    radius, after = radius_of(state), board_after(state, move)
    axes = axes_named(state, ", ".join(SEAT_NAMES[: state.game.seats]))
    blocked = [axis for axis in axes if not oracle.reachable(after, axis, radius)]
    assert blocked
    assert axes_named(state, str(found.facts["teams"])) == blocked
    shown = {move[5:]}
    for axis in blocked:
        for side in (axis, axis + 3):
            names = found.facts[f"from side {side}"]
            assert cells_named(names, radius) == reached(after, side, radius)[0]
            shown |= set(str(names).split())
    assert set(found.cells) == shown


def check_conflict(state: wm.State, move: str, found: Explanation) -> None:
    """The players named can't all be connected, but any fewer of them can."""
    radius, after = radius_of(state), board_after(state, move)
    axes = axes_named(state, str(found.facts["teams"]))
    assert len(axes) > 1
    for axis in axes:
        assert oracle.reachable(after, axis, radius)
        seat = next(
            s for s in range(state.game.seats) if axes_named(state, SEAT_NAMES[s]) == [axis]
        )
        region = cells_named(found.facts[f"region of {SEAT_NAMES[seat]}"], radius)
        assert region == region_of(after, axis, radius)
    assert completion(after, axes, radius) is None
    for fewer in combinations(axes, len(axes) - 1):
        assert completion(after, fewer, radius) is not None
    bottleneck = cells_named(found.facts["bottleneck"], radius)
    assert found.cells == (move[5:], *str(found.facts["bottleneck"]).split())
    assert bottleneck <= set(oracle.board_cells(radius)) - set(after)
    needed = set.intersection(*(needed_by(after, axis, radius) for axis in axes))
    if found.code == "too_few_ways":
        check_ways(after, radius, axes, int(found.facts["ways"]), bottleneck)
    elif found.code == "same_cells":
        assert bottleneck == needed
    else:
        assert not needed
        check_shared(after, radius, axes, bottleneck)


def check_ways(
    after: oracle.Board, radius: int, axes: list[int], ways: int, bottleneck: set[oracle.Cell]
) -> None:
    """Only this many paths lead from one side of each axis to the others, through these cells."""
    assert 0 < ways < len(axes)
    fits = False
    for flips in product((0, 3), repeat=len(axes)):
        first = {(axis + flip) % 6 for axis, flip in zip(axes, flips, strict=True)}
        second = {(side + 3) % 6 for side in first}
        if max_flow(after, first, radius) == ways:
            sides = [reached(after, side, radius, bottleneck)[1] for side in first]
            fits = fits or not set.union(*sides) & second
    assert fits
    for axis in axes:
        assert not can_connect(after, axis, radius, bottleneck)


def check_shared(
    after: oracle.Board, radius: int, axes: list[int], bottleneck: set[oracle.Cell]
) -> None:
    """At least two of the axes can use each cell."""
    assert bottleneck
    regions = [region_of(after, axis, radius) for axis in axes]
    for cell in bottleneck:
        assert sum(cell in region for region in regions) > 1


def refusals(game: wm.Game, seed: int) -> Iterator[tuple[wm.State, str, Explanation]]:
    """Illegal placements on empty cells along a random match."""
    for state in random_match(game, random.Random(seed)).states:
        if state.to_move < 0:
            continue
        radius = radius_of(state)
        tile = state.text.partition("tile=")[2][:2]
        free = set(oracle.board_cells(radius)) - set(board_of(state.array, radius))
        moves = {
            f"T{kind}.{turns}@{oracle.cell_name(cell, radius)}"
            for kind, turns in oracle.ORIENTATIONS
            for cell in free
            if f"T{kind}" == tile
        }
        for move in sorted(moves - set(state.legal_moves)):
            yield state, move, state.explain(move)


def check_refusals(seats: int, radius: int, seeds: range) -> Counter[str]:
    """Check the explanation of every illegal placement in some matches; count the codes."""
    codes: Counter[str] = Counter()
    game = flows(seats=seats, radius=radius)
    for seed in seeds:
        for state, move, found in refusals(game, seed):
            codes[found.code] += 1
            if found.code == "no_route":
                check_block(state, move, found)
            else:
                assert found.code in CONFLICTS
                after = board_after(state, move)
                for axis in axes_named(state, ", ".join(SEAT_NAMES[:seats])):
                    assert oracle.reachable(after, axis, radius)
                check_conflict(state, move, found)
    return codes


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize(("seats", "radius"), [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_explanations_of_illegal_placements_are_true(seats: int, radius: int) -> None:
    codes = check_refusals(seats, radius, range(8))
    assert codes["no_route"]
    assert set(codes) & set(CONFLICTS)


@pytest.mark.compiled
def test_explanations_of_illegal_placements_are_true_in_one_match() -> None:
    assert check_refusals(3, 2, range(1))
