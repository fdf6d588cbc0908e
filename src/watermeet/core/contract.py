"""The kernels that a game defines in its ``rules.py``: their names, shapes and laws.

Each is a slot: code that serves every game (playouts, search, batches) calls these names, and
``specialize`` puts one game's kernels in their place. The conformance kit checks every law.

A state is one flat integer array, complete by itself: a kernel gets nothing else about the match.
Kernels work in place, allocate nothing that lasts, and never raise; callers check.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import slot

CHANCE = -1
"""What ``to_move`` says when the next action is drawn by chance."""
OVER = -2
"""What ``to_move`` says when the match is over."""
SPECTATOR = -1
"""The ``seat`` of ``conceal`` for somebody who only watches."""

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
    """Writes the legal actions, ascending and without repetition; returns how many.

    At least one unless OVER, none when OVER. For CHANCE these are the outcomes that can be drawn.
    ``out`` has room for every action of the game; what is behind the last one may be overwritten.
    Agrees with itself on what the mover knows: ``legal(conceal(s, mover)) == legal(s)``.
    """
    raise NotImplementedError


@slot
def apply(state: StateArray, action: int) -> None:
    """Plays a legal action in place. Unchecked: an illegal one leaves the array undefined."""
    raise NotImplementedError


@slot
def score(state: StateArray, out: FloatArray) -> None:
    """Writes the return of each seat; called only when OVER. Their sum is what the game declares.

    Everybody knows how a match ended: ``score(conceal(s, seat))`` is ``score(s)``.
    """
    raise NotImplementedError


@slot
def chance(state: StateArray, out: FloatArray) -> None:
    """Writes the probability of each outcome, in the order of ``legal``; called only at CHANCE."""
    raise NotImplementedError


@slot
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Writes the state as this seat (or SPECTATOR) may know it; concealing twice changes nothing.

    Two states that this seat cannot tell apart give the same array, to the byte.
    """
    raise NotImplementedError


@slot
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Writes a full state that fits what the seat knows, drawn with the right probability.

    ``conceal(out, seat)`` gives ``concealed`` back.
    """
    raise NotImplementedError


@slot
def rebuild_cache(state: StateArray) -> None:
    """With a memo: writes the memo part of the array from the rest of it.

    The memo is what a game likes to keep beside a position (a list of free points, a route known to
    exist). It is no part of the state's identity: equality, hash and text ignore it, and whatever
    it holds, the other kernels answer the same. ``setup`` and ``apply`` keep it up.
    """
    raise NotImplementedError


@slot
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A legal action, each as likely as any other; ``actions`` is room to list them.

    Optional: ``watermeet.core.playout.sample_legal_action`` is the default. Called only when a seat
    is to move. Random play and search go through it, so it is worth making fast.
    """
    raise NotImplementedError
