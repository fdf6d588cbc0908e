"""Challenges: somebody asks somebody else for a match of two, who accepts or declines.

A challenge changes hands by one conditional update, and whoever accepts plans the match in the same
transaction: it is created once, even if two devices accept and the node dies.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from watermeet.core.errors import WatermeetError
from watermeet.server.bus.bus import Bus
from watermeet.server.errors import BadRequest, Forbidden, NotFound, TooMany
from watermeet.server.limits import RateLimiter
from watermeet.server.logs import fields
from watermeet.server.matches.plans import Plan, PlannedPlayer
from watermeet.server.matches.service import Matches, plan_job
from watermeet.server.matches.setup import DAY, SECOND, RealTime, SeatPlan
from watermeet.server.people.company import Company
from watermeet.server.people.conduct import check_may_play_rated
from watermeet.server.people.seeks import GUEST_NAME, Seeks, Wanted, game_of, setup_of, user_topic
from watermeet.server.store.rows import UserRow
from watermeet.server.store.seeks import ChallengeRow, SeekTable
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
SOON_MS, LATER_MS = 300 * SECOND, 3 * DAY
"""How long challenges last: with real-time clocks, and otherwise."""
MOST, MOST_TO_ONE = 10, 3
"""How many open challenges a user may have sent, and to the same person."""
PER_SECOND, TO_ONE_PER_SECOND = 1 / 30, 1 / 120
"""How often a person with an account, or the guests of an address, challenge others, and the same
person, in the long run; at once it is as often as above."""
OPEN, ACCEPTED, DECLINED, WITHDRAWN = "open", "accepted", "declined", "withdrawn"


class StoredChallenge(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody is challenged to, and by whom."""

    wanted: Wanted
    seat: int | None = None
    """The challenger's seat; None: random."""
    from_name: str
    to_name: str
    is_registered: bool = False
    """Whether the challenger has an account."""
    is_guest: bool = False


@dataclass(frozen=True)
class Challenge:
    """A challenge as it is stored."""

    row: ChallengeRow
    content: StoredChallenge


_CONTENT = msgspec.json.Decoder(StoredChallenge)


class Challenges:
    """All challenges, through the store."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        bus: Bus,
        now: Callable[[], int],
        company: Company,
        seeks: Seeks,
    ) -> None:
        self._store, self._matches, self._bus, self._now = store, matches, bus, now
        self._company, self._seeks, self._table = company, seeks, SeekTable(store)
        self._limit = RateLimiter(PER_SECOND, MOST)
        self._limit_to_one = RateLimiter(TO_ONE_PER_SECOND, MOST_TO_ONE)

    async def add(
        self,
        user: UserRow,
        to: UserRow,
        wanted: Wanted,
        seat: int | None = None,
        name: str = "",
        address: str = "",
    ) -> Challenge:
        """Challenge somebody; raises BadRequest, Blocked, Forbidden, TooMany.

        Those without an account are counted by their address: they may be any number.
        """
        if to.id == user.id:
            raise BadRequest("you can't challenge yourself", "challenge somebody else")
        await self._company.check_peace(user.id, [to.id])
        if wanted.is_rated and not (user.is_registered and to.is_registered):
            raise Forbidden("only people with an account play rated matches", "make it casual")
        if wanted.is_rated:
            await check_may_play_rated(self._store, user.id, self._now(), [to.id])
        wanted = await self._seeks.checked(wanted)
        if game_of(wanted).seats != 2:
            raise BadRequest("a challenge is for a match of two", "invite people to a new match")
        sent = await self._table.challenges(user.id, self._now())
        same = [row for row in sent if (row.from_user, row.to_user) == (user.id, to.id)]
        if sum(row.status == OPEN for row in same) >= MOST_TO_ONE:
            raise TooMany(f"you have challenged them {MOST_TO_ONE} times already", "wait a while")
        self._check_rate(user.id if user.is_registered else address, to.id)
        now = self._now()
        lasts = SOON_MS if isinstance(wanted.time_control, RealTime) else LATER_MS
        content = StoredChallenge(
            wanted=wanted,
            seat=seat,
            from_name=user.name or name or GUEST_NAME,
            to_name=to.name or GUEST_NAME,
            is_registered=user.is_registered,
            is_guest=user.is_guest,
        )
        body = msgspec.json.encode(content)
        row = ChallengeRow(make_id(), user.id, to.id, OPEN, now, now + lasts, "", body)
        if not await self._table.add_challenge(row, MOST):
            raise TooMany(f"you have {MOST} open challenges already", "withdraw one first")
        await self._announce(row)
        return Challenge(row, content)

    def _check_rate(self, who: str, to: str) -> None:
        now = time.monotonic()
        if not self._limit_to_one.take(f"{who} {to}", now) or not self._limit.take(who, now):
            raise TooMany("those were too many challenges", "wait a few minutes")

    async def of(self, user: str) -> list[Challenge]:
        """The challenges from and to a user: open ones, and for a minute what became of others."""
        rows = await self._table.challenges(user, self._now())
        return [Challenge(row, _CONTENT.decode(row.body)) for row in rows]

    async def accept(self, user: UserRow, id: str) -> str:  # noqa: A002
        """Accept a challenge, and return the match; raises NotFound, Blocked, CoolingDown."""
        found = await self._find(id, to=user.id)
        row, content = found.row, found.content
        await self._company.check_peace(user.id, [row.from_user])
        now, match = self._now(), make_id()
        if content.wanted.is_rated:
            await check_may_play_rated(self._store, user.id, now, [row.from_user])
        seat = secrets.randbelow(2) if content.seat is None else content.seat
        players = (
            PlannedPlayer(
                seat, row.from_user, content.from_name, content.is_registered, content.is_guest
            ),
            PlannedPlayer(
                1 - seat, user.id, user.name or GUEST_NAME, user.is_registered, user.is_guest
            ),
        )
        setup = setup_of(content.wanted, [SeatPlan(who="invited")] * 2)
        job = plan_job(match, Plan(setup, players), now)
        if not await self._table.answer(id, ACCEPTED, now, match, job):
            again = await self._table.challenge(id)
            if again is None or again.status != ACCEPTED:
                raise _not_open()
            return again.match  # On another device, a moment ago.
        try:
            await self._matches.do_planned(job)
            for each in (row.from_user, user.id):
                await self._seeks.withdraw(each)
        except WatermeetError as error:  # The job does it later.
            LOG.warning("match delayed", extra=fields(match=match, code=error.code))
        await self._announce(row)
        return match

    async def decline(self, user: UserRow, id: str) -> None:  # noqa: A002
        """Decline a challenge; raises NotFound."""
        await self._end(await self._find(id, to=user.id), DECLINED)

    async def withdraw(self, user: UserRow, id: str) -> None:  # noqa: A002
        """Take one's own challenge back; raises NotFound."""
        await self._end(await self._find(id, by=user.id), WITHDRAWN)

    async def announce_end(self, user: str) -> None:
        """Tell all whom it concerns that the challenges from and to a user have ended."""
        for each in await self.of(user):
            await self._announce(each.row)

    async def erase(self, user: str) -> None:
        """Delete what a user who was deleted has left."""
        await self.announce_end(user)
        await self._table.delete_challenges(user)

    async def _end(self, found: Challenge, status: str) -> None:
        if not await self._table.answer(found.row.id, status, self._now()):
            raise _not_open()
        await self._announce(found.row)

    async def _find(self, id: str, to: str = "", by: str = "") -> Challenge:  # noqa: A002
        row = await self._table.challenge(id)
        if (
            row is None
            or (to or row.to_user) != row.to_user
            or (by or row.from_user) != row.from_user
        ):
            raise _not_open()
        return Challenge(row, _CONTENT.decode(row.body))

    async def _announce(self, row: ChallengeRow) -> None:
        for user in (row.from_user, row.to_user):
            await self._bus.publish(user_topic(user), b"challenges")


def _not_open() -> NotFound:
    return NotFound("there is no such challenge any more", "GET /api/me/challenges lists yours")
