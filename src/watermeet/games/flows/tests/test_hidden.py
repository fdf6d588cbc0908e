"""Hidden tiles (R4.2, R7.2, R7.3): nothing leaks, and resampling is fair."""

from __future__ import annotations

from collections import Counter

import pytest

import watermeet as wm
from watermeet.core.kernel import runs_plain_python
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tests.positions import (
    DEAD_TYPES,
    UNPLAYABLE,
    hand,
    held,
    unseen,
)
from watermeet.testing.samples import assert_close, samples

HOLDING = "place=0 first=1 tile=T2 held=-/T3/T2 board=mm1d/bcnlc/abb1lc/h1gg1ln/g1ikbk/hnnkf/nfma"
"""With hold_tile and three seats: T3 can't be laid, so Red is known to have none."""


def shares(counts: Counter[str]) -> dict[str, float]:
    return {key: count / counts.total() for key, count in counts.items()}


SAMPLES = 100 if runs_plain_python() else 4000


# ---- the tile drawn ---------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_r4_2_nobody_else_sees_the_tile(seats: int) -> None:
    state = flows(seats=seats).start().play_all(["first:1", "draw:T2"])
    assert state.conceal(1).text == "place=1 first=1 tile=T2"
    for seat in (*range(seats), None):
        if seat != 1:
            assert state.conceal(seat).text == "place=1 first=1 tile=??"
            assert unseen(state.conceal(seat)) == {"T0": 10, "T1": 10, "T2": 10, "T3": 10}


def test_r4_2_everybody_sees_a_tile_once_it_is_laid() -> None:
    state = flows().start().play_all(["first:0", "draw:T2", "T2.1@d4"])
    for seat in (0, 1, None):
        assert state.conceal(seat).text == state.text
        assert unseen(state.conceal(seat)) == unseen(state)
    known = flows().start().play_all(["first:0", "draw:T2"]).conceal(1).play("T2.1@d4")
    assert (known.text, unseen(known)) == (state.text, unseen(state)), "nobody else knew the tile"


def test_r4_2_an_unknown_tile_may_be_any_unseen_one() -> None:
    state = flows().parse("place=0 tile=T1 board=4/5/6/ddd1ddd/6/5/4")
    unseen_by_other = unseen(state) + Counter(["T1"])
    assert unseen_by_other == {"T0": 10, "T1": 4, "T2": 10, "T3": 10}
    found = Counter(hand(sample) for sample in samples(state, 1, SAMPLES))
    assert_close(found, shares(unseen_by_other))


@pytest.mark.parametrize("seats", range(2, 7))
def test_r4_2_an_unknown_tile_cannot_be_one_that_ends_the_match(seats: int) -> None:
    """Otherwise the mover would have won by it (R4.3)."""
    before = flows(seats=seats).parse(UNPLAYABLE[seats])
    left = unseen(before)
    ended = {tile for tile in left if left[tile] and before.play(f"draw:{tile}").outcome}
    assert DEAD_TYPES[seats] in ended
    playable = Counter({tile: count for tile, count in left.items() if tile not in ended and count})
    assert playable
    state = before.play(f"draw:{min(playable)}")
    watcher = None if seats == 2 else (state.to_move + 1) % seats
    found = Counter(hand(sample) for sample in samples(state, watcher, SAMPLES))
    assert_close(found, shares(playable))


# ---- open tiles -------------------------------------------------------------------------------


def test_r7_2_with_open_tile_everybody_sees_the_tile() -> None:
    state = flows(seats=4, open_tile=True).start().play_all(["first:3", "draw:T2"])
    for seat in (0, 1, 2, 3, None):
        assert state.conceal(seat).text == "place=3 first=3 tile=T2"
        assert {sample.text for sample in samples(state, seat, 3)} == {state.text}


def test_r7_2_held_tiles_are_open_too() -> None:
    game = flows(open_tile=True, hold_tile=True)
    state = game.start().play_all(["first:1", "draw:T2", "draw:T0"])
    for seat in (0, 1, None):
        assert state.conceal(seat).text == "place=1 first=1 tile=T2 held=T0/-"


# ---- held tiles -------------------------------------------------------------------------------


def test_r7_3_everybody_draws_before_the_first_turn() -> None:
    state = flows(seats=3, hold_tile=True).start().play("first:1")
    texts = [state.text]
    for tile in ("draw:T0", "draw:T1", "draw:T2"):
        assert state.to_move == wm.CHANCE
        state = state.play(tile)
        texts.append(state.text)
    assert texts == [
        "deal=1 first=1",
        "deal=2 first=1 held=-/T0/-",
        "deal=0 first=1 held=-/T0/T1",
        "place=1 first=1 tile=T0 held=T2/-/T1",
    ]


def test_r7_3_the_next_tile_is_drawn_right_after_laying_one() -> None:
    game = flows(seats=3, hold_tile=True)
    state = game.start().play_all(["first:1", "draw:T0", "draw:T1", "draw:T2"])
    assert {move[:2] for move in state.legal_moves} == {"T0"}
    state = state.play("T0.0@d4")
    board = "board=4/5/6/3a3/6/5/4"
    assert (state.to_move, state.text) == (wm.CHANCE, f"draw=1 first=1 held=T2/-/T1 {board}")
    state = state.play("draw:T3")
    assert state.text == f"place=2 first=1 tile=T1 held=T2/T3/- {board}"
    assert {move[:2] for move in state.legal_moves} == {"T1"}


def test_r7_3_nobody_sees_the_tiles_others_hold() -> None:
    game = flows(seats=3, hold_tile=True)
    state = game.start().play_all(["first:1", "draw:T0", "draw:T1", "draw:T2"])
    assert state.conceal(0).text == "place=1 first=1 tile=?? held=T2/-/??"
    assert state.conceal(1).text == "place=1 first=1 tile=T0 held=??/-/??"
    assert state.conceal(2).text == "place=1 first=1 tile=?? held=??/-/T1"
    assert state.conceal(None).text == "place=1 first=1 tile=?? held=??/-/??"


def test_r7_3_a_held_tile_is_checked_at_the_start_of_the_turn() -> None:
    """Red holds T3, which can't be placed; that shows once Yellow has drawn."""
    game = flows(seats=3, hold_tile=True)
    before = game.parse(
        "draw=2 first=1 held=T3/T0/- board=einm/cmcmh/fnlknb/jfmg1kl/lhnkhl/n1lbb/ahdc"
    )
    assert before.outcome is None
    state = before.play("draw:T0")
    assert state.outcome is not None
    assert state.outcome.winners == (0,)
    assert state.outcome.reason.code == "unplayable"
    for seat in (0, 1, 2, None):
        assert "tile=T3" in state.conceal(seat).text
    assert "held=-/??/??" in state.conceal(0).text


def test_r7_3_unknown_held_tiles_may_be_any_left() -> None:
    game = flows(seats=3, hold_tile=True)
    state = game.parse(HOLDING)
    hidden = unseen(state.conceal(0))
    assert hidden.total() == unseen(state).total() + 2
    found = Counter(f"{held(sample, 1)} {held(sample, 2)}" for sample in samples(state, 0, SAMPLES))
    total = hidden.total()
    expected = {
        f"{one} {other}": hidden[one] / total * (hidden[other] - (one == other)) / (total - 1)
        for one in hidden
        for other in hidden
    }
    assert_close(found, expected)


@pytest.mark.compiled
def test_r7_3_the_movers_tile_is_known_to_be_playable() -> None:
    game = flows(seats=3, hold_tile=True)
    state = game.parse(HOLDING)
    hidden = unseen(state.conceal(1))
    playable = hidden - Counter({"T3": hidden["T3"]})
    expected: dict[str, float] = {}
    for tile, count in playable.items():
        rest = hidden - Counter([tile])
        for other in hidden:
            chance = count / playable.total() * rest[other] / rest.total()
            expected[f"{tile} {other}"] = chance
    found = Counter(f"{hand(each)} {held(each, 2)}" for each in samples(state, 1, SAMPLES))
    assert_close(found, expected)


@pytest.mark.parametrize(
    ("text", "move", "after"),
    [
        (
            "place=4 tile=T1 held=T1/T1/-/-/- board=ihg/i2g/hfgfd/fheg/g1f",
            "T1.2@c2",
            "place=0 tile=T1 held=-/T1/-/-/- board=ihg/if1g/hfgfd/fheg/g1f",
        ),
        (
            "place=1 first=3 tile=T1 held=-/-/-/T1/T1 board=ghf/ffig/d2d1/diig/hge",
            "T1.4@e3",
            "place=3 first=3 tile=T1 held=-/-/-/-/T1 board=ghf/ffig/d2dh/diig/hge",
        ),
    ],
)
def test_r7_3_a_seat_without_a_tile_is_skipped(text: str, move: str, after: str) -> None:
    """There are as many tiles as cells; Yellow, with two turns a round, has run out."""
    game = flows(seats=5, hold_tile=True, radius=2, mix0=0, mix2=0, mix3=0)
    assert unseen(game.start())["T1"] == 19
    assert game.parse(text).play(move).text == after
