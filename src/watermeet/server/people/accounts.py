"""Accounts: signing up, signing in, recovery, sessions, another device, and deletion.

A guest who signs up stays the same user, with all matches, ratings and results. Sessions are the
tokens of devices. Nothing here tells a stranger whether a name has an account: unknown names and
wrong passwords get the same answer, after the same work.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

import msgspec

from watermeet.server.errors import (
    HasAccount,
    InvitedToSignUp,
    NoAccount,
    NotFound,
    SignInAgain,
    SignUpClosed,
    StillPlaying,
    TooMany,
    WrongCode,
    WrongPassword,
)
from watermeet.server.limits import RateLimiter
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.match import OPEN, PAUSED, PLAYING
from watermeet.server.names import clean_name
from watermeet.server.people.invitations import INVITATION, hash_code, make_code
from watermeet.server.people.moderation import check_not_suspended
from watermeet.server.people.passwords import MAX_LENGTH, Passwords, check_password
from watermeet.server.people.users import BOT_USER, Account, People, new_session
from watermeet.server.store.rows import CodeRow, MatchRow, TokenRow, UserRow
from watermeet.server.store.sign_in import PasskeyRow
from watermeet.server.store.store import Store, name_key
from watermeet.server.tokens import DEVICE, PERSONAL, hash_token

RECOVERY, ANOTHER_DEVICE = "recovery", "device"
RECOVERY_CODES, RECOVERY_LENGTH = 8, 16
DEVICE_CODE_LENGTH, DEVICE_CODE_MS = 8, 5 * 60_000
ATTEMPTS_PER_NAME, NAME_REFILL = 10, 1 / 30
ATTEMPTS_PER_ADDRESS, ADDRESS_REFILL = 30, 1 / 10
"""Attempts to sign in at once, and how many per second are added."""
PROVEN_MS = 10 * 60_000
"""Whoever has no password must have signed in this recently to change how they sign in."""
DELETED_NAME = "Deleted user"
PAGE = 200
SignUp = Literal["open", "invited", "closed"]
Way = Literal["sign in", "recover", "mail", "prove"]


@dataclass(frozen=True)
class Registered:
    """A user with a new account; the recovery codes are shown only this once."""

    user: UserRow
    codes: tuple[str, ...]


@dataclass(frozen=True)
class Proof:
    """What somebody offers to show that they are the user: a password, or a new session."""

    user: UserRow
    token: str
    password: str
    address: str


class Accounts:
    """All accounts, through the store."""

    def __init__(
        self, store: Store, people: People, now: Callable[[], int], sign_up: SignUp = "open"
    ) -> None:
        self._store, self._people, self._now, self._sign_up = store, people, now, sign_up
        self.passwords = Passwords()
        self._by_name = RateLimiter(NAME_REFILL, ATTEMPTS_PER_NAME)
        self._by_address = RateLimiter(ADDRESS_REFILL, ATTEMPTS_PER_ADDRESS)

    # ---- signing up and in -------------------------------------------------------------------

    async def sign_up(
        self, user: UserRow, name: str, password: str, invitation: str = ""
    ) -> Registered:
        """Give a guest an account; raises BadName, NameTaken, BadPassword, HasAccount."""
        name = await self.check_sign_up(user, name, invitation)
        check_password(password, name)
        return await self.register(user, name, await self.passwords.hash(password), invitation)

    async def check_sign_up(self, user: UserRow, name: str, invitation: str) -> str:
        """The name as it is stored; raises what keeps a user from signing up by it."""
        if self._sign_up == "closed":
            raise SignUpClosed("nobody can sign up on this server", "play as a guest")
        if self._sign_up == "invited":
            now, key = self._now(), hash_code(invitation)
            if await self._store.read_code(key, INVITATION, now) is None:
                raise InvitedToSignUp("only invited people sign up here", "ask the host")
        if user.is_registered or user.kind == BOT_USER:
            raise HasAccount("you have an account already", "guests sign up")
        name = clean_name(name)
        await self._people.check_free(name, user.id)
        return name

    async def register(
        self,
        user: UserRow,
        name: str,
        password: str | None,
        invitation: str,
        passkey: PasskeyRow | None = None,
    ) -> Registered:
        """Give an account to a user who may have it: ``password`` is a hash."""
        if self._sign_up == "invited":
            taken = await self._store.take_code(hash_code(invitation), INVITATION, self._now())
            if taken is None:  # Somebody was faster.
                raise InvitedToSignUp("this invitation was used", "ask the host for another")
        codes, rows = _recovery_codes(user.id)
        if not await self._store.add_account(user.id, name, password, rows, passkey):
            raise HasAccount("you have an account already", "guests sign up")
        return Registered(await self.read(user.id), codes)

    async def sign_in(self, name: str, password: str, label: str, address: str) -> Account:
        """A new session; raises WrongPassword, TooMany."""
        self.check_attempts(name, address)
        user = await self._store.user_named(name)
        stored = None if user is None else await self._store.password(user.id)
        is_right = await self.passwords.verify(stored, password[: MAX_LENGTH + 1])
        if not is_right or user is None or stored is None:
            raise WrongPassword("the name or the password is wrong", "try again, or recover it")
        if self.passwords.is_outdated(stored):
            await self._store.put_password(user.id, await self.passwords.hash(password))
        return await self.add_session(user, label)

    async def recover(
        self, name: str, code: str, password: str, label: str, address: str
    ) -> Account:
        """Set a new password by a recovery code, and end all sessions but the new one."""
        self.check_attempts(name, address, "recover")
        check_password(password, name)
        stored = await self.passwords.hash(password)  # First, so that all attempts take as long.
        user = await self._store.user_named(name)
        id_ = None if user is None else user.id
        spent = await self._store.spend_code(hash_code(code), RECOVERY, self._now(), user=id_)
        if user is None or spent is None:
            raise WrongCode("the name or the code is wrong", "each code works once")
        return await self.set_password(user, stored, label)

    async def set_password(self, user: UserRow, stored: str, label: str) -> Account:
        """Set a password, as its hash, sign in, and end all other sessions."""
        await self._store.put_password(user.id, stored)
        await self._store.revoke_all(user.id, but=b"")
        return await self.add_session(user, label)

    async def change_password(self, proof: Proof, new: str) -> None:
        """Set a new password, and end all other sessions and tokens.

        Raises BadPassword, and what a proof does.
        """
        await self.check_proof(proof)
        check_password(new, proof.user.name or "")
        await self._store.put_password(proof.user.id, await self.passwords.hash(new))
        await self.end_other_sessions(proof.user, proof.token)

    async def new_recovery_codes(self, proof: Proof) -> tuple[str, ...]:
        """New recovery codes instead of all that there are; the same errors."""
        await self.check_proof(proof)
        user = proof.user
        codes, rows = _recovery_codes(user.id)
        await self._store.put_codes(user.id, RECOVERY, rows)
        return codes

    async def check_proof(self, proof: Proof) -> None:
        """Raise NoAccount, WrongPassword, SignInAgain or TooMany unless it is really the user.

        Whoever has a password enters it. Whoever has none must have signed in a moment ago: a code
        from another device is no proof, since any session can make one.
        """
        user = proof.user
        stored = await self._store.password(user.id)
        if stored is None and not user.is_registered:
            raise NoAccount("you have no account", "sign up first: POST /api/me/account")
        if stored is None:
            row = await self._store.token(hash_token(proof.token))
            proven_at = None if row is None else row.proven_at
            if proven_at is None or self._now() - proven_at > PROVEN_MS:
                raise SignInAgain("show that it's you", "sign in again by passkey")
            return
        self.check_attempts(user.name or "", proof.address, "prove")
        if not await self.passwords.verify(stored, proof.password[: MAX_LENGTH + 1]):
            raise WrongPassword("the password is wrong", "try again, or recover it")

    def check_address(self, address: str) -> None:
        """Raise TooMany for an address that tries to sign in too often."""
        if not self._by_address.take(address, time.monotonic()):
            raise TooMany("too many attempts to sign in from this address", "wait a minute")

    def check_attempts(self, name: str, address: str, way: Way = "sign in") -> None:
        """The same, and for a name that too many try.

        Each way has its own allowance: who guesses passwords keeps nobody from recovering theirs.
        """
        self.check_address(address)
        if not self._by_name.take(f"{way}: {name_key(name)}", time.monotonic()):
            raise TooMany("too many attempts to sign in by this name", "wait a minute")

    # ---- sessions ----------------------------------------------------------------------------

    async def add_session(self, user: UserRow, label: str, *, is_proven: bool = True) -> Account:
        """Sign in a user, who has proved who they are, or has a device that did."""
        now = self._now()
        check_not_suspended(user, now)
        token, row = new_session(DEVICE, user.id, now, label)
        await self._store.add_token(row._replace(proven_at=now if is_proven else None))
        return Account(user, token)

    async def sessions(self, user: UserRow) -> list[TokenRow]:
        """The devices where a user is signed in, the last used first."""
        now = self._now()
        rows = await self._store.tokens_of(user.id)
        rows = [row for row in rows if row.expires_at is None or row.expires_at > now]
        rows = [row for row in rows if row.kind != PERSONAL]
        return sorted(rows, key=lambda row: row.used_at or row.created_at, reverse=True)

    async def end_session(self, user: UserRow, id: str) -> None:  # noqa: A002
        """Sign out a device, and revoke the user's tokens of seats; raises NotFound."""
        for row in await self.sessions(user):
            if session_id(row) == id:
                await self._store.revoke_with_seats(user.id, row.hash)
                return
        raise NotFound("you have no such session", "GET /api/me/sessions lists them")

    async def end_other_sessions(self, user: UserRow, token: str) -> None:
        """Sign out all devices but this one, and revoke all other tokens and open codes."""
        await self._store.revoke_all(user.id, but=hash_token(token))

    async def device_code(self, user: UserRow) -> tuple[str, int]:
        """A code that signs in another device, and when it expires; it replaces the one before."""
        code, expires_at = make_code(DEVICE_CODE_LENGTH), self._now() + DEVICE_CODE_MS
        row = CodeRow(hash_code(code), ANOTHER_DEVICE, user.id, expires_at)
        await self._store.put_codes(user.id, ANOTHER_DEVICE, [row])
        return code, expires_at

    async def continue_here(self, code: str, label: str, address: str) -> Account:
        """A new session of the user who made the code; raises WrongCode, TooMany."""
        self.check_address(address)
        id_ = await self._store.spend_code(hash_code(code), ANOTHER_DEVICE, self._now())
        if id_ is None:
            raise WrongCode(
                "the code is wrong or has expired", "make a new one on the other device"
            )
        return await self.add_session(await self.read(id_), label, is_proven=False)

    # ---- data and deletion -------------------------------------------------------------------

    async def matches_of(self, user: UserRow) -> list[MatchRow]:
        """All matches of a user."""
        found: list[MatchRow] = []
        before: tuple[int, str] | None = None
        while page := await self._store.matches_of(user.id, before=before, limit=PAGE):
            found += page
            before = page[-1].changed_at, page[-1].id
        return found

    async def delete(self, user: UserRow, rename: Callable[[str], Awaitable[None]]) -> None:
        """Delete a user; their matches stay, without the name. Raises StillPlaying.

        The log of a match is never changed but for this; ``rename`` does what depends on the log.
        """
        rows = await self.matches_of(user)
        if any(_still_plays(row, user.id) for row in rows):
            raise StillPlaying("you are still playing", "leave or resign your matches first")
        for row in rows:
            for entry in await self._store.read(row.id):
                joined = kinds.decode(entry.body)
                if isinstance(joined, kinds.Joined) and joined.user == user.id:
                    body = kinds.encode(msgspec.structs.replace(joined, name=DELETED_NAME))
                    await self._store.replace_entry(row.id, entry.seq, body)
            await rename(row.id)
        await self._store.revoke_all(user.id, but=b"")
        await self._store.delete_user(user.id, user.name)

    async def read(self, id: str) -> UserRow:  # noqa: A002
        """A user who exists."""
        user = await self._store.user(id)
        assert user is not None, "rows of users are never deleted"
        return user

    async def close(self) -> None:
        """Stop hashing."""
        await self.passwords.close()


class _Seat(msgspec.Struct):
    left: str = ""


class _Players(msgspec.Struct):
    users: tuple[str, ...]
    seats: tuple[_Seat, ...]


def _still_plays(row: MatchRow, user: str) -> bool:
    if row.stage not in (OPEN, PLAYING, PAUSED):
        return False
    players = msgspec.json.decode(row.headline, type=_Players)
    seats = zip(players.users, players.seats, strict=True)
    return any(each == user and not seat.left for each, seat in seats)


def session_id(row: TokenRow) -> str:
    """What a session is called in the list of one's sessions."""
    return base64.urlsafe_b64encode(row.hash[:12]).decode()


def _recovery_codes(user: str) -> tuple[tuple[str, ...], list[CodeRow]]:
    codes = tuple(make_code(RECOVERY_LENGTH) for _ in range(RECOVERY_CODES))
    return codes, [CodeRow(hash_code(code), RECOVERY, user, None) for code in codes]
