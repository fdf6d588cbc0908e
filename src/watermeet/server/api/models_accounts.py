"""The bodies of requests and responses about accounts."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class AccountOptionsResponse(Struct, frozen=True):
    """Who may sign up on this server, and whether it sends mail."""

    sign_up: Literal["open", "closed"]
    has_mail: bool


class AccountInfoResponse(Struct, frozen=True):
    """How a user can sign in; a guest can't."""

    name: str | None
    is_registered: bool
    has_password: bool
    recovery_codes_left: int
