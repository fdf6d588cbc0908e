"""The options of Flow, R8, with the scenario cards; tests are named after their paragraphs."""

from __future__ import annotations

from collections import Counter

import pytest

import watermeet as wm
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.kernel import runs_plain_python
from watermeet.core.options import Value
from watermeet.games.flow import layout
from watermeet.games.flow.board import (
    BOAT_CELL,
)
from watermeet.games.flow.tests.positions import (
    ALL_CLOSED,
    ALMOST,
    BOTTOM,
    LAST,
    TOP,
    chances,
    dealt,
    discarded,
    down,
    flow,
    hand,
    joined,
    lays,
    lying,
    moves,
    pile,
    position,
)
from watermeet.games.flow.tile_sets import TILE_SETS
from watermeet.testing.samples import assert_close, samples

Options = dict[str, Value]
SWITCHES = (
    "no_communication",
    "one_card",
    "no_new_cards",
    "not_for_obstacles",
    "single_path",
    "obstacles_remain",
)
SAMPLES = 300 if runs_plain_python() else 6000


@pytest.mark.parametrize("count", range(7))
def test_r8_1_n_scenario_cards_are_drawn(count: int) -> None:
    state = flow(scenarios=count).start()
    order = ["obstacles", "one_card", "no_new_cards", "silence", "single_path", "obstacles"]
    for name in order[:count]:
        assert set(chances(state)) <= {f"scenario:{name}" for name in layout.SCENARIO_NAMES}
        state = state.play(f"scenario:{name}")
    assert state.array[layout.IN_PLAY : layout.IN_PLAY + 7].sum() == count
    assert state.text.startswith("obstacle" if count else "deal=0")


def test_r8_1_there_are_11_scenario_cards() -> None:
    state = flow(scenarios=2).start()
    shares = dict.fromkeys((f"scenario:{name}" for name in layout.SCENARIO_NAMES), 1 / 11)
    shares |= {"scenario:obstacles": 4 / 11, "scenario:silence": 2 / 11}
    assert chances(state) == pytest.approx(shares)
    after = chances(state.play("scenario:obstacles"))
    assert after["scenario:obstacles"] == pytest.approx(3 / 10)
    assert "scenario:one_card" not in chances(state.play("scenario:one_card"))


def test_r8_1_a_second_no_communication_is_put_away() -> None:
    state = flow(scenarios=2).start().play_all(["scenario:silence", "scenario:silence"])
    assert "scenario:silence" not in chances(state)
    assert chances(state)["scenario:obstacles"] == pytest.approx(4 / 9)
    after = state.play("scenario:one_card")
    assert after.text == "deal=0 drawn=silence/silence/one_card"


def test_r8_1_obstacles_are_laid_where_dice_meet() -> None:
    state = flow(obstacles=1).start()
    cells = {f"{letter}{number}" for letter in "abcefg" for number in (1, 2, 3, 5, 6, 7)}
    cells -= {"a1", "g1", "a7", "g7"}
    assert chances(state) == pytest.approx({f"obstacle:{cell}": 1 / 32 for cell in cells})
    state = state.play("obstacle:a2")
    # Not there again, and not so that a1 could not be joined.
    cells -= {"a2", "b1"}
    assert chances(state) == pytest.approx({f"obstacle:{cell}": 1 / 30 for cell in cells})
    state = state.play("obstacle:c3")
    assert state.text == "deal=0 board=7/7/7/7/2x4/x6/7"


def test_r8_1_obstacles_may_not_cut_off_a_corner() -> None:
    state = flow(obstacles=2).start().play_all(["obstacle:a3", "obstacle:b2"])
    assert not {"obstacle:b1", "obstacle:c1"} & set(chances(state))
    assert "obstacle:a2" in chances(state)


def test_r8_1_no_communication_hides_hands() -> None:
    state = dealt("bird support calm current", no_communication=True)
    assert state.conceal(0).text == "turn=0 hands=sb/?2"
    assert state.conceal(1).text == "turn=0 hands=?2/cw"
    assert state.conceal(None).text == "turn=0 hands=?2/?2"
    drawn = flow(scenarios=1).start().play("scenario:silence")
    drawn = drawn.play_all(["card:bird", "card:bird", "card:calm", "card:calm"])
    assert drawn.conceal(1).text == "turn=0 drawn=silence hands=?2/w2"


def test_r8_1_hands_are_shown_during_the_wave_and_what_was_shown_stays_open() -> None:
    state = position("turn=0 hands=s2/bc", clock="free", no_communication=True)
    assert state.conceal(1).text.startswith("turn=0 hands=?2/bc")
    wave = state.play("time")
    for seat in (0, 1, None):
        assert "hands=s2/bc shown=s2/bc" in wave.conceal(seat).text
    turn = wave.play_all(["white:1", "black:1"])
    assert turn.conceal(0).text == "turn=1 idle=1 hands=s2/bc shown=s2/bc"
    taken = position(
        "turn=1 hands=s2/bc shown=s2/c", ["EW@b1"], clock="free", no_communication=True
    )
    assert taken.conceal(0).text.startswith("turn=1 hands=s2/c? shown=s2/c")
    played = taken.play("bird:b1")
    assert played.conceal(0).text.startswith("turn=0 done=1 played=card hands=s2/c shown=s2/c")


def test_r8_1_of_two_alike_the_shown_card_is_played() -> None:
    """Otherwise the others would know that there is a second one."""
    words = "turn=0 hands=b2/- shown=b/-"
    state = position(words, ["EW@b1"], no_communication=True).play("bird:b1")
    assert "hands=?/-" in state.conceal(1).text


def test_in_version_1_hands_stayed_hidden_during_the_wave() -> None:
    first = wm.game("flow", clock="free", no_communication=True).at_version(1)
    wave = first.parse("turn=0 hands=s2/bc").play("time")
    assert "hands=?2/bc" in wave.conceal(1).text


def test_r8_1_all_hands_are_shown_at_the_end() -> None:
    state = position("hand=0 lay=straight hands=s/b", ALMOST, no_communication=True)
    assert "hands=s/?" in state.conceal(0).text
    assert "hands=s/b" in state.play("NS@d3").conceal(0).text


def test_r8_1_a_hidden_card_is_any_that_is_unseen() -> None:
    state = position("turn=0 hands=s/b/c used=w2f", seats=3, no_communication=True)
    found = samples(state, 0, SAMPLES)
    unseen = {"support": 2, "bird": 3, "current": 3, "fishing": 1, "return": 2}
    shares = {card: count / 11 for card, count in unseen.items()}
    for seat in (1, 2):
        assert_close(Counter(next(iter(hand(other, seat))) for other in found), shares)
    for other in found:
        assert hand(other, 0) == {"support": 1}
        assert pile(other) + hand(other, 1) + hand(other, 2) == unseen
        assert other.text.startswith("turn=0 hands=s/")
        assert "?" not in other.text


def test_r8_1_hidden_hands_of_two_cards() -> None:
    state = position("turn=0 hands=s2/bc used=s", no_communication=True)
    unseen = {"bird": 3, "current": 3, "fishing": 2, "calm": 2, "return": 2}
    names = sorted(unseen)
    pairs = {(a, a): unseen[a] * (unseen[a] - 1) / 132 for a in names}
    pairs |= {(a, b): unseen[a] * unseen[b] / 66 for a in names for b in names if a < b}
    found = samples(state, 0, SAMPLES)
    hands = ((*sorted(hand(other, 1).elements()),) for other in found)
    assert_close(Counter((first, second) for first, second in hands), pairs)


@pytest.mark.parametrize("cards", ["s3b3c3/f2w2r2", "s3b3c3/f2w2r", "-/s3b3c3f2w2r2"])
def test_r8_1_the_mover_knows_the_legal_moves_without_seeing_hands(cards: str) -> None:
    for words in ("hand=0 lay=bend", "turn=0"):
        state = position(f"{words} hands={cards}", ["EW@b1"], no_communication=True)
        assert state.conceal(0).legal_moves == state.legal_moves


def test_r8_1_one_card_per_round() -> None:
    state = position("turn=0 hands=w2/b", ["EW@b1"], one_card=True)
    after = state.play("calm")
    assert set(after.legal_moves) == {"draw"}
    assert set(position("turn=1 hands=w2/b", ["EW@b1"]).legal_moves) == {"bird:b1", "draw"}
    begun = position("black=0 done=10 played=card rolled=6 hands=-/b", ["EW@b1"], one_card=True)
    assert "bird:b1" in begun.play("black:6").legal_moves


def test_r8_1_no_tile_and_one_card_played_loses() -> None:
    words = f"{LAST} done=1 played=card hands=-/s"
    assert position(words, one_card=True).play("EW@b1").to_move == OVER
    assert position(words).play("EW@b1").to_move == 1


def test_r8_1_no_new_cards() -> None:
    state = position("hand=0 lay=bend", no_new_cards=True)
    assert "swap" not in state.legal_moves
    assert "swap" in position("hand=0 lay=bend").legal_moves
    closed = position("hand=0 lay=bend", ALL_CLOSED, no_new_cards=True, obstacles=4)
    assert closed.legal_moves == ("discard",)


def test_r8_1_not_for_obstacles() -> None:
    laid = ["EW@b1", "S@g2", "X@c3"]
    state = position("turn=0 hands=sbc/-", laid, obstacles=1, not_for_obstacles=True)
    assert (moves(state, "support"), moves(state, "current")) == ({"b1"}, {"b1"})
    assert moves(state, "bird") == {"b1", "g2", "c3"}
    state = position("turn=0 hands=sbc/-", laid, obstacles=1)
    assert moves(state, "support") == moves(state, "current") == {"b1", "g2", "c3"}


@pytest.mark.parametrize("edge", "NESW")
def test_r8_1_single_path(edge: str) -> None:
    state = dealt("bird bird calm calm", single_path=True)
    assert state.text == "boat=0 hands=b2/w2"
    assert state.legal_moves == ("boat:N", "boat:E", "boat:S", "boat:W")
    state = state.play(f"boat:{edge}")
    assert state.text == f"turn=0 way={edge} hands=b2/w2"
    ways = [int(state.array[layout.OPEN + place]) >> BOAT_CELL & 1 for place in range(4)]
    assert "".join(name for name, way in zip("NESW", ways, strict=True) if way) == edge


def test_r8_1_single_path_comes_after_all_else() -> None:
    state = flow(single_path=True, obstacles=1, seats=3).start()
    words = []
    while state.to_move != 0:
        words.append(state.text.split()[0])
        state = state.play(state.legal_actions[0])
    assert words == ["obstacle", "obstacle", "deal=0", "deal=1", "deal=2"]
    assert state.text.startswith("boat=0")


def test_r8_1_obstacles_remain() -> None:
    laid = ["W@b1", "X@c1", "EW@e1", "N@f2", "X@f3*", "S@f6*", "E@f1*"]
    state = position("white=0 done=10", laid, obstacles=1, obstacles_remain=True)
    after = state.play_all(["white:1", "black:5"])
    assert lying(after) == {"W@b1", "X@c1", "N@f2", "X@f3", "S@f6", "E@f1"}
    assert (after.array[layout.BIRDS_LEFT], discarded(after)) == (3, {"straight": 1})
    state = position("white=0 done=10", laid, obstacles=1)
    assert lying(state.play_all(["white:1", "black:5"])) == {"X@f3", "S@f6"}


@pytest.mark.parametrize("name", SWITCHES)
def test_r8_2_scenario_cards_can_be_named(name: str) -> None:
    options: Options = {name: True, "scenarios": 1}
    place = SWITCHES.index(name) + 1
    state = flow(**options).start()
    assert state.array[layout.IN_PLAY + place] == 1
    assert f"scenario:{layout.SCENARIO_NAMES[place]}" not in chances(state)
    cards = 9 if name == "no_communication" else 10
    assert chances(state)["scenario:obstacles"] == pytest.approx(4 / cards)


@pytest.mark.parametrize("count", range(5))
def test_r8_2_obstacle_cards_can_be_named(count: int) -> None:
    state = flow(obstacles=count, scenarios=1).start()
    left = (4 - count) / (11 - count)
    assert chances(state).get("scenario:obstacles", 0) == pytest.approx(left)
    laid = 0
    state = state.play("scenario:one_card")
    while state.text.startswith("obstacle"):
        state = state.play(state.legal_actions[-1])
        laid += 1
    assert laid == 2 * count


def test_r8_2_never_more_than_there_are() -> None:
    everything: Options = {**dict.fromkeys(SWITCHES, True), "obstacles": 4, "scenarios": 6}
    assert flow(**everything).start().text == "obstacle"
    state = flow(**{**everything, "obstacles": 3}).start()
    assert chances(state) == {"scenario:obstacles": 1.0}
    assert state.play("scenario:obstacles").text == "obstacle drawn=obstacles"
    with pytest.raises(wm.InvalidOptions):
        flow(obstacles=5)


def test_r8_3_clock_and_turns() -> None:
    assert (flow().options["clock"], flow().options["turns"]) == ("turns", 10)
    state = position("hand=0 done=11 lay=straight", turns=12).play("EW@b1")
    assert state.to_move == CHANCE
    assert "time" in position("turn=0", clock="free").legal_moves


@pytest.mark.parametrize("name", ["ours", "branches", "calm"])
def test_r8_4_sets_of_tiles(name: str) -> None:
    tiles = down(flow(tiles=name).start())
    assert tiles.total() == 42
    assert tiles == +Counter(TILE_SETS[name])
    assert ("tee" in tiles) == (name == "branches")
    assert tiles["obstacle"] == (4 if name == "calm" else 8)


def test_r8_4_t_pieces_pass_water_three_ways() -> None:
    laid = ["EW@b1", "EW@c1", "NEW@d1", "EW@e1", "EW@f1", "NS@d2", "NS@d3"]
    assert joined(position("turn=0", laid, tiles="branches").array) == {"a1", "g1"}


def test_r8_5_water_ends_at_boat_and_animals() -> None:
    state = position("hand=0 lay=straight", TOP, boat_stops=True)
    assert joined(state.array) == {"a7", "g7"}
    for cell in ("d3", "c4", "e4"):
        assert not lays(state, cell)
    assert lays(state, "b1") == {"EW@b1"}


def test_r8_5_each_animal_needs_its_own_way() -> None:
    laid = [*TOP, "NS@d3", *BOTTOM[:4], "NS@d2"]  # g1 needs f1, and row 1 is connected to the boat.
    for stops in (False, True):
        array = position("turn=0", laid, boat_stops=stops).array
        assert joined(array) == {"a1", "a7", "g7"}
    around = [f"NS@a{row}" for row in range(2, 7)]
    assert "a1" in joined(position("turn=0", [*TOP[:3], *around, *TOP[5:]]).array)
    stopped = position("turn=0", [*TOP[:3], *around, *TOP[5:]], boat_stops=True)
    assert joined(stopped.array) == {"a7"}


def test_r8_1_a_hidden_hand_may_hold_any_card_that_is_unseen() -> None:
    """What others see of a turn lists every card that the mover might play."""
    state = position("turn=0 hands=w/-", no_communication=True)
    seen = state.conceal(1).legal_moves
    assert {"calm", "fishing", "draw"} <= set(seen)
    assert "fishing" not in state.legal_moves
