"""The rules of Flows, R1 to R5; tests are named after the paragraphs of RULES.md.

R4.2 is in test_hidden.py, R6 in test_endings.py, R7 in test_options.py, test_hidden.py and
test_supermove.py.
"""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

import watermeet as wm
from watermeet.core.hexgrid import cell_name
from watermeet.games.flows import layout
from watermeet.games.flows.board import EMPTY_BOARD, rim_ports
from watermeet.games.flows.bottlenecks import blocked_axes
from watermeet.games.flows.names import SEAT_NAMES, SIDE_NAMES, seats_by_side, side_of
from watermeet.games.flows.placements import is_legal_placement
from watermeet.games.flows.strand_paths import OpenEnd, RimEnd, beyond, is_winning, trace_strands
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tests.completion import completion
from watermeet.games.flows.tests.helpers import board_of, build_array, flows, has_witness
from watermeet.games.flows.tests.positions import (
    COLUMN,
    DEAD_TYPES,
    NARROW,
    UNPLAYABLE,
    WALL,
    chances,
    laid,
    number_of,
    orientation_of,
    placing,
    play_turns,
    tiles_on_board,
    unseen,
)
from watermeet.games.flows.tiles import MATE, ORIENTATION_STRANDS, orientation_number

DEFAULT_SIDES = {
    2: (0, 2),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}


# ---- R1: the board and the tiles --------------------------------------------------------------


def test_r1_1_the_board_has_37_cells_four_along_each_side() -> None:
    state = flows().start().play_all(["first:0", "draw:T3"])
    cells_to_fill = {move.partition("@")[2] for move in state.legal_moves}
    assert len(cells_to_fill) == 37
    for side in range(6):
        at_side = {cell for cell, _ in rim_ports(3)[7 * side : 7 * side + 7]}
        assert len(at_side) == 4
    assert {"d1", "g1", "g4", "d7", "a7", "a4"} <= cells_to_fill


@pytest.mark.parametrize(
    ("edge", "name"), [(0, "c5"), (1, "c4"), (2, "d3"), (3, "e3"), (4, "e4"), (5, "d5")]
)
def test_r1_2_edges_are_numbered_clockwise_from_the_south_west(edge: int, name: str) -> None:
    assert beyond(3, number_of("d4"), edge) == OpenEnd(number_of(name), (edge + 3) % 6)


def test_r1_3_sides_are_numbered_clockwise_from_the_bottom() -> None:
    assert SIDE_NAMES == (
        "bottom", "lower left", "upper left", "top", "upper right", "lower right",
    )  # fmt: skip
    sides = [
        "d7 c7 b7 a7",
        "a7 a6 a5 a4",
        "a4 b3 c2 d1",
        "d1 e1 f1 g1",
        "g1 g2 g3 g4",
        "g4 f5 e6 d7",
    ]
    for side, names in enumerate(sides):
        at_side = [cell_name(cell, 4) for cell, _ in rim_ports(3)[7 * side : 7 * side + 7]]
        assert list(dict.fromkeys(at_side)) == names.split()


RIM = """
0 d7:5 d7:0 c7:5 c7:0 b7:5 b7:0 a7:5
1 a7:0 a7:1 a6:0 a6:1 a5:0 a5:1 a4:0
2 a4:1 a4:2 b3:1 b3:2 c2:1 c2:2 d1:1
3 d1:2 d1:3 e1:2 e1:3 f1:2 f1:3 g1:2
4 g1:3 g1:4 g2:3 g2:4 g3:3 g3:4 g4:3
5 g4:4 g4:5 f5:4 f5:5 e6:4 e6:5 d7:4
"""


def test_r1_4_each_side_has_seven_outer_edges() -> None:
    for line in RIM.split("\n")[1:-1]:
        side, *ports = line.split()
        for place, port in enumerate(ports):
            name, edge = port.split(":")
            assert beyond(3, number_of(name), int(edge)) == RimEnd(int(side), place)
    rim_edges = [end for end in EMPTY_BOARD[3][: 6 * 37] if end >= 6 * 37]
    assert sorted(rim_edges) == list(range(6 * 37, 6 * 37 + 42))


def test_r1_5_three_strands_join_the_six_edges() -> None:
    assert [int(MATE[orientation_number(0, 0), edge]) for edge in range(4)] == [2, 4, 0, 5]
    assert ORIENTATION_STRANDS[orientation_number(1, 0)] == ((0, 5), (1, 3), (2, 4))
    assert ORIENTATION_STRANDS[orientation_number(2, 0)] == ((0, 5), (1, 4), (2, 3))
    assert ORIENTATION_STRANDS[orientation_number(3, 0)] == ((0, 5), (1, 2), (3, 4))
    for pairs in ORIENTATION_STRANDS:
        assert sorted(edge for pair in pairs for edge in pair) == list(range(6))


def test_r1_6_turned_tiles_are_14_different_orientations() -> None:
    assert ORIENTATION_STRANDS[orientation_number(1, 2)] == ((0, 4), (1, 2), (3, 5))
    assert len(ORIENTATION_STRANDS) == len(set(ORIENTATION_STRANDS)) == 14
    pairs = list(combinations(range(6), 2))
    pairings = {three for three in combinations(pairs, 3) if len({*sum(three, ())}) == 6}
    assert pairings - set(ORIENTATION_STRANDS) == {((0, 3), (1, 4), (2, 5))}


@pytest.mark.parametrize(("kind", "ways"), [(0, 3), (1, 6), (2, 3), (3, 2)])
def test_r1_6_the_same_strands_are_the_same_move(kind: int, ways: int) -> None:
    state = flows().start().play_all(["first:0", f"draw:T{kind}"])
    at_centre = [move for move in state.legal_moves if move.endswith("@d4")]
    assert at_centre == [f"T{kind}.{turns}@d4" for turns in range(ways)]
    for turns in range(6):
        action = state.parse_move(f"T{kind}.{turns}@d4")
        assert state.format(action) == f"T{kind}.{turns % ways}@d4"


def test_r1_7_there_are_ten_tiles_of_each_type() -> None:
    assert unseen(flows().start()) == {"T0": 10, "T1": 10, "T2": 10, "T3": 10}


# ---- R2: seats and teams ----------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_r2_1_each_player_has_a_colour_and_a_side(seats: int) -> None:
    state = flows(seats=seats).start()
    assert len(set(SEAT_NAMES[:seats])) == seats
    assert set(seats_by_side(state.array).values()) == set(range(seats))


@pytest.mark.parametrize("seats", [1, 7])
def test_r2_1_other_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(wm.InvalidOptions):
        flows(seats=seats)


@pytest.mark.parametrize("seats", [2, 3])
def test_r2_2_two_or_three_sit_apart_and_play_alone(seats: int) -> None:
    game = flows(seats=seats)
    sides = [side_of(game.start().array, seat) for seat in range(seats)]
    assert tuple(sides) == DEFAULT_SIDES[seats]
    assert game.teams == tuple((seat,) for seat in range(seats))
    assert len({side % 3 for side in sides if side is not None}) == seats


@pytest.mark.parametrize(("seats", "teams"), [(4, ((0, 2), (1, 3))), (6, ((0, 3), (1, 4), (2, 5)))])
def test_r2_3_four_or_six_are_teams_across_the_board(
    seats: int, teams: tuple[tuple[int, ...], ...]
) -> None:
    game = flows(seats=seats)
    array = game.start().array
    assert game.teams == teams
    assert tuple(side_of(array, seat) for seat in range(seats)) == DEFAULT_SIDES[seats]
    for one, other in teams:
        assert (DEFAULT_SIDES[seats][one] + 3) % 6 == DEFAULT_SIDES[seats][other]


def test_r2_4_one_of_five_plays_alone_opposite_the_black_side() -> None:
    game = flows(seats=5)
    assert game.teams == ((0, 3), (1, 4), (2,))
    assert seats_by_side(game.start().array) == {0: 0, 1: 1, 2: 2, 3: 3, 4: 4}


@pytest.mark.parametrize("seats", range(2, 7))
def test_r2_5_seats_are_numbered_clockwise(seats: int) -> None:
    array = flows(seats=seats).start().array
    sides = [side_of(array, seat) for seat in range(seats)]
    assert sides == sorted(DEFAULT_SIDES[seats])


# ---- R3: the order of turns -------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_r3_1_the_first_player_is_random(seats: int) -> None:
    state = flows(seats=seats).start()
    assert state.to_move == wm.CHANCE
    assert chances(state) == pytest.approx({f"first:{seat}": 1 / seats for seat in range(seats)})


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_r3_1_turns_go_clockwise(seats: int) -> None:
    for first in (0, seats - 1):
        state = flows(seats=seats).start().play(f"first:{first}")
        movers = [each.to_move for each in play_turns(state, seats + 2, random.Random(seats))]
        assert movers == [(first + turn) % seats for turn in range(seats + 2)]


@pytest.mark.parametrize(
    ("first", "sides"), [(0, [0, 1, 2, 3, 4, 2, 0, 1]), (2, [2, 3, 4, 2, 0, 1, 2, 3])]
)
def test_r3_2_one_against_four_has_two_turns_a_round(first: int, sides: list[int]) -> None:
    state = flows(seats=5).start().play(f"first:{first}")
    turns = play_turns(state, 8, random.Random(first))
    assert [side_of(each.array, each.to_move) for each in turns] == sides
    extra = turns[sides.index(4) + 1]
    assert extra.text.startswith("place=2 turn=5")


# ---- R4: a turn -------------------------------------------------------------------------------


def test_r4_1_a_turn_begins_with_a_draw_from_the_bag() -> None:
    state = flows().parse(UNPLAYABLE[2])
    assert state.to_move == wm.CHANCE
    left = {tile: 10 - tiles_on_board(state)[tile] for tile in ("T0", "T1", "T2", "T3")}
    total = sum(left.values())
    assert total == 5
    expected = {f"draw:{tile}": count / total for tile, count in left.items() if count}
    assert chances(state) == pytest.approx(expected)


def test_r4_1_a_drawn_tile_leaves_the_bag() -> None:
    state = flows().start().play_all(["first:0", "draw:T1"])
    assert unseen(state) == {"T0": 10, "T1": 9, "T2": 10, "T3": 10}
    state = state.play("T1.0@d4")
    assert (state.to_move, state.text) == (wm.CHANCE, "draw=1 board=4/5/6/3d3/6/5/4")
    expected = {"draw:T0": 10 / 39, "draw:T1": 9 / 39, "draw:T2": 10 / 39, "draw:T3": 10 / 39}
    assert chances(state) == pytest.approx(expected)


@pytest.mark.parametrize("seats", range(2, 7))
def test_r4_3_an_unplayable_tile_wins_for_the_team(seats: int) -> None:
    before = flows(seats=seats).parse(UNPLAYABLE[seats])
    state = before.play(f"draw:{DEAD_TYPES[seats]}")
    mover = int(before.text[5])
    team = next(team for team in state.game.teams if mover in team)
    assert state.outcome is not None
    assert state.outcome.winners == team
    assert state.outcome.reason.code == "unplayable"
    for seat in (*range(seats), None):
        assert f"tile={DEAD_TYPES[seats]}" in state.conceal(seat).text


def test_r4_4_the_tile_in_hand_must_be_laid_on_an_empty_cell() -> None:
    for state in play_turns(flows().start().play("first:0"), 6, random.Random(4)):
        tile = state.text.partition("tile=")[2][:2]
        taken = {oracle.cell_name(cell) for cell in board_of(state.array)}
        assert state.legal_moves
        for move in state.legal_moves:
            assert move.startswith(f"{tile}.")
            assert move.partition("@")[2] not in taken
    assert state.explain("pass").code == "unreadable"


def test_r4_5_tiles_stay_where_they_are() -> None:
    turns = play_turns(flows(seats=3).start(), 8, random.Random(5))
    for before, after in pairwise(turns):
        old, new = board_of(before.array), board_of(after.array)
        assert old.items() <= new.items()
        assert len(new) == len(old) + 1


# ---- R5: where a tile may be laid -------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_r5_1_a_tile_that_connects_somebody_may_block_others(seat: int) -> None:
    state = placing("T2", laid("T2.1", COLUMN), seat=seat)
    assert "T2.1@d4" in state.legal_moves
    assert is_legal_placement(state.array.copy(), number_of("d4"), orientation_of("T2.1@d4"))
    after = state.play("T2.1@d4")
    assert after.outcome is not None
    assert after.outcome.winners == (0,)
    assert not oracle.reachable(board_of(after.array), 2)


@pytest.mark.parametrize(("seats", "seat"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_r5_2_a_wall_needs_a_hole(seats: int, seat: int) -> None:
    state = placing("T1", laid("T1.0", WALL), seat=seat, seats=seats)
    assert "T1.0@d4" not in state.legal_moves
    assert {f"T1.{turns}@d4" for turns in range(1, 6)} <= set(state.legal_moves)
    for cell in WALL:
        holed = [*(name for name in WALL if name != cell), "d4"]
        assert f"T1.0@{cell}" not in placing("T1", laid("T1.0", tuple(holed))).legal_moves


def test_r5_4_no_cell_has_two_straight_routes() -> None:
    """Each alone can pass the centre by a straight strand, and no tile has two."""
    board: dict[oracle.Cell, oracle.Orientation] = dict.fromkeys(oracle.board_cells(), (2, 0))
    for row in (-3, -2, -1, 1, 2, 3):
        board[0, row] = (2, 1)
    del board[0, 0]
    array = build_array(board, flows())
    assert blocked_axes(array) == []
    assert not has_witness(array)
    assert has_witness(build_array(board, flows(legality="reach")))


def test_r5_2_all_routes_must_be_possible_at_once() -> None:
    state = flows().parse(NARROW)
    assert "T1.2@c5" not in state.legal_moves
    after = board_of(state.array) | {oracle.cell_named("c5"): (1, 2)}
    assert oracle.reachable(after, 0)
    assert oracle.reachable(after, 2)
    assert completion(after, [0, 2]) is None


def test_r5_3_the_remaining_tiles_do_not_matter() -> None:
    usual = placing("T1", laid("T1.0", WALL))
    sharp = placing("T1", laid("T1.0", WALL), mix0=0, mix2=0)
    assert unseen(sharp) == {"T0": 0, "T1": 12, "T2": 0, "T3": 19}
    assert sharp.legal_moves == usual.legal_moves
    assert "T1.0@d3" in sharp.legal_moves


def test_r5_4_routes_may_cross_in_a_cell() -> None:
    """Red must pass d4 from below to above, Blue from left to right."""
    tiles = laid("T2.1", COLUMN) + laid("T2.0", WALL[1:])
    state = placing("T0", tiles, mix2=9)
    at_centre = {move for move in state.legal_moves if move.endswith("@d4")}
    assert at_centre == {"T0.0@d4", "T0.1@d4"}
    crossing = state.play("T0.0@d4")  # 1-4 for Blue, and 0-2 or 3-5 for Red.
    assert crossing.outcome is None
    assert oracle.reachable(board_of(crossing.array), 0)
    assert oracle.reachable(board_of(crossing.array), 2)
    red_wins = state.play("T0.1@d4")
    assert red_wins.text.startswith("over=0 winners=0 by=route")
    kinked = placing("T2", tiles, mix2=9)  # 1-4 for Blue as well, but nothing for Red.
    assert "T2.0@d4" not in kinked.legal_moves


def test_r5_4_a_route_may_run_through_a_cell_twice() -> None:
    """T2.1 on e3 may be laid only because one of the two can go through c3 twice."""
    state = flows(radius=2).parse("place=0 tile=T2 board=gce/ikjn/ck1d1/nmnc/dkb")
    assert "T2.1@e3" in state.legal_moves
    after = state.play("T2.1@e3")
    centre = number_of("c3", 2)
    ways_to_fill = 0
    for orientation in range(14):
        array = after.array.copy()
        array[layout.CELLS + centre] = 1 + orientation
        routes = [each for each in trace_strands(array) if is_winning(array, each)]
        if {each.axis for each in routes} == {0, 2}:
            ways_to_fill += 1
            visits = [[step.cell for step in each.steps].count(centre) for each in routes]
            assert max(visits) == 2
    assert ways_to_fill == 4


@pytest.mark.parametrize("seats", range(2, 7))
def test_r5_5_everything_is_legal_on_the_empty_board(seats: int) -> None:
    state = flows(seats=seats).start().play("first:0")
    total = sum(len(state.play(f"draw:T{kind}").legal_moves) for kind in range(4))
    assert total == 37 * 14 == 518
