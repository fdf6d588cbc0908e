"""The kernels that a game defines in its ``rules.py``: their names, shapes and laws.

Each is a slot: code that serves every game (playouts, search, batches) calls these names, and
``watermeet.core.linking`` puts one game's kernels in their place. The conformance kit checks every
law.

A state is one flat integer array that holds everything: a kernel gets nothing else about the match.
Kernels work in place, allocate nothing and never raise; callers check.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import slot

CHANCE = -1
"""``to_move`` when chance decides the next action."""
OVER = -2
"""``to_move`` when the match is over."""
SPECTATOR = -1
"""The ``seat`` of ``conceal`` for somebody who has none."""

StateArray = npt.NDArray[Any]  # [state size] of the game's integer type
ActionArray = npt.NDArray[np.int32]  # [number of actions]
FloatArray = npt.NDArray[np.float64]  # [number of seats] or [number of actions]
RandomArray = npt.NDArray[np.uint64]  # [1]: see watermeet.core.rng

ALWAYS = ("setup", "to_move", "legal", "apply", "score")
WITH_CHANCE = ("chance",)
WITH_HIDDEN = ("conceal", "resample")
WITH_CACHE = ("rebuild_cache",)


class NoOptions(NamedTuple):
    """The options of a game that declares none."""


@slot
def setup(state: StateArray, options: Any) -> None:
    """Write the position before the first action; ``state`` comes filled with zeros.

    ``options`` is the ``Options`` of the game's ``rules.py``, a NamedTuple with one integer for
    each declared option, by its name and in the declared order; without options, ``NoOptions``.
    """
    raise NotImplementedError


@slot
def to_move(state: StateArray) -> int:
    """The seat that chooses the next action, or CHANCE, or OVER; a seat may move again."""
    raise NotImplementedError


@slot
def legal(state: StateArray, out: ActionArray) -> int:
    """Write the legal actions, ascending and without repetition; return how many there are.

    There is at least one unless OVER, and none when OVER. At CHANCE these are the possible
    outcomes. ``out`` has the length ``Sizes.actions``; entries after the last action are undefined.
    The mover knows its legal actions: ``legal(conceal(s, mover)) == legal(s)``.
    """
    raise NotImplementedError


@slot
def apply(state: StateArray, action: int) -> None:
    """Play a legal action in place. Unchecked: an illegal one leaves the array undefined."""
    raise NotImplementedError


@slot
def score(state: StateArray, out: FloatArray) -> None:
    """Write the return of each seat; called only when OVER. Their sum is what the game declares.

    Everybody knows how a match ended: ``score(conceal(s, seat)) == score(s)``.
    """
    raise NotImplementedError


@slot
def chance(state: StateArray, out: FloatArray) -> None:
    """Write the probability of each outcome, in the order of ``legal``; called only at CHANCE."""
    raise NotImplementedError


@slot
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Write the state as this seat (or SPECTATOR) knows it; concealing twice changes nothing.

    Two states that this seat can't tell apart give the same array, to the byte. ``out`` may end
    before the cache, which ``copy_state`` then leaves out.
    """
    raise NotImplementedError


@slot
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Write a full state that is consistent with what the seat knows, with the right probability.

    ``conceal(out, seat)`` gives ``concealed`` again.
    """
    raise NotImplementedError


@slot
def rebuild_cache(state: StateArray) -> None:
    """Write the cache, the last ``Sizes.cache`` entries of the array, from the rest of it.

    A game caches there what would be slow to compute again, such as a list of free points or a
    known route. The cache isn't part of the state's identity: equality, hash and text ignore it,
    and no kernel's result depends on it. ``setup`` and ``apply`` keep it up to date.
    """
    raise NotImplementedError


@slot
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A random legal action, all equally likely; ``actions`` is a buffer to list them in.

    Optional: ``watermeet.core.playout.sample_legal_action`` is the default. Called only when a seat
    is to move. Random play and search call it often, so it is worth making fast.
    """
    raise NotImplementedError
