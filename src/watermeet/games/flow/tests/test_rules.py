"""The rules of Flow; tests are named after the paragraphs of RULES.md.

R5, the action cards, is in test_cards.py; R8, the options, in test_options.py.
"""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.options import Value
from watermeet.games.flow import layout
from watermeet.games.flow.board import (
    ANIMAL_CELLS,
    BOAT_CELL,
    CELL_COUNT,
    FREE_CELLS,
    count_cells,
)
from watermeet.games.flow.names import cell_name
from watermeet.games.flow.tests.positions import (
    ALL_BUT_ONE,
    ALL_CLOSED,
    ALL_TILES,
    ALMOST,
    BESIDE_ANIMALS,
    BOTTOM,
    LAST,
    ONE_EXIT_EACH,
    TOP,
    board,
    chances,
    dealt,
    discarded,
    down,
    flow,
    hand,
    joined,
    lays,
    lying,
    number_of,
    pile,
    position,
    up,
)

Options = dict[str, Value]


# ---- R1: the board, the tiles and the cards -----------------------------------------------------


def test_r1_1_the_board_has_49_cells_of_which_44_are_free() -> None:
    assert [cell_name(cell) for cell in (0, 6, 7, 42, 48)] == ["a1", "g1", "a2", "a7", "g7"]
    assert [cell_name(cell) for cell in ANIMAL_CELLS] == ["a1", "g1", "a7", "g7"]
    assert (CELL_COUNT, cell_name(BOAT_CELL), count_cells(FREE_CELLS)) == (49, "d4", 44)


@pytest.mark.parametrize("cell", ["a1", "g1", "a7", "g7", "d4"])
def test_r1_1_no_tiles_on_animals_or_boat(cell: str) -> None:
    with pytest.raises(wm.InvalidNotation, match="no tile can be on an animal's space or the boat"):
        position("turn=0", [f"NESW@{cell}"])


def test_r1_2_animals_have_two_ways_and_the_boat_four() -> None:
    array = flow().start().array
    ways = {
        name: "".join(
            edge
            for place, edge in enumerate("NESW")
            if array[layout.OPEN + place] >> number_of(name) & 1
        )
        for name in ("a1", "g1", "a7", "g7", "d4")
    }
    assert ways == {"a1": "NE", "g1": "NW", "a7": "ES", "g7": "SW", "d4": "NESW"}


def test_r1_3_there_are_42_map_tiles() -> None:
    tiles = down(flow().start())
    assert tiles == {"straight": 12, "bend": 14, "cross": 8, "obstacle": 8}
    assert tiles.total() == 42


@pytest.mark.parametrize(
    ("kind", "count"), [("straight", 8), ("bend", 16), ("cross", 8), ("obstacle", 8), ("tee", 24)]
)
def test_r1_3_how_many_ways_the_first_tile_can_be_laid(kind: str, count: int) -> None:
    state = position(f"hand=0 lay={kind}", tiles="branches")
    assert len(lays(state)) == count
    assert {move.partition("@")[2] for move in lays(state)} == set(BESIDE_ANIMALS)


def test_r1_3_water_ends_at_an_obstacle_tile() -> None:
    state = position("hand=0 lay=straight", ["W@b1"])
    assert lays(state) == {"NS@a2", "EW@f1", "NS@g2", "NS@a6", "EW@b7", "EW@f7", "NS@g6"}
    assert not lays(state, "c1")


@pytest.mark.parametrize(
    ("kind", "fits"),
    [
        ("straight", {"NS@c2"}),
        ("bend", {"ES@c2", "SW@c2"}),
        ("cross", {"NESW@c2"}),
        ("obstacle", {"S@c2"}),
    ],
)
def test_r1_3_tiles_are_open_where_their_kind_says(kind: str, fits: set[str]) -> None:
    state = position(f"hand=0 lay={kind}", ["EW@b1", "NW@c1"])
    assert lays(state, "c2") == fits
    assert not lays(state, "d1")
    assert not lays(state, "b2")


def test_r1_4_tiles_may_be_turned() -> None:
    assert lays(position("hand=0 lay=bend"), "b1") == {"NW@b1", "SW@b1"}
    assert lays(position("hand=0 lay=tee", tiles="branches"), "b1") == {
        "ESW@b1",
        "NSW@b1",
        "NEW@b1",
    }


def test_r1_5_there_are_15_cards_and_3_birds() -> None:
    state = flow().start()
    cards = {"support": 3, "bird": 3, "current": 3, "fishing": 2, "calm": 2, "return": 2}
    assert pile(state) == cards
    assert pile(state).total() == 15
    assert state.array[layout.BIRDS_LEFT] == 3


# ---- R2: the beginning --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(1, 7))
def test_r2_1_all_seats_win_or_lose_together(seats: int) -> None:
    won = position("hand=0 lay=straight", ALMOST, seats=seats).play("NS@d3")
    lost = position(f"hand=0 lay=straight discarded={ALL_BUT_ONE}", seats=seats).play("EW@b1")
    assert won.outcome is not None
    assert won.outcome.returns == (1.0,) * seats
    assert lost.outcome is not None
    assert lost.outcome.returns == (-1.0,) * seats
    assert flow(seats=seats).teams == (tuple(range(seats)),)


@pytest.mark.parametrize("seats", [0, 7])
def test_r2_1_one_to_six_play(seats: int) -> None:
    with pytest.raises(wm.InvalidOptions):
        flow(seats=seats)


@pytest.mark.parametrize(("seats", "cards"), [(1, 3), (2, 2), (3, 1), (4, 1), (5, 1), (6, 1)])
def test_r2_2_hands_by_number_of_seats(seats: int, cards: int) -> None:
    state = flow(seats=seats).start()
    for _ in range(seats * cards):
        assert state.to_move == CHANCE
        state = state.play(state.legal_actions[0])
    assert state.to_move == 0
    assert [hand(state, seat).total() for seat in range(seats)] == [cards] * seats
    assert pile(state).total() == 15 - seats * cards


def test_r2_2_each_card_is_equally_likely() -> None:
    state = flow().start()
    assert chances(state) == pytest.approx(
        {
            "card:support": 3 / 15, "card:bird": 3 / 15, "card:current": 3 / 15,
            "card:fishing": 2 / 15, "card:calm": 2 / 15, "card:return": 2 / 15,
        }
    )  # fmt: skip
    assert chances(state.play("card:calm"))["card:calm"] == pytest.approx(1 / 14)
    assert "card:calm" not in chances(state.play_all(["card:calm", "card:calm"]))


def test_r2_2_tiles_are_face_down() -> None:
    state = dealt("bird bird calm calm").play("draw")
    assert chances(state) == pytest.approx(
        {
            "tile:straight": 12 / 42,
            "tile:bend": 14 / 42,
            "tile:cross": 8 / 42,
            "tile:obstacle": 8 / 42,
        }
    )


def test_r2_3_seat_0_begins_and_turns_go_around() -> None:
    state = dealt("bird bird calm", seats=3)
    movers = []
    for cell in ("EW@b1", "EW@c1", "EW@d1", "EW@e1"):
        movers.append(state.to_move)
        state = state.play_all(["draw", "tile:straight", cell])
    assert movers == [0, 1, 2, 0]


def test_r2_4_everybody_sees_all_hands() -> None:
    state = dealt("bird support calm current")
    for seat in (0, 1, None):
        assert state.conceal(seat).text == state.text == "turn=0 hands=sb/cw"


def test_r2_4_nobody_sees_what_is_face_down() -> None:
    state = dealt("bird support calm current").play("draw")
    for seat in (0, 1, None):
        assert chances(state.conceal(seat)) == chances(state)
    first, second = state.play("tile:bend"), state.play("tile:cross")
    assert first.conceal(1) != second.conceal(1)  # Once it is drawn, all see it.


# ---- R3: a turn ---------------------------------------------------------------------------------


def test_r3_1_a_turn_is_a_draw_or_a_card() -> None:
    state = position("turn=0 hands=sw/c up=bc", ["EW@b1"])
    assert set(state.legal_moves) == {"support:b1", "draw", "take:bend", "take:cross", "calm"}
    after = state.play("calm")
    assert after.to_move == 1  # Exactly one thing.


@pytest.mark.parametrize("clock", ["turns", "minute", "free"])
def test_r3_1_nobody_may_skip(clock: str) -> None:
    state = position("turn=0", clock=clock)
    assert set(state.legal_moves) - {"time"} == {"draw"}
    drawn = position("hand=0 lay=obstacle", clock=clock)
    assert not {"swap", "discard"} & set(drawn.legal_moves)


def test_r3_2_a_face_down_tile_or_one_turned_up() -> None:
    state = position("turn=0 up=bo", ["EW@b1"])
    assert set(state.legal_moves) == {"draw", "take:bend", "take:obstacle"}
    taken = state.play("take:bend")
    assert (taken.to_move, up(taken)) == (0, {"obstacle": 1})
    assert "swap" in taken.legal_moves
    drawn = state.play("draw")
    assert chances(drawn) == pytest.approx(
        {
            "tile:straight": 11 / 39,
            "tile:bend": 13 / 39,
            "tile:cross": 8 / 39,
            "tile:obstacle": 7 / 39,
        }
    )
    assert up(drawn) == {"bend": 1, "obstacle": 1}


@pytest.mark.parametrize("kind", ["straight", "bend", "cross", "tee"])
def test_r3_3_a_tile_may_be_given_for_a_card(kind: str) -> None:
    state = position(f"hand=0 lay={kind} hands=-/s", tiles="branches")
    swapped = state.play("swap")
    assert discarded(swapped) == {kind: 1}
    assert swapped.to_move == CHANCE
    assert chances(swapped)["card:support"] == pytest.approx(2 / 14)
    after = swapped.play("card:bird")
    assert (hand(after, 0), hand(after, 1)) == ({"bird": 1}, {"support": 1})
    assert after.to_move == 1
    assert pile(after).total() == 13


def test_r3_3_an_obstacle_tile_is_not_given_for_a_card() -> None:
    assert "swap" not in position("hand=0 lay=obstacle").legal_moves


def test_r3_3_not_if_the_pile_is_empty() -> None:
    assert "swap" not in position("hand=0 lay=bend hands=s3b3c3/f2w2r2").legal_moves
    assert "swap" not in position("hand=0 lay=bend used=s3b3c3f2w2r2").legal_moves
    assert "swap" in position("hand=0 lay=bend hands=s3b3c3/f2w2r").legal_moves


def test_r3_4_a_tile_that_fits_nowhere_is_discarded() -> None:
    state = position("hand=0 lay=obstacle", ALL_CLOSED, obstacles=4)
    assert state.legal_moves == ("discard",)
    after = state.play("discard")
    assert (after.to_move, discarded(after)) == (1, {"obstacle": 1})
    assert pile(after).total() == 15


def test_r3_4_the_choice_of_a_card_remains() -> None:
    state = position("hand=0 lay=bend", ALL_CLOSED, obstacles=4)
    assert set(state.legal_moves) == {"swap", "discard"}
    state = position("hand=0 lay=bend used=s3b3c3f2w2r2", ALL_CLOSED, obstacles=4)
    assert state.legal_moves == ("discard",)


def test_r3_4_an_obstacle_tile_that_would_only_wall_in_is_discarded() -> None:
    state = position("hand=0 lay=obstacle", ONE_EXIT_EACH, obstacles=2)
    assert state.legal_moves == ("discard",)
    assert len(lays(position("hand=0 lay=straight", ONE_EXIT_EACH, obstacles=2))) == 4


# ---- R4: laying a tile --------------------------------------------------------------------------

CARRYING = "carry=0 lay=cross from=f6 played=card"


def test_r4_1_beside_an_animal_the_boat_or_a_tile() -> None:
    state = position(CARRYING, ["NESW@c3"])
    beside = {*BESIDE_ANIMALS, "d3", "d5", "c4", "e4", "b3", "c2"}
    assert {move.partition("@")[2] for move in lays(state)} == beside


def test_r4_1_a_scenario_obstacle_does_not_count() -> None:
    state = position(CARRYING, ["X@b3"], obstacles=1)
    assert not lays(state, "b2")
    assert not lays(state, "a3")
    assert lays(state, "a2")


def test_r4_2_water_leads_to_the_tile() -> None:
    state = position("hand=0 lay=straight", ["NS@c4", "EW@b1"])
    assert lays(state, "c1") == {"EW@c1"}
    for cell in ("c3", "c5", "d3", "d5"):
        assert not lays(state, cell)
    assert lays(position("carry=0 lay=straight from=f6 played=card", ["NS@c4"]), "c5") == {"NS@c5"}


def test_r4_3_edges_agree_with_tiles() -> None:
    state = position("hand=0 lay=bend", ["NESW@b1", "NS@c2"])
    assert lays(state, "c1") == {"NW@c1"}  # Open to both; ES, SW and NE are not.
    state = position("hand=0 lay=bend", ["NESW@b1", "EW@c2"])
    assert lays(state, "c1") == {"SW@c1"}  # Closed towards the straight above.


def test_r4_3_edges_agree_with_animals_and_boat() -> None:
    assert "NS@b1" not in position("hand=0 lay=straight").legal_moves
    state = position("hand=0 lay=straight", ["NESW@d1", "EW@c1", "EW@b1", "NS@d2"])
    assert lays(state, "d3") == {"NS@d3"}
    closed = position(
        "hand=0 lay=straight way=N", ["NESW@d1", "EW@c1", "EW@b1", "NS@d2"], single_path=True
    )
    assert not lays(closed, "d3")
    assert "ES@d3" in {
        *position("hand=0 lay=bend way=N", BOTTOM[:-1], single_path=True).legal_moves
    }


def test_r4_3_rim_empty_cells_and_scenario_obstacles_are_free() -> None:
    state = position("hand=0 lay=cross", ["X@a3"], obstacles=1)
    assert "NESW@a2" in state.legal_moves  # W to the rim, N to the obstacle, E to an empty cell.
    state = position("hand=0 lay=straight", ["X@a3"], obstacles=1)
    assert "NS@a2" in state.legal_moves
    state = position("hand=0 lay=obstacle", ["X@a3"], obstacles=1)
    assert "S@a2" in state.legal_moves


def test_r4_4_an_obstacle_tile_may_not_wall_in_an_animal() -> None:
    assert "W@b1" in position("hand=0 lay=obstacle").legal_moves
    state = position("hand=0 lay=obstacle", ["X@a2"], obstacles=1)
    assert not lays(state, "b1")
    assert lays(state, "g2") == {"S@g2"}
    assert not lays(position("hand=0 lay=obstacle", ["S@a2"]), "b1")


def test_r4_4_an_animal_that_is_cut_off_already_forbids_nothing() -> None:
    walls = ["X@a2", "X@b1"]
    state = position("hand=0 lay=obstacle", walls, obstacles=1)
    assert lays(state, "g2") == {"S@g2"}
    assert "discard" not in state.legal_moves
    state = position("hand=0 lay=obstacle", [*walls, "X@f1"], obstacles=2)
    assert not lays(state, "g2")  # This would cut off another one.
    assert lays(state, "g6") == {"N@g6"}


def test_r4_4_the_tile_is_discarded_if_every_place_would_cut_off_an_animal() -> None:
    state = position("hand=0 lay=obstacle", ONE_EXIT_EACH, obstacles=2)
    assert set(state.legal_moves) == {"discard"}


def test_r4_4_and_r5_5_judge_without_the_tile_that_current_has_taken() -> None:
    walls = ["X@a2", "X@f1", "W@b1"]
    state = position("turn=0 hands=c/-", walls, obstacles=1).play("current:b1")
    assert not lays(state, "g2")
    assert lays(state, "g6") == {"N@g6"}
    state = position("turn=0 hands=c/-", [*walls, "X@g6"], obstacles=2).play("current:f1")
    assert "X@f7" not in state.legal_moves  # g7 would be cut off; a1 is so already.
    assert "X@f2" in state.legal_moves


NARROW = "hand=0 lay=obstacle hands=s2/b2 board=1e5/1ab4/1c1e3/2c4/7/7/7"
"""An obstacle on a6 leaves the animal on a7 no way but over c5, which is open at three edges."""


def test_r4_4_a_cell_that_no_tile_of_the_set_fits_is_closed() -> None:
    assert "N@a6" not in flow().parse(NARROW).legal_moves
    assert "N@a6" in flow(tiles="branches").parse(NARROW).legal_moves  # A T-junction fits c5.
    assert "N@a6" in flow().at_version(2).parse(NARROW).legal_moves


def test_in_version_1_a_cut_off_animal_forbade_all_obstacles() -> None:
    first = wm.game("flow", obstacles=1).at_version(1)
    state = first.parse(f"hand=0 lay=obstacle {board(['X@a2', 'X@b1'])}")
    assert state.legal_moves == ("discard",)
    assert state.game.describe() == "flow@1 obstacles=1"
    assert first.start() != wm.game("flow", obstacles=1).start()


def test_r4_5_water_passes_through_animals() -> None:
    way = [*(f"EW@{letter}1" for letter in "bcdef"), "NS@g2", "NS@g3", "SW@g4", "EW@f4", "EW@e4"]
    assert joined(position("turn=0", way).array) == {"a1", "g1"}
    assert joined(position("turn=0", way, boat_stops=True).array) == {"g1"}


def test_r4_5_an_obstacle_tile_joins_nothing() -> None:
    assert joined(position("turn=0", [*BOTTOM[:-1], "N@d3"]).array) == set()
    assert joined(position("turn=0", [*BOTTOM[:-1], "S@d3"]).array) == set()


def test_r4_6_tiles_without_water_stay() -> None:
    state = position("turn=0 hands=s/-", ["EW@b1", "EW@c1"]).play("support:b1")
    assert lying(state) == {"EW@c1"}
    drawn = state.play_all(["draw", "tile:straight"])
    assert not lays(drawn, "d1")
    after = drawn.play_all(["EW@b1", "draw", "tile:straight"])
    assert lays(after, "d1") == {"EW@d1"}


# ---- R6: the round and the wave -----------------------------------------------------------------


def test_r6_1_a_turn_that_has_not_begun_is_lost() -> None:
    state = position("turn=1 done=3", clock="minute", seats=3).play("time")
    assert state.text.startswith("white=1 done=3")
    after = state.play_all(["white:1", "black:1"])
    assert after.text == "turn=2"


def test_r6_1_a_drawn_tile_is_still_laid() -> None:
    state = position("hand=1 lay=straight", clock="minute", seats=3).play("time")
    assert (state.to_move, "time" in state.legal_moves) == (1, False)
    assert state.text == "hand=1 lay=straight time=up"
    rolling = state.play("EW@b1")
    assert rolling.text.startswith("white=1 done=1")
    assert rolling.play_all(["white:2", "black:6"]).text.startswith("turn=2 board=")


def test_r6_1_a_swapped_card_arrives_before_the_wave() -> None:
    state = position("hand=0 lay=bend", clock="minute").play_all(["time", "swap"])
    assert state.text == "card=0 time=up discarded=b"
    assert state.play("card:bird").text.startswith("white=0 done=1 hands=b/-")


@pytest.mark.parametrize(
    "words", ["white=0 idle=1", "die=0 played=calm idle=1", "black=0 rolled=2 idle=1", "tile=0"]
)
def test_r6_1_time_cannot_be_called_in_a_wave_or_during_a_draw(words: str) -> None:
    assert "time" not in position(words, clock="minute").legal_moves


def test_r6_2_by_default_a_round_has_10_turns() -> None:
    state = position("hand=0 done=8 lay=straight", seats=3).play("EW@b1")
    assert state.to_move == 1
    state = state.play_all(["draw", "tile:straight", "EW@c1"])
    assert state.text.startswith("white=1 done=10")


@pytest.mark.parametrize("turns", [6, 14])
def test_r6_2_turns_are_an_option(turns: int) -> None:
    early = position(f"hand=0 done={turns - 2} lay=straight", turns=turns).play("EW@b1")
    last = position(f"hand=0 done={turns - 1} lay=straight", turns=turns).play("EW@b1")
    assert (early.to_move, last.to_move) == (1, CHANCE)


@pytest.mark.parametrize("words", ["turn=0", "hand=0 lay=bend", CARRYING])
@pytest.mark.parametrize(("clock", "can_be_said"), [("turns", 0), ("minute", 1), ("free", 1)])
def test_r6_2_time_is_called_unless_turns_are_counted(
    clock: str, can_be_said: int, words: str
) -> None:
    state = position(words, clock=clock)
    assert state.legal_moves.count("time") == can_be_said


def test_r6_2_a_real_minute_is_for_whoever_keeps_the_time() -> None:
    clock = flow(clock="minute").clock
    assert clock is not None
    assert (clock.seconds, clock.move) == (60, "time")
    assert flow().clock is None
    assert flow(clock="free").clock is None


def test_r6_3_the_match_is_won_at_the_end_of_a_turn() -> None:
    state = position("hand=1 lay=straight", ALMOST).play("NS@d3")
    assert state.text.startswith("over=won seat=1")
    assert joined(state.array) == {"a1", "g1", "a7", "g7"}


@pytest.mark.parametrize(
    ("words", "clock"), [("hand=0 lay=straight done=9", "turns"), ("hand=0 lay=straight", "minute")]
)
def test_r6_3_before_any_wave(words: str, clock: str) -> None:
    state = position(words, ALMOST, clock=clock)
    if clock == "minute":
        state = state.play("time")
    assert state.play("NS@d3").to_move == OVER
    assert state.play("swap").play("card:bird").text.startswith("white=0")


@pytest.mark.parametrize(
    ("number", "row", "column"),
    [(1, "1", "a"), (2, "2", "b"), (3, "3", "c"), (4, "5", "e"), (5, "6", "f"), (6, "7", "g")],
)
def test_r6_4_which_lines_the_numbers_name(number: int, row: str, column: str) -> None:
    upright = {f"NS@b{n}" for n in range(1, 8)}
    state = position("white=0 done=10 played=calm", upright).play(f"white:{number}")
    assert upright - lying(state) == {f"NS@b{row}"}
    lengthwise = {f"EW@{letter}2" for letter in "abcdefg"}
    state = position("black=0 done=10 played=calm", lengthwise).play(f"black:{number}")
    assert lengthwise - lying(state) == {f"EW@{column}2"}


def test_r6_4_two_dice_are_rolled_white_first() -> None:
    state = position("hand=0 done=9 lay=straight").play("EW@b1")
    assert chances(state) == pytest.approx({f"white:{n}": 1 / 6 for n in range(1, 7)})
    state = state.play("white:3")
    assert chances(state) == pytest.approx({f"black:{n}": 1 / 6 for n in range(1, 7)})
    assert state.text.startswith("black=0 done=10 rolled=3")


def test_r6_5_tiles_in_the_row_and_the_column_are_discarded() -> None:
    laid = (*BOTTOM, *TOP)
    array = position("over=won", laid).array.copy()
    array[[layout.STAGE, layout.WON, layout.WHITE, layout.DICE]] = [
        layout.ROLL_BLACK,
        0,
        3,
        layout.BOTH_DICE,
    ]
    state = wm.State(flow(), array).play("black:2")
    assert set(laid) - lying(state) == {"EW@b1", "NS@d3", "EW@b7"}
    assert discarded(state) == {"straight": 3}
    assert joined(state.array) == {"g7"}


def test_r6_5_a_bird_goes_instead_of_its_tile() -> None:
    state = position("white=0 done=10", ["EW@b1*", "EW@c1", "NS@g2*", "NS@g3"])
    after = state.play_all(["white:1", "black:6"])
    assert lying(after) == {"EW@b1", "NS@g2"}
    assert after.array[layout.BIRDS_LEFT] == 3
    assert discarded(after) == {"straight": 2}


def test_r6_5_where_both_dice_meet_bird_and_tile_go() -> None:
    state = position("white=0 done=10", ["NESW@c2*", "EW@b2*", "NS@c3*"])
    after = state.play_all(["white:2", "black:3"])
    assert lying(after) == {"EW@b2", "NS@c3"}
    assert (after.array[layout.BIRDS_LEFT], discarded(after)) == (3, {"cross": 1})


def test_r6_5_a_wave_over_empty_cells_animals_and_middle_lines_takes_nothing() -> None:
    laid = {"NS@d2", "EW@c4", "NS@d6"}
    state = position("white=0 done=10", laid).play_all(["white:1", "black:1"])
    assert lying(state) == laid
    after = position("white=0 done=10", TOP).play_all(["white:1", "black:1"])
    assert joined(after.array) == {"a7", "g7"}


def test_r6_6_the_next_player_begins_a_new_round() -> None:
    state = position("white=2 done=10 played=calm", seats=3).play("white:2")
    assert state.text == "turn=0"
    state = position("black=1 done=10 played=card rolled=4", seats=3).play("black:2")
    assert state.text == "turn=2"


def test_r6_6_three_idle_rounds_lose() -> None:
    state = position("turn=0", clock="free")
    for seat in (0, 1):
        assert state.to_move == seat
        state = state.play_all(["time", "white:1", "black:1"])
    assert state.text == "turn=0 idle=2"
    over = state.play_all(["time", "white:1", "black:1"])
    assert over.outcome is not None
    assert (over.outcome.reason.code, over.outcome.returns) == ("idle", (-1.0, -1.0))


# ---- R7: the end --------------------------------------------------------------------------------


def test_r7_1_a_point_each_if_it_is_won_and_minus_one_if_it_is_lost() -> None:
    won = position("over=won", (*BOTTOM, *TOP), seats=3)
    lost = position(f"over=lost discarded={ALL_TILES}", seats=3)
    assert won.outcome is not None
    assert lost.outcome is not None
    assert (won.outcome.returns, lost.outcome.returns) == ((1.0,) * 3, (-1.0,) * 3)
    assert won.outcome.winners == (0, 1, 2)
    assert lost.outcome.winners == ()
    assert won.legal_moves == lost.legal_moves == ()


@pytest.mark.parametrize(
    ("cards", "is_lost"),
    [
        ("-/-", True),
        ("s3b3c3w2r2/-", True),  # It is the player's own hand.
        ("-/f2", True),  # Fishing needs tiles.
        ("-/s", False),
        ("-/b", False),
        ("-/c", False),
        ("-/w", False),
        ("-/r", False),
    ],
)
def test_r7_2_lost_without_tiles_and_cards(cards: str, is_lost: bool) -> None:
    state = position(f"{LAST} hands={cards}").play("EW@b1")
    assert state.to_move == (OVER if is_lost else 1)
    if is_lost:
        assert state.outcome is not None
        assert state.outcome.reason.code == "no_tiles_left"


def test_r7_3_discarded_tiles_and_cards_are_never_shuffled_again() -> None:
    state = position("turn=0 discarded=s11b14c8o8 used=s3b3c3f2w2r2")
    drawn = state.play("draw")
    assert chances(drawn) == {"tile:straight": 1.0}
    held = drawn.play("tile:straight")
    assert "swap" not in held.legal_moves
    assert held.play("EW@b1").to_move == OVER
