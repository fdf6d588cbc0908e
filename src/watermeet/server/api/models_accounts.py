"""The bodies of requests and responses about accounts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from watermeet.server.api.models import Code, Password, SignInName, _Request
from watermeet.server.people.texts import Language
from watermeet.server.people.users import Scope


class AccountOptionsResponse(Struct, frozen=True):
    """Who may sign up on this server, and whether it sends mail."""

    sign_up: Literal["open", "invited", "closed"]
    has_mail: bool


class PasskeyInfo(Struct, frozen=True):
    """A passkey of the user."""

    passkey: str
    label: str
    created_at: int
    used_at: int | None


class TokenInfo(Struct, frozen=True):
    """A personal access token; the token itself is shown only when it is new."""

    id: str
    label: str
    scopes: list[Scope]
    created_at: int
    used_at: int | None
    expires_at: int | None


class AccountInfoResponse(Struct, frozen=True):
    """How a user can sign in; a guest can't."""

    name: str | None
    is_registered: bool
    has_password: bool
    mail_address: str | None
    passkeys: list[PasskeyInfo]


class TokenListResponse(Struct, frozen=True):
    """The user's personal access tokens, the newest first."""

    tokens: list[TokenInfo]


class NewTokenResponse(Struct, frozen=True):
    """A new personal access token, which is shown only this once."""

    token: str
    info: TokenInfo


class PasskeyOptionsResponse(Struct, frozen=True):
    """For ``PublicKeyCredential.parseCreationOptionsFromJSON``, or ``parseRequest...``."""

    options: dict[str, Any]


class InvitationListResponse(Struct, frozen=True):
    """Links that each let one person sign up; they are shown only this once."""

    links: list[str]


class DoneResponse(Struct, frozen=True):
    """It is done, or nothing was to be done: which of them isn't said."""

    done: bool = True


class PasskeyOptionsRequest(_Request, frozen=True, kw_only=True):
    """The name of a guest who signs up, and their invitation; or the password of a user."""

    name: Annotated[str, Meta(max_length=80)] = ""
    invitation: Annotated[str, Meta(max_length=64)] = ""
    password: Password = ""


class PasskeyRequest(_Request, frozen=True, kw_only=True):
    """What the browser returned, by ``PublicKeyCredential.toJSON``."""

    credential: dict[str, Any]
    invitation: Annotated[str, Meta(max_length=64)] = ""


class PasskeySignInRequest(_Request, frozen=True, kw_only=True):
    """The same, to sign in."""

    credential: dict[str, Any]


class LabelRequest(_Request, frozen=True, kw_only=True):
    """What to call a passkey."""

    label: Annotated[str, Meta(max_length=40)]


class MailRequest(_Request, frozen=True, kw_only=True):
    """A mail address, and the user's password, if they have one."""

    address: Annotated[str, Meta(max_length=320)]
    password: Password = ""
    language: Language = "en"


class LostPasswordRequest(_Request, frozen=True, kw_only=True):
    """The name of whoever has lost their password."""

    name: SignInName
    language: Language = "en"


class ResetRequest(_Request, frozen=True, kw_only=True):
    """The code of a mailed link, and a new password."""

    code: Code
    password: Password


class InvitationRequest(_Request, frozen=True, kw_only=True):
    """How many people to invite, and for how long."""

    count: Annotated[int, Meta(ge=1, le=100)] = 1
    days: Annotated[int, Meta(ge=1, le=365)] = 30


class TokenRequest(_Request, frozen=True, kw_only=True):
    """A personal access token: what it is for, what it allows, and for how many days."""

    label: Annotated[str, Meta(min_length=1, max_length=40)]
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=5)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90
    password: Password = ""
