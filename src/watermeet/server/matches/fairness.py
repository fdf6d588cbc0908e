"""Whose bot thinks next, when more of them wait than can think at once.

Whoever plays in forty matches doesn't make the others wait for forty moves: everybody's first move
comes before anybody's second. Forty guests at one address count as one person between them. A match
of people comes before all matches of bots alone.

This is start-time fair queueing: a move's rank is the time when it was asked for, or later by what
the moves take that the same person has asked for just before; and by those of other people at the
same address, unless they are late anyway because they ask for too many themselves.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

from watermeet.bots.levels import levels_of
from watermeet.server.limits import MAX_CLIENTS
from watermeet.server.matches.match import Match

MOVE_MS = 1_000
"""What each of somebody's moves adds to the rank of the next one at least: about as long as bots
think whose level has no time limit."""
BOTS_ALONE_MS = 3_600_000
"""What a match of bots alone adds."""

V = TypeVar("V", int, str)


class FairRanks:
    """The ranks of bots' moves on one node. Whoever asked least recently is forgotten first."""

    def __init__(self, max_people: int = MAX_CLIENTS) -> None:
        self._next: OrderedDict[str, int] = OrderedDict()
        self._next_of_address: OrderedDict[str, int] = OrderedDict()
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._max_people = max_people

    def note_address(self, user: str, address: str) -> None:
        """Remember where a user was last seen. Addresses are never stored."""
        self._put(self._addresses, user, address)

    def rank(self, match: Match, seat: int, now: int) -> int:
        """The rank of the next move of a bot's seat in a match; the lowest comes first."""
        people = match.people()
        asked_by = match.seats[people[0]].user if people else match.created.by
        address = self._addresses.get(asked_by, "")
        own = max(now, self._next.get(asked_by, 0))
        shared = max(now, self._next_of_address.get(address, 0))
        takes = move_ms(match, seat)
        if address and own == now:
            self._put(self._next_of_address, address, shared + takes)
        rank = max(own, shared)
        self._put(self._next, asked_by, rank + takes)
        return rank if people else rank + BOTS_ALONE_MS

    def _put(self, values: OrderedDict[str, V], key: str, value: V) -> None:
        values[key] = value
        values.move_to_end(key)
        if len(values) > self._max_people:
            values.popitem(last=False)


def move_ms(match: Match, seat: int) -> int:
    """About how long a bot thinks about a move."""
    name = match.seats[seat].bot
    limits = [level.seconds for level in levels_of(match.game) if level.name == name]
    return max([MOVE_MS, *(round(1000 * (each or 0)) for each in limits)])
