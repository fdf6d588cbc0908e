"""Mail addresses of accounts, and lost passwords by a mailed link.

An address counts once its owner has opened a link. Asking for a link to set a new password gets the
same response for every name, before anything is looked up.
"""

from __future__ import annotations

from collections.abc import Callable

from watermeet.server.background import Background
from watermeet.server.errors import NoMail, WrongCode
from watermeet.server.mail import Mail, check_address
from watermeet.server.people.accounts import Accounts, Proof
from watermeet.server.people.invitations import DAY_MS
from watermeet.server.people.passwords import check_password
from watermeet.server.people.texts import say
from watermeet.server.people.users import Account
from watermeet.server.store.rows import CodeRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import hash_token, make_token

CONFIRM, RESET = "mail", "reset"
CONFIRM_MS, RESET_MS = DAY_MS, 60 * 60_000


class MailAddresses(Background):
    """All mail addresses, through the store."""

    def __init__(
        self, store: Store, accounts: Accounts, mail: Mail, now: Callable[[], int], public_url: str
    ) -> None:
        """Links need ``public_url``: the host that a request names may be anybody's."""
        super().__init__()
        self._store, self._accounts, self._mail, self._now = store, accounts, mail, now
        self._url = public_url.rstrip("/")

    @property
    def is_on(self) -> bool:
        """Whether this server can mail links."""
        return self._mail.is_on and bool(self._url)

    async def begin(self, proof: Proof, address: str, language: str) -> None:
        """Mail a link that confirms an address; raises NoMail, BadMailAddress."""
        self._check()
        await self._accounts.check_proof(proof)
        address = check_address(address)
        link = await self._link(proof.user.id, CONFIRM, CONFIRM_MS, address)
        text = say(language, "confirm.text", name=proof.user.name or "", link=link)
        await self._mail.send(address, say(language, "confirm"), text)

    async def confirm(self, code: str) -> None:
        """Set the address that a link confirms; raises WrongCode."""
        found = await self._store.take_code(hash_token(code), CONFIRM, self._now())
        if found is None:
            raise WrongCode("this link was used or has expired", "ask for another")
        await self._store.put_mail_address(*found)

    async def remove(self, proof: Proof) -> None:
        """Forget the address; raises what a proof does."""
        await self._accounts.check_proof(proof)
        await self._store.remove_mail_address(proof.user.id)

    async def lose_password(self, name: str, address: str, language: str) -> None:
        """Mail a link to whoever has this name, if they have an address; raises NoMail, TooMany."""
        self._check()
        self._accounts.check_attempts(name, address, "mail")
        self._spawn(self._mail_reset(name, language))

    async def _mail_reset(self, name: str, language: str) -> None:
        user = await self._store.user_named(name)
        address = None if user is None else await self._store.mail_address(user.id)
        if user is not None and address is not None:
            link = await self._link(user.id, RESET, RESET_MS, "")
            text = say(language, "reset.text", name=user.name or "", link=link)
            await self._mail.send(address, say(language, "reset"), text)

    async def reset(self, code: str, password: str, label: str, address: str) -> Account:
        """Set a new password by a mailed link, sign in, and sign out everywhere else."""
        self._accounts.check_address(address)
        check_password(password, "")
        stored = await self._accounts.passwords.hash(password)
        found = await self._store.take_code(hash_token(code), RESET, self._now())
        if found is None:
            raise WrongCode("this link was used or has expired", "ask for another")
        user = await self._accounts.read(found[0])
        return await self._accounts.set_password(user, stored, label)

    def _check(self) -> None:
        if not self.is_on:
            raise NoMail("this server sends no mail", "use a recovery code")

    async def _link(self, user: str, kind: str, lasts: int, body: str) -> str:
        """A link with a new code behind the #, so that it is in no log."""
        code, now = make_token(), self._now()
        await self._store.add_code(CodeRow(hash_token(code), kind, user, now + lasts, body), now)
        return f"{self._url}/account#{kind}={code}"
