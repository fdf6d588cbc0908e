"""The matches in a node's memory: bounded by what they take, not by how many they are.

A long match of a large game takes a thousand times what a short one does. Sizes are estimates, made
from the numbers of entries and actions and the size of a state. A test compares them with what
Python allocates.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from itertools import takewhile

import msgspec

from watermeet.core.state import State
from watermeet.server.matches import projection
from watermeet.server.matches.entries import Began, Entry, Joined, Played, Undone
from watermeet.server.matches.match import DELETED_NAME, Match, Step
from watermeet.server.matches.randomness import Randomness

RECENT = 32
MATCH_BYTES, FOLD_BYTES, ENTRY_BYTES, STEP_BYTES, STATE_BYTES = 4_000, 600, 500, 700, 1_500
"""What a match, one of its recent folds, an entry, an action and a state take besides arrays."""


@dataclass
class LiveMatch:
    """A match in a node's memory: its log, folded, and a lock that orders the node's commands."""

    match: Match
    entries: list[Entry]
    randomness: Randomness
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_stale: bool = False
    """Whether there may be entries that this node doesn't know."""
    catching_up: asyncio.Task[None] | None = None
    """What will read them, until it begins to."""
    recent: deque[Match] = field(default_factory=lambda: deque(maxlen=RECENT))
    """The last matches of the fold, for delayed spectators."""
    earlier: Match | None = None
    """The last match that was asked for and wasn't among them."""
    undone: dict[int, tuple[Step, State]] = field(default_factory=dict)
    """Undone actions by their entries, with the states after them: they are sent as well."""
    array_bytes: int = field(init=False)
    """What the array of a state takes."""

    def __post_init__(self) -> None:
        self.array_bytes = self.match.state.array.nbytes

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        array = self.array_bytes
        # Actions that were undone are kept too, and an earlier match has actions of its own.
        steps = len(self.entries) + len(self.undone)
        if self.earlier is not None:
            steps += self.earlier.seq
        states = min(len(self.recent), RECENT) + len(self.undone) + 1
        return (
            MATCH_BYTES
            + len(self.entries) * ENTRY_BYTES
            + len(self.recent) * FOLD_BYTES
            + steps * (STEP_BYTES + array)
            + states * (STATE_BYTES + array)
        )

    def add(self, entry: Entry, match: Match) -> None:
        """Add an entry, and the match that it leads to."""
        if isinstance(entry, Undone):
            state = self.match.state
            for step in self.match.steps_back():
                if step is match.last_step:
                    break
                self.undone[step.seq] = step, state
                state = self.match.state_before(step)
        self.match = match
        self.entries.append(entry)
        self.recent.append(match)

    def erase(self, user: str) -> None:
        """Forget the name of a user who was deleted."""
        self.entries = [
            msgspec.structs.replace(entry, name=DELETED_NAME)
            if isinstance(entry, Joined) and entry.user == user
            else entry
            for entry in self.entries
        ]
        self.match = self.match.without_name(user)
        self.recent = deque((each.without_name(user) for each in self.recent), RECENT)
        self.earlier = None

    def at(self, seq: int) -> Match:
        """The match as it was after one of its entries."""
        if seq == self.match.seq:
            return self.match
        for match in self.recent:
            if match.seq == seq:
                return match
        earlier = self.earlier  # A delayed spectator continues from there.
        if earlier is None or earlier.seq > seq:
            earlier = Match.of(self.entries[:1])
        for entry in self.entries[earlier.seq : seq]:
            earlier = earlier.after(entry)
        self.earlier = earlier
        return earlier

    def has_had(self, user: str) -> bool:
        """Whether a user has, or had, a seat."""
        before = takewhile(lambda entry: not isinstance(entry, Began), self.entries)
        return any(isinstance(each, Joined) and each.user == user for each in before)

    def steps(self, after: int, last: int) -> list[int]:
        """Where news is split, so that each message has one player's action and its consequences.

        Where the positions in between aren't at hand, it isn't split.
        """
        if last == after + 1:
            return [last]
        played = [seq for seq in range(after + 1, last + 1) if self._is_played(seq)]
        between = [seq - 1 for seq in played[1:]]
        return (
            [*between, last] if {match.seq for match in self.recent}.issuperset(between) else [last]
        )

    def _is_played(self, seq: int) -> bool:
        return isinstance(self.entries[seq - 1], Played)

    def visible_seq(self, seat: int | None, now: int) -> int:
        """The last entry that a seat, or a spectator, may see now."""
        if seat is None and self.match.setup.spectator_delay_s:
            return projection.last_public_seq(self.entries, now)
        return self.match.seq


class MatchCache:
    """Matches by id. The least recently used ones go first, and none that a command is using."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._matches)

    def of_user(self, user: str) -> list[LiveMatch]:
        """The matches in which a user has, or had, a seat."""
        return [each for each in self._matches.values() if each.has_had(user)]

    def peek(self, match: str) -> LiveMatch | None:
        """A match, if it is there."""
        return self._matches.get(match)

    def get(self, match: str) -> LiveMatch | None:
        """A match, if it is there; it counts as used."""
        live = self._matches.get(match)
        if live is not None:
            self._matches.move_to_end(match)
        return live

    def keep(self, live: LiveMatch) -> LiveMatch:
        """Add a match; returns the one that is there already, if any."""
        kept = self._matches.setdefault(live.match.id, live)
        self.measure(kept)
        return kept

    def drop(self, match: str) -> None:
        """Forget a match, so that its log is read again, unless a command is using it."""
        live = self._matches.get(match)
        if live is not None and not live.lock.locked():
            del self._matches[match]
            self.bytes -= self._sizes.pop(match)

    def measure(self, live: LiveMatch) -> None:
        """A match has grown: make room."""
        match = live.match.id
        if self._matches.get(match) is not live:
            return  # It was dropped, or read again.
        size = live.size
        self.bytes += size - self._sizes.get(match, 0)
        self._sizes[match] = size
        self._matches.move_to_end(match)
        if self.bytes > self._max_bytes:
            self._make_room(match)

    def _make_room(self, newest: str) -> None:
        for match in tuple(self._matches):
            if self.bytes <= self._max_bytes:
                return
            if match != newest:
                self.drop(match)
