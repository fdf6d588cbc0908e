"""Routes about matches: lists, new tables, documents and records."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

from watermeet.core.errors import InvalidOptions
from watermeet.core.registry import games as registered
from watermeet.server.access import required
from watermeet.server.api import models
from watermeet.server.api.documents import Headline, MatchDocument
from watermeet.server.api.routes_seats import sit
from watermeet.server.api.services import LISTED, AnyToken, MatchId, Services, Token, problems
from watermeet.server.errors import Forbidden, NotFound
from watermeet.server.matches import entries, projection
from watermeet.server.matches.commands import Create
from watermeet.server.matches.records import played_on, record_of
from watermeet.server.matches.service import LiveMatch
from watermeet.server.store.rows import MatchRow, TokenRow, UserRow
from watermeet.server.tokens import INVITE, hash_token, make_token

replace = msgspec.structs.replace


def add_routes(router: APIRouter, services: Services) -> None:
    """Adds the family."""

    @router.get("/matches")
    async def matches(
        stage: Literal["open", "playing"] = "open",
        game: Annotated[str | None, Query(pattern=r"^[a-z][a-z0-9_]{0,39}$")] = None,
    ) -> models.MatchList:
        """Public tables that wait for people, or are played now."""
        find = services.store.open_matches if stage == "open" else services.store.live_matches
        rows = await find(game=game, limit=LISTED)
        return models.MatchList(matches=[listed(row) for row in rows])

    @router.post("/matches", status_code=201, responses=problems(403, 404, 409))
    async def make_match(request: Request, token: Token, wish: models.NewMatch) -> models.MatchMade:
        """Lays a table, at the beginning or where another match was."""
        user = required(await services.access.user(token))
        services.check_rate(request)
        base = services.settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
        return await _make_match(services, wish, user, base)

    @router.get(
        "/matches/{match}",
        response_class=Response,  # Written at once: a model would take it apart and together again.
        responses=problems(403, 404) | {200: {"model": MatchDocument}},
    )
    async def match_document(match: MatchId, token: AnyToken) -> Response:
        """All that who asks may know of a match."""
        live = await services.load(match)
        seat = await services.access.seat(live.match, token, None)
        last = live.match.seq
        if seat is None and live.match.created.watch_delay_s:
            last = projection.watchable(live.entries, services.now())
        document = projection.document(services.matches.at(live, last), seat)
        return Response(msgspec.json.encode(document), media_type="application/json")

    @router.get(
        "/matches/{match}/record", response_class=PlainTextResponse, responses=problems(403, 404)
    )
    async def record(match: MatchId) -> Response:
        """The match as text; while it is played, only if nothing in it is hidden from anybody."""
        live = await services.load(match)
        check_is_told(live)
        return PlainTextResponse(record_of(live.match).format())


def check_is_told(live: LiveMatch) -> None:
    """Raises Forbidden while watchers of the table see it later than the players."""
    if not live.match.is_final and live.match.created.watch_delay_s:
        raise Forbidden("this table is shown later", "ask when the match is over")


def listed(row: MatchRow) -> models.MatchListed:
    """A row of a list."""
    return models.MatchListed(
        match=row.id,
        game=row.game,
        stage=row.stage,
        created_at=row.created_at,
        changed_at=row.changed_at,
        headline=Headline.model_validate_json(row.headline),
    )


# ---- new tables ---------------------------------------------------------------------------------


@dataclass
class _Invitations:
    """Tokens for the seats that are kept for somebody."""

    wish: models.NewMatch
    now: int
    tokens: dict[str, str]

    def make(self, match: str) -> list[TokenRow]:
        rows = []
        for seat, plan in enumerate(self.wish.seats):
            if plan.who == "invited":
                token = self.tokens[str(seat)] = make_token()
                rows.append(TokenRow(hash_token(token), INVITE, None, match, seat, self.now))
        return rows


async def _make_match(
    services: Services, wish: models.NewMatch, user: UserRow, base: str
) -> models.MatchMade:
    if wish.game not in registered():
        raise NotFound(
            f"there is no game {wish.game[:40]!r}", f"there are {', '.join(registered())}"
        )
    invitations = _Invitations(wish, services.now(), {})
    create = await _create(services, wish, user)
    live = await services.matches.create(create, invitations.make)
    match, taken = live.match.id, None
    if wish.sit is not None:
        taken = await sit(services, live.match, wish.sit, user, models.Joining(), invited=True)
    # In the fragment, which browsers keep to themselves: no server, proxy or log sees the token.
    links = {
        seat: f"{base}/match/{match}#seat={seat}&invitation={token}"
        for seat, token in invitations.tokens.items()
    }
    return models.MatchMade(match=match, seat=taken, invitations=invitations.tokens, links=links)


async def _create(services: Services, wish: models.NewMatch, user: UserRow) -> Create:
    timing = wish.timing
    chosen: entries.Timing = entries.NoTiming()
    if timing.kind == "days":
        chosen = entries.Days(timing.days)
    elif timing.kind == "live":
        chosen = entries.Live(timing.bank_ms, timing.increment_ms)
    create = Create(
        game=wish.game,
        options=dict(wish.options),
        seats=tuple(entries.SeatPlan(seat.who, seat.level) for seat in wish.seats),
        timing=chosen,
        absence=entries.Absence(wish.absence.rule, wish.absence.level),
        minute_percent=wish.minute_percent,
        is_public=wish.is_public,
        watch_delay_s=wish.watch_delay_s,
        by=user.id,
    )
    return create if wish.start is None else await _from_there(services, wish.start, create)


async def _from_there(services: Services, start: models.StartWish, create: Create) -> Create:
    """The same table, where another match was; its options are taken over."""
    live = await services.load(start.match)
    check_is_told(live)
    record = record_of(live.match)
    found = await asyncio.to_thread(played_on, record, start.ply, create.seats)
    if create.game != found.game:
        raise InvalidOptions(
            f"{create.game} cannot go on from a match of {found.game}", f"play {found.game}"
        )
    if any(found.options.get(name) != value for name, value in create.options.items()):
        raise InvalidOptions(
            f"the match was played with {dict(found.options)}", "leave the options out"
        )
    return replace(create, options=found.options, start=found.start)
