"""Accounts: signing up, signing in, sessions, another device, and deletion.

A guest who signs up stays the same user, with all matches, ratings and results. Sessions are the
tokens of devices. Nothing here tells a stranger whether a name has an account: unknown names and
wrong passwords get the same answer, after the same work.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
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
    WrongCode,
    WrongPassword,
)
from watermeet.server.matches.match import OPEN, PAUSED, PLAYING
from watermeet.server.names import clean_name
from watermeet.server.people.attempts import Attempts
from watermeet.server.people.invitations import INVITATION, hash_code, make_code
from watermeet.server.people.moderation import check_not_suspended
from watermeet.server.people.passwords import MAX_LENGTH, Passwords, check_password
from watermeet.server.people.users import (
    BOT_USER,
    NAME_KEPT_MS,
    Account,
    People,
    new_session,
)
from watermeet.server.store.rows import CodeRow, Job, MatchRow, Spending, TokenRow, UserRow
from watermeet.server.store.sign_in import PasskeyRow
from watermeet.server.store.store import Store, signed_out
from watermeet.server.tokens import DEVICE, PERSONAL, hash_token

LOG = logging.getLogger(__name__)
ANOTHER_DEVICE = "device"
DEVICE_CODE_LENGTH, DEVICE_CODE_MS = 8, 5 * 60_000
PROVEN_MS = 10 * 60_000
"""Whoever has no password must have signed in this recently to change how they sign in."""
REMOVE_JOB, AGAIN_MS = "remove", 15_000
"""What is left of a deleted user is looked for once more, after the longest write."""
PAGE = 200
SignUp = Literal["open", "invited", "closed"]


@dataclass(frozen=True)
class Registered:
    """A user with a new account."""

    user: UserRow
    device: str
    """The mark of the device."""


@dataclass(frozen=True)
class Proof:
    """What somebody offers to show that they are the user: a password, or a new session."""

    user: UserRow
    token: str
    password: str
    address: str


async def _nobody_listens(_: str) -> None:
    pass


async def _nothing_is_left(_: Job) -> None:
    pass


class Accounts:
    """All accounts, through the store."""

    def __init__(
        self, store: Store, people: People, now: Callable[[], int], sign_up: SignUp = "open"
    ) -> None:
        self._store, self._people, self._now, self._sign_up = store, people, now, sign_up
        self.passwords = Passwords()
        self.attempts = Attempts(store, now)
        self.tokens_ended: Callable[[str], Awaitable[None]] = _nobody_listens
        """Called with a user of whom tokens have ended."""
        self.remove: Callable[[Job], Awaitable[None]] = _nothing_is_left
        """Takes a deleted user out of their matches."""

    # ---- signing up and in -------------------------------------------------------------------

    async def sign_up(
        self,
        user: UserRow,
        name: str,
        password: str,
        token: str,
        invitation: str = "",
        *,
        address: str,
    ) -> Registered:
        """Give a guest an account, and end all sessions but that of ``token``.

        Raises BadName, NameTaken, BadPassword, HasAccount.
        """
        name = await self.check_sign_up(user, name, invitation)
        check_password(password, name)
        stored = await self.passwords.hash(password, address)
        return await self.register(user, name, stored, token, invitation)

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
        token: str,
        invitation: str,
        passkey: PasskeyRow | None = None,
    ) -> Registered:
        """Give an account to a user who may have it: ``password`` is a hash."""
        code = None
        if self._sign_up == "invited":
            code = Spending(hash_code(invitation), INVITATION, self._now())
        try:
            is_new = await self._store.add_account(
                user.id,
                name,
                password,
                passkey,
                but=hash_token(token),
                invitation=code,
                kept_until=self._now() + NAME_KEPT_MS,
            )
        except WrongCode as error:  # Somebody was faster.
            raise InvitedToSignUp("this invitation was used", "ask the host for another") from error
        if not is_new:
            raise HasAccount("you have an account already", "guests sign up")
        await self.tokens_ended(user.id)
        return Registered(await self.read(user.id), await self.attempts.mark(user.id))

    async def sign_in(
        self, name: str, password: str, label: str, address: str, device: str = ""
    ) -> Account:
        """A new session; raises WrongPassword, TooMany. ``device`` is the mark of a known one."""
        user = await self._store.user_named(name)
        stored = None if user is None else await self._store.password(user.id)
        is_known = await self.attempts.knows("" if user is None else user.id, stored, device)
        await self.attempts.check("sign in", address, name, mark=device if is_known else "")
        is_right = await self.passwords.verify(stored, password[: MAX_LENGTH + 1], address)
        if not is_right or user is None or stored is None:
            raise WrongPassword("the name or the password is wrong", "try again, or set a new one")
        if self.passwords.is_outdated(stored):
            renewed = await self.passwords.hash(password, address)
            await self._store.renew_password(user.id, stored, renewed)
            stored = renewed
        made = await self.add_session(user, label)
        if await self._store.password(user.id) != stored:  # It has just been changed.
            await self._store.revoke(hash_token(made.token))
            raise WrongPassword("the name or the password is wrong", "try again, or set a new one")
        return made

    async def set_password(
        self, user: UserRow, password: str, label: str, address: str, code: Spending
    ) -> Account:
        """Set a password by a code, sign in, and end all other sessions."""
        stored = await self.passwords.hash(password, address)
        account, row = self._new_session(user, label, is_proven=True)
        if not await self._store.set_password(user.id, stored, code=code, session=row):
            raise WrongCode("this code was used or has expired", "each code works once")
        await self.tokens_ended(user.id)
        return await self._with_mark(account)

    async def change_password(self, proof: Proof, new: str) -> None:
        """Set a new password, and end all other sessions and tokens.

        Raises BadPassword, Unauthorized, and what a proof does.
        """
        await self.check_proof(proof)
        check_password(new, proof.user.name or "")
        stored = await self.passwords.hash(new, proof.address)
        if not await self._store.set_password(proof.user.id, stored, but=hash_token(proof.token)):
            raise signed_out()
        await self.tokens_ended(proof.user.id)

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
        await self.attempts.check("prove", proof.address, user.name or user.id)
        password = proof.password[: MAX_LENGTH + 1]
        if not await self.passwords.verify(stored, password, proof.address):
            raise WrongPassword("the password is wrong", "try again, or set a new one")

    # ---- sessions ----------------------------------------------------------------------------

    async def add_session(self, user: UserRow, label: str) -> Account:
        """Sign in a user, who has proved who they are."""
        account, row = self._new_session(user, label, is_proven=True)
        await self._store.add_token(row)
        return await self._with_mark(account)

    def _new_session(
        self, user: UserRow, label: str, *, is_proven: bool
    ) -> tuple[Account, TokenRow]:
        """A session that isn't stored yet; raises Suspended."""
        now = self._now()
        check_not_suspended(user, now)
        token, row = new_session(DEVICE, user.id, now, label)
        return Account(user, token), row._replace(proven_at=now if is_proven else None)

    async def _with_mark(self, account: Account) -> Account:
        return replace(account, device=await self.attempts.mark(account.user.id))

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
                await self.revoke(user, row.hash)
                return
        raise NotFound("you have no such session", "GET /api/me/sessions lists them")

    async def revoke(self, user: UserRow, hash: bytes) -> None:  # noqa: A002
        """End a token of a user, and the tokens of seats that it may have fetched."""
        await self._store.revoke_with_seats(user.id, hash)
        await self.tokens_ended(user.id)

    async def end_other_sessions(self, user: UserRow, token: str) -> None:
        """Sign out all devices but this one, and revoke all other tokens and open codes."""
        await self._store.revoke_all(user.id, but=hash_token(token))
        await self.tokens_ended(user.id)

    async def device_code(self, user: UserRow, token: str) -> tuple[str, int]:
        """A code that signs in another device, and when it expires; it replaces the one before.

        Raises Unauthorized if the session ends at the same time.
        """
        code, expires_at = make_code(DEVICE_CODE_LENGTH), self._now() + DEVICE_CODE_MS
        row = CodeRow(hash_code(code), ANOTHER_DEVICE, user.id, expires_at)
        if not await self._store.put_code(row, by=hash_token(token)):
            raise signed_out()
        return code, expires_at

    async def continue_here(self, code: str, label: str, address: str) -> Account:
        """A new session of the user who made the code; raises WrongCode, TooMany."""
        await self.attempts.check("device", address)
        spent = Spending(hash_code(code), ANOTHER_DEVICE, self._now())
        found = await self._store.read_code(*spent[:3])
        if found is not None:
            user = await self.read(found[0])
            account, row = self._new_session(user, label, is_proven=False)
            if await self._store.begin_session(spent, row):
                return account
        raise WrongCode("the code is wrong or has expired", "make a new one on the other device")

    # ---- data and deletion -------------------------------------------------------------------

    async def matches_of(self, user: UserRow) -> list[MatchRow]:
        """All matches of a user."""
        found: list[MatchRow] = []
        before: tuple[int, str] | None = None
        while page := await self._store.matches_of(user.id, before=before, limit=PAGE):
            found += page
            before = page[-1].changed_at, page[-1].id
        return found

    async def delete(self, user: UserRow) -> None:
        """Delete a user; their matches stay, without the name. Raises StillPlaying.

        One transaction deletes all that lets them in and ends what they have begun; the store
        refuses whatever they would write in a match from then on. A job does the rest: at once, and
        again when what was being written meanwhile is there.
        """
        if any(_still_plays(row, user.id) for row in await self.matches_of(user)):
            raise StillPlaying("you are still playing", "leave or resign your matches first")
        now, body = self._now(), user.id.encode()
        job = Job(f"{REMOVE_JOB}-{user.id}", REMOVE_JOB, "", 0, 0, body, now + AGAIN_MS)
        await self._store.delete_user(user.id, user.name, job, now)
        await self.tokens_ended(user.id)
        try:
            await self.remove(job)
        except Exception:  # The job tries it again.
            LOG.exception("a deletion has to wait")

    async def read(self, id: str) -> UserRow:  # noqa: A002
        """A user who exists."""
        user = await self._store.user(id)
        assert user is not None, "rows of users are never deleted"
        return user

    async def close(self) -> None:
        """Stop hashing."""
        self.passwords.close()


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
