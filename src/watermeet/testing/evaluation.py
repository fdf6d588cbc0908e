"""The checks of what a game thinks of its states: judgement, levels, and simple players.

The laws are those of ``watermeet.core.evaluation`` and ``watermeet.core.levels``. A game that says
nothing of its own passes: the plain ones serve, and they are tested elsewhere. Whether bots can be
made of its levels is for ``watermeet.bots``, which this package does not know.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from watermeet.core.contract import CHANCE, OVER, ActionArray, FloatArray
from watermeet.core.game import Game, import_part
from watermeet.core.kernel import plain_python
from watermeet.core.levels import ALPHA_BETA, METHODS, NAMES, WEIGHTS, Level
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.testing.laws import demand, law, some_states
from watermeet.testing.matches import random_match

CERTAIN = 0.01
"""So much of the ends of the declared returns is for what is certain."""
GENTLE = 3
"""So many levels, the first ones, are as strong on every machine."""
LOOK_AT = 12
"""How many states of a match are judged."""
CHOSEN_IN = 4
"""How many states of a match a player chooses in; it may look ahead, which takes time."""
LAST_STATES = 6
"""So many before the end are looked at for what is certain, where most is."""
MOST_PLAYED_OUT = 300
"""How many states best play is looked for in, until a state counts as too far from the end."""
TINY = 1e-9


def _judged_states(game: Game, rng: random.Random) -> Iterator[State]:
    """Full states that are not over: some of a match, and what a search for their mover draws."""
    for state in some_states(random_match(game, rng), rng, LOOK_AT):
        if state.to_move != OVER:
            yield state
            if game.hidden and state.to_move != CHANCE:
                yield state.conceal(state.to_move).resample(rng)


def _own(game: Game, name: str) -> Callable[..., Any] | None:
    """A kernel of judgement, if the game defines it."""
    return game.evaluation.by_name[name] if name in game.evaluation.own else None


def _room(game: Game, actions: Sequence[int] = ()) -> ActionArray:
    """Room for actions, with these in front; the rest is none."""
    room = np.full(game.sizes.actions, -1, dtype=np.int32)
    room[: len(actions)] = actions
    return room


# ---- judgement ----------------------------------------------------------------------------------


@law
def expectations_fit(game: Game, rng: random.Random) -> None:
    """``evaluate`` gives each seat something within the declared returns, short of certain."""
    if _own(game, "evaluate") is None:
        return
    low, high = game.returns_range
    for state in _judged_states(game, rng):
        told = _evaluate(state)
        _check_returns(state, told, "what seats expect")
        inside = all(low + CERTAIN - TINY <= each <= high - CERTAIN + TINY for each in told)
        demand(inside, "what seats expect keeps off the ends of the returns", state)
        demand(_evaluate(state) == told, "evaluate repeats itself", state)


def _evaluate(state: State) -> list[float]:
    array, out = state.array.copy(), np.full(state.game.seats, np.nan)
    state.game.evaluation.by_name["evaluate"](array, out)
    demand(array.tobytes() == state.array.tobytes(), "evaluate leaves the state", state)
    return [float(each) for each in out]


def _check_returns(state: State, told: Sequence[float], what: str) -> None:
    """One finite number a seat, within the returns, with their sum, and the same in a team."""
    game = state.game
    low, high = game.returns_range
    demand(all(math.isfinite(each) for each in told), f"{what} is a number for each seat", state)
    demand(all(low <= each <= high for each in told), f"{what} lies within the returns", state)
    if game.returns_sum is not None:
        is_right = abs(sum(told) - game.returns_sum) < 1e-6
        demand(is_right, f"{what} has the sum that is declared", state)
    for team in game.teams:
        first, *others = (told[seat] for seat in team)
        alike = all(abs(each - first) < TINY for each in others)
        demand(alike, f"{what} is the same for a whole team", state)


@law
def weights_fit(game: Game, rng: random.Random) -> None:
    """``priors`` gives every legal action a weight of 0 or more, and some action more than 0.

    Also for a state as its mover knows it, since bots that do not look ahead ask nothing else.
    """
    if _own(game, "priors") is None:
        return
    for state in _judged_states(game, rng):
        if state.to_move == CHANCE:
            continue
        for each in (state, state.conceal(state.to_move)):
            weights = _weigh(each)
            is_finite = all(math.isfinite(weight) for weight in weights)
            demand(is_finite, "every legal action has a weight", each)
            demand(all(weight >= 0 for weight in weights), "no weight is below 0", each)
            demand(sum(weights) > 0, "some action has a weight above 0", each)
            demand(_weigh(each) == weights, "weigh repeats itself", each)


def _weigh(state: State) -> list[float]:
    game, actions = state.game, state.legal_actions
    array, room, out = state.array.copy(), _room(game, actions), np.full(game.sizes.actions, np.nan)
    game.evaluation.by_name["priors"](array, room, len(actions), out)
    demand(array.tobytes() == state.array.tobytes(), "weigh leaves the state", state)
    demand(tuple(room[: len(actions)]) == actions, "weigh leaves the list of actions", state)
    return [float(weight) for weight in out[: len(actions)]]


@law
def picks_are_legal(game: Game, rng: random.Random) -> None:
    """``rollout_policy`` gives a legal action, and the same one from the same random numbers."""
    if _own(game, "rollout_policy") is None:
        return
    for state in _judged_states(game, rng):
        if state.to_move != CHANCE:
            for _ in range(3):
                seed = rng.random()
                picked, _ = _pick(state, seed)
                demand(picked in state.legal_actions, "what is picked is legal", state)
                demand(_pick(state, seed)[0] == picked, "pick draws from its numbers alone", state)


def _pick(state: State, seed: object) -> tuple[int, list[int]]:
    array, generator = state.array.copy(), seeded(seed)
    picked = state.game.evaluation.by_name["rollout_policy"](array, _room(state.game), generator)
    demand(array.tobytes() == state.array.tobytes(), "pick leaves the state", state)
    return int(picked), generator.tolist()


@law
def certainties_hold(game: Game, rng: random.Random) -> None:
    """What ``proven_returns`` claims is what best play leads to, as far as that can be checked.

    A state is held against those that it leads to, which may be over or settled themselves, and
    near the end against all that can still be played.
    """
    if _own(game, "proven_returns") is None:
        return
    match = random_match(game, rng)
    last = [state for state in match.states[-1 - LAST_STATES : -1] if state.to_move != OVER]
    for state in (*_judged_states(game, rng), *last):
        told = _settle(state)
        if told is not None:
            _check_returns(state, told, "what is certain")
            _check_one_step(state, told)
            best = _best_play(state, [MOST_PLAYED_OUT]) if len(game.teams) <= 2 else None
            is_true = best is None or _are_close(best, told)
            demand(is_true, "what is certain is what best play leads to", state)


def _settle(state: State) -> tuple[float, ...] | None:
    """What is certain in a state that is not over, or None."""
    array, out = state.array.copy(), np.full(state.game.seats, np.nan)
    answer = state.game.evaluation.by_name["proven_returns"](array, out)
    demand(array.tobytes() == state.array.tobytes(), "settle leaves the state", state)
    demand(answer in (0, 1), "settle answers 0 or 1", state)
    return tuple(float(each) for each in out) if answer == 1 else None


def _check_one_step(state: State, told: Sequence[float]) -> None:
    """Nobody can do better at once than what is certain, nor does everything lead to less."""
    following = [state.play(action) for action in state.legal_actions]
    known = [
        each.outcome.returns if each.outcome is not None else _settle(each) for each in following
    ]
    sure = [each for each in known if each is not None]
    if state.to_move == CHANCE:
        if len(sure) == len(known):
            is_true = _are_close(_mean(state, sure), told)
            demand(is_true, "what is certain is what chance leads to", state)
        return
    gains = [each[state.to_move] for each in sure]
    certain = told[state.to_move]
    demand(max(gains, default=certain) <= certain + TINY, "no action beats what is certain", state)
    is_reached = len(sure) < len(known) or max(gains) >= certain - TINY
    demand(is_reached, "some action leads to what is certain", state)


def _best_play(state: State, left: list[int]) -> tuple[float, ...] | None:
    """The returns if everybody plays as well as can be; None if that takes too long to find out.

    ``left`` counts the states that may still be looked at. Only for one or two teams: where there
    are more, what the others get depends on which of its equally good actions somebody chooses.
    """
    if state.outcome is not None:
        return state.outcome.returns
    left[0] -= len(state.legal_actions)
    if left[0] < 0:
        return None
    found = []
    for action in state.legal_actions:
        best = _best_play(state.play(action), left)
        if best is None:
            return None
        found.append(best)
    if state.to_move == CHANCE:
        return _mean(state, found)
    return max(found, key=lambda returns: returns[state.to_move])


def _mean(state: State, found: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """What chance leads to."""
    weights = [weight for _, weight in state.chance_outcomes]
    by_seat = zip(*found, strict=True)
    return tuple(sum(w * g for w, g in zip(weights, gains, strict=True)) for gains in by_seat)


def _are_close(some: Sequence[float], others: Sequence[float]) -> bool:
    return all(abs(one - other) < 1e-6 for one, other in zip(some, others, strict=True))


@law
def judgement_is_as_written(game: Game, rng: random.Random) -> None:
    """The compiled kernels of judgement and the plain Python they are written in agree."""
    for state in _judged_states(game, rng):
        seed = rng.random()
        compiled = _opinions(state, seed)
        with plain_python():
            plain = _opinions(state, seed)
        for name, answer in compiled.items():
            # Compiled code may round the last digit otherwise, and some reckon with few digits.
            same = np.allclose(answer, plain[name], rtol=1e-5, atol=1e-6)
            demand(same, f"{name} agrees compiled and plain", state)


def _opinions(state: State, seed: object) -> dict[str, FloatArray]:
    """What every kernel of the game's own says of a state, as numbers."""
    told: dict[str, Any] = {}
    own = state.game.evaluation.own
    if "evaluate" in own:
        told["evaluate"] = _evaluate(state)
    if "proven_returns" in own:
        told["proven_returns"] = _settle(state) or ()
    if "priors" in own and state.to_move != CHANCE:
        told["priors"] = _weigh(state)
    if "rollout_policy" in own and state.to_move != CHANCE:
        picked, generator = _pick(state, seed)
        told["rollout_policy"] = [picked, *generator]
    return {name: np.array(numbers, dtype=np.float64) for name, numbers in told.items()}


# ---- levels and players -------------------------------------------------------------------------


@law
def levels_are_declared(game: Game, rng: random.Random) -> None:
    """There are five levels with the names that all games use, and each can serve the game."""
    module = import_part(game.package, "levels")
    if module is None:
        return
    levels = getattr(module, "LEVELS", ())
    demand(all(isinstance(level, Level) for level in levels), "LEVELS are levels", game)
    named = tuple(level.name for level in levels)
    demand(named == NAMES, f"the levels are {', '.join(NAMES)}, in this order", game)
    for level in levels:
        _check_level(game, level)
    for level in levels[:GENTLE]:
        is_even = level.nodes is not None or level.method == WEIGHTS
        demand(is_even, f"{level.name} is limited by nodes, for all machines alike", game)


def _check_level(game: Game, level: Level) -> None:
    def must(condition: object, what: str) -> None:
        demand(condition, f"the level {level.name} {what}", game)

    must(level.method in METHODS, "has a method that there is")
    limits = [each for each in (level.seconds, level.nodes) if each is not None]
    must(limits or level.method == WEIGHTS, "has a limit")
    must(all(limit > 0 for limit in limits), "has limits above 0")
    must(math.isfinite(level.softness) and level.softness >= 0, "is soft by 0 or more")
    must(level.threads >= 1, "has a thread")
    must(level.solver_nodes >= 0, "has solver nodes of 0 or more")
    has_solver = import_part(game.package, "solver") is not None
    must(has_solver or not level.solver_nodes, "asks a solver that there is")
    sees_all = game.seats == 2 and not game.chance and not game.hidden
    must(sees_all or level.method != ALPHA_BETA, "uses alpha-beta for two who see everything")
    numbers = [isinstance(each, int | float) for each in level.settings.values()]
    must(all(numbers) and all(map(math.isfinite, level.settings.values())), "has number settings")


@law
def players_play(game: Game, rng: random.Random) -> None:
    """Players have names of their own, say what they do, and choose legally from what they know."""
    module = import_part(game.package, "players")
    if module is None:
        return
    for name, player in getattr(module, "PLAYERS", {}).items():
        is_word = re.fullmatch(r"[a-z][a-z0-9_-]*", name) is not None
        demand(is_word, f"the player {name!r} is named by a word", game)
        demand(name not in NAMES, f"the player {name} is named unlike a level", game)
        demand((player.__doc__ or "").strip(), f"the player {name} says what it does", game)
        for state in some_states(random_match(game, rng), rng, CHOSEN_IN):
            if state.to_move < 0:
                continue
            known, seed = state.conceal(state.to_move), rng.random()
            before = known.array.tobytes()
            chosen = [player(known, random.Random(seed)) for _ in range(2)]
            demand(known.array.tobytes() == before, f"{name} leaves the state", state)
            demand(chosen[0] in state.legal_actions, f"{name} chooses a legal action", state)
            demand(chosen[0] == chosen[1], f"{name} draws from its numbers alone", state)
