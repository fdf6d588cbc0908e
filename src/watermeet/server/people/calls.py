"""Calls: reaches people who aren't connected, by push messages.

Every move in a slow match, and the start of a match of somebody who wants to know, adds a job in
the same transaction. Whichever node does it plays the reply that was queued for this move, if there
is one; otherwise it replaces the job by one for each device to be called. So each is called by one
node, and again only if that fails, or if the node dies while it is waiting.

A push message says whose turn it is and in which match, and nothing of the position.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct

from watermeet.core.errors import WatermeetError
from watermeet.core.registry import game as find_game
from watermeet.server.background import Background
from watermeet.server.errors import BadUrl, TooMany
from watermeet.server.jobs import JobRunner, PutOff, TryAgain
from watermeet.server.logs import fields
from watermeet.server.matches import replies
from watermeet.server.matches.commands import Play
from watermeet.server.matches.match import OPEN, PLAYING, Match
from watermeet.server.matches.service import Matches
from watermeet.server.matches.setup import Correspondence
from watermeet.server.outgoing import Outgoing
from watermeet.server.people import webpush
from watermeet.server.people.texts import say
from watermeet.server.store.called import SubscriptionRow
from watermeet.server.store.rows import Job
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
CALL_JOB, PUSH_JOB = "call", "push"
REFRESH_S = 10.0
"""How often to read who wants to be called at all."""
AT_ONCE = 16
"""How many devices are called at once; how many of one push service, ``push_sites.py`` says."""
BUSY_S = 2.0
"""How long a call waits for a place."""
PUSH_RETRIES_S = 10, 60, 600, 3600, 6 * 3600
"""A device that can't be reached after that is forgotten."""
PUSH_TTL_S = 3 * 24 * 3600
VAPID_KEY = "vapid"

CallKind = Literal["turn", "challenge", "start", "follow"]


class Call(Struct, frozen=True, omit_defaults=True):
    """What somebody is called about."""

    game: str = ""
    """Its name, such as flume; empty: it is about no game."""
    names: tuple[str, ...] = ()
    """The other players, or who challenges or follows."""
    match: str = ""
    seat: int = 0
    seq: int = 0
    url: str = ""
    """The page that the notification opens; empty: that of the match."""


class _Push(Struct, frozen=True):
    """The body of a job: a device, and its message."""

    device: bytes
    message: bytes


class Calls(Background):
    """Does what is to be done when somebody's turn begins, and calls them."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        now: Callable[[], int],
        runner: JobRunner,
        outgoing: Outgoing,
        contact: str = "",
    ) -> None:
        """``contact`` is where push services find the host: a mail address, or a page."""
        super().__init__()
        self._store, self._matches, self._now, self._runner = store, matches, now, runner
        self._outgoing, self._contact = outgoing, contact or "mailto:nobody@example.org"
        self._key: webpush.Key | None = None
        self._pushed: set[str] = set()
        matches.job_makers.append(self._jobs)
        runner.add(CALL_JOB, self._fan_out, at_once=AT_ONCE)
        retries_s = PUSH_RETRIES_S
        runner.add(PUSH_JOB, self._push, at_once=AT_ONCE, retries_s=retries_s, is_dropped=True)

    def start(self) -> None:
        """Start to find out who wants to be called."""
        self._spawn(self._repeat(self._refresh, REFRESH_S))

    async def close(self) -> None:
        """Stop."""
        await super().close()
        self._outgoing.close()

    # ---- jobs ----

    def _jobs(self, match: Match, before: Match | None) -> list[Job]:
        """The jobs that new entries add."""
        now, jobs, seat = self._now(), [], match.running_seat
        is_slow = isinstance(match.setup.time_control, Correspondence)
        is_new = before is None or before.changed_seq != match.changed_seq
        has_begun = match.stage == PLAYING and (before is None or before.stage == OPEN)
        has_ended = match.has_ended and (before is None or not before.has_ended)
        is_turn = (is_new or has_begun) and seat is not None and match.seats[seat].has_say
        if is_slow and (is_turn or has_ended):
            name = f"{CALL_JOB}-{match.id}-{match.seq}"
            jobs.append(Job(name, CALL_JOB, match.id, seat or 0, match.seq, b"turn", now))
        if has_begun and self._is_called(match):
            name = f"{CALL_JOB}-{match.id}-start"
            jobs.append(Job(name, CALL_JOB, match.id, seat or 0, match.seq, b"start", now))
        return jobs

    def _is_called(self, match: Match) -> bool:
        """Whether anybody in a match wants to be called at all."""
        return any(seat.user in self._pushed for seat in match.seats)

    async def _refresh(self) -> None:
        self._pushed = await self._store.called_users()

    def expect(self, user: str) -> None:
        """Call a user from now on; other nodes find out within seconds."""
        self._pushed.add(user)

    # ---- turns and starts ----

    async def _fan_out(self, job: Job) -> list[Job]:
        match = (await self._matches.current(job.match)).match
        found: list[Job] = []
        if match.has_ended:
            for seat in match.people():
                await self._store.delete_replies(match.id, seat)
        elif job.body == b"start":
            is_slow = isinstance(match.setup.time_control, Correspondence)
            for seat in match.people():
                if not (is_slow and seat == match.running_seat):  # They are called to their turn.
                    found += await self._called(match, seat, "start", job.id)
        elif match.changed_seq <= job.seq:  # Otherwise there is a job for what was played since.
            last = match.last_step
            is_new_turn = last is None or last.mover != job.seat
            if not await self._reply(match, job.seat) and is_new_turn:
                found = await self._called(match, job.seat, "turn", job.id)
        return found

    async def _called(self, match: Match, seat: int, kind: CallKind, name: str) -> list[Job]:
        names = tuple(
            each.name or each.bot
            for number, each in enumerate(match.seats)
            if number != seat and each.is_taken
        )
        call = Call(match.game.name, names, match.id, seat, match.seq)
        return await self._deliveries(match.seats[seat].user, kind, call, f"{name}-{seat}")

    async def call(self, user: str, kind: CallKind, call: Call) -> None:
        """Call a user on all devices that want this kind of call."""
        await self._runner.add_jobs(await self._deliveries(user, kind, call, make_id()))

    async def _deliveries(self, user: str, kind: CallKind, call: Call, name: str) -> list[Job]:
        now, jobs = self._now(), []
        for row in await self._store.subscriptions_of(user):
            if kind in row.kinds.split():
                body = msgspec.json.encode(_Push(row.token_hash, message(row.language, kind, call)))
                id_ = f"{PUSH_JOB}-{name}-{row.token_hash.hex()[:16]}"
                jobs.append(Job(id_, PUSH_JOB, call.match, call.seat, call.seq, body, now))
        return jobs

    # ---- queued replies ----

    async def check(self, match: str, seat: int) -> None:
        """Play a reply that was queued while others played."""
        found = (await self._matches.current(match)).match
        if found.running_seat == seat:
            await self._reply(found, seat)

    async def _reply(self, match: Match, seat: int) -> bool:
        """Play the queued reply of a seat; drop replies that don't fit any more."""
        if match.running_seat != seat:
            return False
        lines = await queued(self._store, match, seat)
        if lines is None:
            return False
        if not lines:
            await self._store.delete_replies(match.id, seat)
            return False
        try:
            play = Play(lines[0][0], at_seq=match.changed_seq)
            await self._matches.do(match.id, seat, play, user=match.seats[seat].user)
        except WatermeetError as error:  # They have played themselves, left, or are out of time.
            LOG.info("reply not played", extra=fields(match=match.id, code=error.code))
            return False
        return True

    # ---- delivery ----

    async def public_key(self) -> str:
        """The key by which browsers know this server."""
        return webpush.b64(webpush.public_bytes(await self._own_key()))

    async def _own_key(self) -> webpush.Key:
        if self._key is None:
            body = await self._store.server_key(VAPID_KEY, webpush.make_key())
            self._key = webpush.read_key(body)
        return self._key

    async def _push(self, job: Job) -> None:
        push = msgspec.json.decode(job.body, type=_Push)
        row = await self._store.subscription(push.device)
        if row is None:
            return
        status = await self._send(row, push.message, job.match)
        has_failed = status == 429 or status >= 500 or status == 0
        is_last = has_failed and job.attempts >= len(PUSH_RETRIES_S)
        if is_last or status in (404, 410):  # The latter: the browser has unsubscribed.
            await self._store.delete_subscription(row.token_hash)
        if has_failed:
            raise TryAgain(f"status {status}")
        if status >= 300:
            LOG.info("push service refused", extra=fields(status=status))

    async def _send(self, row: SubscriptionRow, text: bytes, match: str) -> int:
        """Send a message; 0 if there is no response."""
        key, now_s = await self._own_key(), self._now() // 1000
        headers = {
            "Authorization": webpush.authorization(key, row.endpoint, now_s, self._contact),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(PUSH_TTL_S),
            "Urgency": "normal",
        }
        if match:  # A later message replaces one that hasn't been delivered.
            headers["Topic"] = hashlib.sha256(match.encode()).hexdigest()[:32]
        body = webpush.encrypt(text, bytes(row.p256dh), bytes(row.auth))
        try:
            return await self._outgoing.post(row.endpoint, headers, body)
        except BadUrl:
            return 410  # It has moved to where we don't call.
        except TooMany as error:
            raise PutOff(BUSY_S) from error
        except OSError:
            return 0


def message(language: str, kind: CallKind, call: Call) -> bytes:
    """What the service worker shows."""
    title = find_game(call.game).title if call.game else ""
    names = ", ".join(call.names)[:200]
    return msgspec.json.encode(
        {
            "title": say(language, kind, names=names),
            "body": say(language, f"{kind}.body", game=title, names=names),
            "url": call.url or f"/match/{call.match}",
            "tag": call.match or kind,
            "lang": language,
        }
    )


async def queued(store: Store, match: Match, seat: int) -> tuple[replies.Moves, ...] | None:
    """What is left of the replies that a seat has queued; None without any."""
    body = await store.replies(match.id, seat)
    if body is None:
        return None
    return replies.remaining(match, msgspec.json.decode(body, type=replies.Queue))
