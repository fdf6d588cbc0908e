"""The errors of the client: ApiError and ServerUnreachable; and checks of its arguments."""

from __future__ import annotations

from typing import Any

from watermeet.core.errors import InvalidArgument, WatermeetError


class ApiError(WatermeetError):
    """The server rejected a request; ``server_code``, message and hint are the server's."""

    code = "api_error"

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(str(problem.get("message", "rejected")), str(problem.get("hint", "")))
        self.server_code = str(problem.get("code", "unknown"))
        self.explanation = problem.get("explanation")


class ServerUnreachable(WatermeetError):
    """The server doesn't respond."""

    code = "server_unreachable"


def check_text(name: str, value: object, *, may_be_empty: bool = True) -> None:
    """Raise InvalidArgument unless the value is a string."""
    if not isinstance(value, str) or not (value or may_be_empty):
        raise InvalidArgument(f"{name} is {value!r}", "it must be a string")


def check_number(name: str, value: object, *, may_be_float: bool = False) -> None:
    """Raise InvalidArgument unless the value is a number, and not negative."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    if not is_number or not (may_be_float or isinstance(value, int)):
        raise InvalidArgument(f"{name} is {value!r}", "it must be a number, at least 0")


def check_type(name: str, value: object, kind: type) -> None:
    """Raise InvalidArgument unless the value is of this type."""
    if not isinstance(value, kind):
        raise InvalidArgument(f"{name} is {value!r}", f"it must be a {kind.__name__}")
