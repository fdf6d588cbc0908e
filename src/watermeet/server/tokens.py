"""Tokens: whoever holds one may do what it allows. The server stores only their hashes.

A token is 32 random bytes. That can't be guessed, so a plain hash without salt is enough.
"""

from __future__ import annotations

import hashlib
import secrets

SEAT, INVITE, DEVICE, BOT, PERSONAL = "seat", "invite", "device", "bot", "personal"
MAX_LENGTH = 64
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"  # Without 0 O 1 I l o.
_ID_LENGTH = 12
_IDS = len(_ALPHABET) ** _ID_LENGTH


def make_token() -> str:
    """A new token, to be shown once; with a hyphen at its head programs would read an option."""
    while (token := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return token


def hash_token(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def make_id() -> str:
    """An id for a match or a user: short enough for a link, and impossible to guess."""
    number, letters = secrets.randbelow(_IDS), []
    for _ in range(_ID_LENGTH):
        number, place = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[place])
    return "".join(letters)


def make_secret() -> bytes:
    """The random secret of a match, from which all of its chance outcomes follow."""
    return secrets.token_bytes(32)
