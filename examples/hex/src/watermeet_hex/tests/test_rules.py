"""The rules of Hex: ``test_r2_1_…`` tests paragraph R2.1 of RULES.md."""

from __future__ import annotations

import random

import pytest
from watermeet_hex.chain import neighbours, winning_chain
from watermeet_hex.notation import marks_of
from watermeet_hex.players import shortest
from watermeet_hex.tests.oracle import Position

import watermeet as wm

RED, BLUE = 0, 1


def start(**options: int | bool) -> wm.State:
    return wm.game("hex", **options).start()


def play(moves: str, **options: int | bool) -> wm.State:
    state = start(**options)
    for move in moves.split():
        state = state.play(move)
    return state


def random_end(seed: int, **options: int | bool) -> wm.State:
    rng, state = random.Random(seed), start(**options)
    while state.to_move != wm.OVER:
        state = state.play(rng.choice(state.legal_actions))
    return state


def test_r1_1_the_board_is_a_rhombus_of_cells() -> None:
    assert len(start().legal_moves) == 121
    assert len(start(size=3).legal_moves) == 9
    assert "s19" in start(size=19).legal_moves
    with pytest.raises(wm.InvalidOptions, match="from 3 to 19"):
        start(size=20)


def test_r1_2_a_cell_has_up_to_six_neighbours() -> None:
    assert sorted(neighbours(4, 3)) == [1, 2, 3, 5, 6, 7]
    assert [len(list(neighbours(corner, 3))) for corner in (0, 2, 6, 8)] == [2, 3, 3, 2]


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("b1 a1 b2 a2 b3", RED),
        ("c1 a1 b2 b1 a3", RED),  # Through two corners.
        ("b1 a2 c1 b2 a1 c2", BLUE),
        ("a1 a3 b1 b2 a2 c1", BLUE),  # Through the same two corners.
    ],
)
def test_r1_3_top_and_bottom_are_reds_left_and_right_blues(moves: str, winner: int) -> None:
    state = play(moves, size=3)
    assert state.outcome is not None
    assert state.outcome.winners == (winner,)


def test_r1_4_the_board_starts_empty() -> None:
    assert start(size=4).text == "4/4/4/4"


def test_r2_1_red_begins_and_players_take_turns() -> None:
    state = start()
    for index, move in enumerate(("a1", "b3", "c1", "d4")):
        assert state.to_move == index % 2
        state = state.play(move)


def test_r2_2_only_an_empty_cell_can_be_taken() -> None:
    state = play("b2")
    assert "b2" not in state.legal_moves
    with pytest.raises(wm.IllegalMove, match="b2 already holds a red stone"):
        state.play("b2")


def test_r2_3_stones_stay_and_nobody_may_pass() -> None:
    assert play("a1 b2 c3", size=3).text == "r2/1b1/2r"
    with pytest.raises(wm.InvalidNotation):
        start().play("pass")


def test_r3_1_blue_may_swap_in_the_first_turn_only() -> None:
    assert "swap" in play("f6").legal_moves
    with pytest.raises(wm.IllegalMove, match="no stone to take over yet"):
        start().play("swap")
    for moves in ("f6 e5", "f6 swap", "f6 e5 d4"):
        assert "swap" not in play(moves).legal_moves
        with pytest.raises(wm.IllegalMove, match="Only Blue's first turn"):
            play(moves).play("swap")
    with pytest.raises(wm.InvalidNotation, match="without the pie rule"):
        play("f6", pie=False).play("swap")
    assert "swap" not in play("f6", pie=False).legal_moves


def test_r3_2_a_swap_mirrors_the_first_stone_and_makes_it_blue() -> None:
    state = play("b3 swap", size=3)
    assert state.text == "3/2b/3 swapped"
    assert state.to_move == RED
    assert "b3" in state.legal_moves
    assert play("b3 swap b3", size=3).to_move == BLUE
    won = play("b3 swap b3 b2 b1 a3", size=3)
    assert won.outcome is not None
    assert won.outcome.winners == (BLUE,)


def test_r4_1_a_chain_from_side_to_side_wins_at_once() -> None:
    state = play("c1 a1 a3 a2", size=3)
    assert "wins" in state.explain("b2").sentence
    won = state.play("b2")
    assert won.outcome is not None
    assert won.outcome.reason.code == "connected"
    assert won.outcome.reason.cells == ("c1", "b2", "a3")
    assert won.outcome.returns == (1.0, -1.0)
    assert won.legal_moves == ()


@pytest.mark.parametrize("size", [3, 5, 11])
def test_r4_2_there_are_no_draws(size: int) -> None:
    for seed in range(10):
        end = random_end(seed, size=size)
        assert end.outcome is not None
        assert len(end.outcome.winners) == 1
    rng, cells = random.Random(size), list(range(size * size))
    for _ in range(20):
        rng.shuffle(cells)
        red, blue = set(cells[::2]), set(cells[1::2])
        assert bool(winning_chain(red, size, RED)) != bool(winning_chain(blue, size, BLUE))


# ---- the oracle -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("size", "pie"), [(3, True), (4, False), (6, True)])
def test_the_oracle_agrees_along_random_matches(size: int, pie: bool, seed: int) -> None:
    rng, state = random.Random(seed), start(size=size, pie=pie)
    position = Position(size, pie)
    while state.to_move != wm.OVER:
        assert set(state.legal_moves) == position.legal()
        assert state.to_move == position.mover
        may_swap = "swap" in state.legal_moves and seed % 2
        move = "swap" if may_swap else rng.choice(state.legal_moves)
        state = state.play(move)
        position.play(move)
    assert position.mover is None
    assert state.outcome is not None
    assert state.outcome.winners == (position.winner,)


def test_the_oracle_counts_the_same_sequences() -> None:
    assert Position(3).count(4) == 3528
    assert Position(3, pie=False).count(5) == 15120


# ---- texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3/3", "3 rows of 3 cells"),
        ("3/1x1/3", "the letters r and b"),
        ("3/1b1/3", "Red has as many stones"),
        ("3/rr1/3", "Red has as many stones"),
        ("3/1r1/3 swapped", "Blue has as many stones"),
        ("3/3/3 swapped", "Blue has as many stones"),
        ("r2/rbb/r1b", "only the player who moved last"),
        ("rrb/rrb/r1b", "Red has as many stones"),
        ("rr1b/rrbb/rrbb/rrbb", "the match was over before"),
    ],
)
def test_impossible_states_are_rejected(text: str, complaint: str) -> None:
    game = wm.game("hex", size=text.count("/") + 1 if len(text) > 3 else 3)
    with pytest.raises(wm.InvalidNotation, match=complaint):
        game.parse(text)


def test_nobody_has_swapped_without_the_pie_rule() -> None:
    with pytest.raises(wm.InvalidNotation, match="without the pie rule"):
        wm.game("hex", size=3, pie=False).parse("3/1b1/3 swapped")


def test_moves_parse_leniently() -> None:
    assert play("F6").play(" Swap ").text == play("f6 swap").text
    with pytest.raises(wm.InvalidNotation, match="11x11 board"):
        start().play("l1")


def test_a_swap_is_explained_and_marked() -> None:
    assert "leaves b3, and a blue one stands on c2" in play("b3").explain("swap").sentence
    state = play("b3 swap", size=3)
    assert ">B" in state.render(last=(9,)).plain
    assert state.view(None)["board"]["swapped"]


# ---- features ---------------------------------------------------------------------------------


def test_blue_sees_the_mirrored_board() -> None:
    red, blue = play("b3 e5", size=5), play("c2 e5", size=5)
    planes, _ = red.game.features.spec.split(red.game.features.of(red, seat=RED))
    mirrored, _ = blue.game.features.spec.split(blue.game.features.of(blue, seat=BLUE))
    assert planes[0].tolist() == mirrored[1].tolist()
    assert planes[0][2][1] == 1.0


def test_marks_leave_the_cache_out() -> None:
    state = play("a1 c3", size=3)
    assert marks_of(state.game, state.array) == [1, 0, 0, 0, 0, 0, 0, 0, 2]


# ---- players ----------------------------------------------------------------------------------


def test_the_shortest_way_completes_a_chain() -> None:
    state = play("c1 a1 a3 a2", size=3)
    assert state.format(shortest(state, random.Random(1))) == "b2"


def test_the_shortest_way_beats_random_play() -> None:
    wins = 0
    for seed in range(6):
        rng, state = random.Random(seed), start(size=5, pie=False)
        while state.to_move != wm.OVER:
            is_ours = state.to_move == seed % 2
            state = state.play(shortest(state, rng) if is_ours else rng.choice(state.legal_actions))
        assert state.outcome is not None
        wins += state.outcome.winners == (seed % 2,)
    assert wins == 6
