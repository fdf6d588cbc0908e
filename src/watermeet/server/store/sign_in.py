"""What the store knows of signing in: passkeys, mail addresses, and codes of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from watermeet.server.store import sql
from watermeet.server.store.part import Rows, StorePart
from watermeet.server.store.rows import CodeRow, Spending, TokenRow
from watermeet.server.store.sql import ConstraintViolation, Statement


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
COUNT_PASSKEYS = "SELECT count(*) FROM passkeys WHERE user_id = $1"
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
DELETE_LINKS = "DELETE FROM codes WHERE user_id = $1 AND kind IN ('mail', 'reset') AND hash <> $2"
REMOVE_PASSKEYS = "DELETE FROM passkeys WHERE user_id = $1"
ADD_CODE = "INSERT INTO codes (hash, kind, user_id, expires_at, body) VALUES ($1, $2, $3, $4, $5)"
EXPIRED_CODE = "SELECT 1 FROM codes WHERE expires_at <= $1 LIMIT 1"
EXPIRE_CODES = "DELETE FROM codes WHERE expires_at <= $1"
READ_CODE = """
SELECT user_id, body FROM codes
WHERE hash = $1 AND kind = $2 AND (expires_at IS NULL OR expires_at > $3)"""

# A code is spent in the transaction that it is for. One that can't be becomes NULL, and one that
# isn't there leads to a NULL, too: the table rejects both, and with them the whole transaction. The
# row stays for a while, so that of two who spend it at once the second finds it spent. $3 is the
# time, $4 the only user who may, empty for anybody.
REQUIRE_CODE = f"{sql.REFUSE} WHERE NOT EXISTS (SELECT 1 FROM codes WHERE hash = $1)"  # noqa: S608
# The same for a token, which may have ended since a request began.
REQUIRE_SIGNED_IN = f"{sql.REFUSE} WHERE NOT EXISTS (SELECT 1 FROM tokens WHERE hash = $1)"  # noqa: S608
SPEND_CODE = """
UPDATE codes SET expires_at = 0, kind = CASE WHEN kind = CAST($2 AS TEXT)
  AND (expires_at IS NULL OR expires_at > CAST($3 AS BIGINT))
  AND (CAST($4 AS TEXT) = '' OR user_id = $4) THEN 'spent' END
WHERE hash = $1 RETURNING user_id, body"""

# A bucket that leaks: it is empty at free_at, each attempt moves that by $3, and when it is later
# than $4 from now ($2), the bucket is full: it becomes NULL, which the table rejects.
COUNT_ATTEMPT = """
INSERT INTO attempts (key, free_at) VALUES ($1, CAST($2 AS BIGINT) + CAST($3 AS BIGINT))
ON CONFLICT (key) DO UPDATE SET free_at = CASE
  WHEN attempts.free_at <= CAST($2 AS BIGINT) THEN CAST($2 AS BIGINT) + CAST($3 AS BIGINT)
  WHEN attempts.free_at <= CAST($2 AS BIGINT) + CAST($4 AS BIGINT)
    THEN attempts.free_at + CAST($3 AS BIGINT) END"""
OLD_ATTEMPT = "SELECT 1 FROM attempts WHERE free_at < $1 LIMIT 1"
FORGET_ATTEMPTS = "DELETE FROM attempts WHERE free_at < $1"


class Count(NamedTuple):
    """What is counted, how much one attempt adds, and how much may be there before it; in ms."""

    key: bytes
    cost: int
    most: int


def spending(code: Spending | None) -> list[Statement]:
    """What spends a code, or refuses all that is written with it."""
    if code is None:
        return []
    return [Statement(REQUIRE_CODE, [code.hash]), Statement(SPEND_CODE, code)]


def deletion(user: str) -> list[Statement]:
    """What is deleted with a user."""
    return [Statement(REMOVE_MAIL, [user]), Statement(REMOVE_PASSKEYS, [user])]


class SignInStore(StorePart):
    """A part of the store."""

    async def add_passkey(self, row: PasskeyRow, most: int, by: bytes) -> bool:
        """Add a passkey; False if the user has as many, or the token ``by`` has ended."""
        return await self._write_at_most(
            most,
            Statement(COUNT_PASSKEYS, [row.user]),
            Statement(REQUIRE_SIGNED_IN, [by]),
            Statement(ADD_PASSKEY, row),
            alone=row.user,
        )

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

    async def count_attempts(self, counts: Sequence[Count], now: int) -> bool:
        """Count an attempt in all of these; False, and nothing is counted, if one is full."""
        try:
            await self._write(
                *(
                    Statement(COUNT_ATTEMPT, [each.key, now, each.cost, each.most])
                    for each in counts
                )
            )
        except ConstraintViolation:
            return False
        return True

    async def mail_address(self, user: str) -> str | None:
        """A user's mail address, which they have confirmed."""
        rows = await self._read(Statement(READ_MAIL, [user]))
        return rows[0][0] if rows else None

    async def remove_mail_address(self, user: str) -> None:
        """Forget a mail address, and all mailed links."""
        await self._write(Statement(REMOVE_MAIL, [user]), Statement(DELETE_LINKS, [user, b""]))

    async def add_code(self, code: CodeRow, now: int) -> None:
        """Add a code to those that there are, and delete all that have expired."""
        await self._write(Statement(EXPIRE_CODES, [now]), Statement(ADD_CODE, code))

    async def read_code(self, hash: bytes, kind: str, now: int) -> tuple[str, str] | None:  # noqa: A002
        """Whose code it is, and its body; None if there is none."""
        return _code(await self._read(Statement(READ_CODE, [hash, kind, now])))

    async def spend_code(self, code: Spending) -> tuple[str, str] | None:
        """The same, and spend it."""
        try:
            return _code(await self._write(*spending(code)))
        except ConstraintViolation:
            return None

    async def begin_session(self, code: Spending, session: TokenRow) -> bool:
        """Begin a session by a code; False if it can't be spent."""
        return await self._spend(session.user or "", code, Statement(sql.ADD_TOKEN, session))

    async def confirm_mail_address(self, code: Spending, user: str, address: str) -> bool:
        """Set a mail address by a code, and forget other links; False if it can't be spent."""
        return await self._spend(
            user,
            code,
            Statement(PUT_MAIL, [user, address]),
            Statement(DELETE_LINKS, [user, code.hash]),
        )

    async def _spend(self, user: str, code: Spending | None, *statements: Statement) -> bool:
        """Write something about how a user signs in; False if that is refused."""
        try:
            await self._write(*spending(code), *statements, alone=user)
        except ConstraintViolation as violation:
            if not violation.is_of("codes"):
                raise
            return False
        return True

    async def set_password(
        self,
        user: str,
        password: str,
        *,
        but: bytes = b"",
        code: Spending | None = None,
        session: TokenRow | None = None,
    ) -> bool:
        """Change a user's password, as its hash, and end all their tokens and open codes but one.

        All or nothing, and with the beginning of a session. False if the code can't be spent, or
        the token ``but`` has ended.
        """
        required = [Statement(REQUIRE_SIGNED_IN, [but])] if but else []
        begun = [] if session is None else [Statement(sql.ADD_TOKEN, session)]
        return await self._spend(
            user,
            code,
            *required,
            Statement(sql.PUT_PASSWORD, [user, password]),
            *ending(user, but, code),
            *begun,
        )


def ending(user: str, but: bytes, code: Spending | None = None) -> list[Statement]:
    """What ends all tokens of a user but one, and their codes that could sign somebody in later."""
    spent = b"" if code is None else code.hash
    return [
        Statement(sql.REVOKE_ALL, [user, but]),
        Statement(sql.DELETE_OPEN_CODES, [user, spent]),
    ]


def _code(rows: Rows) -> tuple[str, str] | None:
    return (rows[0][0], rows[0][1]) if rows else None


def _passkey(row: Sequence[Any]) -> PasskeyRow:
    id_, user, key, *rest = row
    return PasskeyRow(bytes(id_), user, bytes(key), *rest)
