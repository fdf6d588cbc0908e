"""Whether a seat saw which action was played, and whether the action revealed hidden information.

Both functions use nothing but what the seat knows before and after. Every world that is consistent
with that is possible for the seat, and the answer must not depend on which of them is real. Worlds
are sampled by the game's ``resample``, seeded by what the seat knows: so the answers are the same
on every machine, and in every world that the seat can't tell apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from watermeet.core.contract import (
    CHANCE,
    ActionArray,
    StateArray,
    apply,
    conceal,
    legal,
)
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import seeded
from watermeet.core.state import State

MAX_WORLDS, MAX_TRIALS = 32, 64
"""Many worlds if few actions are possible, few if many are: then a hidden action has others that
look like it in nearly every world. This bounds the work."""
MIN_WORLDS_TO_REVEAL = 16
"""At least this many, to find one that an action has ruled out."""
WORLDS_TO_BE_OPEN = 4


@kernel
def find_alike(
    world: StateArray,
    seen: StateArray,
    seat: int,
    identity: int,
    actions: ActionArray,
    after: StateArray,
    known: StateArray,
    found: ActionArray,
) -> int:
    """Write the first two actions after which the seat would see ``seen``.

    Returns how many actions are possible. ``found`` holds -1 where there is none; ``actions``,
    ``after`` and ``known`` are buffers.
    """
    found[0] = -1
    found[1] = -1
    count = legal(world, actions)
    for index in range(count):
        action = int(actions[index])
        copy_state(world, after)
        apply(after, action)
        conceal(after, seat, known)
        is_alike = True
        for place in range(identity):
            if known[place] != seen[place]:
                is_alike = False
                break
        if is_alike:
            if found[0] != -1:
                found[1] = action
                break
            found[0] = action
    return count


class _Observer:
    """A seat that sees the states before and after an action."""

    def __init__(self, before: State, after: State, seat: int | None) -> None:
        self.game = before.game
        self.before, self.after = before, after
        self.known, self.seen = before.conceal(seat), after.conceal(seat)
        self._find_alike = self.game.specialize(find_alike)
        size = before.array.shape
        self._found = np.zeros(2, dtype=np.int32)
        self._buffers = (
            np.zeros(self.game.sizes.actions, dtype=np.int32),
            np.zeros(size, dtype=self.game.dtype),
            np.zeros(size, dtype=self.game.dtype),
        )
        self._seen = self.seen.array.copy()

    def alike(self, world: State) -> tuple[int, list[int]]:
        """How many actions a world has, and up to two of them that look like what was seen."""
        count = self._find_alike(
            world.array.copy(),
            self._seen,
            self.seen.known_to,
            self.game.sizes.identity,
            *self._buffers,
            self._found,
        )
        return count, [action for action in self._found.tolist() if action >= 0]

    def worlds(self, at_least: int = 1) -> Iterator[tuple[State, list[int]]]:
        """Worlds that were possible for the seat, each with the actions that look alike."""
        rng = seeded(_fingerprint(self.known), _fingerprint(self.seen))
        trials = 0
        for number in range(MAX_WORLDS):
            if number >= at_least and trials >= MAX_TRIALS:
                return
            world = _sampled(self.known, rng)
            count, alike = self.alike(world)
            trials += count
            yield world, alike

    def sees_everything(self) -> bool:
        """Whether nothing is hidden from the seat, neither before nor after."""
        return _is_open(self.before, self.known) and _is_open(self.after, self.seen)


def is_seen(before: State, action: int, after: State, seat: int | None) -> bool:
    """Whether a seat (None: a spectator) can tell an action from all others that were possible.

    If others do something hidden, such as drawing a card or returning a tile, the seat sees the
    same whatever it was; then the move's text would reveal too much. A seen action is identified by
    its text, which is the same in all worlds: its number may depend on the order of a hidden hand.
    """
    if not before.game.hidden or (seat is not None and before.to_move == seat):
        return True
    observer = _Observer(before, after, seat)
    if observer.sees_everything():
        return True
    if observer.alike(before)[1] != [action]:
        return False
    text = before.format(action)
    return all(
        [world.format(other) for other in alike] in ([], [text])
        for world, alike in observer.worlds()
    )


def reveals_information(before: State, action: int, after: State, seat: int | None) -> bool:
    """Whether an action revealed to a seat something that was hidden from it.

    It did if the seat couldn't have seen what it saw in one of the worlds that were possible for
    it. A chance outcome always reveals something.
    """
    if before.to_move == CHANCE:
        return True
    if not before.game.hidden:
        return False
    observer = _Observer(before, after, seat)
    if observer.sees_everything():
        return False
    worlds = observer.worlds(MIN_WORLDS_TO_REVEAL)
    if before.to_move == seat:
        return any(world.play(action).conceal(seat) != observer.seen for world, _ in worlds)
    return any(not alike for _, alike in worlds)


def _is_open(state: State, known: State) -> bool:
    """Whether nothing is hidden; what looks complete may still be one of several worlds."""
    if state.array.tobytes() != known.array.tobytes():
        return False
    rng = seeded(_fingerprint(known))
    sampled = (_sampled(known, rng).array.tobytes() for _ in range(WORLDS_TO_BE_OPEN))
    return all(content == known.array.tobytes() for content in sampled)


def _sampled(known: State, rng: object) -> State:
    out = np.zeros_like(known.array)
    known.game.kernels.resample(known.array.copy(), known.known_to, rng, out)
    return State(known.game, out)


def _fingerprint(state: State) -> str:
    return hashlib.sha256(state.array[: state.game.sizes.identity].tobytes()).hexdigest()
