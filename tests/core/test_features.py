"""Features: specs, symmetries, defaults, and errors."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.features import Features, FeatureSpec, identity, observe_array, symmetry


def test_planes_and_numbers_are_views_of_one_array() -> None:
    spec = FeatureSpec(4, ("a", "b"), 2, 2, ("n",))
    batch = np.arange(3 * spec.size, dtype=np.float32).reshape(3, -1)
    planes, numbers = spec.split(batch)
    assert planes.shape == (3, 2, 2, 2)
    assert numbers[:, 0].tolist() == [8, 17, 26]
    planes[0, 0, 0, 0] = 99
    assert batch[0, 0] == 99


def test_a_symmetry_moves_cells_planes_and_numbers() -> None:
    spec = FeatureSpec(2, ("a", "b"), 1, 2, ("m", "n"))
    swap = symmetry(spec, cells=[1, 0], codes=[1, 0], planes=[1, 0], numbers=[1, 0])
    features = np.arange(6, dtype=np.float32)
    assert swap.apply(features).tolist() == [3, 2, 1, 0, 5, 4]
    assert swap.apply(np.stack([features, features]))[1].tolist() == [3, 2, 1, 0, 5, 4]
    stays = symmetry(spec, cells=[0, 1], codes=[0, 1])
    assert stays.features.tolist() == identity(spec).features.tolist()


def test_a_game_without_features_gives_its_concealed_array() -> None:
    game = wm.game("kuhn_poker")
    spec = game.features.spec
    assert game.features.own == frozenset()
    assert (spec.size, spec.codes) == (game.sizes.identity, game.sizes.actions)
    state = game.start().play(0).play(2)
    features = game.features.of(state, 0)
    assert features.tolist() == state.conceal(0).array[: game.sizes.identity].tolist()
    assert features.tolist() != game.features.of(state, 1).tolist()
    assert game.features.codes_of(state).tolist() == list(state.legal_actions)
    assert game.features.codes_of(game.start()).tolist() == list(game.start().legal_actions)
    assert len(game.features.symmetries) == 1


def _with_module(monkeypatch: pytest.MonkeyPatch, **names: object) -> wm.Game:
    game = wm.game("kuhn_poker")
    module = types.ModuleType(f"{game.package}.features")
    vars(module).update(names)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return game


def test_a_spec_without_its_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = _with_module(monkeypatch, spec_of=lambda game: FeatureSpec(4, numbers=("one",)))
    with pytest.raises(wm.InvalidGame, match="only one of"):
        Features(game)


def test_a_function_that_is_not_a_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = FeatureSpec(4, numbers=("one",))
    names = {"spec_of": lambda game: spec, "observe": observe_array.python}
    with pytest.raises(wm.InvalidGame, match=r"'observe' in .* isn't a kernel"):
        Features(_with_module(monkeypatch, **names))
    names["observe"] = observe_array
    names["symmetries_of"] = lambda game: [identity(spec)]
    assert Features(_with_module(monkeypatch, **names)).spec is spec
