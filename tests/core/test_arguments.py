"""Every public function refuses arguments of a wrong type or out of range with our own error."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.core.registry import register
from watermeet.core.solution import array_to_solve

GAME = wm.game("kuhn_poker")
START = GAME.start()
DEALT = START.play_all(["1", "2"])
OTHER = next(wm.game(name) for name in wm.games() if wm.game(name).declared_options)
SIZED = OTHER.declared_options[0]
with plain_python():
    MANY = wm.VectorGame(GAME, 2)
    FEATURES = GAME.features

NUMBERS = (1.5, float("nan"), True, np.bool_(True), -1, 10**30, 10**5000, np.float32(1))
OBJECTS: tuple[object, ...] = (None, b"1", [1], (), {}, object(), np.array([1]), START, GAME)
NOT_MOVES = (*NUMBERS, *OBJECTS)
NOT_TEXTS = (1, 1.5, True, *OBJECTS)
NOT_SEATS: tuple[object, ...] = (
    *NUMBERS,
    2,
    "0",
    b"1",
    [1],
    (),
    {},
    object(),
    np.array([1]),
    START,
)
NOT_LISTS = (None, 1, 1.5, "01", b"01", object(), START, [None], [1.5], [True])
NOT_RANDOM = (None, 1, "seed", [0.5], object(), random)[:5]
NOT_GAMES = (None, 1, "kuhn_poker", START, GAME.options)
NOT_STATES = (None, 1, START.text, GAME, OTHER.start())

Call = Callable[[Any], object]
REFUSED: dict[str, tuple[Call, tuple[object, ...], type[wm.WatermeetError]]] = {
    "game": (wm.game, (*NOT_TEXTS, "", "nonsense"), wm.UnknownGame),
    "register": (lambda name: register(name, None), NOT_TEXTS, wm.InvalidArgument),
    "register, package": (
        lambda package: register("x", package),
        (1, b"x", [], object()),
        wm.InvalidArgument,
    ),
    "option": (OTHER.option, (*NOT_TEXTS, "nonsense"), wm.InvalidOptions),
    "options.number": (OTHER.options.number, (*NOT_TEXTS, "nonsense"), wm.InvalidOptions),
    "with_options": (
        lambda value: OTHER.with_options(**{SIZED.name: value}),
        (*NUMBERS, *OBJECTS, "x"),
        wm.InvalidOptions,
    ),
    "with_options, name": (
        lambda name: OTHER.with_options(**{name: 1}),
        ("nonsense", ""),
        wm.InvalidOptions,
    ),
    "with_option_texts": (
        lambda value: OTHER.with_option_texts({SIZED.name: value}),
        (*NOT_TEXTS, "", "x", "1_1", "²", "9" * 5000),
        wm.InvalidOptions,
    ),
    "with_option_texts, all": (OTHER.with_option_texts, (None, 1, "x", [1]), wm.InvalidArgument),
    "at_version": (GAME.at_version, (True, 1.0, "1", None, 2, [1]), wm.VersionMismatch),
    "number": (
        wm.Number("n", 3, "", low=1, high=9, step=2).encode,
        (*NUMBERS, *OBJECTS, 2, "3"),
        wm.InvalidOptions,
    ),
    "switch": (wm.Switch("s", True, "").encode, (0, 1, "yes", *OBJECTS), wm.InvalidOptions),
    "switch, decoded": (wm.Switch("s", True, "").decode, (2, -1, True, None), wm.InvalidOptions),
    "switch, text": (wm.Switch("s", True, "").parse, (*NOT_TEXTS, "x"), wm.InvalidOptions),
    "choice": (
        wm.Choice("c", "a", "", words=("a", "b")).encode,
        (0, "c", *OBJECTS),
        wm.InvalidOptions,
    ),
    "choice, decoded": (
        wm.Choice("c", "a", "", words=("a", "b")).decode,
        (2, -1, True, None, "a"),
        wm.InvalidOptions,
    ),
    "choice, text": (
        wm.Choice("c", "a", "", words=("a", "b")).parse,
        (*NOT_TEXTS, "c"),
        wm.InvalidOptions,
    ),
    "require_state": (
        GAME.require_state,
        (*NOT_STATES, wm.State(GAME, DEALT.array[:2]), wm.State(GAME, DEALT.array.astype("int32"))),
        wm.InvalidArgument,
    ),
    "require_turn": (GAME.require_turn, (START,), wm.NotYourTurn),
    "array_to_solve": (
        lambda state: array_to_solve(OTHER.package, state),
        (*NOT_STATES[:4], START),
        wm.InvalidArgument,
    ),
    "parse": (GAME.parse, NOT_TEXTS, wm.InvalidArgument),
    "parse, text": (GAME.parse, ("", "x", "\0", "9" * 5000), wm.InvalidNotation),
    "play": (START.play, NOT_MOVES, wm.WatermeetError),
    "play_all": (START.play_all, NOT_LISTS, wm.InvalidArgument),
    "format": (START.format, (*NOT_MOVES, "0", 5), wm.WatermeetError),
    "parse_move": (START.parse_move, NOT_TEXTS, wm.InvalidArgument),
    "parse_move, text": (START.parse_move, ("", "x", "5", "-1"), wm.InvalidNotation),
    "is_legal": (START.is_legal, (1.5, True, None, "0", [0]), wm.InvalidArgument),
    "explain": (START.explain, (1.5, True, *OBJECTS), wm.InvalidArgument),
    "wm.explain": (lambda state: wm.explain(state, "0"), NOT_STATES[:4], wm.InvalidArgument),
    "sample": (START.sample, NOT_RANDOM, wm.InvalidArgument),
    "resample": (DEALT.resample, NOT_RANDOM, wm.InvalidArgument),
    "conceal": (DEALT.conceal, NOT_SEATS, wm.NoSuchSeat),
    "view": (DEALT.view, NOT_SEATS, wm.NoSuchSeat),
    "render": (DEALT.render, NOT_SEATS, wm.NoSuchSeat),
    "render, last": (lambda last: DEALT.render(last=last), NOT_LISTS, wm.InvalidArgument),
    "render_svg": (DEALT.render_svg, NOT_SEATS, wm.NoSuchSeat),
    "render_svg, last": (lambda last: DEALT.render_svg(last=last), ([-1], [5]), wm.InvalidNotation),
    "render_svg, part": (lambda part: DEALT.render_svg(part=part), NOT_TEXTS, wm.InvalidArgument),
    "features.of": (lambda state: FEATURES.of(state, 0), NOT_STATES, wm.InvalidArgument),
    "features.of, seat": (lambda seat: FEATURES.of(DEALT, seat), (None, *NOT_SEATS), wm.NoSuchSeat),
    "features.codes_of": (FEATURES.codes_of, NOT_STATES, wm.InvalidArgument),
    "VectorGame": (lambda game: wm.VectorGame(game, 1), NOT_GAMES, wm.InvalidArgument),
    "VectorGame, count": (
        lambda count: wm.VectorGame(GAME, count),
        (0, -1, 1.5, True, None, "1", [1]),
        wm.InvalidArgument,
    ),
    "VectorGame, max_steps": (
        lambda steps: wm.VectorGame(GAME, 1, max_steps=steps),
        (0, -1, 1.5, "3"),
        wm.InvalidArgument,
    ),
    "VectorGame, threads": (
        lambda threads: wm.VectorGame(GAME, 1, threads=threads),
        (0, -1, 1.5, True, None, "1"),
        wm.InvalidArgument,
    ),
    "VectorGame.step": (
        MANY.step,
        (None, 1, "33", [3], [3, 3, 3], [3.0, 3.5], [True, False], ["3", "3"], [[3], [3, 3]]),
        wm.InvalidArgument,
    ),
    "VectorGame.step, actions": (
        MANY.step,
        ([-1, 3], [3, 5], [3, 2**40], np.array([3, 2**63], dtype=np.uint64)),
        wm.IllegalMove,
    ),
    "VectorGame.reset, states": (
        lambda states: MANY.reset(states=states),
        (1, 1.5, b"x", GAME, object(), OTHER.start(), [START], [START, OTHER.start()]),
        wm.InvalidArgument,
    ),
    "VectorGame.reset, rows": (
        lambda rows: MANY.reset(rows=rows),
        (1, 1.5, "x", [2], [-1], [True], [[0], [0, 1]], object()),
        wm.InvalidArgument,
    ),
    "VectorGame.reseed": (MANY.reseed, (None, 1, "ab", [1], [1, 2, 3]), wm.InvalidArgument),
    "VectorGame.sample_below": (
        MANY.sample_below,
        (0, -1, 1.5, True, None, "1", 2**31),
        wm.InvalidArgument,
    ),
    "VectorGame.observe": (
        MANY.observe,
        (None, 2, -1, 0.5, "0", [0], [0, 2], [[0], [0, 1]]),
        wm.InvalidArgument,
    ),
    "VectorGame.state": (MANY.state, (-1, 2, 1.0, True, None, "0"), wm.InvalidArgument),
    "Record": (wm.Record, NOT_GAMES, wm.InvalidArgument),
    "Record, entries": (lambda value: wm.Record(GAME, value), NOT_LISTS, wm.InvalidArgument),
    "Record, seats": (lambda value: wm.Record(GAME, seats=value), NOT_LISTS, wm.InvalidArgument),
    "Record, start": (
        lambda value: wm.Record(GAME, start=value),
        NOT_STATES[1:],
        wm.InvalidArgument,
    ),
    "Record, result": (
        lambda value: wm.Record(GAME, result=value),
        (1, "11", ["1", "2"], object()),
        wm.InvalidArgument,
    ),
    "Record, comment": (
        lambda value: wm.Record(GAME, comment=value),
        NOT_TEXTS,
        wm.InvalidArgument,
    ),
    "Record, headers": (lambda value: wm.Record(GAME, headers=value), (1, "x"), wm.InvalidArgument),
    "Record.parse": (wm.Record.parse, NOT_TEXTS, wm.InvalidArgument),
    "Record.parse, text": (wm.Record.parse, ("", "x", "\0", "game: x"), wm.InvalidRecord),
    "Record.from_actions": (
        lambda state: wm.Record.from_actions(state, []),
        NOT_STATES[:4],
        wm.InvalidArgument,
    ),
    "Record.from_actions, actions": (
        lambda actions: wm.Record.from_actions(START, actions),
        NOT_LISTS,
        wm.InvalidArgument,
    ),
    "Entry": (wm.Entry, NOT_TEXTS, wm.InvalidArgument),
    "Entry, seconds": (
        lambda value: wm.Entry("0", value),
        ("1", [1], object()),
        wm.InvalidArgument,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_invalid_arguments_are_refused(name: str) -> None:
    call, values, expected = REFUSED[name]
    for value in values:
        with plain_python(), pytest.raises(expected) as refused:
            call(value)
        assert refused.value.hint, f"{name}({value!r}) has no hint"
        assert len(refused.value.message) < 300


@pytest.mark.parametrize("integer", [np.int8, np.int64, np.uint64])
def test_numpy_integers_are_accepted(integer: Callable[[int], Any]) -> None:
    assert START.play(integer(1)) == START.play(1)
    assert START.is_legal(integer(1))
    assert DEALT.view(integer(1)) == DEALT.view(1)
    assert DEALT.conceal(integer(0)) == DEALT.conceal(0)
    sized = OTHER.with_options(**{SIZED.name: integer(OTHER.options.number(SIZED.name))})
    assert sized == OTHER
    assert type(sized.options[SIZED.name]) is int


WEIRD = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.binary(max_size=5)
    | st.text(max_size=5)
    | st.lists(st.integers() | st.text(max_size=3), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
    | st.builds(object)
    | st.just(type)
)


@given(name=st.sampled_from(sorted(REFUSED)), value=WEIRD)
def test_no_value_raises_any_other_error(name: str, value: object) -> None:
    """Whatever is passed, the call succeeds or raises one of our errors."""
    if name == "with_options, name" and not isinstance(value, str):
        return  # Python itself refuses it.
    if name == "register, package" and isinstance(value, str):
        return  # It would be registered, for all tests.
    if name.startswith("VectorGame, ") and isinstance(value, int) and value > 100:
        return  # It would be created.
    with plain_python():
        try:
            REFUSED[name][0](value)
        except wm.WatermeetError:
            return


def test_solvers_work_on_a_copy() -> None:
    array = array_to_solve(GAME.package, DEALT)
    array[:] = 0
    assert START.play_all(["1", "2"]) == DEALT
