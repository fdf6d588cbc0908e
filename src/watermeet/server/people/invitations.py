"""Invitations: codes that each let one guest sign up, on a server for invited people.

Guests of such a server take the seats that others offer, and begin nothing.
"""

from __future__ import annotations

import re
import secrets

from watermeet.server.errors import InvitedToSignUp
from watermeet.server.store.rows import CodeRow, UserRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import hash_token

INVITATION = "invitation"
DAY_MS = 24 * 60 * 60_000
LENGTH = 16
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # Without 0 o 1 i l.


def check_may_begin(user: UserRow, sign_up: str) -> None:
    """Raise InvitedToSignUp for a guest where only invited people sign up."""
    if user.is_guest and sign_up == "invited":
        raise InvitedToSignUp(
            "only people with an account begin something here", "ask the host to invite you"
        )


async def add_invitations(store: Store, by: str, count: int, days: int, now: int) -> list[str]:
    """New codes of a user, or of the host, whose id is empty."""
    codes = [make_code(LENGTH) for _ in range(count)]
    for code in codes:
        row = CodeRow(hash_code(code), INVITATION, by, now + days * DAY_MS)
        await store.add_code(row, now)
    return codes


def make_code(length: int) -> str:
    """Letters in groups of four, for people to type."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(length))
    return "-".join(re.findall("....", letters))


def hash_code(code: str) -> bytes:
    """What is stored of a code that people type, in whatever way."""
    return hash_token(re.sub(r"[\s-]", "", code).lower())
