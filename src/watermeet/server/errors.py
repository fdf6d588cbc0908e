"""The errors of the server: each has a stable code for clients and an HTTP status."""

from __future__ import annotations

from typing import ClassVar

from watermeet.core.errors import WatermeetError


class ServerError(WatermeetError):
    """The base of all errors that only a server raises."""

    status: ClassVar[int] = 500


class StoreUnavailable(ServerError):
    """The database can't be reached, opened or written."""

    code, status = "store_unavailable", 503


class CannotThink(ServerError):
    """This server has no bot worker for a hint, or the worker failed."""

    code, status = "cannot_think", 503


class BusUnavailable(ServerError):
    """The bus can't be opened: its URL is wrong or its library is missing."""

    code, status = "bus_unavailable", 503


class Unsupported(ServerError):
    """This database engine can't do it."""

    code, status = "unsupported", 501


class InvalidSettings(ServerError):
    """An unknown setting, or an invalid value."""

    code = "invalid_settings"


class WorkersFailed(ServerError):
    """A server process ends as soon as it is started, again and again."""

    code = "workers_failed"


class PortInUse(ServerError):
    """The server can't listen on this address."""

    code = "port_in_use"


class NameTaken(ServerError):
    """Another user has this name, or one that looks like it."""

    code, status = "name_taken", 409


class BadName(ServerError):
    """A name that can't be shown, mixes alphabets or is reserved."""

    code, status = "bad_name", 422


class BadPassword(ServerError):
    """A password that is too short, too long, or easily guessed."""

    code, status = "bad_password", 422


class WrongPassword(ServerError):
    """The name or the password is wrong; which of them isn't said."""

    code, status = "wrong_password", 403


class WrongCode(ServerError):
    """A code to sign in that is wrong, expired or used."""

    code, status = "wrong_code", 403


class HasAccount(ServerError):
    """A user signs up who has an account."""

    code, status = "has_account", 409


class NoAccount(ServerError):
    """A guest does what needs an account."""

    code, status = "no_account", 409


class SignUpClosed(ServerError):
    """The host lets nobody sign up."""

    code, status = "sign_up_closed", 403


class InvitedToSignUp(ServerError):
    """Only invited people sign up, and the invitation is missing, wrong or used."""

    code, status = "invited_to_sign_up", 403


class SignInAgain(ServerError):
    """Somebody without a password has to sign in again first."""

    code, status = "sign_in_again", 403


class BadPasskey(ServerError):
    """A passkey that is unknown, or a response of a browser that doesn't hold."""

    code, status = "bad_passkey", 403


class LastWayIn(ServerError):
    """Whoever removes their last passkey needs a password."""

    code, status = "last_way_in", 409


class WrongScope(ServerError):
    """A personal access token that doesn't allow this."""

    code, status = "wrong_scope", 403


class NoMail(ServerError):
    """The server sends no mail."""

    code, status = "no_mail", 409


class BadMailAddress(ServerError):
    """A text that isn't a mail address."""

    code, status = "bad_mail_address", 422


class StillPlaying(ServerError):
    """A user with matches that haven't ended can't be deleted."""

    code, status = "still_playing", 409


class Blocked(ServerError):
    """A block stands between two users, whoever of them has set it."""

    code, status = "blocked", 403


class BadUrl(ServerError):
    """A URL that the server may not call: without TLS, on a private network, or nowhere."""

    code, status = "bad_url", 422


class NoVacation(ServerError):
    """A user has no vacation days left."""

    code, status = "no_vacation", 409


class Suspended(ServerError):
    """A user who was suspended may not sign in or play."""

    code, status = "suspended", 403


class CoolingDown(ServerError):
    """A user who has left too many rated matches wants to play another."""

    code, status = "cooling_down", 403


class OpponentCoolingDown(CoolingDown):
    """The same of somebody with whom they would play."""

    code = "opponent_cooling_down"


class Muted(ServerError):
    """A user who was muted may not write messages."""

    code, status = "muted", 403


class Unauthorized(ServerError):
    """An unknown token, or none where one is needed."""

    code, status = "unauthorized", 401


class Forbidden(ServerError):
    """The token doesn't allow this."""

    code, status = "forbidden", 403


class NotFound(ServerError):
    """No match, game or page with this name."""

    code, status = "not_found", 404


class BadRequest(ServerError):
    """A request that can't be read."""

    code, status = "bad_request", 400


class InvalidPosition(ServerError):
    """A text that isn't a position of the game."""

    code, status = "invalid_position", 422


class AlreadyReported(ServerError):
    """A user has reported somebody, and nobody has decided about it yet."""

    code, status = "already_reported", 409


class TooMany(ServerError):
    """More than the limits allow for now."""

    code, status = "too_many", 429


class TooLong(ServerError):
    """A match has more moves than can be worked on."""

    code, status = "too_long", 409


class TooManyBotMatches(TooMany):
    """A user or an address has as many matches between bots alone as it may."""

    code = "too_many_bot_matches"


class TooManyOpen(TooMany):
    """As many open matches or seeks of a user or an address wait for players as may."""

    code = "too_many_open"
