"""Whose bot thinks next, when more of them wait than can think at once.

Whoever plays in forty matches doesn't make the others wait for forty moves: everybody's first move
comes before anybody's second. A match of people comes before all matches of bots alone.

This is start-time fair queueing: a move's rank is the time when it was asked for, or later by the
moves that the same person has asked for just before.
"""

from __future__ import annotations

from collections import OrderedDict

from watermeet.server.limits import MAX_CLIENTS
from watermeet.server.matches.match import Match

MOVE_MS = 1_000
"""What each of somebody's moves adds to the rank of the next one: about as long as bots think."""
BOTS_ALONE_MS = 3_600_000
"""What a match of bots alone adds."""


class FairRanks:
    """The ranks of bots' moves on one node. Whoever asked least recently is forgotten first."""

    def __init__(self, max_people: int = MAX_CLIENTS) -> None:
        self._next: OrderedDict[str, int] = OrderedDict()
        self._max_people = max_people

    def rank(self, match: Match, now: int) -> int:
        """The rank of a bot's next move in a match; the lowest comes first."""
        people = match.people()
        asked_by = match.seats[people[0]].user if people else match.created.by
        rank = max(now, self._next.get(asked_by, 0))
        self._next[asked_by] = rank + MOVE_MS
        self._next.move_to_end(asked_by)
        if len(self._next) > self._max_people:
            self._next.popitem(last=False)
        return rank if people else rank + BOTS_ALONE_MS
