"""Digests: mail about slow matches that wait for somebody, at most one an hour or a day.

A digest is sent when at least one match has begun to wait since the last one; it lists all that
wait. Whichever node finds that it is due claims it and adds the job that sends it, in one
transaction. Its link ends them with one click.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from typing import Literal

import msgspec

from watermeet.core.registry import game as find_game
from watermeet.server.background import Background
from watermeet.server.errors import NoMail, NotFound, StoreUnavailable
from watermeet.server.jobs import JobRunner
from watermeet.server.logs import fields
from watermeet.server.mail import RETRIES_S, Mail
from watermeet.server.matches.setup import Correspondence, TimeControl
from watermeet.server.people.texts import say, say_count
from watermeet.server.people.webpush import b64
from watermeet.server.store.called import DigestRow
from watermeet.server.store.rows import Job, MatchRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import hash_token

LOG = logging.getLogger(__name__)
HOUR_MS = 3_600_000
Every = Literal["never", "hourly", "daily"]
EVERY_MS: dict[str, int] = {"hourly": HOUR_MS, "daily": 24 * HOUR_MS}
SWEEP_S, RECHECK_MS, MOST = 30.0, 600_000, 200
DIGEST_KEY, DIGEST_JOB = "digest", "digest"


class _Seat(msgspec.Struct, frozen=True):
    name: str
    level: str = ""


class _Headline(msgspec.Struct, frozen=True):
    users: tuple[str, ...]
    seats: tuple[_Seat, ...]
    time_control: TimeControl
    to_move: int | None = None


class Digests(Background):
    """Sends digests that are due."""

    def __init__(
        self,
        store: Store,
        mail: Mail,
        runner: JobRunner,
        now: Callable[[], int],
        public_url: str,
    ) -> None:
        """Links need ``public_url``."""
        super().__init__()
        self._store, self._mail, self._runner, self._now = store, mail, runner, now
        self._url = public_url.rstrip("/")
        runner.add(DIGEST_JOB, self._send, retries_s=RETRIES_S, is_dropped=True)

    @property
    def is_on(self) -> bool:
        """Whether this server can send digests."""
        return self._mail.is_on and bool(self._url)

    def start(self) -> None:
        """Start to look for what is due."""
        if self.is_on:
            self._spawn(self._repeat(self.sweep, SWEEP_S))

    async def every(self, user: str) -> Every:
        """How often a user gets a digest."""
        row = await self._store.digest(user)
        if row is None:
            return "never"
        return "hourly" if row.every == HOUR_MS else "daily"

    async def choose(self, user: str, every: Every, language: str) -> None:
        """Send a user digests from now on, or no more; raises NoMail."""
        if every == "never":
            await self._store.delete_digest(user)
            return
        if not self.is_on or await self._store.mail_address(user) is None:
            raise NoMail("there is no address to send mail to", "confirm one on the account page")
        code = hash_token(await self._code(user))
        row = DigestRow(user, EVERY_MS[every], language, code, self._now())
        await self._store.put_digest(row)

    async def unsubscribe(self, code: str) -> None:
        """End digests by the code of a link; raises NotFound."""
        if not await self._store.unsubscribe(hash_token(code)):
            raise NotFound("this link ends nothing", "there are no digests any more")

    async def _code(self, user: str) -> str:
        """The code of a user's links: the same in all mail, so that old links work, too."""
        key = await self._store.server_key(DIGEST_KEY, secrets.token_bytes(32))
        return b64(hmac.new(key, user.encode(), hashlib.sha256).digest())

    # ---- sending ----

    async def sweep(self) -> None:
        """Add the jobs of what is due."""
        for row in await self._store.due_digests(self._now(), MOST):
            try:
                await self._check(row)
            except StoreUnavailable:
                raise
            except Exception:  # One digest must not stop the others.
                LOG.exception("no digest", extra=fields(user=row.user))
                await self._store.claim_digest(row, self._now() + RECHECK_MS)

    async def _check(self, row: DigestRow) -> None:
        if await self._store.mail_address(row.user) is None:
            await self._store.delete_digest(row.user)
            return
        now, since, job = self._now(), row.next_at - row.every, None
        next_at = now + RECHECK_MS
        if any(each.changed_at >= since for each in await self._waiting(row.user)):
            name, next_at = f"{DIGEST_JOB}-{row.user}-{row.next_at}", now + row.every
            job = Job(name, DIGEST_JOB, "", 0, 0, row.user.encode(), now)
        if await self._store.claim_digest(row, next_at, job) and job is not None:
            self._runner.hear([job])

    async def _waiting(self, user: str) -> list[MatchRow]:
        """The slow matches that wait for a user."""
        return [each for each in await self._store.running_of(user) if _waits(each, user)]

    async def _send(self, job: Job) -> None:
        user = bytes(job.body).decode()
        row, address = await self._store.digest(user), await self._store.mail_address(user)
        waiting = await self._waiting(user)
        if row is None or address is None or not waiting:
            return  # They don't want it any more, or have played.
        language, code = row.language, await self._code(user)
        lines = [say(language, "digest.hello"), ""]
        for each in waiting:
            title, names = find_game(each.game).title, ", ".join(_others(each, row.user))
            lines += [say(language, "turn.body", game=title, names=names)]
            lines += [f"{self._url}/match/{each.id}", ""]
        lines += ["--", say(language, "digest.stop"), f"{self._url}/unsubscribe#{code}", ""]
        await self._mail.send(
            address,
            say_count(language, "digest", len(waiting)),
            "\n".join(lines),
            unsubscribe=f"{self._url}/api/digests/{code}/unsubscribe",
        )


def _read(row: MatchRow) -> _Headline:
    return msgspec.json.decode(row.headline, type=_Headline)


def _waits(row: MatchRow, user: str) -> bool:
    """Whether a slow match waits for a user."""
    found = _read(row)
    is_slow = isinstance(found.time_control, Correspondence)
    return is_slow and found.to_move is not None and found.users[found.to_move] == user


def _others(row: MatchRow, user: str) -> list[str]:
    found = _read(row)
    pairs = zip(found.users, found.seats, strict=True)
    return [seat.name or seat.level for each, seat in pairs if each != user]
