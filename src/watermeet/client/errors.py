"""Errors of the client.

WatermeetError
├── ServerRefused  the server refused what was asked, and says why
└── Unreachable    the server cannot be reached
"""

from __future__ import annotations

from typing import Any

from watermeet.core.errors import WatermeetError


class ServerRefused(WatermeetError):
    """The server refused what was asked; message, hint and ``server_code`` are its own."""

    code = "server_refused"

    def __init__(self, told: dict[str, Any]) -> None:
        super().__init__(str(told.get("message", "refused")), str(told.get("hint", "")))
        self.server_code = str(told.get("code", "server_refused"))
        self.explanation = told.get("explanation")


class Unreachable(WatermeetError):
    """The server cannot be reached."""

    code = "unreachable"
