"""The published kit over every registered game, and proof that the kit finds what it looks for."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import watermeet as wm
from watermeet.core import game as game_module
from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.kernel import runs_plain_python
from watermeet.core.options import Value
from watermeet.testing import CHECKS, Nonconformance, check_game, option_sets
from watermeet.testing.__main__ import main as run_kit


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@pytest.mark.parametrize("name", wm.games())
def test_every_game_conforms(name: str, check: Callable[[wm.Game, random.Random], None]) -> None:
    """Each law, with sets of options that tell most."""
    game = wm.game(name)
    for options in _sets(game):
        check(game.with_options(**options), random.Random(f"{name} {options}"))


MANY = 16


def _sets(game: wm.Game) -> list[dict[str, Value]]:
    """The sets of options for every day; the slow test below takes all.

    Of many, every other one; in plain Python, where large ones take minutes, the two shortest.
    """
    sets = option_sets(game)
    if runs_plain_python():
        return sorted(sets, key=lambda options: game.with_options(**options).sizes.longest)[:2]
    return sets if len(sets) <= MANY else sets[::2]


@pytest.mark.slow
@pytest.mark.parametrize("name", wm.games())
def test_every_game_conforms_many_times(name: str) -> None:
    """The same with other matches, and every set of options that is worth it."""
    game = wm.game(name)
    check_game(game, seed=1, matches=3 if len(option_sets(game)) <= MANY else 1)


def test_the_kit_runs_as_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    """It names what it checked, and says what is wrong with a name that is no game."""
    name = min(wm.games(), key=lambda name: wm.game(name).sizes.longest)
    assert run_kit([name]) == 0
    assert f"{name}: matches_end: ok" in capsys.readouterr().out
    assert run_kit(["no such game"]) == 1
    assert "there is no game" in capsys.readouterr().out


# ---- a broken game is found out ---------------------------------------------------------------


class _Broken(game_module.Game):
    """A game whose kernels or parts a test replaces."""

    def breaking(self, **functions: Callable[..., object]) -> _Broken:
        for name, function in functions.items():
            owner = self.kernels if hasattr(self.kernels, name) else self.parts
            vars(owner)[name] = function
        return self


def _victim(name: str) -> _Broken:
    game = wm.game(name)
    fields = {field: getattr(game, field) for field in game.__dataclass_fields__}
    return _Broken(**fields)


def _expect(check: str, game: wm.Game, words: str) -> None:
    with pytest.raises(Nonconformance, match=words):
        _run_often(check, game)


def _run_often(check: str, game: wm.Game) -> None:
    for seed in range(20):
        CHECKS[check](game, random.Random(seed))


@pytest.fixture
def hidden_game() -> _Broken:
    """A game with chance and hidden information."""
    name = next(name for name in wm.games() if wm.game(name).hidden)
    return _victim(name)


@pytest.fixture
def open_game() -> _Broken:
    """A game without either."""
    name = next(name for name in wm.games() if not wm.game(name).chance)
    return _victim(name)


def test_a_leak_is_found(hidden_game: _Broken) -> None:
    """A ``conceal`` that hides nothing shows at the first resampled state."""

    def conceal(state: StateArray, seat: int, out: StateArray) -> None:
        out[:] = state

    def resample(concealed: StateArray, seat: int, rng: object, out: StateArray) -> None:
        out[:] = concealed
        out[0] += 1

    _expect("secrets_are_kept", hidden_game.breaking(conceal=conceal, resample=resample), "byte")


def test_a_leaking_view_is_found(hidden_game: _Broken) -> None:
    """A view that remembers who asked before, or counts, is not the same twice."""
    calls = iter(range(1_000_000))

    def view(game: wm.Game, array: StateArray, seat: int) -> dict[str, object]:
        labels = [{"label": str(index), "score": None} for index in range(game.seats)]
        return {"sentence": "x", "seats": labels, "board": next(calls)}

    _expect("secrets_are_kept", hidden_game.breaking(view=view), "leak")


def test_wrong_probabilities_are_found(hidden_game: _Broken) -> None:
    """Chance that sums to two."""

    def chance(state: StateArray, out: StateArray) -> None:
        out[:] = 1.0

    _expect("chance_sums_to_one", hidden_game.breaking(chance=chance), "sum to 1")


def test_unsorted_legal_actions_are_found(open_game: _Broken) -> None:
    """Legal actions must ascend."""
    honest = open_game.kernels.legal

    def legal(state: StateArray, out: StateArray) -> int:
        count = honest(state, out)
        out[:count] = out[:count][::-1].copy()
        return count

    _expect("matches_end", open_game.breaking(legal=legal), "ascend")


def test_a_match_that_is_too_long_is_found(open_game: _Broken) -> None:
    """The declared length is a bound."""
    short = replace(open_game, sizes_of=lambda options: wm.Sizes(1000, 1000, 2))
    _expect("matches_end", short, "ends within 2")


def test_a_wrong_sum_is_found(open_game: _Broken) -> None:
    """Returns must sum to what is declared."""

    def score(state: StateArray, out: StateArray) -> None:
        out[:] = 1.0

    _expect("returns_fit", open_game.breaking(score=score), "sum")


def test_an_unfair_draw_is_found(open_game: _Broken) -> None:
    """``draw`` that always takes the first legal action."""

    def draw(state: StateArray, actions: StateArray, rng: object) -> int:
        open_game.kernels.legal(state, actions)
        return int(actions[0])

    _expect("draw_is_fair", open_game.breaking(draw=draw), "as likely")


def test_a_wrong_explanation_is_found(open_game: _Broken) -> None:
    """An explanation that says illegal of everything."""

    def explain_action(
        game: wm.Game, array: StateArray, action: int, *, legal: bool
    ) -> Explanation:
        return Explanation("no", "No.")

    game = open_game.breaking(explain_action=explain_action)
    _expect("others_are_refused", game, "agrees with legal")


def test_ambiguous_moves_are_found(open_game: _Broken) -> None:
    """Two moves with one text."""
    game = open_game.breaking(format_action=lambda game, array, action: "x")
    _expect("texts_round_trip", game, "different texts")


@pytest.mark.compiled
def test_compiled_code_that_differs_is_found(open_game: _Broken) -> None:
    """A kernel whose two faces differ."""
    honest = open_game.kernels.apply

    def apply(state: StateArray, action: int) -> None:
        honest(state, action)
        if runs_plain_python():
            state[0] += np.int16(1)

    _expect("compiled_equals_plain", open_game.breaking(apply=apply), "apply agrees")
