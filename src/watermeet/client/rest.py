"""What is a document: accounts, tables and seats, over HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from watermeet.client.errors import ServerRefused, Unreachable

TIMEOUT_S = 60.0
"""A server that has just started may have to compile a game first."""


class Server:
    """A server, and who we are there: a token of a guest's device or of a bot account."""

    def __init__(self, url: str, token: str = "") -> None:
        self.url, self.token = url.rstrip("/"), token

    @property
    def socket_url(self) -> str:
        """Where its sockets are."""
        return self.url.replace("http", "ws", 1) + "/api/socket"

    def ask(self, method: str, path: str, content: object = None) -> Any:
        """The answer to a request; raises ServerRefused, Unreachable."""
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        body = None
        if content is not None:
            body, headers["Content-Type"] = json.dumps(content).encode(), "application/json"
        request = urllib.request.Request(  # noqa: S310 - the user says which server.
            f"{self.url}/api{path}", body, headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise ServerRefused(_problem(error)) from None
        except (OSError, ValueError) as error:
            raise Unreachable(f"{self.url} does not answer: {error}", "does it run?") from error

    def make_bot(self, name: str) -> str:
        """A new bot account; from now on we are that one. Keep the token: it is told this once."""
        self.token = str(self.ask("POST", "/bots", {"name": name})["token"])
        return self.token

    def open_tables(self, game: str) -> list[dict[str, Any]]:
        """Public tables that wait for somebody."""
        found: list[dict[str, Any]] = self.ask("GET", f"/matches?stage=open&game={game}")["matches"]
        return found

    def my_matches(self) -> list[dict[str, Any]]:
        """Where we sit or sat, the last changed first."""
        found: list[dict[str, Any]] = self.ask("GET", "/me/matches")["matches"]
        return found

    def sit(self, match: str, seat: int, invitation: str = "") -> None:
        """Sits down."""
        self.ask("POST", f"/matches/{match}/seats/{seat}", {"invitation": invitation})


def _problem(error: urllib.error.HTTPError) -> dict[str, Any]:
    with error:
        try:
            told = json.loads(error.read())
        except ValueError:
            told = None
    if isinstance(told, dict) and "code" in told:
        return told
    return {"code": "server_refused", "message": f"HTTP {error.code}", "hint": ""}
