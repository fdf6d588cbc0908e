"""Features: what a network sees of a state, codes for actions, and symmetries.

A game defines them in its ``features.py``; for games without one, the concealed array itself
serves. The kernels get *concealed* states and nothing else, so features cannot leak.

The features of a state are one flat array of 32-bit floats: first the planes, each ``height`` rows
of ``width`` numbers, then single numbers. ``FeatureSpec`` names them all. They are relative to the
observing seat: its own things come first, then the other seats' in order.

A *code* is the number of an action for networks and learning environments: it means the same in
every state. It may differ from the action's number, which can depend on something that moves, such
as a place in a hand. A symmetry permutes features and codes. *Places* say to which cells of the
planes codes belong, so that a network can judge them where they happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidGame, NoSuchSeat
from watermeet.core.hooks import import_optional
from watermeet.core.kernel import Kernel, kernel, slot
from watermeet.core.state import State

if TYPE_CHECKING:
    from watermeet.core.game import Game

FeatureArray = npt.NDArray[np.float32]  # [FeatureSpec.size]
Permutation = npt.NDArray[np.int32]

NO_CODE = -1
"""The code of an action that has none."""
NO_PLACE = -1
"""The place of a code that belongs to no cell."""
NAMES = ("spec_of", "observe", "encode", "symmetries_of", "places_of")


@slot
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Write the features of a state that was concealed for this seat.

    ``out`` holds zeros, so only what differs has to be written, unless the FeatureSpec is *dense*.
    All values lie within its range. ``known`` comes without its cache.
    """
    raise NotImplementedError


@slot
def encode(known: StateArray, action: int) -> int:
    """The code of a legal action, or NO_CODE; two legal actions of a state never share a code.

    ``known`` is concealed for the mover or the full state: both give the same code.
    """
    raise NotImplementedError


@dataclass(frozen=True)
class FeatureSpec:
    """The names, shape and range of a game's features under its options.

    >>> FeatureSpec(9, planes=("mine", "theirs"), height=3, width=3, numbers=("my turn",)).size
    19
    """

    codes: int
    planes: tuple[str, ...] = ()
    height: int = 0
    width: int = 0
    numbers: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    dense: bool = False
    """Whether ``observe`` writes every number, so that nobody has to clear the array before."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The number of planes, their height and their width."""
        return len(self.planes), self.height, self.width

    @property
    def plane_size(self) -> int:
        """How many features the planes have together."""
        return len(self.planes) * self.height * self.width

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.plane_size + len(self.numbers)

    def split(self, features: FeatureArray) -> tuple[FeatureArray, FeatureArray]:
        """Planes and numbers, as views of the features of one state or of many."""
        # [..., size] -> [..., planes, height, width], [..., numbers]
        planes = features[..., : self.plane_size]
        return planes.reshape(*features.shape[:-1], *self.shape), features[..., self.plane_size :]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Where features and codes go: feature ``i`` of a state is ``features[i]`` of its image.

    If a state and its image are played on by mapped actions, chance included, each later state is
    the image of the other.
    """

    features: Permutation
    codes: Permutation

    def apply(self, features: FeatureArray) -> FeatureArray:
        """The features of the image, of one state or of many."""
        image = np.empty_like(features)
        image[..., self.features] = features
        return image


def symmetry(
    spec: FeatureSpec,
    cells: Sequence[int],
    codes: Sequence[int],
    planes: Sequence[int] | None = None,
    numbers: Sequence[int] | None = None,
) -> Symmetry:
    """A symmetry from where cells, planes and numbers go; planes and numbers stay by default."""
    plane_count, height, width = spec.shape
    plane_to = np.arange(plane_count) if planes is None else np.asarray(planes)
    number_to = np.arange(len(spec.numbers)) if numbers is None else np.asarray(numbers)
    in_planes = plane_to[:, None] * (height * width) + np.asarray(cells, dtype=np.int64)[None, :]
    features = np.concatenate([in_planes.reshape(-1), spec.plane_size + number_to])
    return Symmetry(features.astype(np.int32), np.asarray(codes, dtype=np.int32))


def identity(spec: FeatureSpec) -> Symmetry:
    """The symmetry that maps every state to itself."""
    features = np.arange(spec.size, dtype=np.int32)
    return Symmetry(features, np.arange(spec.codes, dtype=np.int32))


# ---- defaults ---------------------------------------------------------------------------------


def default_spec(game: Game) -> FeatureSpec:
    """The numbers of the array, as they are."""
    limits = np.iinfo(game.dtype)
    names = tuple(f"state[{index}]" for index in range(game.sizes.identity))
    return FeatureSpec(
        codes=game.sizes.actions,
        numbers=names,
        low=float(limits.min),
        high=float(limits.max),
        dense=True,
    )


@kernel
def observe_array(known: StateArray, seat: int, out: FeatureArray) -> None:
    """The default of ``observe``: the array itself, without its cache."""
    for index in range(len(out)):
        out[index] = np.float32(known[index])


@kernel
def encode_unchanged(known: StateArray, action: int) -> int:
    """The default of ``encode``: the action's number."""
    return action


class Features:
    """A game's features, with defaults for what its folder leaves out; see ``Game.features``.

    A game that defines no symmetries has only the identity, and without ``places_of`` no code
    belongs to a cell.
    """

    observe: Kernel[Any, Any]
    encode: Kernel[Any, Any]

    def __init__(self, game: Game) -> None:
        module = import_optional(game.package, "features")
        self.game = game
        self.own: frozenset[str] = frozenset(name for name in NAMES if hasattr(module, name))
        """The names that the game defines."""
        if ("spec_of" in self.own) != ("observe" in self.own):
            raise InvalidGame(
                f"{game.package}.features defines only one of 'spec_of' and 'observe'",
                "define both, as watermeet.core.features describes",
            )
        self.spec: FeatureSpec = getattr(module, "spec_of", default_spec)(game)
        self.observe = self._kernel(module, "observe", observe_array)
        self.encode = self._kernel(module, "encode", encode_unchanged)
        self.symmetries: tuple[Symmetry, ...] = (identity(self.spec),)
        if "symmetries_of" in self.own:
            self.symmetries = tuple(getattr(module, "symmetries_of")(game))  # noqa: B009
        self.places: Permutation = np.full(self.spec.codes, NO_PLACE, dtype=np.int32)
        """[codes]: ``kind * cells + cell`` for a code that belongs to a cell, else NO_PLACE.

        Kinds are numbered from 0; what they mean is the game's affair."""
        if "places_of" in self.own:
            self.places[:] = getattr(module, "places_of")(game)  # noqa: B009

    def _kernel(self, module: object, name: str, default: Kernel[Any, Any]) -> Kernel[Any, Any]:
        found = getattr(module, name, default)
        if not isinstance(found, Kernel):
            raise InvalidGame(
                f"{name!r} in {self.game.package}.features isn't a kernel",
                f"put @kernel on it; watermeet.core.features.{name} describes it",
            )
        return found

    def of(self, state: State, seat: int) -> FeatureArray:
        """The features of a state as a seat sees it; what the seat may not know is concealed."""
        self.game.require_state(state)
        if seat is None:
            raise NoSuchSeat("spectators have no features", "pass a seat")
        known = state.conceal(seat)
        out = np.zeros(self.spec.size, dtype=np.float32)
        self.observe(known.array[: self.game.sizes.identity].copy(), known.known_to, out)
        return out

    def codes_of(self, state: State) -> npt.NDArray[np.int32]:
        """The codes of a state's legal actions, in the same order."""
        self.game.require_state(state)
        known = state.conceal(state.to_move) if state.to_move >= 0 else state
        array = known.array.copy()
        codes = [int(self.encode(array, action)) for action in state.legal_actions]
        return np.array(codes, dtype=np.int32)

    def legal_codes(self, state: State) -> dict[int, int]:
        """The legal actions of a state by their codes, ascending: what environments offer.

        Actions without a code are left out. If none has one, they are numbered from 0.
        """
        codes = self.codes_of(state).tolist()
        if all(code == NO_CODE for code in codes):
            codes = list(range(len(codes)))
        pairs = zip(codes, state.legal_actions, strict=True)
        return dict(sorted(pair for pair in pairs if pair[0] != NO_CODE))
