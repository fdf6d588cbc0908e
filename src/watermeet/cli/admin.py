"""``watermeet admin``: roles, warnings, mutes, suspensions and the audit log of a server."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.serve import Data, SettingsFile
from watermeet.core.errors import WatermeetError

if TYPE_CHECKING:
    from watermeet.server.people.orders import Order

Name = Annotated[str, typer.Argument(metavar="NAME", help="The user's name.")]
Reason = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; the person is shown it.")
]
Days = Annotated[
    int | None, typer.Option("--days", metavar="N", help="For how long; for good if left out.")
]


class Role(StrEnum):
    """What somebody may do."""

    PLAYER = "player"
    MODERATOR = "moderator"
    ADMINISTRATOR = "administrator"


_LINKS = {"invite": "invitation", "reset": "reset"}
"""What prints links, and what the page calls their codes."""
RoleArgument = Annotated[Role, typer.Argument(metavar="ROLE", help="The new role.")]


def register(app: typer.Typer) -> None:
    """Add the subcommand and its own."""
    group = typer.Typer(no_args_is_help=True, help="Moderation of a server, for its host.")
    for command in (role, warn, mute, suspend, lift, show, reports, log, invite, reset):
        group.command(command.__name__)(command)
    app.add_typer(group, name="admin")


def role(
    name: Name, role: RoleArgument, *, data: Data = None, settings: SettingsFile = None
) -> None:
    """Give somebody a role: player, moderator or administrator."""
    _order({"what": "role", "name": name, "role": role.value}, data, settings)


def warn(name: Name, *, reason: Reason, data: Data = None, settings: SettingsFile = None) -> None:
    """Warn somebody."""
    _order({"what": "warn", "name": name, "reason": reason}, data, settings)


def mute(
    name: Name,
    *,
    reason: Reason,
    days: Days = None,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Let somebody write no more messages."""
    _order({"what": "mute", "name": name, "reason": reason, "days": days}, data, settings)


def suspend(
    name: Name,
    *,
    reason: Reason,
    days: Days = None,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Let somebody neither sign in nor play; their matches end."""
    _order({"what": "suspend", "name": name, "reason": reason, "days": days}, data, settings)


def lift(name: Name, *, data: Data = None, settings: SettingsFile = None) -> None:
    """End somebody's mute and suspension."""
    _order({"what": "lift", "name": name}, data, settings)


def show(name: Name, *, data: Data = None, settings: SettingsFile = None) -> None:
    """Show somebody's role, and what was done about them."""
    _order({"what": "show", "name": name}, data, settings)


def reports(*, data: Data = None, settings: SettingsFile = None) -> None:
    """Print the reports that nobody has decided about."""
    _order({"what": "reports"}, data, settings)


def log(*, data: Data = None, settings: SettingsFile = None) -> None:
    """Print the last 100 acts of moderators, administrators and the host."""
    _order({"what": "log"}, data, settings)


def invite(
    count: Annotated[int, typer.Argument(metavar="N", help="How many.", min=1, max=100)] = 1,
    *,
    days: Annotated[
        int, typer.Option("--days", metavar="N", help="For how long.", min=1, max=365)
    ] = 30,
    data: Data = None,
    settings: SettingsFile = None,
) -> None:
    """Invite people to sign up: print links, each for one person."""
    _order({"what": "invite", "count": count, "days": days}, data, settings)


def reset(name: Name, *, data: Data = None, settings: SettingsFile = None) -> None:
    """Print a link by which somebody sets a new password, once, within a day."""
    _order({"what": "reset", "name": name}, data, settings)


def _order(content: dict[str, object], data: Path | None, settings: Path | None) -> None:
    import msgspec

    from watermeet.server.people.orders import Order, send_order
    from watermeet.server.running import running_server
    from watermeet.server.settings import read_settings

    order = msgspec.convert(content, Order)
    chosen = read_settings(
        file=settings, overrides={"data_dir": None if data is None else str(data)}
    )
    folder = chosen.data_folder
    if folder is not None and running_server(folder) is not None:
        reply = send_order(folder, order)
        if reply.code:
            raise WatermeetError(reply.message, reply.hint)
        lines = reply.lines
    else:
        lines = asyncio.run(_carry_out(chosen.database_url, order))
    if order.what in _LINKS:
        base = chosen.public_url.rstrip("/") or f"http://localhost:{chosen.port}"
        lines = [f"{base}/account#{_LINKS[order.what]}={code}" for code in lines]
    for line in lines:
        typer.echo(line)


async def _carry_out(url: str, order: Order) -> list[str]:
    from watermeet.server.app import now_ms
    from watermeet.server.people.moderation import Moderation
    from watermeet.server.people.orders import carry_out
    from watermeet.server.store.factory import open_store

    store = await open_store(url)
    try:
        return await carry_out(order, store, Moderation(store, now_ms))
    finally:
        await store.close()
