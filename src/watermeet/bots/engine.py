"""Engines: a game's rules, evaluation and search as one WebAssembly module, for a browser.

``build_engine`` makes the module; ``engine_task`` says how a bot's level would search a state, with
nothing in it that the seat to move doesn't know. ``web/src/engine/`` runs the two together, and
finds what ``MonteCarlo`` finds with one thread, to the bit.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from watermeet.bots.levels import MONTE_CARLO, NETWORK, PRIORS, TURNS, Level, levels_of
from watermeet.bots.network_engine import (
    engine_network,
    network_of,
    network_task,
    simulate_network,
)
from watermeet.bots.search_bot import hides_something
from watermeet.core.binding import complete_kernels
from watermeet.core.checks import require_type
from watermeet.core.contract import RandomArray
from watermeet.core.errors import InvalidArgument
from watermeet.core.evaluation import default_evaluation
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel
from watermeet.core.linking import specialize
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.nets.forward import NET_TYPES, Net
from watermeet.search.ismcts import simulate_hidden
from watermeet.search.mcts import simulate
from watermeet.search.settings import Settings
from watermeet.search.tree import Scratch, Tree, make_scratch, make_tree
from watermeet.search.wins import find_win

SECTION = "watermeet"
"""The section of a module that describes it, as JSON."""
FORMAT = 3
"""The version of that description, and of what a module exports."""
_RULES = (
    "setup", "to_move", "legal", "apply", "score", "chance", "conceal", "resample", "rebuild_cache",
)  # fmt: skip
_EVALUATION = ("evaluate", "priors")
_DEFAULT = "_default"
"""Ends the names of searches that don't use the game's evaluation."""


def build_engine(game: Game) -> bytes:
    """The module of a game, for all its options; this takes half a minute or several."""
    from watermeet.core.wasm import compile_module
    from watermeet.core.wasm_object import add_section

    module = compile_module(engine_exports(game))
    return add_section(module, SECTION, json.dumps(_description(game)).encode())


def engine_exports(game: Game) -> list[Any]:
    """What the module of a game exports: its kernels, ``find_win``, both simulations.

    The simulations are there with the default evaluation, too, if a level asks for it.
    """
    from watermeet.core.wasm import Export

    samples = _samples(game)
    found = complete_kernels(game) | game.evaluation.by_name
    exports = [
        Export(name, found[name], samples[name])
        for name in (*_RULES, *_EVALUATION)
        if name in found
    ]
    evaluations = {"": game.evaluation.by_name}
    if any(level.settings.get("use_evaluation") is False for level in levels_of(game)):
        evaluations[_DEFAULT] = default_evaluation(game)
    filled: Kernel[Any, Any] = specialize(find_win, f"{game.package}.engine", found)
    exports.append(Export(find_win.__name__, filled, samples[find_win.__name__]))
    if network_of(game) is not None:
        found_too = found | default_evaluation(game)
        found_too |= {"observe": game.features.observe, "encode": game.features.encode}
        filled = specialize(simulate_network, f"{game.package}.engine_network", found_too)
        name = simulate_network.__name__
        exports.append(Export(name, filled, samples[name]))
    for suffix, evaluation in evaluations.items():
        package = f"{game.package}.engine{suffix}"
        for search in (simulate, simulate_hidden):
            filled = specialize(search, package, found | evaluation)
            name = search.__name__
            exports.append(Export(f"{name}{suffix}", filled, samples[name]))
    return exports


def _samples(game: Game) -> dict[str, tuple[Any, ...]]:
    """Arguments of the types that each exported kernel gets."""
    state, number = game.start_array(), 0
    tree = make_tree(1, 1, ismcts=True, threads=1, slots=1)
    scratch, settings = make_scratch(game, 0), Settings().for_game(game)
    floats = scratch.weights
    net = Net(**{name: np.zeros(1, dtype) for name, dtype in NET_TYPES.items()})
    return {
        "setup": (state, game.kernels.options),
        "to_move": (state,),
        "legal": (state, scratch.actions),
        "apply": (state, number),
        "score": (state, floats),
        "chance": (state, floats),
        "conceal": (state, number, state),
        "resample": (state, number, scratch.rng, state),
        "rebuild_cache": (state,),
        "evaluate": (state, floats),
        "priors": (state, scratch.actions, number, floats),
        "find_win": (
            state,
            number,
            1.0,
            scratch.rng,
            scratch.actions,
            state,
            state,
            scratch.returns,
        ),
        "simulate": (tree, scratch, settings, state, number),
        "simulate_hidden": (tree, scratch, settings, state, number, number),
        "simulate_network": (tree, scratch, settings, state, number, net, 1.0, 0.0),
    }


def _description(game: Game) -> dict[str, Any]:
    """What whoever runs the module needs to know: the types of its tuples' fields, in order."""
    tree: Tree = make_tree(1, 1, ismcts=True, threads=1, slots=1)
    scratch: Scratch = make_scratch(game, 0)
    return {
        "format": FORMAT,
        "game": game.name,
        "state": game.dtype,
        "tree": {name: array.dtype.name for name, array in tree._asdict().items()},
        "scratch": {name: array.dtype.name for name, array in scratch._asdict().items()},
        "settings": {
            name: "float64" if isinstance(value, float) else "int64"
            for name, value in Settings().for_game(game)._asdict().items()
        },
        "options": dict.fromkeys(getattr(game.kernels.options, "_fields", ()), "int64"),
        "net": {name: np.dtype(dtype).name for name, dtype in NET_TYPES.items()},
    }


# ---- tasks ------------------------------------------------------------------------------------


def can_run(game: Game, level: Level) -> bool:
    """Whether engines can play a level of a game."""
    if level.method == NETWORK:
        return engine_network(game, level) is not None
    return level.method in (MONTE_CARLO, TURNS, PRIORS)


def engine_task(state: State, level: Level) -> dict[str, Any]:
    """How a level searches a state, as plain data for the engine in a browser.

    The state is as the seat to move knows it; what it may not know is not in it. Engines have no
    search of whole turns yet: such a level searches a tree there, with its settings for that.
    """
    require_type(state, State, "a state")
    require_type(level, Level, "a level")
    game, settings = state.game, dict(level.by_tree().settings)
    game.require_turn(state)
    if not can_run(game, level):
        raise InvalidArgument(f"engines can't play {level.name!r}", "choose a level that they can")
    known = state.conceal(state.to_move)
    uses_evaluation = bool(settings.pop("use_evaluation", True))
    ismcts = settings.pop("ismcts", None)
    searches_hidden = game.hidden if ismcts is None else bool(ismcts)
    if not searches_hidden and hides_something(known):
        searches_hidden = True
    search = (simulate_hidden if searches_hidden else simulate).__name__
    chosen, network = Settings.of(settings).for_game(game), engine_network(game, level)
    if network is not None:
        search, uses_evaluation = simulate_network.__name__, True
        chosen = chosen._replace(use_priors=True, expand_after=0)
    return {
        "game": game.name,
        "state": base64.b64encode(known.array.tobytes()).decode(),
        "seat": known.to_move,
        "moves": list(known.legal_moves),
        "search": "" if level.method == PRIORS else search + _suffix(uses_evaluation),
        "settings": {name: float(value) for name, value in chosen._asdict().items()},
        "seats": game.seats,
        "actions": game.sizes.actions,
        "max_length": game.sizes.max_length,
        "nodes": level.nodes,
        "seconds": level.seconds,
        "temperature": level.temperature,
        "network": None if network is None else network_task(game, network),
    }


def _suffix(uses_evaluation: bool) -> str:
    return "" if uses_evaluation else _DEFAULT


def engine_seed(seed: object) -> RandomArray:
    """The generator that ``MonteCarlo`` has with one thread and this seed: one 64-bit word."""
    return np.array(seeded((seed, 0)))
