"""What a view shows, and that it hides what is hidden."""

from __future__ import annotations

from watermeet.core.state import State
from watermeet.games.flow import layout
from watermeet.games.flow.names import outcome_sentence
from watermeet.games.flow.tests.positions import flow, number_of
from watermeet.games.flow.tests.scenes import (
    ALL_JOINED,
    LOWER_CROSS,
    changed,
    holding,
    in_hand,
    laid,
)


def sentence(state: State, seat: int | None = None) -> str:
    return str(state.view(seat)["sentence"])


# ---- sentences --------------------------------------------------------------------------------


def test_the_beginning() -> None:
    state = flow(scenarios=2).start()
    assert sentence(state) == "Drawing a scenario card; 2 to go."
    assert state.view(None)["board"]["mover"] is None
    state = flow(obstacles=1).start()
    assert sentence(state) == "Rolling for the cell of a scenario obstacle; 2 to go."
    assert sentence(state.play(state.legal_actions[0])).endswith("; 1 to go.")
    assert sentence(flow().start()) == "Dealing an action card to Player 1."
    aiming = changed(laid({}, single_path=True), STAGE=layout.CHOOSE_BOAT_EDGE)
    assert sentence(aiming) == "Player 1 to choose which side of the boat is open."


def test_a_turn_begins() -> None:
    state = changed(laid({}), TURNS_DONE=7)
    assert sentence(state) == "Player 1 to draw a tile; 3 turns left in this round."
    state = holding(state, 0, "bird")
    assert sentence(state).startswith("Player 1 to draw a tile or play a card; 3 turns")
    assert sentence(changed(state, TURNS_DONE=9)).endswith("; 1 turn left in this round.")
    array = state.array.copy()
    array[layout.FACE_DOWN : layout.FACE_DOWN + layout.KIND_COUNT] = 0
    assert sentence(State(state.game, array)).startswith("Player 1 to play a card;")


def test_rounds_by_the_clock() -> None:
    """R6.2."""
    assert sentence(laid({}, clock="minute")) == "Player 1 to draw a tile; the clock is running."
    assert sentence(laid({}, clock="free")) == "Player 1 to draw a tile or call time."
    state = changed(in_hand(laid({}, clock="minute"), "bend"), TIME_UP=1)
    assert sentence(state).endswith(" Time is up: a wave comes after this turn.")
    assert state.view(None)["board"]["turns_left"] is None


def test_a_drawn_tile_is_laid_or_swapped() -> None:
    """R3.3."""
    expected = "Player 2 to place the bend or swap it for a card."
    assert sentence(in_hand(laid({}), "bend", 1)) == expected
    assert sentence(in_hand(laid({}), "obstacle", 1)) == "Player 2 to place the obstacle tile."
    assert sentence(in_hand(laid({}, no_new_cards=True), "cross")) == "Player 1 to place the cross."


def test_a_tile_that_fits_nowhere() -> None:
    """R3.4."""
    rim = {"b1": "W", "a2": "S", "f1": "E", "g2": "S", "a6": "N", "b7": "W", "g6": "N", "f7": "E"}
    state = in_hand(laid(rim, no_new_cards=True), "bend")
    assert sentence(state) == "The bend doesn't fit anywhere: Player 1 to discard it."


def test_cards_that_carry_a_tile() -> None:
    carried = changed(in_hand(laid({}), "bend"), STAGE=layout.CARRY)
    assert sentence(carried) == "Player 1 to place the discarded bend."
    lifted = changed(carried, LIFTED_FROM=1 + number_of("c4"), LIFTED_BIRD=1)
    assert sentence(lifted) == "Player 1 to move the bend from c4."
    board = lifted.view(None)["board"]
    assert (board["due"], board["tile"]) == ("carry", "bend")
    assert (board["lifted_from"], board["lifted_bird"]) == ("c4", True)
    rock = changed(lifted, TILE=layout.SCENARIO_TILE)
    assert sentence(rock) == "Player 1 to move the scenario obstacle from c4."
    assert rock.view(None)["board"]["tile"] == "scenario"


def test_chance_sentences() -> None:
    expected = {
        layout.DRAW_TILE: "Player 1 draws a tile.",
        layout.DRAW_CARD: "Player 1 draws an action card.",
        layout.FISH: "Player 1 turns a tile face up; 2 to go.",
        layout.ROLL_WHITE: "A wave is coming: Player 1 rolls the white die for the row.",
        layout.ROLL_BLACK: "A wave is coming: Player 1 rolls the black die for the column.",
        layout.CHOOSE_DIE: "Calm Waters: Player 1 to choose which die to roll for the wave.",
    }
    for stage, words in expected.items():
        assert sentence(changed(laid({}), STAGE=stage, PENDING=2)) == words


def test_outcomes() -> None:
    """R7."""
    won = changed(laid(ALL_JOINED), STAGE=layout.FINISHED, WON=1)
    assert sentence(won) == "You win: all four animals are connected to the boat."
    assert won.view(None)["board"]["won"] is True
    lost = changed(laid({}), STAGE=layout.FINISHED, MOVER=1)
    assert sentence(lost) == outcome_sentence(lost.game, lost.array)
    assert sentence(lost).endswith("and Player 2 has no card to play.")
    assert lost.view(None)["board"]["won"] is False
    idle = changed(lost, IDLE_ROUNDS=3)
    assert sentence(idle) == "You lose: nobody did anything for three rounds."
    assert laid({}).view(None)["board"]["won"] is None


# ---- data -------------------------------------------------------------------------------------


def test_cells_show_their_contents() -> None:
    board = laid({"a2": "NSv", "b3": "N", "e5": "Xv"}).view(None)["board"]
    cells = {cell["name"]: cell for cell in board["cells"]}
    assert cells["a2"] == {
        "name": "a2", "column": 0, "row": 1, "tile": "straight", "edges": "NS", "bird": True,
        "wet": True, "scenario": False,
    }  # fmt: skip
    assert (cells["b3"]["tile"], cells["b3"]["wet"]) == ("obstacle", False)
    assert (cells["e5"]["tile"], cells["e5"]["scenario"], cells["e5"]["bird"]) == (None, True, True)
    assert (cells["c4"]["tile"], cells["c4"]["edges"]) == (None, "")
    corners = [cells[name]["edges"] for name in ("a1", "g1", "a7", "g7", "d4")]
    assert corners == ["NE", "NW", "ES", "SW", "NESW"]
    assert len(cells) == 49


def test_animals_show_their_status() -> None:
    board = laid(LOWER_CROSS).view(None)["board"]
    cat, _, capybara, _ = board["animals"]
    assert cat == {
        "name": "cat", "cell": "a1", "connected": True,
        "path": ["a1", "b1", "c1", "d1", "d2", "d3", "d4"], "missing": 0, "missing_cells": [],
    }  # fmt: skip
    assert (capybara["name"], capybara["connected"], capybara["missing"]) == ("capybara", False, 5)
    assert board["boat"] == {"cell": "d4", "edges": "NESW"}


def test_supplies() -> None:
    board = in_hand(laid({"a2": "NESWv"}, obstacles=2), "bend").view(None)["board"]
    assert board["tiles"]["down"] == {
        "straight": 12, "bend": 13, "cross": 7, "obstacle": 8, "tee": 0,
    }  # fmt: skip
    assert (board["face_down"], board["birds_left"], board["pile"]) == (40, 2, 15)
    assert board["scenarios"] == {"obstacles": 2}
    assert (board["due"], board["mover"], board["tile"]) == ("lay", 0, "bend")
    assert board["dice"] == {"rolled": None, "white": None}
    rolled = changed(laid({}), STAGE=layout.ROLL_BLACK, DICE=layout.BOTH_DICE, WHITE=4)
    assert rolled.view(None)["board"]["dice"] == {"rolled": "both", "white": 4}


# ---- hands ------------------------------------------------------------------------------------


def hands(state: State, seat: int | None) -> list[list[str]]:
    return [each["hand"] for each in state.view(seat)["seats"]]


def test_everybody_sees_all_hands() -> None:
    """R2.4."""
    state = holding(holding(laid({}), 0, "calm", "support"), 1, "bird")
    for seat in (None, 0, 1):
        assert hands(state, seat) == [["support", "calm"], ["bird"]]
    assert state.view(0)["board"]["pile"] == 12
    seats = state.view(0)["seats"]
    assert [each["label"] for each in seats] == ["Player 1", "Player 2"]
    assert {each["score"] for each in seats} == {None}


def test_without_communication_hands_are_hidden() -> None:
    """R8.1."""
    state = holding(holding(laid({}, no_communication=True), 0, "calm", "support"), 1, "bird")
    assert hands(state, 0) == [["support", "calm"], ["?"]]
    assert hands(state, 1) == [["?", "?"], ["bird"]]
    assert hands(state, None) == [["?", "?"], ["?"]]
    board = state.view(0)["board"]
    assert board["pile"] == 12
    assert (board["unseen_cards"]["bird"], board["unseen_cards"]["calm"]) == (3, 1)
