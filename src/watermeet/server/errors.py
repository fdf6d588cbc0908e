"""Errors of the server. Each has a code that is stable on the wire, and an HTTP status.

WatermeetError
└── ServerError
    ├── StoreUnavailable        the database cannot be reached
    ├── BusUnavailable          the bus cannot be opened
    ├── Unsupported      this engine cannot do it
    ├── InvalidSettings  a setting that does not exist, or a value that it cannot take
    ├── PortInUse        the address cannot be listened at
    ├── NameTaken        somebody else has the name
    ├── BadName          a name that cannot be shown
    ├── Unauthorized     a token that nobody knows
    ├── Forbidden        a token that does not allow this
    ├── NotFound         no match, no game, no page of this name
    ├── BadRequest       what was sent cannot be read
    └── TooMany          more than the limits allow, for now

``status`` is what HTTP answers with. Errors of the core pass through with a status of their own.
"""

from __future__ import annotations

from typing import ClassVar

from watermeet.core.errors import WatermeetError


class ServerError(WatermeetError):
    """The root of what only a server can answer."""

    status: ClassVar[int] = 500


class StoreUnavailable(ServerError):
    """The database cannot be reached."""

    code = "store_unavailable"
    status = 503


class BusUnavailable(ServerError):
    """The bus cannot be opened: its address or its library is wrong."""

    code = "bus_unavailable"
    status = 503


class Unsupported(ServerError):
    """This engine cannot do it."""

    code = "unsupported"
    status = 501


class InvalidSettings(ServerError):
    """A setting that does not exist, or a value that it cannot take."""

    code = "invalid_settings"


class PortInUse(ServerError):
    """The address cannot be listened at."""

    code = "port_in_use"


class NameTaken(ServerError):
    """Somebody else has the name."""

    code = "name_taken"
    status = 409


class BadName(ServerError):
    """A name that cannot be shown."""

    code = "bad_name"
    status = 422


class Unauthorized(ServerError):
    """A token that nobody knows, or none where one is needed."""

    code = "unauthorized"
    status = 401


class Forbidden(ServerError):
    """A token that does not allow what is asked."""

    code = "forbidden"
    status = 403


class NotFound(ServerError):
    """There is no such thing."""

    code = "not_found"
    status = 404


class BadRequest(ServerError):
    """What was sent cannot be read."""

    code = "bad_request"
    status = 400


class TooMany(ServerError):
    """More than the limits allow, for now."""

    code = "too_many"
    status = 429
