"""The conformance kit finds invalid features."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.contract import StateArray
from watermeet.core.features import Features, Symmetry
from watermeet.core.kernel import runs_plain_python
from watermeet.testing import Nonconformance, run_check


class _Changed(Features):
    """Features of which a test replaces some."""

    def but(self, **changes: object) -> wm.Game:
        vars(self).update(changes)
        vars(self.game)["features"] = self
        return self.game


@pytest.fixture
def features() -> _Changed:
    return _Changed(wm.game("flume", size=3).with_options(size=3))


def _expect(check: str, game: wm.Game, words: str) -> None:
    with pytest.raises(Nonconformance, match=words):
        _run_often(check, game)


def _run_often(check: str, game: wm.Game) -> None:
    for seed in range(10):
        run_check(check, game, random.Random(seed))


def _filling(value: float) -> Callable[..., None]:
    def observe(known: StateArray, seat: int, out: Any) -> None:
        out[:] = value

    return observe


def _meddling(known: StateArray, seat: int, out: Any) -> None:
    out[:] = 0
    known[0] += 1


def _erratic() -> Callable[..., None]:
    numbers = iter(range(1_000_000))

    def observe(known: StateArray, seat: int, out: Any) -> None:
        out[:] = 1 / (2 + next(numbers))

    return observe


@pytest.mark.parametrize(
    ("observe", "words"),
    [
        (_filling(2.0), "layout's range"),
        (_filling(float("nan")), "must write every number"),
        (_meddling, "must not change the state"),
        (_erratic(), "must be deterministic"),
    ],
)
def test_invalid_features_are_found(
    features: _Changed, observe: Callable[..., None], words: str
) -> None:
    _expect("features_are_valid", features.but(observe=observe), words)


def test_a_leak_is_found() -> None:
    """Only a game that conceals too little can leak: features see the concealed state only."""
    name = next(name for name in wm.games() if wm.game(name).hidden and wm.game(name).chance)
    game = _Changed(wm.game(name).with_options())
    victim = game.but()

    def conceal(state: StateArray, seat: int, out: StateArray) -> None:
        out[:] = state

    def observe(known: StateArray, seat: int, out: Any) -> None:
        out[:] = 0
        out[: game.spec.size] = np.resize(known, game.spec.size)

    vars(victim.kernels)["conceal"] = conceal
    game.observe = observe  # type: ignore[assignment]

    def resample(concealed: StateArray, seat: int, rng: object, out: StateArray) -> None:
        out[:] = concealed
        out[0] += 1

    vars(victim.kernels)["resample"] = resample
    _expect("features_do_not_leak", victim, "must not leak")


def test_features_made_from_the_cache_are_found(features: _Changed) -> None:
    def observe(known: StateArray, seat: int, out: Any) -> None:
        out[:] = 0
        cache = known[features.game.sizes.identity :]
        out[: len(cache)] = cache

    _expect("features_do_not_leak", features.but(observe=observe), "cache")


@pytest.mark.parametrize(
    ("encode", "words"),
    [
        (lambda known, action: 0, "different codes"),
        (lambda known, action: 10**6, "below spec.codes"),
    ],
)
def test_invalid_codes_are_found(
    features: _Changed, encode: Callable[..., int], words: str
) -> None:
    _expect("action_codes_are_unique", features.but(encode=encode), words)


def test_invalid_symmetries_are_found(features: _Changed) -> None:
    plain, other = features.symmetries[0], features.symmetries[1]
    doubled = Symmetry(np.zeros_like(plain.features), plain.codes)
    _expect(
        "symmetries_commute_with_play",
        features.but(symmetries=(plain, doubled)),
        "must permute the features",
    )
    doubled = Symmetry(plain.features, np.zeros_like(plain.codes))
    _expect(
        "symmetries_commute_with_play",
        features.but(symmetries=(plain, doubled)),
        "must permute the codes",
    )
    _expect(
        "symmetries_commute_with_play", features.but(symmetries=(other, plain)), "first symmetry"
    )
    mixed = Symmetry(plain.features, other.codes)
    _expect(
        "symmetries_commute_with_play",
        features.but(symmetries=(plain, mixed)),
        "must have the mapped",
    )


@pytest.mark.compiled
def test_features_that_differ_when_compiled_are_found(features: _Changed) -> None:
    def observe(known: StateArray, seat: int, out: Any) -> None:
        out[:] = float(runs_plain_python())

    _expect(
        "compiled_features_match_python", features.but(observe=observe), "compiled and in Python"
    )
