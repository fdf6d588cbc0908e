"""The rules of Qwirkle, R1 to R4; tests are named after the paragraphs of RULES.md."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import watermeet as wm
from watermeet.games.qwirkle.tests.helpers import (
    BLOCKED,
    OTHER_PLAIN,
    PLAIN,
    bag_of,
    dealt,
    drawn,
    hands_of,
    place,
    points,
    qwirkle,
    row,
    snake,
    state_of,
    table,
)

# ---- R1, R2 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_r1_1_two_to_six_play(seats: int) -> None:
    assert len(qwirkle(seats=seats).start().view(None)["seats"]) == seats


def test_r1_1_two_is_the_default_and_four_the_most_that_is_offered() -> None:
    assert qwirkle().seats == 2
    (option,) = (o for o in qwirkle().declared_options if o.name == "seats")
    assert isinstance(option, wm.Number)
    assert option.offered == (2, 3, 4)
    for seats in (1, 7):
        with pytest.raises(wm.InvalidOptions, match="from 2 to 6"):
            qwirkle(seats=seats)


def test_r1_2_there_are_three_tiles_of_each_of_36_kinds() -> None:
    bag = bag_of(qwirkle().start())
    assert len(bag) == 36
    assert set(bag.values()) == {3}
    assert bag.total() == 108


def test_r1_3_the_first_tile_is_at_0_0() -> None:
    state = dealt("RcRdRvOxYsGb", PLAIN)
    assert {move.partition("@")[2] for move in state.legal_moves} == {"0,0"}
    assert state.explain("Rc@1,0").code == "not_first_cell"
    after = state.play("Rc@0,0")
    assert {m.partition("@")[2] for m in after.legal_moves} == {"1,0", "-1,0", "0,1", "0,-1", ""}


def test_r2_1_everybody_draws_six_tiles() -> None:
    state = qwirkle(seats=3).start()
    for count in range(18):
        assert state.to_move == wm.CHANCE
        assert sum(map(len, hands_of(state))) == count
        state = state.play(state.legal_moves[0])
    assert [len(hand) for hand in hands_of(state)] == [6, 6, 6]
    assert state.to_move >= 0
    assert state.explain("draw:Rc").code == "not_drawing"


def test_r2_2_hands_are_seen_by_their_owners_alone() -> None:
    state = dealt("RcRdRvOxYsGb", PLAIN)
    own, other, nobody = (state.view(seat) for seat in (0, 1, None))
    assert own["seats"][0]["hand"] == ["Rc", "Rd", "Rv", "Ox", "Ys", "Gb"]
    assert own["seats"][1]["hand"] == other["seats"][0]["hand"] == ["??"] * 6
    assert nobody["seats"][0]["hand"] == nobody["seats"][1]["hand"] == ["??"] * 6
    assert own["board"]["bag"] == 96
    assert other["legal"] == nobody["legal"] == []


def test_r2_2_tiles_others_set_aside_or_draw_are_hidden() -> None:
    state = table([row("Rd Rs")], "RcYxBv").play("trade:Rc")
    assert state.view(0)["board"]["aside"] == ["Rc"]
    assert state.view(1)["board"]["aside"] == ["??"]
    ended = state.play("end")
    drawn_tiles = {ended.play(move).conceal(1) for move in ended.legal_moves}
    assert len(drawn_tiles) == 1
    assert len({ended.play(move).conceal(0) for move in ended.legal_moves}) > 1


def test_r2_3_unseen_tiles_are_counted_for_everybody() -> None:
    state = dealt("RcRcRvOxYsGb", PLAIN)
    unseen = state.view(0)["board"]["unseen"]
    assert sum(unseen.values()) == 96 + 6
    assert unseen["Rc"] == 1
    assert state.view(1)["board"]["unseen"]["Rc"] == 2
    assert state.view(None)["board"]["unseen"]["Rc"] == 3


def test_r2_3_counting_can_be_turned_off() -> None:
    state = dealt("RcRcRvOxYsGb", PLAIN, counts=False)
    assert state.view(0)["board"]["unseen"] is None
    assert "Unseen" not in state.render(0).plain
    assert "Unseen" in dealt("RcRcRvOxYsGb", PLAIN).render(0).plain


# ---- R3 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "beginner"),
    [
        ("RcOxYdGsBbPv", "RcRdOxYsBbPv", 1),  # 1 against 2
        ("RcBcGcGsGdYv", "RxRdOxYsBbPv", 0),  # 3 by colour or by shape, against 2
        ("RcRcRdBcGsYv", "OxOdOsRbYvPc", 1),  # The second Rc does not count: 2 against 3.
        ("RcOcYcGcBcPc", "RxRdRsRbRvOx", 0),  # 6 of a shape against 5 of a colour
    ],
)
def test_r3_1_the_largest_set_begins(first: str, second: str, beginner: int) -> None:
    assert dealt(first, second).to_move == beginner


def test_r3_1_even_if_nobody_has_two_that_match() -> None:
    assert dealt(PLAIN, OTHER_PLAIN).to_move == 0


def test_r3_2_in_a_tie_the_lowest_seat_begins() -> None:
    hands = ("RcOxYdGsBbPv", "RxRdOsYbBvPc", "YxYdOxGbBcRv")
    assert dealt(*hands).to_move == 1
    assert dealt(*hands, tie="youngest").to_move == 2


def test_r3_2_or_a_random_seat_begins() -> None:
    state = dealt("RcOxYdGsBbPv", "RxRdOsYbBvPc", "YxYdOxGbBcRv", tie="random")
    assert state.to_move == wm.CHANCE
    assert state.legal_moves == ("first:1", "first:2")
    assert [chance for _, chance in state.chance_outcomes] == [0.5, 0.5]
    assert state.play("first:2").to_move == 2
    assert state.explain("first:0").code == "no_lot"
    assert state.explain("first:1").code == "begins"
    assert state.explain("end").code == "drawing"
    assert state.explain("draw:Rc").code == "not_drawing"
    assert "a random draw decides who begins" in state.view(None)["sentence"]
    assert dealt("RcOxYdGsBbPv", "RxRdOsYbBvPc", tie="random").to_move == 1  # No tie.


def test_r3_3_turns_go_around() -> None:
    state = dealt("RcOxYdGsBbPv", "RxRdOsYbBvPc", "YxOdOxGbBcRv")
    movers = []
    rng = random.Random(3)
    for _ in range(5):
        movers.append(state.to_move)
        state = state.play(next(move for move in state.legal_moves if "@" in move))
        state = state.play("end").sample(rng)
    assert movers == [1, 2, 0, 1, 2]


# ---- R4 ---------------------------------------------------------------------------------------


def test_r4_1_a_turn_places_or_exchanges() -> None:
    state = table([row("Rd Rs")], "RcYxBv")
    laid = state.play("Rc@-1,0")
    assert not any(move.startswith("trade") for move in laid.legal_moves)
    assert laid.explain("trade:Yx").code == "laid_already"
    aside = state.play("trade:Rc")
    assert not any("@" in move for move in aside.legal_moves)
    assert aside.explain("Yx@0,1").code == "trading_already"
    for begun in (laid, aside):
        assert begun.explain("pass").code == "turn_begun"
        assert begun.explain("end").legal


def test_r4_2_tiles_are_placed_one_by_one_until_the_turn_ends() -> None:
    state = table([row("Rd Rs")], "RcRbYx")
    assert state.explain("end").code == "nothing_done"
    one = state.play("Rc@-1,0")
    assert one.to_move == 0
    assert one.play("end").to_move == wm.CHANCE
    two = one.play("Rb@2,0")
    assert [tile["tile"] for tile in two.view(1)["board"]["tiles"]] == ["Rd", "Rs", "Rc", "Rb"]
    assert two.view(1)["board"]["laid"] == [[-1, 0], [2, 0]]
    assert two == state.play_all(["Rb@2,0", "Rc@-1,0"])  # The order makes no difference.


def test_r4_3_no_more_are_exchanged_than_the_bag_holds() -> None:
    state = table([*snake(15), snake(16)[15][:4]], "BcBxBdBsBbBv", "PcPxPdPsPbPv")
    assert bag_of(state) == Counter(["Gc", "Gx"])
    two = state.play_all(["trade:Bc", "trade:Bx"])
    assert two.legal_moves == ("end",)
    assert two.explain("trade:Bd").code == "bag_too_small"
    after = drawn(two.play("end"), "Gc", "Gx")
    assert after.to_move == 1
    assert len(hands_of(after)[0]) == 6
    assert bag_of(after) == Counter(["Bc", "Bx"])


def test_r4_3_the_first_turn_cannot_exchange() -> None:
    state = dealt("RcRdRvOxYsGb", PLAIN)
    assert state.explain("trade:Rc").code == "first_turn"
    assert state.explain("pass").code == "first_turn"
    assert not any(move.startswith("trade") for move in state.legal_moves)


def test_r4_4_the_new_tiles_are_drawn_before_the_old_ones_return() -> None:
    state = table([row("Rd Rs")], "RcRcYxBv")
    before = bag_of(state)
    state = state.play_all(["trade:Rc", "trade:Rc", "end"])
    assert state.to_move == wm.CHANCE
    assert bag_of(state) == before  # So no Rc can be drawn but the third one.
    state = drawn(state, "Rc")
    assert "draw:Rc" not in state.legal_moves
    state = drawn(state, "Pv")
    assert state.to_move == 1
    assert len(hands_of(state)[0]) == 6
    assert bag_of(state) == before + Counter({"Rc": 1}) - Counter({"Pv": 1})


def test_r4_4_an_exchange_scores_nothing_and_is_always_allowed() -> None:
    state = table([row("Rd Rs")], "RcYxBv")
    assert "Rc@-1,0" in state.legal_moves
    after = drawn(state.play_all(["trade:Rc", "end"]), "Pv")
    assert points(after) == [0, 0]


def test_r4_5_with_an_empty_bag_a_player_who_cannot_place_passes() -> None:
    state = state_of(BLOCKED)
    assert state.view(0)["board"]["bag"] == 0
    assert state.legal_moves == ("pass",)
    assert state.explain("pass").legal
    assert state.play("pass").to_move != state.to_move


def test_r4_5_nobody_may_pass_who_can_place_or_exchange() -> None:
    state = table([row("Rd Rs")], "RcYxBv")
    assert state.explain("pass").code == "bag_not_empty"
    late = table(snake(16), "BcBxBdBsBbBv", "PcPxPdPsPbPv")
    assert "pass" not in late.legal_moves
    assert late.explain("pass").code == "can_place"
    assert late.explain("trade:Bc").code == "bag_too_small"


def test_r4_6_the_hand_is_refilled() -> None:
    state = place(table([row("Rd Rs")], "RcRbYx"), row("Rc _ _ Rb", x=-1)).play("end")
    assert len(hands_of(state)[0]) == 4
    state = drawn(state, "Pv")
    assert state.to_move == wm.CHANCE
    state = drawn(state, "Ps")
    assert state.to_move == 1
    assert len(hands_of(state)[0]) == 6
