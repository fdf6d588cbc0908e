"""Endpoints for passkeys, mail addresses, invitations and personal access tokens."""

from __future__ import annotations

from typing import Annotated, get_args

from msgspec import Meta

from watermeet.server.api import models
from watermeet.server.api import models_accounts as bodies
from watermeet.server.api.routes_people import account_response, user_response
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import Forbidden, NoAccount, NotFound, TooMany
from watermeet.server.people.accounts import session_id
from watermeet.server.people.invitations import DAY_MS, add_invitations
from watermeet.server.people.users import Scope
from watermeet.server.store.rows import TokenRow, UserRow
from watermeet.server.store.store import signed_out
from watermeet.server.tokens import PERSONAL, hash_token, make_token

PasskeyId = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{1,1400}$", description="A passkey of the list.")
]
TokenId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="Of the list.")]
MAX_TOKENS = 20


# ---- passkeys -----------------------------------------------------------------------------------


@endpoint("POST", "/me/passkeys/options", auth="required", scope=None, errors=(403, 409))
async def begin_passkey(
    call: Call, body: bodies.PasskeyOptionsRequest
) -> bodies.PasskeyOptionsResponse:
    """Begin to make a passkey: for a guest who signs up by it, or one more for a user."""
    user = await call.user()
    call.check_rate()
    proof = call.proof(user, body.password)
    return bodies.PasskeyOptionsResponse(
        await call.services.passkeys.begin(call.site, user, body.name, body.invitation, proof)
    )


@endpoint("POST", "/me/passkeys", status=201, auth="required", scope=None, errors=(403, 409))
async def add_passkey(call: Call, body: bodies.PasskeyRequest) -> models.SignUpResponse:
    """Add the passkey that the browser made. A guest has an account then."""
    user = await call.user()
    made = await call.services.passkeys.finish(
        call.site, user, body.credential, call.device, call.token, body.invitation
    )
    if made is None:
        return models.SignUpResponse(user_response(user))
    return models.SignUpResponse(user_response(made.user), made.device)


@endpoint("PUT", "/me/passkeys/{passkey}", auth="required", scope=None, errors=(404,))
async def rename_passkey(
    call: Call, passkey: PasskeyId, body: bodies.LabelRequest
) -> bodies.DoneResponse:
    """Give a passkey another label."""
    await call.services.passkeys.rename(await call.user(), passkey, body.label)
    return bodies.DoneResponse()


@endpoint(
    "POST", "/me/passkeys/{passkey}/removal", auth="required", scope=None, errors=(403, 404, 409)
)
async def remove_passkey(
    call: Call, passkey: PasskeyId, body: models.PasswordRequest
) -> bodies.DoneResponse:
    """Remove a passkey, unless it is the only way to sign in."""
    user = await call.user()
    await call.services.passkeys.remove(call.proof(user, body.password), passkey)
    return bodies.DoneResponse()


@endpoint("POST", "/sessions/passkey/options")
async def begin_passkey_sign_in(call: Call) -> bodies.PasskeyOptionsResponse:
    """Begin to sign in by passkey."""
    options = await call.services.passkeys.begin_sign_in(call.site, call.address)
    return bodies.PasskeyOptionsResponse(options)


@endpoint("POST", "/sessions/passkey", status=201, errors=(403,))
async def sign_in_by_passkey(
    call: Call, body: bodies.PasskeySignInRequest
) -> models.AccountResponse:
    """Sign in by passkey."""
    found = await call.services.passkeys.sign_in(call.site, body.credential, call.device)
    return account_response(found)


# ---- mail ---------------------------------------------------------------------------------------


@endpoint("PUT", "/me/mail", auth="required", scope=None, errors=(403, 409))
async def set_mail_address(call: Call, body: bodies.MailRequest) -> bodies.DoneResponse:
    """Mail a link that confirms an address, which is the user's from then on."""
    user = await call.user()
    call.check_rate()
    proof = call.proof(user, body.password)
    await call.services.mail_addresses.begin(proof, body.address, body.language)
    return bodies.DoneResponse()


@endpoint("POST", "/me/mail/removal", auth="required", scope=None, errors=(403, 409))
async def remove_mail_address(call: Call, body: models.PasswordRequest) -> bodies.DoneResponse:
    """Forget the user's mail address."""
    user = await call.user()
    await call.services.mail_addresses.remove(call.proof(user, body.password))
    return bodies.DoneResponse()


@endpoint("POST", "/mail-confirmations", errors=(403,))
async def confirm_mail_address(call: Call, body: models.CodeRequest) -> bodies.DoneResponse:
    """Confirm a mail address by the code of the link."""
    call.check_rate()
    await call.services.mail_addresses.confirm(body.code)
    return bodies.DoneResponse()


@endpoint("POST", "/sessions/reset-link", errors=(409,))
async def mail_reset_link(call: Call, body: bodies.LostPasswordRequest) -> bodies.DoneResponse:
    """Mail a link to set a new password to whoever has the name, if they have a mail address."""
    await call.services.mail_addresses.lose_password(body.name, call.address, body.language)
    return bodies.DoneResponse()


@endpoint("POST", "/sessions/reset", status=201, errors=(403,))
async def reset_password(call: Call, body: bodies.ResetRequest) -> models.AccountResponse:
    """Set a new password by a mailed link, sign in, and sign out everywhere else."""
    found = await call.services.mail_addresses.reset(
        body.code, body.password, call.device, call.address
    )
    return account_response(found)


# ---- invitations --------------------------------------------------------------------------------


@endpoint("POST", "/invitations", status=201, auth="required", scope="moderate", errors=(403,))
async def invite(call: Call, body: bodies.InvitationRequest) -> bodies.InvitationListResponse:
    """Invite people to sign up. For administrators."""
    user = await call.user()
    if user.role != "administrator":
        raise Forbidden("only administrators invite people", "ask one of them")
    services = call.services
    codes = await add_invitations(services.store, user.id, body.count, body.days, services.now())
    base = services.settings.public_url.rstrip("/") or str(call.request.base_url).rstrip("/")
    return bodies.InvitationListResponse([f"{base}/account#invitation={code}" for code in codes])


# ---- personal access tokens ---------------------------------------------------------------------


@endpoint("GET", "/me/tokens", auth="required", scope=None)
async def list_tokens(call: Call) -> bodies.TokenListResponse:
    """The user's personal access tokens."""
    return bodies.TokenListResponse(await _tokens(call, await call.user()))


@endpoint("POST", "/me/tokens", status=201, auth="required", scope=None, errors=(403, 409))
async def create_token(call: Call, body: bodies.TokenRequest) -> bodies.NewTokenResponse:
    """Create a personal access token for a program; it is shown only this once."""
    user = await call.user()
    call.check_rate()
    if not user.is_registered:
        raise NoAccount("you have no account", "sign up first")
    await call.services.accounts.check_proof(call.proof(user, body.password))
    token, now = make_token(), call.services.now()
    row = TokenRow(
        hash_token(token), PERSONAL, user.id, None, None, now, body.label, None,
        now + body.days * DAY_MS, " ".join(sorted(set(body.scopes))),
    )  # fmt: skip
    store, by = call.services.store, hash_token(call.token)
    if not await store.add_personal_token(row, MAX_TOKENS, by):
        if await store.token(by) is None:
            raise signed_out()
        raise TooMany(f"you have {MAX_TOKENS} tokens", "revoke one first")
    return bodies.NewTokenResponse(token, _info(row))


@endpoint("DELETE", "/me/tokens/{access}", auth="required", scope=None, errors=(404,))
async def revoke_token(call: Call, access: TokenId) -> bodies.TokenListResponse:
    """Revoke a personal access token; tokens of seats end, too."""
    user = await call.user()
    for row in await _rows(call, user):
        if session_id(row) == access:
            await call.services.accounts.revoke(user, row.hash)
            return bodies.TokenListResponse(await _tokens(call, user))
    raise NotFound("you have no such token", "GET /api/me/tokens lists them")


async def _rows(call: Call, user: UserRow) -> list[TokenRow]:
    now = call.services.now()
    rows = await call.services.store.tokens_of(user.id)
    rows = [row for row in rows if row.kind == PERSONAL and (row.expires_at or 0) > now]
    return sorted(rows, key=lambda row: row.created_at, reverse=True)


async def _tokens(call: Call, user: UserRow) -> list[bodies.TokenInfo]:
    return [_info(row) for row in await _rows(call, user)]


def _info(row: TokenRow) -> bodies.TokenInfo:
    scopes = [scope for scope in get_args(Scope) if scope in (row.scopes or "").split()]
    return bodies.TokenInfo(
        session_id(row), row.label, scopes, row.created_at, row.used_at, row.expires_at
    )
