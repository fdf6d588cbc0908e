"""The supermove of Flows, R7.5 to R7.9: known positions, and the oracle."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tests.helpers import board_of, flows
from watermeet.games.flows.tests.positions import (
    BOARD_ALMOST_FULL,
    tiles_on_board,
    unseen,
)
from watermeet.testing import random_match

CLOSED = "board=4/5/6/ddddddd/6/5/4"
"""The wall of T1.0: Red at the bottom is blocked, Blue is not."""


def exchanges(state: wm.State) -> set[str]:
    return {move for move in state.legal_moves if "x" in move}


def expected_exchanges(state: wm.State, tile: str, axes: set[int], radius: int = 3) -> set[str]:
    """By R7.5 and R7.8, word for word: exchanges that free one of these blocked axes."""
    board = board_of(state.array, radius)
    blocked = [axis for axis in axes if not oracle.reachable(board, axis, radius)]
    found = set()
    for cell in board:
        for kind, turns in oracle.ORIENTATIONS:
            after = board | {cell: (kind, turns)}
            if f"T{kind}" == tile and any(oracle.reachable(after, a, radius) for a in blocked):
                found.add(f"T{kind}.{turns}x{oracle.cell_name(cell, radius)}")
    return found


# ---- R7.5: blocking and exchanging ------------------------------------------------------------


@pytest.mark.parametrize("supermove", ["full", "single"])
def test_r7_5_a_tile_may_block(supermove: str) -> None:
    state = flows(supermove=supermove).parse("place=1 tile=T1 board=4/5/6/ddd1ddd/6/5/4")
    assert len(state.legal_moves) == 31 * 6
    after = state.play("T1.0@d4")
    assert after.outcome is None
    assert not oracle.reachable(board_of(after.array), 0)


@pytest.mark.parametrize("supermove", ["full", "single"])
@pytest.mark.parametrize("tile", ["T0", "T1", "T2", "T3"])
def test_r7_5_a_blocked_player_may_exchange_a_tile(supermove: str, tile: str) -> None:
    state = flows(supermove=supermove).parse(f"draw=0 {CLOSED}").play(f"draw:{tile}")
    found = exchanges(state)
    assert found == expected_exchanges(state, tile, {0})
    assert ("T2.1xd4" in found) == (tile == "T2")
    assert len(state.legal_moves) - len(found) == 30 * {"T0": 3, "T1": 6, "T2": 3, "T3": 2}[tile]


def test_r7_5_partners_are_blocked_together() -> None:
    game = flows(seats=4, supermove="full")
    states = [game.parse(f"place={seat} tile=T2 {CLOSED}") for seat in range(4)]
    for seat, state in enumerate(states):
        assert exchanges(state) == expected_exchanges(state, "T2", {seat % 2})
    assert exchanges(states[0]) == exchanges(states[2]) != set()


@pytest.mark.parametrize("supermove", ["full", "single"])
def test_r7_5_an_exchange_that_connects_ends_the_match(supermove: str) -> None:
    game = flows(supermove=supermove, radius=2)
    state = game.parse("place=0 tile=T1 board=dkj/meca/b1nmj/jlam/mha")
    after = state.play("T1.5xc3")
    assert after.text.startswith("over=0 tile=T3! winners=0 by=route")
    other = game.parse("place=1 tile=T2 board=cgc/gmlk/acnm1/jbh1/mke").play("T2.1xd2")
    assert other.text.startswith("over=1 tile=T2! winners=0 by=route")


# ---- R7.6: the removed tile -------------------------------------------------------------------


def test_r7_6_with_full_the_removed_tile_is_laid_at_once() -> None:
    state = flows(supermove="full").parse(f"place=0 tile=T2 {CLOSED}").play("T2.1xd4")
    board = "board=4/5/6/dddkddd/6/5/4"
    assert (state.to_move, state.text) == (0, f"follow=0 tile=T1! {board}")
    for seat in (0, 1, None):
        assert state.conceal(seat).text == state.text
    assert len(state.legal_moves) == 30 * 6
    assert exchanges(state) == set()
    assert {move[:3] for move in state.legal_moves} == {"T1."}
    after = state.play("T1.0@d3")
    assert after.text.startswith("draw=1")
    assert (tiles_on_board(after)["T1"], tiles_on_board(after)["T2"]) == (7, 1)
    assert unseen(after) == {"T0": 10, "T1": 3, "T2": 9, "T3": 10}


def test_r7_6_with_single_the_removed_tile_goes_back() -> None:
    before = flows(supermove="single").parse(f"place=0 tile=T2 {CLOSED}")
    state = before.play("T2.1xd4")
    assert state.text == "draw=1 exchanges=1 board=4/5/6/dddkddd/6/5/4"
    assert unseen(before) == {"T0": 10, "T1": 3, "T2": 9, "T3": 10}
    assert unseen(state) == {"T0": 10, "T1": 4, "T2": 9, "T3": 10}


# ---- R7.7: the limit, and held tiles ----------------------------------------------------------


def test_r7_7_with_single_there_are_as_many_exchanges_as_cells() -> None:
    game = flows(supermove="single")
    last = game.parse(f"place=0 tile=T2 exchanges=36 {CLOSED}")
    assert "T2.1xd4" in last.legal_moves
    assert "exchanges=37" in last.play("T2.1xd4").text
    none = game.parse(f"place=0 tile=T2 exchanges=37 {CLOSED}")
    assert exchanges(none) == set()
    assert len(none.legal_moves) == 30 * 3
    small = flows(supermove="single", radius=2)
    for made, some in ((18, True), (19, False)):
        state = small.parse(f"place=0 tile=T1 exchanges={made} board=dkj/meca/b1nmj/jlam/mha")
        assert bool(exchanges(state)) == some


def test_r7_7_with_held_tiles_the_removed_one_is_kept() -> None:
    game = flows(supermove="single", hold_tile=True)
    state = game.parse(f"place=0 tile=T2 held=-/T0 {CLOSED}").play("T2.1xd4")
    board = "exchanges=1 board=4/5/6/dddkddd/6/5/4"
    assert state.text == f"place=1 tile=T0 held=T1!/- {board}"
    assert state.conceal(1).text == state.text
    assert state.conceal(0).text == f"place=1 tile=?? held=T1!/- {board}"
    rng = random.Random(1)
    for _ in range(5):
        assert "held=T1!/-" in state.conceal(1).resample(rng).text
    turn = state.play_all(["T0.0@d3", "draw:T3"])
    assert turn.text.startswith("place=0 tile=T1! held=-/T3 exchanges=1")
    assert "tile=T1! held=-/T3" in turn.conceal(1).text
    laid = turn.play("T1.0@d2")
    assert laid.text.startswith("draw=0 held=-/T3")


def test_r7_7_with_full_and_held_tiles_a_new_one_is_drawn() -> None:
    game = flows(supermove="full", hold_tile=True)
    state = game.parse(f"place=0 tile=T2 held=-/T0 {CLOSED}").play("T2.1xd4")
    assert state.text.startswith("follow=0 tile=T1! held=-/T0")
    state = state.play("T1.0@d3")
    assert state.text.startswith("draw=0 held=-/T0")
    assert state.play("draw:T3").text.startswith("place=1 tile=T0 held=T3/-")


# ---- R7.8: freeing anybody --------------------------------------------------------------------


@pytest.mark.parametrize("supermove", ["full", "single"])
@pytest.mark.parametrize("seat", [0, 1])
def test_r7_8_with_any_anybody_may_be_freed(supermove: str, seat: int) -> None:
    game = flows(supermove=supermove, supermove_any=True)
    state = game.parse(f"place={seat} tile=T2 {CLOSED}")
    assert exchanges(state) == expected_exchanges(state, "T2", {0, 2})
    assert "T2.1xd4" in state.legal_moves
    after = state.play("T2.1xd4")
    assert oracle.reachable(board_of(after.array), 0)


@pytest.mark.parametrize("supermove_any", [False, True])
def test_r7_8_exchanges_agree_with_the_oracle(supermove_any: bool) -> None:
    seen = 0
    game = flows(supermove="single", supermove_any=supermove_any, radius=2, seats=3)
    for seed in (1, 2):
        for state in random_match(game, random.Random(seed)).states:
            if state.to_move >= 0:
                axes = {0, 1, 2} if supermove_any else {(0, 2, 1)[state.to_move]}
                tile = state.text.partition("tile=")[2][:2]
                assert exchanges(state) == expected_exchanges(state, tile, axes, 2)
                seen += bool(exchanges(state))
    assert seen >= 9


# ---- R7.9: a full board -----------------------------------------------------------------------


@pytest.mark.parametrize("supermove", ["full", "single"])
@pytest.mark.parametrize("hold", [False, True])
def test_r7_9_on_a_full_board_the_next_team_wins(supermove: str, hold: bool) -> None:
    game = flows(supermove=supermove, radius=2, hold_tile=hold)
    held = " held=-/T2" if hold else ""
    rows = BOARD_ALMOST_FULL.partition("board=")[2]
    state = game.parse(f"place=0 tile=T0{held} board={rows}").play("T0.1@a3")
    assert state.to_move == wm.OVER
    assert not any(oracle.connected(board_of(state.array, 2), axis, 2) for axis in (0, 2))
    assert state.outcome is not None
    assert state.outcome.winners == (1,)
    assert state.outcome.reason.code == "board_full"


@pytest.mark.parametrize(
    ("seats", "seat", "winners"), [(3, 2, (0,)), (4, 3, (0, 2)), (5, 4, (2,)), (6, 1, (2, 5))]
)
def test_r7_9_the_whole_team_wins(seats: int, seat: int, winners: tuple[int, ...]) -> None:
    game = flows(seats=seats, supermove="full", radius=2)
    state = game.parse(BOARD_ALMOST_FULL.replace("place=0", f"place={seat}")).play("T0.1@a3")
    assert state.outcome is not None
    assert state.outcome.winners == winners
