"""The action cards of Flow (R5): when they may be played, and what they do."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.core.contract import CHANCE
from watermeet.core.options import Value
from watermeet.games.flow import layout
from watermeet.games.flow.tests.positions import (
    ALL_CLOSED,
    ONE_EXIT_EACH,
    chances,
    discarded,
    down,
    hand,
    lays,
    lying,
    moves,
    pile,
    position,
    up,
)

WORDS = ("support", "bird", "current", "return")
Options = dict[str, Value]


def cards_of(state: wm.State) -> set[str]:
    """The moves that play a card."""
    names = (*WORDS, "fishing", "calm")
    return {move for move in state.legal_moves if move.partition(":")[0] in names}


# ---- R5.1 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", "sbcr")
def test_r5_1_a_card_needs_a_target(letter: str) -> None:
    assert cards_of(position(f"turn=0 hands={letter}/-")) == set()


@pytest.mark.parametrize(
    ("letter", "played"),
    [
        ("s", {"support:b1", "support:g2"}),
        ("b", {"bird:b1", "bird:g2"}),
        ("c", {"current:b1", "current:g2"}),
        ("f", {"fishing"}),
        ("w", {"calm"}),
        ("r", {"return:cross", "return:obstacle"}),
    ],
)
def test_r5_1_a_card_in_your_hand_can_be_played(letter: str, played: set[str]) -> None:
    laid = ["EW@b1", "S@g2"]
    state = position(f"turn=0 hands={letter}/- discarded=co", laid)
    assert cards_of(state) == played
    other = position(f"turn=1 hands={letter}/- discarded=co", laid)
    assert cards_of(other) == set()


@pytest.mark.parametrize(
    ("letter", "played"),
    [
        ("s", ["support:b1"]),
        ("b", ["bird:b1"]),
        ("c", ["current:b1", "NS@a2"]),
        ("f", ["fishing", "tile:bend", "tile:bend"]),
        ("w", ["calm"]),
        ("r", ["return:cross", "NESW@a2"]),
    ],
)
def test_r5_1_a_played_card_is_gone_and_the_turn_ends(letter: str, played: list[str]) -> None:
    state = position(f"turn=0 hands={letter}2/- discarded=c", ["EW@b1"])
    after = state.play_all(played)
    assert after.to_move == 1
    assert (hand(state, 0).total(), hand(after, 0).total()) == (2, 1)
    assert pile(after) == pile(state)
    assert f"used={letter}" in after.text


def test_r5_1_calm_waters_stays_until_after_the_wave() -> None:
    state = position("turn=0 hands=w/- done=8").play("calm")
    assert state.array[layout.CALM_PLAYED] == 1
    state = state.play_all(["draw", "tile:straight", "EW@b1", "roll:white"])
    assert state.array[layout.CALM_PLAYED] == 1
    after = state.play("white:6")
    assert after.array[layout.CALM_PLAYED] == 0
    assert "used=w" in after.text


# ---- R5.2: Support ------------------------------------------------------------------------------


def test_r5_2_support_removes_any_tile_but_not_the_boat() -> None:
    laid = ["EW@b1", "S@g2", "X@c3", "NESW@e5*"]
    state = position("turn=0 hands=s/-", laid, obstacles=1)
    assert moves(state, "support") == {"b1", "g2", "c3", "e5"}


def test_r5_2_a_bird_on_it_goes_back() -> None:
    state = position("turn=0 hands=s/b", ["EW@b1*", "EW@c1*", "EW@d1*", "EW@e1"])
    assert state.array[layout.BIRDS_LEFT] == 0
    after = state.play("support:c1")
    assert after.array[layout.BIRDS_LEFT] == 1
    assert moves(after, "bird") == {"e1"}


def test_r5_2_a_scenario_obstacle_leaves_the_game() -> None:
    after = position("turn=0 hands=s/r", ["X@c3*"], obstacles=1).play("support:c3")
    assert (lying(after), discarded(after), after.array[layout.BIRDS_LEFT]) == (set(), {}, 3)
    assert moves(after, "return") == set()


# ---- R5.3: Bird ---------------------------------------------------------------------------------


def test_r5_3_a_bird_lands_on_a_tile_without_one() -> None:
    state = position("turn=0 hands=b/-", ["EW@b1", "S@g2", "X@c3", "NESW@e5*"], obstacles=1)
    assert moves(state, "bird") == {"b1", "g2", "c3"}
    after = state.play("bird:c3")
    assert lying(after) == {"EW@b1", "S@g2", "X@c3*", "NESW@e5*"}
    assert after.array[layout.BIRDS_LEFT] == 1


# ---- R5.4: Fishing ------------------------------------------------------------------------------


def test_r5_4_fishing_turns_up_two_tiles() -> None:
    state = position("turn=0 hands=f/-").play("fishing")
    assert state.to_move == CHANCE
    assert chances(state)["tile:bend"] == pytest.approx(14 / 42)
    state = state.play("tile:bend")
    assert state.to_move == CHANCE
    assert chances(state)["tile:bend"] == pytest.approx(13 / 41)
    after = state.play("tile:cross")
    assert (after.to_move, up(after)) == (1, {"bend": 1, "cross": 1})
    assert down(after).total() == 40


def test_r5_4_tiles_turned_up_stay_and_anybody_may_draw_them() -> None:
    state = position("turn=0 hands=f/-").play_all(["fishing", "tile:bend", "tile:bend"])
    assert moves(state, "take") == {"bend"}
    state = state.play_all(["take:bend", "NW@b1"])
    assert (moves(state, "take"), up(state)) == ({"bend"}, {"bend": 1})
    state = state.play_all(["take:bend", "swap", "card:calm"])
    assert (moves(state, "take"), discarded(state)) == (set(), {"bend": 1})


@pytest.mark.parametrize(
    ("words", "can_fish"),
    [
        ("discarded=s10b14c8o8", True),
        ("discarded=s11b14c8o8", False),
        ("discarded=s10b14c8o8 up=s", False),
        ("discarded=s10b14c8o8 up=s2", False),
    ],
)
def test_r5_4_fishing_needs_two_face_down_tiles(words: str, can_fish: bool) -> None:
    assert ("fishing" in position(f"turn=0 hands=f/- {words}").legal_moves) == can_fish


# ---- R5.5: Current ------------------------------------------------------------------------------


def test_r5_5_current_moves_a_tile() -> None:
    state = position("turn=0 hands=c/-", ["EW@b1", "EW@c1"]).play("current:c1")
    assert (state.to_move, lying(state)) == (0, {"EW@b1"})
    assert state.text == "carry=0 lay=straight from=c1 played=card used=c board=7/7/7/7/7/7/1b5"
    assert not lays(state, "c1")
    assert {"NS@a2", "NS@d5", "EW@c4", "NS@d3", "EW@e4"} <= lays(state)
    after = state.play("EW@c4")
    assert (lying(after), discarded(after)) == ({"EW@b1", "EW@c4"}, {})


def test_r5_5_the_tile_may_be_turned_and_needs_no_water() -> None:
    state = position("turn=0 hands=c/-", ["NW@b1"]).play("current:b1")
    assert lays(state, "d5") == {"ES@d5", "SW@d5"}
    assert lays(state, "c4") == {"NE@c4", "ES@c4"}


def test_r5_5_the_edges_must_still_match() -> None:
    state = position("turn=0 hands=c/-", ["EW@b1", "NS@c5"]).play("current:b1")
    assert lays(state, "c4") == set()  # Open to the boat and to c5: a bend, no straight.
    assert lays(state, "b5") == {"NS@b5"}


def test_r5_5_a_bird_travels_with_it() -> None:
    state = position("turn=0 hands=c/-", ["EW@b1*"]).play("current:b1")
    assert "from=b1*" in state.text
    assert state.array[layout.BIRDS_LEFT] == 2
    after = state.play("NS@a2")
    assert (lying(after), after.array[layout.BIRDS_LEFT]) == ({"NS@a2*"}, 2)


def test_r5_5_a_scenario_obstacle_must_leave_every_animal_a_way() -> None:
    state = position("turn=0 hands=c/-", ["X@a2*", "X@c3"], obstacles=1).play("current:c3")
    cells = {move.removeprefix("X@") for move in lays(state)}
    assert len(cells) == 44 - 3  # Neither where it was, nor on a2, nor on b1.
    assert not {"a2", "b1", "c3"} & cells
    assert lying(state.play("X@d5")) == {"X@a2*", "X@d5"}


def test_r5_5_an_obstacle_tile_may_not_wall_in() -> None:
    state = position("turn=0 hands=c/-", [*ONE_EXIT_EACH, "W@b1"], obstacles=2).play("current:b1")
    assert lays(state, "b7") == set()
    assert lays(state, "d5") == {"S@d5"}
    free = position("turn=0 hands=c/-", ["W@b1"]).play("current:b1")
    assert lays(free, "b7") == {"W@b7"}


def test_r5_5_a_tile_that_fits_nowhere_else_cannot_be_moved() -> None:
    laid = [*ALL_CLOSED, "NESW@e4", "E@c4", "N@d3", "S@d5"]
    blocked = position("turn=0 hands=c/-", laid, obstacles=4)
    assert "c4" in moves(blocked, "current")
    assert "e4" not in moves(blocked, "current")
    state = position("turn=0 hands=c/-", ["EW@b1"])
    assert moves(state, "current") == {"b1"}


# ---- R5.6: Calm Waters --------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "left"), [("white", {"NS@c3"}), ("black", {"EW@b2"})])
def test_r5_6_the_next_wave_has_one_die(die: str, left: set[str]) -> None:
    number = {"white": 2, "black": 3}[die]
    state = position("turn=0 hands=w/- done=9", ["EW@b2", "NS@c3", "NESW@c2"]).play("calm")
    assert (state.to_move, state.legal_moves) == (0, ("roll:white", "roll:black"))
    state = state.play(f"roll:{die}")
    assert chances(state) == pytest.approx({f"{die}:{n}": 1 / 6 for n in range(1, 7)})
    after = state.play(f"{die}:{number}")
    assert lying(after) == left
    assert after.to_move == 1


def test_r5_6_the_roller_chooses_the_die() -> None:
    state = position("turn=0 hands=w/- done=8").play_all(["calm", "draw", "tile:bend", "NW@b1"])
    assert (state.to_move, state.text.split()[0]) == (1, "die=1")


def test_r5_6_with_a_bird_one_die_takes_the_bird_only() -> None:
    state = position("white=0 done=10 played=calm", ["NESW@c2*"]).play("white:2")
    assert lying(state) == {"NESW@c2"}


def test_r5_6_one_calm_waters_per_round() -> None:
    state = position("turn=0 hands=w/w").play("calm")
    assert "calm" not in state.legal_moves
    assert "calm" in position("turn=1 done=1 played=card hands=-/w").legal_moves


def test_r5_6_again_in_the_next_round_and_two_dice_without_it() -> None:
    state = position("white=0 done=10 played=calm hands=-/w").play("white:2")
    assert "calm" in state.legal_moves
    last = position("hand=0 done=9 lay=bend").play("NW@b1")
    assert set(last.legal_moves) == {f"white:{n}" for n in range(1, 7)}


# ---- R5.7: Return -------------------------------------------------------------------------------


def test_r5_7_a_discarded_tile_is_laid() -> None:
    state = position("turn=0 hands=r/- discarded=sc2", ["EW@b1"])
    assert moves(state, "return") == {"straight", "cross"}
    state = state.play("return:cross")
    assert state.to_move == 0
    assert set(state.legal_moves) == lays(state)  # Neither swapped nor discarded.
    assert lays(state, "c1") == {"NESW@c1"}
    after = state.play("NESW@c1")
    assert (lying(after), discarded(after)) == ({"EW@b1", "NESW@c1"}, {"straight": 1, "cross": 1})


def test_r5_7_it_needs_water_and_fitting_edges() -> None:
    state = position("turn=0 hands=r/- discarded=s", ["NS@c4"]).play("return:straight")
    assert lays(state, "c5") == lays(state, "d5") == set()
    assert lays(state, "b1") == {"EW@b1"}
