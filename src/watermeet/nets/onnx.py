"""Networks as ONNX files, run by onnxruntime on one CPU core."""

from __future__ import annotations

import importlib.util
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.checks import quote
from watermeet.core.errors import InvalidArgument, InvalidOptions, NotInstalled
from watermeet.core.game import Game
from watermeet.nets.shape import Shape, logit_places

Floats = npt.NDArray[np.float32]
CARD = "watermeet"
"""Where a file's metadata say how the network was trained, as JSON."""


def network_file(game: Game, name: str) -> Path:
    """The file of a network: in the game's folder if it is there, else as the path says.

    The name of an option in braces stands for its value: network-{seats}.onnx.
    """
    for option, value in game.options.items():
        name = name.replace(f"{{{option}}}", str(value))
    package = importlib.util.find_spec(game.package)
    assert package is not None, "a game is a package"
    assert package.submodule_search_locations is not None, "a game is a folder"
    own = Path(package.submodule_search_locations[0]) / name
    return own if own.is_file() else Path(name)


def has_onnxruntime() -> bool:
    """Whether onnxruntime is installed."""
    return importlib.util.find_spec("onnxruntime") is not None


def onnxruntime_is_missing() -> NotInstalled:
    """The error for whoever asks for a network without onnxruntime."""
    return NotInstalled(
        "networks need onnxruntime", "install the extra nets (docs/guides/install.md)"
    )


@lru_cache(maxsize=16)
def _session(file: str, written: int) -> Any:
    """A session of onnxruntime, which all matches of a process share."""
    try:
        import onnxruntime
    except ImportError as error:
        raise onnxruntime_is_missing() from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def read_card(file: Path) -> dict[str, Any]:
    """What a network's file says about its training."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    card: dict[str, Any] = json.loads(session.get_modelmeta().custom_metadata_map[CARD])
    return card


class OnnxNetwork:
    """A network from a file, for one game: called with features, it judges them."""

    def __init__(self, game: Game, file: Path | str) -> None:
        if not Path(file).is_file():
            raise InvalidOptions(f"there is no network {str(file)!r}", "name an .onnx file")
        self._session = _session(str(file), Path(file).stat().st_mtime_ns)
        self.game, self._places = game, logit_places(game)
        low, high = game.returns_range
        self._middle, self._reach = np.float32((low + high) / 2), np.float32((high - low) / 2)
        self._check()

    def _check(self) -> None:
        """Raise InvalidOptions if the network isn't one for this game."""
        shape = Shape.of(self.game)
        takes = [each.shape[1] for each in self._session.get_inputs()]
        returns = self._session.get_outputs()[1].shape[1]
        if takes != [max(1, shape.planes), max(1, shape.numbers)] or returns != shape.seats:
            raise InvalidOptions(
                f"the network isn't one for {self.game.describe()}",
                "its planes, numbers or seats differ",
            )

    def __call__(self, features: Floats) -> tuple[Floats, Floats]:
        """Priors [batch, codes] and values [batch, seats], the observer's first."""
        size = self.game.features.spec.size
        if np.shape(features)[1:] != (size,):
            raise InvalidArgument(
                f"{quote(features)} aren't features of {self.game.describe()}",
                f"pass an array of {size} numbers for each state",
            )
        logits, values = self._session.run(None, self.inputs_of(self.game, features))
        logits = logits[:, self._places]
        priors = np.exp(logits - logits.max(axis=1, keepdims=True))
        return priors, values * self._reach + self._middle

    @staticmethod
    def inputs_of(game: Game, features: Floats) -> dict[str, Floats]:
        """What a network for a game takes; empty planes or numbers become a zero each."""
        planes, numbers = game.features.spec.split(features)
        if not planes.shape[1]:
            planes = np.zeros((len(features), 1, 1, 1), dtype=np.float32)
        if not numbers.shape[1]:
            numbers = np.zeros((len(features), 1), dtype=np.float32)
        return {"planes": planes, "numbers": numbers}
