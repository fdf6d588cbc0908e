"""The REST API: accounts, matches and seats."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from watermeet.client.errors import (
    ApiError,
    ServerUnreachable,
    check_number,
    check_text,
    check_type,
)
from watermeet.core.errors import InvalidArgument

TIMEOUT_S = 20.0
"""The longest that a request takes: a hint, when many others want one."""
RENEW_S = 2.0
"""How often seeks are kept alive."""


class Client:
    """A client of one server, with the token of a guest or a bot account.

    ``url`` may be the addresses of several nodes. When one fails, the next one is used.
    """

    def __init__(self, url: str | Sequence[str], token: str = "") -> None:
        urls = [url] if isinstance(url, str) else url
        check_type("url", urls, Sequence)
        if not urls:
            raise InvalidArgument(f"url is {url!r}", "it must be an address, or several")
        for each in urls:
            check_text("url", each)
            if not each.startswith(("http://", "https://")):
                raise InvalidArgument(f"url is {each!r}", "it must start with http:// or https://")
        check_text("token", token)
        self._urls = tuple(each.rstrip("/") for each in urls)
        self._current = 0
        self._paired = ""
        self.token = token

    @property
    def url(self) -> str:
        """The address that is used now."""
        return self._urls[self._current]

    def use_next_address(self) -> None:
        """Use the next address from now on, if there are several."""
        self._current = (self._current + 1) % len(self._urls)

    @property
    def socket_url(self) -> str:
        """The address of the WebSocket."""
        return self.url.replace("http", "ws", 1) + "/api/socket"

    def request(self, method: str, path: str, content: object = None) -> Any:
        """Send a request to the API; raises ApiError, ServerUnreachable.

        With several addresses, a request that can't have arrived is sent to the next one, and one
        that only reads in any case.
        """
        for attempts_left in reversed(range(len(self._urls))):
            try:
                return self._request(method, path, content)
            except ServerUnreachable as error:
                self.use_next_address()
                if attempts_left == 0 or not (method == "GET" or _is_refusal(error.__cause__)):
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _request(self, method: str, path: str, content: object) -> Any:
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        body = None
        if content is not None:
            body, headers["Content-Type"] = json.dumps(content).encode(), "application/json"
        request = urllib.request.Request(  # noqa: S310 - http or https, as checked above.
            f"{self.url}/api{path}", body, headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            raise ApiError(_problem(error)) from None
        except (OSError, ValueError) as error:
            raise ServerUnreachable(
                f"{self.url} doesn't respond: {error}", "is the server running?"
            ) from error

    def create_bot(self, name: str) -> str:
        """Create a bot account and use it from now on; keep the token, it is shown only once."""
        check_text("name", name)
        self.token = str(self.request("POST", "/bots", {"name": name})["token"])
        return self.token

    def create_guest(self) -> str:
        """Become a new guest, and use its token from now on."""
        self.token = str(self.request("POST", "/guests")["token"])
        return self.token

    def sign_up(self, name: str, password: str) -> None:
        """Give our guest an account."""
        self.request("POST", "/me/account", _texts(name=name, password=password))

    def sign_in(self, name: str, password: str) -> str:
        """Sign in, and use the new token from now on."""
        return self._use(self.request("POST", "/sessions", _texts(name=name, password=password)))

    def device_code(self) -> str:
        """A code that makes another device ours, once and within five minutes."""
        return str(self.request("POST", "/me/device-code")["code"])

    def continue_here(self, code: str) -> str:
        """Be the user who made the code on another device, and use the new token from now on."""
        return self._use(self.request("POST", "/sessions/device", _texts(code=code)))

    def change_password(self, password: str, new_password: str) -> None:
        """Change our password; all other sessions and tokens end."""
        self.request("PUT", "/me/password", _texts(password=password, new_password=new_password))

    def sessions(self) -> list[dict[str, Any]]:
        """Where we are signed in, the last used device first."""
        found: list[dict[str, Any]] = self.request("GET", "/me/sessions")["sessions"]
        return found

    def end_session(self, session: str) -> None:
        """Sign out one of our devices; ``current`` is this one."""
        check_text("session", session, may_be_empty=False)
        self.request("DELETE", f"/me/sessions/{quote(session, safe='')}")

    def end_other_sessions(self) -> None:
        """Sign out everywhere else."""
        self.request("DELETE", "/me/sessions")

    def create_token(
        self, label: str, scopes: Sequence[str], *, days: int = 90, password: str = ""
    ) -> str:
        """A personal access token for a program, which is shown only this once.

        Scopes are read, play, chat, bot and moderate.
        """
        body = {**_texts(label=label, password=password), "scopes": list(scopes), "days": days}
        return str(self.request("POST", "/me/tokens", body)["token"])

    def tokens(self) -> list[dict[str, Any]]:
        """Our personal access tokens, the newest first."""
        found: list[dict[str, Any]] = self.request("GET", "/me/tokens")["tokens"]
        return found

    def revoke_token(self, id: str) -> None:  # noqa: A002
        """Revoke one of our personal access tokens, by its ``id`` in the list."""
        check_text("id", id, may_be_empty=False)
        self.request("DELETE", f"/me/tokens/{quote(id, safe='')}")

    def my_data(self) -> dict[str, Any]:
        """All that the server has about us."""
        found: dict[str, Any] = self.request("GET", "/me/data")
        return found

    def delete_account(self, password: str = "") -> None:
        """Delete us, for good: our matches stay, without the name. Guests have no password."""
        self.request("POST", "/me/deletion", _texts(password=password))
        self.token = ""

    def profile(self, name: str) -> dict[str, Any]:
        """Who somebody is, with their ratings and results by game."""
        check_text("name", name, may_be_empty=False)
        found: dict[str, Any] = self.request("GET", f"/users/{quote(name, safe='')}")
        return found

    def past_matches(self, name: str, **filters: str | int) -> Iterator[dict[str, Any]]:
        """Finished matches of somebody, the last one first.

        Filters are ``game``, ``result``, ``opponent``, ``level``, ``since`` and ``until``.
        """
        check_text("name", name, may_be_empty=False)
        more: dict[str, str | int] = {}
        while True:
            query = urlencode(filters | more)
            page = self.request("GET", f"/users/{quote(name, safe='')}/matches?{query}")
            yield from page["matches"]
            if page["next"] is None:
                return
            more = {"before": page["next"]}

    def rating_history(self, name: str, game: str, kind: str = "two") -> list[dict[str, Any]]:
        """The ratings of somebody in a game, after each rated match."""
        check_text("name", name, may_be_empty=False)
        check_text("game", game, may_be_empty=False)
        path = f"/users/{quote(name, safe='')}/ratings/{quote(game, safe='')}"
        page = self.request("GET", f"{path}?{urlencode({'kind': kind})}")
        found: list[dict[str, Any]] = page["points"]
        return found

    def following(self) -> list[dict[str, Any]]:
        """Whom we follow, those who are online first."""
        found: list[dict[str, Any]] = self.request("GET", "/me/following")["following"]
        return found

    def follow(self, name: str) -> None:
        """Follow somebody."""
        check_text("name", name, may_be_empty=False)
        self.request("PUT", f"/me/following/{quote(name, safe='')}")

    def unfollow(self, name: str) -> None:
        """Follow somebody no longer."""
        check_text("name", name, may_be_empty=False)
        self.request("DELETE", f"/me/following/{quote(name, safe='')}")

    def blocks(self) -> list[dict[str, Any]]:
        """Whom we have blocked or muted."""
        found: list[dict[str, Any]] = self.request("GET", "/me/blocks")["blocks"]
        return found

    def block(self, name: str, *, only_chat: bool = False) -> None:
        """Block somebody; ``only_chat``: mute them."""
        check_text("name", name, may_be_empty=False)
        self.request("POST", "/me/blocks", {"name": name, "only_chat": only_chat})

    def unblock(self, block: str) -> None:
        """Take a block of the list back."""
        check_text("block", block, may_be_empty=False)
        self.request("DELETE", f"/me/blocks/{quote(block, safe='')}")

    def chat(self, match: str, room: str = "players") -> list[dict[str, Any]]:
        """What was written at a match, by its players or its spectators."""
        check_text("match", match, may_be_empty=False)
        check_text("room", room)
        path = f"/matches/{quote(match, safe='')}/chat?{urlencode({'room': room})}"
        found: list[dict[str, Any]] = self.request("GET", path)["messages"]
        return found

    def write(self, match: str, text: str) -> None:
        """Write at a match."""
        check_text("match", match, may_be_empty=False)
        self.request("POST", f"/matches/{quote(match, safe='')}/chat", _texts(text=text))

    def chat_with(self, name: str) -> list[dict[str, Any]]:
        """What a friend and we wrote to each other."""
        check_text("name", name, may_be_empty=False)
        path = f"/me/chats/{quote(name, safe='')}"
        found: list[dict[str, Any]] = self.request("GET", path)["messages"]
        return found

    def write_to(self, name: str, text: str) -> None:
        """Write to somebody who follows us back."""
        check_text("name", name, may_be_empty=False)
        self.request("POST", f"/me/chats/{quote(name, safe='')}", _texts(text=text))

    def report(self, name: str, reason: str, note: str = "", match: str = "") -> str:
        """Report somebody, for what happened at a match or in chat; returns the report's id."""
        body = _texts(name=name, reason=reason, note=note)
        if match:
            body |= _texts(match=match)
        return str(self.request("POST", "/reports", body)["report"])

    def _use(self, account: dict[str, Any]) -> str:
        self.token = str(account["token"])
        return self.token

    def open_matches(self, game: str) -> list[dict[str, Any]]:
        """The public matches that wait for players."""
        check_text("game", game)
        path = f"/matches?stage=open&game={quote(game)}"
        found: list[dict[str, Any]] = self.request("GET", path)["matches"]
        return found

    def vacation(self) -> dict[str, Any]:
        """Whether we are on vacation from slow matches, until when, and what is left after it."""
        found: dict[str, Any] = self.request("GET", "/me/vacation")
        return found

    def set_vacation(self, *, is_on: bool) -> dict[str, Any]:
        """Begin a vacation, or end it."""
        found: dict[str, Any] = self.request("PUT", "/me/vacation", {"is_on": is_on})
        return found

    def replies(self, match: str) -> list[list[str]]:
        """The replies that we have queued in a slow match."""
        check_text("match", match, may_be_empty=False)
        path = f"/matches/{quote(match, safe='')}/replies"
        found: list[list[str]] = self.request("GET", path)["lines"]
        return found

    def queue_replies(self, match: str, lines: Sequence[Sequence[str]]) -> list[list[str]]:
        """Queue replies instead of those from before: lines of moves, everybody's in turn."""
        check_text("match", match, may_be_empty=False)
        path = f"/matches/{quote(match, safe='')}/replies"
        body = {"lines": [list(line) for line in lines]}
        found: list[list[str]] = self.request("PUT", path, body)["lines"]
        return found

    def my_matches(self) -> list[dict[str, Any]]:
        """Our matches, last changed first."""
        found: list[dict[str, Any]] = self.request("GET", "/me/matches")["matches"]
        return found

    def join(self, match: str, seat: int, invitation: str = "") -> None:
        """Take a seat, numbered from 0; a private one needs the token of its invitation."""
        check_text("match", match, may_be_empty=False)
        check_number("seat", seat)
        check_text("invitation", invitation)
        path = f"/matches/{quote(match, safe='')}/seats/{seat}"
        self.request("POST", path, {"invitation": invitation})

    def seeks(self) -> list[dict[str, Any]]:
        """What people look for right now, the longest waiting first."""
        found: list[dict[str, Any]] = self.request("GET", "/seeks")["seeks"]
        return found

    def seek(self, game: str, **wanted: Any) -> dict[str, Any]:
        """Look for a match: ``options``, ``time_control``, ``is_rated``, ``bot_after_s``.

        The response has ``seek``, its id, and ``match``, if we were paired already.
        """
        check_text("game", game, may_be_empty=False)
        content = {"game": game, "known_match": self._paired, **wanted}
        return self._note_match(self.request("POST", "/seeks", content))

    def renew_seeks(self) -> dict[str, Any]:
        """Keep our seeks alive for ten seconds more; ``match`` is set once we were paired."""
        return self._note_match(self.request("POST", "/me/seeks/renewal"))

    def _note_match(self, found: dict[str, Any]) -> dict[str, Any]:
        """Remember the last match that we were paired for, so that we may seek another."""
        self._paired = found["match"] or self._paired
        return found

    def find_match(self, game: str, **wanted: Any) -> str:
        """Look for a match, wait until we are paired, and return the match."""
        found = self.seek(game, **wanted)
        while not found["match"]:
            time.sleep(RENEW_S)
            found = self.renew_seeks()
            if not found["match"] and not found["seeks"]:  # We were away for too long.
                found = self.seek(game, **wanted)
        return str(found["match"])

    def join_seek(self, seek: str) -> dict[str, Any]:
        """Play what somebody else looks for; ``match`` is set if it takes two."""
        check_text("seek", seek, may_be_empty=False)
        content = {"known_match": self._paired}
        return self._note_match(
            self.request("POST", f"/seeks/{quote(seek, safe='')}/join", content)
        )

    def withdraw_seek(self, seek: str) -> dict[str, Any]:
        """Stop looking; ``match`` is set if that was too late."""
        check_text("seek", seek, may_be_empty=False)
        return self._note_match(self.request("DELETE", f"/seeks/{quote(seek, safe='')}"))

    def challenge(self, name: str, game: str, **wanted: Any) -> dict[str, Any]:
        """Challenge a user: ``options``, ``time_control``, ``is_rated``, ``seat``."""
        check_text("name", name, may_be_empty=False)
        check_text("game", game, may_be_empty=False)
        content = {"to": name, "game": game, **wanted}
        found: dict[str, Any] = self.request("POST", "/challenges", content)
        return found

    def challenges(self) -> list[dict[str, Any]]:
        """Challenges from us and to us, the oldest first."""
        found: list[dict[str, Any]] = self.request("GET", "/me/challenges")["challenges"]
        return found

    def accept_challenge(self, challenge: str) -> str:
        """Accept a challenge, and return the match."""
        check_text("challenge", challenge, may_be_empty=False)
        path = f"/challenges/{quote(challenge, safe='')}/acceptance"
        return str(self.request("POST", path)["match"])

    def decline_challenge(self, challenge: str) -> None:
        """Decline a challenge."""
        check_text("challenge", challenge, may_be_empty=False)
        self.request("POST", f"/challenges/{quote(challenge, safe='')}/refusal")

    def withdraw_challenge(self, challenge: str) -> None:
        """Take our challenge back."""
        check_text("challenge", challenge, may_be_empty=False)
        self.request("DELETE", f"/challenges/{quote(challenge, safe='')}")

    def hint(self, match: str) -> dict[str, Any]:
        """The best moves on our turn, in a match that nobody else but bots plays with us.

        ``["candidates"][0]["line"]`` holds what to play: the rest of the turn, action by action.
        """
        check_text("match", match, may_be_empty=False)
        found: dict[str, Any] = self.request("POST", f"/matches/{quote(match, safe='')}/hints")
        return found

    def review(self, match: str) -> dict[str, Any]:
        """The review of a match that has ended, which this starts; its ``stage`` says how far."""
        check_text("match", match, may_be_empty=False)
        found: dict[str, Any] = self.request("POST", f"/matches/{quote(match, safe='')}/review")
        return found

    def openings(
        self, game: str, moves: Sequence[str] = (), *, source: str = "server", options: str = ""
    ) -> dict[str, Any]:
        """What was played after these moves from the start, and how it ended.

        ``source`` is ``server`` or ``engine``; ``options`` are those that aren't the defaults, such
        as ``"size=5"``.
        """
        for name, text in (("game", game), ("source", source), ("options", options)):
            check_text(name, text)
        query = urlencode({"moves": " ".join(moves), "source": source, "options": options})
        path = f"/games/{quote(game, safe='')}/openings?{query}"
        found: dict[str, Any] = self.request("GET", path)
        return found

    def puzzle(self, game: str, name: str = "", *, theme: str = "") -> dict[str, Any]:
        """A puzzle by its name, ``daily`` for today's; without a name, the next one for us."""
        for what, text in (("game", game), ("name", name), ("theme", theme)):
            check_text(what, text)
        path = f"/puzzles/{quote(game, safe='')}"
        path += f"/{quote(name, safe='')}" if name else f"?{urlencode({'theme': theme})}"
        found: dict[str, Any] = self.request("GET", path)
        return found

    def try_puzzle(
        self, game: str, name: str, moves: Sequence[str | int], *, give_up: bool = False
    ) -> dict[str, Any]:
        """A puzzle after all that we have played in it; its ``status`` is about the last move.

        ``give_up`` shows the answer. The first end of a puzzle counts for our rating.
        """
        check_text("game", game, may_be_empty=False)
        check_text("name", name, may_be_empty=False)
        path = f"/puzzles/{quote(game, safe='')}/{quote(name, safe='')}/attempt"
        body = {"moves": list(moves), "give_up": give_up}
        found: dict[str, Any] = self.request("POST", path, body)
        return found


def _texts(**texts: str) -> dict[str, str]:
    for name, text in texts.items():
        check_text(name, text)
    return texts


def _is_refusal(error: BaseException | None) -> bool:
    """Whether no connection came about."""
    return isinstance(getattr(error, "reason", None), ConnectionRefusedError)


def _problem(error: urllib.error.HTTPError) -> dict[str, Any]:
    with error:
        try:
            problem = json.loads(error.read())
        except ValueError:
            problem = None
    if isinstance(problem, dict) and "code" in problem:
        return problem
    return {"code": "unknown", "message": f"HTTP {error.code}"}
