"""Notation of Flow: what parses, and what is refused with a hint."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.core.checks import quote
from watermeet.core.options import Value


def flow(**options: Value) -> wm.Game:
    return wm.game("flow", **options)


def state_of(text: str, **options: Value) -> wm.State:
    return flow(**options).parse(text)


GAME = flow()
START = GAME.start()

JOINED = "7/a5a/a5a/gbb1bbg/a5a/a5a/7"  # All animals are joined with the boat, by 12 straights.
NEARLY = "7/a5a/a5a/gbb1bbg/a5a/6a/7"  # All but the one of a1.
ALL_GONE = "s12b14c8o8"  # Every map tile.


# ---- moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["NE@c4", "ne@c4", "EN@c4", " N E @ C 4 ", "NE c4", "nec4", "NE:c4", "NE=c4", "c4 NE", "c4:NE",
     "c4=ne", "c4@en", "c4ne", "C4\tEN", "c4 n e"],
)  # fmt: skip
def test_placements_parse_leniently(text: str) -> None:
    assert START.format(START.parse_move(text)) == "NE@c4"


@pytest.mark.parametrize(
    ("text", "move"),
    [("wsen@c4", "NESW@c4"), ("c4 n", "N@c4"), ("e e4", "E@e4"), ("ne4", "N@e4"),
     ("sn@a2", "NS@a2"), ("c4 wne", "NEW@c4"), ("x c4", "X@c4"), ("C4 x", "X@c4"),
     ("support c4", "support:c4"),
     ("Support@C4", "support:c4"), ("sup=c4", "support:c4"), ("c4 support", "support:c4"),
     ("s c4", "S@c4"), ("b c4", "bird:c4"), ("CURRENT c4", "current:c4"),
     ("obst c4", "obstacle:c4"), ("d r a w", "draw"), ("dr", "draw"), ("di", "discard"),
     ("Fish", "fishing"), ("calm", "calm"), ("swap", "swap"), ("time", "time"),
     ("take:b", "take:bend"), ("Take Cross", "take:cross"),
     ("return o", "return:obstacle"), ("roll w", "roll:white"), ("boat s", "boat:S"),
     ("tile t", "tile:tee"), ("card:ca", "card:calm"), ("white 3", "white:3"),
     ("black=6", "black:6"), ("scenario:one card", "scenario:one_card"),
     ("scenario obstacles", "scenario:obstacles")],
)  # fmt: skip
def test_other_moves_parse_leniently(text: str, move: str) -> None:
    assert START.format(START.parse_move(text)) == move


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "isn't a move; place a tile with 'NE@c4'"),
        ("hello", "isn't a move"),
        ("d", "isn't a move"),
        ("c4", "isn't a move"),
        ("NE", "isn't a move"),
        ("NN@c4", "isn't a move"),
        ("NE@@c4", "isn't a move"),
        ("bend@c4", "isn't a move"),
        ("NE@h4", "there is no cell 'h4'; cells are a1 to g7"),
        ("support:c8", "there is no cell 'c8'"),
        ("bird:c0", "there is no cell 'c0'"),
        ("x@c44", "there is no cell 'c44'"),
        ("take:b2", "after 'take' write straight, bend, cross, obstacle or tee"),
        ("take", "is incomplete; after 'take' write straight"),
        ("card:c", "after 'card' write support"),
        ("scenario:s", "after 'scenario' write obstacles"),  # Two begin with that letter.
        ("white:7", "'7' can't follow 'white'; after 'white' write 1, 2"),
        ("roll:red", "white or black"),
        ("boat:NE", "N, E, S or W"),
        ("n" * 5000 + "@c4", "isn't a move"),
    ],
)
def test_unreadable_moves_are_refused(text: str, hint: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint) as refused:
        START.parse_move(text)
    assert repr(text) in refused.value.message


# ---- states -----------------------------------------------------------------------------------

FREE: dict[str, Value] = {"clock": "free"}
SILENT: dict[str, Value] = {"no_communication": True}
ONE_WAY: dict[str, Value] = {"single_path": True}
BLOCKED: dict[str, Value] = {"obstacles": 1}
FEW: dict[str, Value] = {"scenarios": 2}


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "turn=0"),
        ({}, "deal=1 hands=sb/w"),
        ({}, "turn=1 done=3 hands=sb/w2 up=bc discarded=s10o board=7/7/1c5/7/7/7/7"),
        ({}, "hand=0 lay=cross played=calm used=w board=7/7/1c*d*4/7/7/7/7"),
        ({}, "carry=1 lay=obstacle played=card discarded=o"),
        ({}, "carry=1 lay=bend from=a2* played=card"),
        (BLOCKED, "carry=1 lay=x from=a2 played=card board=7/7/7/7/7/2x4/7"),
        ({}, "fish=0 left=1 played=card used=f up=b"),
        ({}, "die=0 done=10 played=calm used=w"),
        ({}, "white=0 done=10"),
        ({}, "black=1 done=10 rolled=6"),
        ({}, "black=1 done=10 played=calm"),
        (FREE, "white=1 idle=2"),
        (FREE, "hand=1 lay=bend done=40 time=up"),
        (FREE, "card=1 time=up discarded=b"),
        (FREE, "over=lost seat=1 idle=3"),
        ({}, f"over=lost seat=1 discarded={ALL_GONE}"),
        ({}, f"over=won done=4 board={JOINED}"),
        (FREE, f"over=won time=up board={JOINED}"),
        ({}, f"turn=0 board={NEARLY}"),
        ({}, f"turn=0 hands=w/- discarded={ALL_GONE}"),
        (SILENT, "turn=0 hands=sb/?2"),
        (SILENT, f"turn=1 hands=sb/?2 discarded={ALL_GONE}"),
        (SILENT, "deal=1 hands=?2/?"),
        (ONE_WAY, "boat=0 hands=sb/w2"),
        (ONE_WAY, f"turn=0 way=N board={JOINED}"),
        (BLOCKED, "obstacle board=7/7/1x5/7/7/7/7"),
        (FEW, "scenario drawn=one_card"),
        (FEW, "scenario drawn=silence/silence"),
        (FEW, "turn=0 drawn=obstacles/one_card"),
        (FEW, "deal=0 drawn=silence/silence/one_card"),
        ({"tiles": "branches"}, "hand=0 lay=tee board=7/l6/7/7/6n/7/7"),
    ],
)
def test_states_survive_a_round_trip(options: dict[str, Value], text: str) -> None:
    words = sorted(state_of(text, **options).text.split())
    assert words == sorted(text.split())


def test_states_parse_leniently() -> None:
    text = "  BOARD=7/7/.C5/7/7/7/3.3 HANDS=BS1/WW  TURN=1 "
    assert state_of(text).text == "turn=1 hands=sb/w2 board=7/7/1c5/7/7/7/7"
    assert state_of("turn=0 done=0 idle=0 up=- used=- hands=-/-") == state_of("turn=0")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "write one of turn, hand"),
        ("done=1", "write one of turn, hand"),
        ("turn=0 hand=0", "write one of turn, hand"),
        ("hello", "isn't a field; write name=value"),
        ("turn=0 turn=0", "there twice"),
        ("turn=0 colour=red", "'colour' doesn't belong"),
        ("turn=0 seat=1", "'seat' doesn't belong"),
        ("turn=x", "'x' isn't a number"),
        ("turn=2", "there is no seat 2: seats are 0 to 1"),
        ("over=1", "'1' isn't a result; write one of lost, won"),
        ("turn=0 done=10", "at most 9 turns can be done"),
        ("white=0 done=3", "a wave comes after 10 turns"),
        ("turn=0 idle=1", "no round is idle with clock=turns"),
        ("turn=0 time=up", "a seat that is finishing its turn"),
        ("hand=0 lay=bend time=up", "a seat that is finishing its turn"),
        ("hand=0 lay=bend time=now", "'now' isn't a value of 'time'"),
        ("turn=0 played=bird", "'bird' isn't a value of 'played'; write one of card, calm"),
        ("turn=0 rolled=3", "'rolled' is for both dice"),
        ("black=0 done=10", "write what the white die shows"),
        ("black=0 done=10 rolled=7", "write what the white die shows"),
        ("black=0 done=10 played=calm rolled=2", "'rolled' is for both dice"),
        ("die=0 done=10", "only chosen with 'played=calm'"),
        ("turn=0 left=1", "'left' is for Fishing only"),
        ("fish=0 played=card", "'left' must be 1 or 2"),
        ("fish=0 played=card left=3", "'left' must be 1 or 2"),
        ("fish=0 played=card left=1", "the tile that Fishing turned face up"),
        ("fish=0 left=2", "write 'played=card'"),
        (
            f"fish=0 left=2 played=card discarded={ALL_GONE[:-1]}7",
            "expected 2 face-down tiles, found 1",
        ),
        (f"tile=0 discarded={ALL_GONE}", "no face-down tile"),
        ("card=0 used=s3b3c3f2w2r2", "the pile is empty"),
        ("hand=0", "write the tile in hand, such as 'lay=bend'"),
        ("hand=0 lay=T1", "'t1' isn't a kind of tile"),
        ("turn=0 lay=bend", "nobody has a tile in hand with 'turn'"),
        ("hand=0 lay=tee", "the tile tee appears 1 times, but there are only 0"),
        ("hand=0 lay=bend from=c4", "Current carries"),
        ("hand=0 lay=x", "at most 0 scenario obstacles"),
        ("carry=0 lay=bend", "write 'played=card'"),
        ("carry=0 lay=bend played=card", "Return places a tile of 'discarded'"),
        ("carry=0 lay=bend played=card from=d4", "cell of 'from' must be empty"),
        (
            "carry=0 lay=bend played=card from=c5 board=7/7/2c4/7/7/7/7",
            "cell of 'from' must be empty",
        ),
        ("carry=0 lay=bend played=card from=h9", "'h9' isn't a cell from a1 to g7"),
        ("turn=0 hands=s", "expected 2 hands, found 1"),
        ("turn=0 hands=q/-", "'q' aren't cards: write the letters s, b"),
        ("turn=0 hands=s2/s2", "the card support appears 4 times, but there are only 3"),
        ("turn=0 hands=s/- used=s3", "the card support appears 4 times"),
        ("turn=0 hands=?/-", "only be unknown with no communication"),
        ("turn=0 up=x", "'x' aren't tiles: write the letters s, b, c, o, t"),
        ("turn=0 up=c8 discarded=c", "the tile cross appears 9 times"),
        ("turn=0 way=N", "leave out 'way'"),
        ("turn=0 way=up", "'UP' isn't an edge"),
        ("turn=0 drawn=luck", "'luck' isn't a scenario"),
        ("turn=0 drawn=one_card", "1 more than the option allows"),
        ("scenario", "all scenario cards are drawn"),
        ("obstacle", "all scenario obstacles are placed"),
        ("turn=0 board=7/7/7", "expected 7 rows, found 3"),
        ("turn=0 board=7/7/7/7/7/7/6", "row 1, '6', has 6 cells instead of 7"),
        ("turn=0 board=7/7/7/7/7/7/" + "9" * 5000, "cells instead of 7"),
        ("turn=0 board=7/7/q6/7/7/7/7", "row 5, 'q6', must have letters a to o and x"),
        ("turn=0 board=7/7/.*6/7/7/7/7", "must have letters a to o"),
        ("turn=0 board=a6/7/7/7/7/7/7", "no tile can be on an animal's space or the boat"),
        ("turn=0 board=7/7/7/3a3/7/7/7", "no tile can be on an animal's space or the boat"),
        ("turn=0 board=7/7/x6/7/7/7/7", "there can be at most 0 scenario obstacles"),
        ("turn=0 board=7/7/c*d*e*f*3/7/7/7/7", "there are 4 birds, but only 3"),
        ("turn=0 board=7/7/ggggggg/7/gg5/7/7", "the tile cross appears 9 times"),
        ("deal=0 hands=sb/-", "seat 0 gets 2 cards and can't have 2 yet"),
        ("deal=1 hands=s/-", "seat 0 must have 2 cards by now, not 1"),
        ("deal=0 hands=-/s", "seat 1 can't have cards yet"),
        ("deal=0 used=s", "before the first turn"),
        ("deal=0 board=7/7/c6/7/7/7/7", "no tile can be placed before the first turn"),
        ("boat=1 hands=sb/sb", "'boat' is about seat 0"),
        ("boat=0 hands=sb/sb", "only chosen with single path"),
        (f"turn=0 board={JOINED}", "write 'over=won'"),
        (f"hand=0 lay=bend board={JOINED}", "write 'over=won'"),
        (f"over=lost board={JOINED}", "write 'over=won'"),
        (f"over=won board={NEARLY}", "so the match isn't won"),
        (f"turn=0 discarded={ALL_GONE}", "no card can be played: write 'over=lost'"),
        (f"turn=0 hands=f/w discarded={ALL_GONE}", "no card can be played: write 'over=lost'"),
        ("over=lost", "a card can be played: write 'turn=0'"),
        (f"over=lost seat=1 hands=-/w discarded={ALL_GONE}", "write 'turn=1'"),
    ],
)
def test_impossible_states_are_refused(text: str, hint: str) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint) as refused:
        state_of(text)
    assert quote(text) in refused.value.message


@pytest.mark.parametrize(
    ("options", "text", "hint"),
    [
        (FREE, "turn=0 idle=3", "there can be at most 2 idle rounds"),
        (FREE, "over=lost idle=3 done=1", "leave out 'done'"),
        (FREE, "white=0", "a round is 'idle' if and only if"),
        (FREE, "white=0 done=1 idle=1", "a round is 'idle' if and only if"),
        (FREE, "turn=0 done=43", "no round has that many turns"),
        (FREE, "turn=0 time=up", "a seat that is finishing its turn"),
        (SILENT, "turn=0 hands=?15/?", "more unknown cards than cards left"),
        (SILENT, "card=0 hands=?8/?7", "the pile is empty"),
        (SILENT, f"over=won hands=?/- board={JOINED}", "all cards are known at the end"),
        (ONE_WAY, "turn=0", "write its open edge, such as 'way=N'"),
        (ONE_WAY, "deal=0 way=N", "leave out 'way'"),
        (ONE_WAY, "boat=0", "seat 0 must have 2 cards by now"),
        (ONE_WAY, f"over=won way=N board={JOINED}", "so the match isn't won"),
        (BLOCKED, "turn=0 board=7/7/xxx4/7/7/7/7", "there can be at most 2 scenario obstacles"),
        (BLOCKED, "obstacle board=7/7/xx5/7/7/7/7", "all scenario obstacles are placed"),
        (BLOCKED, "hand=0 lay=x", "only Current carries a scenario obstacle"),
        (BLOCKED, "carry=0 lay=x played=card", "that Current took the obstacle from"),
        (FEW, "turn=0", "2 scenario cards are missing"),
        (FEW, "scenario drawn=one_card/silence", "all scenario cards are drawn"),
        (FEW, "scenario drawn=one_card/one_card", "'one_card' is drawn 2 times"),
        ({**FEW, **SILENT}, "scenario drawn=silence", "only 0 can be drawn"),
        (SILENT, "turn=0 hands=s/b shown=f/-", "cards that it doesn't hold"),
        (SILENT, "white=0 done=10 hands=s/b shown=s/-", "all cards are shown at a wave"),
        ({}, "turn=0 hands=s/b shown=s/-", "only shown at a wave"),
        ({"no_new_cards": True}, "card=0", "there are no new cards"),
        ({"obstacles": 2}, "obstacle board=1x5/x6/6x/7/7/7/7", "the setup cuts off no animal"),
    ],
)
def test_states_that_the_options_exclude_are_refused(
    options: dict[str, Value], text: str, hint: str
) -> None:
    with pytest.raises(wm.InvalidNotation, match=hint):
        state_of(text, **options)
