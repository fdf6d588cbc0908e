"""Digests: mail about slow matches that wait for somebody, at most one an hour or a day.

A digest is sent when at least one match has begun to wait since the last one; it lists all that
wait. Whichever node claims it in the store sends it. Its link ends them with one click.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from typing import Literal

import msgspec

from watermeet.core.errors import WatermeetError
from watermeet.core.registry import game as find_game
from watermeet.server.background import Background
from watermeet.server.errors import NoMail, NotFound
from watermeet.server.logs import fields
from watermeet.server.mail import Mail
from watermeet.server.matches.setup import Correspondence, TimeControl
from watermeet.server.people.texts import say, say_count
from watermeet.server.people.webpush import b64
from watermeet.server.store.called import DigestRow
from watermeet.server.store.rows import MatchRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import hash_token

LOG = logging.getLogger(__name__)
HOUR_MS = 3_600_000
Every = Literal["never", "hourly", "daily"]
EVERY_MS: dict[str, int] = {"hourly": HOUR_MS, "daily": 24 * HOUR_MS}
SWEEP_S, RECHECK_MS, MOST = 30.0, 600_000, 200
DIGEST_KEY = "digest"


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

    def __init__(self, store: Store, mail: Mail, now: Callable[[], int], public_url: str) -> None:
        """Links need ``public_url``."""
        super().__init__()
        self._store, self._mail, self._now = store, mail, now
        self._url = public_url.rstrip("/")

    @property
    def is_on(self) -> bool:
        """Whether this server can send digests."""
        return self._mail.is_on and bool(self._url)

    def start(self) -> None:
        """Start to send."""
        if self.is_on:
            self._spawn(self._work())

    async def _work(self) -> None:
        while True:
            try:
                await self.sweep()
            except WatermeetError as error:
                LOG.warning("digests have to wait", extra=fields(code=error.code))
            except Exception:  # One digest must not stop the others.
                LOG.exception("digests crashed")
            await asyncio.sleep(SWEEP_S)

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
        """Send what is due."""
        for row in await self._store.due_digests(self._now(), MOST):
            await self._check(row)

    async def _check(self, row: DigestRow) -> None:
        address = await self._store.mail_address(row.user)
        if address is None:
            await self._store.delete_digest(row.user)
            return
        now, since = self._now(), row.next_at - row.every
        waiting = [
            each for each in await self._store.running_of(row.user) if _waits(each, row.user)
        ]
        has_news = any(each.changed_at >= since for each in waiting)
        next_at = now + (row.every if has_news else RECHECK_MS)
        if await self._store.claim_digest(row, next_at) and has_news:
            await self._send(row, address, waiting)

    async def _send(self, row: DigestRow, address: str, waiting: list[MatchRow]) -> None:
        language, code = row.language, await self._code(row.user)
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
