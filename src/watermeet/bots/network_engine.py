"""The part of an engine that plays with a network: its kernel, and what a task says about it."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from watermeet.bots.levels import NETWORK, Level, declared_levels
from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.nets.forward import HEIGHT, Net, evaluate_features
from watermeet.nets.onnx import network_file
from watermeet.nets.packed import unpack
from watermeet.nets.packing import packed_network
from watermeet.search.guided import descend, finish, observe_leaf
from watermeet.search.settings import Settings
from watermeet.search.tree import NONE, ROOT, Scratch, Tree


@kernel
def simulate_network(
    tree: Tree,
    scratch: Scratch,
    settings: Settings,
    root: StateArray,
    count: int,
    net: Net,
    reach: float,
    middle: float,
) -> int:
    """Simulate with a network's priors and values, leaf by leaf; return how often.

    A value of 1 stands for a return of ``middle + reach``.
    """
    for done in range(count):
        if tree.node_proven[ROOT] != 0:
            return done
        leaf, depth = descend(tree, scratch, settings, root, NONE)
        observer = NONE
        if leaf == NONE or tree.node_proven[leaf] == 0:
            for index in range(len(net.features)):
                net.features[index] = 0
            observer = observe_leaf(scratch, False, scratch.state, net.features)
        if observer != NONE:
            evaluate_features(net)
            for seat in range(len(net.values)):
                net.values[seat] = net.values[seat] * reach + middle
        finish(tree, scratch, settings, leaf, depth, observer, net.priors, net.values, False)
    return count


def engine_network(game: Game, level: Level) -> Path | None:
    """The file of a level's network for engines; None if there is none, or if they can't use it.

    They ask a network where nothing is hidden, and the network alone.
    """
    if level.method != NETWORK or game.hidden or level.settings.get("evaluation_weight"):
        return None
    file = network_file(game, level.network)
    return None if packed_network(file) is None else file


def network_of(game: Game) -> Path | None:
    """The file of the game's network for engines; None if it has none."""
    found = (engine_network(game, level) for level in declared_levels(game))
    return next((file for file in found if file is not None), None)


def read_network(file: Path) -> tuple[str, bytes]:
    """A network as engines read it, and a hash of that, which is part of its URL."""
    found = packed_network(file)
    assert found is not None, "a quantized network"
    return found


def network_task(game: Game, file: Path) -> dict[str, Any]:
    """What an engine needs to know of a network besides its file: how it fits this board."""
    digest, content = read_network(file)
    net = unpack(content, game)
    low, high = game.returns_range
    return {
        "digest": digest,
        "lengths": {name: len(array) for name, array in net._asdict().items()},
        "board": net.sizes[HEIGHT:].tolist(),
        "places": base64.b64encode(net.places.tobytes()).decode(),
        "reach": (high - low) / 2,
        "middle": (high + low) / 2,
    }
