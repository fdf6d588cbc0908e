"""The rules of Qwirkle, R5 to R9; tests are named after the paragraphs of RULES.md."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.games.qwirkle.tests.helpers import (
    BLOCKED,
    OTHER_PLAIN,
    Placed,
    column,
    dealt,
    place,
    points,
    qwirkle,
    row,
    snake,
    state_of,
    table,
)
from watermeet.games.qwirkle.turns import preview

# ---- R5 ---------------------------------------------------------------------------------------


def test_r5_1_all_tiles_of_a_turn_are_in_one_line() -> None:
    state = table([row("Rd Rs")], "RcRbRx").play("Rc@-1,0")
    assert state.explain("Rb@0,1").code == "out_of_line"
    assert "Rb@2,0" in state.legal_moves
    assert "Rb@-1,1" in state.legal_moves  # One tile is in a row and in a column.
    assert state.play("Rb@2,0").explain("Rx@-1,1").code == "out_of_line"


GAP = [  # Px Ps _ Pv Pd in a column, joined by a detour.
    column("Pv Pd", y=-1),
    row("_ Gv Rv", y=-1),
    column("Rs Rb _", x=2, y=-3),
    row("Ps Gs _", y=-3),
    [("Px", (0, -4))],
]


def test_r5_1_a_gap_between_old_tiles_may_be_filled() -> None:
    state = place(table(GAP, "PcPb"), [("Pc", (0, -5)), ("Pb", (0, -2))])
    assert preview(state) == 12


def test_r5_1_the_line_has_no_gap() -> None:
    state = table(GAP, "PcPb").play("Pc@0,-5")
    refused = state.explain("Pb@0,1")
    assert refused.code == "gap"
    assert refused.cells == ("0,1", "0,-5")


def test_r5_2_a_line_has_one_colour_or_one_shape() -> None:
    state = table([row("Rd Rs")], "BsGxYdRb")
    assert {m for m in state.legal_moves if m.startswith("Gx")} == set()
    assert state.explain("Bs@2,0").code == "no_common"
    assert state.explain("Bs@2,0").cells == ("0,0", "1,0", "2,0")
    assert "Bs@1,1" in state.legal_moves
    assert "Rb@2,0" in state.legal_moves


def test_r5_2_no_two_tiles_of_a_line_are_equal() -> None:
    state = table([row("Rd Rs")], "RdRs")
    assert state.explain("Rd@2,0").code == "equal_tiles"
    assert state.explain("Rd@2,0").facts["tiles"] == "Rd Rs Rd"


def test_r5_2_a_line_ends_at_six() -> None:
    state = table([row("Rc Rx Rd Rs Rb Rv")], "RcOc")
    assert state.explain("Rc@6,0").code == "too_long"
    assert "Oc@0,1" in state.legal_moves


def test_r5_2_lines_with_equal_tiles_cannot_be_joined() -> None:
    """Rc Bc _ Yc Rc: no circle fits between, for there would be two Rc."""
    turns = [
        row("Rc Bc"),
        column("_ Bd Bs", x=1),
        row("_ Gs Ys", x=1, y=2),
        [("Yd", (3, 1))],
        [("Yc", (3, 0))],
        [("Rc", (4, 0))],
    ]
    state = table(turns, "GcOc")
    assert state.explain("Gc@2,0").code == "equal_tiles"


def test_r5_3_a_turn_connects_to_tiles_on_the_table() -> None:
    state = table([row("Rd Rs")], "RcRbYx")
    assert state.explain("Rc@7,7").code == "touches_nothing"
    assert state.explain("Rc@0,0").code == "occupied"
    with pytest.raises(wm.IllegalMove, match="touch any other tile"):
        state.play("Rc@7,7")


@pytest.mark.parametrize("turn", ["xy", "yx", "-xy", "-yx"])
def test_r5_4_there_is_room_for_the_longest_snake(turn: str) -> None:
    """All 108 tiles in one snake, ninety cells in one direction, whichever."""
    sign = -1 if turn[0] == "-" else 1
    along = [
        [(tile, (sign * x, y) if turn.endswith("xy") else (y, sign * x)) for tile, (x, y) in line]
        for line in snake(18)
    ]
    state = place(table(along[:16], "BcBxBdBsBbBv", "PcPxPdPsPbPv"), along[16])
    assert preview(state) == 12 + 2
    over = state.play("end")
    assert over.to_move == wm.OVER
    assert points(over) == [14 + 6, 0]


# ---- R6 ---------------------------------------------------------------------------------------

SAMPLE_GAME = [  # The twelve turns of the manual's sample game, with what each scores.
    ("Rc0,0 Rd0,-1 Rv0,-2", 3),
    ("Rs0,1 Bs1,1 Ps2,1", 7),
    ("Bc1,0", 4),
    ("Gv-1,-2 Gd-1,-1", 6),
    ("Gb-1,-3 Gc-1,0", 7),
    ("Os3,1 Rs3,2", 6),
    ("Yb-2,-3 Ob-3,-3", 3),
    ("Ox-3,-2 Od-3,-1", 3),
    ("Yd-2,-1 Yc-2,0", 10),
    ("Rb0,-3", 9),
    ("Bx1,2 Rx0,2 Ox-1,2", 18),
    ("Ys4,1 Bs4,2", 9),
]


def placed(text: str) -> Placed:
    tiles = []
    for word in text.split():
        x, y = map(int, word[2:].split(","))
        tiles.append((word[:2], (x, y)))
    return tiles


def test_r6_1_the_sample_game_of_the_manual_scores_as_printed() -> None:
    turns: list[Placed] = []
    for text, expected in SAMPLE_GAME:
        hand = "".join(tile for tile, _ in placed(text))
        state = place(table(turns, hand), placed(text))
        assert preview(state) == expected, text
        assert points(state.play("end")) == [expected, 0]
        turns.append(placed(text))


def test_r6_1_a_tile_in_two_lines_counts_twice() -> None:
    state = table([row("Rd Rs"), [("Bs", (1, 1))]], "Bd")
    assert state.explain("Bd@0,1").facts["points"] == 2 + 2


def test_r6_2_a_line_of_six_scores_twelve() -> None:
    state = table([row("Rc Rx Rd Rs Rb")], "Rv")
    assert state.explain("Rv@5,0").facts["points"] == 12


def test_r6_2_each_line_of_six_scores_six_more() -> None:
    """One clover completes a red row and a column of clovers."""
    turns = [row("Rc Rx Rd Rs Rb"), column("_ Ob", x=4), row("_ Ov", x=4, y=1)]
    turns += [column("_ Yv Gv Bv Pv", x=5, y=1)]
    state = table(turns, "Rv")
    assert state.explain("Rv@5,0").facts["points"] == 24


def test_r6_3_a_single_first_tile_scores_one() -> None:
    state = dealt("RcOxYdGsBbPv", OTHER_PLAIN).play("Rc@0,0")
    assert preview(state) == 1
    assert points(state.play("end")) == [1, 0]


def test_r6_4_points_are_added_when_the_turn_ends() -> None:
    state = table([row("Rd Rs")], "RcRbYx").play("Rc@-1,0")
    assert points(state) == [0, 0]
    assert state.view(1)["board"]["preview"] == 3
    assert state.explain("Rb@2,0").facts["points"] == 4
    assert state.explain("end").facts["points"] == 3
    ended = state.play("end")
    assert ended.to_move == wm.CHANCE
    assert points(ended) == [3, 0]
    assert ended.view(1)["board"]["preview"] is None


# ---- R7, R8 -----------------------------------------------------------------------------------


def last_tile(scores: str = "10/20") -> wm.State:
    """Seat 0 has one tile left, the bag is empty, and all other tiles form a snake."""
    tiles = [tile for line in snake(16) for tile in sorted_row(line)] + snake(17)[16][:5]
    grid = ";".join(f"{tile}{x},{y}" for tile, (x, y) in tiles)
    return state_of(f"turn=0 scores={scores} hands=Bv/PcPxPdPsPbPv last=5 grid={grid}")


def sorted_row(line: Placed) -> Placed:
    return sorted(line, key=lambda each: (each[1][1], each[1][0]))


def test_r7_1_the_last_tile_ends_the_match() -> None:
    state = last_tile().play("Bv@85,0")
    assert state.to_move == 0
    over = state.play("end")
    assert over.to_move == wm.OVER
    assert over.legal_moves == ()
    outcome = over.outcome
    assert outcome is not None
    assert outcome.reason.code == "hand_emptied"
    assert over.explain("pass").code == "match_over"


def test_r7_2_the_last_tile_scores_six_more() -> None:
    assert points(last_tile().play_all(["Bv@85,0", "end"])) == [10 + 12 + 6, 20]


def test_r7_3_when_all_have_passed_the_match_is_over_without_a_bonus() -> None:
    state = state_of(BLOCKED)
    over = state.play_all(["pass", "pass"])
    assert over.to_move == wm.OVER
    assert points(over) == points(state)
    assert over.outcome is not None
    assert over.outcome.reason.code == "all_passed"


@pytest.mark.parametrize("limit", [1, 2])
def test_r7_4_rounds_of_nothing_but_exchanges_end_the_match(limit: int) -> None:
    state = table([row("Rd Rs")], "RcRcYxBv", exchange_limit=limit)
    for turn in range(2 * limit):
        assert state.to_move == turn % 2
        state = state.play_all([state.legal_moves[-1], "end"]).sample(random.Random(turn))
    assert state.to_move == wm.OVER
    assert points(state) == [0, 0]
    assert state.outcome is not None
    assert state.outcome.reason.code == "only_exchanges"


def test_r7_4_there_is_always_a_limit_and_four_is_the_default() -> None:
    assert qwirkle().options["exchange_limit"] == 4
    for limit in (0, 21):
        with pytest.raises(wm.InvalidOptions, match="from 1 to 20"):
            qwirkle(exchange_limit=limit)


def test_r8_1_the_most_points_win() -> None:
    outcome = last_tile().play_all(["Bv@85,0", "end"]).outcome
    assert outcome is not None
    assert outcome.returns == (1.0, -1.0)
    assert outcome.winners == (0,)
    assert "Player 1 wins, 28\u201320" in outcome.reason.sentence
    beaten = last_tile(scores="10/50").play_all(["Bv@85,0", "end"]).outcome
    assert beaten is not None
    assert beaten.winners == (1,)


def test_r8_2_equal_points_share_the_win() -> None:
    outcome = last_tile(scores="10/28").play_all(["Bv@85,0", "end"]).outcome
    assert outcome is not None
    assert outcome.returns == (0.0, 0.0)
    assert "Player 1 and Player 2 share the win, 28\u201328" in outcome.reason.sentence


def test_r8_2_losers_pay_winners() -> None:
    state = state_of(
        "turn=0 scores=9/9/4 hands=RcOxYdGsBbPv/RxOdYsGbBvPc/RdOsYbGvBcPx exchanges=2 grid=Rs0,0",
        seats=3,
        exchange_limit=1,
    )
    outcome = state.play_all(["trade:Pv", "end", "draw:Rs"]).outcome
    assert outcome is not None
    assert outcome.returns == (0.25, 0.25, -0.5)
    assert outcome.winners == (0, 1)


# ---- R9 ---------------------------------------------------------------------------------------


def test_r9_1_the_first_turn_places_a_whole_largest_set() -> None:
    state = dealt("RcRdRvOcYsGb", OTHER_PLAIN, first_play_full=True)
    assert state.legal_moves == ("Rc@0,0", "Rd@0,0", "Rv@0,0")
    assert state.explain("Oc@0,0").code == "not_largest_set"
    state = state.play("Rc@0,0")
    assert {move[:2] for move in state.legal_moves} == {"Rd", "Rv"}
    assert state.explain("end").code == "set_not_whole"
    assert state.explain("Oc@1,0").code == "not_largest_set"
    state = state.play_all(["Rd@1,0", "Rv@2,0"])
    assert state.legal_moves == ("end",)


def test_r9_1_is_off_by_default_and_for_the_first_turn_only() -> None:
    assert "end" in dealt("RcRdRvOcYsGb", OTHER_PLAIN).play("Oc@0,0").legal_moves
    state = table([row("Rd Rs")], "RcRbYx", first_play_full=True).play("Rc@-1,0")
    assert "end" in state.legal_moves
