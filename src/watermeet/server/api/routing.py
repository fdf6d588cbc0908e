"""Endpoints of REST: a function's signature is its declaration; OpenAPI is made from the same.

A request authenticates by ``Authorization: Bearer TOKEN``. There are no cookies, so no other page
can act in somebody's name. Tokens are never in a URL: URLs end up in logs.
"""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar, get_type_hints

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from watermeet.server.api.messages import check_no_nul, decode_strictly
from watermeet.server.api.problems import HINT, json_response, problem
from watermeet.server.api.services import Services
from watermeet.server.audience import seen
from watermeet.server.errors import BadRequest, TooMany, Unauthorized
from watermeet.server.limits import RateLimiter, client_key
from watermeet.server.matches.match import Match
from watermeet.server.people.accounts import Proof
from watermeet.server.people.invitations import check_may_begin
from watermeet.server.people.passkeys import Site
from watermeet.server.people.users import Caller, Scope, Viewer
from watermeet.server.store.rows import UserRow

Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)
P = ParamSpec("P")
T = TypeVar("T")
_BEARER = "bearer "


class Call:
    """A request, and what it takes to answer it."""

    def __init__(self, request: Request, scope: Scope | None) -> None:
        self.request = request
        self.services: Services = request.app.state.services
        self.scope: Scope | None = scope

    @property
    def token(self) -> str:
        """The token of the request; empty without one."""
        return token_of(self.request.headers.get("authorization", ""))

    async def caller(self) -> Caller:
        """Whom the token speaks for, and what it allows; raises Unauthorized without one."""
        if not self.token:
            raise Unauthorized("this request has no token", "get one: POST /api/guests")
        found = await self.services.people.caller(self.token, self.scope)
        self.services.matches.ranks.note_address(found.user.id, self.address)
        return found

    async def user(self) -> UserRow:
        """The user of the token; raises Unauthorized without one."""
        return (await self.caller()).user

    def proof(self, user: UserRow, password: str) -> Proof:
        """What the caller offers to show that they are the user."""
        return Proof(user, self.token, password, self.address)

    @property
    def site(self) -> Site:
        """Whose passkeys those of this server are."""
        return Site(self.services.settings.public_url, self.request.headers.get("host", ""))

    @property
    def address(self) -> str:
        """The key of the caller's address, which may be a proxy's word, if uvicorn trusts it."""
        return client_key(self.request.client.host if self.request.client else "")

    @property
    def device(self) -> str:
        """The caller's device in a few words, such as "Firefox, Linux"; empty if unknown."""
        return device_of(self.request.headers.get("user-agent", ""))

    async def beginner(self) -> UserRow:
        """The user, who may begin something here; raises InvitedToSignUp."""
        user = await self.user()
        check_may_begin(user, self.services.settings.sign_up)
        return user

    async def viewer(self, match: Match) -> Viewer:
        """Who looks at a match by the token."""
        return await self.services.people.viewer(match, self.token, scope=self.scope)

    async def seat_in(self, match: Match) -> int | None:
        """The seat that the token speaks for; None: a spectator."""
        return (await self.viewer(match)).seat

    async def work(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do work that is as long as what the caller has sent; raises TooMany.

        Nobody from another address waits for it, and nothing else does.
        """
        return await self.services.texts.run(self.address, work, *args, **kwargs)

    async def seen(self, match: str) -> tuple[Match, int | None]:
        """A match as the caller may see it now, and the caller's seat; raises PlayersOnly."""
        live = await self.services.matches.current(match)
        seat = await self.seat_in(live.match)
        return seen(live, seat, self.services.now()), seat

    def check_rate(self) -> None:
        """Raise TooMany for an address that creates too much."""
        if not self.services.creations.take(self.address, time.monotonic()):
            raise TooMany("too much is created from this address", "wait a minute")

    def check_position_rate(self) -> str:
        """Raise TooMany for an address that asks about too many positions; return its key."""
        self.check_address(self.services.positions)
        return self.address

    def check_address(self, limiter: RateLimiter) -> None:
        """Raise TooMany for an address that has used up what a limiter gives it."""
        if not limiter.take(self.address, time.monotonic()):
            raise TooMany("that was too fast", "wait a moment")


def token_of(authorization: str) -> str:
    """The token of a header; empty without one; raises Unauthorized for another kind of header."""
    if not authorization:
        return ""
    kind, token = authorization[: len(_BEARER)], authorization[len(_BEARER) :].strip()
    if kind.lower() != _BEARER or not token:
        raise Unauthorized("the Authorization header has no token", "write: Bearer TOKEN")
    return token


_DEVICES = (
    {"Edg": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome",
     "Safari/": "Safari", "Python": "Python"},
    {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows",
     "Mac OS X": "macOS", "Linux": "Linux"},
)  # fmt: skip
"""What is looked for in a user agent, first match first: programs and systems."""


def device_of(user_agent: str) -> str:
    """A device in a few words.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    found = (
        next((name for sign, name in names.items() if sign in user_agent), "") for names in _DEVICES
    )
    return ", ".join(filter(None, found))


# ---- endpoints ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Endpoint:
    """A method of a path. ``parameters`` are those of path and query together."""

    method: str
    path: str
    handler: Handler
    parameters: type[msgspec.Struct]
    body: type[msgspec.Struct] | None
    response: Any
    status: int
    auth: Literal["", "optional", "required"]
    scope: Scope | None
    """What a personal access token needs here; None: no such token will do."""
    errors: tuple[int, ...]
    media_type: str

    async def answer(self, request: Request) -> Response:
        """Read a request, call the handler, and write its result."""
        call, given = Call(request, self.scope), {**request.query_params, **request.path_params}
        try:
            check_no_nul(given.values())
            parameters = msgspec.convert(given, self.parameters, strict=False)
            known = msgspec.structs.asdict(parameters)
            if self.body is not None:
                decoder = msgspec.json.Decoder(self.body)
                known["body"] = decode_strictly(decoder, await _body(request))
        except msgspec.DecodeError as error:
            status = 422 if isinstance(error, msgspec.ValidationError) else 400
            return problem(status, "bad_request", f"can't read that: {str(error)[:200]}", HINT)
        result = await self.handler(call, **known)
        return result if isinstance(result, Response) else json_response(result, self.status)


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # Nothing that another page can send without a preflight.
        raise BadRequest(f"can't read {kind[:40]!r}", "send application/json")
    return await request.body()


ENDPOINTS: list[Endpoint] = []
"""Filled by the modules ``routes_*`` when they are imported."""


def endpoint(
    method: str,
    path: str,
    *,
    status: int = 200,
    auth: Literal["", "optional", "required"] = "",
    scope: Scope | Literal[""] | None = "",
    errors: tuple[int, ...] = (),
    media_type: str = "application/json",
) -> Callable[[H], H]:
    """Declare a handler: a Call comes first, ``body`` is the body, the rest are parameters.

    Whatever looks at tokens has a ``scope``; None: what changes or shows how somebody signs in, or
    all that they have, is for sessions alone.
    """
    assert bool(auth) == (scope != ""), f"{method} {path} declares a scope if it looks at tokens"

    def declare(handler: H) -> H:
        hints = get_type_hints(handler, include_extras=True)
        fields: list[Any] = []
        for name, parameter in list(inspect.signature(handler).parameters.items())[1:]:
            default = () if parameter.default is parameter.empty else (parameter.default,)
            if name != "body":
                fields.append((name, hints[name], *default))
        parameters = msgspec.defstruct(
            f"{handler.__name__}_parameters", fields, kw_only=True, forbid_unknown_fields=True
        )
        response = hints["return"] if media_type == "application/json" else str
        ENDPOINTS.append(
            Endpoint(
                method, f"/api{path}", handler, parameters, hints.get("body"), response, status,
                auth, scope or None, errors, media_type,
            )
        )  # fmt: skip
        return handler

    return declare


def path_names(path: str) -> list[str]:
    """The parameters in a path.

    >>> path_names("/matches/{match}/seats/{seat}")
    ['match', 'seat']
    """
    return re.findall(r"{(\w+)}", path)


def make_routes() -> list[Route]:
    """One route for each path, so that 405 lists all its methods."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for each in ENDPOINTS:
        by_path.setdefault(each.path, {})[each.method] = each
    return [_route(path, methods) for path, methods in by_path.items()]


def _route(path: str, methods: dict[str, Endpoint]) -> Route:
    async def dispatch(request: Request) -> Response:
        return await methods[request.method].answer(request)

    route = Route(path, dispatch, methods=list(methods))
    route.methods = set(methods)  # Starlette adds HEAD.
    return route
