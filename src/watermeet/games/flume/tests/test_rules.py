"""The rules of Flume; tests are named after the paragraphs of RULES.md."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.rng import seeded
from watermeet.games.flume.tests.oracle import Position


def flume(size: int = 5, *, pie: bool = True, no_centre_first: bool = False) -> wm.Game:
    return wm.game("flume", size=size, pie=pie, no_centre_first=no_centre_first)


def with_stones(names: str, *, size: int = 5, colour: str = "r") -> wm.State:
    """A state with red stones on these points."""
    rows = [["."] * size for _ in range(size)]
    for name in names.split():
        rows[size - int(name[1:])]["abcdefghijklmnopqrs".index(name[0])] = "r"
    return flume(size, pie=False).parse("/".join("".join(row) for row in rows) + f" {colour} 0")


def connections(state: wm.State, move: str) -> object:
    return state.explain(move).facts["connections"]


@pytest.mark.parametrize("size", [3, 5, 7, 9, 11, 13, 15, 17, 19])
def test_r1_1_any_odd_size_from_3_to_19(size: int) -> None:
    assert len(flume(size).start().legal_moves) == size * size


def test_r1_1_seven_is_the_default_and_five_sizes_are_offered() -> None:
    assert len(wm.game("flume").start().legal_moves) == 49
    (size,) = (o for o in wm.game("flume").declared_options if o.name == "size")
    assert isinstance(size, wm.Number)
    assert size.offered == (5, 7, 9, 11, 13)


@pytest.mark.parametrize("size", [4, 8, 1, 21, -3, 0])
def test_r1_1_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(wm.InvalidOptions, match="from 3 to 19 in steps of 2"):
        wm.game("flume", size=size)


def test_r1_2_the_rim_is_one_neighbour_at_an_edge_and_two_in_a_corner() -> None:
    start = flume().start()
    assert [connections(start, move) for move in ("c3", "c1", "a3", "e3", "c5")] == [0, 1, 1, 1, 1]
    assert [connections(start, move) for move in ("a1", "a5", "e1", "e5")] == [2, 2, 2, 2]


def test_r2_1_red_begins_and_the_turn_alternates() -> None:
    state = flume().start()
    assert state.to_move == 0
    assert state.view(0)["seats"][0]["label"] == "Red"
    state = state.play("c3")
    assert state.to_move == 1
    assert state.play("a1").to_move == 0


def test_r2_2_players_place_their_own_colour() -> None:
    state = flume().start().play_all(["c3", "b5"])
    assert state.text == "1b3/5/2r2/5/5 r 0"


def test_r2_3_exactly_the_free_points_may_be_taken() -> None:
    state = flume(pie=False).start().play_all(["c3", "a1"])
    assert set(state.legal_moves) == set(flume().start().legal_moves) - {"c3", "a1"}
    with pytest.raises(wm.IllegalMove, match="There is already a red stone on c3") as refused:
        state.play("c3")
    assert refused.value.explanation is not None
    assert refused.value.explanation.code == "occupied"
    assert refused.value.explanation.cells == ("c3",)


def test_r2_4_nobody_may_pass() -> None:
    state = flume().start()
    assert state.explain("pass").code == "unreadable"
    with pytest.raises(wm.InvalidNotation):
        state.play("pass")


@pytest.mark.parametrize(
    ("stones", "count"), [("c2 b3 c4 d3", 4), ("c2 b3 c4", 3), ("c2 b3", 2), ("c2", 1)]
)
def test_r3_1_each_orthogonal_stone_is_a_connection(stones: str, count: int) -> None:
    colour = "b" if count == 1 else "r"
    assert connections(with_stones(stones, colour=colour), "c3") == count


@pytest.mark.parametrize(
    ("stones", "move", "sentence", "cells"),
    [
        ("", "c3", "c3 makes no connections, which ends the turn.", "c3"),
        ("c2", "c3", "c3 makes 1 connection, which ends the turn.", "c3 c2"),
        ("c2 b3 c4", "c3", "c3 makes 3 connections, so Red moves again.", "c3 c2 b3 c4"),
        (
            "b1",
            "a1",
            "a1 makes 3 connections (2 with the green rim), so Blue moves again.",
            "a1 b1",
        ),
    ],
)
def test_a_stone_says_what_it_does(stones: str, move: str, sentence: str, cells: str) -> None:
    colour = "b" if len(stones) == 2 else "r"
    explained = with_stones(stones, colour=colour).explain(move)
    assert (explained.sentence, " ".join(explained.cells)) == (sentence, cells)


def test_explanations_are_complete() -> None:
    """Code, sentence, cells, whether it is legal, and the facts from which pages translate it."""
    stone = flume(pie=False).start().play("b1").explain("a1").as_json()
    assert (stone["code"], stone["legal"]) == ("moves_again", True)
    assert stone["facts"] == {"move": "a1", "connections": 3, "colour": "Blue", "rim": 2}
    taken = flume().start().play("c3").explain("c3").as_json()
    assert (taken["legal"], taken["cells"]) == (False, ["c3"])
    assert taken["sentence"] == "There is already a red stone on c3."
    assert taken["facts"] == {"move": "c3", "colour": "Red"}
    barred = flume(no_centre_first=True).start().explain("c3").as_json()
    assert barred["sentence"] == "c3 is the centre, where the first stone may not be placed."
    assert (barred["cells"], barred["facts"]) == (["c3"], {"move": "c3"})


def test_explanations_of_swapping() -> None:
    start = flume().start()
    swap = start.play("c3").explain("swap")
    taken_over = "Swapping takes over red and its stone; the other player continues as blue."
    assert (swap.code, swap.legal, swap.sentence) == ("swap", True, taken_over)
    only = "Colours can be swapped only in reply to the first stone."
    without = "This match is played without swapping colours."
    refused = {
        "swapped_already": (
            start.play_all(["c3", "swap"]),
            "The colours have already been swapped.",
        ),
        "swap_too_early": (start, only),
        "swap_too_late": (start.play_all(["c3", "a1"]), only),
        "pie_off": (flume(pie=False).start().play("c3"), without),
    }
    for code, (state, sentence) in refused.items():
        found = state.explain("swap")
        assert (found.code, found.legal, found.sentence) == (code, False, sentence)


@pytest.mark.parametrize(
    ("board", "winner", "red", "blue"),
    [("rrb/rbr/rb1 r 0", "Red", 6, 3), ("bbb/rbr/rb1 b 0", "Blue", 3, 6)],
)
def test_explanations_of_the_outcome(board: str, winner: str, red: int, blue: int) -> None:
    outcome = flume(3, pie=False).parse(board).play("c1").outcome
    assert outcome is not None
    counts = f"{max(red, blue)} to {min(red, blue)}"
    assert outcome.reason.sentence == f"The board is full. {winner} wins {counts}."
    assert outcome.reason.facts == {"winner": winner, "red": red, "blue": blue}


def test_r3_1_all_colours_count_alike() -> None:
    state = flume(pie=False).parse("5/2b2/1r3/2r2/5 b 0")
    assert connections(state, "c3") == 3


@pytest.mark.parametrize("stones", ["c2 b3 c4 d3", "c2 b3 c4"])
def test_r3_2_three_or_four_connections_move_again(stones: str) -> None:
    state = with_stones(stones)
    assert state.explain("c3").code == "moves_again"
    after = state.play("c3")
    assert after.to_move == state.to_move
    assert len(after.legal_moves) == len(state.legal_moves) - 1  # Anywhere.


def test_r3_2_the_green_rim_helps() -> None:
    state = flume(pie=False).start().play("b1").play("a1")  # Green, green and b1.
    assert state.to_move == 1
    assert state.play("e5").to_move == 0


def test_r3_3_two_connections_end_the_turn() -> None:
    state = with_stones("c2 b3")
    assert state.explain("c3").code == "ends_turn"
    assert state.play("c3").to_move != state.to_move


def test_r4_1_the_match_ends_with_the_last_stone() -> None:
    state = flume(3, pie=False).start().play_all(["b2", "a1"])
    state = state.play_all(["b1", "c1", "a2", "c2", "a3", "b3"])
    last = state.explain("c3")
    fills = "c3 makes 4 connections (2 with the green rim) and fills the board."
    assert (last.code, last.sentence) == ("last_stone", fills)
    assert connections(state, "c3") == 4
    state = state.play("c3")
    assert state.to_move == wm.OVER
    assert state.legal_moves == ()
    assert state.explain("c3").code == "match_over"


def test_r4_2_more_stones_win() -> None:
    moves = ["b2", "a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    outcome = flume(3, pie=False).start().play_all(moves).outcome
    assert outcome is not None
    assert outcome.returns == (1.0, -1.0)
    assert outcome.winners == (0,)
    assert outcome.reason.code == "most_stones"
    assert outcome.reason.facts == {"winner": "Red", "red": 8, "blue": 1}


def test_r4_3_a_majority_is_shown_and_changes_nothing() -> None:
    state = flume(3, pie=False).parse("rrr/rr1/3 r 0")
    assert state.view(None)["board"]["decided"] == 0
    assert state.to_move == 0
    assert flume(3, pie=False).parse("rrr/r2/3 r 0").view(None)["board"]["decided"] is None
    assert flume(3, pie=False).parse("bbb/bb1/r2 r 0").view(None)["board"]["decided"] == 1


def test_r5_1_blue_may_answer_the_first_stone_with_a_swap() -> None:
    state = flume().start()
    assert "swap" not in state.legal_moves
    assert state.explain("swap").code == "swap_too_early"
    state = state.play("c3")
    assert state.legal_moves[-1] == "swap"
    assert state.explain("swap").legal
    assert state.view(1)["board"]["may_swap"] is True


def test_r5_2_a_swap_exchanges_colours_and_the_former_first_player_moves() -> None:
    before = flume().start().play("c3")
    after = before.play("swap")
    assert after.to_move == 0
    assert [seat["label"] for seat in after.view(0)["seats"]] == ["Blue", "Red"]
    assert [seat["score"] for seat in after.view(0)["seats"]] == [0, 1]
    assert after.view(0)["board"]["rows"] == before.view(0)["board"]["rows"]
    assert after.play("a1").text == "5/5/2r2/5/b4 r 1"


def test_r5_2_returns_follow_the_player_not_the_colour() -> None:
    moves = ["b2", "swap", "a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    outcome = flume(3).start().play_all(moves).outcome
    assert outcome is not None
    assert outcome.returns == (-1.0, 1.0)  # Red won, and red is seat 1 now.


def test_r5_3_only_after_the_first_stone_and_only_once() -> None:
    swapped = flume().start().play_all(["c3", "swap"])
    assert swapped.explain("swap").code == "swapped_already"
    later = flume().start().play_all(["c3", "a1"])
    assert later.explain("swap").code == "swap_too_late"
    for state in (swapped, later):
        assert "swap" not in state.legal_moves
        with pytest.raises(wm.IllegalMove):
            state.play("swap")


def test_r5_4_without_the_pie_rule_nobody_swaps() -> None:
    state = flume(pie=False).start().play("c3")
    assert "swap" not in state.legal_moves
    assert state.explain("swap").code == "pie_off"


def test_r6_1_the_centre_is_closed_to_the_first_stone_only() -> None:
    for size in (3, 5, 7, 11):
        state = flume(size, no_centre_first=True).start()
        centre = f"{'abcdefghijk'[size // 2]}{size // 2 + 1}"
        assert len(state.legal_moves) == size * size - 1
        assert centre not in state.legal_moves
        assert state.explain(centre).code == "centre_barred"
        assert centre in state.play("a1").legal_moves
        assert centre in state.play("a1").play("swap").legal_moves


def sampled(state: wm.State, tries: int) -> set[str]:
    """The moves that random play samples here."""
    rng = seeded(state.text)
    room = np.zeros(state.game.sizes.actions, dtype=np.int32)
    array = state.array.copy()
    return {state.format(state.game.kernels.sample_action(array, room, rng)) for _ in range(tries)}


def test_r6_1_and_r5_1_hold_for_random_play() -> None:
    start = flume(3, no_centre_first=True).start()
    assert sampled(start, 300) == set(start.legal_moves)
    for state in (start.play("a1"), start.play("a1").play("swap"), start.play("a1").play("b2")):
        assert sampled(state, 300) == set(state.legal_moves)


# ---- the oracle agrees ------------------------------------------------------------------------


def assert_agrees(state: wm.State, position: Position) -> None:
    assert set(state.legal_moves) == position.legal(), state
    over = state.to_move == wm.OVER
    assert (None if over else state.to_move) == position.mover, state
    for seat in (0, 1):
        assert state.view(seat)["seats"][seat]["score"] == position.stones_of_seat(seat), state
    for move in state.legal_moves:
        if move != "swap":
            assert connections(state, move) == position.connections(move), (state, move)
    if over:
        assert state.outcome is not None
        assert state.outcome.winners == (position.winner(),)


def compare_match(size: int, seed: int, *, pie: bool, no_centre_first: bool) -> None:
    rng = random.Random(seed)
    state = flume(size, pie=pie, no_centre_first=no_centre_first).start()
    position = Position.start(size, pie=pie, no_centre_first=no_centre_first)
    assert_agrees(state, position)
    while state.to_move != wm.OVER:
        # The swap would be rare among so many points.
        swaps = "swap" in state.legal_moves and rng.random() < 0.5
        move = "swap" if swaps else rng.choice(state.legal_moves)
        state, position = state.play(move), position.play(move)
        assert_agrees(state, position)


@pytest.mark.compiled
@pytest.mark.parametrize("size", [3, 5, 7])
def test_the_oracle_agrees_along_random_matches(size: int) -> None:
    """Legal moves, mover, stones, connections and winner, after every action."""
    for seed, pie, centre in itertools.product(range(3), (False, True), (False, True)):
        compare_match(size, seed, pie=pie, no_centre_first=centre)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize(("size", "matches"), [(3, 200), (5, 60), (9, 8), (13, 2), (19, 1)])
def test_the_oracle_agrees_along_many_matches(size: int, matches: int) -> None:
    """The same, for longer."""
    for seed in range(matches):
        pie, centre = seed % 2 == 0, seed % 4 < 2
        compare_match(size, 1000 + seed, pie=pie, no_centre_first=centre)
