"""The exact solver against brute force."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.core.errors import TooLarge
from watermeet.games.qwirkle import layout, solver
from watermeet.games.qwirkle.endgame import make_stack
from watermeet.games.qwirkle.players import choose_greedily
from watermeet.games.qwirkle.rules import points_of
from watermeet.games.qwirkle.solver import solve
from watermeet.games.qwirkle.turn_lists import (
    CELL,
    POINTS,
    SIZE,
    SLOT,
    Board,
    cell_of,
    load_board,
    make_board,
    play_row,
    take_back,
    update_lists,
)
from watermeet.games.qwirkle.turns import whole_turns

pytestmark = pytest.mark.slow


def best_margin(state: wm.State, seen: dict[wm.State, int]) -> int:
    """The final margin of seat 0 with best play on both sides, action by action."""
    if state.to_move == wm.OVER:
        array = state.array.copy()
        return int(points_of(array, 0)) - int(points_of(array, 1))
    if state not in seen:
        values = [best_margin(state.play(action), seen) for action in state.legal_actions]
        seen[state] = max(values) if state.to_move == 0 else min(values)
    return seen[state]


def ending(seed: int, tiles: int) -> wm.State:
    """A position with an empty bag in which the players hold this many tiles together."""
    rng = random.Random(seed)
    state = wm.game("qwirkle").start().sample(rng)
    while state.to_move >= 0:
        array = state.array
        held = sum(array[layout.HANDS : layout.HANDS + 2 * layout.HAND] > 0)
        if array[layout.BAG_LEFT] == 0 and array[layout.LAID] == 0 and held <= tiles:
            return state
        state = state.play(choose_greedily(state, rng)).sample(rng)
    return ending(seed + 1000, tiles)


@pytest.mark.parametrize("seed", range(6))
def test_the_solver_finds_what_brute_force_finds(seed: int) -> None:
    state, seen = ending(seed, 6), dict[wm.State, int]()
    sign = 1 if state.to_move == 0 else -1
    solution = solve(state.conceal(state.to_move), every_move=True)
    assert solution.value == sign * best_margin(state, seen)
    assert solution.values is not None
    for action, value in solution.values.items():
        assert value == sign * best_margin(state.play(action), seen)
    quick = solve(state)
    assert quick.value == solution.value
    assert quick.best_actions[0] in solution.best_actions
    after = state.play(quick.best_actions[0])
    if after.to_move == state.to_move:  # The rest of the turn is solved, too.
        assert solve(after).value == solution.value


Placement = tuple[frozenset[tuple[int, int]], int]  # Cells with kinds, and points.


def listed(board: Board, ply: int, seat: int) -> list[Placement]:
    """The turns of a seat that the board lists."""
    found = []
    for row in board.rows[board.lists[ply, seat, : board.counts[ply, seat]]].tolist():
        cells, slots = row[CELL : CELL + row[SIZE]], row[SLOT : SLOT + row[SIZE]]
        kinds = board.kinds[seat, slots].tolist()
        found.append((frozenset(zip(cells, kinds, strict=True)), row[POINTS]))
    return found


def generated(state: wm.State, seat: int) -> list[Placement]:
    """The turns that the generator of turns finds if a seat is to move."""
    array = state.array.copy()
    array[layout.MOVER] = seat
    turns = whole_turns(wm.State(state.game, array))
    return [
        (frozenset((cell_of(x, y), kind) for (x, y), kind in turn.tiles), turn.points)
        for turn in turns
    ]


def test_lists_of_turns_stay_complete_from_turn_to_turn() -> None:
    board, rng, compared = make_board(), random.Random(5), 0
    start = ending(3, 12)
    load_board(board, start.array.copy())
    for _ in range(6):
        state, path = start, list[int]()
        while state.to_move >= 0:
            ply, mover = len(path), state.to_move
            for seat in range(2):
                assert sorted(listed(board, ply, seat), key=repr) == sorted(
                    generated(state, seat), key=repr
                )
                points = [points for _, points in listed(board, ply, seat)]
                assert points == sorted(points, reverse=True)
                compared += len(points)
            turns = whole_turns(state)
            if not turns:
                break
            turn = rng.choice(turns)
            placed = frozenset((cell_of(*cell), kind) for cell, kind in turn.tiles)
            place = [cells for cells, _ in listed(board, ply, mover)].index(placed)
            path.append(int(board.lists[ply, mover, place]))
            play_row(board, ply, mover, path[-1])
            update_lists(board, ply + 1, path[-1])
            state = state.play_all(turn.moves)
        for row in reversed(path):
            take_back(board, row)
    assert compared > 500


def test_the_solver_gives_up_if_there_is_no_room_for_all_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stack = make_stack()
    board = stack.board._replace(lists=stack.board.lists[:, :, :2].copy())
    monkeypatch.setattr(solver, "make_stack", lambda: stack._replace(board=board))
    with pytest.raises(TooLarge, match="too many turns"):
        solve(ending(1, 6))


def test_the_solver_says_what_is_out_of_reach() -> None:
    with pytest.raises(TooLarge, match="hidden"):
        solve(wm.game("qwirkle").start().sample(random.Random(1)))
    with pytest.raises(TooLarge, match="nodes"):
        solve(ending(1, 12), node_limit=10)
