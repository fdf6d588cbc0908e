"""Who may do what: every route, called by everybody. A new route without an entry fails."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest
from tests.server.inside import PASSWORD, Inside

from watermeet.server.api.routes import ENDPOINTS
from watermeet.server.api.routing import Endpoint
from watermeet.server.api.streams import NDJSON
from watermeet.server.store import sign_in
from watermeet.server.store.rows import TokenRow
from watermeet.server.store.sql import Statement
from watermeet.server.tokens import PERSONAL, hash_token, make_token

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
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
    "POST /api/matches/{match}/review/{ply}": {"moves": []},
    "POST /api/me/blocks": {"name": "Anybody"},
    "POST /api/me/account": {"name": "Eve {number}", "password": PASSWORD},
    "POST /api/me/deletion": {"password": PASSWORD},
    "POST /api/moderation/acts": {"name": "Anybody", "act": "warn", "reason": "x"},
    "PUT /api/moderation/users/{user}/role": {"role": "player"},
    "POST /api/puzzles/{game}/{puzzle}/attempt": {"moves": []},
    "POST /api/records": {"record": "x"},
    "POST /api/seeks": {"game": GAME},
    "POST /api/seeks/{seek}/join": {},
    "POST /api/sessions": {"name": "Nobody 1", "password": PASSWORD},
    "POST /api/sessions/device": {"code": "abcd-efgh"},
    "PUT /api/me/name": {"name": "Ida {number}"},
    "PUT /api/matches/{match}/replies": {"lines": []},
    "PUT /api/me/digest": {"every": "never"},
    "PUT /api/me/push": {"endpoint": "https://x", "p256dh": "", "auth": "", "kinds": []},
    "PUT /api/me/vacation": {"is_on": True},
    "PUT /api/me/password": {"password": PASSWORD, "new_password": "another horse"},
}
VALUES = {
    "name": GAME, "game": GAME, "puzzle": f"{GAME}-00000000", "code": "x", "seat": "1", "ply": "0",
    "digest": "0" * 16,
}  # fmt: skip
ANSWERS = {
    "401 403 403 403 401": """
        POST /invitations, POST /matches/{match}/commands, POST /matches/{match}/engine,
        POST /matches/{match}/hints, GET /matches/{match}/replies, PUT /matches/{match}/replies,
        POST /matches/{match}/thoughts, POST /me/chats/{user}, POST /me/passkeys,
        POST /moderation/acts, GET /moderation/log, GET /moderation/reports,
        GET /moderation/reports/{report}, POST /moderation/reports/{report},
        GET /moderation/users/{user}, PUT /moderation/users/{user}/role,
    """,
    "403": """
        POST /mail-confirmations, POST /sessions, POST /sessions/device, POST /sessions/passkey,
        POST /sessions/reset,
    """,
    "401 409 409 409 401": """
        POST /matches/{match}/review, POST /matches/{match}/seats/{seat}, PUT /me/mail,
    """,
    "401 409 200 409 401": "POST /me/mail/removal, PUT /me/password",
    "401 200 200 409 401": "POST /me/passkeys/options",
    "401 404 404 404 401": """
        DELETE /challenges/{challenge}, POST /challenges/{challenge}/acceptance,
        POST /challenges/{challenge}/refusal, DELETE /me/blocks/{block},
        DELETE /me/notices/{notice}, PUT /me/passkeys/{passkey}, DELETE /me/sessions/{session},
        DELETE /me/tokens/{access}, POST /seeks/{seek}/join,
    """,
    "401 409 404 409 401": "POST /me/passkeys/{passkey}/removal",
    "401 200 200 200 401": """
        GET /me, GET /me/account, GET /me/blocks, GET /me/challenges, GET /me/conduct, GET /me/data,
        POST /me/deletion, GET /me/digest, PUT /me/digest, GET /me/favourites,
        DELETE /me/favourites/{match}, PUT /me/favourites/{match}, GET /me/following,
        DELETE /me/following/{user}, PUT /me/following/{user}, GET /me/matches, PUT /me/name,
        GET /me/notices, DELETE /me/push, GET /me/push, GET /me/ratings, GET /me/seeks,
        POST /me/seeks/renewal, DELETE /me/sessions, GET /me/sessions, GET /me/tokens,
        GET /me/turns, GET /me/vacation, PUT /me/vacation, DELETE /seeks/{seek},
    """,
    "401 409 201 409 401": "POST /me/tokens",
    "200": """
        GET /accounts, GET /addresses, POST /analysis, GET /games, GET /games/{name},
        GET /games/{name}/leaderboard, GET /games/{name}/lessons, GET /games/{name}/readiness,
        GET /health, GET /health/live, GET /health/ready, GET /matches, GET /metrics, GET /seeks,
        POST /sessions/passkey/options, GET /status, GET /users/{user}/ratings, GET /version,
    """,
    "409": "POST /analysis/lines, POST /analysis/thoughts, POST /sessions/reset-link",
    "422": "POST /analysis/engine, POST /analysis/records",
    "201": "POST /guests",
    "201 201 201 201 401": "POST /bots",
    "401 201 201 201 401": """
        POST /challenges, POST /matches, POST /me/blocks, POST /me/device-code, POST /reports,
        POST /seeks,
    """,
    "404": """
        POST /digests/{code}/unsubscribe, GET /games/{name}/engines/{digest},
        POST /games/{name}/lessons/{step}, GET /games/{name}/networks/{digest},
        GET /games/{name}/openings, GET /games/{name}/picture, GET /games/{name}/rules,
        GET /puzzles/{game}, GET /puzzles/{game}/daily, GET /puzzles/{game}/{puzzle},
        POST /puzzles/{game}/{puzzle}/attempt,
    """,
    "200 200 200 200 401": """
        GET /matches/{match}, GET /matches/{match}/events, GET /matches/{match}/positions/{ply},
        GET /matches/{match}/ratings, GET /matches/{match}/review, GET /puzzles/{game}/overview,
        GET /users/{user}, GET /users/{user}/matches, GET /users/{user}/ratings/{game},
    """,
    "404 404 404 404 401": "GET /matches/{match}/picture, POST /matches/{match}/review/{ply}",
    "403 403 403 403 401": "GET /matches/{match}/record",
    "401 201 409 409 401": "POST /me/account",
    "401 403 200 403 401": "GET /matches/{match}/chat, GET /me/chats/{user}",
    "401 403 201 403 401": "POST /matches/{match}/chat",
    "401 400 400 400 401": "PUT /me/push",
    "401 422 422 422 401": "POST /records",
}
"""The statuses for all roles in order, or one for all: the match is others', and has begun."""

SCOPES = {
    "read": """
        GET /matches/{match}, GET /matches/{match}/events, GET /matches/{match}/picture,
        GET /matches/{match}/positions/{ply}, GET /matches/{match}/ratings,
        GET /matches/{match}/record, GET /matches/{match}/replies, GET /matches/{match}/review,
        POST /matches/{match}/review/{ply},
        GET /me, GET /me/blocks, GET /me/challenges, GET /me/conduct, GET /me/favourites,
        GET /me/following, GET /me/matches, GET /me/notices, GET /me/ratings, GET /me/seeks,
        GET /me/turns, GET /me/vacation, GET /puzzles/{game}, GET /puzzles/{game}/overview,
        GET /users/{user}, GET /users/{user}/matches, GET /users/{user}/ratings/{game},
    """,
    "play": """
        POST /challenges, DELETE /challenges/{challenge},
        POST /challenges/{challenge}/acceptance, POST /challenges/{challenge}/refusal,
        POST /matches, POST /matches/{match}/commands, POST /matches/{match}/engine,
        POST /matches/{match}/hints, PUT /matches/{match}/replies, POST /matches/{match}/review,
        POST /matches/{match}/seats/{seat}, POST /matches/{match}/thoughts, POST /me/blocks,
        DELETE /me/blocks/{block}, DELETE /me/favourites/{match}, PUT /me/favourites/{match},
        DELETE /me/following/{user}, PUT /me/following/{user}, DELETE /me/notices/{notice},
        POST /me/seeks/renewal, PUT /me/vacation, POST /puzzles/{game}/{puzzle}/attempt,
        POST /records, POST /reports, POST /seeks, DELETE /seeks/{seek}, POST /seeks/{seek}/join,
    """,
    "chat": """
        GET /matches/{match}/chat, POST /matches/{match}/chat, GET /me/chats/{user},
        POST /me/chats/{user},
    """,
    "bot": """
        POST /bots,
    """,
    "moderate": """
        POST /invitations, POST /moderation/acts, GET /moderation/log, GET /moderation/reports,
        GET /moderation/reports/{report}, POST /moderation/reports/{report},
        GET /moderation/users/{user},
    """,
    "": """
        GET /me/account, POST /me/account, GET /me/data, POST /me/deletion, POST /me/device-code,
        GET /me/digest, PUT /me/digest, PUT /me/mail, POST /me/mail/removal, PUT /me/name,
        POST /me/passkeys, POST /me/passkeys/options, PUT /me/passkeys/{passkey},
        POST /me/passkeys/{passkey}/removal, PUT /me/password, DELETE /me/push, GET /me/push,
        PUT /me/push, DELETE /me/sessions, GET /me/sessions,
        DELETE /me/sessions/{session}, GET /me/tokens, POST /me/tokens,
        DELETE /me/tokens/{access}, GET /metrics, PUT /moderation/users/{user}/role,
    """,
}
"""The scope that a personal access token needs; empty: no such token will do."""


def listed(table: Mapping[str, str]) -> dict[str, str]:
    """A table by its routes."""
    return {
        " /api/".join(route.strip().split(" /", 1)): value
        for value, routes in table.items()
        for route in routes.strip().rstrip(",").split(",")
    }


class Callers:
    """New people for every call, so that no call depends on another."""

    def __init__(self, server: Inside, password: str) -> None:
        self.server, self.password, self.number = server, password, 0

    async def token(self, role: str) -> str:
        self.number += 1
        services = self.server.services
        forgetting = Statement(sign_in.FORGET_ATTEMPTS, [2**53])
        await services.store._write(forgetting)  # Attempts to sign in are limited.
        if role == "anonymous":
            return ""
        if role == "bot":
            return str((await services.people.add_bot(f"Bot {self.number} x")).token)
        account = await services.people.add_guest()
        if role == "account":
            name = f"Ada {self.number}"
            own = hash_token(account.token)
            user = account.user.id
            assert await services.store.add_account(user, name, self.password, but=own)
        if role == "deleted":
            await services.accounts.delete(account.user)
        return str(account.token)


async def status_of(
    callers: Callers, endpoint: Endpoint, role: str, values: Mapping[str, str]
) -> int:
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


async def test_every_route_answers_everybody_as_the_table_says(server: Inside) -> None:
    callers = Callers(server, await server.services.accounts.passwords.hash(PASSWORD, ""))
    match, _ = await server.seated(GAME, 2)
    await server.services.people.add_bot("Anybody")
    values = defaultdict(lambda: "none", VALUES | {"match": match, "user": "Anybody"})
    found = {}
    for endpoint in ENDPOINTS:
        answers = [await status_of(callers, endpoint, role, values) for role in ROLES]
        same = answers[:1] if len(set(answers)) == 1 else answers
        found[f"{endpoint.method} {endpoint.path}"] = " ".join(map(str, same))
        if endpoint.auth == "required":
            assert (answers[0], answers[-1]) == (401, 401), endpoint.path
    assert found == listed(ANSWERS)


async def test_a_personal_token_without_the_scope_of_a_route_is_refused(server: Inside) -> None:
    """Every route that looks at tokens, by a token with all other scopes."""
    match, _ = await server.seated(GAME, 2)
    user = (await server.services.people.user_of(await server.member("Ada"))).id
    scopes = listed(SCOPES)
    looking = {f"{each.method} {each.path}": each for each in ENDPOINTS if each.auth}
    assert {name: each.scope or "" for name, each in looking.items()} == scopes
    del looking["GET /api/metrics"]  # Which has its own token.
    for name, endpoint in looking.items():
        token = make_token()
        row = TokenRow(hash_token(token), PERSONAL, user, None, None, 0)
        others = {*SCOPES} - {scopes[name]}
        await server.services.store.add_token(row._replace(scopes=" ".join(others)))
        values = defaultdict(lambda: "0", VALUES | {"match": match})
        path = re.sub(r"{(\w+)}", lambda found: values[found[1]], endpoint.path)  # noqa: B023
        async with server.http(token) as http:
            answer = await http.request(endpoint.method, path, json=BODIES.get(name))
        if endpoint.auth == "optional" and answer.status_code == 404:
            continue  # There is nothing to see.
        assert answer.status_code == 403, name
        assert answer.json()["code"] == "wrong_scope", name
