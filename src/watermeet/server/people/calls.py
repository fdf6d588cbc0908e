"""Calls: reaches people and bots who aren't connected, by push messages and webhooks.

Every move in a slow match, and the start of a match of somebody who wants to know, adds a job in
the same transaction. Whichever node leases it plays the reply that was queued for this move, if
there is one; otherwise it replaces the job by one for each device and webhook to be called. So each
is called by one node, and again only if that fails, or if the node dies while it is waiting.

A push message says whose turn it is and in which match, and nothing of the position.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from watermeet.core.errors import WatermeetError
from watermeet.core.registry import game as find_game
from watermeet.server.background import Background, wait_for
from watermeet.server.errors import BadUrl
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
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
CALL_JOB, PUSH_JOB, HOOK_JOB = "call", "push", "hook"
POLL_S, LEASE_MS, RETRY_MS = 5.0, 30_000, 5_000
REFRESH_S = 10.0
"""How often to read who wants to be called at all."""
AT_ONCE = 16
PUSH_RETRIES_S = 10, 60, 600, 3600
HOOK_RETRIES_S = 5, 30, 120, 600, 3600, 7200, 14400, 28800
FAILS_MS = 3 * 24 * 3_600_000
"""A webhook that has failed for this long is turned off."""
PUSH_TTL_S = 3 * 24 * 3600
VAPID_KEY = "vapid"

CallKind = Literal["turn", "challenge", "start"]


class Call(Struct, frozen=True, omit_defaults=True):
    """What somebody is called about."""

    game: str
    """Its name, such as flume."""
    names: tuple[str, ...] = ()
    """The other players, or who challenges."""
    match: str = ""
    seat: int = 0
    seq: int = 0
    url: str = ""
    """The page that the notification opens; empty: that of the match."""


class _Push(Struct, frozen=True):
    """The body of a job: a device, and its message."""

    device: bytes
    message: bytes


class _Hook(Struct, frozen=True):
    """The body of a job: a bot, and what it is sent."""

    user: str
    body: bytes


class HookBody(Struct, frozen=True, omit_defaults=False):
    """What a webhook is sent."""

    type: CallKind
    match: str
    seat: int
    seq: int
    game: str
    names: tuple[str, ...]


class Calls(Background):
    """Does what is to be done when somebody's turn begins, and calls them."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        now: Callable[[], int],
        worker: str,
        outgoing: Outgoing,
        contact: str = "",
    ) -> None:
        """``contact`` is where push services find the host: a mail address, or a page."""
        super().__init__()
        self._store, self._matches, self._now, self._worker = store, matches, now, worker
        self._outgoing, self._contact = outgoing, contact or "mailto:nobody@example.org"
        self._news = asyncio.Event()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._key: webpush.Key | None = None
        self._pushed: set[str] = set()
        self._hooked: set[str] = set()
        matches.calls = self._jobs
        matches.listen(self._hear)

    def start(self) -> None:
        """Start to work."""
        self._spawn(self._work())
        self._spawn(self._refresh())

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
        user = match.seats[seat].user if seat is not None else ""
        if (is_slow and (is_turn or has_ended)) or (is_turn and user in self._hooked):
            name = f"{CALL_JOB}-{match.id}-{match.seq}"
            jobs.append(Job(name, CALL_JOB, match.id, seat or 0, match.seq, b"turn", now))
        if has_begun and self._is_called(match):
            name = f"{CALL_JOB}-{match.id}-start"
            jobs.append(Job(name, CALL_JOB, match.id, seat or 0, match.seq, b"start", now))
        return jobs

    def _hear(self, live: LiveMatch) -> None:
        is_slow = isinstance(live.match.setup.time_control, Correspondence)
        if is_slow or self._is_called(live.match):
            self._news.set()

    def _is_called(self, match: Match) -> bool:
        """Whether anybody in a match wants to be called at all."""
        users = [seat.user for seat in match.seats]
        return any(user in self._pushed or user in self._hooked for user in users)

    async def _refresh(self) -> None:
        while True:
            try:
                self._pushed = await self._store.called_users()
                self._hooked = await self._store.hooked_users()
            except WatermeetError as error:
                LOG.warning("users to call unknown", extra=fields(code=error.code))
            await asyncio.sleep(REFRESH_S)

    def expect(self, user: str, *, hook: bool = False) -> None:
        """Call a user from now on; other nodes find out within seconds."""
        (self._hooked if hook else self._pushed).add(user)

    async def _work(self) -> None:
        while True:
            self._news.clear()
            try:
                while True:
                    await self._slots.acquire()
                    job = await self._lease()
                    if job is None:
                        break
                    self._spawn(self._do(job))
            except WatermeetError as error:
                self._slots.release()
                LOG.warning("calls have to wait", extra=fields(code=error.code))
            else:
                self._slots.release()
            await wait_for(self._news, POLL_S)

    async def _lease(self) -> Job | None:
        now, kinds = self._now(), [CALL_JOB, PUSH_JOB, HOOK_JOB]
        return await self._store.lease(kinds, self._worker, now, now + LEASE_MS)

    async def _do(self, job: Job) -> None:
        doing = {CALL_JOB: self._fan_out, PUSH_JOB: self._push, HOOK_JOB: self._hook}
        try:
            await doing[job.kind](job)
        except Exception as error:  # A third-party game may raise anything.
            code = error.code if isinstance(error, WatermeetError) else ""
            LOG.warning("call failed", exc_info=not code, extra=fields(match=job.match, code=code))
            await self._again(job, (RETRY_MS // 1000,) * 20)
        finally:
            self._slots.release()

    async def _again(self, job: Job, delays_s: Sequence[int]) -> None:
        """Try a job again later, unless it was tried often enough."""
        try:
            if job.attempts >= len(delays_s):
                await self._store.complete(job.id)
            else:
                ready_at = self._now() + 1000 * delays_s[job.attempts]
                await self._store.release(job.id, self._worker, ready_at)
        except WatermeetError as error:
            LOG.warning("call not put off", extra=fields(match=job.match, code=error.code))

    # ---- turns and starts ----

    async def _fan_out(self, job: Job) -> None:
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
        await self._store.split(job.id, found)
        if found:
            self._news.set()

    async def _called(self, match: Match, seat: int, kind: CallKind, name: str) -> list[Job]:
        names = tuple(
            each.name or each.bot
            for number, each in enumerate(match.seats)
            if number != seat and each.is_taken
        )
        call = Call(match.game.name, names, match.id, seat, match.seq)
        return await self._deliveries(match.seats[seat].user, kind, call, f"{name}-{seat}")

    async def call(self, user: str, kind: CallKind, call: Call) -> None:
        """Call a user on all devices that want this kind of call, and a bot by its webhook."""
        await self._store.add_jobs(await self._deliveries(user, kind, call, make_id()))
        self._news.set()

    async def _deliveries(self, user: str, kind: CallKind, call: Call, name: str) -> list[Job]:
        now, jobs = self._now(), []
        for row in await self._store.subscriptions_of(user):
            if kind in row.kinds.split():
                body = msgspec.json.encode(_Push(row.token_hash, message(row.language, kind, call)))
                id_ = f"{PUSH_JOB}-{name}-{row.token_hash.hex()[:16]}"
                jobs.append(Job(id_, PUSH_JOB, call.match, call.seat, call.seq, body, now))
        hook = await self._store.webhook(user)
        if hook is not None and hook.is_on:
            sent = HookBody(kind, call.match, call.seat, call.seq, call.game, call.names)
            body = msgspec.json.encode(_Hook(user, msgspec.json.encode(sent)))
            id_ = f"{HOOK_JOB}-{name}-{user}"
            jobs.append(Job(id_, HOOK_JOB, call.match, call.seat, call.seq, body, now))
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
            await self._store.complete(job.id)
            return
        status = await self._send(row, push.message, job.match)
        if status in (404, 410):  # The browser has unsubscribed.
            await self._store.delete_subscription(row.token_hash)
        if status == 429 or status >= 500 or status == 0:
            await self._again(job, PUSH_RETRIES_S)
            return
        if status >= 300:
            LOG.info("push service refused", extra=fields(status=status))
        await self._store.complete(job.id)

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
        except OSError:
            return 0

    async def _hook(self, job: Job) -> None:
        found = msgspec.json.decode(job.body, type=_Hook)
        row = await self._store.webhook(found.user)
        if row is None or not row.is_on or await self._is_over(job, found.body):
            await self._store.complete(job.id)
            return
        now = self._now()
        headers = {"Content-Type": "application/json", **signature(row.secret, now, found.body)}
        try:
            status = await self._outgoing.post(row.url, headers, found.body)
        except (BadUrl, OSError):
            status = 0
        failed_at = None if 200 <= status < 300 else now
        too_long = now - FAILS_MS
        await self._store.note_webhook(found.user, status, failed_at=failed_at, too_long=too_long)
        if failed_at is None:
            await self._store.complete(job.id)
        else:
            await self._again(job, HOOK_RETRIES_S)

    async def _is_over(self, job: Job, body: bytes) -> bool:
        """Whether the turn that a bot would be called to has passed."""
        if not job.attempts or msgspec.json.decode(body, type=HookBody).type != "turn":
            return False
        match = (await self._matches.current(job.match)).match
        return match.has_ended or match.changed_seq > job.seq


def signature(secret: str, now: int, body: bytes) -> dict[str, str]:
    """The headers by which a bot knows that the server has called it, and when."""
    at = str(now // 1000)
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"Watermeet-Timestamp": at, "Watermeet-Signature": f"sha256={digest}"}


def message(language: str, kind: CallKind, call: Call) -> bytes:
    """What the service worker shows."""
    title = find_game(call.game).title
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
