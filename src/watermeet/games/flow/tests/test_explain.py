"""Explanations of Flow: every code, with its words and cells, and their truth on random matches."""

from __future__ import annotations

import inspect
import re

import pytest

from watermeet.core.explanation import Explanation
from watermeet.core.options import Value
from watermeet.games.flow import explain
from watermeet.games.flow.tests.positions import (
    ALL_CLOSED,
    ALL_TILES,
    ALMOST,
    BOTTOM,
    TOP,
    lying,
    position,
)

Options = dict[str, Value]
Case = tuple[str, str, tuple[str, ...], str, Options, str, tuple[str, ...]]
"""Code, words of the state, what lies, the move, options, what is said, and the cells."""


def explained(words: str, laid: tuple[str, ...], move: str, options: Options) -> Explanation:
    state = position(words, laid, **options)
    found = state.explain(move)
    assert found.legal == (move in state.legal_moves)
    assert found.sentence.endswith(".")
    return found


CLOSED: Options = {"obstacles": 4}
ONE: Options = {"obstacles": 1}
MINUTE: Options = {"clock": "minute"}

LEGAL: tuple[Case, ...] = (
    ("wins", "hand=0 lay=straight", ALMOST, "NS@d3", {}, "all four animals", ("d3",)),
    ("lays", "hand=0 lay=bend", (), "NW@b1", {}, "NW@b1 fits", ("b1",)),
    ("joins", "hand=0 lay=straight", BOTTOM[:-1], "NS@d3", {}, "the cat and dog", ("d3",)),
    (
        "lays", "carry=0 lay=x from=c3 played=card", (), "X@b2", ONE, "X@b2 fits", ("b2",),
    ),
    ("draws", "turn=0", (), "draw", {}, "face-down", ()),
    ("plays_fishing", "turn=0 hands=f/-", (), "fishing", {}, "two tiles face up", ()),
    ("plays_calm", "turn=0 hands=w/-", (), "calm", {}, "one die", ()),
    ("swaps", "hand=0 lay=bend", (), "swap", {}, "draws a card", ()),
    ("discards", "hand=0 lay=bend", ALL_CLOSED, "discard", CLOSED, "fit anywhere", ()),
    ("time_is_up", "turn=0", (), "time", MINUTE, "the wave comes", ()),
    ("time_is_up", "hand=0 lay=bend", (), "time", MINUTE, "finished", ()),
    ("legal", "turn=0 hands=s/-", ("EW@b1",), "support:b1", {}, "support:b1", ("b1",)),
    ("legal", "turn=0 hands=b/-", ("EW@b1",), "bird:b1", {}, "bird:b1", ("b1",)),
    ("legal", "turn=0 hands=c/-", ("EW@b1",), "current:b1", {}, "current:b1", ("b1",)),
    ("legal", "turn=0 hands=r/- discarded=b", (), "return:bend", {}, "return:bend", ()),
    ("legal", "turn=0 up=b", (), "take:bend", {}, "take:bend", ()),
    ("legal", "die=0 done=10 played=calm", (), "roll:black", {}, "roll:black", ()),
    ("legal", "white=0 done=10", (), "white:3", {}, "white:3", ()),
    ("legal", "boat=0 hands=s2/b2", (), "boat:N", {"single_path": True}, "boat:N", ()),
)  # fmt: skip

REFUSED: tuple[Case, ...] = (
    # What is to be done now.
    ("not_now", "turn=0", (), "NE@c4", {}, "Player 1 must draw a tile or play a card", ()),
    ("not_now", "hand=1 lay=bend", (), "draw", {}, "Player 2 must place the drawn tile", ()),
    ("not_now", "hand=0 lay=bend hands=s/-", ("EW@b1",), "support:b1", {}, "the drawn tile", ()),
    ("not_now", "carry=0 lay=bend from=c3 played=card", (), "swap", {}, "where the tile goes", ()),
    ("not_now", "die=0 done=10 played=calm", (), "draw", {}, "must choose a die", ()),
    ("not_now", "die=0 done=10 played=calm", (), "time", {}, "must choose a die", ()),
    ("not_now", "boat=0 hands=s2/b2", (), "draw", {"single_path": True}, "side of the boat", ()),
    ("not_now", "boat=0 hands=s2/b2", (), "roll:white", {"single_path": True}, "of the boat", ()),
    ("not_now", "white=0 done=10", (), "draw", {}, "dice are rolled", ()),
    ("not_now", "turn=0", (), "tile:bend", {}, "must draw a tile or play", ()),
    ("not_now", "turn=0", (), "boat:N", {}, "must draw a tile or play", ()),
    ("not_now", "turn=0", (), "discard", {}, "must draw a tile or play", ()),
    # Tiles.
    ("not_in_hand", "hand=0 lay=bend", (), "NS@b1", {}, "is a bend", ()),
    ("not_in_hand", "hand=0 lay=bend", (), "X@b1", {}, "is a bend", ()),
    (
        "not_in_hand", "carry=0 lay=x from=c3 played=card", (), "NS@b1", ONE,
        "a scenario obstacle", (),
    ),
    ("occupied", "hand=0 lay=bend", ("NS@a2",), "NE@a2", {}, "straight is already on a2", ("a2",)),
    ("occupied", "hand=0 lay=bend", ("X@a2",), "NE@a2", ONE, "obstacle is already", ("a2",)),
    ("occupied", "hand=0 lay=bend", (), "NE@a1", {}, "The cat is already on a1", ("a1",)),
    ("occupied", "hand=0 lay=bend", (), "NE@g7", {}, "The lemur is already on g7", ("g7",)),
    ("occupied", "hand=0 lay=bend", (), "NE@d4", {}, "The boat is already on d4", ("d4",)),
    (
        "same_cell", "carry=0 lay=bend from=b1 played=card", (), "NW@b1", {},
        "must go somewhere else", ("b1",),
    ),
    (
        "same_cell", "carry=0 lay=x from=c3 played=card", (), "X@c3", ONE,
        "came from c3", ("c3",),
    ),
    ("touches_nothing", "hand=0 lay=bend", (), "NE@c6", {}, "c6 isn't next to a tile", ("c6",)),
    (
        "touches_nothing", "carry=0 lay=bend from=f6 played=card", ("X@c3",), "NE@b3", ONE,
        "b3 isn't next to a tile", ("b3",),
    ),
    (
        "edge", "hand=0 lay=bend", (), "NE@b1", {},
        "The west edge would be closed, but the cat on a1 is open on that side.", ("b1", "a1"),
    ),
    (
        "edge", "hand=0 lay=straight", ("EW@b1", "NS@c2"), "EW@c1", {},
        "The north edge would be closed, but a straight on c2 is open on that side.", ("c1", "c2"),
    ),
    (
        "edge", "hand=0 lay=cross", ("EW@b1", "EW@c2"), "NESW@c1", {},
        "The north edge would be open, but a straight on c2 is closed on that side.", ("c1", "c2"),
    ),
    (
        "edge", "carry=0 lay=straight from=f6 played=card", (), "EW@d3", {},
        "The north edge would be closed, but the boat on d4 is open on that side.", ("d3", "d4"),
    ),
    (
        "edge", "hand=0 lay=straight way=N", BOTTOM[:-1], "NS@d3", {"single_path": True},
        "The north edge would be open, but the boat on d4 is closed on that side.", ("d3", "d4"),
    ),
    (
        "edge", "hand=0 lay=straight", ("W@b1",), "EW@c1", {},
        "but an obstacle tile on b1 is closed on that side.", ("c1", "b1"),
    ),
    ("no_water", "hand=0 lay=straight", (), "NS@d5", {}, "wouldn't reach", ("d5",)),
    ("no_water", "hand=0 lay=obstacle", (), "S@d5", {}, "reach S on d5", ("d5",)),
    (
        "no_water", "carry=0 lay=straight played=card discarded=s", (), "NS@d5", {},
        "wouldn't reach", ("d5",),
    ),
    ("no_water", "hand=0 lay=straight", TOP, "NS@d3", {"boat_stops": True}, "wouldn't", ("d3",)),
    ("walls_in", "hand=0 lay=obstacle", ("X@a2",), "W@b1", ONE, "An obstacle on b1", ("b1",)),
    (
        "walls_in", "carry=0 lay=obstacle from=f6 played=card", ("X@a2",), "W@b1", ONE,
        "cut off the cat", ("b1",),
    ),
    (
        "walls_in", "carry=0 lay=x from=c3 played=card", ("X@a2",), "X@b1", ONE,
        "cut off the cat", ("b1",),
    ),
    # Cards.
    (
        "one_card", "turn=0 hands=w/- played=card done=1", (), "calm", {"one_card": True},
        "one has been played", (),
    ),
    (
        "one_card", "turn=0 hands=s/- played=card done=1", ("EW@b1",), "support:b1",
        {"one_card": True}, "only one card", (),
    ),
    ("no_card", "turn=0 hands=-/s", ("EW@b1",), "support:b1", {}, "Player 1 doesn't have Sup", ()),
    ("no_card", "turn=1", ("EW@b1",), "bird:b1", {}, "Player 2 doesn't have Bird", ()),
    ("no_card", "turn=0", (), "calm", {}, "doesn't have Calm Waters", ()),
    ("no_card", "turn=0 discarded=b", (), "return:bend", {}, "doesn't have Return", ()),
    ("no_tile", "turn=0 hands=s/-", (), "support:d4", {}, "d4 holds the boat", ("d4",)),
    ("no_tile", "turn=0 hands=b/-", (), "bird:a7", {}, "holds the capybara", ("a7",)),
    ("no_tile", "turn=0 hands=c/-", (), "current:c3", {}, "c3 is empty", ("c3",)),
    ("has_bird", "turn=0 hands=b/-", ("EW@b1*",), "bird:b1", {}, "already a bird on b1", ("b1",)),
    (
        "no_birds", "turn=0 hands=b/-", ("EW@b1*", "EW@c1*", "EW@d1*", "EW@e1"), "bird:e1", {},
        "All birds", (),
    ),
    (
        "protected", "turn=0 hands=s/-", ("W@b1",), "support:b1", {"not_for_obstacles": True},
        "protects obstacles from Support", ("b1",),
    ),
    (
        "protected", "turn=0 hands=c/-", ("X@c3",), "current:c3",
        {"not_for_obstacles": True, "obstacles": 1}, "protects obstacles", ("c3",),
    ),
    (
        "nowhere_else", "turn=0 hands=c/-",
        (*ALL_CLOSED, "NESW@e4", "E@c4", "N@d3", "S@d5"), "current:e4",
        {"obstacles": 4}, "The tile on e4", ("e4",),
    ),
    ("no_tiles", "turn=0 up=s discarded=s11b14c8o8", (), "draw", {}, "no face-down tiles", ()),
    ("none_up", "turn=0 up=s", (), "take:bend", {}, "no bend face up", ()),
    (
        "too_few_tiles", "turn=0 hands=f/- discarded=s11b14c8o8", (), "fishing", {},
        "2 face-down tiles, and there is 1", (),
    ),
    ("calm_already", "turn=0 hands=w/- played=calm done=1", (), "calm", {}, "this round", ()),
    ("none_discarded", "turn=0 hands=r/-", (), "return:cross", {}, "No cross", ()),
    (
        "fits_nowhere", "turn=0 hands=r/- discarded=b", ALL_CLOSED, "return:bend", CLOSED,
        "A bend doesn't fit anywhere", (),
    ),
    # The rest.
    ("turns_count", "turn=0", (), "time", {}, "after a fixed number of turns", ()),
    ("turns_count", "hand=0 lay=bend", (), "time", {}, "after a fixed number of turns", ()),
    ("time_was_up", "hand=0 lay=bend time=up", (), "time", MINUTE, "already", ()),
    ("fits", "hand=0 lay=bend", (), "discard", {}, "can't discard", ()),
    ("not_swappable", "hand=0 lay=obstacle", (), "swap", {}, "An obstacle tile", ()),
    ("no_new_cards", "hand=0 lay=bend", (), "swap", {"no_new_cards": True}, "new cards", ()),
    ("pile_empty", "hand=0 lay=bend used=s3b3c3f2w2r2", (), "swap", {}, "no action cards left", ()),
)  # fmt: skip

OUTCOMES: tuple[tuple[str, str, tuple[str, ...], Options, str], ...] = (
    ("won", "over=won", (*BOTTOM, *TOP), {}, "all four animals are connected"),
    ("no_tiles_left", f"over=lost seat=1 discarded={ALL_TILES}", (), {}, "Player 2 has no card"),
    ("idle", "over=lost idle=3", (), MINUTE, "three rounds"),
)


@pytest.mark.parametrize(
    ("code", "words", "laid", "move", "options", "said", "cells"), [*LEGAL, *REFUSED]
)
def test_codes(
    code: str,
    words: str,
    laid: tuple[str, ...],
    move: str,
    options: Options,
    said: str,
    cells: tuple[str, ...],
) -> None:
    found = explained(words, laid, move, options)
    assert found.code == code
    assert said in found.sentence
    assert found.cells == cells


def test_legal_and_illegal_actions_are_distinguished() -> None:
    for code, words, laid, move, options, _, _ in LEGAL:
        assert explained(words, laid, move, options).legal, code
    for code, words, laid, move, options, _, _ in REFUSED:
        assert not explained(words, laid, move, options).legal, code


@pytest.mark.parametrize(("code", "words", "laid", "options", "said"), OUTCOMES)
def test_outcomes(
    code: str, words: str, laid: tuple[str, ...], options: Options, said: str
) -> None:
    state = position(words, laid, **options)
    assert state.outcome is not None
    assert state.outcome.reason.code == code
    assert said in state.outcome.reason.sentence
    assert state.explain("draw").code == "match_over"


def test_every_code_is_reached() -> None:
    source = inspect.getsource(explain)
    written = set(re.findall(r'Explanation\(\s*"([a-z_]+)"', source))
    written |= set(re.findall(r'\("([a-z_]+)", f?"[A-Z{]', source))
    reached = {case[0] for case in (*LEGAL, *REFUSED, *OUTCOMES)}
    assert written <= reached


def test_facts_name_what_the_sentence_is_about() -> None:
    joins = explained("hand=0 lay=straight", BOTTOM[:-1], "NS@d3", {})
    assert joins.facts == {"move": "NS@d3", "animals": "cat and dog"}
    edge = explained("hand=0 lay=bend", (), "NE@b1", {})
    assert edge.facts == {"cell": "b1", "edge": "W", "neighbour": "a1"}
    card = explained("turn=0 hands=b/-", ("EW@b1*",), "bird:b1", {})
    assert card.facts == {"cell": "b1", "card": "bird"}
    assert explained("turn=0 up=s", (), "take:bend", {}).facts == {"tile": "bend"}
    assert explained("hand=0 lay=bend", (), "NS@b1", {}).facts == {"held": "bend"}


@pytest.mark.parametrize(
    ("words", "laid", "move", "options"),
    [
        ("hand=0 lay=bend", ("W@b1",), "NE@b1", {}),
        ("hand=0 lay=obstacle", (), "NE@b1", {}),
        ("turn=0 hands=r/- discarded=o", ALL_CLOSED, "return:obstacle", CLOSED),
    ],
)
def test_sentences_say_an_obstacle(
    words: str, laid: tuple[str, ...], move: str, options: Options
) -> None:
    sentence = explained(words, laid, move, options).sentence
    assert not re.search(r"\b[Aa] obstacle", sentence)
    assert re.search(r"\b[Aa]n obstacle", sentence)


# ---- along random matches -----------------------------------------------------------------------


def test_the_end_says_how_many_tiles_were_left() -> None:
    won = position("hand=0 lay=straight", ALMOST).play("NS@d3")
    assert won.outcome is not None
    assert won.outcome.reason.facts == {"tiles_left": 42 - len(lying(won)), "animals": 4}
