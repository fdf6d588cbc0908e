"""What a net gets of a state: numbers, codes of actions, and symmetries. Names, shapes and laws.

A game says it in its ``features.py``; for games without one the concealed array itself serves. The
kernels get *concealed* states and nothing else, so features cannot leak.

Features are one flat array of 32-bit floats: first the planes, each ``height`` rows of ``width``
numbers, then single numbers. ``Layout`` names them all. They are told from the
seat's own point of view: what is its own comes first, then the others in the order of seats.

A *code* is the number of an action for a net. It may differ from the action's own, which a game may
count from something that moves, such as a place in a hand. A symmetry permutes features and codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidGame
from watermeet.core.kernel import Kernel, kernel, slot

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.state import State

FeatureArray = npt.NDArray[np.float32]  # [Layout.size]
Permutation = npt.NDArray[np.int32]

NO_CODE = -1
"""The code of an action for which the codes have no room."""
NAMES = ("layout_of", "observe", "encode", "symmetries_of")


@slot
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Writes all features of a state, concealed for a seat, as that seat sees them.

    ``out`` comes with anything in it. What is written lies within the layout's range, and the memo
    changes nothing.
    """
    raise NotImplementedError


@slot
def encode(known: StateArray, action: int) -> int:
    """The code of a legal action, or NO_CODE; no two legal actions of a state have the same.

    ``known`` is concealed for the mover; at CHANCE it is the full state.
    """
    raise NotImplementedError


@dataclass(frozen=True)
class Layout:
    """What the features of a game are under its options: names, shape and range.

    >>> Layout(planes=("mine", "theirs"), height=3, width=3, numbers=("my turn",), codes=9).size
    19
    """

    codes: int
    planes: tuple[str, ...] = ()
    height: int = 0
    width: int = 0
    numbers: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, height and width."""
        return len(self.planes), self.height, self.width

    @property
    def plane_size(self) -> int:
        """How many features are those of the planes."""
        return len(self.planes) * self.height * self.width

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.plane_size + len(self.numbers)

    def split(self, features: FeatureArray) -> tuple[FeatureArray, FeatureArray]:
        """Planes and numbers, as views, of the features of one state or of many."""
        # [..., size] -> [..., planes, height, width], [..., numbers]
        planes, numbers = features[..., : self.plane_size], features[..., self.plane_size :]
        return planes.reshape(*features.shape[:-1], *self.shape), numbers


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Where features and codes go: number ``i`` of a state is number ``features[i]`` of its image.

    If both sides play what the symmetry maps, chance included, everything stays mapped to the end.
    """

    features: Permutation
    codes: Permutation

    def apply(self, features: FeatureArray) -> FeatureArray:
        """The features of the image, of one state or of many."""
        image = np.empty_like(features)
        image[..., self.features] = features
        return image


def symmetry(
    layout: Layout,
    cells: Sequence[int],
    codes: Sequence[int],
    planes: Sequence[int] | None = None,
    numbers: Sequence[int] | None = None,
) -> Symmetry:
    """A symmetry from where cells, planes and numbers go; planes and numbers stay if not given."""
    plane_count, height, width = layout.shape
    plane_to = np.arange(plane_count) if planes is None else np.asarray(planes)
    number_to = np.arange(len(layout.numbers)) if numbers is None else np.asarray(numbers)
    in_planes = plane_to[:, None] * (height * width) + np.asarray(cells, dtype=np.int64)[None, :]
    features = np.concatenate([in_planes.reshape(-1), layout.plane_size + number_to])
    return Symmetry(features.astype(np.int32), np.asarray(codes, dtype=np.int32))


def identity(layout: Layout) -> Symmetry:
    """The symmetry that leaves all where it is."""
    features = np.arange(layout.size, dtype=np.int32)
    return Symmetry(features, np.arange(layout.codes, dtype=np.int32))


# ---- what serves games that do not say ----------------------------------------------------------


def plain_layout(game: Game) -> Layout:
    """The numbers of the array, as they are."""
    limits = np.iinfo(game.dtype)
    names = tuple(f"state[{index}]" for index in range(game.sizes.identity))
    return Layout(
        codes=game.sizes.actions, numbers=names, low=float(limits.min), high=float(limits.max)
    )


@kernel
def observe_array(known: StateArray, seat: int, out: FeatureArray) -> None:
    """As ``observe``: the array itself, without its memo."""
    for index in range(len(out)):
        out[index] = np.float32(known[index])


@kernel
def encode_as_is(known: StateArray, action: int) -> int:
    """As ``encode``: the action's own number."""
    return action


class Features:
    """A game's features, with plain ones in the place of what it does not say.

    ``game.features`` makes it. Without symmetries of its own a game has the identity alone.
    """

    observe: Kernel[Any, Any]
    encode: Kernel[Any, Any]

    def __init__(self, game: Game) -> None:
        from watermeet.core.game import import_part

        module = import_part(game.package, "features")
        self.game = game
        self.own: frozenset[str] = frozenset(name for name in NAMES if hasattr(module, name))
        """What the game says itself."""
        if ("layout_of" in self.own) != ("observe" in self.own):
            raise InvalidGame(
                f"{game.package}.features has only one of 'layout_of' and 'observe'",
                "define both, as watermeet.core.features says",
            )
        self.layout: Layout = getattr(module, "layout_of", plain_layout)(game)
        self.observe = self._kernel(module, "observe", observe_array)
        self.encode = self._kernel(module, "encode", encode_as_is)
        self.symmetries: tuple[Symmetry, ...] = (identity(self.layout),)
        if "symmetries_of" in self.own:
            self.symmetries = tuple(getattr(module, "symmetries_of")(game))  # noqa: B009

    def _kernel(self, module: object, name: str, plain: Kernel[Any, Any]) -> Kernel[Any, Any]:
        found = getattr(module, name, plain)
        if not isinstance(found, Kernel):
            raise InvalidGame(
                f"{self.game.package}.features has no @kernel on {name!r}",
                f"define it as watermeet.core.features.{name} says",
            )
        return found

    def of(self, state: State, seat: int) -> FeatureArray:
        """The features of a state as a seat sees them; what it may not know does not matter."""
        known = state.conceal(seat).array.copy()
        out = np.empty(self.layout.size, dtype=np.float32)
        self.observe(known, seat, out)
        return out

    def codes_of(self, state: State) -> npt.NDArray[np.int32]:
        """The codes of a state's legal actions, in their order."""
        known = state.conceal(state.to_move) if state.to_move >= 0 else state
        array = known.array.copy()
        codes = [int(self.encode(array, action)) for action in state.legal_actions]
        return np.array(codes, dtype=np.int32)
