"""Tokens: who holds one may do what it says. The server keeps only their hashes.

A token is 32 random bytes, so a plain hash suffices: there is nothing to guess, and nothing to
gain from salt or a slow hash.
"""

from __future__ import annotations

import hashlib
import secrets

SEAT, INVITE, DEVICE, BOT = "seat", "invite", "device", "bot"
MAX_LENGTH = 64
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"  # Not 0 O 1 I l o.
_ID_LENGTH = 12


def make_token() -> str:
    """A new token, to be shown once."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def make_id() -> str:
    """An id for a match or a user: short enough for a link, too many to be guessed or to meet."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def make_secret() -> bytes:
    """The random secret of a match: everything that it draws follows from it."""
    return secrets.token_bytes(32)
