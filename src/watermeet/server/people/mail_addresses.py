"""Mail addresses of accounts, and links to set a new password, mailed or passed on by the host.

An address counts once its owner has opened a link. Asking for a link to set a new password gets the
same response for every name, before anything is looked up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from watermeet.server.errors import NoAccount, NoMail, TooMany, WrongCode
from watermeet.server.jobs import JobRunner
from watermeet.server.mail import RETRIES_S, Mail, check_address
from watermeet.server.people.accounts import Accounts, Proof
from watermeet.server.people.invitations import DAY_MS
from watermeet.server.people.passwords import check_password
from watermeet.server.people.texts import say
from watermeet.server.people.users import Account
from watermeet.server.store.rows import CodeRow, Job, Spending, UserRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import hash_token, make_id, make_token

CONFIRM, RESET = "mail", "reset"
CONFIRM_JOB, RESET_JOB = "mail-confirm", "mail-reset"
CONFIRM_MS, RESET_MS = DAY_MS, 60 * 60_000


class _Letter(msgspec.Struct, frozen=True):
    """The body of a job: to whom, and in which language. Its code is made when it is sent.

    Names can change hands meanwhile, so a link that confirms an address goes by the user, and not
    at all if what it was asked for under (``since``) has changed: the password, or the address.
    """

    name: str
    language: str
    address: str = ""
    user: str = ""
    since: bytes = b""


async def add_reset(store: Store, user: UserRow, now: int) -> str:
    """Make a code by which a user sets a new password within a day, for the host to pass on."""
    if not user.is_registered:
        raise NoAccount("this user has no account", "guests have no password")
    code = make_token()
    await store.add_code(CodeRow(hash_token(code), RESET, user.id, now + CONFIRM_MS), now)
    return code


class MailAddresses:
    """All mail addresses, through the store."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        mail: Mail,
        runner: JobRunner,
        now: Callable[[], int],
        public_url: str,
    ) -> None:
        """Links need ``public_url``: the host that a request names may be anybody's."""
        self._store, self._accounts, self._mail, self._now = store, accounts, mail, now
        self._runner, self._url = runner, public_url.rstrip("/")
        for kind, work in ((CONFIRM_JOB, self._mail_confirm), (RESET_JOB, self._mail_reset)):
            runner.add(kind, work, retries_s=RETRIES_S, is_dropped=True)

    @property
    def is_on(self) -> bool:
        """Whether this server can mail links."""
        return self._mail.is_on and bool(self._url)

    async def begin(self, proof: Proof, address: str, language: str) -> None:
        """Mail a link that confirms an address; raises NoMail, BadMailAddress, TooMany."""
        self._check()
        await self._accounts.check_proof(proof)
        user, address = proof.user, check_address(address)
        if not await self._accounts.attempts.may_confirm(address):
            raise TooMany("too many letters to this address", "look for them there, or wait")
        since = await self._since(user.id)
        letter = _Letter(user.name or "", language, address, user.id, since)
        await self._add(CONFIRM_JOB, letter)

    async def _mail_confirm(self, job: Job) -> None:
        letter = msgspec.json.decode(job.body, type=_Letter)
        if await self._since(letter.user) == letter.since:
            link = await self._link(letter.user, CONFIRM, CONFIRM_MS, letter.address)
            text = say(letter.language, "confirm.text", name=letter.name, link=link)
            await self._mail.send(letter.address, say(letter.language, "confirm"), text)

    async def _since(self, user: str) -> bytes:
        """Differs once a user's password or address changes, or they are deleted."""
        password, address = await self._store.password(user), await self._store.mail_address(user)
        row = await self._store.user(user)
        known = msgspec.json.encode((password, address, row and row.kind))
        return hashlib.sha256(known).digest()

    async def confirm(self, code: str) -> None:
        """Set the address that a link confirms, and end all other links; raises WrongCode."""
        spent = Spending(hash_token(code), CONFIRM, self._now())
        found = await self._store.read_code(*spent[:3])
        if found is None or not await self._store.confirm_mail_address(spent, *found):
            raise WrongCode("this link was used or has expired", "ask for another")

    async def remove(self, proof: Proof) -> None:
        """Forget the address, and end all links; raises what a proof does."""
        await self._accounts.check_proof(proof)
        await self._store.remove_mail_address(proof.user.id)

    async def lose_password(self, name: str, address: str, language: str) -> None:
        """Mail a link to whoever has this name, if they have an address; raises NoMail, TooMany."""
        self._check()
        await self._accounts.attempts.check("mail", address, name)
        await self._add(RESET_JOB, _Letter(name, language))

    async def _mail_reset(self, job: Job) -> None:
        letter = msgspec.json.decode(job.body, type=_Letter)
        language, user = letter.language, await self._store.user_named(letter.name)
        address = None if user is None else await self._store.mail_address(user.id)
        if user is None or address is None:
            return
        if await self._accounts.attempts.may_mail(user.id):
            link = await self._link(user.id, RESET, RESET_MS, "")
            text = say(language, "reset.text", name=user.name or "", link=link)
            await self._mail.send(address, say(language, "reset"), text)

    async def reset(self, code: str, password: str, label: str, address: str) -> Account:
        """Set a new password by a mailed link, sign in, and sign out everywhere else."""
        check_password(password, "")
        spent = Spending(hash_token(code), RESET, self._now())
        found = await self._store.read_code(*spent[:3])
        if found is None:
            raise WrongCode("this link was used or has expired", "ask for another")
        user = await self._accounts.read(found[0])
        return await self._accounts.set_password(user, password, label, address, spent)

    def _check(self) -> None:
        if not self.is_on:
            raise NoMail("this server sends no mail", "ask the host for a link")

    async def _add(self, kind: str, letter: _Letter) -> None:
        body = msgspec.json.encode(letter)
        job = Job(f"{kind}-{make_id()}", kind, "", 0, 0, body, self._now())
        await self._runner.add_jobs([job])

    async def _link(self, user: str, kind: str, lasts: int, body: str) -> str:
        """A link with a new code behind the #, so that it is in no log."""
        code, now = make_token(), self._now()
        await self._store.add_code(CodeRow(hash_token(code), kind, user, now + lasts, body), now)
        return f"{self._url}/account#{kind}={code}"
