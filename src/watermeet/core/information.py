"""What a seat saw of an action, and whether the action told it anything that was hidden before.

Both laws look at nothing but what the seat knows before and after. Whatever fits that is possible
for the seat, and what it is told may not depend on which of those worlds is the real one. Worlds
are drawn by the game's ``resample``, with a seed made from what the seat knows: so the answers are
the same on every machine, and the same in every world that the seat cannot tell apart.
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

MOST_WORLDS, ENOUGH_TRIALS = 32, 64
"""Many worlds where few actions are possible, few where many are: there an action in hiding has
others like it in nearly every world. So no look takes long."""
WORLDS_TO_BE_TOLD = 16
"""So many at least, to find one that an action has ruled out."""
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
    """Writes the first two actions behind which the seat would see ``seen``.

    Returns how many actions are possible. ``found`` holds -1 where there is none; ``actions``,
    ``after`` and ``known`` are room to work in.
    """
    found[0] = -1
    found[1] = -1
    count = legal(world, actions)
    for place in range(count):
        action = int(actions[place])
        copy_state(world, after)
        apply(after, action)
        conceal(after, seat, known)
        is_alike = True
        for index in range(identity):
            if known[index] != seen[index]:
                is_alike = False
                break
        if is_alike:
            if found[0] != -1:
                found[1] = action
                break
            found[0] = action
    return count


class _Eyes:
    """One look of one seat at one action."""

    def __init__(self, before: State, after: State, seat: int | None) -> None:
        self.game = before.game
        self.before, self.after = before, after
        self.known, self.seen = before.conceal(seat), after.conceal(seat)
        self._alike = self.game.specialize(find_alike)
        size = before.array.shape
        self._room = (
            np.zeros(self.game.sizes.actions, dtype=np.int32),
            np.zeros(size, dtype=self.game.dtype),
            np.zeros(size, dtype=self.game.dtype),
            np.zeros(2, dtype=np.int32),
        )
        self._seen = self.seen.array.copy()

    def alike(self, world: State) -> tuple[int, list[int]]:
        """How many actions a world has, and up to two of them that look like what was seen."""
        identity = self.game.sizes.identity
        count = self._alike(
            world.array.copy(), self._seen, self.seen.known_to, identity, *self._room
        )
        return count, [action for action in self._room[3].tolist() if action >= 0]

    def worlds(self, fewest: int = 1) -> Iterator[tuple[State, list[int]]]:
        """Worlds that fit what the seat knew before, with what looks alike in them."""
        rng = seeded(_fingerprint(self.known), _fingerprint(self.seen))
        trials = 0
        for number in range(MOST_WORLDS):
            if number >= fewest and trials >= ENOUGH_TRIALS:
                return
            world = _drawn(self.known, rng)
            count, alike = self.alike(world)
            trials += count
            yield world, alike

    def is_open(self) -> bool:
        """Whether nothing is hidden from the seat, neither before nor after."""
        return _is_open(self.before, self.known) and _is_open(self.after, self.seen)


def is_seen(before: State, action: int, after: State, seat: int | None) -> bool:
    """Whether a seat (None: a watcher) can tell an action from every other that was possible.

    Of what others do in hiding (a card drawn, a tile given back) the seat sees the same, whatever
    it was; then the move's text would tell too much. A seen action is told by its text alone, which
    is the same in all worlds: its number may come from the order of a hand that nobody else sees.
    """
    if not before.game.hidden or (seat is not None and before.to_move == seat):
        return True
    eyes = _Eyes(before, after, seat)
    if eyes.is_open():
        return True
    if eyes.alike(before)[1] != [action]:
        return False
    text = before.format(action)
    return all(
        [world.format(other) for other in alike] in ([], [text]) for world, alike in eyes.worlds()
    )


def reveals_information(before: State, action: int, after: State, seat: int | None) -> bool:
    """Whether an action told a seat something of what was hidden from it before.

    It did if there is a world that the seat held for possible, and in which the seat could not have
    seen what it saw. A draw tells everybody that chance has spoken.
    """
    if before.to_move == CHANCE:
        return True
    if not before.game.hidden:
        return False
    eyes = _Eyes(before, after, seat)
    if eyes.is_open():
        return False
    worlds = eyes.worlds(WORLDS_TO_BE_TOLD)
    if before.to_move == seat:
        return any(world.play(action).conceal(seat) != eyes.seen for world, _ in worlds)
    return any(not alike for _, alike in worlds)


def _is_open(state: State, known: State) -> bool:
    """Whether nothing is hidden; what looks whole may still be one of several worlds."""
    if state.array.tobytes() != known.array.tobytes():
        return False
    rng = seeded(_fingerprint(known))
    same = (_drawn(known, rng).array.tobytes() for _ in range(WORLDS_TO_BE_OPEN))
    return all(content == known.array.tobytes() for content in same)


def _drawn(known: State, rng: object) -> State:
    out = np.zeros_like(known.array)
    known.game.kernels.resample(known.array.copy(), known.known_to, rng, out)
    return State(known.game, out)


def _fingerprint(state: State) -> str:
    return hashlib.sha256(state.array[: state.game.sizes.identity].tobytes()).hexdigest()
