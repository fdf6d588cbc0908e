"""The rules of Flows, R6: connecting, and the end; tests are named after their paragraphs."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.games.flows.strand_paths import OpenEnd, RimEnd, Strand, trace_strands
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tests.helpers import board_of, flows
from watermeet.games.flows.tests.positions import (
    THREE_TEAMS_CONNECT,
    TWO_TEAMS_CONNECT,
    UNPLAYABLE,
    ZIGZAG,
    laid,
    number_of,
    placing,
)

ONE_CELL_LEFT = (THREE_TEAMS_CONNECT, "lmic/jnenj/labdmf/khm1mbj/kmhklc/gbdal/ecma")
DEFAULT_SIDES = {
    2: (0, 2),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}


def test_r6_1_a_strand_must_leave_through_an_edge_of_the_other_side() -> None:
    state = placing("T0", laid("T0.0", ZIGZAG[:-1]))
    won = state.play("T0.0@e1")
    assert won.text.startswith("over=0 winners=0 by=route")
    touched = state.play("T0.2@e1")
    assert touched.to_move == wm.CHANCE
    red = [each for each in trace_strands(touched.array) if 0 in each.owners]
    assert any(number_of("e1") in {step.cell for step in each.steps} for each in red)


@pytest.mark.parametrize("first", [0, 1])
def test_r6_2_the_connected_player_wins_whoever_lays_the_tile(first: int) -> None:
    order = random.Random(first).sample(ZIGZAG, 7)
    state = flows().start().play(f"first:{first}")
    for cell in order:
        state = state.play_all(["draw:T0", f"T0.0@{cell}"])
    assert state.outcome is not None
    assert state.outcome.returns == (1.0, -1.0)
    assert state.outcome.reason.code == "route"
    assert state.text.startswith(f"over={first} ")


@pytest.mark.parametrize(("seats", "winners"), [(3, "0/2"), (5, "0/1/3/4"), (6, "0/1/3/4")])
def test_r6_2_two_connected_players_share_the_win(seats: int, winners: str) -> None:
    before = flows(seats=seats).parse(f"place=2 tile=T0 board={TWO_TEAMS_CONNECT}")
    state = before.play("T0.0@a7")
    assert state.text.startswith(f"over=2 winners={winners} by=route")
    joined = {axis for axis in range(3) if oracle.connected(board_of(state.array), axis)}
    assert joined == {0, 1}


@pytest.mark.parametrize("seats", [3, 5, 6])
def test_r6_2_three_connected_players_share_the_win(seats: int) -> None:
    before = flows(seats=seats).parse(f"place=1 tile=T1 board={THREE_TEAMS_CONNECT}")
    state = before.play("T1.3@d4")
    winners = "/".join(map(str, range(seats)))
    assert state.text.startswith(f"over=1 winners={winners} by=route")
    assert state.outcome is not None
    assert state.outcome.reason.code == "tie"


def strand_at(state: wm.State, name: str, edge: int) -> Strand:
    """The strand that goes through an edge of a cell."""
    cell = number_of(name)
    for strand in trace_strands(state.array):
        for step in strand.steps:
            if step.cell == cell and edge in (step.enter, step.leave):
                return strand
    raise AssertionError(f"no tile lies on {name}")


def test_r6_3_strands_have_the_colours_of_their_sides() -> None:
    state = placing("T0", ["T3.0@a7"], seats=5)
    assert strand_at(state, "a7", 5).owners == (0, 1)
    assert strand_at(state, "a7", 5).ends == (RimEnd(0, 6), RimEnd(1, 0))
    from_side_1 = strand_at(state, "a7", 1)
    assert from_side_1.owners == (1,)
    assert from_side_1.ends == (RimEnd(1, 1), OpenEnd(number_of("a6"), 5))
    assert strand_at(state, "a7", 3).owners == ()


def test_r6_3_black_sides_have_no_colour_and_decide_nothing() -> None:
    state = placing("T0", ["T3.0@a7"])
    assert strand_at(state, "a7", 5).owners == (0,)
    assert strand_at(state, "a7", 1).owners == ()
    assert state.outcome is None
    both = placing("T0", ["T3.0@a4"], seats=5)
    assert strand_at(both, "a4", 0).ends == (RimEnd(1, 6), OpenEnd(number_of("a5"), 2))


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("board", ONE_CELL_LEFT)
def test_r6_4_the_last_cell_connects_somebody(board: str, seats: int) -> None:
    state = flows(seats=seats).parse(f"draw=0 board={board}")
    laid_there = 0
    for drawn in map(state.play, state.legal_moves):
        for move in drawn.legal_moves:
            assert "by=route" in drawn.play(move).text
            laid_there += 1
    assert laid_there


@pytest.mark.parametrize(
    ("seats", "text", "returns"),
    [
        (2, "winner 0", [1, -1]),
        (2, "three", [0, 0]),
        (3, "winner 0", [1, -1 / 2, -1 / 2]),
        (3, "two", [1 / 4, -1 / 2, 1 / 4]),
        (3, "three", [0, 0, 0]),
        (4, "winner 0", [1, -1, 1, -1]),
        (4, "two", [0, 0, 0, 0]),
        (5, "winner 0", [1, -2 / 3, -2 / 3, 1, -2 / 3]),
        (5, "solo", [-1 / 4, -1 / 4, 1, -1 / 4, -1 / 4]),
        (5, "two", [1 / 4, 1 / 4, -1, 1 / 4, 1 / 4]),
        (5, "team and solo", [1 / 4, -3 / 8, 1 / 4, 1 / 4, -3 / 8]),
        (5, "three", [0, 0, 0, 0, 0]),
        (6, "winner 0", [1, -1 / 2, -1 / 2, 1, -1 / 2, -1 / 2]),
        (6, "two", [1 / 4, 1 / 4, -1 / 2, 1 / 4, 1 / 4, -1 / 2]),
        (6, "three", [0, 0, 0, 0, 0, 0]),
    ],
)
def test_r6_5_winners_share_what_the_others_pay(
    seats: int, text: str, returns: list[float]
) -> None:
    game = flows(seats=seats)
    state = {
        "winner 0": lambda: placing("T0", laid("T0.0", ZIGZAG[1:]), seats=seats).play("T0.0@b7"),
        "solo": lambda: game.parse(UNPLAYABLE[5]).play("draw:T3"),
        "two": lambda: game.parse(f"place=0 tile=T0 board={TWO_TEAMS_CONNECT}").play("T0.0@a7"),
        "three": lambda: game.parse(f"place=0 tile=T1 board={THREE_TEAMS_CONNECT}").play("T1.3@d4"),
        "team and solo": lambda: game.parse(
            "place=1 tile=T0 board=ndml/l1ehm/blbbdh/1njahjb/mmjfba/nmicn/hnai"
        ).play("T0.2@d2"),
    }[text]()
    assert state.outcome is not None
    assert state.outcome.returns == pytest.approx(returns)
    axes = [side % 3 for side in DEFAULT_SIDES[seats]]
    won = {
        axes[seat] for seat in map(int, state.text.partition("winners=")[2].split()[0].split("/"))
    }
    assert [float(each) for each in oracle.payoffs(axes, won)] == pytest.approx(returns)
