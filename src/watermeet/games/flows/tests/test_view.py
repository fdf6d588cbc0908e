"""What views show, and that they hide what is hidden."""

from __future__ import annotations

import random

import watermeet as wm
from watermeet.core.state import State
from watermeet.games.flows import layout
from watermeet.games.flows.tests.boards import (
    STRAIGHT_DOWN,
    WALL,
    holding,
    in_hand,
    laid,
)
from watermeet.games.flows.tests.helpers import flows


def sentence(state: State, seat: int | None = None) -> str:
    return str(state.view(seat)["sentence"])


def ended(state: State, axes: int, *, by_route: bool) -> State:
    """The same state, but these axes have won."""
    array = state.array.copy()
    array[layout.STAGE], array[layout.WINNERS], array[layout.BY_ROUTE] = (
        layout.FINISHED,
        axes,
        by_route,
    )
    return State(state.game, array)


# ---- sentences --------------------------------------------------------------------------------


def test_chance_sentences() -> None:
    state = flows().start()
    assert sentence(state) == "Drawing who goes first."
    state = state.play(int(layout.first_base(state.array.copy())) + 1)
    assert sentence(state) == "Blue draws a tile."


def test_only_the_mover_sees_the_tile_in_hand() -> None:
    """R4.2."""
    state = in_hand(laid({}), 1)
    assert (
        sentence(state, 0) == "Red places tile T1 (one sharp bend). It must leave everyone a route."
    )
    assert sentence(state, 1) == sentence(state, None) == "Red places a tile."
    assert [seat["tile"] for seat in state.view(0)["seats"]] == ["T1", None]
    assert [seat["tile"] for seat in state.view(1)["seats"]] == ["??", None]


def test_everybody_sees_their_own_held_tile() -> None:
    """R7.3."""
    state = holding(holding(laid({}, hold_tile=True), 0, 0), 1, 2)
    assert [seat["tile"] for seat in state.view(0)["seats"]] == ["T0", "??"]
    assert [seat["tile"] for seat in state.view(1)["seats"]] == ["??", "T2"]
    assert [seat["tile"] for seat in state.view(None)["seats"]] == ["??", "??"]


def test_choosing_sides() -> None:
    """R7.1."""
    state = flows(seats=4, sides="chosen").start()
    assert [each["seat"] for each in state.view(None)["board"]["sides"]] == [None] * 6
    state = state.play(int(layout.first_base(state.array.copy())) + 1)
    assert sentence(state) == "Blue chooses a side; Green gets the opposite one."
    state = state.play(int(layout.side_base(state.array.copy())) + 2)
    assert sentence(state) == "Yellow chooses a side; Red gets the opposite one."
    assert [seat["side"] for seat in state.view(None)["seats"]] == [None, 2, None, 5]
    alone = flows(seats=2, sides="chosen").start()
    alone = alone.play(alone.legal_actions[0])
    assert sentence(alone) == "Red chooses a side."


def test_drawing_held_tiles() -> None:
    state = flows(hold_tile=True).start()
    state = state.play(state.legal_actions[0])
    assert sentence(state) == "Red draws a tile."
    state = state.play(int(layout.draw_base(state.array.copy())))
    assert sentence(state) == "Blue draws a tile."
    state = state.play(state.legal_actions[0])
    assert sentence(state, 0).startswith("Red places tile T0")
    state = state.play(state.legal_actions[0])
    assert sentence(state) == "Red draws the next tile."


def test_the_solo_player_of_five_also_plays_the_black_side() -> None:
    """R3.2."""
    array = in_hand(laid({}, seats=5), 0, seat=2).array.copy()
    array[layout.TURN_SIDE] = 2
    assert sentence(State(flows(seats=5), array)) == "Yellow places a tile."
    array[layout.TURN_SIDE] = 5
    state = State(flows(seats=5), array)
    assert sentence(state) == "Yellow places a tile for the black side opposite."
    assert state.view(None)["board"]["turn_side"] == 5


def test_supermoves_are_offered_to_blocked_players() -> None:
    """R7.5."""
    free = in_hand(laid({}, supermove="full"), 1)
    assert sentence(free, 1) == "Red places a tile on any empty cell."
    assert [team["is_blocked"] for team in free.view(1)["board"]["teams"]] == [False, False]
    blocked = in_hand(laid(WALL, supermove="full"), 1)
    assert [team["is_blocked"] for team in blocked.view(1)["board"]["teams"]] == [True, False]
    assert sentence(blocked, 1).endswith(
        "on any empty cell, or exchanges a tile on the board for it if that frees Red's team."
    )
    anybody = in_hand(laid(WALL, supermove="full", supermove_any=True), 1)
    assert sentence(anybody, 1).endswith("if that frees a team.")
    assert laid({}).view(0)["board"]["teams"][0]["is_blocked"] is None


def test_the_removed_tile_is_laid_next() -> None:
    """R7.6."""
    array = in_hand(laid({}, supermove="full"), 2).array.copy()
    array[layout.STAGE], array[layout.TILE_OPEN] = layout.FOLLOW, 1
    state = State(flows(supermove="full"), array)
    assert sentence(state, 1) == (
        "Red places the tile taken off the board, T2 (two sharp bends), on any empty cell."
    )
    assert state.view(1)["board"]["is_follow_up"] is True


# ---- outcomes ---------------------------------------------------------------------------------


def test_a_win_by_an_unplayable_tile() -> None:
    """R4.3: the tile is shown."""
    state = ended(in_hand(laid({}, seats=6), 3, seat=1), 2, by_route=False)
    assert sentence(state) == (
        "Blue and Purple win: Blue's tile, T3 (three sharp bends), can't be placed anywhere."
    )
    board = state.view(None)["board"]
    assert (board["winners"], board["won_by"]) == ([1, 4], "tile")
    assert [team["has_won"] for team in board["teams"]] == [False, True, False]


# ---- data -------------------------------------------------------------------------------------


def test_seats_show_their_teams() -> None:
    seats = laid({}, seats=5).view(None)["seats"]
    assert [seat["label"] for seat in seats] == ["Red", "Blue", "Yellow", "Green", "Purple"]
    assert [seat["partner"] for seat in seats] == [3, 4, None, 0, 1]
    assert [seat["team"] for seat in seats] == [0, 1, 2, 0, 1]
    assert [seat["side"] for seat in seats] == [0, 1, 2, 3, 4]
    assert {seat["score"] for seat in seats} == {None}


def test_cells_show_their_tiles() -> None:
    board = laid({"d4": "T1.2"}).view(None)["board"]
    shown = {cell["name"]: cell for cell in board["cells"]}
    assert shown["d4"] == {
        "name": "d4",
        "q": 0,
        "r": 0,
        "tile": "T1",
        "rotation": 2,
        "orientation": 5,
    }
    assert shown["a7"] == {
        "name": "a7", "q": -3, "r": 3, "tile": None, "rotation": None, "orientation": None,
    }  # fmt: skip
    assert len(shown) == 37
    assert board["bag"] == {"T0": 10, "T1": 9, "T2": 10, "T3": 10}


def test_strands_show_their_paths() -> None:
    strands = laid({"a7": "T3.0"}, seats=6).view(None)["board"]["strands"]
    assert strands[0] == {
        "steps": [["a7", 5, 0]],
        "ends": [{"kind": "rim", "side": 0, "place": 6}, {"kind": "rim", "side": 1, "place": 0}],
        "owners": [0, 1],
        "wins": False,
    }
    assert strands[1]["ends"][1] == {"kind": "open", "cell": "a6", "edge": 5}
    winning = [s for s in laid(STRAIGHT_DOWN).view(None)["board"]["strands"] if s["wins"]]
    assert [[step[0] for step in strand["steps"]] for strand in winning] == [
        ["b7", "c6", "c5", "d4", "d3", "e2", "e1"]
    ]


def test_unseen_tiles_are_in_the_bag_and_in_other_hands() -> None:
    state = in_hand(laid({"d4": "T1.2"}), 1)
    assert state.view(0)["board"]["bag"]["T1"] == 8
    assert state.view(1)["board"]["bag"]["T1"] == 9


def test_a_shortest_route_has_as_many_cells_as_tiles_to_go() -> None:
    state, rng = laid({}), random.Random(3)
    for _ in range(25):
        for team in state.view(None)["board"]["teams"]:
            route = team["shortest_route"]
            assert len(set(route)) == len(route) == (team["tiles_to_go"] or 0)
            assert not set(route) & {
                cell["name"] for cell in state.view(None)["board"]["cells"] if cell["tile"]
            }
        if state.to_move == wm.OVER:
            break
        if state.to_move == wm.CHANCE:
            state = state.sample(rng)
        else:
            state = state.play(rng.choice(state.legal_actions))


def test_a_witness_has_a_route_for_each_team() -> None:
    routes = laid({}, seats=6).view(None)["board"]["witness"]
    assert sorted(routes) == ["0", "1", "2"]
    assert all(len(step) == 3 for route in routes.values() for step in route)
    assert laid({}, supermove="full").view(None)["board"]["witness"] is None
    assert flows(sides="chosen").start().view(None)["board"]["witness"] is None
