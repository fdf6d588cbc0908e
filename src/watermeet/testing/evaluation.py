"""The checks of evaluation, levels and players (``core.evaluation``, ``bots.levels``).

A check does not apply to what a game leaves out; the defaults are tested elsewhere.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from watermeet.bots.levels import NAMES, NETWORK, OCEAN, levels_of, playable_levels
from watermeet.bots.search_bot import SearchBot
from watermeet.core.contract import CHANCE, OVER, ActionArray, FloatArray
from watermeet.core.errors import InvalidGame, InvalidOptions
from watermeet.core.evaluation import NO_ACTION
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.kernel import plain_python
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.nets.onnx import OnnxNetwork, has_onnxruntime, network_file
from watermeet.testing.checks import applies_if, check, require, sample_states
from watermeet.testing.matches import random_match

MARGIN = 0.01
"""How far ``evaluate`` stays from the ends of the returns, which are for what is proven."""
SAMPLED = 12
"""How many states of a match are evaluated."""
PLAYED = 4
"""How many states of a match a player moves in; it may look ahead, which takes time."""
LAST_STATES = 6
"""How many states before the end are checked too: most proven returns are there."""
MINIMAX_NODES = 300
"""How many nodes minimax may visit before a state counts as too far from the end."""
FEW_NODES = 20
NETWORK_BYTES = 4_000_000
"""How many nodes levels may search where strength doesn't matter."""
PROPOSED = 40
"""How many turns ``propose_turns`` is asked for."""
TINY = 1e-9


def _evaluated_states(game: Game, rng: random.Random) -> Iterator[State]:
    """Full states that are not over: samples of a match, and what a search would resample there."""
    for state in sample_states(random_match(game, rng), rng, SAMPLED):
        if state.to_move != OVER:
            yield state
            if game.hidden and state.to_move != CHANCE:
                yield state.conceal(state.to_move).resample(rng)


def _own(game: Game, name: str) -> Callable[..., Any] | None:
    """A kernel of evaluation, if the game defines it."""
    return game.evaluation.by_name[name] if name in game.evaluation.own else None


def _action_buffer(game: Game, actions: Sequence[int] = ()) -> ActionArray:
    """A buffer for actions that starts with these; the rest is -1."""
    buffer = np.full(game.sizes.actions, -1, dtype=np.int32)
    buffer[: len(actions)] = actions
    return buffer


# ---- evaluation ---------------------------------------------------------------------------------


@check
def evaluation_is_within_returns(game: Game, rng: random.Random) -> None:
    """``evaluate`` writes a return for each seat, inside the declared range by a margin."""
    applies_if(_own(game, "evaluate"), "the game defines no evaluate")
    low, high = game.returns_range
    for state in _evaluated_states(game, rng):
        values = _evaluate(state)
        _check_returns(state, values, "an evaluation")
        inside = all(low + MARGIN - TINY <= each <= high - MARGIN + TINY for each in values)
        require(inside, "an evaluation must stay off the ends of the declared returns", state)
        require(_evaluate(state) == values, "evaluate must be deterministic", state)


def _evaluate(state: State) -> list[float]:
    array, out = state.array.copy(), np.full(state.game.seats, np.nan)
    state.game.evaluation.by_name["evaluate"](array, out)
    require(array.tobytes() == state.array.tobytes(), "evaluate must not change the state", state)
    return [float(each) for each in out]


def _check_returns(state: State, values: Sequence[float], what: str) -> None:
    """One finite number a seat, within the returns, with their sum, and the same in a team."""
    game = state.game
    low, high = game.returns_range
    require(
        all(math.isfinite(each) for each in values),
        f"{what} must be a finite number for each seat",
        state,
    )
    require(
        all(low <= each <= high for each in values),
        f"{what} must lie within the declared returns",
        state,
    )
    if game.returns_sum is not None:
        is_right = abs(sum(values) - game.returns_sum) < 1e-6
        require(is_right, f"{what} must have the declared sum", state)
    for team in game.teams:
        first, *others = (values[seat] for seat in team)
        alike = all(abs(each - first) < TINY for each in others)
        require(alike, f"{what} must be the same for a whole team", state)


@check
def priors_are_valid(game: Game, rng: random.Random) -> None:
    """``priors`` gives every legal action a weight of at least 0, and some action more than 0.

    Also in a state as its mover knows it, which is what bots that don't search ask for.
    """
    applies_if(_own(game, "priors"), "the game defines no priors")
    for state in _evaluated_states(game, rng):
        if state.to_move == CHANCE:
            continue
        for each in (state, state.conceal(state.to_move)):
            weights = _priors(each)
            is_finite = all(math.isfinite(weight) for weight in weights)
            require(is_finite, "priors must give every legal action a finite weight", each)
            require(all(weight >= 0 for weight in weights), "no prior may be below 0", each)
            require(sum(weights) > 0, "some prior must be above 0", each)
            require(_priors(each) == weights, "priors must be deterministic", each)


def _priors(state: State) -> list[float]:
    game, actions = state.game, state.legal_actions
    array, buffer = state.array.copy(), _action_buffer(game, actions)
    out = np.full(game.sizes.actions, np.nan)
    game.evaluation.by_name["priors"](array, buffer, len(actions), out)
    require(array.tobytes() == state.array.tobytes(), "priors must not change the state", state)
    require(
        tuple(buffer[: len(actions)]) == actions,
        "priors must not change the list of actions",
        state,
    )
    return [float(weight) for weight in out[: len(actions)]]


@check
def rollout_policy_is_legal(game: Game, rng: random.Random) -> None:
    """``rollout_policy`` returns a legal action, the same one for the same random numbers."""
    applies_if(_own(game, "rollout_policy"), "the game defines no rollout_policy")
    for state in _evaluated_states(game, rng):
        if state.to_move != CHANCE:
            for _ in range(3):
                seed = rng.random()
                chosen, _ = _rollout_action(state, seed)
                require(chosen in state.legal_actions, "rollout_policy must be legal", state)
                is_same = _rollout_action(state, seed)[0] == chosen
                require(is_same, "rollout_policy must draw from rng alone", state)


def _rollout_action(state: State, seed: object) -> tuple[int, list[int]]:
    array, generator = state.array.copy(), seeded(seed)
    policy = state.game.evaluation.by_name["rollout_policy"]
    chosen = policy(array, _action_buffer(state.game), generator)
    require(
        array.tobytes() == state.array.tobytes(), "rollout_policy must not change the state", state
    )
    return int(chosen), generator.tolist()


@check
def proposed_turns_are_whole(game: Game, rng: random.Random) -> None:
    """``propose_turns`` gives legal turns to their end, each final state once, with weights."""
    applies_if(_own(game, "propose_turns"), "the game defines no propose_turns")
    for state in _evaluated_states(game, rng):
        if state.to_move == CHANCE:
            continue
        for each in (state, state.conceal(state.to_move)):
            lines = np.full((PROPOSED, game.sizes.max_length), NO_ACTION, dtype=np.int32)
            array, weights = each.array.copy(), np.full(PROPOSED, np.nan)
            count = game.evaluation.by_name["propose_turns"](array, lines, weights)
            is_same = array.tobytes() == each.array.tobytes()
            require(is_same, "propose_turns must not change the state", each)
            turns = [[int(one) for one in line if one != NO_ACTION] for line in lines[:count]]
            after = {each.play_all(turn) for turn in turns}
            require(len(after) == count, "proposed turns must lead to different states", each)
            is_whole = all(one.to_move != each.to_move for one in after)
            require(is_whole, "proposed turns must end", each)
            is_weighed = bool((weights[:count] >= 0).all()) and (count == 0 or weights[0] > 0)
            require(is_weighed, "proposed turns must have weights, and the first above 0", each)


@check
def rollout_turn_ends_the_turn(game: Game, rng: random.Random) -> None:
    """``rollout_turn`` plays a turn to its end, the same one for the same random numbers."""
    applies_if(_own(game, "rollout_turn"), "the game defines no rollout_turn")
    for state in _evaluated_states(game, rng):
        if state.to_move != CHANCE:
            after = []
            for _ in range(2):
                array = state.array.copy()
                game.evaluation.by_name["rollout_turn"](array, _action_buffer(game), seeded(1))
                after.append(State(game, array))
            require(after[0] == after[1], "rollout_turn must draw from rng alone", state)
            is_over = after[0].to_move != state.to_move
            require(is_over, "rollout_turn must end the turn", state)


@check
def proven_returns_are_correct(game: Game, rng: random.Random) -> None:
    """What ``proven_returns`` claims is the minimax value, as far as that can be checked.

    A claim is compared with the claims of the next states, and near the end with minimax.
    """
    applies_if(_own(game, "proven_returns"), "the game defines no proven_returns")
    match = random_match(game, rng)
    last = [state for state in match.states[-1 - LAST_STATES : -1] if state.to_move != OVER]
    for state in (*_evaluated_states(game, rng), *last):
        values = _proven(state)
        if values is not None:
            _check_returns(state, values, "a proven return")
            _check_one_step(state, values)
            best = _minimax(state, [MINIMAX_NODES]) if len(game.teams) <= 2 else None
            is_right = best is None or _are_close(best, values)
            require(is_right, "a proven return must be what best play leads to", state)


def _proven(state: State) -> tuple[float, ...] | None:
    """The proven returns of a state that is not over, or None."""
    array, out = state.array.copy(), np.full(state.game.seats, np.nan)
    answer = state.game.evaluation.by_name["proven_returns"](array, out)
    require(
        array.tobytes() == state.array.tobytes(), "proven_returns must not change the state", state
    )
    require(answer in (0, 1), "proven_returns must answer 0 or 1", state)
    return tuple(float(each) for each in out) if answer == 1 else None


def _check_one_step(state: State, values: Sequence[float]) -> None:
    """The proven return is the best of what the next states prove."""
    following = [state.play(action) for action in state.legal_actions]
    known = [
        each.outcome.returns if each.outcome is not None else _proven(each) for each in following
    ]
    sure = [each for each in known if each is not None]
    if state.to_move == CHANCE:
        if len(sure) == len(known):
            is_true = _are_close(_mean(state, sure), values)
            require(is_true, "a proven return must be the mean over chance outcomes", state)
        return
    gains = [each[state.to_move] for each in sure]
    certain = values[state.to_move]
    is_most = max(gains, default=certain) <= certain + TINY
    require(is_most, "no action may lead to more than the proven return", state)
    is_reached = len(sure) < len(known) or max(gains) >= certain - TINY
    require(is_reached, "some action must lead to the proven return", state)


def _minimax(state: State, left: list[int]) -> tuple[float, ...] | None:
    """The minimax returns; None if finding them takes too many nodes.

    ``left`` holds how many nodes may still be visited. Only for one or two teams: with more, the
    others' returns depend on which of two equally good actions a seat chooses.
    """
    if state.outcome is not None:
        return state.outcome.returns
    left[0] -= len(state.legal_actions)
    if left[0] < 0:
        return None
    found = []
    for action in state.legal_actions:
        best = _minimax(state.play(action), left)
        if best is None:
            return None
        found.append(best)
    if state.to_move == CHANCE:
        return _mean(state, found)
    return max(found, key=lambda returns: returns[state.to_move])


def _mean(state: State, found: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The mean returns over chance outcomes."""
    weights = [weight for _, weight in state.chance_outcomes]
    by_seat = zip(*found, strict=True)
    return tuple(sum(w * g for w, g in zip(weights, gains, strict=True)) for gains in by_seat)


def _are_close(some: Sequence[float], others: Sequence[float]) -> bool:
    return all(abs(one - other) < 1e-6 for one, other in zip(some, others, strict=True))


@check
def compiled_evaluation_matches_python(game: Game, rng: random.Random) -> None:
    """Compiled kernels of evaluation and the Python they are written in agree."""
    applies_if(game.evaluation.own, "the game defines no evaluation")
    for state in _evaluated_states(game, rng):
        seed = rng.random()
        compiled = _evaluation_results(state, seed)
        with plain_python():
            plain = _evaluation_results(state, seed)
        for name, answer in compiled.items():
            # Compiled code may round the last digit differently, and some use single precision.
            same = np.allclose(answer, plain[name], rtol=1e-5, atol=1e-6)
            require(same, f"{name} must agree compiled and in Python", state)


def _evaluation_results(state: State, seed: object) -> dict[str, FloatArray]:
    """What each kernel that the game defines returns for a state, as numbers."""
    values: dict[str, Any] = {}
    own = state.game.evaluation.own
    if "evaluate" in own:
        values["evaluate"] = _evaluate(state)
    if "proven_returns" in own:
        values["proven_returns"] = _proven(state) or ()
    if "priors" in own and state.to_move != CHANCE:
        values["priors"] = _priors(state)
    if "rollout_policy" in own and state.to_move != CHANCE:
        chosen, generator = _rollout_action(state, seed)
        values["rollout_policy"] = [chosen, *generator]
    return {name: np.array(numbers, dtype=np.float64) for name, numbers in values.items()}


# ---- levels and players -------------------------------------------------------------------------


@check
def levels_are_valid(game: Game, rng: random.Random) -> None:
    """There are five levels with the standard names, or six, and the game suits each.

    A network is small, and one for this game.
    """
    module = import_optional(game.package, "levels")
    applies_if(module, "the game has no levels.py")
    try:
        for level in levels_of(game):
            if level.method == NETWORK:
                file = network_file(game, level.network)
                require(file.stat().st_size <= NETWORK_BYTES, "a network has at most 4 MB", game)
                if has_onnxruntime():
                    OnnxNetwork(game, file)
    except (InvalidGame, InvalidOptions) as error:
        require(False, f"levels.py must be valid: {error}", game)


@check
def levels_take_wins(game: Game, rng: random.Random) -> None:
    """Every level takes a win that is one action away, whatever its temperature."""
    state = _state_before_win(game, rng)
    applies_if(state, "a random match came nowhere near a win")
    assert state is not None
    known = state.conceal(state.to_move)
    for level in playable_levels(game):
        limited = level.with_limits(None, min(level.nodes or FEW_NODES, FEW_NODES))
        action = SearchBot(game, limited, seed=rng.random()).play(known).action
        require(_wins(state, action), f"{level.name} must take an immediate win", state)


def _state_before_win(game: Game, rng: random.Random) -> State | None:
    """A state in which some action wins at once and another doesn't: at the end of a match."""
    for state in reversed(random_match(game, rng).states[-1 - LAST_STATES : -1]):
        if state.to_move >= 0:
            known = state.conceal(state.to_move)
            states = [state, *(known.resample(rng) for _ in range(3 * game.hidden))]
            found = {all(_wins(each, action) for each in states) for action in state.legal_actions}
            if found == {True, False}:
                return state
    return None


def _wins(state: State, action: int) -> bool:
    outcome = state.play(action).outcome
    best = state.game.returns_range[1]
    return outcome is not None and outcome.returns[state.to_move] >= best


@check
def players_are_legal(game: Game, rng: random.Random) -> None:
    """Players have names and docstrings, and choose legally from what their seat knows."""
    module = import_optional(game.package, "players")
    applies_if(module, "the game has no players.py")
    for name, player in getattr(module, "PLAYERS", {}).items():
        is_word = re.fullmatch(r"[a-z][a-z0-9_-]*", name) is not None
        require(is_word, f"the name {name!r} of a player must be one lower-case word", game)
        require(
            name not in (*NAMES, OCEAN), f"the player {name} must not be named like a level", game
        )
        require((player.__doc__ or "").strip(), f"the player {name} must have a docstring", game)
        for state in sample_states(random_match(game, rng), rng, PLAYED):
            if state.to_move < 0:
                continue
            known, seed = state.conceal(state.to_move), rng.random()
            before = known.array.tobytes()
            chosen = [player(known, random.Random(seed)) for _ in range(2)]
            require(
                known.array.tobytes() == before,
                f"the player {name} must not change the state",
                state,
            )
            require(
                chosen[0] in state.legal_actions,
                f"the player {name} must choose a legal action",
                state,
            )
            require(
                chosen[0] == chosen[1],
                f"the player {name} must draw from its random source alone",
                state,
            )
