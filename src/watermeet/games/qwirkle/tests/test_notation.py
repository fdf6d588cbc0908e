"""Notation of Qwirkle: what parses, and what is refused with a hint."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.games.qwirkle.tests.helpers import (
    BLOCKED,
    dealt,
    qwirkle,
    state_of,
    table,
)

GAME = qwirkle()
STATE = table([[("Rd", (0, 0)), ("Rs", (1, 0))]], "RcYxBv")
HANDS = "hands=RcOxYdGsBbPv/RxOdYsGbBvPc"


@pytest.mark.parametrize(
    "text",
    [
        "Rc@-1,0",
        "rc@-1,0",
        " RC @ -1 , 0 ",
        "red circle @ -1,0",
        "Red Circle at (-1,0)",
        "Rc@-1;+0",
    ],
)
def test_moves_parse_leniently(text: str) -> None:
    assert STATE.play(text) == STATE.play("Rc@-1,0")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("TRADE:Rc", "trade:Rc"),
        ("trade rc", "trade:Rc"),
        ("exchange yellow criss-cross", "trade:Yx"),
        ("Exchange: YellowCrissCross", "trade:Yx"),
    ],
)
def test_words_for_an_exchange_parse(text: str, move: str) -> None:
    assert STATE.parse_move(text) == STATE.parse_move(move)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Rc",
        "Rc@",
        "@0,1",
        "Rc@1",
        "Rc@1,1000",
        "Rz@0,1",
        "trade",
        "trade:Rc@0,1",
        "draw:",
        "first:2",
        "first:x",
        "Rc@a,b",
        "Rc@1,2,3",
        "trade:??",
        "endd",
    ],
)
def test_invalid_moves_are_refused_with_a_hint(text: str) -> None:
    with pytest.raises(wm.InvalidNotation, match="place a tile with 'Rc@3,-2'") as refused:
        STATE.play(text)
    assert repr(text) in refused.value.message


def test_moves_of_another_seat_are_not_judged_on_its_concealed_state() -> None:
    assert STATE.conceal(1).explain("Rc@-1,0").code == "hidden_hand"
    assert STATE.conceal(0).explain("Rc@-1,0").legal
    assert "??" in STATE.conceal(1).text


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "write one of deal, lot, turn"),
        ("hello", "name=value"),
        ("turn=0 turn=0", "there twice"),
        ("turn=0 deal=0", "write one of"),
        (f"turn=0 {HANDS} colour=red", "'colour' doesn't belong here"),
        (f"turn=x {HANDS}", "'x' isn't a number"),
        (f"turn=2 {HANDS}", "there is no seat 2"),
        ("turn=0 hands=Rc", "expected 2 hands, found 1"),
        (f"turn=0 scores=1 {HANDS}", "expected 2 scores"),
        ("turn=0 hands=RcRz/", "'rcrz' isn't a list of tiles"),
        ("turn=0 hands=RcRcRcRcOxOd/RxOdYsGbBvPc", "Rc appears 4 times"),
        ("turn=0 hands=RcOxYdGsBbPvPs/RxOdYsGbBvPc", "at most six tiles"),
        (f"turn=0 {HANDS} grid=Rd", "isn't a tile and its cell"),
        (f"turn=0 {HANDS} last=1 grid=Rz0,0", "isn't a tile and its cell"),
        (f"turn=0 {HANDS} last=2 grid=Rd0,0", "fewer tiles than 'laid'"),
        (f"turn=0 {HANDS} last=1 grid=Rd0,0;Rs0,0", "on the same cell"),
        (f"turn=0 {HANDS} last=1 grid=Rd1,0", "the first tile must be on 0,0"),
        (f"turn=0 {HANDS} last=1 grid=Rd0,0;Rs2,0", "must be connected"),
        (f"turn=0 {HANDS} last=1 grid=Rd0,0;Bs1,0", "RdBs from 0,0 isn't a line"),
        (f"turn=0 {HANDS} last=1 grid=Rd0,0;Rs1,0;Rd2,0", "isn't a line"),
        (f"turn=0 {HANDS} last=2 grid=Rd0,0;Rs1,0;Rx0,1", "one unbroken line"),
        (f"turn=0 {HANDS} last=2 grid=Rd0,0;Rx1,0;Rs-1,0", "by row, then column"),
        (f"turn=0 {HANDS} last=1 grid=Rs-1,0;Rd0,0", "must include 0,0"),
        (f"turn=0 {HANDS} last=1 grid=Rs-1,0;Rx1,0;Rd0,0", "earlier turns must be connected"),
        (f"turn=0 {HANDS} grid=Rd0,0", "'last' must count"),
        (f"turn=0 {HANDS} last=1", "fewer tiles"),
        (f"turn=0 {HANDS} passes=1 grid=Rd0,0", "nobody can pass while"),
        (f"turn=0 {HANDS} passes=1 exchanges=1 grid=Rd0,0", "can't both be set"),
        (f"turn=0 {HANDS} passes=2 grid=Rd0,0", "everybody has passed"),
        (f"turn=0 {HANDS} exchanges=8 grid=Rd0,0", "that many exchanges"),
        (f"turn=0 {HANDS} exchanges=1", "nothing can precede"),
        (f"turn=0 scores=1/0 {HANDS}", "nothing can precede"),
        (f"turn=0 {HANDS} aside=Rd last=1 grid=Rs0,0", "at most six tiles"),
        ("turn=0 hands=RcOxYdGsBb/RxOdYsGbBvPc aside=Rd", "the first turn must place tiles"),
        ("turn=0 hands=RcOxYdGs/RxOdYsGbBvPc aside=Rd laid=1 grid=Rs0,0", "both place tiles"),
        (f"turn=0 {HANDS} laid=7 grid=Rd0,0", "fewer tiles"),
        ("turn=0 hands=RcOxYdGsBb/RxOdYsGbBvPc last=1 grid=Rs0,0", "hands must be full"),
        ("turn=0 hands=RcOxYdGsBbPv/RxOdYsGbBv last=1 grid=Rs0,0", "hands must be full"),
        ("turn=0 hands=RcOxYdGsBbPv/ last=1 grid=Rs0,0", "once a hand is empty"),
        ("turn=0 hands=RcOxYdGsBbPv/RxRdYsGbBvPc", "another seat begins"),
        (f"lot=0 {HANDS}", "another seat begins|no tie to break"),
        (f"lot=1 {HANDS}", "write lot=0"),
        ("lot=0 hands=Rc/", "all hands must be full"),
        (f"deal=0 {HANDS}", "not be full yet"),
        ("deal=1 hands=Rc/", "one after another"),
        ("deal=0 hands=/Rc", "one after another"),
        ("deal=0 scores=1/0", "before the deal is over"),
        (f"refill=0 {HANDS} last=1 grid=Rd0,0", "as many tiles as they placed"),
        (f"refill=0 {HANDS} laid=1 grid=Rd0,0", "only placed during a turn"),
        (
            "refill=0 hands=RcOxYdGsBb/RxOdYsGbBvPc aside=Rd last=1 grid=Rs0,0",
            "only set aside during a turn",
        ),
        (f"replace=0 {HANDS} last=1 grid=Rd0,0", "as they set aside"),
        (f"over=0 {HANDS} last=1 grid=Rd0,0", "the match isn't over"),
        ("over=0 hands=/RxOdYsGbBvPc last=1 grid=Rd0,0", "hands must be full|the last tile"),
    ],
)
def test_impossible_states_are_refused(text: str, hint: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint):
        GAME.parse(text)


def test_a_bag_that_is_too_small_is_refused() -> None:
    """Two tiles set aside need two in the bag; passes and exchanges go with the bag."""
    text = BLOCKED.replace("turn=1", "turn=0")
    with pytest.raises(wm.InvalidNotation, match="nobody can trade with an empty bag"):
        GAME.parse(text.replace("last=1", "exchanges=1"))
    with pytest.raises(wm.InvalidNotation, match=r"the bag can replace|hands must be full"):
        GAME.parse(text.replace("hands=Gb/Gb", "hands=/Gb aside=Gb"))
    with pytest.raises(wm.InvalidNotation, match=r"once a hand is empty|isn't over"):
        GAME.parse(text.replace("hands=Gb/Gb", "hands=/GbGb"))


def test_states_parse_leniently() -> None:
    text = "  TURN=0   grid=rd0,0;rs1,0 last=2 hands=bvyxrcoxydgb/rxodysgbbvpc"
    assert GAME.parse(text) == GAME.parse(GAME.parse(text).text)
    assert GAME.parse(text).text.startswith("turn=0 hands=RcOxYxYdGbBv/RxOdYsGbBvPc last=2 grid=")


def test_the_random_first_player_is_kept_through_the_first_turn() -> None:
    state = dealt("RcRdYxGsBbPv", "OxOdYsGbBvPc", tie="random")
    for later in (state, state.play("first:1"), state.play_all(["first:1", "Ox@0,0"])):
        assert state.game.parse(later.text) == later


def test_final_states_survive_a_round_trip() -> None:
    blocked = state_of(BLOCKED).play_all(["pass", "pass"])
    assert blocked.text.startswith("over=0")
    assert state_of(blocked.text).outcome == blocked.outcome
