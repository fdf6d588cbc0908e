"""What the store knows of signing in: passkeys, mail addresses, and codes of all kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from watermeet.server.store.rows import CodeRow
from watermeet.server.store.sql import Statement

Rows = Sequence[Sequence[Any]]


class PasskeyRow(NamedTuple):
    """A passkey of a user; ``id`` is the credential's."""

    id: bytes
    user: str
    public_key: bytes
    sign_count: int
    label: str
    created_at: int
    used_at: int | None = None


_PASSKEY = "id, user_id, public_key, sign_count, label, created_at, used_at"
ADD_PASSKEY = f"INSERT INTO passkeys ({_PASSKEY}) VALUES ($1, $2, $3, $4, $5, $6, $7)"  # noqa: S608
READ_PASSKEY = f"SELECT {_PASSKEY} FROM passkeys WHERE id = $1"  # noqa: S608
PASSKEYS_OF = f"SELECT {_PASSKEY} FROM passkeys WHERE user_id = $1 ORDER BY created_at"  # noqa: S608
USE_PASSKEY = "UPDATE passkeys SET sign_count = $2, used_at = $3 WHERE id = $1"
RENAME_PASSKEY = "UPDATE passkeys SET label = $3 WHERE id = $1 AND user_id = $2 RETURNING id"
REMOVE_PASSKEY = "DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING id"
PUT_MAIL = """
INSERT INTO mail_addresses (user_id, address) VALUES ($1, $2)
ON CONFLICT (user_id) DO UPDATE SET address = excluded.address"""
READ_MAIL = "SELECT address FROM mail_addresses WHERE user_id = $1"
REMOVE_MAIL = "DELETE FROM mail_addresses WHERE user_id = $1"
REMOVE_PASSKEYS = "DELETE FROM passkeys WHERE user_id = $1"
ADD_CODE = "INSERT INTO codes (hash, kind, user_id, expires_at, body) VALUES ($1, $2, $3, $4, $5)"
EXPIRE_CODES = "DELETE FROM codes WHERE expires_at <= $1"
READ_CODE = """
SELECT user_id, body FROM codes
WHERE hash = $1 AND kind = $2 AND (expires_at IS NULL OR expires_at > $3)"""
TAKE_CODE = """
DELETE FROM codes WHERE hash = $1 AND kind = $2 AND (expires_at IS NULL OR expires_at > $3)
RETURNING user_id, body"""


def deletion(user: str) -> list[Statement]:
    """What is deleted with a user."""
    return [Statement(REMOVE_MAIL, [user]), Statement(REMOVE_PASSKEYS, [user])]


class SignInStore(ABC):
    """A part of the store."""

    @abstractmethod
    async def _read(self, statement: Statement) -> Rows: ...

    @abstractmethod
    async def _write(self, *statements: Statement) -> Rows: ...

    async def add_passkey(self, row: PasskeyRow) -> None:
        """Add a passkey."""
        await self._write(Statement(ADD_PASSKEY, row))

    async def passkey(self, id: bytes) -> PasskeyRow | None:  # noqa: A002
        """A passkey by the id of its credential."""
        rows = await self._read(Statement(READ_PASSKEY, [id]))
        return _passkey(rows[0]) if rows else None

    async def passkeys(self, user: str) -> list[PasskeyRow]:
        """The passkeys of a user, the oldest first."""
        return [_passkey(row) for row in await self._read(Statement(PASSKEYS_OF, [user]))]

    async def use_passkey(self, id: bytes, sign_count: int, now: int) -> None:  # noqa: A002
        """Note that a passkey was used."""
        await self._write(Statement(USE_PASSKEY, [id, sign_count, now]))

    async def rename_passkey(self, id: bytes, user: str, label: str) -> bool:  # noqa: A002
        """Give a passkey another label; False if the user has no such passkey."""
        return bool(await self._write(Statement(RENAME_PASSKEY, [id, user, label])))

    async def remove_passkey(self, id: bytes, user: str) -> bool:  # noqa: A002
        """Remove a passkey; False if the user has no such passkey."""
        return bool(await self._write(Statement(REMOVE_PASSKEY, [id, user])))

    async def mail_address(self, user: str) -> str | None:
        """A user's mail address, which they have confirmed."""
        rows = await self._read(Statement(READ_MAIL, [user]))
        return rows[0][0] if rows else None

    async def put_mail_address(self, user: str, address: str) -> None:
        """Set a mail address that was confirmed."""
        await self._write(Statement(PUT_MAIL, [user, address]))

    async def remove_mail_address(self, user: str) -> None:
        """Forget a mail address."""
        await self._write(Statement(REMOVE_MAIL, [user]))

    async def add_code(self, code: CodeRow, now: int) -> None:
        """Add a code to those that there are, and delete all that have expired."""
        await self._write(Statement(EXPIRE_CODES, [now]), Statement(ADD_CODE, code))

    async def read_code(self, hash: bytes, kind: str, now: int) -> tuple[str, str] | None:  # noqa: A002
        """Whose code it is, and its body; None if there is none."""
        return _code(await self._read(Statement(READ_CODE, [hash, kind, now])))

    async def take_code(self, hash: bytes, kind: str, now: int) -> tuple[str, str] | None:  # noqa: A002
        """The same, and delete it."""
        return _code(await self._write(Statement(TAKE_CODE, [hash, kind, now])))


def _code(rows: Rows) -> tuple[str, str] | None:
    return (rows[0][0], rows[0][1]) if rows else None


def _passkey(row: Sequence[Any]) -> PasskeyRow:
    id_, user, key, *rest = row
    return PasskeyRow(bytes(id_), user, bytes(key), *rest)
