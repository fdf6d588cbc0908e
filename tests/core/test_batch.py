"""Many matches at once: they follow the same rules as states, on any number of threads."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.batch import MIN_MATCHES_PER_THREAD, VectorGame
from watermeet.core.batch_kernels import action_of, list_coded
from watermeet.core.contract import StateArray
from watermeet.core.features import NO_CODE
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.linking import specialize

GAMES = [
    "kuhn_poker",
    "flume",
    *(pytest.param(name, marks=[pytest.mark.compiled, pytest.mark.slow]) for name in wm.games()),
]
"""In plain Python those that are quick; compiled, all."""


def _check(many: VectorGame) -> None:
    """The arrays agree with the state of each match."""
    for match in range(many.count):
        state = many.state(match)
        seat = int(many.to_move[match])
        assert seat == state.to_move >= 0
        assert np.flatnonzero(many.masks[match]).tolist() == list(
            many.game.features.legal_codes(state)
        )
        expected = many.game.features.of(state, seat)
        assert many.features[match].tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_arrays_agree_with_states(name: str) -> None:
    many = VectorGame(wm.game(name), 3, seed=name)
    for _ in range(12):
        _check(many)
        many.step(many.sample_actions())
    _check(many)


@pytest.mark.parametrize("name", ["kuhn_poker", "flume"])
def test_a_finished_match_restarts(name: str) -> None:
    game = wm.game(name, size=3) if name == "flume" else wm.game(name)
    many = VectorGame(game, 8, seed=1)
    ended = 0
    for _ in range(25):
        actions = many.sample_actions().copy()
        before = [many.state(match) for match in range(many.count)]
        many.step(actions)
        for match in range(many.count):
            after = before[match].play(int(actions[match]))
            outcome = after.sample(random.Random(0)).outcome
            if many.terminated[match]:
                ended += 1
                assert outcome is not None
                assert tuple(many.returns[match].tolist()) == outcome.returns
                assert many.to_move[match] == game.start().sample(random.Random(0)).to_move
            elif after.to_move >= 0:
                assert many.state(match) == after
    assert ended > 8


def test_the_number_of_threads_changes_nothing() -> None:
    count = 3 * MIN_MATCHES_PER_THREAD
    alone = VectorGame(wm.game("kuhn_poker"), count, seed="a")
    shared = VectorGame(wm.game("kuhn_poker"), count, seed="a", threads=3)
    assert len(shared._slices) == 3
    for _ in range(20):
        assert alone.sample_actions().tolist() == shared.sample_actions().tolist()
        alone.step(alone.sample_actions())
        shared.step(shared.sample_actions())
        assert alone.states.tobytes() == shared.states.tobytes()
        assert alone.features.tobytes() == shared.features.tobytes()
    shared.close()
    shared.close()


def test_seeds_determine_chance_outcomes() -> None:
    one, same, other = (VectorGame(wm.game("kuhn_poker"), 40, seed=seed) for seed in (1, 1, 2))
    assert one.states.tobytes() == same.states.tobytes() != other.states.tobytes()
    one.step(one.sample_actions())
    one.reset(2)
    assert one.states.tobytes() == other.states.tobytes()
    cards = {int(code) for code in one.states[:, 0]} | {int(code) for code in one.states[:, 1]}
    assert len(cards) > 2, "matches are not all dealt the same"


def test_an_illegal_action_leaves_all_matches_unchanged() -> None:
    many = VectorGame(wm.game("flume", size=3), 4)
    before = many.states.tobytes()
    with pytest.raises(wm.IllegalMove, match="action 9 is illegal in match 2"):
        many.step([0, 1, 9, 2])
    for wrong in (-1, 10):
        with pytest.raises(wm.WatermeetError):
            many.step([0, 1, wrong, 2])
    with pytest.raises(wm.IllegalMove, match="in match 3"):
        many.step([0, 1, 2, 2**32])
    assert many.states.tobytes() == before


# ---- batches as researchers use them ------------------------------------------------------------


def test_masks_and_flags_are_booleans() -> None:
    many = VectorGame(wm.game("flume", size=3), 2)
    assert {array.dtype for array in (many.masks, many.terminated, many.truncated)} == {
        np.dtype(bool)
    }


def test_without_a_seed_matches_are_random_and_a_reset_continues() -> None:
    game = wm.game("kuhn_poker")
    assert len({VectorGame(game, 40).states.tobytes() for _ in range(4)}) == 4
    one, same = (VectorGame(game, 40, seed=1) for _ in range(2))
    first = one.states.tobytes()
    one.reset()
    same.reset()
    assert one.states.tobytes() == same.states.tobytes() != first


def test_some_matches_are_reset_and_the_others_stay() -> None:
    many = VectorGame(wm.game("flume", size=3), 4)
    many.step([0, 1, 2, 3])
    kept = many.states[[0, 2]].tobytes()
    many.reset(rows=[1, 3], states=["3/3/rb1 r 0", "3/3/1rb r 0"])
    assert many.states[[0, 2]].tobytes() == kept
    assert [many.state(row).text for row in (1, 3)] == ["3/3/rb1 r 0", "3/3/1rb r 0"]
    assert many.steps.tolist() == [1, 0, 1, 0]
    _check(many)
    many.reset(rows=np.array([True, False, False, False]))
    assert many.state(0) == many.game.start()
    for wrong in ([4], [-1], [0.5], [True], "x", [[0]]):
        with pytest.raises(wm.InvalidArgument):
            many.reset(rows=wrong)
    for states in (["3/3/rb1 r 0"], 3, ["3/3/rb1 r 0", 4]):
        with pytest.raises(wm.WatermeetError):
            many.reset(rows=[1, 3], states=states)  # type: ignore[arg-type]


def test_only_some_matches_are_stepped() -> None:
    many = VectorGame(wm.game("flume", size=3, pie=False), 3)
    many.step([0, 0, 99], rows=[0, 1])
    assert [many.state(row).text for row in range(3)] == ["3/3/r2 b 0"] * 2 + ["3/3/3 r 0"]


def test_a_finished_match_can_wait_for_its_reset() -> None:
    many = VectorGame(wm.game("flume", size=3), 2, autoreset=False)
    many.reset(rows=[0], states="rbr/brb/rb1 r 0")
    many.step([2, 0])
    assert (many.terminated.tolist(), many.to_move.tolist()) == ([True, False], [wm.OVER, 1])
    assert many.returns.tolist() == [[1.0, -1.0], [0.0, 0.0]]
    assert not many.masks[0].any()
    assert many.features[0].tobytes() == many.game.features.of(many.state(0), 0).tobytes()
    assert many.sample_actions()[0] == 0
    many.step([5, 1])  # Nothing happens in the first.
    assert many.terminated.tolist() == [True, False]
    many.reset(rows=[0])
    assert many.to_move.tolist() == [0, 0]


def test_matches_are_truncated() -> None:
    for autoreset in (True, False):
        many = VectorGame(wm.game("flume", size=3), 3, max_steps=2, autoreset=autoreset)
        many.step([0, 1, 2])
        assert not many.truncated.any()
        many.step([3, 3, 3])
        assert many.truncated.all()
        assert not many.terminated.any()
        assert many.steps.tolist() == ([0] * 3 if autoreset else [2] * 3)


def test_batches_are_observed_from_any_seat() -> None:
    many = VectorGame(wm.game("kuhn_poker"), 3, seed=1)
    for seats, rows in ((1, None), ([0, 1, 1], None), (0, [2]), ([1, 0], [0, 2])):
        numbers = range(3) if rows is None else rows
        each = np.broadcast_to(seats, len(numbers))
        seen = many.observe(seats, rows)
        for index, row in enumerate(numbers):
            expected = many.game.features.of(many.state(row), int(each[index]))
            assert seen[index].tobytes() == expected.tobytes()
    assert many.observe_all().shape == (3, 2, many.features.shape[1])
    for wrong in (2, -1, [0, 1], 0.5, "x"):
        with pytest.raises(wm.InvalidArgument):
            many.observe(wrong)


def test_a_match_with_the_same_seed_is_dealt_the_same() -> None:
    many, other = (VectorGame(wm.game("kuhn_poker"), count) for count in (30, 3))
    many.reseed(list(range(30)))
    other.reseed([7, 8, 9])
    many.reset()
    other.reset()
    assert many.states[7:10].tobytes() == other.states.tobytes()


@kernel
def encode_nothing(known: StateArray, action: int) -> int:
    return NO_CODE


@kernel
def encode_odd(known: StateArray, action: int) -> int:
    return 100 + action if action % 2 else NO_CODE


@pytest.mark.parametrize(("encode", "codes"), [(encode_nothing, [0, 1, 2]), (encode_odd, [103])])
def test_every_match_continues_whatever_has_a_code(
    encode: Kernel[Any, Any], codes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Actions without a code are left out; if none has one, they are numbered from 0."""
    game = wm.game("flume", size=3)
    state = game.parse("1rr/2b/rbr b 0")
    monkeypatch.setattr(game.features, "encode", encode)
    assert list(game.features.legal_codes(state)) == codes
    kernels = {**game.kernels.by_name, "encode": encode}
    listing = specialize(list_coded, f"{__name__}.{encode.__name__}", kernels)
    actions, listed = (np.zeros(game.sizes.actions, dtype=np.int32) for _ in range(2))
    array = state.array.copy()
    count = listing(array, actions, listed)
    assert listed[:count].tolist() == codes
    for code, action in game.features.legal_codes(state).items():
        assert action_of(code, actions, listed, count) == action
    assert action_of(99, actions, listed, count) == NO_CODE


def test_masks_of_a_game_with_codes_are_of_codes() -> None:
    coded = [game for game in map(wm.game, wm.games()) if "encode" in game.features.own]
    game = max(coded, key=lambda each: each.features.spec.codes)
    many = VectorGame(game, 2, seed=1)
    for _ in range(3):
        many.step(many.sample_actions())
        for mask, row in zip(many.masks, range(2), strict=True):
            codes = game.features.legal_codes(many.state(row))
            assert np.flatnonzero(mask).tolist() == sorted(codes)
    with pytest.raises(wm.IllegalMove, match="choose one that the mask allows"):
        many.step(np.argmin(many.masks, axis=1))


@pytest.mark.parametrize("name", GAMES)
def test_a_single_match_can_be_played_alone(name: str) -> None:
    """``play``, ``sample_action`` and ``observe_one`` agree with what they are quick forms of."""
    many = VectorGame(wm.game(name), 3, seed=1, autoreset=False, max_steps=30)
    other = many.clone()
    for step in range(40):
        row = step % 3
        action = many.sample_action(row)
        assert action == other.sample_actions([row])[row]
        many.play(row, action)
        other.step(np.full(3, action), [row])
        for each in ("states", "masks", "returns", "to_move", "terminated", "truncated", "steps"):
            assert np.array_equal(getattr(many, each), getattr(other, each)), each
        seat = step % many.game.seats
        seen = many.observe_one(row, seat)
        assert seen.tobytes() == other.observe(seat, [row]).tobytes()
        assert many.mask_bytes[row].tolist() == many.masks[row].astype(int).tolist()


@pytest.mark.parametrize(
    ("match", "action", "error"),
    [(3, 0, wm.InvalidArgument), (-1, 0, wm.InvalidArgument), (0, "a1", wm.InvalidArgument),
     (0, -1, wm.IllegalMove), (0, 10**30, wm.IllegalMove)],
)  # fmt: skip
def test_a_wrong_action_in_one_match_changes_nothing(
    match: int, action: Any, error: type[Exception]
) -> None:
    many = VectorGame(wm.game("flume", size=3), 2)
    before = many.states.tobytes()
    with pytest.raises(error):
        many.play(match, action)
    with pytest.raises(wm.InvalidArgument):
        many.observe_one(0, 2)
    assert many.states.tobytes() == before


def test_a_clone_plays_on_alike() -> None:
    many = VectorGame(wm.game("kuhn_poker"), 5, seed=1)
    other = many.clone()
    assert other.game is many.game
    for _ in range(6):
        many.step(many.sample_actions())
        other.step(other.sample_actions())
        assert many.states.tobytes() == other.states.tobytes()
        assert many.sample_below(100).tolist() == other.sample_below(100).tolist()
    other.step(other.sample_actions())
    assert many.to_move.tolist() == [many.state(row).to_move for row in range(5)]


def test_matches_start_from_full_states_with_a_seat_to_move() -> None:
    many = VectorGame(wm.game("flume", size=3), 2)
    over = many.game.parse("rbr/brb/rbr b 0")
    refused: dict[wm.State, type[wm.WatermeetError]] = {
        over: wm.NotYourTurn,
        wm.game("flume", size=5).start(): wm.InvalidArgument,
        many.game.start().conceal(0): wm.HiddenInformation,
    }
    for wrong, error in refused.items():
        with pytest.raises(error):
            many.reset(states=wrong)


def test_features_that_are_not_dense_are_cleared_before() -> None:
    game = next(game for game in map(wm.game, wm.games()) if not game.features.spec.dense)
    many = VectorGame(game, 2, seed=1)
    for _ in range(3):
        many._features.fill(7.0)
        many.step(many.sample_actions())
        for row, seat in enumerate(many.observers):
            expected = game.features.of(many.state(row), int(seat))
            assert many.features[row].tobytes() == expected.tobytes()
