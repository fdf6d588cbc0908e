"""The options of Flows about sides, legality, board and tiles: R7.1, R7.4, R7.10 and R7.11."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.core.hexgrid import cell_index, cells
from watermeet.games.flows.names import side_of
from watermeet.games.flows.strand_paths import RimEnd, beyond
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tests.completion import completion
from watermeet.games.flows.tests.helpers import board_of, flows
from watermeet.games.flows.tests.positions import (
    NARROW,
    play_turns,
    unseen,
)

# ---- R7.1: sides ------------------------------------------------------------------------------


def sides_of(state: wm.State) -> list[int | None]:
    return [side_of(state.array, seat) for seat in range(state.game.seats)]


@pytest.mark.parametrize(
    ("seats", "sides"),
    [(2, [0, 1]), (3, [0, 1, 2]), (4, [0, 1, 3, 4]), (5, [0, 1, 2, 3, 4]), (6, [0, 1, 2, 3, 4, 5])],
)
def test_r7_1_two_or_three_may_sit_next_to_each_other(seats: int, sides: list[int]) -> None:
    assert sides_of(flows(seats=seats, sides="adjacent").start()) == sides


def test_r7_1_neighbours_play_for_their_own_axes() -> None:
    state = flows(sides="adjacent").parse("place=1 tile=T0 board=1a2/2a2/2a3/7/2a3/2a2/1a2")
    assert state.play("T0.0@d4").text.startswith("over=1 winners=0 by=route")
    wall = flows(sides="adjacent").parse("place=0 tile=T1 board=4/5/6/ddd1ddd/6/5/4")
    assert "T1.0@d4" not in wall.legal_moves


@pytest.mark.parametrize("seats", [2, 3])
def test_r7_1_two_or_three_may_not_take_an_opposite_side(seats: int) -> None:
    state = flows(seats=seats, sides="chosen").start()
    assert sides_of(state) == [None] * seats
    state = state.play("first:1")
    assert (state.to_move, state.text) == (1, "choose=1 first=1")
    assert state.legal_moves == tuple(f"side:{side}" for side in range(6))
    state = state.play("side:4")
    assert state.to_move == (0 if seats == 2 else 2)
    assert state.legal_moves == ("side:0", "side:2", "side:3", "side:5")
    state = state.play("side:0")
    if seats == 3:
        assert state.to_move == 0
        assert state.legal_moves == ("side:2", "side:5")
        state = state.play("side:5")
    assert state.text.startswith("draw=1 first=1 sides=")


@pytest.mark.parametrize(
    ("seats", "first", "played", "sides"),
    [
        (4, 0, [(0, 5), (1, 3)], [5, 3, 2, 0]),
        (4, 3, [(3, 1), (0, 0)], [0, 4, 3, 1]),
        (5, 4, [(4, 0), (0, 5), (2, 4)], [5, 3, 4, 2, 0]),
        (5, 1, [(1, 2), (2, 0), (3, 1)], [4, 2, 0, 1, 5]),
        (6, 2, [(2, 3), (3, 2), (4, 1)], [5, 4, 3, 2, 1, 0]),
    ],
)
def test_r7_1_taking_a_side_gives_the_partner_the_opposite_one(
    seats: int, first: int, played: list[tuple[int, int]], sides: list[int]
) -> None:
    state = flows(seats=seats, sides="chosen").start().play(f"first:{first}")
    taken: set[int] = set()
    for seat, side in played:
        assert state.to_move == seat
        free = [f"side:{each}" for each in range(6) if each % 3 not in taken]
        assert state.legal_moves == tuple(free)
        state = state.play(f"side:{side}")
        taken.add(side % 3)
    assert sides_of(state) == sides
    assert state.to_move == wm.CHANCE
    assert state.text.startswith(f"draw={first}")


def test_r7_1_turns_follow_the_chosen_sides_clockwise() -> None:
    game = flows(seats=5, sides="chosen")
    state = game.start().play_all(["first:1", "side:2", "side:0", "side:1"])
    turns = play_turns(state, 8, random.Random(1))
    sides = [side_of(each.array, each.to_move) for each in turns]
    assert sides == [2, 0, 4, 5, 0, 1, 2, 0]  # Side 3, opposite side 0, stays black.
    three = (
        flows(seats=3, sides="chosen").start().play_all(["first:0", "side:0", "side:5", "side:1"])
    )
    assert [each.to_move for each in play_turns(three, 4, random.Random(2))] == [0, 2, 1, 0]


def test_r7_1_a_chosen_axis_connects_its_player() -> None:
    game = flows(sides="chosen")
    board = "board=1a2/2a2/2a3/7/2a3/2a2/1a2"
    state = game.parse(f"place=0 sides=4/3 tile=T0 {board}")
    assert state.play("T0.0@d4").text.startswith("over=0 sides=4/3 winners=1 by=route")
    nobody = game.parse(f"place=0 sides=4/5 tile=T0 {board}").play("T0.0@d4")
    assert nobody.to_move == wm.CHANCE


# ---- R7.4: legality ---------------------------------------------------------------------------


def test_r7_4_with_reach_each_player_needs_a_route_alone() -> None:
    joint, reach = flows().parse(NARROW), flows(legality="reach").parse(NARROW)
    assert "T1.2@c5" not in joint.legal_moves
    assert "T1.2@c5" in reach.legal_moves
    assert set(joint.legal_moves) < set(reach.legal_moves)
    board = board_of(joint.array)
    for move in set(reach.legal_moves) - set(joint.legal_moves):
        after = board | {oracle.cell_named(move[5:]): (int(move[1]), int(move[3]))}
        assert all(oracle.reachable(after, axis) for axis in (0, 2))
        assert completion(after, [0, 2]) is None


def test_r7_4_two_routes_cannot_share_the_only_straight() -> None:
    """Both need a straight strand through the centre, the last empty cell but one."""
    text = "place=0 tile=T1 board=kjjj/jkjj1/jjkjjj/jjj1jjj/jjjkjj/jjjkj/jjjk"
    mix = {"mix0": 0, "mix1": 1, "mix2": 9, "mix3": 0}
    reach = flows(legality="reach", **mix).parse(text)
    assert reach.to_move == 0
    with pytest.raises(wm.InvalidNotation, match="can't be placed"):
        flows(**mix).parse(text)


# ---- R7.10: the board -------------------------------------------------------------------------


@pytest.mark.parametrize(("radius", "count"), [(2, 19), (3, 37), (4, 61), (5, 91)])
def test_r7_10_the_board_may_be_larger_or_smaller(radius: int, count: int) -> None:
    assert len(cells(radius + 1)) == count
    state = flows(radius=radius).start().play_all(["first:0", "draw:T3"])
    assert len(state.legal_moves) == 2 * count


@pytest.mark.parametrize("radius", [2, 3, 4, 5])
def test_r7_10_a_side_of_n_cells_has_2n_minus_1_edges(radius: int) -> None:
    places: dict[int, list[int]] = {side: [] for side in range(6)}
    for (cell, edge), side in oracle.rim(radius).items():
        number = cell_index(cell, radius + 1)
        assert number is not None
        end = beyond(radius, number, edge)
        assert isinstance(end, RimEnd)
        assert end.side == side
        places[side].append(end.place)
    for found in places.values():
        assert sorted(found) == list(range(2 * (radius + 1) - 1))


@pytest.mark.parametrize("radius", [1, 6])
def test_r7_10_other_boards_are_refused(radius: int) -> None:
    with pytest.raises(wm.InvalidOptions):
        flows(radius=radius)


# ---- R7.11: the tiles -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("radius", "mix", "tiles"),
    [
        (3, (1, 1, 1, 1), (10, 10, 10, 10)),
        (2, (1, 1, 1, 1), (5, 5, 5, 5)),
        (4, (1, 1, 1, 1), (16, 16, 16, 16)),
        (5, (1, 1, 1, 1), (23, 23, 23, 23)),
        (3, (0, 1, 2, 0), (0, 13, 26, 0)),
        (3, (0, 1, 0, 0), (0, 37, 0, 0)),
        (3, (9, 9, 9, 9), (18, 18, 18, 18)),
        (2, (9, 9, 1, 0), (9, 9, 1, 0)),
        (2, (9, 8, 1, 0), (18, 16, 2, 0)),
        (5, (1, 2, 3, 4), (10, 20, 30, 40)),
    ],
)
def test_r7_11_the_tiles_are_the_smallest_multiple_of_the_mix(
    radius: int, mix: tuple[int, ...], tiles: tuple[int, ...]
) -> None:
    options = {f"mix{kind}": part for kind, part in enumerate(mix)}
    state = flows(radius=radius, **options).start()
    assert tuple(unseen(state)[f"T{kind}"] for kind in range(4)) == tiles
    drawn = state.play("first:0").chance_outcomes
    expected = [count / sum(tiles) for count in tiles if count]
    assert [chance for _, chance in drawn] == pytest.approx(expected)


def test_r7_11_there_is_always_a_t1() -> None:
    with pytest.raises(wm.InvalidOptions):
        flows(mix1=0)
    for kind in (0, 2, 3):
        state = flows(**{f"mix{kind}": 0}).start().play("first:0")
        assert f"draw:T{kind}" not in state.legal_moves
