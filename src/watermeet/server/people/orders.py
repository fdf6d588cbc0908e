"""What the host orders by ``watermeet admin``, also while a server uses the database.

SQLite has one writer, so a server that runs has to carry out the order itself. It finds it as a
file in its data folder: whoever may write there is the host, as with backups. With PostgreSQL, or
while no server runs, the command line carries it out.
"""

from __future__ import annotations

import contextlib
import logging
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from watermeet.core.errors import WatermeetError
from watermeet.server.background import Background
from watermeet.server.errors import NotFound, StoreUnavailable
from watermeet.server.people.invitations import add_invitations
from watermeet.server.people.mail_addresses import add_reset
from watermeet.server.people.moderation import FOREVER, ActDetails, Moderation, Role
from watermeet.server.store.moderation import NamedAudit
from watermeet.server.store.reports import NamedReport
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
FOLDER, ORDER, REPLY = "orders", ".order", ".reply"
POLL_S, WAIT_S = 0.5, 20.0
LISTED = 100


class Order(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to do."""

    what: Literal[
        "role", "warn", "mute", "suspend", "lift", "show", "log", "reports", "invite", "reset"
    ]
    name: str = ""
    role: Role = "player"
    reason: str = ""
    days: int | None = None
    count: int = 1


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """Lines to print, or an error."""

    lines: list[str] = []
    code: str = ""
    message: str = ""
    hint: str = ""


async def carry_out(order: Order, store: Store, moderation: Moderation) -> list[str]:
    """Do what the host orders; the lines to print."""
    if order.what == "log":
        return [line_of(each) for each in reversed(await moderation.log(LISTED))]
    if order.what == "reports":
        return [_report(each) for each in reversed(await store.open_reports(LISTED))]
    if order.what == "invite":
        return await add_invitations(
            store, "", order.count, order.days or 30, time.time_ns() // 1_000_000
        )
    user = await store.user_named(order.name)
    if user is None:
        raise NotFound(f"nobody is called {order.name!r}", "check the spelling")
    if order.what == "reset":
        return [await add_reset(store, user, time.time_ns() // 1_000_000)]
    if order.what == "show":
        log = await moderation.log(LISTED, user.id)
        return [_standing(user), *(line_of(each) for each in reversed(log))]
    if order.what == "role":
        await moderation.put_role(None, user, order.role)
    else:
        await moderation.act(None, user, order.what, reason=order.reason, days=order.days)
    return [line_of((await moderation.log(1, user.id))[0])]


def line_of(each: NamedAudit) -> str:
    """An act as a line."""
    details = msgspec.json.decode(each.row.body, type=ActDetails)
    actor = "the host" if not each.row.actor else each.actor or "Deleted user"
    words = [_day(each.row.at), f"{actor}:", each.row.act, each.subject or "somebody"]
    words += [details.role] if details.role else []
    if details.until is not None:
        words.append("for good" if details.until >= FOREVER else f"until {_day(details.until)}")
    return " ".join(words) + (f" ({details.reason})" if details.reason else "")


def _report(each: NamedReport) -> str:
    row = each.row
    words = [_day(row.at), f"{each.reporter or 'Guest'}:", row.subject_name, row.reason]
    words += [f"match {row.match}"] if row.match else []
    return " ".join(words) + (f" ({row.note})" if row.note else "")


def _standing(user: UserRow) -> str:
    ends = {"muted": user.muted_until, "suspended": user.suspended_until}
    now = time.time() * 1000
    found = [
        f"{what} {'for good' if end >= FOREVER else f'until {_day(end)}'}"
        for what, end in ends.items()
        if end is not None and end > now
    ]
    return ", ".join([f"{user.name}: {user.role}", *found])


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


# ---- files --------------------------------------------------------------------------------------


class Orders(Background):
    """Carries out orders that appear in a server's data folder."""

    def __init__(self, folder: Path | None, store: Store, moderation: Moderation) -> None:
        super().__init__()
        self._folder = None if folder is None else folder / FOLDER
        self._store, self._moderation = store, moderation

    def start(self) -> None:
        """Start to look for orders."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                self._folder.mkdir(mode=0o700, exist_ok=True)
            self._spawn(self._repeat(partial(self._carry_out_all, self._folder), POLL_S))

    async def _carry_out_all(self, folder: Path) -> None:
        for file in sorted(folder.glob(f"*{ORDER}")):
            await self._carry_out(file)

    async def _carry_out(self, file: Path) -> None:
        body = file.read_bytes()
        file.unlink()
        try:
            order = msgspec.json.decode(body, type=Order)
            reply = Reply(await carry_out(order, self._store, self._moderation))
        except WatermeetError as error:
            reply = Reply(code=error.code, message=error.message, hint=error.hint)
        except msgspec.DecodeError as error:
            reply = Reply(code="bad_request", message=str(error))
        except Exception as error:  # The host reads of it, and the next order is carried out.
            LOG.exception("order failed")
            reply = Reply(code="internal", message=f"{type(error).__name__}: {error}")
        _write(file.with_suffix(REPLY), msgspec.json.encode(reply))


def send_order(folder: Path, order: Order) -> Reply:
    """Have the server of a data folder carry out an order; raises StoreUnavailable."""
    place = folder / FOLDER
    place.mkdir(mode=0o700, exist_ok=True)
    file = place / f"{make_id()}{ORDER}"
    _write(file, msgspec.json.encode(order))
    answer, end = file.with_suffix(REPLY), time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if answer.exists():
            reply = msgspec.json.decode(answer.read_bytes(), type=Reply)
            answer.unlink()
            return reply
        time.sleep(0.1)
    file.unlink(missing_ok=True)
    raise StoreUnavailable("the server doesn't respond", "is it stuck? Stop it and try again")


def _write(file: Path, content: bytes) -> None:
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_bytes(content)
    new.replace(file)
