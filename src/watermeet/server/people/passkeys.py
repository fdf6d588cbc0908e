"""Passkeys (WebAuthn): signing up and in without a password.

A challenge is a code in the store: it works once, for five minutes, and any node can finish what
another began. The library ``webauthn`` checks what browsers send.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from watermeet.server.errors import BadPasskey, LastWayIn, NoAccount, NotFound, WrongCode
from watermeet.server.names import clean_name
from watermeet.server.people.accounts import Accounts, Proof, Registered
from watermeet.server.people.users import Account
from watermeet.server.store.rows import CodeRow, Spending, UserRow
from watermeet.server.store.sign_in import PasskeyRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import hash_token

PASSKEY = "passkey"
CHALLENGE_MS = 5 * 60_000
MAX_PASSKEYS = 20
RP_NAME = "Watermeet"
Credential = Mapping[str, Any]


class Site:
    """Whose passkeys they are: a host, and the origins of its pages."""

    def __init__(self, public_url: str, host: str) -> None:
        parts = urlsplit(public_url or f"//{host}")
        self.id = parts.hostname or ""
        self.origins = (
            [f"{parts.scheme}://{parts.netloc}"]
            if public_url
            else [f"https://{host}", f"http://{host}"]  # Browsers know that http is unsafe.
        )


class Passkeys:
    """All passkeys, through the store."""

    def __init__(self, store: Store, accounts: Accounts, now: Callable[[], int]) -> None:
        self._store, self._accounts, self._now = store, accounts, now

    async def begin(
        self, site: Site, user: UserRow, name: str, invitation: str, proof: Proof
    ) -> dict[str, Any]:
        """What the browser needs to make a passkey: for a guest who signs up, or one more."""
        from webauthn import generate_registration_options
        from webauthn.helpers import structs

        if user.is_registered:
            await self._accounts.check_proof(proof)
            name = user.name or ""
        else:
            name = await self._accounts.check_sign_up(user, name, invitation)
        known = await self._store.passkeys(user.id)
        if len(known) >= MAX_PASSKEYS:
            raise NoAccount(f"you have {MAX_PASSKEYS} passkeys", "remove one first")
        options = generate_registration_options(
            rp_id=site.id,
            rp_name=RP_NAME,
            user_id=user.id.encode(),
            user_name=name,
            challenge=await self._challenge(user.id, name),
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[structs.PublicKeyCredentialDescriptor(row.id) for row in known],
        )
        return _plain(options)

    async def finish(
        self,
        site: Site,
        user: UserRow,
        credential: Credential,
        label: str,
        token: str,
        invitation: str,
    ) -> Registered | None:
        """Add the passkey that the browser made; a guest has an account then, and one session."""
        from webauthn import verify_registration_response
        from webauthn.helpers.exceptions import WebAuthnException

        challenge, (id_, name) = await self._spend(credential)
        if id_ != user.id:
            raise BadPasskey("this passkey was begun by somebody else", "try again")
        try:
            found = verify_registration_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=site.id,
                expected_origin=site.origins,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise BadPasskey("this passkey can't be used", "try again") from error
        row = PasskeyRow(
            found.credential_id, user.id, found.credential_public_key, found.sign_count,
            label[:40], self._now(),
        )  # fmt: skip
        if await self._store.passkey(row.id) is not None:
            raise BadPasskey("this passkey is known already", "sign in with it")
        if user.is_registered:
            if not await self._store.add_passkey(row, MAX_PASSKEYS, hash_token(token)):
                raise BadPasskey("this passkey can't be added", "sign in, or remove another first")
            return None
        name = await self._accounts.check_sign_up(user, clean_name(name), invitation)
        return await self._accounts.register(user, name, None, token, invitation, row)

    async def begin_sign_in(self, site: Site, address: str) -> dict[str, Any]:
        """What the browser needs to sign in by any of the passkeys that it has for this site."""
        from webauthn import generate_authentication_options
        from webauthn.helpers.structs import UserVerificationRequirement

        await self._accounts.attempts.check("passkey", address)
        options = generate_authentication_options(
            rp_id=site.id,
            challenge=await self._challenge("", ""),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return _plain(options)

    async def sign_in(self, site: Site, credential: Credential, label: str) -> Account:
        """A new session; raises BadPasskey."""
        from webauthn import verify_authentication_response
        from webauthn.helpers.exceptions import WebAuthnException

        challenge, (id_, _) = await self._spend(credential)
        row = await self._store.passkey(decode_id(str(credential.get("id", ""))))
        if id_ or row is None:
            raise BadPasskey("this passkey isn't known here", "sign in in another way")
        try:
            found = verify_authentication_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=site.id,
                expected_origin=site.origins,
                credential_public_key=row.public_key,
                credential_current_sign_count=row.sign_count,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise BadPasskey("this passkey can't be used", "try again") from error
        await self._store.use_passkey(row.id, found.new_sign_count, self._now())
        return await self._accounts.add_session(await self._accounts.read(row.user), label)

    async def rename(self, user: UserRow, id: str, label: str) -> None:  # noqa: A002
        """Give a passkey another label; raises NotFound."""
        if not await self._store.rename_passkey(decode_id(id), user.id, label.strip()[:40]):
            raise NotFound("you have no such passkey", "GET /api/me/account lists them")

    async def remove(self, proof: Proof, id: str) -> None:  # noqa: A002
        """Remove a passkey; raises NotFound, and LastWayIn if it is the only way to sign in."""
        user = proof.user
        await self._accounts.check_proof(proof)
        known = [row.id for row in await self._store.passkeys(user.id)]
        if known == [decode_id(id)] and await self._store.password(user.id) is None:
            raise LastWayIn("you couldn't sign in any more", "set a password first")
        if not await self._store.remove_passkey(decode_id(id), user.id):
            raise NotFound("you have no such passkey", "GET /api/me/account lists them")

    async def _challenge(self, user: str, body: str) -> bytes:
        challenge, now = secrets.token_bytes(32), self._now()
        row = CodeRow(hash_token(encode_id(challenge)), PASSKEY, user, now + CHALLENGE_MS, body)
        await self._store.add_code(row, now)
        return challenge

    async def _spend(self, credential: Credential) -> tuple[bytes, tuple[str, str]]:
        """The challenge that a browser signed, whose it was, and for which name."""
        challenge = _challenge_of(credential)
        key = hash_token(encode_id(challenge))
        found = await self._store.spend_code(Spending(key, PASSKEY, self._now()))
        if found is None:
            raise WrongCode("that took too long, or was done before", "try again")
        return challenge, found


class _ClientData(msgspec.Struct):
    challenge: str


class _Response(msgspec.Struct):
    client_data: str = msgspec.field(name="clientDataJSON")


class _Credential(msgspec.Struct):
    response: _Response


def _challenge_of(credential: Credential) -> bytes:
    try:
        text = msgspec.convert(credential, _Credential).response.client_data
        data = msgspec.json.decode(decode_id(text), type=_ClientData)
        return decode_id(data.challenge)
    except msgspec.DecodeError as error:
        raise BadPasskey("this isn't a passkey", "send what the browser returned") from error


def _plain(options: Any) -> dict[str, Any]:
    """Options as JSON for ``PublicKeyCredential.parse...OptionsFromJSON``."""
    from webauthn import options_to_json

    found: dict[str, Any] = msgspec.json.decode(options_to_json(options))
    return found


def encode_id(data: bytes) -> str:
    """Bytes as WebAuthn writes them: base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_id(text: str) -> bytes:
    """The bytes of such a text; raises BadPasskey."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadPasskey("this isn't a passkey", "send what the browser returned") from error
