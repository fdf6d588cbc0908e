"""Documents of matches: those of long matches are made apart from the event loop.

The moves of a match that has ended are the same for everybody who may see it, and never change, so
their JSON is kept for a while. Names can change even then: they aren't part of it.
"""

from __future__ import annotations

from collections import OrderedDict

from watermeet.server.fair_threads import FairThreads
from watermeet.server.matches import projection
from watermeet.server.matches.match import Match
from watermeet.server.matches.projection import MatchDocument
from watermeet.server.matches.service import LONG_LOG

KEPT_BYTES = 33_554_432
"""How much is kept at most."""


class Documents:
    """The documents that a node makes."""

    def __init__(self, threads: FairThreads, kept_bytes: int = KEPT_BYTES) -> None:
        self._threads, self._free = threads, kept_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    async def of(self, match: Match, seat: int | None, address: str) -> MatchDocument:
        """Everything that a seat may know of a match; raises TooMany for an address in a hurry.

        It waits only where the match is long.
        """
        if match.seq <= LONG_LOG:
            return projection.document(match, seat)
        moves = self._kept_of(match)
        if moves is None:
            moves = await self._threads.run(address, self._moves, match, seat)
            self._keep(match, moves)
        return projection.document(match, seat, moves)

    def _kept_of(self, match: Match) -> bytes | None:
        return self._kept.get(match.id) if match.has_ended else None

    def _moves(self, match: Match, seat: int | None) -> bytes:
        """The moves in JSON, unless another request has had them made meanwhile."""
        return self._kept_of(match) or projection.encoded_moves(match, seat)

    def _keep(self, match: Match, moves: bytes) -> None:
        if match.has_ended and match.id not in self._kept:
            self._kept[match.id] = moves
            self._free -= len(moves)
            while self._free < 0:
                self._free += len(self._kept.popitem(last=False)[1])
