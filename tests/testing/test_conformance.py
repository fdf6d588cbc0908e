"""The conformance kit passes for every registered game, and finds broken ones."""

from __future__ import annotations

import contextlib
import random
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from _pytest.mark.structures import ParameterSet

import watermeet as wm
from watermeet.core import game as game_module
from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.kernel import runs_plain_python
from watermeet.core.options import Value
from watermeet.search.tree import NONE
from watermeet.search.wins import WinFinder
from watermeet.testing import (
    CHECKS,
    Nonconformance,
    check_game,
    evaluation,
    features,
    option_sets,
    run_check,
)
from watermeet.testing import __main__ as kit
from watermeet.testing.__main__ import main as run_kit

LONG = {
    "faces_agree",
    "hidden_information_does_not_leak",
    "proposed_turns_are_whole",
    "views_and_renderings_are_valid",
}
"""Checks that take long, or what they call takes long to compile; and all of some modules."""


def _every_check() -> list[ParameterSet | str]:
    return [
        pytest.param(name, marks=pytest.mark.slow)
        if name in LONG or check.__module__ in (evaluation.__name__, features.__name__)
        else name
        for name, check in CHECKS.items()
    ]


@pytest.mark.compiled  # One of the checks compares the compiled game with plain Python.
@pytest.mark.parametrize("check", _every_check())
@pytest.mark.parametrize("name", wm.games())
def test_every_game_conforms(name: str, check: str) -> None:
    """Each check, with the sets of options that show most."""
    game = wm.game(name)
    for options in _sets(game, check):
        run_check(check, game.with_options(**options), random.Random(f"{name} {options}"))


MANY = 16


def _sets(game: wm.Game, check: str) -> list[dict[str, Value]]:
    """The sets of options to check every day: of many, every other one; for long checks, half.

    The nightly test below takes the others.
    """
    sets = option_sets(game)
    return sets[:: (1 if len(sets) <= MANY else 2) * (2 if check in LONG else 1)]


@pytest.mark.nightly
@pytest.mark.parametrize("name", wm.games())
def test_every_game_conforms_many_times(name: str) -> None:
    """With the sets of options that are left out above, and if there are none, with other matches.

    The longest checks, and those that have seen all sets, take every third one.
    """
    game = wm.game(name)
    for check in CHECKS:
        rare = [each for each in option_sets(game) if each not in _sets(game, check)]
        step = 3 if check in LONG or not rare else 1
        for options in (rare or option_sets(game))[::step]:
            run_check(check, game.with_options(**options), random.Random(f"many {check} {options}"))


def test_check_game_runs_every_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every set of options, as many times as requested."""
    game = wm.game("kuhn_poker")
    seen: list[tuple[str, wm.Game, float]] = []
    for name in CHECKS:
        note = lambda game, rng, name=name: seen.append((name, game, rng.random()))  # noqa: E731
        monkeypatch.setitem(CHECKS, name, note)
    check_game(game, seed=3, matches=2)
    assert len(seen) == 2 * len(CHECKS) * len(option_sets(game))
    assert {name for name, _, _ in seen} == set(CHECKS)
    assert len({luck for name, _, luck in seen if name == "matches_terminate"}) == 2, (
        "other matches"
    )


def test_the_kit_runs_as_a_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reports each check, says what does not apply, and rejects what is not a game."""
    monkeypatch.setattr(kit, "all_faces", contextlib.nullcontext)  # Which take long to compile.
    name = min(wm.games(), key=lambda name: wm.game(name).sizes.max_length)
    assert run_kit([name]) == 0
    lines = capsys.readouterr().out.splitlines()
    results = {line.split()[1]: line for line in lines if line.startswith(("ok", "n/a"))}
    assert set(results) == set(CHECKS)
    for check in CHECKS:
        reasons = {
            run_check(check, wm.game(name).with_options(**options), random.Random(0))
            for options in option_sets(wm.game(name))
        }
        assert results[check].startswith("ok" if "" in reasons else "n/a")
    assert any("not applicable: the game" in line for line in results.values())
    assert run_kit(["no such game"]) == 2
    assert "there is no game" in capsys.readouterr().err


# ---- broken games are found ---------------------------------------------------------------


class _Broken(game_module.Game):
    """A game whose kernels or hooks a test replaces."""

    def breaking(self, **functions: Callable[..., object]) -> _Broken:
        for name, function in functions.items():
            owner = self.kernels if hasattr(self.kernels, name) else self.hooks
            vars(owner)[name] = function
        return self

    def with_evaluation(self, **functions: Callable[..., object]) -> _Broken:
        """The same game with only these evaluation kernels."""
        self.evaluation.by_name |= functions  # type: ignore[arg-type]
        self.evaluation.own = frozenset(functions)
        return self


def _victim(name: str, **options: Value) -> _Broken:
    game = wm.game(name).with_options(**options)
    fields = {field: getattr(game, field) for field in game.__dataclass_fields__}
    return _Broken(**fields)


def _expect(check: str, game: wm.Game, words: str) -> None:
    with pytest.raises(Nonconformance, match=words):
        _run_often(check, game)


def _run_often(check: str, game: wm.Game) -> None:
    for seed in range(20):
        run_check(check, game, random.Random(seed))


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

    _expect(
        "hidden_information_does_not_leak",
        hidden_game.breaking(conceal=conceal, resample=resample),
        "byte",
    )


def test_a_leaking_view_is_found(hidden_game: _Broken) -> None:
    """A view that counts its calls is never the same twice."""
    calls = iter(range(1_000_000))

    def view(game: wm.Game, array: StateArray, seat: int) -> dict[str, object]:
        labels = [{"label": str(index), "score": None} for index in range(game.seats)]
        return {"sentence": "x", "seats": labels, "board": next(calls)}

    _expect("hidden_information_does_not_leak", hidden_game.breaking(view=view), "must not leak")


def test_wrong_probabilities_are_found(hidden_game: _Broken) -> None:
    """Chance that sums to two."""

    def chance(state: StateArray, out: StateArray) -> None:
        out[:] = 1.0

    _expect("chance_probabilities_sum_to_one", hidden_game.breaking(chance=chance), "must sum to 1")


def test_unsorted_legal_actions_are_found(open_game: _Broken) -> None:
    """Legal actions must ascend."""
    honest = open_game.kernels.legal

    def legal(state: StateArray, out: StateArray) -> int:
        count = honest(state, out)
        out[:count] = out[:count][::-1].copy()
        return count

    _expect("matches_terminate", open_game.breaking(legal=legal), "ascend")


def test_a_match_that_is_too_long_is_found(open_game: _Broken) -> None:
    """The declared length is a bound."""
    short = replace(open_game, sizes_of=lambda options: wm.Sizes(1000, 1000, 2))
    _expect("matches_terminate", short, "must end within 2")


def test_a_wrong_sum_is_found(open_game: _Broken) -> None:
    """Returns must sum to what is declared."""

    def score(state: StateArray, out: StateArray) -> None:
        out[:] = 1.0

    _expect("returns_are_valid", open_game.breaking(score=score), "sum")


def test_a_biased_sample_action_is_found(open_game: _Broken) -> None:
    """A ``sample_action`` that always takes the first legal action."""

    def sample_action(state: StateArray, actions: StateArray, rng: object) -> int:
        open_game.kernels.legal(state, actions)
        return int(actions[0])

    _expect("sample_action_is_uniform", open_game.breaking(sample_action=sample_action), "uniform")


def test_a_wrong_explanation_is_found(open_game: _Broken) -> None:
    """An explanation that calls every action illegal."""

    def explain_action(
        game: wm.Game, array: StateArray, action: int, *, legal: bool
    ) -> Explanation:
        return Explanation("no", "No.")

    game = open_game.breaking(explain_action=explain_action)
    _expect("illegal_actions_are_rejected", game, "must agree with legal")


def test_ambiguous_moves_are_found(open_game: _Broken) -> None:
    """Two moves with one text."""
    game = open_game.breaking(format_action=lambda game, array, action: "x")
    _expect("notation_round_trips", game, "different texts")


@pytest.mark.compiled
def test_compiled_code_that_differs_is_found(open_game: _Broken) -> None:
    """A kernel that differs when it runs as Python."""
    honest = open_game.kernels.apply

    def apply(state: StateArray, action: int) -> None:
        honest(state, action)
        if runs_plain_python():
            state[0] += np.int16(1)

    _expect("faces_agree", open_game.breaking(apply=apply), "apply must agree")


# ---- a broken evaluation is found ---------------------------------------------------------


def _fill(value: float) -> Callable[..., None]:
    """An ``evaluate`` that returns the same for every state."""

    def evaluate(state: StateArray, out: Any) -> None:
        out[:] = value

    return evaluate


def _half_written(state: StateArray, out: Any) -> None:
    out[0] = 0.0


def _one_sided(state: StateArray, out: Any) -> None:
    out[:] = 0.0
    out[0] = 0.5


def _meddling(state: StateArray, out: Any) -> None:
    out[:] = 0.0
    state[0] += 1


def _erratic_evaluate() -> Callable[..., None]:
    moods = iter(range(1, 1_000_000))

    def evaluate(state: StateArray, out: Any) -> None:
        out[0] = 1 / (2 + next(moods))
        out[1:] = -out[0] / (len(out) - 1)

    return evaluate


@pytest.mark.parametrize(
    ("evaluate", "words"),
    [
        (_half_written, "a finite number for each seat"),
        (_fill(float("inf")), "a finite number for each seat"),
        (_fill(2.0), "within the declared returns"),
        (_one_sided, "sum"),
        (_meddling, "must not change the state"),
        (_erratic_evaluate(), "must be deterministic"),
    ],
)
def test_an_invalid_evaluation_is_found(
    open_game: _Broken, evaluate: Callable[..., None], words: str
) -> None:
    """Values that are missing, infinite, too large, one-sided or random."""
    _expect("evaluation_is_within_returns", open_game.with_evaluation(evaluate=evaluate), words)


def test_an_overconfident_evaluation_is_found(open_game: _Broken) -> None:
    """The ends of the returns are for what is proven."""

    def evaluate(state: StateArray, out: Any) -> None:
        out[:] = -1.0, 1.0

    _expect(
        "evaluation_is_within_returns",
        open_game.with_evaluation(evaluate=evaluate),
        "stay off the ends",
    )


def test_partners_with_different_values_are_found() -> None:
    """A team wins or loses together, so its seats have the same value."""
    victim = _victim(next(name for name in wm.games() if len(wm.game(name).teams[0]) > 1))

    def evaluate(state: StateArray, out: Any) -> None:
        out[:] = 0.0
        out[0] = 0.5

    _expect("evaluation_is_within_returns", victim.with_evaluation(evaluate=evaluate), "whole team")


def _constant_priors(value: float, *, skipped: int = 0) -> Callable[..., None]:
    def priors(state: StateArray, actions: Any, count: int, out: Any) -> None:
        out[skipped:count] = value

    return priors


def _reordering(state: StateArray, actions: Any, count: int, out: Any) -> None:
    actions[:count] = actions[:count][::-1].copy()
    out[:count] = 1.0


@pytest.mark.parametrize(
    ("priors", "words"),
    [
        (_constant_priors(1.0, skipped=1), "every legal action a finite weight"),
        (_constant_priors(-1.0), "below 0"),
        (_constant_priors(0.0), "above 0"),
        (_reordering, "list of actions"),
    ],
)
def test_invalid_priors_are_found(
    open_game: _Broken, priors: Callable[..., None], words: str
) -> None:
    """Every legal action has a prior of at least 0, and some action more."""
    _expect("priors_are_valid", open_game.with_evaluation(priors=priors), words)


def test_priors_that_need_hidden_information_are_found(hidden_game: _Broken) -> None:
    """A bot that follows priors passes the state as its seat knows it."""

    def priors(state: StateArray, actions: Any, count: int, out: Any) -> None:
        knows = hidden_game.kernels.to_move(state)
        concealed = state.copy()
        hidden_game.kernels.conceal(state, knows, concealed)
        out[:count] = 0.0 if (concealed == state).all() else 1.0

    _expect("priors_are_valid", hidden_game.with_evaluation(priors=priors), "above 0")


def test_an_invalid_rollout_policy_is_found(open_game: _Broken) -> None:
    """An action out of range, and one that doesn't depend on the random numbers."""
    _expect(
        "rollout_policy_is_legal", open_game.with_evaluation(rollout_policy=lambda *_: -1), "legal"
    )
    calls = iter(range(1_000_000))

    def rollout_policy(state: StateArray, actions: Any, rng: object) -> int:
        count = open_game.kernels.legal(state, actions)
        return int(actions[next(calls) % count])

    _expect(
        "rollout_policy_is_legal",
        open_game.with_evaluation(rollout_policy=rollout_policy),
        "rng alone",
    )


def _claiming(*returns: float, answer: int = 1) -> Callable[..., int]:
    """A ``proven_returns`` that claims the same everywhere."""

    def proven_returns(state: StateArray, out: Any) -> int:
        out[: len(returns)] = returns
        return answer

    return proven_returns


@pytest.mark.parametrize(
    ("proven_returns", "words"),
    [
        (_claiming(1.0, -1.0, answer=2), "answer 0 or 1"),
        (_claiming(1.0), "a finite number for each seat"),
        (_claiming(3.0, -3.0), "within the declared returns"),
        (_claiming(1.0, 1.0), "sum"),
        (_claiming(1.0, -1.0), "the proven return|best play"),
    ],
)
def test_a_wrong_proven_return_is_found(
    open_game: _Broken, proven_returns: Callable[..., int], words: str
) -> None:
    """Invalid answers, and a seat that is claimed to win whatever happens."""
    _expect(
        "proven_returns_are_correct",
        open_game.with_evaluation(proven_returns=proven_returns),
        words,
    )


def test_a_proven_return_that_only_minimax_refutes_is_found() -> None:
    """Nothing is claimed just before the end, so the next states prove nothing."""
    games = [wm.game(name) for name in wm.games() if not wm.game(name).chance]
    variants = [(game, options) for game in games for options in option_sets(game)]
    game, options = min(variants, key=lambda each: each[0].with_options(**each[1]).sizes.max_length)
    victim = _victim(game.name, **options)

    def proven_returns(state: StateArray, out: Any) -> int:
        now = wm.State(victim, state.copy())
        if any(now.play(action).outcome is not None for action in now.legal_actions):
            return 0
        best = evaluation._minimax(now, [evaluation.MINIMAX_NODES])
        if best is None:
            return 0
        out[:] = best[::-1]
        return 1

    _expect(
        "proven_returns_are_correct",
        victim.with_evaluation(proven_returns=proven_returns),
        "best play leads to",
    )


@pytest.mark.compiled
def test_compiled_evaluation_that_differs_is_found(open_game: _Broken) -> None:
    """An ``evaluate`` that differs when it runs as Python."""

    def evaluate(state: StateArray, out: Any) -> None:
        out[:] = 0.0
        if runs_plain_python():
            out[:] = 0.5, -0.5

    _expect(
        "compiled_evaluation_matches_python",
        open_game.with_evaluation(evaluate=evaluate),
        "compiled and in Python",
    )


# ---- broken levels and players are found --------------------------------------------------


def _part(monkeypatch: pytest.MonkeyPatch, game: wm.Game, name: str, **content: object) -> None:
    """Replace a module of a game's folder."""
    module = types.ModuleType(f"{game.package}.{name}")
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, module.__name__, module)


_LEVELS: dict[str, dict[str, Any]] = {
    "drop": {"nodes": 30, "temperature": 0.3},
    "brook": {"nodes": 150},
    "stream": {"nodes": 1_000},
    "river": {"nodes": 8_000},
    "sea": {"seconds": 2.0},
}


_OCEAN = {"method": "network", "network": "n.onnx", "seconds": 2.0}


def _with(name: str, **changes: Any) -> dict[str, dict[str, Any]]:
    """Levels, one of which is changed."""
    return {**_LEVELS, name: {**_LEVELS[name], **changes}}


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ({}, "LEVELS by name"),
        (dict(reversed(_LEVELS.items())), "in order"),
        (("drop", "brook"), "LEVELS by name"),
        ({**_LEVELS, "sea": 2.0}, "it is a mapping"),
        (_with("drop", nodes=None, seconds=1.0), "limited by nodes, not seconds"),
        (_with("sea", seconds=None), "needs a limit"),
        (_with("sea", seconds=0.0), "seconds can't be 0"),
        (_with("sea", second=1.0), "did you mean 'seconds'"),
        (_with("river", nodes=1.5), "nodes can't be 1.5"),
        (_with("river", method="guessing"), "isn't a method"),
        (_with("river", method="alpha-beta"), "can't use alpha-beta"),
        (_with("stream", temperature=-1.0), "temperature"),
        (_with("stream", threads=0), "threads can't be 0"),
        (_with("sea", solver_nodes=-1), "solver_nodes"),
        (_with("sea", solver_nodes=5), "has no solver"),
        (_with("sea", settings={"evaluation_weight": float("nan")}), "evaluation_weight"),
        (_with("sea", settings={"evaluation_weight": "much"}), "evaluation_weight"),
        (_with("sea", settings={"use_priers": True}), "did you mean 'use_priors'"),
        (_with("sea", method="network", network="n.onnx"), "ocean, and no other"),
        ({**_LEVELS, "ocean": {"seconds": 2.0}}, "ocean, and no other"),
        ({**_LEVELS, "ocean": _OCEAN}, "has no network 'n.onnx'"),
        (_with("sea", only={"colour": ("red",)}), "an option that doesn't exist"),
    ],
)
def test_invalid_levels_are_found(
    hidden_game: _Broken, monkeypatch: pytest.MonkeyPatch, levels: object, words: str
) -> None:
    """There must be five, in order, each with limits and a method that suits the game."""
    _part(monkeypatch, hidden_game, "levels", LEVELS=levels)
    _expect("levels_are_valid", hidden_game, words)


def test_valid_levels_pass(hidden_game: _Broken, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above must fail for the right reason."""
    _part(monkeypatch, hidden_game, "levels", LEVELS=_with("drop", nodes=None, method="priors"))
    CHECKS["levels_are_valid"](hidden_game, random.Random(0))


def test_a_level_that_misses_a_win_is_found(
    open_game: _Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A level that chooses anything, if it doesn't look for wins first."""
    levels = _with("drop", nodes=None, method="priors", temperature=1e6)
    _part(monkeypatch, open_game, "levels", LEVELS=levels)
    run_check("levels_take_wins", open_game, random.Random(0))
    monkeypatch.setattr(WinFinder, "find", lambda self, state: NONE)
    _expect("levels_take_wins", open_game, "drop must take an immediate win")


def _first(state: wm.State, rng: random.Random) -> int:
    """Choose the first action."""
    return state.legal_actions[0]


def _silent(state: wm.State, rng: random.Random) -> int:
    return state.legal_actions[0]


def _wrong(state: wm.State, rng: random.Random) -> int:
    """Choose an action out of range."""
    return -1


def _erratic(state: wm.State, rng: random.Random) -> int:
    """Choose without the random source that it is given."""
    return random.choice(state.legal_actions)


@pytest.mark.parametrize(
    ("name", "player", "words"),
    [
        ("two words", _first, "one lower-case word"),
        ("river", _first, "named like a level"),
        ("silent", _silent, "must have a docstring"),
        ("wrong", _wrong, "a legal action"),
        ("erratic", _erratic, "its random source alone"),
    ],
)
def test_invalid_players_are_found(
    open_game: _Broken,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    player: Callable[..., int],
    words: str,
) -> None:
    """A player needs its own name, a docstring, and repeatable choices."""
    _part(monkeypatch, open_game, "players", PLAYERS={name: player})
    _expect("players_are_legal", open_game, words)
