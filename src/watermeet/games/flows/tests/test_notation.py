"""Notation of Flows: what parses, and what is refused with a hint."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.core.checks import quote
from watermeet.core.options import Value


def flows(**options: Value) -> wm.Game:
    return wm.game("flows", **options)


def state_of(text: str, **options: Value) -> wm.State:
    return flows(**options).parse(text)


GAME = flows()
DRAWN = GAME.start().play_all(["first:0", "draw:T1"])
EXCHANGING = flows(supermove="full").start().play_all(["first:0", "draw:T1"])

# Ends of random matches, on the board of radius 2.
JAM = "1gb/lmdh/jnbab/hnkl/ikm"  # Nobody is connected, and T3 can't be placed anywhere.
ROUTE = "bdm/mdkl/2mbb/jklm/d1b"  # Seat 0 is connected.
BOTH = "c1a/dgln/jkkce/1mnl/nmh"  # Both of two seats are.
FILLED = "bdm/gdkn/blnlb/jfhb/mcm"  # Nobody is connected, and no cell is empty.
SWAPPED = "c1a/dgbn/jkkcj/1mnk/nmh"  # An exchange that took off a T1 connected both.


# ---- moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["T1.2@d4", "t1.2@d4", " T 1 . 2 @ D 4 ", "T1 2@d4", "T1-2@d4", "1.2@d4", "2@d4", "2 @ D4",
     "t1.2 d4", "2 d4", "d4 2", "D4 2", "d4.2", "d4/2", "d4-2", "d4 - 2", "d 4 2", "\td4\n2",
     "d4 T1.2", "d4 t1 2", "d4t1.2", "d4 1.2", "@d4 2", "d4/t1/2"],
)  # fmt: skip
def test_placements_parse_leniently(text: str) -> None:
    assert DRAWN.format(DRAWN.parse_move(text)) == "T1.2@d4"


@pytest.mark.parametrize(
    "text",
    ["T1.2xd4", "t1.2 x d4", "1.2xd4", "2xd4", "2 X D4", "xd4 2", "x d4.2", "xd4-2", "xd4 t1.2"],
)
def test_exchanges_parse_leniently(text: str) -> None:
    assert EXCHANGING.format(EXCHANGING.parse_move(text)) == "T1.2xd4"


@pytest.mark.parametrize(
    ("text", "move"),
    [("d4", "T1.0@d4"), ("@d4", "T1.0@d4"), ("d4 T3", "T3.0@d4"), ("t0@d4", "T0.0@d4"),
     ("d4 5", "T1.5@d4"), ("T0.5@d4", "T0.2@d4"), ("T2.3@d4", "T2.0@d4"), ("T3.4@d4", "T3.0@d4"),
     ("draw t1", "draw:T1"), ("Draw:2", "draw:T2"), ("first 1", "first:1"), ("FIRST:0", "first:0"),
     ("side3", "side:3"), ("side: 5", "side:5")],
)  # fmt: skip
def test_turns_are_normalised_and_words_may_be_abbreviated(text: str, move: str) -> None:
    assert DRAWN.format(DRAWN.parse_move(text)) == move


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "isn't a move; place a tile with 'T1.2@d4'"),
        ("T1", "isn't a move"),
        ("2", "isn't a move"),
        ("d", "isn't a move"),
        ("x4", "isn't a move"),
        ("pass", "isn't a move"),
        ("T1.2@d4 2", "isn't a move"),
        ("d4 1 2", "isn't a move"),
        ("d4 2.", "isn't a move"),
        ("d4.", "isn't a move"),
        ("d4 --2", "isn't a move"),
        ("first:t1", "isn't a move"),
        ("draw", "isn't a move"),
        ("draw:999", "isn't a move"),
        ("d4 999999999", "isn't a move"),
        ("d٤ 2", "isn't a move"),
        ("T4.0@d4", "no tile T4; types are T0 to T3"),
        ("d4 T12", "no tile T12"),
        ("draw:T4", "no tile T4"),
        ("d4 6", "there is no rotation 6; rotations are 0 to 5"),
        ("T0.6@d4", "there is no rotation 6"),
        ("first:6", "no seat 6; seats are 0 to 5"),
        ("side:6", "no side 6; sides are 0 to 5"),
        ("a1", "no cell 'a1'; letters are a to g, rows 1 to 7; row 1 has the letters d to g"),
        ("T1.2@g7", "no cell 'g7'.*row 7 has the letters a to d"),
        ("h4 2", "no cell 'h4'"),
        ("d42", "no cell 'd42'; letters are a to g, rows 1 to 7$"),
        ("d0", "no cell 'd0'"),
        ("d" + "9" * 5000, "no cell"),
        ("T1.2xd4", "the option supermove"),
    ],
)
def test_invalid_moves_are_refused_with_a_hint(text: str, words: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=words) as refused:
        DRAWN.parse_move(text)
    assert repr(text) in refused.value.message
    assert refused.value.hint


def test_the_hint_mentions_exchanges_if_allowed() -> None:
    with pytest.raises(wm.InvalidNotation, match=r"exchange one with 'T1\.2xd4'"):
        EXCHANGING.parse_move("swap")


def test_an_unknown_tile_must_be_named() -> None:
    for state in (GAME.start(), DRAWN.conceal(1), DRAWN.play("d4")):
        assert state.format(state.parse_move("d4 T1.2")) == "T1.2@d4"
        for text in ("d4", "d4 2", "2@d4"):
            with pytest.raises(wm.InvalidNotation, match=r"name it, as in 'T1\.2@d4'"):
                state.parse_move(text)


@pytest.mark.parametrize(("radius", "centre", "corner"), [(2, "c3", "a5"), (5, "f6", "a11")])
def test_cells_are_named_from_the_upper_left(radius: int, centre: str, corner: str) -> None:
    state = flows(radius=radius).start()
    count = state.game.sizes.actions
    cells = [text[5:] for text in map(state.format, range(count)) if text.startswith("T0.0@")]
    assert cells[len(cells) // 2] == centre
    assert cells[-radius - 1] == corner


# ---- states -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "moves", "text"),
    [
        ({}, "", "lot"),
        ({}, "first:1", "draw=1 first=1"),
        ({}, "first:0 draw:T1", "place=0 tile=T1"),
        ({}, "first:0 draw:T1 T1.2@d4", "draw=1 board=4/5/6/3f3/6/5/4"),
        ({"radius": 5}, "first:0 draw:T3 T3.1@f6",
         "draw=1 board=6/7/8/9/10/5n5/10/9/8/7/6"),
        ({"sides": "chosen"}, "first:1 side:4", "choose=0 first=1 sides=-/4"),
        ({"sides": "chosen", "seats": 4}, "first:1 side:5", "choose=2 first=1 sides=-/5/-/2"),
        ({"hold_tile": True, "seats": 3}, "first:2 draw:T0", "deal=0 first=2 held=-/-/T0"),
        ({"hold_tile": True}, "first:0 draw:T0 draw:T2", "place=0 tile=T0 held=-/T2"),
        ({"seats": 5}, "first:4 draw:T0 T0.0@d4", "draw=2 turn=5 first=4 board=4/5/6/3a3/6/5/4"),
    ],
)  # fmt: skip
def test_states_are_written_on_one_line(options: dict[str, Value], moves: str, text: str) -> None:
    state = flows(**options).start().play_all(moves.split())
    assert state.text == text
    assert state.game.parse(text) == state


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, f"over=0 tile=T3 winners=0 by=tile board={JAM}"),
        ({}, f"over=1 winners=0 by=route board={ROUTE}"),
        ({}, f"over=1 first=1 winners=0/1 by=route board={BOTH}"),
        ({"seats": 4}, f"over=3 winners=0/2 by=route board={ROUTE}"),
        ({"supermove": "full"}, f"over=1 winners=1 by=tile board={FILLED}"),
        ({"supermove": "full"}, f"over=0 tile=T1! winners=0/1 by=route board={SWAPPED}"),
        ({"supermove": "full"}, "follow=0 tile=T1! board=3/4/2a2/4/3"),
        ({"supermove": "full"}, f"place=0 tile=T3 board={JAM}"),
        ({"supermove": "single", "hold_tile": True},
         "place=0 tile=T1! held=-/T1! exchanges=19 board=3/4/2a2/4/3"),
        ({"supermove": "single", "hold_tile": True},
         "over=0 first=1 held=T0/- winners=0 by=tile board=inh/dmla/kmbcn/afkm/kdl"),
        ({"seats": 5, "supermove": "full"},
         "over=2 turn=5 first=4 winners=2 by=tile board=bna/ccgl/fcmin/njgl/kmk"),
        ({"hold_tile": True}, "place=0 tile=?? held=-/??"),
        ({"hold_tile": True, "seats": 3}, "deal=0 first=1 held=-/T3/??"),
        ({"sides": "chosen"}, "draw=0 sides=5/1"),
        ({"sides": "chosen", "seats": 5}, "place=2 turn=3 tile=?? sides=1/2/0/4/5"),
    ],
)  # fmt: skip
def test_states_survive_a_round_trip(options: dict[str, Value], text: str) -> None:
    words = sorted(state_of(text, radius=2, **options).text.split())
    assert words == sorted(text.split())


def test_states_parse_leniently() -> None:
    text = f"  BOARD={ROUTE.upper().replace('2', '.1')}  OVER=1 "
    assert state_of(text, radius=2).text == f"over=1 winners=0 by=route board={ROUTE}"
    assert state_of("turn=2 draw=1") == state_of("draw=1")
    assert state_of("first=0 board=4/5/6/7/6/5/4 held=-/- draw=1") == state_of("draw=1")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "write 'lot', or one of choose, deal"),
        ("tile=T1", "write 'lot', or one of"),
        ("hello", "name=value"),
        ("draw=0 draw=0", "the field 'draw' is there twice"),
        ("lot draw=0", "write 'lot', or one of"),
        ("draw=0 colour=red", "the field 'colour' doesn't belong here"),
        ("draw=x", "'x' isn't a number"),
        ("draw=2", "mover: there is no seat 2, only 0 to 1"),
        ("draw=0 first=2", "first: there is no seat 2"),
        ("draw=0 turn=6", "there is no side 6"),
        ("draw=0 turn=1", "seat 0 doesn't move on the turn of side 1; its own side is 0"),
        ("draw=0 turn=3", "doesn't move on the turn of side 3"),
        ("lot turn=0", "'turn' does not go with 'lot'"),
        ("lot first=1", "write 'lot' alone"),
        ("lot=1", "write 'lot' alone"),
        ("lot board=3/4/2a2/4/3", "before the first turn"),
        ("lot tile=T1", "nobody has a tile to place before"),
        ("draw=0 winners=0", "nobody has won before the match is over"),
        ("draw=0 by=route", "nobody has won before the match is over"),
        ("draw=0 board=3/4/5/4", "there are 4 rows instead of 5"),
        ("draw=0 board=3/4/5/4/3/2", "there are 6 rows instead of 5"),
        ("draw=0 board=3/4/5/4/2", "row 5, '2', is 2 cells long, not 3"),
        ("draw=0 board=3/4//4/3", "row 3, '', is 0 cells long, not 5"),
        ("draw=0 board=3/4/" + "9" * 5000 + "/4/3", "cells long, not 5"),
        ("draw=0 board=3/4/2o2/4/3", "row 3, '2o2', must have letters a to n"),
        ("draw=0 board=aaa/bbb1/5/4/3", "tiles T0, but only 5 exist"),
        ("place=0 tile=T0 board=aaa/bb2/5/4/3", "there are 6 tiles T0"),
        ("place=0", "give the tile to place"),
        ("place=0 tile=T4", "'t4' isn't a tile: T0 to T3"),
        ("place=0 tile=??!", "isn't a tile"),
        ("place=0 tile=T1!", "can't have come from the board"),
        ("place=0 tile=T1 held=-/T1", "tiles are held only with the option hold_tile"),
        ("place=0 tile=T1 held=T1", "'held' has 1 entries, but there are 2 seats"),
        ("deal=0", "dealt only with the option hold_tile"),
        ("draw=0 tile=T1", "the tile isn't drawn yet"),
        ("draw=0 exchanges=1", "only with supermove=single"),
        ("follow=0 tile=T1!", "'follow' needs supermove=full"),
        ("choose=0", "the option sides=chosen"),
        ("draw=0 sides=0/2", "leave out 'sides'"),
        (f"place=0 tile=T3 board={JAM}", "can't be placed, so the match is over: .*'over=0'"),
        (f"draw=0 board={ROUTE}", "someone is connected, so the match is over: write 'over=0'"),
        (f"place=1 tile=T1 board={ROUTE}", "someone is connected"),
        (f"over=1 tile=T1 board={ROUTE}", "leave out the tile"),
        (f"over=1 tile=T1! board={ROUTE}", "leave out the tile"),
        (f"over=1 winners=1 board={ROUTE}", "the winners are different: write 'winners=0'"),
        (f"over=1 winners=0/1 board={ROUTE}", "write 'winners=0'"),
        (f"over=1 winners=0 board={BOTH}", "write 'winners=0/1'"),
        (f"over=1 winners=x board={ROUTE}", "'x' isn't a number"),
        (f"over=1 by=tile board={ROUTE}", "they won differently: write 'by=route'"),
        (f"over=1 by=luck board={ROUTE}", "'tile' or by 'route', not by 'luck'"),
        (f"over=0 tile=T3 winners=1 board={JAM}", "write 'winners=0'"),
        (f"over=0 tile=T3 by=route board={JAM}", "write 'by=tile'"),
        (f"over=0 tile=T3! board={JAM}", "didn't come from the board"),
        (f"over=0 tile=?? board={JAM}", "everyone sees the tile"),
        (f"over=0 board={JAM}", "give the tile that can't be placed"),
        ("over=0 tile=T1", "nobody is connected and the tile can be placed: write 'place=0'"),
        (f"draw=0 board={FILLED}", "the board is full"),
    ],
)
def test_impossible_states_are_refused(text: str, hint: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint) as refused:
        state_of(text, radius=2)
    assert quote(text) in refused.value.message


HOLD: dict[str, Value] = {"hold_tile": True, "seats": 3}
CHOSEN: dict[str, Value] = {"sides": "chosen"}
KEEP: dict[str, Value] = {"hold_tile": True, "supermove": "single"}
T1_ONLY: dict[str, Value] = {"hold_tile": True, "mix0": 0, "mix2": 0, "mix3": 0}
PLENTY: dict[str, Value] = {"mix0": 2, "mix1": 2, "mix2": 2, "mix3": 2}  # 24 tiles.


@pytest.mark.parametrize(
    ("options", "text", "hint"),
    [
        (HOLD, "deal=0 held=T1/-/-", "tiles are dealt in the order of seats"),
        (HOLD, "deal=2 held=T1/-/-", "tiles are dealt in the order of seats"),
        (HOLD, "deal=1 held=T1/-/- tile=T1", "before the first turn"),
        (HOLD, "lot held=T1/-/-", "nobody holds a tile before the deal"),
        (HOLD, "draw=0 held=-/T1/-", "everyone but the mover holds a tile"),
        (HOLD, "draw=0 held=T1/T1/T1", "is 'tile', not 'held'"),
        (HOLD, "place=0 tile=T1 held=-/-/T1", "everyone but the mover holds a tile"),
        (HOLD, "place=0 tile=T1 held=-/T1!/T1", "nobody can hold a tile that came from the board"),
        (HOLD, "place=0 tile=T1! held=-/T1/T1", "can't have come from the board"),
        (HOLD, f"over=0 held=T1/T1/T0 board={ROUTE}", "is 'tile', not 'held'"),
        ({**HOLD, "open_tile": True}, "deal=1 held=??/-/-", "everyone knows all tiles"),
        (HOLD, "deal=1 held=??/- turn=0", "'held' has 2 entries"),
        (HOLD, "deal=1 held=??/-/- turn=0", "'turn' does not go with 'deal'"),
        ({"open_tile": True}, "place=0 tile=??", "everyone knows all tiles"),
        (T1_ONLY, "over=0 held=-/?? board=ddd/dddd/ddddd/dddd/ddd", "more unknown tiles than"),
        ({**T1_ONLY, "seats": 6},
         "draw=0 held=-/T1/T1/T1/??/?? board=hhd/egfh/deh2/1fh1/gi1", "no tile left to draw"),
        (CHOSEN, "lot sides=0/-", "nobody has a side before"),
        (CHOSEN, "choose=0 sides=0/-", "in the order of seats, starting with the first"),
        (CHOSEN, "choose=1", "in the order of seats, starting with the first"),
        (CHOSEN, "choose=0 sides=3/0", "only partners can share an axis"),
        (CHOSEN, "draw=0", "everyone has a side by now"),
        (CHOSEN, "draw=0 sides=0/0", "only partners can share an axis"),
        (CHOSEN, "draw=0 sides=0/3", "only partners can share an axis"),
        (CHOSEN, "draw=0 sides=0/6", "there is no side 6"),
        (CHOSEN, "draw=0 sides=0", "'sides' has 1 entries"),
        ({**CHOSEN, "seats": 4}, "draw=0 sides=0/1/2/4", "seats 0 and 2 are partners"),
        ({**CHOSEN, "seats": 4}, "choose=1 sides=0/-/-/-", "seats 0 and 2 are partners"),
        ({**CHOSEN, "seats": 4}, "choose=2 sides=0/1/3/4", "seat 2 already got its side"),
        ({**CHOSEN, "seats": 5}, "draw=0 sides=0/1/0/3/4", "only partners can share an axis"),
        ({"seats": 5}, "draw=0 turn=5", "seat 0 doesn't move on the turn of side 5"),
        ({"supermove": "full"}, "draw=0 exchanges=1", "only with supermove=single"),
        ({"supermove": "full"}, "follow=0 tile=T1 board=3/4/2a2/4/3", "as in 'tile=T1!'"),
        ({"supermove": "full"}, "follow=0 tile=T1!", "leaves a tile on the board"),
        ({"supermove": "full"}, "follow=0 board=3/4/2a2/4/3", "as in 'tile=T1!'"),
        ({"supermove": "full"}, f"follow=0 tile=T2! board={FILLED}", "the board is full"),
        ({"supermove": "full"}, f"draw=0 board={FILLED}", "the board is full"),
        ({"supermove": "full"}, f"over=0 tile=T3 board={JAM}", "a cell is empty"),
        ({"supermove": "full"}, f"over=0 tile=T2 board={FILLED}", "no tile is drawn when"),
        ({"supermove": "full"}, f"over=0 tile=T1 board={SWAPPED}", "leave out the tile, unless"),
        ({"supermove": "single"}, "follow=0 tile=T1!", "'follow' needs supermove=full"),
        ({"supermove": "single"}, "draw=0 exchanges=20", "there can be at most 19 exchanges"),
        ({"supermove": "single"}, "place=0 tile=T1!", "can't have come from the board"),
        ({**CHOSEN, "supermove": "single"}, "choose=0 exchanges=1", "nothing is exchanged before"),
        (KEEP, "over=1 held=T0/- board=inh/dmla/kmbcn/afkm/kdl", "is skipped"),
        ({**KEEP, **PLENTY, "seats": 3}, "over=0 held=T1/-/- board=inh/dmla/kmbcn/afkm/kdl",
         "everyone but the seat that moved last holds"),
    ],
)  # fmt: skip
def test_states_that_the_options_exclude_are_refused(
    options: dict[str, Value], text: str, hint: str
) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint):
        state_of(text, radius=2, **options)


def test_everybody_holds_a_tile_while_any_are_left() -> None:
    """16 of the 19 tiles are on the board, and seat 1 is connected."""
    game = flows(radius=2, **T1_ONLY)
    text = "over=1 held=??/- board=deg/dd2/ihdg1/egdg/eid"
    assert game.parse(text).to_move == wm.OVER
    with pytest.raises(wm.InvalidNotation, match="everyone but the mover holds a tile"):
        game.parse(text.replace("held=??/- ", ""))
