"""Explanations of Flows: every code, with its words and cells. test_claims.py verifies them."""

from __future__ import annotations

import pytest

from watermeet.core.explanation import Explanation
from watermeet.core.options import Value
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tests.positions import (
    BOARD_ALMOST_FULL,
    NARROW,
    THREE_TEAMS_CONNECT,
    UNPLAYABLE,
    WALL,
    ZIGZAG,
    laid,
    placing,
)

Options = dict[str, Value]
CLOSED = "board=4/5/6/ddddddd/6/5/4"


def explained(options: Options, text: str, move: str) -> Explanation:
    state = flows(**options).parse(text)
    found = state.explain(move)
    assert found.legal == (move in state.legal_moves)
    return found


# ---- legal placements -------------------------------------------------------------------------


def test_a_tile_that_connects_names_the_winners() -> None:
    found = placing("T0", laid("T0.0", ZIGZAG[1:]), seat=1).explain("T0.0@b7")
    assert (found.code, found.legal, found.cells) == ("connects", True, ("b7",))
    assert found.sentence == "T0.0 can be placed on b7, which connects Red."
    assert found.facts["winners"] == "Red"


def test_a_tile_that_connects_several_names_all() -> None:
    found = explained({"seats": 5}, f"place=1 tile=T1 board={THREE_TEAMS_CONNECT}", "T1.3@d4")
    assert found.code == "connects"
    for team in ("Red and Green", "Blue and Purple", "Yellow"):
        assert team in found.sentence


def test_a_legal_tile_names_the_remaining_routes() -> None:
    state = placing("T2", [])
    found = state.explain("T2.0@d4")
    assert (found.code, found.legal, found.cells) == ("leaves_routes", True, ("d4",))
    assert "Everyone still has a route, for example Red via " in found.sentence
    assert "; Blue via " in found.sentence
    assert set(found.facts) == {"tile", "cell", "route of Red", "route of Blue"}


def test_with_reach_each_route_is_explained_alone() -> None:
    found = explained({"legality": "reach"}, NARROW, "T1.2@c5")
    assert found.code == "leaves_routes"
    assert "Each team, taken alone, still has a route" in found.sentence


def test_with_supermove_no_route_is_explained() -> None:
    found = explained({"supermove": "full"}, "place=0 tile=T1 board=4/5/6/ddd1ddd/6/5/4", "T1.0@d4")
    assert (found.code, found.sentence) == ("places", "T1.0 can be placed on d4.")
    assert found.cells == ("d4",)


# ---- codes that need no search ----------------------------------------------------------------

LIE = "board=4/5/6/3d3/6/5/4"
CHOSEN: Options = {"sides": "chosen"}
HOLD: Options = {"hold_tile": True}
FOUR: Options = {"sides": "chosen", "seats": 4}


@pytest.mark.parametrize(
    ("options", "text", "move", "code", "words"),
    [
        (
            {},
            f"place=0 tile=T0 {LIE}",
            "T0.1@d4",
            "occupied",
            "There is already a tile on d4: T1.0",
        ),
        ({}, "place=0 tile=T0", "T1.0@d4", "not_in_hand", "in hand is T0, not T1"),
        ({}, "lot", "T1.0@d4", "not_now", "it isn't decided yet who goes first"),
        ({}, "draw=1", "T1.0@d4", "not_now", "Blue is drawing a tile"),
        ({}, "place=0 tile=T0", "draw:T0", "not_now", "Red is placing a tile"),
        (CHOSEN, "choose=1 first=1", "T1.0@d4", "not_now", "Blue is choosing a side"),
        (CHOSEN, "lot", "side:1", "not_now", "isn't decided yet"),
        (HOLD, "deal=1 first=1", "T1.0@d4", "not_now", "Blue is drawing a tile"),
        ({}, "lot", "draw:T1", "not_now", "it isn't decided yet who goes first"),
        ({}, "draw=1", "draw:T2", "draws", "Blue draws a T2 tile"),
        ({}, UNPLAYABLE[2], "draw:T1", "none_left", "No T1 tiles are left"),
        ({}, "lot", "first:1", "begins", "Blue goes first"),
        ({}, "lot", "first:4", "no_seat", "Purple isn't playing"),
        ({}, "draw=1", "first:0", "lot_drawn", "already decided"),
        (CHOSEN, "choose=0", "side:4", "takes_side", "Red can take the upper right side"),
        ({}, "draw=1", "side:4", "sides_set", "sides are fixed"),
        (
            CHOSEN,
            "choose=1 sides=4/-",
            "side:4",
            "side_taken",
            "Red already has the upper right side",
        ),
        (
            CHOSEN,
            "choose=1 sides=4/-",
            "side:1",
            "opposite_taken",
            "Red has the opposite side",
        ),
        (FOUR, "choose=1 sides=4/-/1/-", "side:1", "side_taken", "Yellow already has"),
    ],
)
def test_codes(options: Options, text: str, move: str, code: str, words: str) -> None:
    found = explained(options, text, move)
    assert found.code == code
    assert found.cells == (("d4",) if code == "occupied" else ())
    assert words in found.sentence


def test_a_tile_that_nobody_can_hold_is_explained_to_everybody() -> None:
    state = flows().parse(UNPLAYABLE[2]).play("draw:T0").conceal(0)
    found = state.explain("T1.0@e1")
    assert found.code == "not_in_hand"
    assert "it can't be a T1: none are left" in found.sentence


def test_a_finished_match_and_an_invalid_action_are_explained() -> None:
    state = placing("T0", laid("T0.0", ZIGZAG[1:])).play("T0.0@b7")
    assert state.explain("T0.0@a4").code == "match_over"
    assert flows().start().explain("d4").code == "unreadable"


# ---- illegal placements -----------------------------------------------------------------------


def test_a_blocked_player_is_named_with_the_cells_within_reach() -> None:
    found = placing("T1", laid("T1.0", WALL), seat=1).explain("T1.0@d4")
    assert (found.code, found.legal) == ("no_route", False)
    assert "Red would lose its last route, since from the bottom only a5 b5" in found.sentence
    assert found.facts["from side 3"] == "d1 e1 f1 g1 c2 d2 e2 f2 g2 b3 c3 d3 e3 f3 g3"
    assert found.cells[0] == "d4"
    assert len(found.cells) == 31


def test_a_sealed_side_reaches_no_empty_cell() -> None:
    found = placing("T3", ["T1.0@a7", "T2.0@b7", "T1.0@c7"]).explain("T3.0@d7")
    assert found.code == "no_route"
    assert "from the bottom no empty cell can be reached" in found.sentence


@pytest.mark.parametrize(
    ("options", "text", "move", "code", "words", "cells"),
    [
        ({}, NARROW, "T1.2@c5", "too_few_ways", "there is only one way through d3 d4", "c5 d3 d4"),
        (
            {"seats": 3},
            "place=1 tile=T2 board=fmm1/1ahkh/ga1laa/1mhd1bc/kmmlml/ldkbc/nfgb",
            "T2.0@g1",
            "too_few_ways",
            "there are only 2 ways through d3 e4",
            "g1 d3 e4",
        ),
        (
            {},
            "place=1 tile=T1 board=gmlc/le1lm/1cm1lm/lnnh1jb/jn1ngf/j1fmd/ebbk",
            "T1.2@e2",
            "same_cells",
            "they all need c5",
            "e2 c5",
        ),
        (
            {"radius": 2},
            "place=1 tile=T1 board=j1m/blng/nmch1/1j1n/a1j",
            "T1.1@c4",
            "in_the_way",
            "they always get in each other's way on d1 e3 a4 b5",
            "c4 d1 e3 a4 b5",
        ),
    ],
)
def test_conflicting_routes(
    options: Options, text: str, move: str, code: str, words: str, cells: str
) -> None:
    found = explained(options, text, move)
    assert (found.code, found.cells) == (code, tuple(cells.split()))
    assert words in found.sentence
    assert "could each still be connected, but no longer at the same time" in found.sentence


# ---- exchanges --------------------------------------------------------------------------------

FULL: Options = {"supermove": "full"}
SINGLE: Options = {"supermove": "single"}
ANYBODY: Options = {"supermove": "full", "supermove_any": True}
TEAMS: Options = {"supermove": "full", "seats": 4}
USED_UP = f"place=0 tile=T2 exchanges=37 {CLOSED}"


@pytest.mark.parametrize(
    ("options", "text", "move", "code", "words"),
    [
        (FULL, f"place=0 tile=T2 {CLOSED}", "T2.1xd4", "frees", "Red can then be connected again"),
        (
            ANYBODY,
            f"place=1 tile=T2 {CLOSED}",
            "T2.1xd4",
            "frees",
            "T1.0 on d4 can be exchanged for",
        ),
        (FULL, f"place=0 tile=T2 {CLOSED}", "T2.1xd3", "nothing_there", "There is no tile on d3"),
        (FULL, f"place=0 tile=T2 {CLOSED}", "T1.1xd4", "not_in_hand", "is T2, not T1"),
        (
            FULL,
            f"follow=0 tile=T1! {LIE}",
            "T1.1xd4",
            "not_now",
            "Red is placing the tile taken off",
        ),
        (FULL, "draw=0", "T1.1xd4", "not_now", "Red is drawing"),
        (SINGLE, USED_UP, "T2.1xd4", "too_many_exchanges", "All 37 exchanges"),
        (FULL, f"place=1 tile=T2 {CLOSED}", "T2.1xd4", "not_blocked", "Blue isn't blocked"),
        (
            TEAMS,
            f"place=1 tile=T2 {LIE}",
            "T2.1xd4",
            "not_blocked",
            "Blue and Green aren't blocked",
        ),
        (ANYBODY, f"place=1 tile=T2 {LIE}", "T2.1xd4", "not_blocked", "no team is blocked"),
        (FULL, f"place=0 tile=T1 {CLOSED}", "T1.0xd4", "frees_nobody", "wouldn't free"),
    ],
)
def test_exchanges(options: Options, text: str, move: str, code: str, words: str) -> None:
    found = explained(options, text, move)
    shown = code in ("frees", "nothing_there", "frees_nobody")
    assert (found.code, found.cells) == (code, (move[5:],) if shown else ())
    assert words in found.sentence


# ---- the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "text", "move", "code", "sentence"),
    [
        (
            {},
            "place=1 tile=T0 board=1a2/2a2/2a3/7/2a3/2a2/1a2",
            "T0.0@d4",
            "route",
            "Red wins: a strand connects the bottom to the top.",
        ),
        (
            {"seats": 4},
            "place=1 tile=T0 board=1a2/2a2/2a3/7/2a3/2a2/1a2",
            "T0.0@d4",
            "route",
            "Red and Yellow win: a strand connects the bottom to the top.",
        ),
        (
            {"seats": 3},
            f"place=1 tile=T1 board={THREE_TEAMS_CONNECT}",
            "T1.3@d4",
            "tie",
            "Red, Blue and Yellow share the win: each has a strand across the board.",
        ),
        (
            {"seats": 4},
            UNPLAYABLE[4],
            "draw:T0",
            "unplayable",
            "Blue and Green win: Green's tile, T0 (no sharp bend), can't be placed anywhere.",
        ),
        (
            {"supermove": "full", "radius": 2},
            BOARD_ALMOST_FULL,
            "T0.1@a3",
            "board_full",
            "Blue wins: the board is full, nobody is connected, and it's Blue's turn.",
        ),
    ],
)
def test_outcomes(options: Options, text: str, move: str, code: str, sentence: str) -> None:
    state = flows(**options).parse(text).play(move)
    assert state.outcome is not None
    assert state.outcome.reason.code == code
    assert state.outcome.reason.sentence == sentence
