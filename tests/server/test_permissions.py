"""Who may do what: every route, called by everybody. A new route without an entry fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, inside

from watermeet.server.api.routes import ENDPOINTS
from watermeet.server.api.routing import Endpoint
from watermeet.server.api.streams import NDJSON
from watermeet.server.people.accounts import Accounts
from watermeet.server.store.rows import TokenRow
from watermeet.server.tokens import PERSONAL, hash_token, make_token

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
PASSWORD = "correct horse"  # noqa: S105
ROLES = ("anonymous", "guest", "account", "bot", "deleted")
POSITION = {"game": GAME}
BODIES: dict[str, Any] = {
    "POST /api/invitations": {},
    "POST /api/mail-confirmations": {"code": "x"},
    "PUT /api/me/mail": {"address": "ada@example.org", "password": PASSWORD},
    "POST /api/me/mail/removal": {"password": PASSWORD},
    "POST /api/me/passkeys": {"credential": {}},
    "POST /api/me/passkeys/options": {"name": "Eve {number}", "password": PASSWORD},
    "PUT /api/me/passkeys/{passkey}": {"label": "x"},
    "POST /api/me/passkeys/{passkey}/removal": {"password": PASSWORD},
    "POST /api/me/tokens": {"label": "x", "scopes": ["read"], "password": PASSWORD},
    "POST /api/sessions/passkey": {"credential": {}},
    "POST /api/sessions/reset": {"code": "x", "password": PASSWORD},
    "POST /api/sessions/reset-link": {"name": "Nobody 1"},
    "POST /api/analysis": {**POSITION, "moves": []},
    "POST /api/analysis/engine": {**POSITION, "position": "nonsense"},
    "POST /api/analysis/lines": {**POSITION, "lines": []},
    "POST /api/analysis/records": {"record": "x"},
    "POST /api/analysis/thoughts": POSITION,
    "POST /api/bots": {"name": "Robot {number}"},
    "POST /api/challenges": {"to": "Anybody", "game": GAME},
    "POST /api/games/{name}/lessons/{step}": {"moves": []},
    "POST /api/matches": {"game": GAME, "seats": [{}, {}]},
    "POST /api/matches/{match}/commands": {"id": "a", "command": {"type": "resign"}},
    "POST /api/matches/{match}/chat": {"text": "hello"},
    "POST /api/moderation/reports/{report}": {"act": "dismiss"},
    "POST /api/reports": {"name": "Anybody", "reason": "spam"},
    "POST /api/me/chats/{user}": {"text": "hello"},
    "POST /api/matches/{match}/seats/{seat}": {},
    "POST /api/matches/{match}/thoughts": {
        "seq": 1,
        "candidates": [{"action": 0, "value": 0.0, "visits": 1}],
        "pv": [],
        "nodes": 1,
        "seconds": 0.1,
        "proven": False,
    },
    "POST /api/me/blocks": {"name": "Anybody"},
    "POST /api/me/account": {"name": "Eve {number}", "password": PASSWORD},
    "POST /api/me/deletion": {"password": PASSWORD},
    "POST /api/me/recovery-codes": {"password": PASSWORD},
    "POST /api/moderation/acts": {"name": "Anybody", "act": "warn", "reason": "x"},
    "PUT /api/moderation/users/{user}/role": {"role": "player"},
    "POST /api/puzzles/{game}/{puzzle}/attempt": {"moves": []},
    "POST /api/records": {"record": "x"},
    "POST /api/seeks": {"game": GAME},
    "POST /api/seeks/{seek}/join": {},
    "POST /api/sessions": {"name": "Nobody 1", "password": PASSWORD},
    "POST /api/sessions/device": {"code": "abcd-efgh"},
    "POST /api/sessions/recovery": {"name": "Nobody 1", "code": "abcd", "password": PASSWORD},
    "PUT /api/me/name": {"name": "Ida {number}"},
    "PUT /api/matches/{match}/replies": {"lines": []},
    "PUT /api/me/digest": {"every": "never"},
    "PUT /api/me/push": {"endpoint": "https://x", "p256dh": "", "auth": "", "kinds": []},
    "PUT /api/me/vacation": {"is_on": True},
    "PUT /api/me/webhook": {"url": "http://127.0.0.1"},
    "PUT /api/me/password": {"password": PASSWORD, "new_password": "another horse"},
}
VALUES = {"name": GAME, "game": GAME, "match": "MATCH", "puzzle": "kuhn_poker-00000000"}
EXPECTED = {
    "POST /api/invitations": "401 403 403 403 401",
    "POST /api/mail-confirmations": "403",
    "PUT /api/me/mail": "401 409 409 409 401",
    "POST /api/me/mail/removal": "401 409 200 409 401",
    "POST /api/me/passkeys": "401 403 403 403 401",
    "POST /api/me/passkeys/options": "401 200 200 409 401",
    "PUT /api/me/passkeys/{passkey}": "401 404 404 404 401",
    "POST /api/me/passkeys/{passkey}/removal": "401 409 404 409 401",
    "GET /api/me/tokens": "401 200 200 200 401",
    "POST /api/me/tokens": "401 409 201 409 401",
    "DELETE /api/me/tokens/{access}": "401 404 404 404 401",
    "POST /api/sessions/passkey": "403",
    "POST /api/sessions/passkey/options": "200",
    "POST /api/sessions/reset": "403",
    "POST /api/sessions/reset-link": "409",
    "GET /api/accounts": "200",
    "GET /api/addresses": "200",
    "POST /api/analysis": "200",
    "POST /api/analysis/engine": "422",
    "POST /api/analysis/lines": "409",
    "POST /api/analysis/records": "422",
    "POST /api/analysis/thoughts": "409",
    "POST /api/bots": "201",
    "POST /api/challenges": "401 201 201 201 401",
    "DELETE /api/challenges/{challenge}": "401 404 404 404 401",
    "POST /api/challenges/{challenge}/acceptance": "401 404 404 404 401",
    "POST /api/challenges/{challenge}/refusal": "401 404 404 404 401",
    "POST /api/digests/{code}/unsubscribe": "404",
    "GET /api/games": "200",
    "GET /api/games/{name}": "200",
    "GET /api/games/{name}/engines/{digest}": "404",
    "GET /api/games/{name}/leaderboard": "200",
    "GET /api/games/{name}/lessons": "200",
    "POST /api/games/{name}/lessons/{step}": "404",
    "GET /api/games/{name}/networks/{digest}": "404",
    "GET /api/games/{name}/openings": "404",
    "GET /api/games/{name}/picture": "404",
    "GET /api/games/{name}/readiness": "200",
    "GET /api/games/{name}/rules": "404",
    "POST /api/guests": "201",
    "GET /api/health": "200",
    "GET /api/health/live": "200",
    "GET /api/health/ready": "200",
    "GET /api/matches": "200",
    "POST /api/matches": "401 201 201 201 401",
    "GET /api/matches/{match}": "200 200 200 200 401",
    "POST /api/matches/{match}/commands": "401 403 403 403 401",
    "POST /api/matches/{match}/engine": "401 403 403 403 401",
    "GET /api/matches/{match}/events": "200 200 200 200 401",
    "POST /api/matches/{match}/hints": "401 403 403 403 401",
    "GET /api/matches/{match}/picture": "404 404 404 404 401",
    "GET /api/matches/{match}/positions/{ply}": "200 200 200 200 401",
    "GET /api/matches/{match}/ratings": "200 200 200 200 401",
    "GET /api/matches/{match}/record": "403 403 403 403 401",
    "GET /api/matches/{match}/replies": "401 403 403 403 401",
    "PUT /api/matches/{match}/replies": "401 403 403 403 401",
    "GET /api/matches/{match}/review": "200 200 200 200 401",
    "POST /api/matches/{match}/review": "401 409 409 409 401",
    "POST /api/matches/{match}/seats/{seat}": "401 409 409 409 401",
    "POST /api/matches/{match}/thoughts": "401 403 403 403 401",
    "GET /api/me": "401 200 200 200 401",
    "GET /api/me/account": "401 200 200 200 401",
    "POST /api/me/account": "401 201 409 409 401",
    "GET /api/me/blocks": "401 200 200 200 401",
    "POST /api/me/blocks": "401 201 201 201 401",
    "DELETE /api/me/blocks/{block}": "401 404 404 404 401",
    "GET /api/me/favourites": "401 200 200 200 401",
    "PUT /api/me/favourites/{match}": "401 200 200 200 401",
    "DELETE /api/me/favourites/{match}": "401 200 200 200 401",
    "GET /api/me/following": "401 200 200 200 401",
    "PUT /api/me/following/{user}": "401 200 200 200 401",
    "DELETE /api/me/following/{user}": "401 200 200 200 401",
    "GET /api/me/notices": "401 200 200 200 401",
    "DELETE /api/me/notices/{notice}": "401 404 404 404 401",
    "POST /api/moderation/acts": "401 403 403 403 401",
    "GET /api/moderation/log": "401 403 403 403 401",
    "GET /api/moderation/users/{user}": "401 403 403 403 401",
    "PUT /api/moderation/users/{user}/role": "401 403 403 403 401",
    "GET /api/me/challenges": "401 200 200 200 401",
    "GET /api/matches/{match}/chat": "401 403 200 403 401",
    "POST /api/matches/{match}/chat": "401 403 201 403 401",
    "GET /api/me/chats/{user}": "401 403 200 403 401",
    "POST /api/me/chats/{user}": "401 403 403 403 401",
    "GET /api/moderation/reports": "401 403 403 403 401",
    "GET /api/moderation/reports/{report}": "401 403 403 403 401",
    "POST /api/moderation/reports/{report}": "401 403 403 403 401",
    "POST /api/reports": "401 201 201 201 401",
    "GET /api/me/conduct": "401 200 200 200 401",
    "GET /api/me/data": "401 200 200 200 401",
    "POST /api/me/deletion": "401 200 200 200 401",
    "POST /api/me/device-code": "401 201 201 201 401",
    "GET /api/me/matches": "401 200 200 200 401",
    "PUT /api/me/name": "401 200 200 200 401",
    "PUT /api/me/password": "401 409 200 409 401",
    "GET /api/me/digest": "401 200 200 200 401",
    "PUT /api/me/digest": "401 200 200 200 401",
    "DELETE /api/me/push": "401 200 200 200 401",
    "GET /api/me/push": "401 200 200 200 401",
    "PUT /api/me/push": "401 400 400 400 401",
    "GET /api/me/ratings": "401 200 200 200 401",
    "POST /api/me/recovery-codes": "401 409 201 409 401",
    "GET /api/me/seeks": "401 200 200 200 401",
    "POST /api/me/seeks/renewal": "401 200 200 200 401",
    "DELETE /api/me/sessions": "401 200 200 200 401",
    "GET /api/me/sessions": "401 200 200 200 401",
    "DELETE /api/me/sessions/{session}": "401 404 404 404 401",
    "GET /api/me/turns": "401 200 200 200 401",
    "GET /api/me/vacation": "401 200 200 200 401",
    "PUT /api/me/vacation": "401 200 200 200 401",
    "DELETE /api/me/webhook": "401 403 403 200 401",
    "GET /api/me/webhook": "401 403 403 404 401",
    "PUT /api/me/webhook": "401 403 403 422 401",
    "GET /api/metrics": "200",
    "GET /api/puzzles/{game}": "404",
    "GET /api/puzzles/{game}/daily": "404",
    "GET /api/puzzles/{game}/overview": "200 200 200 200 401",
    "GET /api/puzzles/{game}/{puzzle}": "404",
    "POST /api/puzzles/{game}/{puzzle}/attempt": "404",
    "POST /api/records": "401 422 422 422 401",
    "GET /api/seeks": "200",
    "POST /api/seeks": "401 201 201 201 401",
    "DELETE /api/seeks/{seek}": "401 200 200 200 401",
    "POST /api/seeks/{seek}/join": "401 404 404 404 401",
    "POST /api/sessions": "403",
    "POST /api/sessions/device": "403",
    "POST /api/sessions/recovery": "403",
    "GET /api/status": "200",
    "GET /api/users/{user}": "200 200 200 200 401",
    "GET /api/users/{user}/matches": "200 200 200 200 401",
    "GET /api/users/{user}/ratings": "200",
    "GET /api/users/{user}/ratings/{game}": "200 200 200 200 401",
    "GET /api/version": "200",
}
"""The statuses for all roles in order, or one for all: the match is others', and has begun."""

SESSIONS_ONLY = (
    "account", "data", "deletion", "device-code", "mail", "name", "passkeys", "password", "push",
    "recovery-codes", "sessions", "tokens",
)  # fmt: skip
"""What no personal access token may do, under /api/me/."""


def scope_for(endpoint: Endpoint) -> str:
    """The scope that a route needs; empty: no personal access token will do."""
    _, _, place, *rest = endpoint.path.split("/")
    if place == "me" and rest and rest[0] in SESSIONS_ONLY:
        return ""
    if place in ("moderation", "invitations"):
        return "moderate"
    if place == "bots" or (place == "me" and rest == ["webhook"]):
        return "bot"
    return "read" if endpoint.method == "GET" else "play"


class Callers:
    """New people for every call, so that no call depends on another."""

    def __init__(self, server: Inside, password: str) -> None:
        self.server, self.password, self.number = server, password, 0

    async def token(self, role: str) -> str:
        self.number += 1
        services = self.server.app.state.services
        services.accounts._by_address._buckets.clear()  # Attempts to sign in are limited.
        if role == "anonymous":
            return ""
        if role == "bot":
            return str((await services.people.add_bot(f"Bot {self.number} x")).token)
        account = await services.people.add_guest()
        if role == "account":
            name = f"Ada {self.number}"
            assert await services.store.add_account(account.user.id, name, self.password, [])
        if role == "deleted":
            await services.accounts.delete(account.user, services.matches.rename)
        return str(account.token)


async def status_of(callers: Callers, endpoint: Endpoint, role: str, values: dict[str, str]) -> int:
    server, token = callers.server, await callers.token(role)
    path = re.sub(r"{(\w+)}", lambda found: values[found[1]], endpoint.path)
    if endpoint.media_type == NDJSON:
        stream = await server.stream(path, token)
        status = stream.status
        await stream.close()
        return status
    body = BODIES.get(f"{endpoint.method} {endpoint.path}")
    if body is not None and "name" in body:
        body = body | {"name": body["name"].replace("{number}", str(callers.number))}
    async with server.http(token) as http:
        return (await http.request(endpoint.method, path, json=body)).status_code


async def test_every_route_answers_everybody_as_the_table_says(tmp_path: Path) -> None:
    found = {}
    async with inside(tmp_path) as server:
        accounts: Accounts = server.app.state.services.accounts
        callers = Callers(server, await accounts.passwords.hash(PASSWORD))
        match, _ = await server.seated(GAME, 2)
        await server.app.state.services.people.add_bot("Anybody")
        values = {
            "code": "x",
            "name": GAME,
            "game": GAME,
            "match": match,
            "seat": "1",
            "user": "Anybody",
        }
        values |= {"ply": "0", "session": "none", "step": "none", "puzzle": "kuhn_poker-00000000"}
        values |= {"block": "none", "notice": "none", "report": "none"}
        values |= {"digest": "0" * 16, "seek": "none", "challenge": "none"}
        values |= {"passkey": "none", "access": "none"}
        for endpoint in ENDPOINTS:
            answers = [await status_of(callers, endpoint, role, values) for role in ROLES]
            same = answers[:1] if len(set(answers)) == 1 else answers
            found[f"{endpoint.method} {endpoint.path}"] = " ".join(map(str, same))
            if endpoint.auth == "required":
                assert (answers[0], answers[-1]) == (401, 401), endpoint.path
    assert found == EXPECTED


async def test_a_personal_token_without_the_scope_of_a_route_is_refused(tmp_path: Path) -> None:
    """Every route that looks at tokens, by a token with all other scopes."""
    async with inside(tmp_path) as server:
        services = server.app.state.services
        match, _ = await server.seated(GAME, 2)
        account = await services.people.add_guest()
        assert await services.store.add_account(account.user.id, "Ada", "", [])
        for endpoint in ENDPOINTS:
            if not endpoint.auth or endpoint.path == "/api/metrics":  # Which has its own token.
                continue
            token, scope = make_token(), scope_for(endpoint)
            row = TokenRow(hash_token(token), PERSONAL, account.user.id, None, None, 0)
            others = {"read", "play", "bot", "moderate"} - {scope}
            await services.store.add_token(row._replace(scopes=" ".join(others)))
            path = re.sub(r"{(\w+)}", lambda found: VALUES.get(found[1], "0"), endpoint.path)
            path = path.replace("MATCH", match)
            body = BODIES.get(f"{endpoint.method} {endpoint.path}")
            async with server.http(token) as http:
                answer = await http.request(endpoint.method, path, json=body)
            if endpoint.auth == "optional" and answer.status_code == 404:
                continue  # There is nothing to see.
            assert answer.status_code == 403, f"{endpoint.method} {path}"
            assert answer.json()["code"] == "wrong_scope", f"{endpoint.method} {path}"
