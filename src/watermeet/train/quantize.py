"""Makes a network small and fast for a CPU: its convolutions compute with 8-bit integers.

The scales come from positions that the network itself meets when it plays. The first convolution
and the heads keep their floats: they take little time, and outputs depend on them directly.
"""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.errors import InvalidOptions
from watermeet.core.features import NO_CODE
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.nets.onnx import CARD, Floats, OnnxNetwork
from watermeet.nets.packing import QUANTIZED

POSITIONS = 500
"""How many positions of each board set the scales, and as many others are compared."""
LEAVES = 8
"""How many positions are evaluated at a time when time is measured, as a search does."""
_TIMES = 40


@dataclass(frozen=True)
class Sample:
    """What a seat to move saw, and which actions it had."""

    features: Floats
    codes: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Comparison:
    """A network and its quantized copy, in positions of its boards."""

    positions: int
    same_best: float
    """In which share of the positions both find the same action best."""
    lost_prior: float
    """How much less likely the original finds the copy's choice than its own, on average."""
    value_error: float
    """The mean absolute difference of their values."""
    microseconds: tuple[float, float]
    """The CPU time for one position of a batch, before and after."""


def card_of(file: Path) -> dict[str, Any]:
    """What a network's file says about its training; raises InvalidOptions if it says nothing."""
    import onnx

    if not file.is_file():
        raise InvalidOptions(f"there is no network {str(file)!r}", "name an .onnx file")
    found = {each.key: each.value for each in onnx.load(file).metadata_props}
    if CARD not in found:
        raise InvalidOptions(f"{str(file)!r} isn't from watermeet train", "name its network.onnx")
    card: dict[str, Any] = json.loads(found[CARD])
    return card


def boards_of(card: Mapping[str, Any]) -> list[Game]:
    """The game that a network was trained for, with each board's options."""
    settings = card["settings"]
    game = find_game(settings["game"])
    return [game.with_options(**options) for options in settings["boards"]]


def quantize(file: Path, output: Path, *, positions: int = POSITIONS, seed: int = 0) -> Comparison:
    """Write a quantized copy of a network, and compare the two."""
    import onnx
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

    card = card_of(file)
    convolutions = convolutions_of(onnx.load(file).graph)
    boards = boards_of(card)
    samples = [
        sample_positions(game, OnnxNetwork(game, file), 2 * positions, seed) for game in boards
    ]
    kept = [each.name for each in convolutions if "kinds.weight" in each.input]
    seen = [_inputs(game, sample[:positions]) for game, sample in zip(boards, samples, strict=True)]
    logging.disable(logging.WARNING)  # It advises what the exporter has done.
    try:
        quantize_static(
            str(file),
            str(output),
            _Reader(each for inputs in seen for each in inputs),
            quant_format=QuantFormat.QOperator,
            op_types_to_quantize=["Conv"],
            nodes_to_exclude=[convolutions[0].name, *kept],
            per_channel=True,
            activation_type=QuantType.QUInt8,
            # Signed ones overflow on processors without VNNI.
            weight_type=QuantType.QUInt8,
        )
    finally:
        logging.disable(logging.NOTSET)
    rest = [sample[positions:] for sample in samples]
    compared = _compare(boards, rest, file, output)
    _keep_card(output, {**card, QUANTIZED: asdict(compared)})
    return compared


def convolutions_of(graph: Any) -> list[Any]:
    """The convolutions of a network, in order; raises InvalidOptions if it has learnt nothing."""
    found = [each for each in graph.node if each.op_type in ("Conv", "QLinearConv")]
    weights = {name for each in found for name in each.input[1:]}
    if weights - {each.name for each in graph.initializer}:  # Zeros, which share one tensor.
        raise InvalidOptions("the network hasn't learnt anything yet", "train it for longer")
    return found


class _Reader:
    """Inputs, as onnxruntime wants to read them."""

    def __init__(self, inputs: Iterator[dict[str, Floats]]) -> None:
        self._inputs = inputs

    def get_next(self) -> dict[str, Floats] | None:
        """The next batch; None if there is none."""
        return next(self._inputs, None)


def _inputs(game: Game, samples: Sequence[Sample]) -> list[dict[str, Floats]]:
    """Batches of a network's inputs."""
    found = []
    for first in range(0, len(samples), 20):
        features = np.array([each.features for each in samples[first : first + 20]])
        found.append(OnnxNetwork.inputs_of(game, features))
    return found


def sample_positions(game: Game, network: OnnxNetwork, count: int, seed: int) -> list[Sample]:
    """Positions of matches in which moves are drawn from the network's policy."""
    rng = random.Random(f"{seed} {game.describe()}")
    found: list[Sample] = []
    state = game.start().sample(rng)
    while len(found) < count:
        if state.to_move < 0:
            state = game.start().sample(rng)
        sample = Sample(game.features.of(state, state.to_move), game.features.codes_of(state))
        weights = _policy(sample, network(sample.features[None])[0][0])
        state = state.play(rng.choices(state.legal_actions, weights.tolist())[0]).sample(rng)
        if len(weights) > 1:
            found.append(sample)
    return found


def _policy(sample: Sample, priors: Floats) -> Floats:
    """The probabilities of the legal actions."""
    weights = np.where(sample.codes == NO_CODE, 0.0, priors[sample.codes])
    total = weights.sum()
    return weights / total if total > 0 else np.full_like(weights, 1 / len(weights))


def _compare(
    boards: Sequence[Game], samples: Sequence[Sequence[Sample]], file: Path, output: Path
) -> Comparison:
    same, lost, errors = [], [], []
    spent = np.zeros((len(boards), 2))
    for index, (game, chosen) in enumerate(zip(boards, samples, strict=True)):
        networks = [OnnxNetwork(game, each) for each in (file, output)]
        features = np.array([each.features for each in chosen])
        (priors, values), (other_priors, other_values) = (each(features) for each in networks)
        for sample, one, other in zip(chosen, priors, other_priors, strict=True):
            policy, best = _policy(sample, one), int(_policy(sample, other).argmax())
            same.append(policy.argmax() == best)
            lost.append(policy.max() - policy[best])
        errors.append(np.abs(values - other_values).mean())
        spent[index] = _time(networks, features[:LEAVES])
    before, after = spent.mean(axis=0)
    return Comparison(
        len(same),
        float(np.mean(same)),
        float(np.mean(lost)),
        float(np.mean(errors)),
        (float(before), float(after)),
    )


def _time(networks: Sequence[OnnxNetwork], features: Floats) -> list[float]:
    """The shortest CPU time of each for one position, in microseconds; they take turns."""
    shortest = [float("inf")] * len(networks)
    for _ in range(_TIMES):
        for index, network in enumerate(networks):
            started = time.thread_time()
            network(features)
            shortest[index] = min(shortest[index], time.thread_time() - started)
    return [1e6 * each / len(features) for each in shortest]


def _keep_card(file: Path, card: Mapping[str, Any]) -> None:
    import onnx

    model = onnx.load(file)
    kept = [each for each in model.metadata_props if each.key != CARD]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    entry = model.metadata_props.add()
    entry.key, entry.value = CARD, json.dumps(dict(card))
    onnx.save(model, file)
