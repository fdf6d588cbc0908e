"""The rules of Flecks; tests are named after the paragraphs of RULES.md."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import watermeet as wm
from watermeet.games.flecks.tests.positions import (
    SKIP_ON_5,
    flecks,
    placements,
    position,
    row_moves,
    stones,
)
from watermeet.testing import random_match

CHAIN = "g1 f2 e3 d4 c5 b5 a5"  # The shortest red one on a board of 5.
CUTS = {"a5", "g1", "i5", "c9"}


def at_border(state: wm.State, letter: str) -> set[str]:
    return {c["name"] for c in state.view(None)["board"]["cells"] if letter in c["borders"]}


# ---- R1 and R2: board and border --------------------------------------------------------------


@pytest.mark.parametrize(("size", "cells"), [(5, 61), (7, 127), (9, 217), (11, 331), (13, 469)])
def test_r1_1_sizes_and_cells(size: int, cells: int) -> None:
    assert len(flecks(size).start().view(None)["board"]["cells"]) == cells


def test_r1_1_seven_is_the_default_and_three_sizes_are_offered() -> None:
    assert wm.game("flecks").options["size"] == 7
    size = wm.game("flecks").option("size")
    assert isinstance(size, wm.Number)
    assert size.offered == (5, 7, 9)


@pytest.mark.parametrize("size", [3, 4, 6, 8, 15, 0, -5])
def test_r1_1_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(wm.InvalidOptions, match="from 5 to 13 in steps of 2"):
        flecks(size)


def test_r1_2_seat_0_is_red_and_seat_1_is_blue() -> None:
    state = flecks().start().play_all(["a5", "e5"])
    assert [seat["label"] for seat in state.view(0)["seats"]] == ["Red", "Blue"]
    assert (stones(state, 0), stones(state, 1)) == ({"a5"}, {"e5"})


def test_r1_3_a_cell_in_the_middle_has_six_neighbours_and_a_corner_three() -> None:
    assert placements(position("e5")) == {"f5", "e6", "d6", "d5", "e4", "f4"}
    assert len(row_moves(position("e5", last="e5"))) == 6
    assert placements(position("i5")) == {"h5", "h6", "i4"}


def test_r2_1_the_borders_are_four_quarters() -> None:
    state = flecks().start()
    upper_right = {"g1", "h1", "i1", "i2", "i3", "i4", "i5"}
    lower_left = {"c9", "b9", "a9", "a8", "a7", "a6", "a5"}
    assert at_border(state, "r") == upper_right | lower_left
    upper_left = {"a5", "b4", "c3", "d2", "e1", "f1", "g1"}
    lower_right = {"i5", "h6", "g7", "f8", "e9", "d9", "c9"}
    assert at_border(state, "b") == upper_left | lower_right


@pytest.mark.parametrize(("size", "quarter"), [(5, 7), (7, 10), (9, 13), (11, 16), (13, 19)])
def test_r2_2_the_cut_cells_count_for_both(size: int, quarter: int) -> None:
    state = flecks(size).start()
    red, blue = at_border(state, "r"), at_border(state, "b")
    assert len(red) == len(blue) == 2 * quarter
    assert len(red & blue) == 4
    assert len(red | blue) == 6 * (size - 1)
    if size == 5:
        assert red & blue == CUTS


# ---- R3: the opening --------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "each"), [(5, 2), (7, 4), (9, 6), (13, 10)])
def test_r3_1_red_begins_and_each_places_the_side_minus_three(size: int, each: int) -> None:
    state = flecks(size).start()
    rng = random.Random(size)
    for number in range(2 * each):
        assert state.to_move == number % 2
        assert state.view(None)["board"]["due"] == "opening"
        left = each - (number + 1) // 2, each - number // 2
        assert state.view(None)["board"]["opening_left"] == list(left)
        assert row_moves(state) == set()
        state = state.play(rng.choice(state.legal_moves))
    assert state.view(None)["board"]["due"] == "add"


def test_r3_2_opening_stones_go_on_any_free_cell() -> None:
    state = flecks().start().play("a5")
    assert len(state.legal_moves) == 60
    state = state.play("e5")
    assert len(state.legal_moves) == 59
    assert state.explain("e5").code == "occupied"
    assert state.explain("a5-ne1").code == "opening"
    assert state.explain("stop").code == "stop_too_early"


@pytest.mark.parametrize(("size", "rim"), [(5, 24), (7, 36), (9, 48)])
def test_r3_3_the_first_red_stone_is_on_the_rim(size: int, rim: int) -> None:
    state = flecks(size).start()
    assert len(state.legal_moves) == rim
    assert set(state.legal_moves) == at_border(state, "r") | at_border(state, "b")
    with pytest.raises(wm.IllegalMove, match="on the outer ring"):
        state.play(f"{'abcdefghi'[size - 1]}{size}")
    after = state.play(state.legal_moves[0])
    assert len(after.play(after.legal_moves[0]).legal_moves) == 3 * size * (size - 1) - 1


# ---- R4: turns --------------------------------------------------------------------------------


def test_r4_1_red_is_next_after_the_opening() -> None:
    state = flecks().start().play_all(["a5", "e5", "e4", "f4"])
    assert state.to_move == 0
    assert state.play_all(["a6", "stop"]).to_move == 1
    assert state.play_all(["a6", "stop", "f5", "f5-se1"]).to_move == 0


def test_r4_2_a_stone_is_added_next_to_your_own() -> None:
    state = flecks().start().play_all(["a5", "e5", "e4", "f4"])
    assert placements(state) == {"a6", "b4", "b5", "d4", "d5", "e3", "f3"}
    refused = state.explain("h1")
    assert refused.code == "not_adjacent"
    assert "f3" in refused.sentence


def test_r4_2_adding_is_compulsory() -> None:
    state = flecks().start().play_all(["a5", "e5", "e4", "f4"])
    assert row_moves(state) == set()
    assert state.explain("e4-nw1").code == "add_first"
    assert state.explain("stop").code == "stop_too_early"


def test_r4_3_then_a_row_moves_or_the_turn_ends() -> None:
    state = flecks().start().play_all(["a5", "e5", "e4", "f4", "e3"])
    assert state.to_move == 0
    assert placements(state) == set()
    assert "stop" in state.legal_moves
    assert state.explain("d4").code == "stone_added"
    assert state.play("stop").to_move == 1
    assert state.play("e4-nw1").to_move == 1


def test_r4_4_a_player_who_cannot_add_is_skipped() -> None:
    moves = SKIP_ON_5.split()
    before = flecks().start().play_all(moves[:-1])
    assert before.to_move == 1
    assert "Red can't place a stone" in before.explain("stop").sentence
    state = before.play("stop")
    assert state.to_move == 1
    assert len(placements(state)) == 8
    assert "Red can't place a stone" in state.view(None)["sentence"]


def test_r4_4_a_freed_player_is_no_longer_skipped() -> None:
    state = flecks().start().play_all(SKIP_ON_5.split())
    state = state.play("g3").play("i2-nw1")  # Which frees i2, beside i3.
    assert state.to_move == 0
    assert placements(state) == {"i2"}


# ---- R5: rows ---------------------------------------------------------------------------------


def test_r5_1_a_row_is_any_number_of_stones_on_a_line() -> None:
    assert len(placements(position("e5 f5"))) == 8
    moves = row_moves(position("e5 f5", last="e5"))
    assert len(moves) == 14
    assert {m for m in moves if m.startswith(("e5-e", "f5-e"))} == {"e5-e1", "e5-e2", "f5-e1"}
    assert {m for m in moves if "-w" in m} == {"e5-w1", "f5-w1", "f5-w2"}


def test_r5_2_a_row_moves_along_itself() -> None:
    moves = row_moves(position("d5 e5 f5", last="e5"))
    ways = Counter(move.split("-")[1].rstrip("123") for move in moves)
    assert ways == {"e": 6, "w": 6, "ne": 3, "nw": 3, "se": 3, "sw": 3}


@pytest.mark.parametrize(
    ("move", "after"),
    [("d5-e3", "g5 h5 i5"), ("e5-e2", "d5 g5 h5"), ("e5-e1", "d5 f5 g5"), ("d5-e1", "e5 f5 g5")],
)
def test_r5_3_a_row_moves_at_most_its_length(move: str, after: str) -> None:
    assert stones(position("d5 e5 f5", "a5", last="e5").play(move), 0) == set(after.split())


def test_r5_3_too_far_blocked_and_off_the_board_are_refused() -> None:
    state = position("d5 e5 f5", "h5", last="e5")
    assert state.explain("f5-e2").code == "too_far"
    assert state.explain("d5-e2").code == "blocked"
    assert state.explain("d5-e2").cells == ("h5",)
    assert "blue stone on h5 after 1 step" in state.explain("d5-e2").sentence
    edge = position("h5 i5", "a5", last="h5")
    assert edge.explain("h5-e1").sentence.endswith("blocked by the edge of the board.")
    assert edge.explain("h5-e1").cells == ()
    own = position("d5 f5", "a5", last="d5")
    assert own.explain("d5-e1").legal
    assert own.explain("e5-e1").code == "no_own_stone"
    assert state.explain("h5-e1").sentence.startswith("h5 holds a blue stone")


def test_r5_4_a_row_may_be_split() -> None:
    moves = row_moves(position("d5 e5 f5", last="e5"))
    east = {move for move in moves if move.split("-")[1] in {"e1", "e2", "e3"}}
    assert east == {"f5-e1", "e5-e1", "e5-e2", "d5-e1", "d5-e2", "d5-e3"}


def test_r5_5_a_stone_within_a_row_may_leave_it() -> None:
    state = position("d5 e5 f5", "a5", last="e5")
    assert stones(state.play("e5-ne1"), 0) == {"d5", "f4", "f5"}


def test_r5_6_the_new_stone_takes_part() -> None:
    state = flecks().start().play_all(["a5", "e5", "e4", "f4", "e3"])
    assert "e3-nw1" in state.legal_moves
    assert stones(state.play("e4-nw2"), 0) == {"a5", "e1", "e2"}


def test_r5_7_no_stone_leaves_the_board() -> None:
    for seed in range(3):
        match = random_match(flecks(), random.Random(seed))
        for before, after in zip(match.states, match.states[1:], strict=False):
            for seat in (0, 1):
                grown = len(stones(after, seat)) - len(stones(before, seat))
                assert grown in (0, 1)


def test_r5_8_no_two_moves_lead_to_the_same_position() -> None:
    for seed in range(3):
        for state in random_match(flecks(), random.Random(seed)).states[::9]:
            results = [frozenset(stones(state.play(m), state.to_move)) for m in row_moves(state)]
            assert len(set(results)) == len(results)


# ---- R6: the end ------------------------------------------------------------------------------


def winner(state: wm.State) -> int | None:
    return state.outcome.winners[0] if state.outcome else None


def test_r6_1_a_chain_between_both_borders_wins() -> None:
    names = CHAIN.split()
    for missing in names[1:-1]:
        rest = " ".join(name for name in names if name != missing)
        state = position(rest, "e9 d9 c8")
        assert state.explain(missing).code == "wins"
        assert winner(state.play(missing)) == 0
    assert winner(position("g1 f2 e3 d4 c5", "i5").play("b5")) is None


@pytest.mark.parametrize(("size", "shortest"), [(5, 7), (7, 10), (9, 13)])
def test_r6_1_the_shortest_chain(size: int, shortest: int) -> None:
    half = (size - 1) // 2
    letters = "abcdefghijklmnopq"
    chain = [f"{letters[column]}{size}" for column in range(half)]
    chain += [f"{letters[half + step]}{size - step}" for step in range(size)]
    assert len(chain) == shortest
    state = position(" ".join(chain[:-1]), "", size=size)
    end = state.play(chain[-1])
    assert winner(end) == 0
    assert set(end.view(None)["board"]["chain"]) == set(chain)
    assert end.outcome is not None
    assert end.outcome.reason.facts == {"winner": "Red", "chain": shortest}
    assert position(" ".join(chain[:-2]), "", size=size).play(chain[-2]).to_move == 0


def test_r6_2_both_the_stone_and_the_move_can_win() -> None:
    stone = position("g1 f2 e3 d4 c5 b5", "e9").play("a5")
    assert (stone.to_move, stone.legal_moves) == (wm.OVER, ())
    assert stone.explain("stop").code == "match_over"
    state = position("g1 f2 e3 d4 b5 a5 c6", "e9").play("h1")
    assert state.explain("c6-nw1").code == "wins"
    moved = state.play("c6-nw1")
    assert winner(moved) == 0
    assert moved.outcome is not None
    assert moved.outcome.returns == (1.0, -1.0)


def test_r6_3_a_turn_cannot_make_the_opponent_win() -> None:
    for seed in range(6):
        match = random_match(flecks(), random.Random(seed))
        assert winner(match.end) == match.states[-2].to_move


@pytest.mark.parametrize("options", [{}, {"must_place": False}, {"win_at_end_only": True}])
def test_r6_4_matches_end_with_a_winner(options: dict[str, bool]) -> None:
    for seed in range(4):
        end = random_match(flecks(**options), random.Random(seed)).end
        assert end.outcome is not None
        assert sorted(end.outcome.returns) == [-1.0, 1.0]


# ---- R7: options ------------------------------------------------------------------------------


def test_r7_1_with_sides_red_joins_top_and_bottom() -> None:
    state = flecks(border="sides").start()
    assert at_border(state, "r") == {f"{c}1" for c in "efghi"} | {f"{c}9" for c in "abcde"}
    assert at_border(state, "r") & at_border(state, "b") == {"e1", "i1", "a9", "e9"}
    assert len(at_border(state, "b")) == 18
    red = position("e1 e2 e3 e4 e5 e6 e7 e8", "a5", border="sides")
    assert winner(red.play("e9")) == 0
    blue = position("a9 b9", "e1 f1 g1 h1", turn="b", border="sides")
    assert winner(blue.play("i1")) == 1
    assert winner(position("g1 f2 e3 d4 c5 b5", "e9", border="sides").play("a5")) is None


def test_r7_2_a_turn_may_be_a_row_move_alone() -> None:
    state = flecks(must_place=False).start().play_all(["a5", "i5", "e4", "f6"])
    assert len(placements(state)) + len(row_moves(state)) == len(state.legal_moves)
    assert "stop" not in state.legal_moves
    assert state.explain("stop").code == "stop_too_early"
    assert state.view(0)["board"]["due"] == "either"
    assert state.play("e4-nw1").to_move == 1
    assert "stop" in state.play("e3").legal_moves


def test_r7_2_after_five_such_turns_a_stone_is_due() -> None:
    state = flecks(must_place=False).start().play_all(["a5", "i5", "e4", "f6"])
    state = state.play_all(["e4-nw1", "f6-se1", "e3-se1", "f7-nw1"])
    assert row_moves(state)
    state = state.play("e4-nw1")
    assert state.to_move == 1
    assert row_moves(state) == set()
    assert state.explain("f6-se1").code == "must_add"
    state = state.play("f7")
    assert row_moves(state)
    assert row_moves(state.play("stop"))  # The count restarts.


def test_r7_3_the_new_stone_stays() -> None:
    state = position("d5 f5", "e1", new_stone_fixed=True).play("e5")
    assert row_moves(state) == row_moves(position("d5 e5 f5", "e1", last="e5")) - {
        move
        for move in row_moves(position("d5 e5 f5", "e1", last="e5"))
        if move.startswith("e5") or move[:4] in {"d5-e", "f5-w"}
    }
    assert state.explain("d5-e1").code == "new_stone"
    assert state.explain("d5-e1").cells == ("e5",)
    assert "f5-e1" in state.legal_moves
    assert state.play("stop").play("f1").play("stop").to_move == 0


def test_r7_4_a_chain_must_be_complete_at_the_end_of_the_turn() -> None:
    state = position("g1 f2 e3 d4 c5 b5", "e9", win_at_end_only=True)
    assert state.explain("a5").code == "connects"
    state = state.play("a5")
    assert state.to_move == 0
    assert winner(state.play("stop")) == 0
    assert state.explain("stop").code == "wins"
    broken = state.play("d4-w1")
    assert (broken.to_move, winner(broken)) == (1, None)
