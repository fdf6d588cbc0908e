"""The oracle, written by another hand from the rules alone, agrees with the kernels of Flecks."""

from __future__ import annotations

import itertools
import random

import pytest

import watermeet as wm
from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import cells
from watermeet.games.flecks import rules
from watermeet.games.flecks.board import BLUE, FREE, RED, offset_of
from watermeet.games.flecks.connection import shortest_chain
from watermeet.games.flecks.notation import stones_of
from watermeet.games.flecks.tests.oracle import Position, connected
from watermeet.games.flecks.tests.positions import SKIP_ON_5, SKIP_ON_9, flecks

SWITCHES = ("place_optional", "new_stone_fixed", "win_at_end_only")


def both(size: int, border: str, switches: tuple[bool, ...]) -> tuple[wm.State, Position]:
    """The start of a match, ours and the oracle's."""
    place_optional, new_stone_fixed, win_at_end_only = switches
    game = flecks(
        size,
        border=border,
        must_place=not place_optional,
        new_stone_fixed=new_stone_fixed,
        win_at_end_only=win_at_end_only,
    )
    chosen = dict(zip(SWITCHES, switches, strict=True))
    return game.start(), Position.start(size, border=border, **chosen)


def assert_agrees(state: wm.State, position: Position) -> None:
    assert set(state.legal_moves) == position.legal(), state
    over = state.to_move == wm.OVER
    assert (None if over else state.to_move) == position.mover, state
    for seat, colour in enumerate((RED, BLUE)):
        assert set(stones_of(state.array, colour)) == position.stones(seat), state
    assert (state.outcome.winners[0] if state.outcome else None) == position.winner(), state


def compare_match(
    size: int, border: str, switches: tuple[bool, ...], rng: random.Random, opening: str = ""
) -> None:
    state, position = both(size, border, switches)
    for move in opening.split():
        state, position = state.play(move), position.play(move)
    assert_agrees(state, position)
    while state.to_move != wm.OVER:
        move = rng.choice(state.legal_moves)
        state, position = state.play(move), position.play(move)
        assert_agrees(state, position)


@pytest.mark.compiled
@pytest.mark.parametrize("switches", list(itertools.product((False, True), repeat=3)))
@pytest.mark.parametrize("border", ["quarters", "sides"])
def test_the_oracle_agrees_with_all_options(border: str, switches: tuple[bool, ...]) -> None:
    """Legal moves, mover, stones and winner, after every action."""
    compare_match(5, border, switches, random.Random(f"{border} {switches}"))


@pytest.mark.parametrize(("size", "opening"), [(5, SKIP_ON_5), (9, SKIP_ON_9)])
def test_the_oracle_agrees_where_turns_are_skipped(size: int, opening: str) -> None:
    state, position = both(size, "quarters", (False, False, False))
    for move in opening.split():
        state, position = state.play(move), position.play(move)
        assert_agrees(state, position)
    rng = random.Random(size)
    for _ in range(20):
        move = rng.choice(state.legal_moves)
        state, position = state.play(move), position.play(move)
        assert_agrees(state, position)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize(("size", "matches"), [(5, 24), (7, 6), (9, 2), (11, 1)])
def test_the_oracle_agrees_along_many_matches(size: int, matches: int) -> None:
    """The same, longer, with options at random; every third match from where Red is shut in."""
    rng = random.Random(size)
    for number in range(matches):
        switches = tuple(rng.random() < 0.3 for _ in SWITCHES)
        opening = SKIP_ON_5 if size == 5 and number % 3 == 0 else ""
        compare_match(size, rng.choice(["quarters", "sides"]), switches, rng, opening)


# ---- connections ------------------------------------------------------------------------------


def array_of(size: int, border: str, contents: list[int]) -> StateArray:
    """A board with these contents."""
    array = flecks(size, border=border).start().array.copy()
    for cell, content in zip(cells(size), contents, strict=True):
        array[offset_of(cell, size)] = content
    return array


def connections(size: int, border: str, contents: list[int]) -> tuple[bool, bool]:
    """Whether red and blue are connected by the kernels, on a board with these contents."""
    array = array_of(size, border, contents)
    return rules.is_connected(array, RED), rules.is_connected(array, BLUE)


def oracle_connections(size: int, border: str, contents: list[int]) -> tuple[bool, bool]:
    red, blue = (
        frozenset(c for c, held in zip(cells(size), contents, strict=True) if held == colour)
        for colour in (RED, BLUE)
    )
    return connected(red, size, "red", border), connected(blue, size, "blue", border)


def filling(size: int, rng: random.Random, reds: float) -> list[int]:
    return [RED if rng.random() < reds else BLUE for _ in cells(size)]


@pytest.mark.parametrize("border", ["quarters", "sides"])
@pytest.mark.parametrize("size", [5, 7, 9, 11, 13])
def test_exactly_one_colour_connects_on_every_full_board(size: int, border: str) -> None:
    rng = random.Random(f"{size} {border}")
    for number in range(40):
        red, blue = connections(size, border, filling(size, rng, 0.3 + number % 5 / 10))
        assert red != blue


@pytest.mark.parametrize("border", ["quarters", "sides"])
@pytest.mark.parametrize("size", [5, 7, 9])
def test_connections_agree_with_the_oracle(size: int, border: str) -> None:
    """Also on boards with free cells, where neither may be connected."""
    rng = random.Random(f"{size} {border} partly")
    seen = set()
    for number in range(60):
        free = number % 4 / 8
        contents = [FREE if rng.random() < free else c for c in filling(size, rng, 0.5)]
        expected = oracle_connections(size, border, contents)
        seen.add(expected)
        assert connections(size, border, contents) == expected
        array = array_of(size, border, contents)
        assert tuple(bool(shortest_chain(array, colour)) for colour in (RED, BLUE)) == expected
    assert (False, False) in seen
