"""Reports: somebody points out somebody's conduct, and the evidence is kept as it was then."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import msgspec

from watermeet.server.errors import AlreadyReported, BadRequest, TooMany
from watermeet.server.limits import RateLimiter
from watermeet.server.matches.match import Match
from watermeet.server.people.chat import room_between, room_of
from watermeet.server.store.reports import ReportRow
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

Reason = Literal["insults", "spam", "name", "cheating", "stalling", "other"]
MESSAGES = 50
"""How many messages of each room are attached."""
PER_SECOND, AT_ONCE = 1 / 600, 5
"""How often one user may report."""
PER_ADDRESS_SECOND, PER_ADDRESS_AT_ONCE = 1 / 120, 20
"""How often an address may: a new guest costs nothing."""


class EvidenceMessage(msgspec.Struct, frozen=True):
    """A message as it was written, unmasked."""

    at: int
    room: str
    name: str
    text: str
    is_theirs: bool
    """Whether the reported person wrote it."""


class Evidence(msgspec.Struct, frozen=True):
    """What is kept with a report; the match itself is found by its id."""

    entries: int = 0
    """How many entries the match had."""
    messages: list[EvidenceMessage] = []


class Reports:
    """All reports, through the store."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now
        self._limit = RateLimiter(PER_SECOND, AT_ONCE)
        self._address_limit = RateLimiter(PER_ADDRESS_SECOND, PER_ADDRESS_AT_ONCE)

    async def add(
        self,
        user: UserRow,
        subject: UserRow,
        label: str,
        reason: Reason,
        note: str,
        match: Match | None,
        address: str,
    ) -> str:
        """Report somebody, at a match or as a friend; returns the report's id.

        Raises BadRequest, TooMany, AlreadyReported.
        """
        if user.id == subject.id:
            raise BadRequest("that's you", "choose somebody else")
        if not self._limit.take(user.id, time.monotonic()):
            raise TooMany("you have reported a lot", "wait ten minutes")
        if not self._address_limit.take(address, time.monotonic()):
            raise TooMany("too much is reported from this address", "wait a few minutes")
        if match is None:
            rooms = [room_between(user.id, subject.id)]
        else:
            rooms = [room_of(match.id, "players"), room_of(match.id, "spectators")]
        rows = [row for room in rooms for row in await self._store.messages(room, MESSAGES)]
        messages = [
            EvidenceMessage(
                row.at, _kind(row.room), row.name, row.text, is_theirs=row.user == subject.id
            )
            for row in sorted(rows, key=lambda row: row.at)
        ]
        evidence = Evidence(0 if match is None else match.seq, messages)
        report = ReportRow(
            make_id(),
            self._now(),
            user.id,
            subject.id,
            label,
            reason,
            note.strip(),
            "" if match is None else match.id,
            msgspec.json.encode(evidence),
            is_by_account=user.is_registered,
        )
        if not await self._store.add_report(report):
            raise AlreadyReported("you have reported them already", "a moderator will look at it")
        return report.id


def _kind(room: str) -> str:
    return room.rpartition(":")[2] if room.startswith("match:") else "friends"
